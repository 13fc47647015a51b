"""The small table that a query brought back: what is missing in it, and what its cells are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from skmetrics_ext._labels import Column, group_column

__all__ = [
    "check_weights",
    "in_order",
    "key_column",
    "lacking",
    "numbers",
    "refuse_missing",
    "refuse_negative",
]


def numbers(series: nw.Series[Any]) -> np.ndarray:
    """A column of counts or sums as float64; NaN where there is none."""
    return np.asarray(series.cast(nw.Float64).to_numpy(), dtype=np.float64)


def lacking(series: nw.Series[Any]) -> np.ndarray:
    """Where a key is null or NaN."""
    missing = np.array(series.is_null().to_list(), dtype=bool)
    if series.dtype.is_float():
        missing |= np.array(series.is_nan().fill_null(True).to_list(), dtype=bool)
    return missing


def key_column(series: nw.Series[Any], dtype: Any, name: str, *, key: bool) -> Column:
    """The codes and the values of a key without missing values.

    ``dtype`` is its type in the data: an engine may bring levels back without their order.
    """
    if isinstance(dtype, nw.Enum):
        levels = list(dtype.categories)
        place = {level: code for code, level in enumerate(levels)}
        values = series.to_list()
        # Dask may know that there are categories, and not which: what came back is observed.
        known = all(value in place for value in values)
        if not known:
            return _sorted(group_column(values, name=name, key=key))
        codes = np.array([place[value] for value in values], dtype=np.intp)
        return Column(codes, 0, _objects(levels), order=_objects(levels))
    return _sorted(group_column(series.to_native(), name=name, key=key))


def in_order(columns: Mapping[str, Column]) -> np.ndarray:
    """The order of the cells by their keys, the first key first: engines promise none."""
    return np.lexsort([c.codes for c in list(columns.values())[::-1]])


def refuse_missing(rows: int, where: Mapping[str, int]) -> None:
    """Raise for rows with something missing, and say in which columns."""
    counted = ", ".join(f"{name} {count}" for name, count in where.items() if count)
    raise ValueError(
        f"{rows} {'row has' if rows == 1 else 'rows have'} a missing value (null or NaN; in "
        f"weights and amounts also infinity): {counted}. Fill or remove them, or pass "
        "missing='drop' to leave those rows out and count them."
    )


def refuse_negative(lowest: np.ndarray) -> None:
    """Refuse weights of which the lowest is negative."""
    if lowest.min() < 0:
        raise ValueError(
            f"sample_weight must not be negative; the lowest weight is {lowest.min()}."
        )


def check_weights(w: np.ndarray, w2: np.ndarray) -> None:
    """Refuse sums of weights that are all zero, or of a size that has no square."""
    if not w.any():
        raise ValueError("sample_weight must not be zero for every row: nothing would be counted.")
    if not 1e-280 < w2.max() < 1e280:
        raise ValueError(
            "sample_weight must be of a size that can be squared; the largest sum of squares is "
            f"{w2.max()}. Only the proportions of weights matter: rescale them."
        )


def _sorted(column: Column) -> Column:
    """The same with its values sorted, where they have no order of their own."""
    codes = column.codes.astype(np.intp, copy=False) - column.offset
    if column.order is not None:
        return Column(codes, 0, column.values, column.order)
    values = column.values.tolist()
    try:
        order = sorted(range(len(values)), key=values.__getitem__)
    except TypeError:  # kinds that cannot be compared: whoever needs an order says so
        return Column(codes, 0, column.values)
    place = np.empty(len(order), dtype=np.intp)
    place[order] = np.arange(len(order))
    return Column(place[codes], 0, column.values[order])


def _objects(values: list[Any]) -> np.ndarray:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
