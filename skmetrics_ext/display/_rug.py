"""The scores of the two classes as ticks at the bottom of the axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from skmetrics_ext.counts import ScoreCounts
from skmetrics_ext.display._style import BLACK, GREY, shown

__all__ = ["RUG_SHARE", "draw_rug"]

# The share of the height of the axes that the two rows of ticks take.
RUG_SHARE = 0.14
# So many scores of a class are shown; of more rows, those at evenly spaced ranks.
_MOST = 400


def draw_rug(ax: Any, counts: ScoreCounts) -> tuple[Any, Any]:
    """Draw a tick for each score: the negatives at the bottom, the positives above them.

    Scores beyond the ends of the axis (0 and 1 on a logit axis) are shown at the ends.
    """
    ranking = counts.rankings[0]
    negative, positive = counts.labels
    names = ("the others" if negative is None else shown(negative), shown(positive))
    drawn = []
    for k, (name, height, color) in enumerate(
        zip(names, (0.03, 0.085), (GREY, BLACK), strict=True)
    ):
        scores = np.clip(_some_scores(ranking.low, ranking.n[k]), *ax.get_xlim())
        (line,) = ax.plot(
            scores,
            np.full(len(scores), height),
            transform=ax.get_xaxis_transform(),
            marker="|",
            markersize=9,
            markeredgewidth=0.8,
            linestyle="none",
            color=color,
            label=f"a score of {name}",
        )
        drawn.append(line)
    return drawn[0], drawn[1]


def _some_scores(scores: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """The scores that have rows; of many those at evenly spaced ranks."""
    found = np.flatnonzero(rows)
    if len(found) > _MOST:
        below = np.cumsum(rows)
        ranks = (np.arange(_MOST) + 0.5) / _MOST * below[-1]
        found = np.searchsorted(below, ranks, side="right")
    return scores[found]
