"""Several metrics of the same counts, and one metric of two subgroups."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from skmetrics_ext._labels import are_words
from skmetrics_ext.counts._estimate import Estimate
from skmetrics_ext.tables import get_metric

if TYPE_CHECKING:
    from skmetrics_ext.counts._confusion import ConfusionCounts

__all__ = ["GroupDifference", "difference", "usual_metrics"]

_TWO_CLASSES = (
    "accuracy",
    "recall",
    "specificity",
    "precision",
    "negative_predictive_value",
    "f1",
    "balanced_accuracy",
    "matthews_corrcoef",
)
_MORE_CLASSES = ("accuracy", "recall", "precision", "balanced_accuracy", "f1", "matthews_corrcoef")


def usual_metrics(
    counts: ConfusionCounts, metrics: Iterable[str] | None, pos_label: Any
) -> list[tuple[str, dict[str, Any]]]:
    """The metrics to show and how to ask for each: of the positive class, else per class."""
    several = len(counts.labels) > 2
    if metrics is None:
        metrics = list(_MORE_CLASSES if several else _TWO_CLASSES)
        if several and counts.ordered and len(counts.actions) == len(counts.labels):
            metrics.append("weighted_kappa")
    elif isinstance(metrics, str):
        metrics = [metrics]
    if pos_label is None:
        pos_label = counts.pos_label
    known = pos_label is not None or (not several and _positive_is_plain(counts))
    asked = []
    for name in metrics:
        metric = get_metric(name)
        options: dict[str, Any] = {}
        if "binary" in metric.averages and not (metric.symmetric and not several):
            if known:
                options["pos_label"] = pos_label
            elif several and name == "f1":
                options["average"] = "macro"
            else:
                options["average"] = None
        asked.append((name, options))
    return asked


def _positive_is_plain(counts: ConfusionCounts) -> bool:
    values = set(counts.labels.tolist())
    return not are_words(counts.labels) and (values <= {0, 1} or values <= {-1, 1})


@dataclass(frozen=True)
class GroupDifference:
    """The difference of one metric between two subgroups, A - B."""

    metric: str
    value: float
    low: float
    high: float
    se: float
    confidence_level: float
    a: Estimate
    b: Estimate

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        name = self.a.name.removesuffix(f" in {self.a.group!r}")
        return (
            f"{name}, {self.a.group!r} - {self.b.group!r}: {self.value:.3f} "
            f"[{self.low:.3f}, {self.high:.3f}] ({self.a.value:.3f} ({self.a.counts}) - "
            f"{self.b.value:.3f} ({self.b.counts}))"
        )


def difference(
    counts: ConfusionCounts,
    group_a: Any,
    group_b: Any,
    metric: str,
    *,
    confidence_level: float,
    options: Mapping[str, Any],
) -> GroupDifference:
    """See `ConfusionCounts.difference`."""
    if counts.groups is None:
        raise ValueError("difference() compares subgroups: count with by=... first.")
    if group_a == group_b:
        raise ValueError(f"group_a and group_b must be two subgroups; both are {group_a!r}.")
    a, b = (
        _named(counts[group].estimate(metric, confidence_level=confidence_level, **options), group)
        for group in (group_a, group_b)
    )
    value = a.value - b.value
    below = math.hypot(a.value - a.low, b.high - b.value)
    above = math.hypot(a.high - a.value, b.value - b.low)
    return GroupDifference(
        metric, value, value - below, value + above, math.hypot(a.se, b.se), confidence_level, a, b
    )


def _named(estimate: Any, group: Any) -> Any:
    if isinstance(estimate, list):
        raise ValueError("average=None gives one value per class; a difference needs one value.")
    return Estimate(**{**vars(estimate), "group": group})
