"""Rows to a ranking: how many of each class stand at each distinct score, or in each bin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from skmetrics_ext.counts._frozen import FrozenArrays
from skmetrics_ext.counts._score_bins import Bins, bin_of, quantile_cuts

__all__ = ["Ranking", "gather", "in_quantiles", "merge", "rank"]


@dataclass(frozen=True, eq=False)
class Ranking(FrozenArrays):
    """Rows ``n``, weights ``w`` and squared weights ``w2`` at each score, lowest score first.

    ``n``, ``w`` and ``w2`` have shape (2, S), the negatives first. ``low`` and ``high`` (S,) are
    the least and the greatest score that an entry holds: the same, unless scores were binned.
    """

    low: np.ndarray
    high: np.ndarray
    n: np.ndarray
    w: np.ndarray
    w2: np.ndarray

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ranking):
            return NotImplemented
        return all(
            np.array_equal(getattr(self, name), getattr(other, name))
            for name in ("low", "high", "n", "w", "w2")
        )

    __hash__ = None  # type: ignore[assignment]  # arrays have no hash

    def of_class(self, positive: int) -> tuple[float, float]:
        """The weight of a class (0 or 1) and the rows it effectively rests on."""
        weight, squares = float(self.w[positive].sum()), float(self.w2[positive].sum())
        return weight, weight**2 / squares if squares > 0 else 0.0


def rank(
    scores: np.ndarray, positive: np.ndarray, weights: np.ndarray | None, bins: Bins | None
) -> Ranking:
    """Count the rows of one group: ``scores`` float64 without NaN, ``positive`` bool."""
    if weights is None:
        return _rank_rows(scores, positive, bins)
    order = np.argsort(scores)
    ordered, is_positive, of_rows = scores[order], positive[order], weights[order]
    starts = _starts(ordered, bins)
    both = np.stack([~is_positive, is_positive])

    def added(values: np.ndarray) -> np.ndarray:
        if len(starts) == len(ordered):
            return values
        return np.add.reduceat(values, starts, axis=1)

    return Ranking(
        ordered[starts],
        ordered[_ends(starts, len(ordered))],
        added(both.astype(np.int64)),
        added(both * of_rows),
        added(both * of_rows**2),
    )


def _rank_rows(scores: np.ndarray, positive: np.ndarray, bins: Bins | None) -> Ranking:
    ordered, of_class = _sorted_rows(scores, positive)
    starts = _starts(ordered, bins)
    if len(starts) == len(ordered):
        low = high = ordered
        rows: np.ndarray | int = 1
    else:
        low, high = ordered[starts], ordered[_ends(starts, len(ordered))]
        of_class = np.add.reduceat(of_class, starts)
        rows = np.diff(starts, append=len(ordered))
    n = np.empty((2, len(starts)), dtype=np.int64)
    n[1] = of_class
    np.subtract(rows, of_class, out=n[0])
    w = n.astype(np.float64)
    return Ranking(low, high, n, w, w)


def _sorted_rows(scores: np.ndarray, positive: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The sorted scores, and 1 where the row is positive, else 0.

    Floats that are not negative sort as their bits do, and leave the sign bit free: the class
    goes there, shifted to the end, so that one sort of integers carries it along. That takes
    a third of the time of an argsort and what must be looked up by it.
    """
    below = scores < 0
    if below.any():
        left, right = np.flatnonzero(below), np.flatnonzero(~below)
        upwards, its_class = _sorted_rows(-scores[left], positive[left])
        rest, class_of_rest = _sorted_rows(scores[right], positive[right])
        ordered = np.concatenate([-upwards[::-1], rest])
        return ordered, np.concatenate([its_class[::-1], class_of_rest])
    keys = scores.view(np.uint64) << np.uint64(1)  # minus zero loses its sign
    keys |= positive
    keys.sort()
    is_positive = (keys & np.uint64(1)).view(np.int64)
    keys >>= np.uint64(1)
    return keys.view(np.float64), is_positive


def merge(rankings: Sequence[Ranking], bins: Bins | None) -> Ranking:
    """The ranking of all rows together, of which each is binned already."""
    return rankings[0] if len(rankings) == 1 else _merged(rankings, bins)


def gather(
    keys: np.ndarray,
    positive: np.ndarray,
    least: np.ndarray,
    greatest: np.ndarray,
    n: np.ndarray,
    w: np.ndarray,
    w2: np.ndarray,
    *,
    bins: Bins | None,
) -> Ranking:
    """The ranking of rows that were counted by key and class: where each key is in one bin.

    All arrays have one entry for each combination of key and class.
    """
    order = np.argsort(keys, kind="stable")
    starts = _starts(keys[order], None)
    both = np.stack([~positive, positive])[:, order]

    def added(values: np.ndarray) -> np.ndarray:
        return np.add.reduceat(both * values[order], starts, axis=1)

    low = np.minimum.reduceat(least[order], starts)
    high = np.maximum.reduceat(greatest[order], starts)
    return _merged([Ranking(low, high, added(n), added(w), added(w2))], bins)


def in_quantiles(rankings: Sequence[Ranking], bins: int) -> tuple[list[Ranking], tuple[float, ...]]:
    """The same rows in at most ``bins`` bins of about equally many, and where they are cut.

    The cuts are those of all rows together, so that the subgroups still add up.
    """
    whole = rankings[0] if len(rankings) == 1 else _merged(rankings, None)
    cuts = quantile_cuts(whole.low, whole.high, whole.n.sum(0), bins)
    return [_binned(ranking, cuts) for ranking in rankings], cuts


def _merged(rankings: Sequence[Ranking], bins: Bins | None) -> Ranking:
    def joined(name: str) -> np.ndarray:
        return np.concatenate([getattr(ranking, name) for ranking in rankings], axis=-1)

    order = np.argsort(joined("low"), kind="stable")
    names = ("low", "high", "n", "w", "w2")
    return _binned(Ranking(*(joined(name)[..., order] for name in names)), bins)


def _binned(ranking: Ranking, bins: Bins | None) -> Ranking:
    """Entries of one bin, or of one score, put together."""
    starts = _starts(ranking.low, bins)
    return Ranking(
        ranking.low[starts],
        np.maximum.reduceat(ranking.high, starts),
        *(np.add.reduceat(part, starts, axis=1) for part in (ranking.n, ranking.w, ranking.w2)),
    )


def _starts(ordered: np.ndarray, bins: Bins | None) -> np.ndarray:
    """Where a new distinct score, or a new bin, begins among sorted scores."""
    keys = ordered if bins is None else bin_of(ordered, bins)
    new = keys[1:] != keys[:-1]
    if new.all():
        return np.arange(len(ordered))
    return np.concatenate([[0], np.flatnonzero(new) + 1])


def _ends(starts: np.ndarray, n_rows: int) -> np.ndarray:
    return np.append(starts[1:], n_rows) - 1
