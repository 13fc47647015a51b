"""Rows to tables: one group-by, whatever the columns hold."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from skmetrics_ext._labels import Classes, Column, decide_classes, group_column, refuse_masked

__all__ = [
    "ClusterCells",
    "Tables",
    "check_sample_weight",
    "check_size",
    "count_cells",
    "count_paired_rows",
    "count_rows",
    "name_groups",
]

_BLOCK = 1 << 15
_PARTS = 16
_MOST_RAW_CELLS = 1 << 22
_MOST_BYTES = 1 << 30


@dataclass(frozen=True)
class ClusterCells:
    """The weight ``w`` that each cluster has in each flat cell where it has rows."""

    names: tuple[Any, ...]
    cluster: np.ndarray
    cell: np.ndarray
    w: np.ndarray


@dataclass(frozen=True)
class Tables:
    """Counted rows: tables ``(K, A)``, ``(G, K, A)`` or ``(K, A, A)``, and what their axes mean."""

    n: np.ndarray
    w: np.ndarray
    w2: np.ndarray
    classes: Classes
    groups: tuple[Any, ...] | None = None
    clusters: ClusterCells | None = None
    amount: np.ndarray | None = None


def count_rows(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    known: Any = None,
    actions: Any = None,
    sample_weight: Any = None,
    by: Any = None,
    clusters: Any = None,
    names: tuple[str, str] = ("y_true", "y_pred"),
) -> Tables:
    """Count the rows of every (group, truth, answer): validate, count, then name the axes.

    ``labels`` are the classes in their order; ``known`` only adds classes that no row has.
    """
    columns = [group_column(y_true, name=names[0]), group_column(y_pred, name=names[1])]
    said = list(names)
    if by is not None:
        columns.insert(0, group_column(by, name="by", key=True))
        said.insert(0, "by")
    columns, weights, raw, seen = _counted(columns, said, sample_weight)
    cluster = None if clusters is None else _cluster_column(clusters, columns)
    return _alone(columns, weights, raw, seen, cluster, labels, known, actions, names)


def _alone(
    columns: list[Column],
    weights: np.ndarray | None,
    raw: Sequence[np.ndarray],
    seen: Sequence[np.ndarray],
    cluster: Column | None,
    labels: Any,
    known: Any,
    actions: Any,
    names: tuple[str, str] = ("y_true", "y_pred"),
) -> Tables:
    """The tables of truth and answer, the subgroups before them where there are three columns."""
    classes = decide_classes(
        columns[-2],
        columns[-1],
        seen[-2],
        seen[-1],
        labels=labels,
        known=known,
        actions=actions,
        names=names,
    )
    shape = [len(classes.labels), len(classes.actions)]
    places = [classes.true_index, classes.pred_index]
    groups = None
    if len(columns) > 2:
        groups, place = name_groups(columns[0], seen[0])
        places.insert(0, place)
        shape.insert(0, len(groups))
    n, w, w2, *amount = _named(raw, places, seen, shape)
    cells = None
    if cluster is not None:
        cells = _cluster_cells(columns, places, shape, cluster, weights)
    return Tables(n, w, w2, classes, groups, cells, *amount)


def count_paired_rows(
    y_true: Any,
    y_pred_a: Any,
    y_pred_b: Any,
    *,
    labels: Any = None,
    actions: Any = None,
    sample_weight: Any = None,
    clusters: Any = None,
) -> Tables:
    """Count the rows of every (truth, answer of A, answer of B): tables (K, A, A)."""
    names = ["y_true", "y_pred_a", "y_pred_b"]
    given = zip((y_true, y_pred_a, y_pred_b), names, strict=True)
    columns = [group_column(y, name=name) for y, name in given]
    columns, weights, raw, seen = _counted(columns, names, sample_weight)
    cluster = None if clusters is None else _cluster_column(clusters, columns)
    return _paired(columns, weights, raw, seen, cluster, labels, actions)


def _paired(
    columns: list[Column],
    weights: np.ndarray | None,
    raw: Sequence[np.ndarray],
    seen: Sequence[np.ndarray],
    cluster: Column | None,
    labels: Any,
    actions: Any,
) -> Tables:
    """The tables of one truth and two answers."""
    names = ["y_true", "y_pred_a", "y_pred_b"]
    classes, places = _paired_classes(columns, seen, names, labels, actions)
    shape = [len(classes.labels), len(classes.actions), len(classes.actions)]
    n, w, w2 = _named(raw, places, seen, shape)
    cells = None
    if cluster is not None:
        cells = _cluster_cells(columns, places, shape, cluster, weights)
    return Tables(n, w, w2, classes, None, cells)


def count_cells(
    keys: Mapping[str, Column],
    sums: Sequence[np.ndarray],
    *,
    labels: Any = None,
    actions: Any = None,
) -> Tables:
    """Tables from rows that an engine has counted already.

    ``keys`` holds y_true and y_pred, or y_pred_a and y_pred_b, and perhaps by and clusters;
    ``sums`` their n, w, w2 and perhaps the amounts, one number for each combination.
    """
    given = dict(keys)
    cluster = given.pop("clusters", None)
    order = [k for k in ("by", "y_true", "y_pred", "y_pred_a", "y_pred_b") if k in given]
    columns = _compressed([given[k] for k in order])
    check_size([len(c.values) for c in columns], f"{', '.join(order[:-1])} and {order[-1]}")
    raw = [_bincount(columns, each) for each in sums]
    raw[0] = raw[0].astype(np.int64)
    seen = [_any_but(raw[0], axis) for axis in range(len(columns))]
    if "y_pred_b" in given:
        return _paired(columns, sums[1], raw, seen, cluster, labels, actions)
    return _alone(columns, sums[1], raw, seen, cluster, labels, None, actions)


def _paired_classes(
    columns: Sequence[Column],
    seen: Sequence[np.ndarray],
    names: Sequence[str],
    labels: Any,
    actions: Any,
) -> tuple[Classes, list[np.ndarray]]:
    """The classes of one truth and two answers, and the place of each column's values."""

    def decide(i: int, j: int, **more: Any) -> Classes:
        pair = columns[i], columns[j], seen[i], seen[j]
        return decide_classes(*pair, names=(names[i], names[j]), **more)

    in_order = [columns[k].order is not None for k in (1, 2)]
    if all(in_order):
        decide(1, 2)  # refuses two different orders
    # The answer that brings an order decides; the other one only adds what it alone holds.
    first, second = (2, 1) if in_order == [False, True] else (1, 2)
    decide(0, second, labels=labels, actions=actions)
    more = columns[second].values[seen[second]]
    one = decide(0, first, labels=labels, known=more, actions=actions)
    two = decide(0, second, labels=one.labels, actions=actions)
    of_answer = {first: one.pred_index, second: two.pred_index}
    return one, [one.true_index, of_answer[1], of_answer[2]]


def _counted(
    columns: list[Column], names: Sequence[str], sample_weight: Any
) -> tuple[list[Column], np.ndarray | None, list[np.ndarray], list[np.ndarray]]:
    """The columns, the weights, the raw tables (n, or n, w, w2), and which values have rows."""
    _check_lengths(columns, names)
    n_rows = len(columns[0])
    weights = None if sample_weight is None else check_sample_weight(sample_weight, n_rows)
    columns = _compressed(columns)
    check_size([len(c.values) for c in columns], f"{', '.join(names[:-1])} and {names[-1]}")
    raw = [_bincount(columns, None)]
    if weights is not None:
        raw += [_bincount(columns, weights), _bincount(columns, weights**2)]
    return columns, weights, raw, [_any_but(raw[0], axis) for axis in range(len(columns))]


def _named(
    raw: Sequence[np.ndarray],
    places: Sequence[np.ndarray],
    seen: Sequence[np.ndarray],
    shape: list[int],
) -> list[np.ndarray]:
    """n, w and w2 with their axes in the order of the classes, the actions and the groups."""
    check_size(shape, "the table")
    tables = [_placed(table, places, seen, shape) for table in raw]
    if len(tables) == 1:
        tables += [tables[0].astype(np.float64)] * 2
    return tables


def _any_but(n: np.ndarray, axis: int) -> np.ndarray:
    """Which values along the axis have rows."""
    return np.asarray(n.any(axis=tuple(a for a in range(n.ndim) if a != axis)))


def check_sample_weight(sample_weight: Any, n_rows: int) -> np.ndarray:
    """Weights as float64: one per row, finite, not negative, not all zero."""
    if isinstance(sample_weight, np.ndarray):
        sample_weight = refuse_masked(sample_weight, "sample_weight")
    weights = np.asarray(sample_weight)
    if weights.dtype.kind not in "biuf":
        try:
            weights = weights.astype(np.float64)
        except (TypeError, ValueError):
            raise ValueError(
                f"sample_weight must hold numbers; got an array of {weights.dtype}."
            ) from None
    if weights.ndim == 2 and weights.shape[1] == 1:
        weights = weights[:, 0]
    if weights.shape != (n_rows,):
        raise ValueError(
            f"sample_weight must have one weight per row, shape ({n_rows},); "
            f"got shape {weights.shape}."
        )
    weights = weights.astype(np.float64, copy=False)
    lowest, total, highest = weights.min(), weights.sum(), weights.max()
    if not np.isfinite(total):
        bad = weights[~np.isfinite(weights)]
        count = len(bad) if len(bad) else "overflowing"
        raise ValueError(f"sample_weight must be finite; {count} weights are NaN or infinite.")
    if lowest < 0:
        raise ValueError(f"sample_weight must not be negative; the lowest weight is {lowest}.")
    if total > 0 and not 1e-140 < highest < 1e140:
        raise ValueError(
            f"sample_weight must be of a size that can be squared; the highest is {highest}. "
            "Only the proportions of weights matter: rescale them."
        )
    if total == 0:
        raise ValueError("sample_weight must not be zero for every row: nothing would be counted.")
    return weights


def check_size(shape: Sequence[int], what: str) -> None:
    """Refuse a table of more than 1 GiB before it is made."""
    cells = math.prod(shape)
    if cells * 8 > _MOST_BYTES:
        raise ValueError(
            f"{what} would need {cells:,} cells ({cells * 8 / 2**30:.1f} GiB), more than the "
            f"1 GiB allowed: {' x '.join(map(str, shape))} distinct values. Are scores or "
            "identifiers among the labels?"
        )


def _check_lengths(columns: Sequence[Column], names: Sequence[str]) -> None:
    lengths = [len(c) for c in columns]
    if len(set(lengths)) > 1:
        shown = ", ".join(f"{name} has {n}" for name, n in zip(names, lengths, strict=True))
        raise ValueError(f"all columns must have the same number of rows; {shown}.")


def _compressed(columns: list[Column]) -> list[Column]:
    """Leave out values that no row holds, where keeping them would make a large raw table."""
    if math.prod(len(c.values) for c in columns) <= _MOST_RAW_CELLS:
        return columns
    compressed = []
    for column in columns:
        seen = column.seen()
        place = np.cumsum(seen) - 1
        codes = place[column.codes.astype(np.intp, copy=False) - column.offset]
        compressed.append(Column(codes, 0, column.values[seen], column.order))
    return compressed


def _bincount(columns: Sequence[Column], weights: np.ndarray | None) -> np.ndarray:
    """The table of rows (or of their weights) over the values of the columns, by blocks."""
    shape = tuple(len(c.values) for c in columns)
    cells = math.prod(shape)
    # Blocks that stay in the cache; longer ones where a table per block would cost more.
    block = max(_BLOCK, cells)
    n_rows = len(columns[0])
    strides = [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    shift = sum(c.offset * stride for c, stride in zip(columns, strides, strict=True))
    parts = []
    for start in range(0, n_rows, block):
        rows = slice(start, start + block)
        index: Any = -shift
        for column, stride in zip(columns, strides, strict=True):
            codes = column.codes[rows]
            if codes.dtype != np.intp:
                codes = codes.astype(np.intp)
            index = index + (codes if stride == 1 else codes * stride)
        part = None if weights is None else weights[rows]
        parts.append(np.bincount(index, part, minlength=cells))
        if len(parts) == _PARTS:
            parts = [np.sum(parts, axis=0)]
    return (parts[0] if len(parts) == 1 else np.sum(parts, axis=0)).reshape(shape)


def name_groups(column: Column, seen: np.ndarray) -> tuple[tuple[Any, ...], np.ndarray]:
    """The groups in a stable order (a dtype's own, else sorted), and where each value goes."""
    values = [v.item() if isinstance(v, np.generic) else v for v in column.values]
    places = np.flatnonzero(seen)
    if column.order is None:
        try:
            places = np.array(sorted(places, key=lambda k: values[k]), dtype=np.intp)
        except TypeError:
            raise ValueError(
                "by holds values that cannot be sorted together, such as words and numbers."
            ) from None
    index = np.full(len(values), -1, dtype=np.intp)
    index[places] = np.arange(len(places))
    return tuple(values[k] for k in places), index


def _placed(
    raw: np.ndarray, places: Sequence[np.ndarray], seen: Sequence[np.ndarray], shape: list[int]
) -> np.ndarray:
    if list(raw.shape) == shape and all(p.tolist() == list(range(len(p))) for p in places):
        return raw
    table = np.zeros(shape, dtype=raw.dtype)
    target = np.ix_(*[place[mask] for place, mask in zip(places, seen, strict=True)])
    table[target] = raw[np.ix_(*seen)]
    return table


def _cluster_column(clusters: Any, columns: Sequence[Column]) -> Column:
    cluster = group_column(clusters, name="clusters", key=True)
    _check_lengths([columns[-2], cluster], ["y_true", "clusters"])
    return cluster


def _cluster_cells(
    columns: Sequence[Column],
    places: Sequence[np.ndarray],
    shape: Sequence[int],
    cluster: Column,
    weights: np.ndarray | None,
) -> ClusterCells:
    cell = np.zeros(len(cluster), dtype=np.intp)
    for column, place, size in zip(columns, places, shape, strict=True):
        cell = cell * size + place[column.codes.astype(np.intp, copy=False) - column.offset]
    n_cells = math.prod(shape)
    key = (cluster.codes.astype(np.int64) - cluster.offset) * n_cells + cell
    pairs, inverse = np.unique(key, return_inverse=True)
    total = np.bincount(inverse.ravel(), weights, minlength=len(pairs)).astype(np.float64)
    names = tuple(v.item() if isinstance(v, np.generic) else v for v in cluster.values)
    return ClusterCells(names, pairs // n_cells, pairs % n_cells, total)
