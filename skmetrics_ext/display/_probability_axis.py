"""An x axis of probabilities: evenly spaced, or by the logit where much happens near an end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from skmetrics_ext.display._style import height_of, text_width, width_of

__all__ = [
    "decide_scale",
    "from_logit",
    "logit_limits",
    "set_logit_ticks",
    "set_probability_axis",
    "to_logit",
]

_SCALES = ("auto", "linear", "logit")
# Nearer to an end than this, a mark is hard to see on an even axis.
_NEAR = 0.03
# A logit axis ends here; probabilities of 0 and 1 are infinitely far.
_LEAST = 1e-6
# The size of the texts at ticks, in points.
_TICK = 10.0


def decide_scale(
    xscale: Any, values: Sequence[float], *, probabilities: bool = True, name: str = "xscale"
) -> str:
    """The scale that was asked for; "auto" is logit where a value that matters is near an end."""
    if not isinstance(xscale, str) or xscale not in _SCALES:
        raise ValueError(f"{name} must be one of {list(_SCALES)}; got {xscale!r}.")
    if xscale == "logit" and not probabilities:
        raise ValueError(
            "xscale='logit' needs probabilities, scores between 0 and 1; use 'linear'."
        )
    if xscale != "auto":
        return xscale
    near = [0 < v < _NEAR or 1 - _NEAR < v < 1 for v in values]
    return "logit" if probabilities and any(near) else "linear"


def set_probability_axis(
    ax: Any, scale: str, values: Any, *, as_percent: bool = False
) -> tuple[float, float]:
    """Set scale, limits and ticks so that ``values`` are inside; the limits are returned."""
    values = np.asarray(values, dtype=np.float64)
    if scale == "linear":
        limits = (min(0.0, float(values.min())), max(1.0, float(values.max())))
        ax.set_xlim(*limits)
        ticks = np.arange(6) / 5
        ax.set_xticks(ticks, [_said(tick, as_percent) for tick in ticks.tolist()])
        return limits
    low, high = logit_limits([0.1, 0.9, *values])
    ax.set_xscale("logit", nonpositive="clip")
    ax.set_xlim(low, high)
    set_logit_ticks(ax, "x", low, high, as_percent=as_percent)
    return low, high


def logit_limits(values: Any) -> tuple[float, float]:
    """Ends of a logit axis with those of the values inside that are not infinitely far."""
    values = np.asarray(values, dtype=np.float64)
    inside = values[(values > 0) & (values < 1)]
    if not len(inside):
        inside = np.array([0.1, 0.9])
    low, high = to_logit(np.clip([inside.min(), inside.max()], _LEAST, 1 - _LEAST)).tolist()
    margin = max(0.25, 1.5 - (high - low) / 2)
    return float(from_logit(low - margin)), float(from_logit(high + margin))


def to_logit(p: Any) -> Any:
    """log(p / (1 - p))."""
    return np.log(p) - np.log1p(-p)


def from_logit(x: Any) -> Any:
    """The probability of a logit."""
    return 1 / (1 + np.exp(-x))


def set_logit_ticks(
    ax: Any, axis: str, low: float, high: float, *, as_percent: bool = False
) -> None:
    """Ticks between ``low`` and ``high``, in plain numbers, as many as have room.

    Round numbers, the same from both ends; of some sets of them the closest that fits.
    """
    along = ax.xaxis if axis == "x" else ax.yaxis
    length = width_of(ax) if axis == "x" else height_of(ax)
    ticks, names = np.array([0.5]), [""]
    for every, digits in ((1, (1, 2, 5)), (1, (1,)), (2, (1,)), (3, (1,))):
        lower = [d * 10.0**-k for k in range(1, 7, every) for d in digits if d * 10.0**-k < 0.5]
        ticks = np.array(sorted([*lower, 0.5, *(1 - tick for tick in lower)]))
        ticks = ticks[(ticks >= low) & (ticks <= high)]
        names = [_said(tick, as_percent) for tick in ticks.tolist()]
        sizes = [text_width(name, _TICK) if axis == "x" else 2 * _TICK / 72 for name in names]
        room = np.diff(to_logit(ticks)) / (to_logit(high) - to_logit(low)) * length
        if (room > (np.array(sizes[1:]) + sizes[:-1]) / 2 + _TICK / 72).all():
            break
    along.set_ticks(ticks, names)
    along.set_ticks([], minor=True)


def _said(tick: float, as_percent: bool) -> str:
    text = f"{100 * tick if as_percent else tick:.10f}".rstrip("0").rstrip(".")
    return f"{text}%" if as_percent else text
