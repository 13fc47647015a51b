"""What a report is made of, whatever it is shown as: sections of texts, tables and pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from skmetrics_ext.report._calls import Number

__all__ = ["Block", "Cell", "Grid", "Lines", "Picture", "Section", "Text", "numbers_in"]

Cell = Number | str


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    text: str


@dataclass(frozen=True)
class Lines:
    """A list of sentences."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Grid:
    """A table: the first cell of a row is its heading."""

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""


@dataclass(frozen=True)
class Picture:
    """A picture: ``draw()`` answers with a figure of matplotlib's."""

    title: str
    draw: Callable[[], Any]


Block = Text | Lines | Grid | Picture


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it.

    Attributes
    ----------
    title : str
    blocks : tuple
        Texts, lists, tables of `Number`, and pictures, in the order of reading.

    Examples
    --------
    >>> from skmetrics_ext.report import DecisionReport
    >>> report = DecisionReport.from_predictions([0, 0, 0, 1, 1], [0, 0, 1, 1, 0])
    >>> [section.title for section in report.sections][1:4]
    ['The data', 'What mistakes cost', 'What happened']
    """

    title: str
    blocks: tuple[Block, ...]


def numbers_in(sections: tuple[Section, ...]) -> Iterator[tuple[str, Number]]:
    """Every number with the title of its section, in the order of reading."""
    for section in sections:
        for block in section.blocks:
            if isinstance(block, Grid):
                for row in block.rows:
                    for cell in row:
                        if isinstance(cell, Number):
                            yield section.title, cell
