"""Counts as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from skmetrics_ext.counts._confusion import ConfusionCounts

__all__ = ["table_text"]

_MOST_CLASSES = 20


def table_text(counts: ConfusionCounts) -> str:
    """The table with its labels; weighted sums where they differ from the rows."""
    weighted = not np.array_equal(counts.n, counts.w)
    rows = int(counts.n.sum())
    lines = [
        f"ConfusionCounts: {rows} {'row' if rows == 1 else 'rows'}"
        f"{', sums of weights' if weighted else ''} (truth down, answer across)"
    ]
    if counts.priors is not None:
        shares = ", ".join(
            f"{label!r}: {p:g}"
            for label, p in zip(counts.labels.tolist(), counts.priors, strict=True)
        )
        lines.append(f"metrics at priors {{{shares}}}")
    if counts.dropped:
        lines.append(f"{counts.dropped} rows dropped")
    tables = counts.w if weighted else counts.n
    groups = [(None, tables)] if counts.groups is None else zip(counts.groups, tables, strict=True)
    for group, table in groups:
        if group is not None:
            lines.append(f"in {group!r}:")
        lines += _table(counts, table)
    return "\n".join(lines)


def _table(counts: ConfusionCounts, table: np.ndarray) -> list[str]:
    if len(counts.labels) > _MOST_CLASSES:
        return [f"{len(counts.labels)} classes, {int(np.count_nonzero(table))} cells filled"]
    labels = [str(v) for v in counts.labels.tolist()]
    actions = [str(v) for v in counts.actions.tolist()]
    cells = [[f"{v:g}" if table.dtype.kind == "f" else str(v) for v in row] for row in table]
    first = max(map(len, labels))
    widths = [max(len(action), *(len(row[j]) for row in cells)) for j, action in enumerate(actions)]
    header = " " * first + "".join(f"  {a:>{k}}" for a, k in zip(actions, widths, strict=True))
    body = [
        f"{label:<{first}}" + "".join(f"  {v:>{k}}" for v, k in zip(row, widths, strict=True))
        for label, row in zip(labels, cells, strict=True)
    ]
    return [header, *body]
