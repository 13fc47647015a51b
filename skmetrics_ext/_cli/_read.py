"""A file as a lazy frame: CSV, Parquet or the standard input, read by Polars."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
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
            if column is not None and column not in self.columns:
                raise BadDataError(
                    f"--{option} {column}: {self.name} has no such column; its columns are "
                    f"{', '.join(self.columns)}."
                )

    def rows(self, columns: Sequence[str]) -> Any:
        """The rows of these columns, read."""
        return self.frame.select(list(dict.fromkeys(columns))).collect()


@contextmanager
def opened(name: str, *, separator: str, decimal_comma: bool) -> Iterator[Source]:
    """The file, or what comes on the standard input, which is kept in a file meanwhile."""
    if name != "-":
        yield _source(Path(name), name, separator, decimal_comma)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "standard-input"
        with path.open("wb") as file:
            while piece := sys.stdin.buffer.read(_COPIED):
                file.write(piece)
        yield _source(path, "the standard input", separator, decimal_comma)


def _source(path: Path, name: str, separator: str, decimal_comma: bool) -> Source:
    import polars as pl

    if not path.is_file():
        raise BadDataError(f"{name}: there is no such file.")
    size = os.path.getsize(path)
    if size == 0:
        raise BadDataError(f"{name} is empty.")
    try:
        if _is_parquet(path):
            frame = pl.scan_parquet(path)
            columns = dict(frame.collect_schema())
            rows = frame.select(pl.len()).collect().item()
        else:
            frame = pl.scan_csv(
                path,
                separator=separator,
                decimal_comma=decimal_comma,
                infer_schema_length=10_000,
            )
            columns = dict(frame.collect_schema())
            rows = None
    except (pl.exceptions.PolarsError, OSError) as error:
        raise BadDataError(f"{name} cannot be read: {_first_line(error)}") from error
    if rows == 0:
        raise BadDataError(f"{name} holds no rows.")
    small = rows <= _MOST_ROWS if rows is not None else size <= _MOST_BYTES
    return Source(frame, columns, small, name)


def _is_parquet(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"PAR1"


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0]
