"""Average precision, as it steps or under its envelope, and how sure it is."""

from __future__ import annotations

import numpy as np

from skmetrics_ext.counts._score_ranking import Ranking
from skmetrics_ext.intervals import Interval
from skmetrics_ext.intervals._scales import delta_limits, wilson_limits

__all__ = ["average_precision", "interpolated_average_precision", "share_interval"]

_NEAR = 1e-12


def average_precision(ranking: Ranking, z: float | None) -> Interval:
    """The mean precision at the positives: the sum of recall gained times precision there."""
    positives = float(ranking.w[1].sum())
    if not positives > 0:
        return Interval(np.nan, np.nan, np.nan, np.nan, "delta")
    found, answered = _cumulative(ranking)
    at = np.arange(len(found))
    value = float((ranking.w[1, ::-1] * _precision(found, answered)).sum() / positives)
    variance = _variance(ranking, found, answered, at, positives)
    return share_interval(value, variance, ranking.of_class(1)[1], z)


def interpolated_average_precision(
    ranking: Ranking, recall_levels: int, n_positives: float | None, z: float | None
) -> Interval:
    """The mean, over evenly spaced recalls, of the best precision at that recall or more."""
    scored, rows = ranking.of_class(1)
    positives = scored if n_positives is None else n_positives
    if not positives > 0:
        return Interval(np.nan, np.nan, np.nan, np.nan, "delta")
    found, answered = _cumulative(ranking)
    precision = _precision(found, answered)
    envelope = np.maximum.accumulate(precision[::-1])[::-1]
    levels = np.linspace(0.0, 1.0, recall_levels)
    place = np.searchsorted(_snapped(found / positives, recall_levels), levels, side="left")
    value = float(np.append(envelope, 0.0)[place].mean())
    # Where the envelope was taken from; ties in precision from the highest recall.
    at = np.arange(len(found))
    best = np.where(precision == envelope, at, len(at))
    at = np.minimum.accumulate(best[::-1])[::-1]
    variance = _variance(ranking, found, answered, at, positives)
    # Objects without a score are rows too, each as heavy as a scored positive on the whole.
    unscored = (positives - scored) / scored * rows if rows > 0 else positives
    return share_interval(value, variance, rows + unscored, z)


def _snapped(recall: np.ndarray, recall_levels: int) -> np.ndarray:
    """Recalls as whole numbers of rows would give them where they fall on a level.

    COCO compares levels and shares as they are rounded. Weights of another unit round otherwise,
    and a recall of 0.7 that came out as 0.69999... would miss its level.
    """
    steps = recall_levels - 1
    on_level = np.rint(recall * steps) / max(steps, 1)
    return np.where(np.abs(recall - on_level) <= _NEAR, on_level, recall)


def share_interval(value: float, variance: float, rows: float, z: float | None) -> Interval:
    """Limits of a share of rows: on the logit scale, or Wilson's where that sees no variance."""
    se = float(np.sqrt(variance))
    if z is None:
        return Interval(value, se, np.nan, np.nan, "delta")
    if _NEAR < value < 1 - _NEAR and se > _NEAR:
        return Interval(value, se, *delta_limits(value, se, z, 0.0, 1.0), "delta")
    low, high = wilson_limits(min(max(value, 0.0), 1.0), rows, z)
    return Interval(value, se, min(low, value), max(high, value), "Wilson")


def _cumulative(ranking: Ranking) -> tuple[np.ndarray, np.ndarray]:
    """The positives and all rows at or above each score, highest score first."""
    found = np.cumsum(ranking.w[1, ::-1])
    return found, found + np.cumsum(ranking.w[0, ::-1])


def _precision(found: np.ndarray, answered: np.ndarray) -> np.ndarray:
    # Above all rows of weight zero nothing is answered, and no recall is gained there.
    return found / np.where(answered > 0, answered, 1.0)


def _variance(
    ranking: Ranking, found: np.ndarray, answered: np.ndarray, at: np.ndarray, positives: float
) -> float:
    """Sum of w2 g^2 for the sum of (recall gained at k) times (precision at ``at[k]``).

    With ``at`` fixed: moving a row changes the precision at every cut below it, and a
    positive, besides, how much recall each cut is worth.
    """
    gained = ranking.w[1, ::-1] / positives
    precision = _precision(found, answered)[at]
    value = float(gained @ precision)
    worth = np.bincount(at, gained, minlength=len(at)) / np.where(answered > 0, answered, 1.0) ** 2
    per_positive = np.cumsum((worth * (answered - found))[::-1])[::-1] + (
        (precision - value) / positives
    )
    per_negative = -np.cumsum((worth * found)[::-1])[::-1]
    slopes = np.stack([per_negative, per_positive])[:, ::-1]
    variance = float((ranking.w2 * slopes**2).sum())
    scored, rows = ranking.of_class(1)
    if positives > scored > 0:
        unit = scored / rows
        variance += (positives - scored) * unit * (value / positives) ** 2
    return variance
