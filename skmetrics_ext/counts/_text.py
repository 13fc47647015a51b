"""Counts as text, as HTML, and as columns."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from skmetrics_ext.counts._declined import declined_text
from skmetrics_ext.counts._reshape import summed
from skmetrics_ext.intervals._gradient import is_unweighted

if TYPE_CHECKING:
    from skmetrics_ext.counts._confusion import ConfusionCounts

__all__ = ["cells", "dropped_text", "grid", "row_count", "table_html", "table_text"]

_MOST_CLASSES = 20


def table_text(counts: ConfusionCounts) -> str:
    """The table with its labels; weighted sums where they differ from the rows."""
    weighted = not is_unweighted(counts.n, counts.w, counts.w2)
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
        lines.append(dropped_text(counts.dropped))
    if declined := declined_text(counts):
        lines.append(declined)
    tables = counts.w if weighted else counts.n
    groups = [(None, tables)] if counts.groups is None else zip(counts.groups, tables, strict=True)
    for group, table in groups:
        if group is not None:
            lines.append(f"in {group!r}:")
        lines += grid(table, counts.labels, counts.actions)
    return "\n".join(lines)


def row_count(n: int) -> str:
    """The rows in words."""
    return "1 row" if n == 1 else f"{n} rows"


def dropped_text(rows: int) -> str:
    """How many rows the counts are without."""
    return f"{row_count(rows)} with missing values dropped"


def grid(table: np.ndarray, down: np.ndarray, across: np.ndarray) -> list[str]:
    """The lines of one table with its labels; of many classes only how much is filled."""
    if len(down) > _MOST_CLASSES:
        return [f"{len(down)} classes, {int(np.count_nonzero(table))} cells filled"]
    labels, actions = [[str(v) for v in names.tolist()] for names in (down, across)]
    cells = [[f"{v:g}" if table.dtype.kind == "f" else str(v) for v in row] for row in table]
    first = max(map(len, labels))
    widths = [max(len(action), *(len(row[j]) for row in cells)) for j, action in enumerate(actions)]
    header = " " * first + "".join(f"  {a:>{k}}" for a, k in zip(actions, widths, strict=True))
    body = [
        f"{label:<{first}}" + "".join(f"  {v:>{k}}" for v, k in zip(row, widths, strict=True))
        for label, row in zip(labels, cells, strict=True)
    ]
    return [header, *body]


def table_html(counts: ConfusionCounts) -> str:
    """The tables with their labels, escaped."""
    head, *lines = table_text(counts).split("\n")
    weighted = not is_unweighted(counts.n, counts.w, counts.w2)
    tables = counts.w if weighted else counts.n
    groups = [(None, tables)] if counts.groups is None else zip(counts.groups, tables, strict=True)
    parts = [f"<p>{escape(head)}</p>"]
    parts += [f"<p>{escape(line)}</p>" for line in lines if line.startswith("metrics at")]
    if counts.dropped:
        parts.append(f"<p>{dropped_text(counts.dropped)}</p>")
    if declined := declined_text(counts):
        parts.append(f"<p>{declined}</p>")
    for group, table in groups:
        caption = "" if group is None else f"<caption>in {escape(repr(group))}</caption>"
        if len(counts.labels) > _MOST_CLASSES:
            parts.append(f"<p>{len(counts.labels)} classes</p>")
            continue
        header = "".join(f"<th>{escape(str(a))}</th>" for a in counts.actions.tolist())
        rows = "".join(
            f"<tr><th>{escape(str(label))}</th>"
            + "".join(f"<td>{value:g}</td>" for value in row)
            + "</tr>"
            for label, row in zip(counts.labels.tolist(), table.tolist(), strict=True)
        )
        parts.append(f"<table>{caption}<tr><th></th>{header}</tr>{rows}</table>")
    return "".join(parts)


def cells(counts: ConfusionCounts) -> dict[str, list[Any]]:
    """One row per cell: its group, truth and answer, and what was counted there."""
    labels, actions = counts.labels.tolist(), counts.actions.tolist()
    groups = (None,) if counts.groups is None else counts.groups
    keys = [(g, t, a) for g in groups for t in labels for a in actions]
    columns: dict[str, list[Any]] = {} if counts.groups is None else {"group": [k[0] for k in keys]}
    columns["truth"], columns["answer"] = [k[1] for k in keys], [k[2] for k in keys]
    for name, table in summed(counts).items():
        columns[name] = table.ravel().tolist()
    return columns
