"""Costs that differ by row: a fraud costs its amount, a call costs the same for all."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import narwhals as nw
import numpy as np

from skmetrics_ext.costs._arrays import Floats, action_array, action_name, finite_number, frozen
from skmetrics_ext.costs._said import binary_array, binary_labels
from skmetrics_ext.costs._sentences import class_names, costs_verb

__all__ = ["PerRowCosts", "n_rows"]


@dataclass(frozen=True, init=False, repr=False)
class PerRowCosts:
    """Costs of two classes that differ by row: called with X, it gives an array (n, A, K).

    Made by `CostMatrix.per_row`. c[r, i, j] is the cost of action i when the truth of row r is
    j, in the order [negative, positive] and then the other actions. Picklable where its
    callables are, compared by ``==``.

    Parameters
    ----------
    false_positive, false_negative, true_positive, true_negative : float, str or callable
        A number for all rows; the name of a column of X (pandas, Polars, PyArrow or any other
        eager frame that narwhals knows); or a callable of X that gives an array (n,).
    pos_label : label, default=1
        The class that "positive" means.
    neg_label : label, default=None
        The other class. None: found in the data.
    extras : tuple of (name, cost)
        The actions added by `with_action`.

    Raises
    ------
    ValueError
        When called: where X lacks a column, a cost is not finite (with the row), or a callable
        gives another shape. When made: where a number is not finite.
    TypeError
        Where a cost is neither a number, a name nor a callable; or names a column, and X is no
        frame.

    Examples
    --------
    >>> import polars as pl
    >>> from skmetrics_ext.costs import CostMatrix
    >>> cost = CostMatrix.per_row(
    ...     false_negative="amount", false_positive=50, pos_label="fraud", neg_label="legit"
    ... )
    >>> cost(pl.DataFrame({"amount": [20.0, 900.0]})).tolist()
    [[[0.0, 20.0], [50.0, 0.0]], [[0.0, 900.0], [50.0, 0.0]]]
    """

    false_positive: Any
    false_negative: Any
    true_positive: Any
    true_negative: Any
    pos_label: Any
    neg_label: Any
    extras: tuple[tuple[Any, Any], ...]

    def __init__(
        self,
        *,
        false_positive: Any = 1,
        false_negative: Any = 1,
        true_positive: Any = 0,
        true_negative: Any = 0,
        pos_label: Any = 1,
        neg_label: Any = None,
        extras: tuple[tuple[Any, Any], ...] = (),
    ) -> None:
        positive, labels = binary_labels(pos_label, neg_label)
        values = {
            "false_positive": _checked(false_positive, "false_positive"),
            "false_negative": _checked(false_negative, "false_negative"),
            "true_positive": _checked(true_positive, "true_positive"),
            "true_negative": _checked(true_negative, "true_negative"),
            "pos_label": positive,
            "neg_label": None if labels is None else labels.tolist()[0],
            "extras": extras,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def extra_actions(self) -> list[Any]:
        """The actions that are no class: those added by `with_action`."""
        return [name for name, _ in self.extras]

    @property
    def labels(self) -> np.ndarray | None:
        """[negative, positive], or None while the negative class is not known."""
        return binary_labels(self.pos_label, self.neg_label)[1]

    @property
    def actions(self) -> np.ndarray | None:
        """The classes, then the other actions; None while the classes are not known."""
        labels = self.labels
        names = [name for name, _ in self.extras]
        return None if labels is None else frozen(action_array(labels, names))

    def with_action(self, name: Any, *, cost: Any) -> PerRowCosts:
        """One more thing to answer; its cost is a number, a column or a callable, as the others.

        Examples
        --------
        >>> from skmetrics_ext.costs import CostMatrix
        >>> CostMatrix.per_row(false_negative="amount").with_action(-1, cost=5)
        CostMatrix.per_row(false_positive=1, false_negative='amount', pos_label=1)\
.with_action(-1, cost=5)
        """
        labels = self.labels
        taken = [] if labels is None else labels.tolist()
        names = [known for known, _ in self.extras]
        action = action_name(name, [*taken, *names])
        if labels is not None:
            action_array(labels, [*names, action])
        return replace(self, extras=(*self.extras, (action, _checked(cost, "cost"))))

    def __call__(self, X: Any) -> Floats:
        """The costs (n, A, K) of the rows of X."""
        n = n_rows(X)
        square = binary_array(
            true_negative=_per_row(self.true_negative, X, n, "true_negative"),
            false_negative=_per_row(self.false_negative, X, n, "false_negative"),
            false_positive=_per_row(self.false_positive, X, n, "false_positive"),
            true_positive=_per_row(self.true_positive, X, n, "true_positive"),
        )
        rows = [_per_row(cost, X, n, f"the cost of {name!r}") for name, cost in self.extras]
        extra = [np.repeat(row[:, None, None], 2, axis=2) for row in rows]
        return np.concatenate([square, *extra], axis=1)

    def _sentences(self) -> list[str]:
        negative, positive = class_names(self.labels, self.pos_label, 2)
        cells = [
            (negative, positive, self.false_negative),
            (positive, negative, self.false_positive),
            (negative, negative, self.true_negative),
            (positive, positive, self.true_positive),
        ]
        lines = [
            f"predicting {answer} when the truth is {truth} {_said(cost)}"
            for answer, truth, cost in cells
            if answer != truth or cost != 0
        ]
        if _is_zero(self.true_negative) and _is_zero(self.true_positive):
            lines.append("a right answer costs 0")
        lines += [
            f"answering {name!r} {_said(cost)}, whatever the truth" for name, cost in self.extras
        ]
        return lines

    def __str__(self) -> str:
        return "\n".join(self._sentences())

    def _repr_html_(self) -> str:
        return "<ul>" + "".join(f"<li>{escape(s)}</li>" for s in self._sentences()) + "</ul>"

    def __repr__(self) -> str:
        parts = [f"false_positive={self.false_positive!r}"]
        parts.append(f"false_negative={self.false_negative!r}")
        for name in ("true_positive", "true_negative"):
            value = getattr(self, name)
            if not _is_zero(value):
                parts.append(f"{name}={value!r}")
        parts.append(f"pos_label={self.pos_label!r}")
        if self.neg_label is not None:
            parts.append(f"neg_label={self.neg_label!r}")
        actions = "".join(f".with_action({name!r}, cost={cost!r})" for name, cost in self.extras)
        return f"CostMatrix.per_row({', '.join(parts)}){actions}"


def n_rows(X: Any) -> int:
    """How many rows X has: an array, a sparse matrix, a frame or a list."""
    shape = getattr(X, "shape", None)
    if shape is not None and len(shape):
        return int(shape[0])
    try:
        return len(X)
    except TypeError:
        raise TypeError(
            f"X must hold rows that can be counted; got {type(X).__name__}. Collect a lazy frame "
            "first."
        ) from None


def _is_zero(cost: Any) -> bool:
    return isinstance(cost, numbers.Real) and cost == 0


def _checked(cost: Any, name: str) -> Any:
    """A number (whole ones as int, for the repr), the name of a column, or a callable."""
    if isinstance(cost, str):
        return str(cost)
    if callable(cost):
        return cost
    if isinstance(cost, numbers.Real):
        number = finite_number(cost, name=name)
        return int(number) if number.is_integer() else number
    raise TypeError(
        f"{name} must be a number, the name of a column of X, or a callable of X; got {cost!r}."
    )


def _said(cost: Any) -> str:
    if isinstance(cost, str):
        return f"costs the row's {cost!r}"
    if callable(cost):
        return f"costs {getattr(cost, '__name__', repr(cost))}(X), row by row"
    return costs_verb(cost)


def _per_row(cost: Any, X: Any, n: int, name: str) -> Floats:
    if isinstance(cost, str):
        values, source = _column(X, cost, name), f"{name} (column {cost!r})"
    elif callable(cost):
        values, source = _called(cost, X, n, name), name
    else:
        return np.full(n, float(cost))
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        raise ValueError(
            f"{source} must be finite in every row; got {values[bad[0]]} in row {bad[0]} (the "
            f"first row is 0), and {len(bad)} such rows in all."
        )
    return values


def _called(function: Callable[[Any], Any], X: Any, n: int, name: str) -> Floats:
    values = np.asarray(function(X))
    if values.shape != (n,):
        raise ValueError(
            f"{name} must give one cost for each of the {n} rows of X, shape ({n},); the callable "
            f"gave shape {values.shape}."
        )
    return _floats(values, name)


def _column(X: Any, column: str, name: str) -> Floats:
    frame = nw.from_native(X, pass_through=True)
    if isinstance(X, Mapping) or not isinstance(frame, nw.DataFrame):
        raise TypeError(
            f"{name}={column!r} names a column, so X must be a DataFrame; got {type(X).__name__}. "
            "Keep the wrapper that holds the costs outermost, around the whole pipeline, so that "
            "it sees the columns; or pass a callable of X."
        )
    if column not in frame.columns:
        raise ValueError(
            f"{name}={column!r} must be a column of X; its columns are {list(frame.columns)}."
        )
    series = frame.get_column(column)
    dtype = series.dtype
    if not (dtype.is_numeric() or dtype in (nw.Boolean, nw.Object, nw.Unknown)):
        raise ValueError(f"{name}={column!r} must be a column of numbers; its type is {dtype}.")
    return _floats(series.to_numpy(), f"{name}={column!r}")


def _floats(values: np.ndarray, name: str) -> Floats:
    words = values.dtype.kind == "O" and any(isinstance(v, str) for v in values)
    if words or values.dtype.kind not in "biufO":
        raise ValueError(f"{name} must hold numbers; got {values[:3].tolist()} and so on.")
    try:
        return values.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"{name} must hold numbers; got {values[:3].tolist()} and so on."
        ) from error
