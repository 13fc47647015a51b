"""The best cuts of a score: of all monotone ways to cut it, by a dynamic program.

Nothing here knows a label: ranks, scores, weights, and what answering j costs where the truth
is i. A cut is a place among the distinct scores: the number of them below it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["RankedRows", "cheapest_places", "cuts_at", "places_of_least_ratio"]

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

_EPS = float(np.finfo(np.float64).eps)
# Whole numbers below this are added and multiplied without rounding.
_EXACT = 2.0**53
_MOST_BYTES = 2**30


@dataclass(frozen=True)
class RankedRows:
    """Rows in the order of their scores.

    Attributes
    ----------
    scores : ndarray of shape (S,)
        The distinct scores, rising.
    ranks : ndarray of shape (n,)
        The true class of each row.
    weights : ndarray of shape (n,)
        Positive; whole numbers, or in units of a power of two near the largest.
    below : ndarray of shape (S + 1,)
        The number of rows below each place.
    whole : bool
        Whether weights are whole, and their sum is exact.
    """

    scores: Floats
    ranks: NDArray[np.intp]
    weights: Floats
    below: Places
    whole: bool

    @classmethod
    def of(cls, scores: Floats, ranks: NDArray[np.intp], weights: Floats | None) -> RankedRows:
        """Sort the rows; those of weight zero are no rows, and their scores no scores."""
        if weights is not None and not weights.all():
            kept = np.flatnonzero(weights)
            scores, ranks, weights = scores[kept], ranks[kept], weights[kept]
        order = np.argsort(scores)
        ordered = scores[order]
        new = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
        below = np.concatenate([[0], new, [len(ordered)]])
        ranks, whole = ranks[order], True
        if weights is None:
            weights = np.ones(len(ordered))
        else:
            whole = bool((weights == np.rint(weights)).all() and weights.sum() < _EXACT)
            if not whole:  # so that products of sums of weights neither overflow nor vanish
                weights = np.ldexp(weights, -int(np.frexp(weights.max())[1]))
            weights = weights[order]
        return cls(ordered[below[:-1]], ranks, weights, below, whole)

    @property
    def total(self) -> float:
        """The sum of the weights."""
        return float(self.weights.sum())

    def sums_below(self, values: Floats) -> Floats:
        """The sum of a value per row over the rows below each place, (S + 1,)."""
        coarse, rest = _split(values)
        sums = _running(coarse)
        if rest.any():
            sums += _running(rest)
        return sums[self.below]

    def sums_of_ranks(self, n_classes: int) -> Floats:
        """The sum of the weights of each true class, (K,)."""
        sums = np.zeros(n_classes)
        for part in _split(self.weights):
            sums += np.bincount(self.ranks, weights=part, minlength=n_classes)
        return sums


def _split(values: Floats) -> tuple[Floats, Floats]:
    """Values as multiples of a unit whose sums are exact, and what remains.

    The remainders are so small that the rounding of their sums does not matter: added apart, the
    two give sums that are right to the last digit or two. A plain running sum drifts by up to
    that much with each row, which breaks ties of weights such as 0.1.
    """
    unit = 2 * np.spacing(np.abs(values).sum())
    coarse = np.rint(values / unit) * unit
    return coarse, values - coarse


def _running(values: Floats) -> Floats:
    sums = np.empty(len(values) + 1)
    sums[0] = 0
    np.cumsum(values, out=sums[1:])
    return sums


def cheapest_places(rows: RankedRows, costs: Floats) -> Places:
    """The places of the cuts of least total cost, the lowest of those that are equally good.

    Parameters
    ----------
    rows : RankedRows
    costs : ndarray of shape (K, K)
        costs[i, j]: answering i where the truth is j.

    Returns
    -------
    places : ndarray of shape (K - 1,)
        Rising, from 0 to S; they may repeat.
    """
    _check_size(rows, len(costs))
    extra = costs[:-1] - costs[1:]
    size = float(np.abs(extra).max(initial=0.0)) * rows.total * len(costs)
    exact = rows.whole and bool((extra == np.rint(extra)).all()) and size < _EXACT
    return _lowest_minimum(_terms(rows, extra), slack=0.0 if exact else _slack(size))


def places_of_least_ratio(rows: RankedRows, distances: Floats) -> Places:
    """The places of the cuts of highest kappa, the lowest of those that are equally good.

    Kappa is 1 - observed / expected. Since the true margin does not depend on the answers,
    expected disagreement is a sum over rows as the observed one is, and the least ratio of two
    such sums is found by a few minimisations of ``observed - ratio * expected`` (Dinkelbach
    1967), each a dynamic program. Both sides are multiplied out, so that whole numbers stay
    whole.

    Parameters
    ----------
    rows : RankedRows
        Of two classes at least: else nothing is expected by chance.
    distances : ndarray of shape (K, K)
        Symmetric, zero on the diagonal only, whole numbers.
    """
    _check_size(rows, len(distances))
    by_chance = distances @ rows.sums_of_ranks(len(distances))
    extra, extra_by_chance = distances[:-1] - distances[1:], by_chance[:-1] - by_chance[1:]
    terms = list(_terms(rows, extra))
    weight_below = rows.sums_below(rows.weights)
    total = rows.total

    def sums(places: Places) -> tuple[float, float]:
        observed = by_chance[-1] + sum(t[b] for t, b in zip(terms, places, strict=True))
        expected = by_chance[-1] * total + extra_by_chance @ weight_below[places]
        return float(observed), float(expected)

    most, most_by_chance = np.abs(extra).max() * total, np.abs(extra_by_chance).max() * total
    observed, expected = sums(_lowest_minimum(terms, slack=0.0))
    while True:
        size = float(expected * most + observed * most_by_chance) * len(distances)
        exact = rows.whole and size < _EXACT
        scaled = (
            expected * term - (observed * more) * weight_below
            for term, more in zip(terms, extra_by_chance, strict=True)
        )
        places = _lowest_minimum(scaled, slack=0.0 if exact else _slack(size))
        new_observed, new_expected = sums(places)
        # Rounding is monotone: where this holds of the rounded products the ratio did fall, so
        # that the loop ends.
        if not new_observed * expected < observed * new_expected:
            return places
        observed, expected = new_observed, new_expected


def cuts_at(scores: Floats, places: Places) -> Floats:
    """The cut at each place among distinct scores that rise.

    The midpoint of the scores on its two sides, or the upper one where that is not strictly
    between (adjacent numbers, sums that overflow); infinite at the two ends.
    """
    between = np.full(len(scores) + 1, np.inf)
    between[0] = -np.inf
    lower, upper = scores[:-1], scores[1:]
    with np.errstate(over="ignore"):
        middle = (lower + upper) / 2
    between[1:-1] = np.where((middle > lower) & (middle < upper), middle, upper)
    return between[places]


# ---------------------------------------------------------------------------------------------


def _terms(rows: RankedRows, extra: Floats) -> Iterator[Floats]:
    """For each cut what it adds at each place, (S + 1,).

    The total is that of answering the last class everywhere, plus one term for each cut: what
    the rows below the k-th cut cost more when they are answered k and not k + 1.
    """
    for of_truth in extra:
        yield rows.sums_below(of_truth[rows.ranks] * rows.weights)


def _lowest_minimum(terms: Iterable[Floats], slack: float) -> Places:
    """Rising places, one for each term, where the terms have the least sum.

    Of two sets of places the lower one of each pair, and the higher one, are again rising, with
    the same sum in all: so among the best sets there is one that is the lowest in every place.
    """
    best: list[Floats] = []  # up to each place
    for term in terms:
        best.append(np.minimum.accumulate(term + best[-1] if best else term))
    places = np.empty(len(best), dtype=np.intp)
    last = len(best[0]) - 1 if best else 0
    for k in range(len(best) - 1, -1, -1):
        last = int((best[k][: last + 1] <= best[k][last] + slack).argmax())
        places[k] = last
    return places


def _slack(size: float) -> float:
    """How far two sums that are equal may come out apart, being rounded.

    A term carries a few roundings of numbers up to ``size`` / K, and K of them are added.
    """
    return 8 * _EPS * size


def _check_size(rows: RankedRows, n_classes: int) -> None:
    """Two tables of this size are made."""
    needed = 2 * 8 * (n_classes - 1) * len(rows.below)
    if needed > _MOST_BYTES:
        raise ValueError(
            f"y_score has {len(rows.scores):,} distinct scores and there are {n_classes} classes: "
            f"the best cuts would need {needed / 2**30:.1f} GiB, more than the 1 GiB allowed. "
            "Round y_score, so that fewer scores are distinct."
        )
