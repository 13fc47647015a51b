"""The goal of a search for these two classes: the metric, the constraint, the positive class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from skmetrics_ext._labels import are_words, decide_pos_label, label_array, same_label
from skmetrics_ext.costs import CostMatrix, resolve_cost_matrix
from skmetrics_ext.counts._evaluate import bind_to_labels
from skmetrics_ext.decision._threshold_measure import Measure, measure_of
from skmetrics_ext.decision._threshold_search import Limit, Term
from skmetrics_ext.tables import BoundMetric, get_metric, metric_names

__all__ = ["Goal", "Wish", "wish_of"]


@dataclass(frozen=True)
class _Constraint:
    measure: Measure
    relation: Literal[">=", "<="]
    value: float


@dataclass(frozen=True)
class Wish:
    """Scoring and constraint, understood before any label is known. Picklable."""

    measure: Measure
    constraint: _Constraint | None
    pos_label: Any

    def of(self, classes: np.ndarray) -> Goal:
        """The goal for two classes, in sorted order; all that does not fit them is said here."""
        measures = [self.measure]
        if self.constraint is not None:
            measures.append(self.constraint.measure)
        positive = _positive_class(classes, measures, self.pos_label)
        limit = None
        if self.constraint is not None:
            term = _term(self.constraint.measure, classes, positive)
            # Where a rate has no rows to speak of, it satisfies nothing, unless told otherwise.
            if not {"zero_division", "replace_undefined_by"} & set(self.constraint.measure.params):
                zero = term.bound.metric.undefined == "zero"
                term = replace(term, replacement=0.0 if zero else np.nan)
            limit = Limit(term, self.constraint.relation, self.constraint.value)
        term = _term(self.measure, classes, positive)
        return Goal(term, self.measure.sign, limit, positive)


@dataclass(frozen=True)
class Goal:
    """What `best_cut` is asked; ``positive`` is the position of the positive class."""

    term: Term
    sign: int
    limit: Limit | None
    positive: int


def wish_of(scoring: Any, constraint: Any, pos_label: Any) -> Wish:
    """Understand the parameters of a search, or say what is accepted.

    Raises
    ------
    ValueError
        Where `scoring` stands for no registered metric, or `constraint` is not a triple of
        metric, relation and number.
    """
    return Wish(
        measure_of(scoring), None if constraint is None else _constraint_of(constraint), pos_label
    )


def _constraint_of(constraint: Any) -> _Constraint:
    rule = (
        "constraint must be (metric, '>=' or '<=', number), such as ('precision', '>=', 0.9) or "
        "('predicted_positive_rate', '<=', 0.02)"
    )
    triple = isinstance(constraint, Sequence) and not isinstance(constraint, str)
    if not triple or len(constraint) != 3:
        raise ValueError(f"{rule}; got {constraint!r}.")
    metric, relation, value = constraint
    number = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
    if relation not in (">=", "<=") or not number or not np.isfinite(value):
        raise ValueError(f"{rule}; got {constraint!r}.")
    # scikit-learn's own scorers may be negated, and then no one can tell which value is meant.
    registered = metric in metric_names() if isinstance(metric, str) else hasattr(metric, "name")
    if not registered:
        raise ValueError(
            f"{rule}, where the metric is one of {metric_names()} or a scorer of "
            f"get_metric_scorer (its value is not negated here); got {constraint!r}."
        )
    return _Constraint(measure_of(metric), relation, float(value))


def _positive_class(classes: np.ndarray, measures: Sequence[Measure], pos_label: Any) -> int:
    """The position of the positive class: named here, by a scorer or by costs; else plain."""
    for measure in measures:
        theirs = measure.params.get("pos_label")
        if pos_label is None:
            pos_label = theirs
        elif theirs is not None and not same_label(theirs, pos_label):
            raise ValueError(
                f"pos_label must be the same wherever it is named; got {pos_label!r}, and "
                f"pos_label={theirs!r} in {measure.said}."
            )
    costs = [m.params["cost_matrix"] for m in measures if "cost_matrix" in m.params]
    if pos_label is None:
        named = [c.pos_label for c in costs if isinstance(c, CostMatrix)]
        pos_label = next((label for label in named if label is not None), None)
    if pos_label is not None or any(map(_needs_positive, measures)):
        return decide_pos_label(classes, pos_label)
    for measure in measures:
        if measure.params.get("cost_matrix") is not None:
            resolved = _resolved_costs(measure, classes)
            return int(same_label(classes[1], resolved.pos_label))
    return 1


def _needs_positive(measure: Measure) -> bool:
    metric = get_metric(measure.name)
    if metric.symmetric or not metric.averages:
        return False
    return measure.params.get("average", "auto") in ("auto", "binary")


def _term(measure: Measure, classes: np.ndarray, positive: int) -> Term:
    """The metric bound to two classes, in the order of its own labels where it has any."""
    params = dict(measure.params)
    labels = params.pop("labels", None)
    average = params.pop("average", "auto")
    zero_division = params.pop("zero_division", "warn")
    replace_undefined_by = params.pop("replace_undefined_by", np.nan)
    params.pop("pos_label", None)
    metric = get_metric(measure.name)
    order = _order(labels, classes, measure.said)
    ordered = labels is not None or not are_words(order)
    if "cost_matrix" in metric.defaults:
        params["cost_matrix"] = _resolved_costs(measure, classes, order).to_array()
        ordered = True  # the matrix has been laid out for these classes, by name
    bound = bind_to_labels(
        measure.name,
        order,
        order,
        ordered=ordered,
        pos_label=classes[positive],
        average=average,
        zero_division=zero_division,
        params=params,
    )
    return Term(
        bound,
        positive_first=same_label(order[0], classes[positive]),
        replacement=_replacement(bound, replace_undefined_by),
        said=measure.said,
    )


def _replacement(bound: BoundMetric, replace_undefined_by: float) -> float:
    """What a scorer answers where the metric is undefined."""
    fixed: Mapping[str, float] = {"zero": 0.0, "replace": float(replace_undefined_by)}
    return fixed.get(bound.metric.undefined, bound.replacement)


def _order(labels: Any, classes: np.ndarray, said: str) -> np.ndarray:
    if labels is None:
        return classes
    order = label_array(labels)
    found = [any(same_label(label, c) for c in classes) for label in order]
    if len(order) != 2 or not all(found):
        raise ValueError(
            f"labels must be the two classes {classes.tolist()}; got {order.tolist()} in {said}."
        )
    return order


def _resolved_costs(
    measure: Measure, classes: np.ndarray, order: np.ndarray | None = None
) -> CostMatrix:
    costs = measure.params.get("cost_matrix")
    if callable(costs):
        raise ValueError(
            "scoring has costs that differ from row to row, of which counts know nothing; got "
            f"{costs!r}. CostThresholdClassifier decides by them."
        )
    resolved = resolve_cost_matrix(
        costs, classes if order is None else order, labels=measure.params.get("labels")
    )
    if len(resolved.extra_actions):
        raise ValueError(
            f"scoring has costs for {list(resolved.extra_actions)}, and a threshold has two "
            "answers, the classes. CostThresholdClassifier decides between all of them."
        )
    return resolved
