"""Vertical marks with their names in the upper part of the axes, none over another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from skmetrics_ext.display._style import SMALL, height_of, plain, text_width, width_of

__all__ = ["Flag", "arranged", "draw_flags", "rows_above"]

_GAP = 4 / 72  # inches between a line and its text
_LINE = 1.45 * SMALL / 72  # inches from one row of text to the next


@dataclass(frozen=True)
class Flag:
    """A value on the x axis, what it is, and how its line looks."""

    x: float
    text: str
    color: str
    linestyle: Any = "-"


def rows_above(ax: Any, rows: int) -> float:
    """The share of the height of the axes that so many rows of names take."""
    return min((rows + 0.35) * _LINE / height_of(ax), 0.5)


def draw_flags(ax: Any, flags: Sequence[Flag]) -> tuple[list[Any], list[Any]]:
    """Draw a line from the bottom to the name of each flag; the x axis must be settled.

    The y axis is free in `rows_above` of one row per flag.

    Returns
    -------
    lines, texts : list of Line2D, list of Annotation
        In the order of ``flags``.
    """
    if not flags:
        return [], []
    places = [_place(ax, flag.x) for flag in flags]
    widths = [(text_width(flag.text, SMALL) + _GAP) / width_of(ax) for flag in flags]
    lines, texts = [], []
    face = ax.get_facecolor()
    for flag, (row, leftwards) in zip(flags, arranged(places, widths), strict=True):
        top = 1 - (row + 0.2) * _LINE / height_of(ax)
        lines.append(
            ax.axvline(
                flag.x, ymax=top, color=flag.color, linestyle=flag.linestyle, lw=1.3, zorder=1.5
            )
        )
        text = ax.annotate(
            flag.text,
            (flag.x, top),
            xycoords=("data", "axes fraction"),
            xytext=(-_GAP * 72 if leftwards else _GAP * 72, 0),
            textcoords="offset points",
            ha="right" if leftwards else "left",
            va="top",
            fontsize=SMALL,
            bbox={"facecolor": face, "edgecolor": "none", "pad": 0.5},
            zorder=4,
        )
        plain([text])
        texts.append(text)
    return lines, texts


def _place(ax: Any, x: float) -> float:
    """Where a value stands in the width of the axes, 0 at the left and 1 at the right."""
    point = ax.transData.transform((x, ax.get_ylim()[0]))
    return float(ax.transAxes.inverted().transform(point)[0])


def arranged(places: Sequence[float], widths: Sequence[float]) -> list[tuple[int, bool]]:
    """The row of each name (0 is the highest) and whether it stands to the left of its line.

    Of all ways the one that costs least: names over each other or out of the axes are worst,
    then lines that run through a name on their way up, then rows.

    Parameters
    ----------
    places, widths : sequence of float
        In units of the width of the axes.
    """
    n = len(places)
    x, width = np.asarray(places, dtype=np.float64), np.asarray(widths, dtype=np.float64)
    best, least = [(k, False) for k in range(n)], np.inf
    for sides in product((False, True), repeat=n):
        left = np.where(sides, x - width, x)
        right = left + width
        outside = float(np.maximum(-left, 0).sum() + np.maximum(right - 1, 0).sum())
        through = (x[:, None] > left) & (x[:, None] < right) & ~np.eye(n, dtype=bool)
        over = (left[:, None] < right) & (right[:, None] > left) & ~np.eye(n, dtype=bool)
        for rows in product(range(n), repeat=n):
            row = np.asarray(rows)
            same, above = row[:, None] == row, row[:, None] < row
            cost = (
                1e4 * float((same & over).sum())
                + 1e3 * outside
                + 10 * float((above & through).sum())
                + float(row.max(initial=0))
                + 0.01 * float(row.sum() + np.sum(sides))
            )
            if cost < least:
                best, least = list(zip(rows, sides, strict=True)), cost
    return best
