"""A file as a lazy frame: CSV, Parquet or the standard input, read by Polars."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["BadDataError", "Source", "opened"]

# Up to here rows are read whole, and thresholds can be cross-fitted and mistakes listed.
_MOST_BYTES = 100_000_000
_MOST_ROWS = 2_000_000
_COPIED = 1 << 20


class BadDataError(Exception):
    """What is wrong with the data, in one sentence."""


@dataclass(frozen=True)
class Source:
    """A table that has not been read yet.

    Attributes
    ----------
    frame : polars.LazyFrame
    columns : dict {name: dtype}
    small : bool
        Whether all rows of a few columns fit into memory without a thought.
    name : str
        The file, as the user called it.
    """

    frame: Any
    columns: dict[str, Any]
    small: bool
    name: str

    def require(self, **wanted: str | None) -> None:
        """Raise where a column is not there; the message lists those that are."""
        for option, column in wanted.items():
            if column is None:
                continue
            if column not in self.columns:
                raise BadDataError(
                    f"--{option} {column}: {self.name} has no such column; its columns are "
                    f"{', '.join(map(_shown, self.columns))}."
                )
            # Polars renames the second one so.
            if f"{column}_duplicated_0" in self.columns:
                raise BadDataError(
                    f"--{option} {column}: {self.name} has more than one column of that name."
                )

    def require_numbers(self, **wanted: str | None) -> None:
        """Raise where a column holds no numbers; the message shows what it holds."""
        import polars as pl

        self.require(**wanted)
        for option, column in wanted.items():
            if column is None:
                continue
            dtype = self.columns[column]
            if dtype.is_numeric() or dtype == pl.Boolean:
                continue
            values = self.rows([column])[column].drop_nulls()
            if dtype == pl.String:
                values = values.filter(values.cast(pl.Float64, strict=False).is_null())
            found = f", such as {values[0]!r}" if len(values) else ""
            raise BadDataError(
                f"--{option} {column}: the column holds no numbers ({dtype}){found}."
            )

    def rows(self, columns: Sequence[str]) -> Any:
        """The rows of these columns, read."""
        return self.frame.select(list(dict.fromkeys(columns))).collect()


@contextmanager
def opened(name: str, *, separator: str, decimal_comma: bool) -> Iterator[Source]:
    """The file, or what comes through a pipe, which is kept in a file meanwhile."""
    path = Path(name)
    if name != "-" and (path.is_file() or path.is_dir() or not path.exists()):
        yield _source(path, name, separator, decimal_comma)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kept"
        with path.open("wb") as file, _pipe(name) as pipe:
            while piece := pipe.read(_COPIED):
                file.write(piece)
        yield _source(path, "the standard input" if name == "-" else name, separator, decimal_comma)


def _pipe(name: str) -> Any:
    if name != "-":
        return open(name, "rb")
    if sys.stdin is None:
        raise BadDataError("the standard input is closed.")
    return nullcontext(sys.stdin.buffer)


def _source(path: Path, name: str, separator: str, decimal_comma: bool) -> Source:
    import polars as pl

    if not path.is_file():
        problem = "is a folder" if path.is_dir() else "there is no such file"
        raise BadDataError(f"{name}: {problem}.")
    size = os.path.getsize(path)
    if size == 0:
        raise BadDataError(f"{name} is empty.")
    try:
        if _is_parquet(path):
            frame = pl.scan_parquet(path)
            frame = _as_labels(frame)
            rows = frame.select(pl.len()).collect().item()
        else:
            frame = pl.scan_csv(
                path,
                separator=separator,
                decimal_comma=decimal_comma,
                infer_schema_length=None if size <= _MOST_BYTES else 10_000,
            )
            frame = _as_labels(frame)
            rows = None
        columns = dict(frame.collect_schema())
    except (pl.exceptions.PolarsError, OSError) as error:
        raise BadDataError(f"{name} cannot be read: {_first_line(error)}") from error
    if rows == 0:
        raise BadDataError(f"{name} holds no rows.")
    small = rows <= _MOST_ROWS if rows is not None else size <= _MOST_BYTES
    return Source(frame, columns, small, name)


def _as_labels(frame: Any) -> Any:
    """Types that nothing here counts by, as words or numbers: dates, decimals, long integers."""
    import polars as pl

    into: dict[str, Any] = {}
    for name, dtype in frame.collect_schema().items():
        if dtype.base_type() in (pl.Date, pl.Datetime, pl.Time) or str(dtype) == "Int128":
            into[name] = pl.String
        elif dtype.is_decimal():
            into[name] = pl.Float64
    return frame.cast(into) if into else frame


def _shown(column: str) -> str:
    return column if column == column.strip() != "" and column.isprintable() else repr(column)


def _is_parquet(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"PAR1"


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0]
