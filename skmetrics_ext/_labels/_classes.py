"""Which classes there are, in which order, and which of them is the positive one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from skmetrics_ext._labels._columns import Column, group_column, refuse_masked

__all__ = [
    "Classes",
    "are_words",
    "decide_classes",
    "decide_pos_label",
    "encode",
    "label_array",
    "require_order",
    "same_label",
]


def same_label(a: Any, b: Any) -> bool:
    """Whether two labels are the same class: 1, 1.0 and True are, 1 and '1' are not."""
    try:
        return bool(a == b)
    except (TypeError, ValueError):
        return False


def are_words(labels: np.ndarray) -> bool:
    """Whether labels are neither numbers nor bools, so that no order is plain to see."""
    return labels.dtype.kind not in "biuf"


def label_array(labels: Any, *, name: str = "labels") -> np.ndarray:
    """Labels as a one-dimensional array: words as str, numbers as numbers, in the order given.

    Raises
    ------
    ValueError
        Where labels repeat, are missing, mix words and numbers, or are not one-dimensional.
    """
    if isinstance(labels, np.ndarray) and labels.ndim == 1 and labels.dtype.kind in "Ubi":
        plain = labels.tolist()
        if plain and len(set(plain)) == len(plain):
            return refuse_masked(labels, name).copy()
    column = group_column(labels, name=name, key=False)
    values = column.values[column.codes.astype(np.intp) - column.offset]
    if len(values) != int(column.seen().sum()):
        distinct, counts = np.unique(values.astype(str), return_counts=True)
        raise ValueError(
            f"{name} must name each class once; {distinct[counts > 1].tolist()} "
            f"stand more than once in {_listed(values)}."
        )
    return _typed(values.tolist())


def encode(y: Any, labels: np.ndarray, *, name: str = "y_true") -> np.ndarray:
    """The position of each row's label in ``labels``; a label outside is an error."""
    column = group_column(y, name=name)
    seen = column.seen()
    index = _index(column.values[seen].tolist(), seen, _positions(labels), labels, name)
    return index[column.codes.astype(np.intp, copy=False) - column.offset]


@dataclass(frozen=True)
class Classes:
    """The classes (truth) and the actions (answers): the classes first, then the others."""

    labels: np.ndarray
    actions: np.ndarray
    ordered: bool
    true_index: np.ndarray
    pred_index: np.ndarray


def decide_classes(
    true: Column,
    pred: Column,
    seen_true: np.ndarray,
    seen_pred: np.ndarray,
    *,
    labels: Any = None,
    known: Any = None,
    actions: Any = None,
    names: tuple[str, str] = ("y_true", "y_pred"),
) -> Classes:
    """Decide the classes on the few distinct values: declared, an ordered dtype's, or seen.

    ``true_index[v]`` is the class of ``true.values[v]`` (-1 where no row holds it),
    ``pred_index`` likewise among the actions.
    """
    true_values = true.values[seen_true].tolist()
    pred_values = pred.values[seen_pred].tolist()
    _refuse_mixture(true_values, pred_values, names)
    named = actions is not None and len(actions) > 0
    extra = [_plain(a) for a in label_array(actions, name="actions")] if named else []
    order = _shared_order(true, pred, names)
    if labels is not None:
        classes, ordered = label_array(labels), True
    elif order is not None:
        classes, ordered = order, True
    else:
        clash = [v for v in true_values if v in extra]
        if clash:
            raise ValueError(
                f"actions={extra} holds {clash}, which are classes in {names[0]}: name the "
                "classes by labels=[...] when actions lists them too."
            )
        more = [] if known is None else np.asarray(known).tolist()
        observed = dict.fromkeys([*true_values, *pred_values, *more])
        for action in extra:
            observed.pop(action, None)
        classes = _typed(_sorted(observed, names))
        ordered = not are_words(classes)
    place = _positions(classes)
    more = [a for a in extra if a not in place]
    everything = _typed([*place, *more]) if more else classes
    true_index = _index(true_values, seen_true, place, classes, names[0])
    pred_index = _index(pred_values, seen_pred, _positions(everything), everything, names[1])
    return Classes(classes, everything, ordered, true_index, pred_index)


def require_order(labels: np.ndarray, ordered: bool, metric: str) -> None:
    """Raise where an ordinal metric would have to take words in alphabetical order."""
    if not ordered and len(labels) > 2 and are_words(labels):
        raise ValueError(
            f"{metric} depends on the order of the classes, and the words {_listed(labels)} have "
            "none (alphabetical order would silently give a wrong number). Pass "
            f"labels={_listed(labels)} rearranged from lowest to highest, or use an ordered "
            "Categorical (pandas) or Enum (polars)."
        )


def decide_pos_label(labels: np.ndarray, pos_label: Any = None) -> int:
    """The position of the positive class: the one named, else 1 or True where that is plain.

    Raises
    ------
    ValueError
        Where ``pos_label`` is no class, or must be named because the labels do not tell.
    """
    values = [_plain(v) for v in labels]
    if pos_label is not None:
        for k, value in enumerate(values):
            if same_label(value, _plain(pos_label)):
                return k
        raise ValueError(f"pos_label={pos_label!r} is not a class; the classes are {values}.")
    if are_words(labels) or not (set(values) <= {0, 1} or set(values) <= {-1, 1}):
        raise ValueError(
            f"pos_label must name the positive class: the classes are {values}, and only 1 or "
            "True beside 0, False or -1 is taken as positive unasked."
        )
    return values.index(1) if 1 in values else -1


# ---------------------------------------------------------------------------------------------


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _positions(labels: Iterable[Any]) -> dict[Any, int]:
    values = labels.tolist() if isinstance(labels, np.ndarray) else labels
    return {value: k for k, value in enumerate(values)}


def _listed(labels: Iterable[Any]) -> str:
    values = [_plain(v) for v in labels]
    return repr(values) if len(values) <= 20 else f"{values[:20]!r} and {len(values) - 20} more"


def _typed(values: Sequence[Any]) -> np.ndarray:
    """An array of the labels' own type: bool, int, float or str; object for anything else."""
    plain = [_plain(v) for v in values]
    kinds = {type(v) for v in plain}
    if kinds <= {bool, int, float} or kinds == {str}:
        array = np.array(plain)
        if array.dtype.kind in "biufU" and not (array.dtype.kind == "f" and float not in kinds):
            return array
        # Integers of which some need 64 bits without a sign came out as floats, not exact.
        if kinds <= {bool, int} and min(plain) >= 0 and max(plain) < 2**64:
            return np.array(plain, dtype=np.uint64)
    array = np.empty(len(plain), dtype=object)
    array[:] = plain
    return array


def _sorted(values: Iterable[Any], names: tuple[str, str]) -> list[Any]:
    try:
        return sorted(values)
    except TypeError:
        shown = sorted({type(v).__name__ for v in values})
        raise ValueError(
            f"the labels of {names[0]} and {names[1]} cannot be sorted (types {shown}); "
            "name them by labels=[...]."
        ) from None


def _refuse_mixture(true: list[Any], pred: list[Any], names: tuple[str, str]) -> None:
    if not true or not pred:
        return
    if isinstance(true[0], str) != isinstance(pred[0], str):
        raise ValueError(
            f"{names[0]} and {names[1]} must hold labels of the same type; {names[0]} holds "
            f"{true[0]!r} ({type(true[0]).__name__}) and {names[1]} holds {pred[0]!r} "
            f"({type(pred[0]).__name__})."
        )


def _shared_order(true: Column, pred: Column, names: tuple[str, str]) -> np.ndarray | None:
    orders = [_typed(c.order.tolist()) for c in (true, pred) if c.order is not None]
    if not orders:
        return None
    if len(orders) == 2 and orders[0].tolist() != orders[1].tolist():
        raise ValueError(
            f"{names[0]} and {names[1]} are ordered differently: {_listed(orders[0])} against "
            f"{_listed(orders[1])}. Give both the same categories, or pass labels=[...]."
        )
    return orders[0]


def _index(
    values: list[Any], seen: np.ndarray, place: dict[Any, int], labels: np.ndarray, name: str
) -> np.ndarray:
    """The place of each value of a column that some row holds; -1 for the others."""
    places = [place.get(v, -1) for v in values]
    if -1 in places:
        _refuse_outside([v for v in values if v not in place], labels, name)
    if len(places) == len(seen):
        return np.array(places, dtype=np.intp)
    index = np.full(len(seen), -1, dtype=np.intp)
    index[seen] = places
    return index


def _refuse_outside(outside: list[Any], labels: np.ndarray, name: str) -> None:
    raise ValueError(
        f"{name} holds labels that are not among {_listed(labels)}: {_listed(outside)}. "
        "labels must cover the data; rows are never dropped silently."
    )
