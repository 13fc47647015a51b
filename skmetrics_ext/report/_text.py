"""A report as text, at most 100 columns wide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from textwrap import wrap

from skmetrics_ext.report._blocks import Block, Cell, Grid, Lines, Section, Text

__all__ = ["text_of"]

_WIDTH = 100
_LEAST = 20


def text_of(title: str, sections: Sequence[Section]) -> str:
    """All sections but their pictures."""
    lines = wrap(title, _WIDTH) or [""]
    lines.append("=" * max(map(len, lines)))
    for number, section in enumerate(sections, 1):
        heading = f"{number}. {section.title}"
        lines += ["", heading, "-" * len(heading)]
        for block in section.blocks:
            lines += _lines(block)
    return "\n".join(lines)


def _lines(block: Block) -> Iterator[str]:
    if isinstance(block, Text):
        yield from wrap(block.text, _WIDTH)
    elif isinstance(block, Lines):
        for line in block.lines:
            yield from wrap(
                line,
                _WIDTH,
                initial_indent="- ",
                subsequent_indent="  ",
                break_on_hyphens=False,
            )
    elif isinstance(block, Grid):
        yield from _table(block)


def _table(grid: Grid) -> Iterator[str]:
    cells = [list(map(_said, row)) for row in (grid.head, *grid.rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    least = min(widths[0], _LEAST)
    widths[1:] = [min(width, _WIDTH - least - 2) for width in widths[1:]]
    for some in _side_by_side(widths[1:], _WIDTH - least):
        if some[0] > 1:
            yield ""  # the columns that did not fit, under the same rows
        # A long first column is folded, so that what is counted stays on the line.
        room = _WIDTH - sum(widths[k] + 2 for k in some)
        shown = [(0, min(widths[0], room)), *((k, widths[k]) for k in some)]
        for row in cells:
            folded = [
                wrap(row[k], width, subsequent_indent="" if k else "  ") for k, width in shown
            ]
            for line in zip_longest(*folded, fillvalue=""):
                texts = zip(line, shown, strict=True)
                yield "  ".join(f"{text:<{width}}" for text, (_, width) in texts).rstrip()
    if grid.note:
        yield from wrap(f"({grid.note})", _WIDTH)


def _side_by_side(widths: Sequence[int], room: int) -> list[list[int]]:
    """The columns after the first, as many side by side as there is room for."""
    found: list[list[int]] = []
    used = room
    for k, width in enumerate(widths, 1):
        if used + width + 2 > room:
            found.append([])
            used = 0
        found[-1].append(k)
        used += width + 2
    return found


def _said(cell: Cell) -> str:
    return " ".join(str(cell).split())
