"""Which column of a table of costs belongs to which class: by label, never by position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext._labels import are_words, label_array
from skmetrics_ext.costs._arrays import action_array, sorted_labels

__all__ = ["Alignment", "Priced", "align"]


@dataclass(frozen=True)
class Priced:
    """What a table of costs knows of its classes.

    ``labels`` names all of them; or it is None and ``pos_label`` names the last of two; or
    both are None and only the order is known.
    """

    n_classes: int
    labels: np.ndarray | None
    pos_label: Any
    extras: Sequence[Any]
    order_matters: bool
    name: str


@dataclass(frozen=True)
class Alignment:
    """``columns[k]`` is the column of class k, ``rows`` the same and then the other actions."""

    columns: NDArray[np.intp]
    rows: NDArray[np.intp]
    actions: np.ndarray
    pos_label: Any


def align(priced: Priced, classes: np.ndarray, labels: np.ndarray | None) -> Alignment:
    """Find the columns of ``classes``, which may be some of the classes that have a cost.

    Raises
    ------
    ValueError
        Where a class has no cost, the two sets of labels differ, or the order of the classes
        would have to be guessed.
    """
    if priced.labels is None and priced.pos_label is not None:
        reference = _two_classes(priced, classes, labels)
    else:
        reference = _reference(priced, classes, labels)
    position = {label: k for k, label in enumerate(reference)}
    wanted = classes.tolist()
    missing = [c for c in wanted if c not in position]
    if missing:
        raise ValueError(
            f"{priced.name} must cover every class; {missing} have no cost, and its labels are "
            f"{reference}."
        )
    clash = [a for a in priced.extras if a in position]
    if clash:
        raise ValueError(
            f"the actions {clash} of {priced.name} are also classes; the labels are {reference}."
        )
    columns = np.array([position[c] for c in wanted], dtype=np.intp)
    others = priced.n_classes + np.arange(len(priced.extras), dtype=np.intp)
    return Alignment(
        columns,
        np.concatenate([columns, others]),
        action_array(classes, priced.extras),
        _positive(priced, reference, wanted),
    )


def _reference(priced: Priced, classes: np.ndarray, labels: np.ndarray | None) -> list[Any]:
    if priced.labels is not None:
        own = priced.labels.tolist()
        if labels is not None and set(own) != set(labels.tolist()):
            raise ValueError(
                f"labels={labels.tolist()} must name the same classes as {priced.name}, whose "
                f"labels are {own}."
            )
        return own
    if labels is None:
        if priced.order_matters and are_words(classes):
            raise ValueError(_order_unknown(priced.name, classes.tolist()))
        labels = sorted_labels(classes)
    if len(labels) != priced.n_classes:
        raise ValueError(
            f"{priced.name} must have a row and a column for each of the {len(labels)} classes "
            f"{labels.tolist()}; got {priced.n_classes}. Pass labels=[...] where it names more "
            "classes than the data hold."
        )
    return labels.tolist()


def _two_classes(priced: Priced, classes: np.ndarray, labels: np.ndarray | None) -> list[Any]:
    """Negative first. A class that no row holds has no name: a fresh object stands for it."""
    known = (classes if labels is None else labels).tolist()
    pos_label = priced.pos_label
    if len(known) > 2:
        raise ValueError(
            f"{priced.name} is for two classes (CostMatrix.binary); got {len(known)} classes "
            f"{known}."
        )
    # A fold of negatives only is no mistake, one of another kind of label is.
    alone = len(known) == 1 and not _mixed(classes, pos_label)
    if pos_label not in known and not alone:
        raise ValueError(
            f"pos_label={pos_label!r} of {priced.name} is not a class; the classes are {known}. "
            f"Name the positive class: pos_label={known[-1]!r}."
        )
    others = [label for label in known if label != pos_label]
    return [*(others or [object()]), pos_label]


def _mixed(classes: np.ndarray, label: Any) -> bool:
    return are_words(classes) != are_words(label_array([label], name="pos_label"))


def _positive(priced: Priced, reference: list[Any], wanted: list[Any]) -> Any:
    """The positive class in the spelling of ``wanted``: True where pos_label=1 met bools."""
    if len(reference) != 2 or len(wanted) != 2:
        return None
    pos_label = reference[-1] if priced.pos_label is None else priced.pos_label
    return wanted[wanted.index(pos_label)]


def _order_unknown(name: str, words: list[Any]) -> str:
    order = sorted(words)
    first, last = order[0], order[-1]
    text = (
        f"{name} costs some mistakes more than others, but the classes {words} are words, and "
        "nothing says which row and column is which (alphabetical order would decide which "
        f"mistake is the dear one). Say the order of its rows and columns, as in labels={words!r}"
        f", or name the mistakes: CostMatrix.from_dict({{({first!r}, {last!r}): 100, "
        f"({last!r}, {first!r}): 1}}), the pairs being (predicted, true)"
    )
    if len(words) > 2:
        return text + ", one for each pair."
    return (
        text + f"; or CostMatrix.binary(false_negative=100, false_positive=1, pos_label={last!r}, "
        f"neg_label={first!r})."
    )
