"""One query pushed into the engine that holds the data: only a small table comes back."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from skmetrics_ext._labels import Column
from skmetrics_ext.counts._engine_frame import (
    check_max_cells,
    check_missing,
    collected,
    open_frame,
)
from skmetrics_ext.counts._engine_query import Derived, Question
from skmetrics_ext.counts._engine_table import (
    check_weights,
    in_order,
    key_column,
    lacking,
    numbers,
    refuse_missing,
    refuse_negative,
)

__all__ = ["Cells", "Derived", "grouped", "require_rows"]


@dataclass(frozen=True)
class Cells:
    """What came back: one entry for every combination of keys that has rows, sorted by keys.

    Attributes
    ----------
    keys : dict {parameter: Column}
        The codes of all cells, and the few values behind them: sorted, or in their dtype's
        order (unused levels included). ``c.values[c.codes - c.offset]`` has a value per cell.
    n : ndarray of int64
        Rows, at least 1; rows with missing values are not among them.
    w, w2 : ndarray of float64
        Sums of weights and of squared weights; without weights both are ``n``.
    sums : dict {parameter: ndarray}
        Sums of weight times column.
    least, greatest : dict {name: ndarray}
        The least and the greatest value of a column.
    dropped : int
        Rows left out for missing values, each counted once.
    """

    keys: dict[str, Column]
    n: np.ndarray
    w: np.ndarray
    w2: np.ndarray
    sums: dict[str, np.ndarray]
    least: dict[str, np.ndarray]
    greatest: dict[str, np.ndarray]
    dropped: int


def grouped(
    frame: Any,
    keys: Mapping[str, str | Derived],
    *,
    labels: Collection[str] = (),
    sample_weight: str | None = None,
    sums: Mapping[str, str] | None = None,
    extremes: Mapping[str, str] | None = None,
    missing: str = "raise",
    max_cells: int = 1_000_000,
    advice: str = "Are scores or identifiers among the columns?",
    part: bool = False,
) -> Cells:
    """Count the rows of a frame by its keys, in one query of its own engine.

    Parameters
    ----------
    frame : any frame that narwhals knows, eager or lazy
    keys : mapping {parameter: column name or Derived}
        What to group by; the parameters' names stand in the errors.
    labels : collection of str
        Which of the keys hold class labels: there, floats that are not whole are refused.
    sample_weight : str, default=None
        The column of weights.
    sums : mapping {parameter: column name}, default=None
        Columns to sum, times the weight.
    extremes : mapping {name: column name}, default=None
        Columns of numbers whose least and greatest value in each cell is wanted. A value that
        is missing is left out: make the column a key as well where it must not be.
    missing : {"raise", "drop"}, default="raise"
        What becomes of rows with a null or NaN in a key, or a null, NaN or infinity in the
        weight or in a column to sum.
    max_cells : int, default=1_000_000
        The most cells that may come back; the query asks for one more, and stops there.
    advice : str
        What to do where there are more: the end of that error's message.
    part : bool, default=False
        Whether these are part of the rows, which may hold none, or none with weight. Whoever
        has put all parts together calls `require_rows`.

    Returns
    -------
    Cells

    Raises
    ------
    TypeError
        Where the frame is none, or a column's name is no str.
    ValueError
        Where a column is not there, is of the wrong type, has missing values or no rows,
        where weights are negative or all zero, or where more than ``max_cells`` come back.
    """
    check_missing(missing)
    check_max_cells(max_cells)
    question = Question(keys, labels, sample_weight, dict(sums or {}), dict(extremes or {}))
    source = open_frame(frame)
    if source.empty:
        question.needed(source)
        nothing = _nothing(question, 0)
        return nothing if part else require_rows(nothing)
    selected = question.selected(source)
    schema = selected.collect_schema()
    dtypes = {parameter: schema[name] for parameter, name in question.key_names.items()}
    try:
        table = collected(question.grouped(selected).head(int(max_cells) + 1))
    except TypeError as error:
        if "unhashable" not in str(error):
            raise
        # pandas and Dask do not say before that a column of objects holds lists.
        raise ValueError(
            f"{question.said(keys)} must hold one plain value per row: {error}."
        ) from None
    whole, dropped = _complete(table, question) if len(table) else (table, 0)

    def column(parameter: str) -> Column:
        series = whole[question.key_names[parameter]]
        return key_column(series, dtypes[parameter], parameter, key=parameter not in labels)

    if len(table) > max_cells:
        for parameter in labels:
            if len(whole) and dtypes[parameter].is_float():
                column(parameter)  # scores passed as labels are the reason: say that first
        raise ValueError(
            f"more than max_cells={max_cells:,} combinations of {question.said(keys)} came back. "
            f"{advice}"
        )
    if dropped and missing == "raise":
        _refuse(table, question, dropped)
    if len(whole) == 0:
        nothing = _nothing(question, dropped)
        return nothing if part else require_rows(nothing)
    columns = {parameter: column(parameter) for parameter in keys}
    order = in_order(columns)

    def ordered(name: str) -> np.ndarray:
        return numbers(whole[name])[order]

    n = ordered("usable" if question.weighted else "rows").astype(np.int64)
    w = w2 = n.astype(np.float64)
    if question.weighted:
        w, w2 = ordered("w"), ordered("w2")
        refuse_negative(ordered("lowest"))
    cells = Cells(
        {p: Column(c.codes[order], 0, c.values, c.order) for p, c in columns.items()},
        n,
        w,
        w2,
        {parameter: ordered(name) for parameter, name in question.sum_names.items()},
        {name: ordered(f"least_{k}") for k, name in enumerate(question.extremes)},
        {name: ordered(f"greatest_{k}") for k, name in enumerate(question.extremes)},
        dropped,
    )
    return cells if part else require_rows(cells)


def require_rows(cells: Cells, name: str = "frame") -> Cells:
    """The cells themselves; those of no rows, or of rows without weight, are an error."""
    if len(cells.n) == 0 and cells.dropped:
        raise ValueError(f"every row has a missing value ({cells.dropped} rows): nothing is left.")
    if len(cells.n) == 0:
        raise ValueError(f"{name} has no rows: at least one is needed.")
    check_weights(cells.w, cells.w2)
    return cells


def _nothing(question: Question, dropped: int) -> Cells:
    """No cells."""
    no_rows = np.zeros(0)
    return Cells(
        {p: Column(np.zeros(0, np.intp), 0, np.zeros(0, object)) for p in question.keys},
        np.zeros(0, np.int64),
        no_rows,
        no_rows,
        dict.fromkeys(question.sums, no_rows),
        dict.fromkeys(question.extremes, no_rows),
        dict.fromkeys(question.extremes, no_rows),
        dropped,
    )


def _complete(table: nw.DataFrame[Any], question: Question) -> tuple[nw.DataFrame[Any], int]:
    """The cells that have rows with nothing missing, and how many rows lack something."""
    rows, usable = _rows(table, question)
    keyed = ~np.any([lacking(table[name]) for name in question.key_names.values()], axis=0)
    kept = keyed & (usable > 0)
    return table.filter(kept.tolist()), int(rows.sum() - usable[keyed].sum())


def _refuse(table: nw.DataFrame[Any], question: Question, dropped: int) -> None:
    rows, usable = _rows(table, question)
    where = {
        question.said([parameter]): int(rows[lacking(table[name])].sum())
        for parameter, name in question.key_names.items()
    }
    measured = [] if question.sample_weight is None else ["sample_weight"]
    where[question.said([*measured, *question.sums])] = int((rows - usable).sum())
    refuse_missing(dropped, where)


def _rows(table: nw.DataFrame[Any], question: Question) -> tuple[np.ndarray, np.ndarray]:
    """The rows of each cell, and those of them whose weight and amounts can be used.

    As int64: Polars counts in UInt32, whose differences wrap around.
    """
    rows = numbers(table["rows"]).astype(np.int64)
    return rows, numbers(table["usable"]).astype(np.int64) if question.weighted else rows
