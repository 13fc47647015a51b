"""Tables of a fitted model as text and as HTML."""

from __future__ import annotations

from html import escape
from math import isnan

__all__ = ["aligned", "as_html", "number_text", "p_text"]


def aligned(table: list[list[str]]) -> list[str]:
    """Lines of text, the first column to the left and the others to the right."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = []
    for first, *rest in table:
        cells = [f"{cell:>{width}}" for cell, width in zip(rest, widths[1:], strict=True)]
        lines.append("  ".join([f"{first:<{widths[0]}}", *cells]).rstrip())
    return lines


def as_html(head: list[str], table: list[list[str]], notes: list[str]) -> str:
    """Paragraphs around a table, every text escaped."""
    first, *body = [[escape(cell) for cell in line] for line in table]
    rows = [
        f"<tr><th>{name}</th>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
        for name, *cells in body
    ]
    top = "".join(f"<th>{cell}</th>" for cell in first)
    inside = f"<table><thead><tr>{top}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    before, after = ("".join(f"<p>{escape(line)}</p>" for line in part) for part in (head, notes))
    return before + inside + after


def p_text(p_value: float) -> str:
    """A p-value with as many digits as mean something."""
    if isnan(p_value):
        return "-"
    return "<0.0001" if p_value < 0.0001 else f"{p_value:.4f}"


def number_text(value: float) -> str:
    """A number with four decimals, or digits, where it is large or small."""
    if isnan(value):
        return "-"
    return f"{value:.4f}" if 0.01 <= abs(value) < 1e5 or value == 0 else f"{value:.4g}"
