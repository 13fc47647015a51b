"""The threshold of least cost, and how sure bins leave it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from skmetrics_ext.counts._score_bounds import cost_error
from skmetrics_ext.counts._score_ranking import Ranking
from skmetrics_ext.counts._score_thresholds import curves, thresholds_of
from skmetrics_ext.tables import BoundMetric

__all__ = ["BestCost", "best_cost"]

# One row in each cell: true negative, false alarm, missed, true positive.
_ONE_ROW = np.eye(4).reshape(4, 2, 2)


@dataclass(frozen=True)
class BestCost:
    """The least mean cost per row over all thresholds, and the threshold that has it.

    Attributes
    ----------
    value : float
        In the currency of the costs, per row; ``float(best)`` is the same. It was the best of
        many on these rows, so that new rows will cost somewhat more.
    threshold : float
        The rule is ``score >= threshold``; of several the highest. Infinite (or NaN, which no
        score reaches) where nobody should be answered positive.
    n : int
        Rows.
    binning_error : float or None
        Where scores were counted in bins: how much less the best threshold among the scores
        themselves could cost.
    pos_label, group : object or None

    Examples
    --------
    >>> from skmetrics_ext.counts import ScoreCounts
    >>> counts = ScoreCounts.from_predictions([0, 0, 1, 0, 1], [0.1, 0.3, 0.35, 0.4, 0.8], bins=2)
    >>> print(counts.best_cost())
    best cost of 1 0.200 at score >= 0.8 (5 rows; at most 0.2 less because of the bins)
    """

    value: float
    threshold: float
    n: int
    binning_error: float | None = None
    pos_label: Any = None
    group: Any = None

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        inside = "" if self.group is None else f" in {self.group!r}"
        notes = ["1 row" if self.n == 1 else f"{self.n} rows"]
        if self.binning_error:
            notes.append(f"at most {self.binning_error:.2g} less because of the bins")
        return (
            f"best cost of {self.pos_label!r}{inside} {self.value:.3f} at score >= "
            f"{self.threshold:g} ({'; '.join(notes)})"
        )


def best_cost(
    ranking: Ranking, cost: BoundMetric, *, positive_first: bool, binned: bool, **about: Any
) -> BestCost:
    """The least of the mean costs at all thresholds; NaN where no row has weight."""
    n = int(ranking.n.sum())
    if not ranking.w.any():
        return BestCost(np.nan, np.nan, n, np.nan if binned else None, **about)
    costs = curves(ranking, [cost], positive_first=positive_first)[0]
    best = int(costs.argmin())
    error = None
    if binned:
        cells = cost(_ONE_ROW[:, ::-1, ::-1] if positive_first else _ONE_ROW)
        error = cost_error(ranking, cells[1] - cells[0], cells[2] - cells[3])
    return BestCost(float(costs[best]), float(thresholds_of(ranking)[best]), n, error, **about)
