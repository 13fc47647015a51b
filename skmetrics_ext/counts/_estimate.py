"""One number with what stands behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Estimate"]


@dataclass(frozen=True)
class Estimate:
    """A metric's value, and the counts that it was computed from.

    Attributes
    ----------
    metric : str
        The registered name.
    value : float
        ``float(estimate)`` is the same.
    n : int
        The rows counted.
    numerator, denominator : float or None
        Where the metric is a count over a count, the two (sums of weights).
    pos_label : object or None
        The positive class, or the class that this value is about.
    average : str or None
    prevalence : float or None
        The share of the positive class among the true labels.
    group : object or None
        The subgroup.

    Examples
    --------
    >>> from skmetrics_ext.counts import ConfusionCounts
    >>> counts = ConfusionCounts.from_cells(tp=80, fp=50, fn=20, tn=850)
    >>> print(counts.estimate("recall"))
    recall of 1 0.800 (80/100; prevalence 0.10)
    """

    metric: str
    value: float
    n: int
    numerator: float | None = None
    denominator: float | None = None
    pos_label: Any = None
    average: str | None = None
    prevalence: float | None = None
    group: Any = None

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        name = self.metric
        if self.average not in (None, "binary", "multiclass"):
            name = f"{self.average} {name}"
        if self.pos_label is not None:
            name += f" of {self.pos_label!r}"
        if self.group is not None:
            name += f" in {self.group!r}"
        notes = []
        if self.numerator is not None and self.denominator is not None:
            notes.append(f"{self.numerator:g}/{self.denominator:g}")
        else:
            notes.append("1 row" if self.n == 1 else f"{self.n} rows")
        if self.prevalence is not None:
            notes.append(f"prevalence {self.prevalence:.2f}")
        return f"{name} {self.value:.3f} ({'; '.join(notes)})"
