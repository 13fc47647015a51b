"""Every threshold of a score: the stack of tables, and metrics along it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from skmetrics_ext.counts._score_ranking import Ranking
from skmetrics_ext.tables import BoundMetric

__all__ = ["counts_at", "curves", "stack", "tables_at", "thresholds_of"]

# A block of tables and what a formula makes of them stay in the processor's cache.
_BLOCK = 1 << 15


def thresholds_of(ranking: Ranking) -> np.ndarray:
    """All cuts for ``score >= threshold``, from nobody positive to all positive: (S + 1,).

    The first is infinite; where a score is so itself it is NaN, which no score reaches.
    """
    thresholds = np.empty(len(ranking.low) + 1)
    thresholds[0] = np.nan if ranking.high[-1] == np.inf else np.inf
    thresholds[1:] = ranking.low[::-1]
    return thresholds


def stack(ranking: Ranking) -> np.ndarray:
    """The table at each of the thresholds, (S + 1, 2, 2), the negatives first.

    A view of an array (2, 2, S + 1): formulas read one cell of all tables at a time.
    """
    answered = _answered_positive(ranking)
    return _tables(answered, answered[:, -1:], np.empty((2, *answered.shape)))


def _answered_positive(ranking: Ranking) -> np.ndarray:
    """The weight of each class at or above each threshold: (2, S + 1)."""
    answered = np.empty((2, len(ranking.low) + 1))
    answered[:, 0] = 0.0
    np.cumsum(ranking.w[:, ::-1], axis=1, out=answered[:, 1:])
    return answered


def _tables(answered: np.ndarray, totals: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """Fill ``cells`` (truth, answer, T). The last of the sums is the total: none is left over."""
    cells[:, 1] = answered
    np.subtract(totals, answered, out=cells[:, 0])
    return np.moveaxis(cells, -1, 0)


def curves(
    ranking: Ranking, metrics: Sequence[BoundMetric], *, positive_first: bool = False
) -> np.ndarray:
    """The raw values of each metric at every threshold, (metrics, S + 1), NaN where undefined.

    The tables are made block by block, and handed to all metrics while they are in the cache.
    """
    answered = _answered_positive(ranking)
    # In one piece: new memory costs as much as the formulas, and less in large pages.
    values = np.empty((len(metrics), answered.shape[1]))
    cells = np.empty((2, 2, min(_BLOCK, answered.shape[1])))
    for start in range(0, answered.shape[1], _BLOCK):
        block = answered[:, start : start + _BLOCK]
        tables = _tables(block, answered[:, -1:], cells[:, :, : block.shape[1]])
        if positive_first:
            tables = tables[:, ::-1, ::-1]
        for bound, into in zip(metrics, values, strict=True):
            into[start : start + _BLOCK] = bound(tables)
    return values


def tables_at(ranking: Ranking, thresholds: np.ndarray) -> np.ndarray:
    """The tables at thresholds of one's own, (T, 2, 2).

    Scores in bins can be cut only between the bins; elsewhere it is an error.
    """
    return stack(ranking)[len(ranking.low) - _place(ranking, thresholds)]


def counts_at(ranking: Ranking, threshold: np.ndarray) -> tuple[np.ndarray, ...]:
    """Rows, weights and squared weights of the table at one threshold (1,), the negatives first."""
    (place,) = _place(ranking, threshold)
    return tuple(
        np.stack([sums[:, :place].sum(axis=1), sums[:, place:].sum(axis=1)], axis=1)
        for sums in (ranking.n, ranking.w, ranking.w2)
    )


def _place(ranking: Ranking, thresholds: np.ndarray) -> np.ndarray:
    """How many of the scores are under each threshold."""
    place = np.searchsorted(ranking.low, thresholds, side="left")
    below = np.maximum(place - 1, 0)
    inside = (place > 0) & (thresholds <= ranking.high[below])
    if inside.any():
        wrong = float(thresholds[inside][0])
        bin_ = below[inside][0]
        above = ranking.low[bin_ + 1 : bin_ + 2].tolist() or [np.inf]
        raise ValueError(
            f"thresholds cuts through a bin of scores at {wrong}: the bin holds scores from "
            f"{ranking.low[bin_]} to {ranking.high[bin_]}, and how many are above is not known. "
            f"The nearest exact thresholds are {ranking.low[bin_]} and {above[0]}."
        )
    # No score reaches NaN.
    return np.where(np.isnan(thresholds), len(ranking.low), place)
