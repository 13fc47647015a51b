"""How far a chosen threshold would move if other rows of the same kind had been drawn."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counts._score_ranking import Ranking
from skmetrics_ext.decision._threshold_goal import Goal
from skmetrics_ext.decision._threshold_rows import Rows
from skmetrics_ext.decision._threshold_search import NoThresholdError, best_cut

__all__ = ["percentile_interval"]


def percentile_interval(
    rows: Rows,
    goal: Goal,
    *,
    center: float,
    confidence_level: float,
    n_resamples: int,
    rng: np.random.RandomState,
) -> tuple[float, float]:
    """The limits of the thresholds chosen on rows drawn with replacement.

    Draws that lack a class, or that no threshold satisfies the constraint on, have no threshold:
    they are left out, with a warning where they are more than one in twenty.
    """
    order = np.argsort(rows.scores)
    ordered = Rows(
        rows.scores[order],
        rows.positive[order],
        None if rows.weights is None else rows.weights[order],
    )
    thresholds = []
    for _ in range(n_resamples):
        ranking = _resampled(ordered, rng)
        if ranking.w.any(axis=1).all():
            try:
                cut = best_cut(ranking, goal.term, goal.sign, goal.limit, center=center)
            except NoThresholdError:
                continue
            thresholds.append(cut.threshold)
    lost = n_resamples - len(thresholds)
    if not thresholds:
        raise ValueError(
            f"none of n_resamples={n_resamples} draws of the rows has a threshold: they lack a "
            "class, or none satisfies the constraint."
        )
    if 20 * lost > n_resamples:
        warnings.warn(
            f"{lost} of n_resamples={n_resamples} draws of the rows have no threshold (they lack "
            "a class, or none satisfies the constraint) and are left out: there are too few rows "
            "for a dependable interval.",
            UserWarning,
            stacklevel=3,
        )
    # The threshold that no score reaches is NaN where a score is infinite.
    sorted_thresholds = np.sort(
        np.nan_to_num(thresholds, nan=np.inf, posinf=np.inf, neginf=-np.inf)
    )
    # Steps and no interpolation, since thresholds may be infinite.
    tail = (1 - confidence_level) / 2
    low = np.quantile(sorted_thresholds, tail, method="lower")
    high = np.quantile(sorted_thresholds, 1 - tail, method="higher")
    return float(low), float(high)


def _resampled(ordered: Rows, rng: np.random.RandomState) -> Ranking:
    """The ranking of as many rows, drawn with replacement from sorted ones."""
    n_rows = len(ordered.scores)
    times: NDArray[np.intp] = np.bincount(rng.randint(n_rows, size=n_rows), minlength=n_rows)
    drawn = np.flatnonzero(times)
    scores, positive, rows = ordered.scores[drawn], ordered.positive[drawn], times[drawn]
    weights = rows if ordered.weights is None else rows * ordered.weights[drawn]
    starts = np.concatenate([[0], np.flatnonzero(scores[1:] != scores[:-1]) + 1])
    n, w = (
        np.add.reduceat(np.stack([values * ~positive, values * positive]), starts, axis=1)
        for values in (rows, weights.astype(np.float64))
    )
    distinct = scores[starts]
    return Ranking(distinct, distinct, n, w, w)
