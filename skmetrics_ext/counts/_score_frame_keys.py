"""The bin of a score as an expression that every engine evaluates alike.

Each key is a float, null where the score is null or NaN: a cast of infinity or NaN to a whole
number is an error in one engine, a number in the next. Comparisons put NaN above all numbers
in some engines, and below none in others, so that it is asked for by name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import narwhals.stable.v2 as nw

from skmetrics_ext.counts._score_bins import Bins

__all__ = ["OUTSIDE", "cut_key", "equal_key", "fine_key", "key_of"]

# The key of scores that no equal bin of [0, 1] holds.
OUTSIDE = -1.0
# Scores smaller or larger than these are not told apart by their logarithms.
_LEAST, _MOST = 2.0**-64, 2.0**64
# Farther than two logarithms can be from each other, so that it keeps zones of scores apart.
_FAR = 2.0**48

Key = Callable[[nw.Expr], nw.Expr]


def key_of(bins: Bins | None, quantiles: int | None) -> Key:
    """What scores are grouped by: themselves, their bin, or something finer than quantiles."""
    if quantiles is not None:
        return fine_key(quantiles)
    if bins is None:
        return lambda score: score
    return equal_key(bins) if isinstance(bins, int) else cut_key(bins)


def equal_key(bins: int) -> Key:
    """The place among equal bins of [0, 1] (of the score 1 one too far), `OUTSIDE` for others."""

    def key(score: nw.Expr) -> nw.Expr:
        inside = (score >= 0.0) & (score <= 1.0)
        outside = ((score < 0.0) | (score > 1.0)) & ~score.is_nan()
        # Some engines keep the bin of minus zero apart; adding zero makes it zero.
        place = nw.when(inside).then(score * float(bins)) // 1.0 + 0.0
        return nw.when(inside).then(place).otherwise(nw.when(outside).then(nw.lit(OUTSIDE)))

    return key


def cut_key(cuts: Sequence[float]) -> Key:
    """The number of cuts that a score reaches, found by halves."""

    def key(score: nw.Expr) -> nw.Expr:
        def place(first: int, end: int) -> nw.Expr:
            if first == end:
                return nw.lit(float(first))
            middle = (first + end) // 2
            below = score < float(cuts[middle])
            return nw.when(below).then(place(first, middle)).otherwise(place(middle + 1, end))

        known = ~(score.is_nan() | score.is_null())
        return nw.when(known).then(place(0, len(cuts)))

    return key


def fine_key(bins: int) -> Key:
    """Narrow intervals of scores, out of which ``bins`` quantiles can be put together.

    They are equal on the scale of the logarithm, of the score itself up to 1/2 and of its
    distance from 1 up to there, since those are the ends where probabilities crowd; of its size
    beyond 1 and below 0. The keys are in no order. Where rounding makes two intervals overlap
    they are not cut apart.
    """
    narrow = float(max(4 * bins, 256))

    def key(score: nw.Expr) -> nw.Expr:
        near_one = (score > 0.5) & (score <= 1.0)
        size = score.abs().clip(upper_bound=_MOST)
        distance = nw.when(near_one).then(1.0 - score).otherwise(size)
        place = ((distance + _LEAST).log() * narrow).round(0)
        zones = (score < 0.0, near_one, score > 1.0)
        zone = [part.cast(nw.Float64) * (k * _FAR) for k, part in enumerate(zones, start=1)]
        known = ~(score.is_nan() | score.is_null())
        return nw.when(known).then(place + zone[0] + zone[1] + zone[2])

    return key
