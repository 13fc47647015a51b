"""Arrays of costs, checked once, and the names of what may be answered."""

from __future__ import annotations

import numbers
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext._labels import are_words, label_array

__all__ = [
    "action_array",
    "action_name",
    "finite_number",
    "frozen",
    "numeric_array",
    "one_per_mistake",
    "sorted_labels",
    "square_array",
]

Floats = NDArray[np.float64]


def numeric_array(values: Any, *, name: str) -> Floats:
    """A float64 copy of whatever holds numbers; words that look like numbers are refused."""
    if isinstance(values, Mapping):
        raise TypeError(
            f"{name} must be an array; got a mapping. Costs by pairs are said with "
            "CostMatrix.from_dict({(predicted, true): cost})."
        )
    if callable(values):
        raise TypeError(
            f"{name} must be an array here, one for all rows; got a callable ({values!r}), "
            "whose costs differ by row."
        )
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise ValueError(
            f"{name} must be a rectangular array of numbers; got {values!r}."
        ) from error
    if array.dtype.kind == "O":
        array = _numbers_of_objects(array, values, name)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name} must hold numbers; got {values!r}.")
    # Adding zero turns -0.0 into 0.0, which reads better and compares the same.
    return np.add(array, 0.0, dtype=np.float64)


def _numbers_of_objects(array: np.ndarray, values: Any, name: str) -> np.ndarray:
    if any(isinstance(v, str) for v in array.flat):
        raise ValueError(f"{name} must hold numbers; got {values!r}.")
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold numbers; got {values!r}.") from error


def square_array(values: Any, *, name: str) -> Floats:
    """A checked (K, K) array: two-dimensional, square, finite.

    Raises
    ------
    ValueError
        With the rule that is broken and what was received instead.
    """
    array = numeric_array(values, name=name)
    if array.ndim != 2:
        hint = " Costs that differ by row come from CostMatrix.per_row or a callable of X." * (
            array.ndim == 3
        )
        raise ValueError(
            f"{name} must be two-dimensional, a row for each answer and a column for each "
            f"class; got shape {array.shape}.{hint}"
        )
    if array.shape[0] != array.shape[1] or array.size == 0:
        raise ValueError(
            f"{name} must be square, a row and a column for each class; got shape {array.shape}. "
            "Actions beyond the classes are added by with_action(name, cost=...)."
        )
    _refuse_not_finite(array, name)
    return array


def _refuse_not_finite(array: Floats, name: str) -> None:
    bad = np.argwhere(~np.isfinite(array))
    if len(bad):
        where = tuple(int(k) for k in bad[0])
        raise ValueError(f"{name} must be finite; got {array[where]} at position {list(where)}.")


def finite_number(value: Any, *, name: str) -> float:
    """A cost that is one finite number."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise ValueError(f"{name} must be a number; got {value!r}.")
    number = float(value)
    if not np.isfinite(number):
        raise ValueError(f"{name} must be finite; got {value!r}.")
    return number + 0.0


def frozen(array: np.ndarray) -> np.ndarray:
    """The array itself, read-only from here on."""
    array.setflags(write=False)
    return array


def sorted_labels(labels: np.ndarray) -> np.ndarray:
    """Labels in sorted order; kept as they are where they cannot be compared."""
    try:
        return label_array(sorted(labels.tolist()))
    except TypeError:
        return labels


def one_per_mistake(n_classes: int) -> Floats:
    """The costs meant by None: 1 for any mistake, 0 for a right answer."""
    return 1.0 - np.eye(n_classes)


def action_name(name: Any, taken: Sequence[Any]) -> Any:
    """The name of an action beyond the classes: a word or a number not used before."""
    if isinstance(name, (bool, np.bool_)):
        raise ValueError(f"name must be a word or a number, not a bool; got {name!r}.")
    plain = label_array([name], name="name").tolist()[0]
    if plain in taken:
        raise ValueError(f"name={plain!r} is already an action; the actions are {list(taken)}.")
    return plain


def action_array(labels: np.ndarray, extras: Sequence[Any]) -> np.ndarray:
    """What may be answered: the classes, then the other actions, in the labels' own type.

    Raises
    ------
    ValueError
        Where an action has another type than the labels (an array of answers holds one type
        only), is itself a class, or stands beside bools, which leave no room for a third value.
    """
    if not extras:
        return labels
    values = labels.tolist()
    for extra in extras:
        if extra in values:
            raise ValueError(
                f"the action {extra!r} is also a class; the classes are {values}. Give the "
                "action a name of its own in with_action(name, cost=...)."
            )
        if not _same_kind(labels, extra):
            raise ValueError(
                f"the action {extra!r} must have the type of the classes {values}: "
                f"{_advice(labels)}."
            )
    return label_array([*values, *extras], name="actions")


def _same_kind(labels: np.ndarray, extra: Any) -> bool:
    if labels.dtype.kind == "b":
        return False
    if labels.dtype.kind in "iu":
        return isinstance(extra, int)
    if labels.dtype.kind == "f":
        return isinstance(extra, (int, float))
    return labels.dtype.kind == "O" or isinstance(extra, str)


def _advice(labels: np.ndarray) -> str:
    if labels.dtype.kind == "b":
        return "beside bools there is no room for another action; recode the classes as 0 and 1"
    return "use a word such as 'refer'" if are_words(labels) else "use a number such as -1"
