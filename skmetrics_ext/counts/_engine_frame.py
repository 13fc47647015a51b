"""Any frame that narwhals knows, opened lazily: its columns checked, its query collected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

__all__ = ["Source", "check_max_cells", "check_missing", "collected", "open_frame"]

_MOST_NAMES = 30
# The first polars that names its streaming engine so.
_NAMES_STREAMING = (1, 25)


@dataclass(frozen=True)
class Source:
    """A lazy frame and the types of its columns; nothing of it is read.

    ``empty``: whether it is known, without a query, to have no rows.
    """

    frame: nw.LazyFrame[Any]
    schema: dict[str, Any]
    empty: bool = False

    def column(self, name: Any, parameter: str) -> nw.Expr:
        """A column by its name, which must be there; Decimals as Float64."""
        if not isinstance(name, str):
            raise TypeError(
                f"{parameter} must be the name of a column, a str; got {type(name).__name__}. For "
                "columns that are not in a frame there is from_predictions."
            )
        if name not in self.schema:
            raise ValueError(f"{parameter}={name!r} is no column of the frame; {self._listed()}.")
        dtype = self.schema[name]
        if dtype.is_nested():
            raise ValueError(
                f"{parameter} must hold one plain value per row; column {name!r} holds {dtype}."
            )
        column = nw.col(name)
        return column.cast(nw.Float64) if dtype == nw.Decimal else column

    def number(self, name: Any, parameter: str) -> nw.Expr:
        """A column of numbers as Float64: sums of narrower types overflow or lose digits."""
        column = self.column(name, parameter)
        dtype = self.schema[name]
        if not (dtype.is_numeric() or dtype in (nw.Boolean, nw.Object)):
            raise ValueError(f"{parameter} must hold numbers; column {name!r} holds {dtype}.")
        number = column.cast(nw.Float64)
        if dtype == nw.Object:  # pandas' alone, and cast right away
            try:
                self.frame.select(number)
            except (TypeError, ValueError) as error:
                raise ValueError(
                    f"{parameter} must hold numbers; column {name!r} holds other objects: {error}."
                ) from None
        return number

    def is_whole(self, name: str) -> bool:
        """Whether a column can hold neither NaN nor infinity."""
        dtype = self.schema[name]
        return bool(dtype.is_integer() or dtype == nw.Boolean)

    def _listed(self) -> str:
        names = list(self.schema)
        more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
        return f"its columns are {names[:_MOST_NAMES]}{more}"


def open_frame(frame: Any) -> Source:
    """The frame, made lazy.

    Raises
    ------
    TypeError
        Where it is no frame that narwhals knows.
    """
    try:
        opened = nw.from_native(frame)
    except TypeError:
        raise TypeError(
            "frame must be a pandas, Polars, PyArrow, DuckDB, Dask or PySpark frame, or another "
            f"that narwhals knows; got {type(frame).__name__}. For arrays and lists there is "
            "from_predictions."
        ) from None
    empty = isinstance(opened, nw.DataFrame) and len(opened) == 0
    if opened.implementation.is_pyarrow():
        # Chunks with dictionaries of their own, such as row groups of Parquet, do not group.
        opened = nw.from_native(opened.to_native().unify_dictionaries())
    lazy = opened.lazy()
    return Source(lazy, dict(lazy.collect_schema()), empty)


def collected(query: nw.LazyFrame[Any]) -> nw.DataFrame[Any]:
    """The result of a query; Polars in its streaming engine, which needs no more than a part."""
    if query.implementation.is_polars():
        version = query.implementation.to_native_namespace().__version__
        if tuple(map(int, version.split(".")[:2])) < _NAMES_STREAMING:
            # Some of these panic where a limit above the number of groups is pushed into them.
            return query.collect(streaming=True, slice_pushdown=False)
        return query.collect(engine="streaming")
    return query.collect()


def check_missing(missing: Any) -> None:
    """What to do with rows that lack something."""
    if missing not in ("raise", "drop"):
        raise ValueError(f"missing must be 'raise' or 'drop'; got {missing!r}.")


def check_max_cells(max_cells: Any) -> None:
    """A whole number of cells, 1 or more."""
    whole = isinstance(max_cells, (int, np.integer)) and not isinstance(max_cells, bool)
    if not whole or max_cells < 1:
        raise ValueError(f"max_cells must be a whole number, 1 or more; got {max_cells!r}.")
