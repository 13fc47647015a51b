"""A table as the search for leakage sees it: numbers, codes of equal values, distinct rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from scipy import sparse
from scipy.stats import hypergeom

from skmetrics_ext._labels import group_column, is_missing

__all__ = ["Classes", "Table", "class_of_lowest_rate", "stands_out"]

_MOST_BYTES = 1 << 30
# Up to here floats hold every whole number.
_EXACT = 1 << 53
_NUMBERS = (int, float, np.integer, np.floating)


@dataclass(frozen=True)
class Table:
    """Columns as floats; those that hold no numbers as codes of their values.

    Attributes
    ----------
    values : ndarray of shape (n_rows, n_columns), float64
    numeric : ndarray of shape (n_columns,), bool
        Whether a column holds numbers, so that a place between two rows has a meaning.
    """

    values: np.ndarray
    numeric: np.ndarray

    @classmethod
    def read(cls, X: Any) -> Table:
        """Arrays, sparse matrices, frames and lists of rows; NaN and None are values like others.

        Raises
        ------
        ValueError
            Where X is not two-dimensional, is empty, holds lists or the like in its cells, or as
            a sparse matrix would fill more than 1 GiB.
        """
        if sparse.issparse(X):
            X = _dense(X)
        frame = nw.from_native(X, eager_only=True, pass_through=True)
        if isinstance(frame, nw.DataFrame):
            columns = [series.to_numpy() for series in frame.iter_columns()]
        else:
            array = np.asarray(X)
            if array.ndim != 2:
                raise ValueError(
                    "X must be two-dimensional, a row per sample; got an array of shape "
                    f"{array.shape}."
                )
            if array.dtype.kind in "fb":
                return cls._checked(array.astype(np.float64), np.ones(array.shape[1], bool))
            columns = list(array.T)
        read = [_as_floats(column) for column in columns]
        values = np.column_stack([v for v, _ in read]) if read else np.empty((0, 0))
        return cls._checked(values, np.array([numeric for _, numeric in read], dtype=bool))

    @classmethod
    def _checked(cls, values: np.ndarray, numeric: np.ndarray) -> Table:
        if values.size == 0:
            raise ValueError(
                f"X must hold at least one row and one column; got shape {values.shape}."
            )
        return cls(values, numeric)

    @cached_property
    def _codes(self) -> list[np.ndarray]:
        return [np.unique(column, return_inverse=True)[1].ravel() for column in self.values.T]

    @cached_property
    def row_of(self) -> np.ndarray:
        """For each row the number of the distinct row that it repeats, shape (n_rows,)."""
        groups = np.zeros(len(self.values), dtype=np.int64)
        for codes in self._codes:
            joint = groups * (int(codes.max()) + 1) + codes
            groups = np.unique(joint, return_inverse=True)[1].ravel()
            if int(groups.max()) + 1 == len(groups):
                break
        return groups

    @cached_property
    def first_rows(self) -> np.ndarray:
        """The first row of each distinct row, shape (n_distinct,)."""
        return np.unique(self.row_of, return_index=True)[1]

    @cached_property
    def nowhere_else(self) -> np.ndarray:
        """Whether no other distinct row holds this value in its column, (n_distinct, n_columns)."""
        first = self.first_rows
        alone = [np.bincount(codes[first])[codes[first]] == 1 for codes in self._codes]
        return np.column_stack(alone)


@dataclass(frozen=True)
class Classes:
    """The class of each row as a code, and the labels behind the codes."""

    codes: np.ndarray
    labels: np.ndarray

    @classmethod
    def read(cls, y: Any, n_rows: int) -> Classes:
        """Labels of any type.

        Raises
        ------
        ValueError
            Where y holds one class only, or not one label per row.
        """
        column = group_column(y, name="y")
        if len(column) != n_rows:
            raise ValueError(
                f"y must hold one label per row of X, {n_rows} in all; got {len(column)}."
            )
        seen = column.seen()
        codes = (np.cumsum(seen) - 1)[column.codes.astype(np.intp) - column.offset]
        labels = column.values[seen]
        if len(labels) < 2:
            raise ValueError(
                f"y must hold at least two classes; got one class only: {labels.tolist()}."
            )
        return cls(codes, labels)


def class_of_lowest_rate(hits: np.ndarray, totals: np.ndarray) -> int:
    """Where a thing happens least; of equal ones the class that shows it on the most rows.

    A class of total 0 says nothing, and is taken only where all are silent.
    """
    rates = np.where(totals > 0, hits / np.maximum(totals, 1), np.inf)
    return int(np.lexsort((-totals, rates))[0])


def stands_out(
    hits: int, total: int, base_hits: int, base_total: int, *, times: float, chance: float
) -> bool:
    """Whether a rate is far above another: so many times, and hardly so by chance (Fisher)."""
    if 0 in (total, base_total) or hits / total <= times * base_hits / base_total:
        return False
    tail = hypergeom.sf(hits - 1, total + base_total, hits + base_hits, total)
    return bool(tail < chance)


def _dense(X: Any) -> np.ndarray:
    if math.prod(X.shape) * 8 > _MOST_BYTES:
        raise ValueError(
            "X must fit in 1 GiB as a dense array, since each value is compared with those of its "
            f"column; got a sparse matrix of shape {X.shape}."
        )
    return X.toarray()


def _as_floats(column: np.ndarray) -> tuple[np.ndarray, bool]:
    """A column as floats that tell apart what differs, and whether they are numbers."""
    if column.dtype.kind in "fb":
        return column.astype(np.float64), True
    if column.dtype.kind in "iu":
        return _whole_numbers(column)
    if column.dtype.kind in "mM":
        floats, numeric = _whole_numbers(column.astype(np.int64))
        return np.where(np.isnat(column), np.nan, floats), numeric
    values = [None if is_missing(v) else v for v in column.tolist()]
    if all(v is None or isinstance(v, _NUMBERS) for v in values):
        floats = np.array([np.nan if v is None else v for v in values], dtype=np.float64)
        if not (np.abs(floats) >= _EXACT).any() or len(np.unique(floats)) == len(set(values)):
            return floats, True
    codes: dict[Any, int] = {}
    try:
        return np.array([codes.setdefault(v, len(codes)) for v in values], dtype=np.float64), False
    except TypeError:
        wrong = next(v for v in values if getattr(v, "__hash__", None) is None)
        raise ValueError(
            "X must hold a number, a word or the like in each of its cells; got "
            f"{wrong!r}, a {type(wrong).__name__}."
        ) from None


def _whole_numbers(column: np.ndarray) -> tuple[np.ndarray, bool]:
    """Numbers, but codes where floats would make one of several: row numbers of 18 digits."""
    floats = column.astype(np.float64)
    if (np.abs(floats) >= _EXACT).any():
        distinct, codes = np.unique(column, return_inverse=True)
        if len(np.unique(floats)) < len(distinct):
            return codes.ravel().astype(np.float64), False
    return floats, True
