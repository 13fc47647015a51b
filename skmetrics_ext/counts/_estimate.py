"""One number with what stands behind it, and lists of them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from html import escape
from typing import Any

import numpy as np

from skmetrics_ext.counts._frames import to_frame
from skmetrics_ext.tables import BoundMetric

__all__ = ["Estimate", "Estimates", "in_words", "settings_of"]


@dataclass(frozen=True)
class Estimate:
    """A metric's value, its interval, and the counts that it was computed from.

    Attributes
    ----------
    metric : str
        The registered name.
    value : float
        ``float(estimate)`` is the same.
    low, high : float or None
        The limits; NaN where the value is undefined, None where no interval was asked for.
    se : float or None
        The standard error, by the delta method on the table as counted.
    confidence_level : float or None
    method : str or None
        How the limits were found.
    n : int
        The rows counted.
    numerator, denominator : float or None
        Where the metric is a count over a count, the two (sums of weights).
    pos_label : object or None
        The positive class, or the class that this value is about.
    average : str or None
    prevalence : float or None
        The share of that class among the true labels, or the one that was stated.
    group : object or None
        The subgroup.
    on : {"answered", "all"} or None
        What became of declined rows: left out, or counted as wrong. None where there were none.
    declined : int or None
        How many rows that were.
    settings : str or None
        The metric's parameters where they are not its defaults, such as "beta=2".

    Examples
    --------
    >>> from skmetrics_ext.counts import ConfusionCounts
    >>> counts = ConfusionCounts.from_cells(tp=80, fp=50, fn=20, tn=850)
    >>> print(counts.estimate("recall"))
    recall of 1 0.800 [0.711, 0.867] (80/100, Wilson; prevalence 0.10)
    >>> print(counts.estimate("fbeta", beta=2, confidence_level=None))
    fbeta(beta=2) of 1 0.755 (1000 rows; prevalence 0.10)
    """

    metric: str
    value: float
    n: int
    low: float | None = None
    high: float | None = None
    se: float | None = None
    confidence_level: float | None = None
    method: str | None = None
    numerator: float | None = None
    denominator: float | None = None
    pos_label: Any = None
    average: str | None = None
    prevalence: float | None = None
    group: Any = None
    on: str | None = None
    declined: int | None = None
    settings: str | None = None

    def __float__(self) -> float:
        return self.value

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self)

    def __round__(self, digits: int | None = None) -> float:
        return round(self.value, digits)

    @property
    def name(self) -> str:
        """What this is, in words: the metric, its average, its class, its subgroup."""
        name = in_words(self.metric, self.settings, self.average, self.pos_label)
        return name if self.group is None else f"{name} in {self.group!r}"

    @property
    def counts(self) -> str:
        """The counts behind it: "80/100" for a proportion, else the rows."""
        counts = "1 row" if self.n == 1 else f"{self.n} rows"
        if self.numerator is not None and self.denominator is not None:
            counts = f"{_amount(self.numerator)}/{_amount(self.denominator)}"
        if self.on is None:
            return counts
        if self.on == "answered":
            return f"{counts} answered, {self.declined} declined"
        return f"{counts}, {self.declined} declined as wrong"

    @property
    def limits(self) -> str:
        """The interval as text, empty where none was asked for."""
        if self.low is None or self.high is None:
            return ""
        return f"[{self.low:.3f}, {self.high:.3f}]"

    def __str__(self) -> str:
        notes = self.counts if self.method is None else f"{self.counts}, {self.method}"
        if self.prevalence is not None:
            notes += f"; prevalence {_share(self.prevalence)}"
        return " ".join(p for p in (self.name, f"{self.value:.3f}", self.limits, f"({notes})") if p)

    def _repr_html_(self) -> str:
        return Estimates([self])._repr_html_()


class Estimates(list[Estimate]):
    """A list of `Estimate` that prints one a line, and turns into a frame.

    Examples
    --------
    >>> from skmetrics_ext.counts import ConfusionCounts
    >>> counts = ConfusionCounts.from_cells(tp=80, fp=50, fn=20, tn=850)
    >>> counts.estimate("recall", average=None)
    recall of 0 0.944 [0.928, 0.958] (850/900, Wilson; prevalence 0.90)
    recall of 1 0.800 [0.711, 0.867] (80/100, Wilson; prevalence 0.10)
    >>> counts.report(["recall", "precision"]).to_frame()["numerator"].tolist()
    [80.0, 80.0]
    """

    def to_frame(self, backend: str = "pandas") -> Any:
        """One row per estimate, as a pandas, polars or pyarrow table.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default="pandas"
        """
        names = dict.fromkeys(f.name for kind in (Estimate, *map(type, self)) for f in fields(kind))
        return to_frame({name: [getattr(e, name, None) for e in self] for name in names}, backend)

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    def __repr__(self) -> str:
        return str(self) if self else "Estimates([])"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(e.name)}</td><td>{e.value:.3f}</td><td>{e.limits}</td>"
            f"<td>{e.counts}</td><td>{escape(e.method or '')}</td></tr>"
            for e in self
        )
        head = "".join(f"<th>{h}</th>" for h in ("metric", "value", "interval", "counts", "method"))
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def in_words(metric: str, settings: str | None, average: str | None, pos_label: Any) -> str:
    """The name of what was measured: "macro fbeta(beta=2)", "recall of 'sick'"."""
    name = metric if settings is None else f"{metric}({settings})"
    if average not in (None, "binary", "multiclass"):
        name = f"{average} {name}"
    return name if pos_label is None else f"{name} of {pos_label!r}"


def settings_of(bound: BoundMetric) -> str | None:
    """The parameters of a metric that are not its defaults, in a few words; None without any."""
    shown = [
        f"{key}={_brief(value)}"
        for key, value in bound.params.items()
        if isinstance(value, np.ndarray) or value != bound.metric.defaults[key]
    ]
    return ", ".join(shown) or None


def _brief(value: Any) -> str:
    if not isinstance(value, np.ndarray):
        return f"{value:g}" if isinstance(value, (float, np.number)) else repr(value)
    if value.size > 4:
        return " x ".join(map(str, value.shape)) + " matrix"
    return str([[_plain(cell) for cell in row] for row in value.tolist()])


def _plain(number: float) -> float:
    return int(number) if number.is_integer() else number


def _amount(weight: float) -> str:
    """A count as it is; a sum of weights to four digits."""
    return f"{weight:.0f}" if float(weight).is_integer() else f"{weight:.4g}"


def _share(share: float) -> str:
    return f"{share:.2f}" if share >= 0.01 or share == 0 else f"{share:.2g}"
