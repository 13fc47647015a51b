"""The difference of a metric between two models on the same rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from skmetrics_ext.counts._estimate import in_words, settings_of
from skmetrics_ext.counts._evaluate import bind_to_labels, evaluate
from skmetrics_ext.counts._text import row_count
from skmetrics_ext.intervals import ByCluster, Spread, paired_differences
from skmetrics_ext.intervals._interval import check_level

if TYPE_CHECKING:
    from skmetrics_ext.counts._paired import PairedCounts

__all__ = ["Difference", "Differences", "difference"]


@dataclass(frozen=True)
class Difference:
    """How much higher a metric is for model A than for model B, and how sure that is.

    Attributes
    ----------
    metric : str
        The registered name.
    value : float
        ``value_a - value_b``; ``float(difference)`` is the same.
    low, high : float
        The limits; NaN where one of the two values is undefined.
    se : float
        The standard error, on the table as counted.
    confidence_level : float
    value_a, value_b : float
        The metric of each model.
    n : int
        The rows counted.
    pos_label : object or None
        The positive class, or the class that this difference is about.
    average : str or None
    settings : str or None
        The metric's parameters where they are not its defaults, such as "beta=2".

    Examples
    --------
    >>> from skmetrics_ext.counts import PairedCounts
    >>> paired = PairedCounts.from_tables({0: [[20, 1], [6, 3]], 1: [[2, 2], [0, 9]]})
    >>> difference = paired.difference("recall")
    >>> print(difference)
    recall of 1, A - B: -0.154 [-0.351, +0.065] (0.692 - 0.846; 43 rows)
    >>> round(float(difference), 3)
    -0.154
    """

    metric: str
    value: float
    low: float
    high: float
    se: float
    confidence_level: float
    value_a: float
    value_b: float
    n: int
    pos_label: Any = None
    average: str | None = None
    settings: str | None = None

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        name = in_words(self.metric, self.settings, self.average, self.pos_label)
        return (
            f"{name}, A - B: {self.value:+.3f} [{self.low:+.3f}, {self.high:+.3f}] "
            f"({self.value_a:.3f} - {self.value_b:.3f}; {row_count(self.n)})"
        )


class Differences(list[Difference]):
    """A list of `Difference` that prints one a line.

    Examples
    --------
    >>> from skmetrics_ext.counts import PairedCounts
    >>> paired = PairedCounts.from_tables({0: [[20, 1], [6, 3]], 1: [[2, 2], [0, 9]]})
    >>> paired.difference("recall", average=None)
    recall of 0, A - B: -0.167 [-0.325, +0.002] (0.700 - 0.867; 43 rows)
    recall of 1, A - B: -0.154 [-0.351, +0.065] (0.692 - 0.846; 43 rows)
    """

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    def __repr__(self) -> str:
        return str(self) if self else "Differences([])"


def difference(
    paired: PairedCounts,
    metric: str,
    *,
    confidence_level: float,
    pos_label: Any,
    average: str | None,
    zero_division: Any,
    replace_undefined_by: float,
    params: Mapping[str, Any],
) -> Difference | Differences:
    """See `PairedCounts.difference`."""
    check_level(confidence_level)
    bound = bind_to_labels(
        metric,
        paired.labels,
        paired.actions,
        ordered=paired.ordered,
        pos_label=pos_label,
        average=average,
        zero_division=zero_division,
        params=params,
    )
    of_both = np.stack([paired.w.sum(2), paired.w.sum(1)])
    evaluation = evaluate(
        bound, of_both, zero_division=zero_division, replace_undefined_by=replace_undefined_by
    )
    found = paired_differences(bound, _spread(paired), confidence_level=confidence_level)
    values_a, values_b = evaluation.value.reshape(2, -1)
    labels = paired.labels.tolist()
    about: list[Any] = [None]
    if bound.per_class:
        about = labels
    elif bound.pos is not None and bound.pos >= 0 and not bound.metric.symmetric:
        about = [labels[bound.pos]]
    differences = [
        Difference(
            metric=bound.metric.name,
            value=float(a - b),
            low=interval.low,
            high=interval.high,
            se=interval.se,
            confidence_level=confidence_level,
            value_a=float(a),
            value_b=float(b),
            n=int(paired.n.sum()),
            pos_label=label,
            average=bound.average,
            settings=settings_of(bound),
        )
        for a, b, interval, label in zip(values_a, values_b, found, about, strict=True)
    ]
    return Differences(differences) if bound.per_class else differences[0]


def _spread(paired: PairedCounts) -> Spread:
    """The table as (K, A * A), with what its cells vary by."""
    w, w2 = [table.reshape(len(paired.labels), -1) for table in (paired.w, paired.w2)]
    if paired.clusters is None:
        return Spread(w, w2)
    cells = paired.clusters
    return Spread(w, w2, ByCluster(cells.cluster, cells.cell, cells.w))
