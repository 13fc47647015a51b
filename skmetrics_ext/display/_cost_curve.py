"""What every threshold costs, for all costs and priors at once: the numbers of a cost curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counts import ScoreCounts
from skmetrics_ext.counts._score_probabilities import require_probabilities

__all__ = ["CostLines", "brier_curve", "cost_lines", "lower_envelope", "probability_cost"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CostLines:
    """The two rates of error of every threshold; in cost space each threshold is a line.

    Attributes
    ----------
    thresholds : ndarray of shape (T,)
        As in `ScoreCounts.tables`, from the one that no score reaches down.
    false_positive_rate, false_negative_rate : ndarray of shape (T,)
    prevalence : float
        The share of positives in the data.
    """

    thresholds: Floats
    false_positive_rate: Floats
    false_negative_rate: Floats
    prevalence: float

    def ends(self, space: str) -> tuple[Floats, Floats]:
        """The heights of the lines at 0 and at 1 of the x axis.

        Parameters
        ----------
        space : {"probability_cost", "cost_proportion"}
            The x axis: PC(+) = p(+) C(-|+) / (p(+) C(-|+) + p(-) C(+|-)), and the cost over that
            of answering all rows wrong; or c = C(+|-) / (C(+|-) + C(-|+)) at the prevalence of
            the data, and the cost per row where the two costs add up to 2.
        """
        if space == "probability_cost":
            return self.false_positive_rate, self.false_negative_rate
        return (
            2 * self.prevalence * self.false_negative_rate,
            2 * (1 - self.prevalence) * self.false_positive_rate,
        )


def cost_lines(counts: ScoreCounts) -> CostLines:
    """The error rates of the rule ``score >= threshold`` at every threshold.

    Range 0 to 1, lower is better. The first threshold answers no row positive, the last all.

    Parameters
    ----------
    counts : ScoreCounts
        Of one group.

    Raises
    ------
    ValueError
        Where the rows are all of one class.

    References
    ----------
    Drummond, C. and Holte, R. C. (2006). Cost curves: an improved method for visualizing
    classifier performance. Machine Learning 65, 95-130. https://doi.org/10.1007/s10994-006-8199-5

    Examples
    --------
    >>> from skmetrics_ext.counts import ScoreCounts
    >>> from skmetrics_ext.display._cost_curve import cost_lines
    >>> lines = cost_lines(ScoreCounts.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]))
    >>> lines.false_positive_rate.tolist()
    [0.0, 0.0, 0.5, 0.5, 1.0]
    >>> lines.false_negative_rate.tolist()
    [1.0, 0.5, 0.5, 0.0, 0.0]
    """
    in_truth = counts.rankings[0].w.sum(axis=1)
    if not in_truth.all():
        raise ValueError(
            "y_true must hold rows of both classes, whose rates of error a cost curve is made of; "
            f"got {'no positive' if in_truth[0] else 'only positive'} ones."
        )
    thresholds, rates = counts.metric_curve(["specificity", "recall"])
    return CostLines(
        thresholds,
        1 - rates["specificity"],
        1 - rates["recall"],
        float(in_truth[1] / in_truth.sum()),
    )


def lower_envelope(at_zero: Floats, at_one: Floats) -> tuple[Floats, Floats]:
    """The lowest of straight lines over [0, 1], each given by its heights at 0 and at 1.

    Returns
    -------
    x, y : ndarray
        The corners, from x = 0 to x = 1; straight lines join them.

    Examples
    --------
    >>> import numpy as np
    >>> from skmetrics_ext.display._cost_curve import lower_envelope
    >>> x, y = lower_envelope(np.array([0.0, 1.0]), np.array([1.0, 0.0]))
    >>> x.tolist(), y.tolist()
    ([0.0, 0.5, 1.0], [0.0, 0.5, 0.0])
    """
    # Of lines that start alike the flattest can be on the envelope, and each must fall below
    # the ones that started lower.
    order = np.lexsort((at_one, at_zero))
    a, b = at_zero[order], at_one[order]
    lower = np.concatenate([[True], b[1:] < np.minimum.accumulate(b)[:-1]])
    kept: list[tuple[float, float]] = []
    crossings: list[float] = []
    for line in zip(a[lower].tolist(), b[lower].tolist(), strict=True):
        while kept:
            x = _crossing(kept[-1], line)
            if not crossings or x > crossings[-1]:
                crossings.append(x)
                break
            # The line before is under the envelope of its neighbours nowhere.
            kept.pop()
            crossings.pop()
        kept.append(line)
    corners = [0.0, *crossings, 1.0]
    heights = [
        start + (end - start) * x for x, (start, end) in zip(corners, [kept[0], *kept], strict=True)
    ]
    return np.array(corners), np.array(heights)


def _crossing(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Where a line meets another that starts higher and ends lower."""
    start, end = other[0] - one[0], one[1] - other[1]
    return start / (start + end)


def brier_curve(counts: ScoreCounts) -> tuple[Floats, Floats]:
    """What it costs to take the cost proportion itself as threshold, for every cost proportion.

    A row of which a false alarm costs c and a miss 1 - c (both times 2) is answered positive
    where its score is at least c, as is best where scores are calibrated. The area under the
    curve is the Brier score.

    Parameters
    ----------
    counts : ScoreCounts
        Of one group; scores between 0 and 1.

    Returns
    -------
    c, cost : ndarray of shape (2 S + 2,)
        Two points at each of the S scores, where the curve jumps; straight lines in between.

    Raises
    ------
    ValueError
        Where scores are outside [0, 1], or were counted in bins.

    References
    ----------
    Hernández-Orallo, J., Flach, P. and Ferri, C. (2011). Brier curves: a new cost-based
    visualisation of classifier performance. ICML 28, 585-592.

    Examples
    --------
    >>> from skmetrics_ext.counts import ScoreCounts
    >>> from skmetrics_ext.display._cost_curve import brier_curve
    >>> c, cost = brier_curve(ScoreCounts.from_predictions([0, 1], [0.5, 0.5]))
    >>> c.tolist(), cost.tolist()
    ([0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 0.0])
    """
    require_probabilities(counts.rankings[0], "A Brier curve")
    thresholds, tables = counts.tables()
    # From the lowest score up: each table holds for thresholds down to the score before it.
    shares = tables[::-1] / tables[0].sum()
    scores = thresholds[:0:-1]
    c = np.repeat(np.concatenate([[0.0], scores, [1.0]]), 2)[1:-1]
    false_alarms, missed = (np.repeat(shares[:, i, j], 2) for i, j in ((0, 1), (1, 0)))
    return c, 2 * (c * false_alarms + (1 - c) * missed)


def probability_cost(c: Any, prevalence: float) -> Any:
    """PC(+) of a cost proportion c at a prevalence: p (1 - c) / (p (1 - c) + (1 - p) c)."""
    positive, negative = prevalence * (1 - c), (1 - prevalence) * c
    return positive / (positive + negative)
