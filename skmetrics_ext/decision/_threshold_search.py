"""The best threshold of a score: every distinct cut, and the value of a metric at each.

Nothing here knows a label: a ranking of scores, a metric bound to tables, and where the positive
class stands in them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counts._score_ranking import Ranking
from skmetrics_ext.counts._score_thresholds import curves, tables_at
from skmetrics_ext.tables import BoundMetric

__all__ = ["Cut", "Limit", "NoThresholdError", "Term", "best_cut", "cuts", "values_at"]

# Values this close, in units of the largest, differ by the rounding of a formula only.
_TIE = 8 * float(np.finfo(np.float64).eps)

Floats = NDArray[np.float64]


class NoThresholdError(ValueError):
    """No threshold can be chosen."""


@dataclass(frozen=True)
class Term:
    """A metric over tables.

    Attributes
    ----------
    bound : BoundMetric
    positive_first : bool
        Whether the positive class comes first in the tables that ``bound`` reads.
    replacement : float
        What stands for an undefined value; NaN where nothing does.
    said : str
        The metric as the user said it, for messages.
    """

    bound: BoundMetric
    positive_first: bool
    replacement: float
    said: str

    def curve(self, ranking: Ranking) -> Floats:
        """The value at every cut of a ranking, (S + 1,), nobody positive first."""
        values = curves(ranking, [self.bound], positive_first=self.positive_first)[0]
        return self._replaced(values)

    def of(self, tables: Floats) -> Floats:
        """The value of tables (..., 2, 2), the negatives first."""
        return self._replaced(
            self.bound(tables[..., ::-1, ::-1] if self.positive_first else tables)
        )

    def _replaced(self, values: Floats) -> Floats:
        if np.isnan(self.replacement):
            return values
        return np.where(np.isnan(values), self.replacement, values)


@dataclass(frozen=True)
class Limit:
    """What a threshold must satisfy: the value of ``term`` on this side of ``value``."""

    term: Term
    relation: Literal[">=", "<="]
    value: float

    def satisfied(self, values: Floats) -> NDArray[np.bool_]:
        """Where it holds, up to the rounding of a formula; an undefined value satisfies nothing."""
        slack = _TIE * abs(self.value)
        if self.relation == ">=":
            return values >= self.value - slack
        return values <= self.value + slack


@dataclass(frozen=True)
class Cut:
    """A threshold, and the value of the metric there (not negated)."""

    threshold: float
    value: float


def cuts(ranking: Ranking) -> Floats:
    """A threshold for every way to cut a ranking, from nobody positive to all: (S + 1,).

    Between two distinct scores it is their midpoint, or the upper one where that is not strictly
    between (adjacent numbers, sums that overflow, infinite scores). The first is infinity, NaN
    where a score is infinite itself (no score reaches it); the last is minus infinity.
    """
    upper, lower = ranking.low[:0:-1], ranking.high[-2::-1]
    with np.errstate(over="ignore", invalid="ignore"):
        middle = (upper + lower) / 2
        between = (middle > lower) & (middle < upper)
    thresholds = np.empty(len(ranking.low) + 1)
    thresholds[0] = np.nan if ranking.high[-1] == np.inf else np.inf
    thresholds[1:-1] = np.where(between, middle, upper)
    thresholds[-1] = -np.inf
    return thresholds


def best_cut(
    ranking: Ranking, term: Term, sign: int, limit: Limit | None = None, *, center: float
) -> Cut:
    """The cut where ``sign`` times the metric is the highest, among those that ``limit`` allows.

    Values that differ by rounding only are a tie, which goes to the threshold nearest to
    ``center``.

    Raises
    ------
    NoThresholdError
        Where no cut satisfies the limit (the closest is named), or the metric is undefined at
        all that do.
    """
    thresholds = cuts(ranking)
    values = term.curve(ranking)
    wanted = sign * values
    if limit is not None:
        wanted = np.where(_allowed(ranking, limit, thresholds), wanted, np.nan)
    defined = np.isfinite(wanted)
    if not defined.any():
        among = "every threshold" if limit is None else "every threshold that satisfies constraint"
        raise NoThresholdError(
            f"scoring must be defined at some threshold; {term.said} is undefined at {among}."
        )
    best = wanted[defined].max()
    slack = _TIE * max(abs(best), float(np.abs(values[np.isfinite(values)]).max()))
    with np.errstate(invalid="ignore"):
        tied = np.flatnonzero(wanted >= best - slack)
    chosen = tied[_nearest(thresholds[tied], tied, ranking, center)]
    return Cut(float(thresholds[chosen]), float(values[chosen]))


def values_at(ranking: Ranking, term: Term, thresholds: Floats) -> Floats:
    """The value of a metric at thresholds of one's own: (T,)."""
    return term.of(tables_at(ranking, thresholds))


def _nearest(thresholds: Floats, places: NDArray[np.intp], ranking: Ranking, center: float) -> int:
    distance = np.abs(thresholds - center)
    distance[np.isnan(distance)] = np.inf
    nearest = int(distance.argmin())
    if len(places) > 1 and np.isinf(distance[nearest]):
        # Only the two ends are left. Any threshold beyond the last score answers as they do.
        above = max(float(ranking.high[-1]) - center, 0.0)
        below = max(center - float(ranking.low[0]), 0.0)
        nearest = int(below < above or (below == above == 0.0))
    return nearest


def _allowed(ranking: Ranking, limit: Limit, thresholds: Floats) -> NDArray[np.bool_]:
    values = limit.term.curve(ranking)
    allowed = limit.satisfied(values)
    if allowed.any():
        return allowed
    said = f"constraint=({limit.term.said}, {limit.relation!r}, {limit.value!r})"
    known = np.flatnonzero(np.isfinite(values))
    if not len(known):
        raise NoThresholdError(
            f"{said} is satisfied by no threshold: the metric is undefined at all of them."
        )
    closest = known[np.abs(values[known] - limit.value).argmin()]
    raise NoThresholdError(
        f"{said} is satisfied by no threshold; the closest is {values[closest]:.6g}, at the "
        f"threshold {thresholds[closest]:.6g}."
    )
