"""The pictures of a report, drawn by the display classes, as SVG that a page can hold."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from io import StringIO
from typing import Any

from skmetrics_ext.report._evidence import Evidence

__all__ = ["as_svg", "draw_calibration", "draw_confusion", "draw_rates", "draw_thresholds"]

Draw = Callable[[], Any]


def draw_confusion(evidence: Evidence) -> Any:
    """The table as colours."""
    from skmetrics_ext.display import ConfusionCountsDisplay

    return ConfusionCountsDisplay.from_counts(evidence.required_counts).figure_


def draw_rates(evidence: Evidence) -> Any:
    """The rates with their intervals, where they are defined."""
    from skmetrics_ext.display import IntervalDisplay
    from skmetrics_ext.report._rates import calls_of_rates

    names = evidence.namespace()
    asked = [(name, call.run(names)) for name, call in calls_of_rates(evidence)[:20]]
    shown = [(name, found) for name, found in asked if found.value == found.value]
    return IntervalDisplay.from_estimates(
        [found for _, found in shown], names=[name for name, _ in shown]
    ).figure_


def draw_thresholds(evidence: Evidence) -> Any:
    """The cost at every threshold."""
    from skmetrics_ext.display import ThresholdDisplay

    return ThresholdDisplay.from_counts(
        evidence.required_scores, cost_matrix=evidence.cost_matrix
    ).figure_


def draw_calibration(evidence: Evidence) -> Any:
    """The reliability diagram."""
    from skmetrics_ext.display import CalibrationCountsDisplay

    return CalibrationCountsDisplay.from_counts(evidence.required_scores).figure_


def as_svg(draw: Draw, name: str) -> str | None:
    """The picture as an ``<svg>`` element with ids of its own; None without matplotlib."""
    if find_spec("matplotlib") is None:
        return None
    import matplotlib
    from matplotlib import pyplot as plt

    with (
        matplotlib.rc_context({"svg.hashsalt": name, "svg.fonttype": "none"}),
        warnings.catch_warnings(),
    ):
        # The reader's browser has the letters that matplotlib's own font lacks.
        warnings.filterwarnings("ignore", message="Glyph", category=UserWarning)
        figure, out = draw(), StringIO()
        try:
            figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
        finally:
            plt.close(figure)
    svg = out.getvalue()
    svg = svg[svg.index("<svg") :]
    # Ids are made of what is drawn: two pictures of a page may share some. Only within tags,
    # since a label may read like an id.
    return re.sub(r"<[^>]+>", lambda tag: _with_own_ids(tag.group(), name), svg)


def _with_own_ids(tag: str, name: str) -> str:
    tag = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', tag)
    tag = re.sub(r'(xlink:href|href)="#([^"]+)"', rf'\1="#{name}-\2"', tag)
    return re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", tag)
