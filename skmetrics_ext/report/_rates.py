"""The rates, each with its counts and what a constant answer would get; and ordered classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from skmetrics_ext.counts._report import usual_metrics
from skmetrics_ext.report._blocks import Cell, Grid, Picture, Section, Text
from skmetrics_ext.report._calls import Call, Name, Number
from skmetrics_ext.report._evidence import Evidence

__all__ = ["calls_of_rates", "ordered_section", "rates_section"]


def rates_section(evidence: Evidence, picture: Picture) -> Section:
    """Every usual rate, and beside it what always answering the most common class gets."""
    names = evidence.namespace()
    label = _most_common(evidence)
    constant = Call("counts", "constant", (label,))
    rows: list[tuple[Cell, ...]] = []
    for name, call in calls_of_rates(evidence):
        alone = {k: v for k, v in call.params.items() if k != "on"}
        alone |= {"confidence_level": None}
        against = Call(constant, "estimate", call.args, alone)
        number = Number.of(name, call, names)
        rows.append((name, number, Number.of(f"{name}, always {label!r}", against, names)))
    head = ("rate", "these answers", f"always {label!r}")
    return Section("The rates", (Grid(head, tuple(rows)), picture))


def calls_of_rates(evidence: Evidence) -> list[tuple[str, Call]]:
    """The usual metrics with their names.

    A rate of no rows is undefined; in a mean of classes it counts as 0, as in scikit-learn.
    """
    counts = evidence.required_counts
    found = []
    on = {"on": "all"} if len(counts.actions) > len(counts.labels) else {}
    for metric, options in usual_metrics(counts, None, evidence.pos_label):
        if metric == "weighted_kappa":
            continue  # stands among the measures of ordered classes
        undefined = 0.0 if options.get("average") else Name("nan")
        level = {"confidence_level": evidence.confidence_level, "zero_division": undefined}
        if "average" in options and options["average"] is None:
            for label in evidence.labels:
                params = {"pos_label": label} | level | on
                found.append(
                    (f"{_said(metric)} of {label!r}", Call("counts", "estimate", (metric,), params))
                )
            continue
        params = options | level | on
        name = _said(metric)
        if options.get("pos_label") is not None:
            name += f" of {options['pos_label']!r}"
        found.append((name, Call("counts", "estimate", (metric,), params)))
    return found


def ordered_section(evidence: Evidence) -> Section:
    """What is said of ordered classes, beside constant answers."""
    names = evidence.namespace()
    counts = evidence.required_counts
    classes = len(evidence.labels)
    steps = np.abs(np.subtract.outer(np.arange(classes), np.arange(classes))).tolist()
    present = counts.w.sum(axis=1) > 0
    uniform = (present / present.sum()).tolist()
    at_uniform = Call("counts", "at_priors", (uniform,))
    asked: list[tuple[str, Any, str, dict[str, Any]]] = [
        ("kappa, quadratic weights", None, "weighted_kappa", {"weights": "quadratic"}),
        ("kappa, linear weights", None, "weighted_kappa", {"weights": "linear"}),
        ("kappa at uniform priors", at_uniform, "weighted_kappa", {"weights": "quadratic"}),
        ("right or next to right", None, "one_off_accuracy", {}),
        ("mean absolute error, in classes", None, "expected_cost", {"cost_matrix": steps}),
        ("the same, mean of classes", None, "classwise_mean_absolute_error", {"average": "macro"}),
        ("the same, worst class", None, "classwise_mean_absolute_error", {"average": "max"}),
    ]
    label = _most_common(evidence)
    constant = Call("counts", "constant", (label,))
    rows: list[tuple[Cell, ...]] = []
    for name, on, metric, params in asked:
        level = {"confidence_level": evidence.confidence_level}
        number = Number.of(name, Call(on or "counts", "estimate", (metric,), params | level), names)
        base = Call(constant, "at_priors", (uniform,)) if on is not None else constant
        against = Call(base, "estimate", (metric,), params | {"confidence_level": None})
        rows.append((name, number, Number.of(f"{name}, always {label!r}", against, names)))
    head = ("measure", "these answers", f"always {label!r}")
    note = (
        "Errors take every step between neighbours as equally long. One-off accuracy is kind to "
        "whoever answers the middle. Kappa changes with the class shares: at uniform priors it "
        "is what the same answers would get if all classes were equally frequent."
    )
    return Section("Ordered classes", (Grid(head, tuple(rows)), Text(note)))


def _most_common(evidence: Evidence) -> Any:
    counts = evidence.required_counts
    return evidence.labels[int(counts.w.sum(axis=1).argmax())]


def _said(metric: str) -> str:
    """A registered name as a reader says it."""
    return {"matthews_corrcoef": "MCC", "f1": "F1"}.get(metric, metric.replace("_", " "))
