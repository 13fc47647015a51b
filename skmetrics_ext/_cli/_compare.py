"""``compare``: two columns of answers, pair by pair."""

from __future__ import annotations

from typing import Any

from skmetrics_ext._cli._read import Source
from skmetrics_ext._cli._report import positive_of
from skmetrics_ext._cli._values import labels_in_order
from skmetrics_ext.counts import PairedCounts
from skmetrics_ext.counts._report import usual_metrics

__all__ = ["compared"]


def compared(
    source: Source,
    *,
    truth: str,
    preds: tuple[str, ...],
    weight: str | None,
    positive: str | None,
    order: str | None,
    missing: str,
    level: float,
) -> str:
    """The differences as text."""
    first, second = preds
    source.require(truth=truth, pred=first)
    source.require(pred=second)
    source.require_numbers(weight=weight)
    labels = labels_in_order(order, source, truth)
    pos_label = positive_of(source, truth, positive, needed=False)
    both = PairedCounts.from_frame(
        source.frame,
        y_true=truth,
        y_pred_a=first,
        y_pred_b=second,
        sample_weight=weight,
        labels=labels,
        missing=missing,
    )
    lines = [f"A is {first!r}, B is {second!r}: {int(both.n.sum()):,} rows of {source.name}", ""]
    for metric, options in usual_metrics(both.a, None, pos_label):
        for one in _differences(both, metric, options, level):
            lines.append(str(one))
    lines.append("")
    if weight is None:
        lines.append(str(both.mcnemar()))
    else:
        lines.append("McNemar's test counts independent rows, and is left out of weighted ones.")
    return "\n".join(lines)


def _differences(
    both: PairedCounts, metric: str, options: dict[str, Any], level: float
) -> list[Any]:
    found = both.difference(metric, confidence_level=level, **options)
    return found if isinstance(found, list) else [found]
