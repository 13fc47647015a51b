"""What all pictures share: matplotlib found, axes made, colours, texts and legends."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.legend import Legend
    from matplotlib.text import Text

__all__ = [
    "BLACK",
    "BLUE",
    "GREEN",
    "GREY",
    "ORANGE",
    "PURPLE",
    "SMALL",
    "VERMILLION",
    "add_legend",
    "amount",
    "axes_for",
    "bounded_limits",
    "draw_once",
    "height_of",
    "legible",
    "name_axes",
    "named",
    "number",
    "percent",
    "plain",
    "require_matplotlib",
    "shown",
    "text_width",
    "width_of",
    "wrapped",
]

# Okabe and Ito (2008), Color Universal Design: told apart by nearly everybody. Lines differ by
# their dashes too, since a picture may be printed in grey.
BLUE, VERMILLION, GREEN = "#0072B2", "#D55E00", "#009E73"
PURPLE, ORANGE, BLACK, GREY = "#CC79A7", "#E69F00", "#000000", "#595959"
_CURVES = (
    (BLUE, "-"),
    (VERMILLION, "--"),
    (GREEN, "-."),
    (PURPLE, ":"),
    (ORANGE, (0, (5, 1, 1, 1, 1, 1))),
    (BLACK, (0, (8, 2))),
)
# Points: at 600 pixels for 6 inches a point is 1.4 pixels.
SMALL = 9.0
_POINTS_PER_INCH = 72.0
# The usual width of a letter at the size of axes' names, in inches.
_LETTER = 0.083


def require_matplotlib(who: str) -> None:
    """Raise where matplotlib is not there, and say how to get it."""
    if find_spec("matplotlib") is None:
        raise ImportError(
            f"{who} needs matplotlib, which is not installed: "
            "python -m pip install 'skmetrics-ext[plot]'"
        )


def axes_for(
    ax: Any, who: str, *, figsize: tuple[float, float], curves: bool = False
) -> tuple[Any, Any]:
    """The axes to draw into and their figure: a new one of pyplot's where none is given.

    pyplot is not touched where axes are given. With ``curves`` the lines drawn one after the
    other differ in colour and dashes, also those of several displays on the same axes.
    """
    require_matplotlib(f"{who}.plot")
    if ax is None:
        import matplotlib.pyplot as plt

        _, ax = plt.subplots(figsize=figsize, layout="constrained")
    else:
        from matplotlib.axes import Axes

        if not isinstance(ax, Axes):
            raise ValueError(f"ax must be one matplotlib Axes, or None for new ones; got {ax!r}.")
    if curves and not ax.has_data():
        ax.set_prop_cycle(
            color=[color for color, _ in _CURVES], linestyle=[dashes for _, dashes in _CURVES]
        )
    return ax, ax.figure


def name_axes(ax: Any, x: str, y: str) -> None:
    """Name both axes, on several lines where one is longer than its axis."""
    ax.set_xlabel(wrapped(x, int(1.25 * width_of(ax) / _LETTER)), parse_math=False)
    ax.set_ylabel(wrapped(y, int(1.1 * height_of(ax) / _LETTER)), parse_math=False)


def add_legend(ax: Any, *, below: float = 0.0, above: float = 0.0) -> Legend:
    """A legend under the axes where the figure makes room for it, else inside them.

    Inside it keeps to the part between the shares ``below`` and ``above`` of the height.
    """
    from matplotlib.transforms import ScaledTranslation

    if ax.figure.get_layout_engine() is None:
        free = (0.0, below, 1.0, 1.0 - below - above)
        legend = ax.legend(loc="best", bbox_to_anchor=free, fontsize=SMALL)
    else:
        _, labels = ax.get_legend_handles_labels()
        # A line's sample and the gaps take some 0.6 inches beside each text.
        column = 0.6 + max((text_width(label, SMALL) for label in labels), default=0.0)
        lines = ax.get_xlabel().count("\n") + 1
        under = ScaledTranslation(0, -0.37 - 0.18 * lines, ax.figure.dpi_scale_trans)
        legend = ax.legend(
            loc="upper center",
            bbox_to_anchor=(0.5, 0.0),
            bbox_transform=ax.transAxes + under,
            ncols=2 if 2 * column < 1.25 * width_of(ax) else 1,
            fontsize=SMALL,
            frameon=False,
            borderpad=0,
        )
    plain(legend.get_texts())
    return legend


def plain(texts: Iterable[Text]) -> None:
    """Show dollar signs as they are: labels are names, not formulas."""
    for text in texts:
        text.set_parse_math(False)


def draw_once(ax: Any, x: Any, y: Any, *, label: str, **style: Any) -> Any:
    """A line that several displays on the same axes share: the one that is there, or a new one."""
    for line in ax.get_lines():
        if line.get_label() == label and np.array_equal(line.get_xydata(), np.column_stack([x, y])):
            return line
    (line,) = ax.plot(x, y, label=label, zorder=2, **{"lw": 1.4, **style})
    return line


def named(name: Any, default: str) -> str:
    """The name of a curve for its legend; one that began with "_" would be left out there."""
    if name is not None and not isinstance(name, str):
        raise ValueError(f"name must be a string or None; got {name!r}.")
    name = default if name is None else name
    name = wrapped(name, 40)
    return f" {name}" if name.startswith("_") else name


def shown(label: Any, most: int = 24) -> str:
    """A label as it is quoted in text, cut where it is very long."""
    if isinstance(label, str) and len(label) > most:
        return repr(f"{label[: most - 1]}…")
    return repr(label)


def wrapped(label: Any, width: int, *, lines: int = 3) -> str:
    """A label on several lines, broken inside a word only where a word is longer than a line."""
    return "\n".join(textwrap.wrap(str(label), max(width, 4), max_lines=lines, placeholder="…"))


def percent(share: float, digits: int = 1) -> str:
    """A share as a percentage; never 0 or 100 where it is not."""
    if np.isnan(share):
        return "–"
    step = 10.0**-digits
    if share > 0 and round(100 * share, digits) < step:
        return f"<{step:.{digits}f}%"
    if share < 1 and round(100 * share, digits) > 100 - step / 2:
        return f">{100 - step:.{digits}f}%"
    return f"{100 * share:.{digits}f}%"


def number(value: float, digits: int = 3) -> str:
    """A number with so many significant digits, without an exponent where that is short."""
    if not np.isfinite(value):
        return {np.inf: "∞", -np.inf: "−∞"}.get(value, "undefined")
    if value != 0 and not 1e-4 <= abs(value) < 1e6:
        return f"{value:.{digits}g}"
    if float(value).is_integer():
        return f"{value:.0f}"
    places = max(digits - 1 - int(np.floor(np.log10(abs(value)))), 0)
    text = f"{value:.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def amount(weight: float) -> str:
    """A count as it is; a sum of weights to four digits."""
    return f"{weight:.0f}" if float(weight).is_integer() else f"{weight:.4g}"


def text_width(text: str, size: float) -> float:
    """The width of the longest line of a text in inches."""
    from matplotlib.textpath import TextPath

    lines = [line for line in text.split("\n") if line.strip()]
    paths = [TextPath((0, 0), line.replace("$", r"\$"), size=size) for line in lines]
    # The corners of the outlines and not their exact extents, which take ten times as long.
    widths = [float(np.ptp(path.vertices[:, 0])) for path in paths]
    return max(widths, default=0.0) / _POINTS_PER_INCH


def width_of(ax: Any) -> float:
    """The width of the axes in inches, as far as it is known before the figure is laid out."""
    return ax.get_window_extent().width / ax.figure.dpi


def height_of(ax: Any) -> float:
    """The height of the axes in inches, as `width_of`."""
    return ax.get_window_extent().height / ax.figure.dpi


def bounded_limits(low: float, high: float, *, below: float, above: float) -> tuple[float, float]:
    """Limits that leave these shares of the axes free below and above ``low`` to ``high``."""
    span = (high - low) / (1 - below - above)
    return low - below * span, high + above * span


def legible(background: Any) -> str:
    """Black or white, whichever has the greater contrast to a colour (WCAG 2)."""
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in background[:3])
    luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b
    return "black" if (luminance + 0.05) ** 2 > 1.05 * 0.05 else "white"
