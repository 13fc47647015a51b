"""A report as text, at most 100 columns wide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from skmetrics_ext.report._blocks import Block, Cell, Grid, Lines, Section, Text

__all__ = ["text_of"]

_WIDTH = 100


def text_of(title: str, sections: Sequence[Section]) -> str:
    """All sections but their pictures."""
    lines = [title, "=" * len(title)]
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
                break_long_words=False,
                break_on_hyphens=False,
            )
    elif isinstance(block, Grid):
        yield from _table(block)


def _table(grid: Grid) -> Iterator[str]:
    cells = [list(grid.head), *([_said(cell) for cell in row] for row in grid.rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    # A long first column is folded, so that what is counted stays on the line.
    room = _WIDTH - sum(widths[1:]) - 2 * (len(widths) - 1)
    widths[0] = max(min(widths[0], room), min(20, widths[0]))
    for row in cells:
        first, *more = wrap(row[0], widths[0]) or [""]
        others = (f"{text:<{width}}" for text, width in zip(row[1:], widths[1:], strict=True))
        yield "  ".join([f"{first:<{widths[0]}}", *others]).rstrip()
        yield from (f"  {line}" for line in more)
    if grid.note:
        yield from wrap(f"({grid.note})", _WIDTH)


def _said(cell: Cell) -> str:
    return cell if isinstance(cell, str) else str(cell)
