"""Costs that are known only between two matrices: what does not depend on where they lie."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counts._frames import to_frame
from skmetrics_ext.decision._rule import conditional_risk
from skmetrics_ext.inspection._cost_rows import CostedRows

if TYPE_CHECKING:
    from skmetrics_ext.inspection._cost_breakdown import CostBreakdown

__all__ = ["CostRange", "cost_range", "is_range"]

_TIE = 4 * float(np.finfo(np.float64).eps)


@dataclass(frozen=True, repr=False, eq=False)
class CostRange:
    """A breakdown at both ends of a range of costs, and the rows that do not care.

    Attributes
    ----------
    at_low, at_high : CostBreakdown
        What rows cost under the two matrices that were passed.
    threshold_low, threshold_high : float
        Between what the threshold lies, if each cost lies anywhere between its two values and
        independently of the others; NaN where there is none.
    settled : ndarray of int of shape (n_settled,)
        Positions of the rows that get the same answer wherever the costs lie.
    open : ndarray of int of shape (n - n_settled,)
        Positions of the others.
    settled_share : float
        Share of the settled ones in the weight of all rows.
    pos_label : label or None

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> from skmetrics_ext.costs import CostMatrix
    >>> from skmetrics_ext.inspection import cost_breakdown
    >>> y = np.arange(200) % 5 // 4
    >>> X = np.random.default_rng(0).normal(2 * y)[:, None]
    >>> model = LogisticRegression().fit(X[:100], y[:100])
    >>> costs = CostMatrix.binary(false_negative=3), CostMatrix.binary(false_negative=10)
    >>> found = cost_breakdown(model, X[100:], y[100:], costs)
    >>> round(found.threshold_low, 3), round(found.threshold_high, 3), len(found.open)
    (0.091, 0.25, 20)
    >>> print(found.sentence)  # doctest: +NORMALIZE_WHITESPACE
    80 of 100 rows (80.0 %) get the same answer wherever in this range the costs lie; 20 depend on
    it.
    """

    at_low: CostBreakdown
    at_high: CostBreakdown
    threshold_low: float
    threshold_high: float
    settled: NDArray[np.intp]
    open: NDArray[np.intp]
    settled_share: float
    pos_label: Any

    @property
    def sentence(self) -> str:
        """How many rows depend on what the costs are, in words."""
        n, settled = len(self.settled) + len(self.open), len(self.settled)
        share = f"{100 * self.settled_share:.1f} %"
        unweighted = np.isclose(self.settled_share, settled / n)
        counted = f"{settled} of {n} rows ({share}{'' if unweighted else ' of the weight'})"
        return (
            f"{counted} get the same answer wherever in this range the costs lie; "
            f"{len(self.open)} depend on it."
        )

    def _lines(self) -> list[str]:
        lines = []
        if not np.isnan(self.threshold_low):
            lines.append(
                f"the threshold for {self.pos_label!r} lies between {self.threshold_low:.3g} and "
                f"{self.threshold_high:.3g}"
            )
        return [*lines, self.sentence]

    def columns(self) -> dict[str, list[Any]]:
        """The columns of both breakdowns, with the end of the range that they are for.

        Returns
        -------
        columns : dict of list
        """
        low, high = self.at_low.columns(), self.at_high.columns()
        ends = ["low"] * len(low["part"]) + ["high"] * len(high["part"])
        return {"costs": ends, **{name: low[name] + high[name] for name in low}}

    def to_frame(self, backend: str = "pandas") -> Any:
        """One row per end and cost, as a pandas, polars or pyarrow table.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default="pandas"
        """
        return to_frame(self.columns(), backend)

    def __repr__(self) -> str:
        ends = [("low", self.at_low), ("high", self.at_high)]
        told = [f"at the {name} costs:\n{end!r}" for name, end in ends]
        return "\n".join([*self._lines(), *told])

    def _repr_html_(self) -> str:
        lines = "".join(f"<p>{escape(line)}</p>" for line in self._lines())
        ends = (("low", self.at_low), ("high", self.at_high))
        return lines + "".join(f"<p>at the {n} costs</p>{end._repr_html_()}" for n, end in ends)


def is_range(cost_matrix: Any) -> bool:
    """Whether two whole sets of costs were passed, and not the rows of one."""
    if not isinstance(cost_matrix, tuple) or len(cost_matrix) != 2:
        return False
    return all(
        c is None or hasattr(c, "to_array") or callable(c) or np.ndim(c) == 2 for c in cost_matrix
    )


def cost_range(
    low: CostedRows, high: CostedRows, at_low: CostBreakdown, at_high: CostBreakdown
) -> CostRange:
    """What of the decisions depends on where between the two the costs lie."""
    _check_same(low, high)
    n, k = len(low.answers), len(low.rated.classes)
    if low.costs.ndim != high.costs.ndim:
        shape = (n, len(low.actions), k)
        lowest, highest = (np.broadcast_to(c, shape) for c in (low.costs, high.costs))
    else:
        lowest, highest = low.costs, high.costs
    lowest, highest = np.minimum(lowest, highest), np.maximum(lowest, highest)
    settled = _settled(lowest, highest, low.rated.probabilities)
    weights = low.rated.weights
    thresholds = _thresholds(lowest, highest, low.positive)
    return CostRange(
        at_low=at_low,
        at_high=at_high,
        threshold_low=thresholds[0],
        threshold_high=thresholds[1],
        settled=np.flatnonzero(settled),
        open=np.flatnonzero(~settled),
        settled_share=float(weights[settled].sum() / weights.sum()),
        pos_label=at_low.pos_label,
    )


def _check_same(low: CostedRows, high: CostedRows) -> None:
    actions = low.actions.tolist(), high.actions.tolist()
    if actions[0] != actions[1]:
        raise ValueError(
            "cost_matrix=(low, high) must price the same actions; low has "
            f"{actions[0]}, high has {actions[1]}."
        )
    if low.positive != high.positive:
        names = [r.rated.classes.tolist()[r.positive or 0] for r in (low, high)]
        raise ValueError(
            "cost_matrix=(low, high) must have the same positive class; low has "
            f"{names[0]!r}, high has {names[1]!r}."
        )


def _settled(lowest: Any, highest: Any, probabilities: Any) -> NDArray[np.bool_]:
    """Where one action is the cheapest even at its own highest and all others' lowest costs."""
    # Regrets, so that what all actions share does not drown the differences.
    base = lowest.min(axis=-2, keepdims=True)
    worst = conditional_risk(highest - base, probabilities)
    best = conditional_risk(lowest - base, probabilities)
    slack = _TIE * np.reshape((highest - base).max(axis=(-2, -1)), (-1, 1))
    n_actions = best.shape[1]
    others = np.stack(
        [np.delete(best, action, axis=1).min(axis=1) for action in range(n_actions)], axis=1
    )
    return np.asarray((worst <= others + slack).any(axis=1))


def _thresholds(lowest: Any, highest: Any, positive: int | None) -> tuple[float, float]:
    """a / (a + b), a what a false alarm costs more, b a miss, at their most favourable."""
    nan = float("nan")
    if positive is None or lowest.shape != (2, 2):
        return nan, nan
    p, n = positive, 1 - positive
    alarm = lowest[p, n] - highest[n, n], highest[p, n] - lowest[n, n]
    miss = lowest[n, p] - highest[p, p], highest[n, p] - lowest[p, p]
    if not (alarm[0] > 0 and miss[0] > 0):
        return nan, nan
    return float(alarm[0] / (alarm[0] + miss[1])), float(alarm[1] / (alarm[1] + miss[0]))
