"""Counted cells of several batches, put together: the same combinations add up."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress

import numpy as np

from skmetrics_ext._labels import Column
from skmetrics_ext.counts._engine import Cells
from skmetrics_ext.counts._engine_table import in_order

__all__ = ["merged_cells"]


def merged_cells(parts: Sequence[Cells], labels: Collection[str]) -> Cells:
    """The cells of all rows together.

    Values that only some batches have are values of the whole; whole numbers that came as
    floats, for want of a missing one, are whole numbers. ``labels`` are the keys whose order
    matters: where two batches order them differently that is an error.
    """
    dropped = sum(part.dropped for part in parts)
    filled = [part for part in parts if len(part.n)] or list(parts[:1])
    first = filled[0]
    keys = {p: _joined([part.keys[p] for part in filled], p, p in labels) for p in first.keys}
    order = in_order(keys)
    codes = np.stack([column.codes[order] for column in keys.values()])
    new = (codes[:, 1:] != codes[:, :-1]).any(axis=0)
    starts = np.concatenate([[0], np.flatnonzero(new) + 1])[: codes.shape[1]]

    def at_starts(parts: list[np.ndarray], reduce: np.ufunc) -> np.ndarray:
        values = np.concatenate(parts)[order]
        return reduce.reduceat(values, starts) if len(values) else values

    def added(name: str) -> np.ndarray:
        return at_starts([getattr(part, name) for part in filled], np.add)

    def each(name: str, reduce: np.ufunc) -> dict[str, np.ndarray]:
        return {
            key: at_starts([getattr(part, name)[key] for part in filled], reduce)
            for key in getattr(first, name)
        }

    return Cells(
        {
            p: Column(column.codes[order][starts], 0, column.values, column.order)
            for p, column in keys.items()
        },
        added("n"),
        added("w"),
        added("w2"),
        each("sums", np.add),
        each("least", np.minimum),
        each("greatest", np.maximum),
        dropped,
    )


def _joined(columns: Sequence[Column], name: str, is_label: bool) -> Column:
    """The columns one below the other."""
    orders = [None if c.order is None else c.order.tolist() for c in columns]
    known = [order for order in orders if order is not None]
    same = all(order == known[0] for order in known)
    if is_label and not same:
        other = next(order for order in known if order != known[0])
        raise ValueError(
            f"{name} is ordered differently from batch to batch: {known[0]} against {other}. "
            "Give all batches the same categories."
        )
    if len(known) == len(columns) and same:
        codes = [c.codes - c.offset for c in columns]
        return Column(np.concatenate(codes), 0, columns[0].values, columns[0].order)
    values = _union([c.values for c in columns])
    if values.dtype.kind == "O":
        place = {value: k for k, value in enumerate(values.tolist())}
        places = [np.array([place[v] for v in c.values.tolist()], dtype=np.intp) for c in columns]
    else:
        places = [np.searchsorted(values, c.values.astype(values.dtype)) for c in columns]
    codes = [place[c.codes - c.offset] for c, place in zip(columns, places, strict=True)]
    return Column(np.concatenate(codes), 0, values)


def _union(parts: Sequence[np.ndarray]) -> np.ndarray:
    """All values once, sorted where they can be."""
    numbers = [_whole(part) for part in parts] if _mixed(parts) else list(parts)
    kinds = {part.dtype.kind for part in numbers}
    if kinds <= set("biuf"):
        joined = np.concatenate(numbers)
        # Integers with and without a sign would become floats, which do not hold all of them.
        if joined.dtype.kind in kinds:
            return np.unique(joined)
    values = list(dict.fromkeys(value for part in numbers for value in part.tolist()))
    with suppress(TypeError):  # kinds that cannot be compared: whoever needs an order says so
        values = sorted(values)
    union = np.empty(len(values), dtype=object)
    union[:] = values
    return union


def _mixed(parts: Sequence[np.ndarray]) -> bool:
    """Whether whole numbers came as floats from some batches and as they are from others."""
    kinds = {part.dtype.kind for part in parts}
    whole = [part for part in parts if part.dtype.kind == "f"]
    return bool(kinds & set("iu")) and all(
        (np.isfinite(part) & (part == np.floor(part))).all() for part in whole
    )


def _whole(part: np.ndarray) -> np.ndarray:
    return part.astype(np.int64) if part.dtype.kind == "f" else part
