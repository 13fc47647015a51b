"""Batches of rows, counted one after the other as if they were one frame."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sized
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw

from skmetrics_ext.counts._batches_cells import merged_cells
from skmetrics_ext.counts._engine import Cells, Derived, grouped, require_rows
from skmetrics_ext.counts._engine_frame import check_max_cells, check_missing
from skmetrics_ext.counts._engine_query import Question
from skmetrics_ext.counts._progress import Progress

__all__ = ["Batches", "cells_of"]

# Cells of several batches are put together when there are as many as this, or twice as many as
# the last time: that takes a time in proportion to all cells, and no more memory than two.
_FIRST_MERGE = 1 << 16


@dataclass(frozen=True)
class Batches:
    """Frames one after the other, and whether to show how far their count is."""

    frames: Iterable[Any]
    progress: bool


def cells_of(
    frame: Any, keys: Mapping[str, str | Derived], *, max_cells: int, advice: str, **how: Any
) -> Cells:
    """What `grouped` finds in a frame, or in all frames of `Batches` together."""
    if not isinstance(frame, Batches):
        return grouped(frame, keys, max_cells=max_cells, advice=advice, **how)
    check_missing(how["missing"])
    check_max_cells(max_cells)
    frames = _iterable(frame.frames)
    parts: list[Cells] = []
    merge_at = _FIRST_MERGE

    def merged(number: int) -> list[Cells]:
        cells = merged_cells(parts, how["labels"])
        if len(cells.n) > max_cells:
            said = Question(keys, (), None, {}, {}).said(keys)
            raise ValueError(
                f"more than max_cells={max_cells:,} combinations of {said} came from the first "
                f"{number} batches. {advice}"
            )
        return [cells]

    number = 0
    total = len(frames) if isinstance(frames, Sized) else None
    with Progress(total, shown=frame.progress) as progress:
        for number, batch in enumerate(frames, start=1):
            try:
                part = grouped(
                    _frame(batch), keys, max_cells=max_cells, advice=advice, part=True, **how
                )
            except Exception as error:
                error.add_note(f"That was batch {number}, counted from 1.")
                raise
            parts.append(part)
            if sum(len(cells.n) for cells in parts) > merge_at:
                parts = merged(number)
                merge_at = max(_FIRST_MERGE, 2 * len(parts[0].n))
            progress.advance(int(part.n.sum()) + part.dropped)
    if number == 0:
        raise ValueError("batches has no frames: at least one is needed.")
    (cells,) = merged(number)
    return require_rows(cells, "batches")


def _iterable(batches: Any) -> Iterable[Any]:
    opened = nw.from_native(batches, pass_through=True)
    if isinstance(opened, (nw.DataFrame, nw.LazyFrame)):
        raise TypeError(
            f"batches must be an iterable of frames; got one frame, a {type(batches).__name__}: "
            "from_frame counts it, wherever it is."
        )
    if isinstance(batches, (str, bytes, Mapping)) or not isinstance(batches, Iterable):
        raise TypeError(
            "batches must be an iterable of frames, such as the iter_batches() of a Parquet "
            f"file; got {type(batches).__name__}."
        )
    return batches


def _frame(batch: Any) -> Any:
    """The batch, a record batch as the table of itself alone."""
    pyarrow = nw.dependencies.get_pyarrow()
    if pyarrow is not None and isinstance(batch, pyarrow.RecordBatch):
        return pyarrow.Table.from_batches([batch])
    return batch
