"""Parameters and rows of a cumulative model, checked before anything is fitted."""

from __future__ import annotations

from functools import cache
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.utils import check_consistent_length, column_or_1d
from sklearn.utils.validation import validate_data
from threadpoolctl import ThreadpoolController

from skmetrics_ext._sklearn import safe_indexing
from skmetrics_ext.counts._tabulate import check_sample_weight
from skmetrics_ext.ordinal._cumulative_rows import SortedRows, sort_rows
from skmetrics_ext.ordinal._order import OrderedTarget, resolve_order

__all__ = ["check_parameters", "one_blas_thread", "rows_of"]


def check_parameters(model: Any) -> None:
    """Raise where alpha, max_iter or tol is no number, or out of its range."""
    alpha, max_iter, tol = model.alpha, model.max_iter, model.tol
    _require("alpha", alpha, "a number, 0 or more", _is_number(alpha) and alpha >= 0)
    whole = _is_number(max_iter) and isinstance(max_iter, Integral)
    _require("max_iter", max_iter, "a whole number, 1 or more", whole and max_iter >= 1)
    _require("tol", tol, "a number above 0", _is_number(tol) and tol > 0)


def rows_of(
    model: Any, X: Any, y: Any, sample_weight: Any, class_order: Any, *, reset: bool
) -> tuple[SortedRows, OrderedTarget]:
    """The rows of positive weight, sorted by class, and what classes they have.

    Called by a public method, so that a warning about the order shows the line that called that.
    """
    if y is None:
        validate_data(model, X, y, reset=reset)  # which says that y is required
    X = validate_data(model, X, dtype=np.float64, reset=reset)
    if getattr(y, "ndim", 1) == 2:
        y = column_or_1d(y, warn=True)
    check_consistent_length(X, y)
    weights = None
    if sample_weight is not None:
        weights = check_sample_weight(sample_weight, len(X))
        if (weights == 0).any():
            kept = np.flatnonzero(weights)
            X, y, weights = X[kept], safe_indexing(y, kept), weights[kept]
    target = resolve_order(y, class_order, stacklevel=4)
    if len(target.classes) < 2:
        raise ValueError(
            f"y must hold at least two classes; got one class only: {target.classes.tolist()}."
        )
    places = np.cumsum(np.bincount(target.ranks) > 0) - 1  # among the classes that rows have
    codes = places[target.ranks]
    return sort_rows(X, codes, weights), target


@cache
def _blas() -> ThreadpoolController:
    # Looking for the libraries takes longer than a small fit: once is enough.
    return ThreadpoolController()


def one_blas_thread() -> Any:
    """Products of narrow blocks on one thread: waking others takes longer than it saves."""
    return _blas().limit(limits=1, user_api="blas")


# ---------------------------------------------------------------------------------------------


def _is_number(value: Any) -> bool:
    number = isinstance(value, Real) and not isinstance(value, bool)
    return number and bool(np.isfinite(float(value)))


def _require(name: str, value: Any, rule: str, holds: bool) -> None:
    if not holds:
        raise ValueError(f"{name} must be {rule}; got {value!r}.")
