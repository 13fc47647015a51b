"""Which order the classes of a target have, and each row's rank in it."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext._labels import Column, are_words, group_column, label_array

__all__ = ["OrderedTarget", "encode_order", "resolve_order"]


@dataclass(frozen=True)
class OrderedTarget:
    """A target whose order is known.

    Attributes
    ----------
    classes : ndarray of shape (n_classes,)
        The classes that rows hold, sorted: an estimator's ``classes_``.
    class_order : ndarray of shape (n_declared,)
        All classes from lowest to highest, those included that no row holds: ``class_order_``.
    ranks : ndarray of shape (n_samples,)
        Each row's place in ``class_order``.
    """

    classes: np.ndarray
    class_order: np.ndarray
    ranks: NDArray[np.intp]

    @property
    def seen(self) -> NDArray[np.intp]:
        """The places in ``class_order`` that rows hold, rising."""
        return np.flatnonzero(np.bincount(self.ranks, minlength=len(self.class_order)))

    @property
    def columns(self) -> NDArray[np.intp]:
        """For each of ``classes`` its place in ``class_order``: what orders probability columns."""
        place = {label: k for k, label in enumerate(self.class_order.tolist())}
        return np.array([place[label] for label in self.classes.tolist()], dtype=np.intp)


def resolve_order(y: Any, class_order: Any = None, *, stacklevel: int = 3) -> OrderedTarget:
    """The classes of y from lowest to highest: declared, an ordered dtype's, or of numbers.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        As the user gave it: an ordered dtype is lost once it is an array.
    class_order : array-like of shape (n_declared,) or None
    stacklevel : int
        For the warning: 3 is the line that called the caller of this.

    Raises
    ------
    ValueError
        Where y is empty, holds missing or continuous values, or a label that ``class_order``
        does not name.

    Warns
    -----
    UserWarning
        Where three or more words have no order, and are taken by alphabet.
    """
    if y is None:
        raise ValueError("y must hold one class label per row; got None.")
    if isinstance(y, np.ndarray) and y.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: y must hold labels; got {y!r}.")
    column = group_column(y, name="y")
    seen = column.seen()
    classes = _classes(y, column, seen)
    order = _declared(column, class_order)
    if order is None:
        order = label_array(classes, name="y")
        if are_words(order) and len(order) > 2:
            warnings.warn(
                f"the classes {order.tolist()} are words without an order, and are taken in "
                "alphabetical order. Pass class_order=[...] from lowest to highest, or an ordered "
                "Categorical (pandas) or Enum (polars) as y.",
                UserWarning,
                stacklevel=stacklevel,
            )
    place = {label: k for k, label in enumerate(order.tolist())}
    outside = [v for v in column.values[seen].tolist() if v not in place]
    if outside:
        raise ValueError(_does_not_fit(outside, classes, order))
    ranks = np.array([place.get(v, -1) for v in column.values.tolist()], dtype=np.intp)
    return OrderedTarget(classes, order, ranks[column.codes.astype(np.intp) - column.offset])


def encode_order(y: Any, class_order: Any) -> NDArray[np.intp]:
    """Ranks instead of labels: 0 for the lowest class, for meta-estimators that pass codes on.

    Stacking, voting and bagging replace labels by the place in the alphabet before they fit
    what is inside, so that no ordinal model inside can see the order. Give them ranks instead.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels: numbers or words.
    class_order : array-like of shape (n_classes,)
        All classes from lowest to highest.

    Returns
    -------
    ranks : ndarray of shape (n_samples,)
        Whole numbers from 0 to ``n_classes - 1``; ``np.asarray(class_order)[ranks]`` is y.

    Raises
    ------
    ValueError
        Where y holds a missing value or a label that ``class_order`` does not name, or
        ``class_order`` names a class twice.

    Examples
    --------
    >>> from skmetrics_ext.ordinal import encode_order
    >>> encode_order(["low", "high", "medium"], ["low", "medium", "high"])
    array([0, 2, 1])
    """
    if class_order is None:
        raise ValueError("class_order must list the classes from lowest to highest; got None.")
    return resolve_order(y, class_order).ranks


# ---------------------------------------------------------------------------------------------


def _classes(y: Any, column: Column, seen: np.ndarray) -> np.ndarray:
    """The distinct labels, sorted, in y's own type where y is an array."""
    values = np.sort(column.values[seen])
    if isinstance(y, np.ndarray):
        return values.astype(y.dtype)
    return label_array(values.tolist(), name="y")


def _declared(column: Column, class_order: Any) -> np.ndarray | None:
    if class_order is not None:
        order = label_array(class_order, name="class_order")
        if len(order) < 2:
            raise ValueError(f"class_order must name at least two classes; got {order.tolist()}.")
        return order
    if column.order is not None:
        return label_array(column.order.tolist(), name="y")
    return None


def _does_not_fit(outside: list[Any], classes: np.ndarray, order: np.ndarray) -> str:
    message = (
        f"y holds labels that class_order={order.tolist()} does not name: {outside[:20]}. "
        "class_order must cover the data; rows are never dropped silently."
    )
    codes = set(classes.tolist()) <= set(range(len(order)))
    if codes and are_words(order) and not are_words(classes):
        message += (
            " They look like codes: stacking, voting, bagging and other meta-estimators pass "
            "places in the alphabet instead of labels. Give the outer estimator "
            "y=skmetrics_ext.ordinal.encode_order(y, class_order), whose codes follow the order, "
            "and leave class_order=None inside."
        )
    return message
