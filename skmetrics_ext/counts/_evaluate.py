"""A metric's name and parameters, checked against the labels, and evaluated on tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from skmetrics_ext._labels import are_words, decide_pos_label, frame_labels, require_order
from skmetrics_ext.counts._declined import refuse_declined
from skmetrics_ext.counts._warn import warn_undefined_metric
from skmetrics_ext.tables import BoundMetric, Metric, bind, get_metric
from skmetrics_ext.tables._cost import depends_on_order

__all__ = ["Evaluation", "bind_to_labels", "evaluate"]


@dataclass(frozen=True)
class Evaluation:
    """``raw`` is NaN where undefined; ``value`` has what stands for it."""

    bound: BoundMetric
    raw: np.ndarray
    value: np.ndarray


def bind_to_labels(
    name: str,
    labels: np.ndarray,
    actions: np.ndarray,
    *,
    ordered: bool,
    pos_label: Any = None,
    average: str | None = "auto",
    zero_division: Any = "warn",
    priors: np.ndarray | None = None,
    params: Mapping[str, Any] | None = None,
    on: str | None = None,
) -> BoundMetric:
    """Check a metric's parameters against the labels and fix them.

    ``on="all"``: answers that are no class count as wrong.
    """
    metric = get_metric(name)
    params = dict(params or {})
    if len(actions) > len(labels):
        refuse_declined(metric, labels, actions, on, params)
    average, pos = _average_and_pos(metric, labels, average, pos_label)
    checked = {
        key: _checked(key, value, metric, labels, actions, ordered) for key, value in params.items()
    }
    if metric.ordinal and params.get("weights", "quadratic") is not None:
        require_order(labels, ordered, metric.public_name)
    weights = checked.get("weights")
    if isinstance(weights, np.ndarray) and not ordered and are_words(labels):
        _refuse_guessed_rows(weights, labels)
    return bind(
        metric,
        average=average,
        pos=pos,
        replacement=_zero_division(zero_division),
        params=checked,
        priors=priors,
    )


def evaluate(
    bound: BoundMetric,
    tables: np.ndarray,
    *,
    zero_division: Any = "warn",
    replace_undefined_by: float = np.nan,
) -> Evaluation:
    """The values on a stack of tables; undefined ones are replaced, and warned about."""
    raw = bound(tables)
    metric = bound.metric
    undefined = bound.undefined(tables, raw)
    fill = {
        "zero_division": bound.replacement,
        "replace": replace_undefined_by,
        "nan_warned": np.nan,
    }.get(metric.undefined, 0.0)
    missing = np.isnan(raw)
    value = np.where(missing, fill, raw) if missing.any() else raw
    if metric.undefined != "zero" and undefined.any():
        _warn_undefined(bound, zero_division, fill)
    if metric.skips_absent and not bound.per_class:
        _warn_skipped(bound, tables)
    return Evaluation(bound, raw, value)


def _average_and_pos(
    metric: Metric, labels: np.ndarray, average: str | None, pos_label: Any
) -> tuple[str | None, int | None]:
    if not metric.averages:
        if average not in ("auto", None):
            raise ValueError(f"average={average!r}: {metric.name!r} takes no average.")
        return None, None
    several = len(labels) > 2
    if average == "auto":
        average = metric.averages[0]
        if average == "binary" and several and pos_label is None:
            raise ValueError(_several_classes(metric, labels))
    elif average == "binary" and several:
        raise ValueError(_several_classes(metric, labels))
    if average != "binary":
        return average, None
    if metric.symmetric and pos_label is None and not several:
        return average, len(labels) - 1
    return average, decide_pos_label(labels, pos_label)


def _several_classes(metric: Metric, labels: np.ndarray) -> str:
    return (
        f"{metric.name!r} has two classes, and the data has {len(labels)} ({labels.tolist()}), "
        f"but average='binary'. Choose average from {list(metric.averages[1:])}."
    )


def _checked(
    key: str, value: Any, metric: Metric, labels: np.ndarray, actions: np.ndarray, ordered: bool
) -> Any:
    if key == "weights":
        return _checked_weights(value, len(labels))
    if key == "cost_matrix" and value is not None:
        return _checked_costs(value, labels, actions, ordered)
    if key == "tolerance" and not (_is_whole(value) and value >= 0):
        raise ValueError(f"tolerance must be a whole number, 0 or more; got {value!r}.")
    if key == "beta" and not (isinstance(value, (int, float, np.number)) and value >= 0):
        raise ValueError(f"beta must be a number, 0 or more; got {value!r}.")
    return value


def _is_whole(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _checked_weights(weights: Any, n_classes: int) -> Any:
    if weights is None or (isinstance(weights, str) and weights in ("linear", "quadratic")):
        return weights
    rule = (
        "weights must be 'quadratic', 'linear', None or a (K, K) matrix of disagreements "
        f"(truth i, answer j), finite and not negative, with K = {n_classes}"
    )
    if isinstance(weights, str):
        raise ValueError(f"{rule}; got {weights!r}.")
    try:
        matrix = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{rule}; got {weights!r}.") from None
    if matrix.shape != (n_classes, n_classes):
        raise ValueError(f"{rule}; got shape {matrix.shape}.")
    if not np.isfinite(matrix).all() or (matrix < 0).any():
        raise ValueError(f"{rule}; got {matrix.tolist()}.")
    if np.diagonal(matrix).any():
        raise ValueError(
            f"{rule}, zero on the diagonal (agreement weights w become disagreement as 1 - w); "
            f"got the diagonal {np.diagonal(matrix).tolist()}."
        )
    return matrix


def _refuse_guessed_rows(weights: np.ndarray, labels: np.ndarray) -> None:
    if not np.array_equal(weights, weights.T):
        raise ValueError(
            f"weights is asymmetric and the classes {labels.tolist()} are words in alphabetical "
            "order, which would decide which mistake is the dear one. Name the order of its "
            f"rows and columns, as in labels={labels.tolist()}."
        )


def _laid_out(costs: Any, labels: np.ndarray, actions: np.ndarray) -> tuple[np.ndarray, bool]:
    """A CostMatrix for these labels and actions, and whether it knows its classes by name.

    One that does not is in the order of the labels, as an array is.
    """
    named = costs.labels is not None or costs.pos_label is not None
    array = costs.to_array(labels if named else None)
    extras, priced = actions.tolist()[len(labels) :], list(costs.extra_actions)
    if set(extras) != set(priced):
        raise ValueError(
            f"cost_matrix must have a cost for every answer that is no class, and for no other: "
            f"its actions are {priced}, those of the counts {extras}. Name them when counting, "
            "by actions=[...]."
        )
    n_classes = array.shape[1]
    rows = [*range(n_classes), *(n_classes + priced.index(action) for action in extras)]
    return array[rows], named


def _checked_costs(
    costs: Any, labels: np.ndarray, actions: np.ndarray, ordered: bool
) -> np.ndarray:
    named = False
    if hasattr(costs, "to_array"):
        costs, named = _laid_out(costs, labels, actions)
    elif frame_labels(costs, None, "cost_matrix") is not None:
        frame_labels(costs, labels, "cost_matrix")
        named = True
    try:
        array = np.asarray(costs, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(
            f"cost_matrix must be a CostMatrix or a rectangular array of numbers; got {costs!r}."
        ) from None
    shape = (len(actions), len(labels))
    if array.shape != shape:
        raise ValueError(
            f"cost_matrix must have one row per action and one column per class, shape {shape}; "
            f"got shape {array.shape}."
        )
    if not np.isfinite(array).all():
        raise ValueError(f"cost_matrix must be finite; got {array.tolist()}.")
    if not named and not ordered and are_words(labels) and depends_on_order(array):
        raise ValueError(
            f"cost_matrix costs some mistakes more than others and the classes {labels.tolist()} "
            "are words in alphabetical order, which would decide which mistake is the dear one. "
            "Name the classes of the counts by labels=[...], or pass a CostMatrix that knows its "
            "labels, such as CostMatrix.binary(..., pos_label=...)."
        )
    return array


def _zero_division(value: Any) -> float:
    if isinstance(value, str) and value == "warn":
        return 0.0
    if isinstance(value, (int, float, np.number)) and (value in (0, 1) or np.isnan(value)):
        return float(value)
    raise ValueError(f"zero_division must be 'warn', 0.0, 1.0 or nan; got {value!r}.")


def _warn_undefined(bound: BoundMetric, zero_division: Any, fill: float) -> None:
    metric = bound.metric
    named = isinstance(zero_division, str) and zero_division == "warn"
    if metric.undefined == "zero_division" and not named:
        return
    control = {
        "zero_division": "; use zero_division to control this",
        "replace": "; use replace_undefined_by to control this",
    }.get(metric.undefined, "")
    where = " for at least one class" if bound.average in ("macro", "weighted", None) else ""
    warn_undefined_metric(
        f"{metric.name} is undefined{where if metric.averages else ''} (a count divided by "
        f"zero) and is set to {fill}{control}."
    )


def _warn_skipped(bound: BoundMetric, tables: np.ndarray) -> None:
    absent = (tables.sum(-1) == 0) & (tables.sum(-2)[..., : tables.shape[-2]] > 0)
    if absent.any():
        warn_undefined_metric(
            f"{bound.metric.name}: a class was answered that no row has in truth; it is left "
            "out of the mean."
        )
