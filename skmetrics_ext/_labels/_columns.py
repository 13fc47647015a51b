"""A column of values, grouped: integer codes and the few distinct values behind them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

__all__ = ["Column", "group_column", "is_missing", "refuse_masked"]

# Integers are their own codes while their range stays below this; wider ones are looked up.
_WIDEST_RANGE = 1 << 11
_HEAD = 4096


@dataclass(frozen=True)
class Column:
    """Row r holds ``values[codes[r] - offset]``.

    ``values`` may contain values that no row holds (the gaps in a range of integers, the
    unused levels of a categorical): a caller who counts sees which ones are empty.
    ``order`` holds all levels of an ordered dtype, in their order, else None.
    """

    codes: np.ndarray
    offset: int
    values: np.ndarray
    order: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.codes)

    def seen(self) -> np.ndarray:
        """Which of ``values`` some row holds."""
        shifted = self.codes.astype(np.intp, copy=False) - self.offset
        return np.bincount(shifted, minlength=len(self.values)) > 0


def group_column(y: Any, *, name: str, key: bool = False) -> Column:
    """Group a column: lists, numpy, pandas, polars and pyarrow, of any label type.

    With ``key=True`` the column is a key (subgroups, clusters) and may hold any number of any
    kind; else it holds class labels, and floats that are not whole are refused.

    Raises
    ------
    ValueError
        Where the column is empty, two-dimensional, has missing values (their number is in
        the message), mixes words with numbers, or is continuous.
    TypeError
        Where the labels are bytes, as scikit-learn does.
    """
    column = _group(y, name, key)
    if len(column.codes) == 0:
        raise ValueError(f"{name} is empty: at least one row is needed.")
    return column


def refuse_masked(y: np.ndarray, name: str) -> np.ndarray:
    """The array itself; one that masks values is missing them."""
    if isinstance(y, np.ma.MaskedArray):
        masked = int(np.ma.getmaskarray(y).sum())
        if masked:
            _raise_missing(name, masked)
        return np.asarray(y)
    return y


def _group(y: Any, name: str, key: bool) -> Column:
    if isinstance(y, np.ndarray):
        return _group_array(refuse_masked(y, name), name, key)
    if isinstance(y, (list, tuple)):
        return _group_objects(list(y), name, key)
    if isinstance(y, (str, bytes, dict, set)) or np.isscalar(y) or y is None:
        raise ValueError(f"{name} must be a one-dimensional array of labels; got {y!r}.")
    series = nw.from_native(y, series_only=True, pass_through=True)
    if isinstance(series, nw.Series):
        return _group_series(series, name, key)
    if hasattr(y, "categories") and hasattr(y, "codes"):  # a bare pandas Categorical
        return _group_levels(
            np.asarray(y.codes), np.asarray(y.categories, dtype=object), bool(y.ordered), name
        )
    pyarrow = nw.dependencies.get_pyarrow()
    if pyarrow is not None and isinstance(y, pyarrow.Array):
        return _group(pyarrow.chunked_array([y]), name, key)
    return _group_array(np.asarray(y), name, key)


# ---------------------------------------------------------------------------------------------
# numpy


def _group_array(y: np.ndarray, name: str, key: bool) -> Column:
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    if y.ndim != 1:
        raise ValueError(
            f"{name} must be one-dimensional, one label per row (multilabel and multioutput "
            f"targets are not supported); got an array of shape {y.shape}."
        )
    kind = y.dtype.kind
    if kind == "b":
        return Column(y.view(np.int8), 0, np.array([False, True]))
    if kind in "iu":
        return _group_integers(y)
    if kind == "f":
        return _group_floats(y, name, key)
    if kind == "U":
        return _group_sorted(y)
    if kind == "S":
        raise TypeError(f"{name} holds bytes; decode the labels to str first.")
    if kind == "c":
        raise ValueError(f"{name} holds complex numbers, which are not labels.")
    return _group_objects(y.tolist() if kind != "M" else _moments(y, name), name, key)


def _moments(y: np.ndarray, name: str) -> list[Any]:
    """datetime64 as datetime objects, which know no nanoseconds; None where it is NaT."""
    micro = y.astype("datetime64[us]")
    if ((micro.astype(y.dtype) != y) & ~np.isnat(y)).any():
        raise ValueError(f"{name} holds times finer than a microsecond; round them first.")
    return micro.tolist()


def _group_integers(y: np.ndarray) -> Column:
    if len(y) == 0:
        return Column(y.astype(np.intp), 0, y)
    low, high = int(y.min()), int(y.max())
    if high - low < _WIDEST_RANGE and low > -(2**31) and high < 2**31:
        codes = y if y.dtype.itemsize < 8 or y.dtype.kind == "i" else y.astype(np.intp)
        return Column(codes, low, np.arange(low, high + 1, dtype=np.int64))
    return _group_sorted(y)


def _group_floats(y: np.ndarray, name: str, key: bool) -> Column:
    missing = np.isnan(y)
    if missing.any():
        _raise_missing(name, int(missing.sum()))
    if not key:
        # A glance at the head spares the sort of a million scores passed by mistake.
        for part in (y[:_HEAD], y):
            whole = part == np.floor(part)
            if not (whole & np.isfinite(part)).all():
                value = part[~(whole & np.isfinite(part))][0]
                raise ValueError(
                    f"{name} must hold class labels, but it is continuous: it holds {value}, "
                    "which is not a whole number. Apply a threshold to scores first."
                )
    return _group_sorted(y)


def _group_sorted(y: np.ndarray) -> Column:
    """Codes by one binary search among the distinct values, which the head mostly shows."""
    values = np.unique(y[:_HEAD])
    if len(values) > _HEAD // 4:  # hardly repeated: sorting all at once is cheaper
        values = np.unique(y)
    while True:
        codes = np.searchsorted(values, y)
        np.minimum(codes, len(values) - 1, out=codes)
        new = values[codes] != y
        if not new.any():
            return Column(codes, 0, values)
        values = np.union1d(values, y[new])


# ---------------------------------------------------------------------------------------------
# Python objects


def _group_objects(values: list[Any], name: str, key: bool) -> Column:
    """Codes by a dictionary: objects are hashed once, and only the distinct ones are looked at."""
    types = set(map(type, values))
    if any(issubclass(t, (list, tuple, np.ndarray)) for t in types) and not key:
        raise ValueError(
            f"{name} must be one-dimensional, one label per row (multilabel and multioutput "
            f"targets are not supported); its first row is {values[0]!r}."
        )
    missing = [v for v in values if is_missing(v)] if types & _may_be_missing(types) else []
    if missing:
        _raise_missing(name, len(missing))
    if any(issubclass(t, (bytes, bytearray)) for t in types):
        raise TypeError(f"{name} holds bytes; decode the labels to str first.")
    if all(issubclass(t, _NUMBERS) for t in types):
        array = np.array(values)
        # Integers of more than 64 bits, or some of which need an unsigned type, become floats.
        exact = array.dtype.kind != "f" or any(issubclass(t, _FLOATS) for t in types)
        if array.dtype.kind in "biuf" and array.ndim == 1 and exact:
            return _group_array(array, name, key)
    words = [t for t in types if issubclass(t, str)]
    if words and len(words) < len(types) and not key:
        number = next(v for v in values if not isinstance(v, str))
        word = next(v for v in values if isinstance(v, str))
        raise ValueError(
            f"{name} mixes words and other labels: it holds {word!r} as well as {number!r}. "
            "Labels must be all words or all numbers."
        )
    distinct = dict.fromkeys(values)
    for code, value in enumerate(distinct):
        distinct[value] = code
    codes = np.fromiter(map(distinct.__getitem__, values), dtype=np.intp, count=len(values))
    return Column(codes, 0, _object_array(list(distinct)))


_NUMBERS = (bool, int, float, np.bool_, np.integer, np.floating)
_FLOATS = (float, np.floating)
_NEVER_MISSING = (bool, int, str, np.bool_, np.integer)


def _may_be_missing(types: set[type]) -> set[type]:
    return {t for t in types if not issubclass(t, _NEVER_MISSING)}


def is_missing(value: Any) -> bool:
    """Whether a value of an object column stands for none: None, NaN, pandas' NA and NaT."""
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return True
    return isinstance(value, (float, np.floating, np.datetime64)) and value != value


def _object_array(values: Sequence[Any]) -> np.ndarray:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _raise_missing(name: str, count: int) -> None:
    rows = "1 missing value" if count == 1 else f"{count} missing values"
    raise ValueError(
        f"{name} has {rows} (NaN or None). Drop those rows, or give them a label of their own, "
        "before counting."
    )


# ---------------------------------------------------------------------------------------------
# series: pandas, polars, pyarrow


def _group_series(series: nw.Series[Any], name: str, key: bool) -> Column:
    missing = int(series.null_count())
    dtype = series.dtype
    if dtype.is_float() and not missing:
        missing = int(series.is_nan().sum())
    if missing:
        _raise_missing(name, missing)
    native = series.to_native()
    if dtype == nw.Categorical or isinstance(dtype, nw.Enum):
        # An older polars calls the order of appearance in the process the order of a Categorical.
        arbitrary = series.implementation.is_polars() and dtype == nw.Categorical
        ordered = not arbitrary and nw.is_ordered_categorical(series)
        values = _object_array(series.cat.get_categories().to_list())
        return _group_levels(_level_codes(series, native), values, ordered, name)
    if dtype == nw.Boolean:
        return _group_array(series.to_numpy().astype(bool), name, key)
    if dtype.is_integer():
        array = series.to_numpy()
        return _group_array(array if array.dtype.kind in "iu" else array.astype(int), name, key)
    if dtype.is_float():
        return _group_array(series.to_numpy().astype(np.float64, copy=False), name, key)
    if dtype == nw.String:
        codes, words = _STRING_CODES.get(series.implementation, _hashed)(native)
        return Column(codes, 0, _object_array(words))
    return _group_objects(series.to_list(), name, key)


def _group_levels(codes: np.ndarray, values: np.ndarray, ordered: bool, name: str) -> Column:
    missing = int((codes < 0).sum())
    if missing:
        _raise_missing(name, missing)
    return Column(codes, 0, values, order=values if ordered else None)


def _level_codes(series: nw.Series[Any], native: Any) -> np.ndarray:
    if series.implementation.is_pandas_like():
        return native.cat.codes.to_numpy()
    if series.implementation.is_polars():
        levels = series.cat.get_categories().to_list()
        codes = native.to_physical().to_numpy()
        if isinstance(series.dtype, nw.Enum):
            return codes
        # The physical codes of a plain polars Categorical are shared by the whole process.
        column = _hashed(native)
        lookup = {word: code for code, word in enumerate(levels)}
        return np.array([lookup[word] for word in column[1]], dtype=np.intp)[column[0]]
    combined = native.combine_chunks() if hasattr(native, "combine_chunks") else native
    chunks = combined.chunks if hasattr(combined, "chunks") else [combined]
    return np.concatenate([np.asarray(chunk.indices) for chunk in chunks] or [np.zeros(0, int)])


def _pandas_strings(native: Any) -> tuple[np.ndarray, list[Any]]:
    codes, values = native.factorize()
    return codes, list(values)


def _polars_strings(native: Any) -> tuple[np.ndarray, list[Any]]:
    values = native.unique().sort()
    codes = native.replace_strict(values, range(len(values)), return_dtype=None)
    return codes.to_numpy(), values.to_list()


def _pyarrow_strings(native: Any) -> tuple[np.ndarray, list[Any]]:
    encoded = native.combine_chunks().dictionary_encode()
    chunk = encoded.chunk(0) if hasattr(encoded, "chunk") else encoded
    return np.asarray(chunk.indices), chunk.dictionary.to_pylist()


def _hashed(native: Any) -> tuple[np.ndarray, list[Any]]:
    column = _group_objects(list(native.to_list()), "y", True)
    return column.codes, column.values.tolist()


_STRING_CODES: dict[nw.Implementation, Callable[[Any], tuple[np.ndarray, list[Any]]]] = {
    nw.Implementation.PANDAS: _pandas_strings,
    nw.Implementation.POLARS: _polars_strings,
    nw.Implementation.PYARROW: _pyarrow_strings,
}
