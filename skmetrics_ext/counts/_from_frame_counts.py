"""Frames to counts: the engine counts the cells, and the labels are decided on those."""

from __future__ import annotations

from typing import Any

from skmetrics_ext.counts._batches import cells_of
from skmetrics_ext.counts._engine import Cells
from skmetrics_ext.counts._tabulate import Tables, count_cells

__all__ = ["count_frame", "count_paired_frame"]

_LABELS = ("y_true", "y_pred", "y_pred_a", "y_pred_b")


def count_frame(
    frame: Any,
    *,
    y_true: str,
    y_pred: str,
    by: str | None,
    clusters: str | None,
    sample_weight: str | None,
    cost: str | None,
    labels: Any,
    actions: Any,
    missing: str,
    max_cells: int,
) -> dict[str, Any]:
    """The fields of ConfusionCounts."""
    keys = {"by": by, "y_true": y_true, "y_pred": y_pred, "clusters": clusters}
    sums = {} if cost is None else {"cost": cost}
    cells = _cells(frame, keys, sample_weight, sums, missing, max_cells)
    counted = [cells.n, cells.w, cells.w2, *cells.sums.values()]
    tables = count_cells(cells.keys, counted, labels=labels, actions=actions)
    return {**_fields(tables, cells), "groups": tables.groups, "amount": tables.amount}


def count_paired_frame(
    frame: Any,
    *,
    y_true: str,
    y_pred_a: str,
    y_pred_b: str,
    clusters: str | None,
    sample_weight: str | None,
    labels: Any,
    actions: Any,
    missing: str,
    max_cells: int,
) -> dict[str, Any]:
    """The fields of PairedCounts."""
    keys = {"y_true": y_true, "y_pred_a": y_pred_a, "y_pred_b": y_pred_b, "clusters": clusters}
    cells = _cells(frame, keys, sample_weight, {}, missing, max_cells)
    counted = [cells.n, cells.w, cells.w2]
    tables = count_cells(cells.keys, counted, labels=labels, actions=actions)
    return _fields(tables, cells)


def _fields(tables: Tables, cells: Cells) -> dict[str, Any]:
    return {
        "n": tables.n,
        "w": tables.w,
        "w2": tables.w2,
        "labels": tables.classes.labels,
        "actions": tables.classes.actions,
        "ordered": tables.classes.ordered,
        "clusters": tables.clusters,
        "dropped": cells.dropped,
    }


def _cells(
    frame: Any,
    columns: dict[str, Any],
    sample_weight: str | None,
    sums: dict[str, str],
    missing: str,
    max_cells: int,
) -> Cells:
    keys = {p: c for p, c in columns.items() if c is not None or p in _LABELS}
    advice = "Are scores or identifiers among them?"
    if "clusters" in keys:
        advice = (
            "Clusters come back one by one: with many of them raise max_cells, or leave clusters "
            "out, where the intervals may take the rows as independent."
        )
    return cells_of(
        frame,
        keys,
        labels=[p for p in _LABELS if p in keys],
        sample_weight=sample_weight,
        sums=sums,
        missing=missing,
        max_cells=max_cells,
        advice=advice,
    )
