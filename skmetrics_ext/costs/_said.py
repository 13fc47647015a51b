"""From what a person says about costs to an array c[i, j]."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skmetrics_ext._labels import label_array
from skmetrics_ext.costs._arrays import Floats, finite_number, sorted_labels

__all__ = ["binary_array", "binary_labels", "pairs_array", "rank_distances"]


def binary_array(
    *, true_negative: Any, false_negative: Any, false_positive: Any, true_positive: Any
) -> Floats:
    """c[..., i, j] of two classes, the negative one first."""
    cells = np.broadcast_arrays(true_negative, false_negative, false_positive, true_positive)
    costs = np.stack(cells, axis=-1).astype(np.float64)
    return costs.reshape(*costs.shape[:-1], 2, 2)


def binary_labels(pos_label: Any, neg_label: Any) -> tuple[Any, np.ndarray | None]:
    """The positive class, and both classes where the other is known, the negative first."""
    positive = label_array([pos_label], name="pos_label").tolist()[0]
    if neg_label is None:
        return positive, None
    negative = label_array([neg_label], name="neg_label").tolist()[0]
    if isinstance(positive, str) != isinstance(negative, str):
        raise ValueError(
            f"pos_label and neg_label must be of one type; got pos_label={positive!r} and "
            f"neg_label={negative!r}."
        )
    if positive == negative:
        raise ValueError(
            f"neg_label must differ from pos_label; got {positive!r} for both. With "
            "neg_label=None the other class is found in the data."
        )
    return positive, label_array([negative, positive], name="neg_label and pos_label")


def rank_distances(labels: np.ndarray, power: float) -> Floats:
    """abs(i - j)**power / (K - 1)**power."""
    if power <= 0:
        raise ValueError(f"power must be greater than 0; got {power!r}.")
    if len(labels) < 2:
        raise ValueError(f"labels must name at least two classes; got {labels.tolist()}.")
    ranks = np.arange(len(labels), dtype=np.float64)
    return (np.abs(ranks[:, None] - ranks) / (len(labels) - 1)) ** power


def pairs_array(
    costs: Mapping[tuple[Any, Any], float], labels: ArrayLike | None
) -> tuple[Floats, np.ndarray]:
    """The array of ``{(predicted, true): cost}``, and the classes of its rows and columns."""
    if not isinstance(costs, Mapping):
        raise TypeError(
            f"costs must be a mapping {{(predicted, true): cost}}; got {type(costs).__name__}."
        )
    for pair in costs:
        if not (isinstance(pair, tuple) and len(pair) == 2):
            raise ValueError(f"costs must have keys (predicted, true); got the key {pair!r}.")
    classes = _classes_of(costs, labels)
    position = {label: k for k, label in enumerate(classes.tolist())}
    array = np.full((len(classes), len(classes)), np.nan)
    np.fill_diagonal(array, 0.0)
    for (predicted, true), cost in costs.items():
        unknown = [label for label in (predicted, true) if label not in position]
        if unknown:
            raise ValueError(
                f"costs names {unknown}, which are not among labels={classes.tolist()}. Actions "
                "beyond the classes are added by with_action(name, cost=...)."
            )
        name = f"costs[{(predicted, true)!r}]"
        array[position[predicted], position[true]] = finite_number(cost, name=name)
    _refuse_missing_pairs(array, classes.tolist())
    return array, classes


def _classes_of(costs: Mapping[tuple[Any, Any], float], labels: ArrayLike | None) -> np.ndarray:
    if labels is not None:
        return label_array(labels, name="labels")
    named = list(dict.fromkeys(label for pair in costs for label in pair))
    if not named:
        raise ValueError("costs must name at least one pair (predicted, true); got {}.")
    return sorted_labels(label_array(named, name="costs"))


def _refuse_missing_pairs(array: Floats, classes: list[Any]) -> None:
    missing = [(classes[i], classes[j]) for i, j in np.argwhere(np.isnan(array))]
    if missing:
        shown = ", ".join(map(repr, missing[:5])) + ", ..." * (len(missing) > 5)
        raise ValueError(
            f"costs must name every mistake as (predicted, true); missing: {shown}. Only right "
            "answers that are not named cost 0; an action that is never the truth is added by "
            "with_action(name, cost=...)."
        )
