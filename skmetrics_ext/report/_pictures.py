"""The pictures of a report, drawn by the display classes, as SVG that a page can hold."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.util import find_spec
from io import StringIO
from typing import Any

from skmetrics_ext.report._evidence import Evidence

__all__ = ["as_svg", "draw_calibration", "draw_confusion", "draw_rates", "draw_thresholds"]

Draw = Callable[[], Any]


def draw_confusion(evidence: Evidence) -> Draw:
    """The table as colours."""

    def draw() -> Any:
        from skmetrics_ext.display import ConfusionCountsDisplay

        return ConfusionCountsDisplay.from_counts(evidence.required_counts).figure_

    return draw


def draw_rates(evidence: Evidence) -> Draw:
    """The rates with their intervals."""

    def draw() -> Any:
        from skmetrics_ext.display import IntervalDisplay
        from skmetrics_ext.report._rates import calls_of_rates

        names = evidence.namespace()
        asked = calls_of_rates(evidence)[:20]
        estimates = [call.run(names) for _, call in asked]
        return IntervalDisplay.from_estimates(estimates, names=[name for name, _ in asked]).figure_

    return draw


def draw_thresholds(evidence: Evidence) -> Draw:
    """The cost at every threshold."""

    def draw() -> Any:
        from skmetrics_ext.display import ThresholdDisplay

        return ThresholdDisplay.from_counts(
            evidence.required_scores, cost_matrix=evidence.cost_matrix
        ).figure_

    return draw


def draw_calibration(evidence: Evidence) -> Draw:
    """The reliability diagram."""

    def draw() -> Any:
        from skmetrics_ext.display import CalibrationCountsDisplay

        return CalibrationCountsDisplay.from_counts(evidence.required_scores).figure_

    return draw


def as_svg(draw: Draw, name: str) -> str | None:
    """The picture as an ``<svg>`` element with ids of its own; None without matplotlib."""
    if find_spec("matplotlib") is None:
        return None
    import matplotlib
    from matplotlib import pyplot as plt

    with matplotlib.rc_context({"svg.hashsalt": name, "svg.fonttype": "none"}):
        figure = draw()
        out = StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
        plt.close(figure)
    svg = out.getvalue()
    svg = svg[svg.index("<svg") :]
    # Ids are made of what is drawn: two pictures of a page may share some.
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', svg)
    svg = re.sub(r'(xlink:href|href)="#([^"]+)"', rf'\1="#{name}-\2"', svg)
    return re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", svg)
