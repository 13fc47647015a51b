"""From columns of labels to the value of a registered metric: count, check, evaluate."""

from __future__ import annotations

from typing import Any

import numpy as np

from skmetrics_ext.costs import CostMatrix, resolve_cost_matrix
from skmetrics_ext.counts._declined import check_on
from skmetrics_ext.counts._evaluate import bind_to_labels, evaluate
from skmetrics_ext.counts._tabulate import count_rows
from skmetrics_ext.tables import get_metric

__all__ = ["label_metric"]


def label_metric(
    name: str,
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    known: Any = None,
    sample_weight: Any = None,
    pos_label: Any = None,
    average: str | None = "auto",
    zero_division: Any = "warn",
    replace_undefined_by: float = np.nan,
    actions: Any = None,
    on: str | None = None,
    **params: Any,
) -> Any:
    """A float, or an array of one value per class for average=None.

    ``known`` names classes that the rows may lack (an estimator's ``classes_``), without saying
    anything about their order. ``actions`` are answers that are no class, and ``on`` says what
    becomes of the rows that got one: see `ConfusionCounts.estimate`.
    """
    metric = get_metric(name)
    costs, said = params.get("cost_matrix"), labels
    if isinstance(costs, CostMatrix):
        labels = costs.labels if labels is None else labels
        actions = costs.extra_actions or actions
    tables = count_rows(
        y_true, y_pred, labels=labels, known=known, actions=actions, sample_weight=sample_weight
    )
    classes = tables.classes
    ordered = classes.ordered
    w, answers = tables.w, classes.actions
    check_on(on)
    k = len(classes.labels)
    if len(answers) > k and (
        on == "answered" or (metric.declined != "priced" and not tables.n[:, k:].any())
    ):
        w, answers = w[:, :k], classes.labels
    if "cost_matrix" in metric.defaults:
        resolved = resolve_cost_matrix(costs, classes.labels, labels=said)
        params["cost_matrix"] = resolved.to_array()[: len(answers)]
        ordered = True  # the matrix has been laid out for these classes, by name
    bound = bind_to_labels(
        name,
        classes.labels,
        answers,
        ordered=ordered,
        pos_label=pos_label,
        average=average,
        zero_division=zero_division,
        params=params,
        on=on,
    )
    result = evaluate(
        bound, w, zero_division=zero_division, replace_undefined_by=replace_undefined_by
    )
    return result.value if bound.per_class else float(result.value)
