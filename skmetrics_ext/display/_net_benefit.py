"""Net benefit: what a threshold is worth to whoever acts at that probability."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counts import ScoreCounts
from skmetrics_ext.display._counted import are_probabilities

__all__ = ["NetBenefit", "net_benefit", "usual_thresholds"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class NetBenefit:
    """Net benefit at each threshold, in true positives per row; higher is better.

    Attributes
    ----------
    thresholds : ndarray of shape (T,)
    model : ndarray of shape (T,)
        Of answering positive where the score is the threshold or more; at most the prevalence.
    treat_all : ndarray of shape (T,)
        Of answering all rows positive. That of answering none so is 0.
    prevalence : float
    """

    thresholds: Floats
    model: Floats
    treat_all: Floats
    prevalence: float


def net_benefit(counts: ScoreCounts, thresholds: Any) -> NetBenefit:
    """True positives per row, less the false ones at the exchange rate of the threshold.

    ``TP / n - FP / n * t / (1 - t)``: who acts from the probability t on takes (1 - t) / t false
    alarms for one case found. It is an affine map of the expected cost where a false alarm costs
    t and a miss 1 - t: ``prevalence - cost / (1 - t)``.

    Parameters
    ----------
    counts : ScoreCounts
        Of one group, scores between 0 and 1.
    thresholds : array-like of shape (T,)
        Between 0 and 1, both excluded.

    Raises
    ------
    ValueError
        Where thresholds or scores are no probabilities, or thresholds cut through a bin of
        scores.

    References
    ----------
    Vickers, A. J. and Elkin, E. B. (2006). Decision curve analysis: a novel method for
    evaluating prediction models. Medical Decision Making 26(6), 565-574.
    https://doi.org/10.1177/0272989X06295361

    Examples
    --------
    >>> from skmetrics_ext.counts import ScoreCounts
    >>> from skmetrics_ext.display._net_benefit import net_benefit
    >>> counts = ScoreCounts.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.3, 0.8])
    >>> net_benefit(counts, [0.2, 0.5]).model.tolist()
    [0.4375, 0.25]
    """
    if not are_probabilities(counts):
        ranking = counts.rankings[0]
        raise ValueError(
            "Net benefit needs probabilities, scores between 0 and 1, since the threshold is the "
            f"exchange rate; got scores from {ranking.low[0]} to {ranking.high[-1]}."
        )
    table = counts.threshold_table(thresholds)
    t = table.threshold
    outside = (t <= 0) | (t >= 1)
    if outside.any():
        raise ValueError(f"thresholds must be between 0 and 1, both excluded; got {t[outside][0]}.")
    in_truth = counts.rankings[0].w.sum(axis=1)
    total, odds = in_truth.sum(), t / (1 - t)
    prevalence = float(in_truth[1] / total)
    found = table.said_positive - table.false_alarms
    return NetBenefit(
        t,
        (found - odds * table.false_alarms) / total,
        prevalence - odds * (1 - prevalence),
        prevalence,
    )


def usual_thresholds(counts: ScoreCounts) -> Floats:
    """Each per cent from 1 to 99, and a finer grid below for a rare positive class.

    Of scores in bins the thresholds between the bins, since no others can be answered.
    """
    ranking = counts.rankings[0]
    if counts.bins is not None:
        return ranking.low[(ranking.low > 0) & (ranking.low < 1)]
    grid = np.arange(1, 100) / 100
    in_truth = ranking.w.sum(axis=1)
    least = float(in_truth[1] / in_truth.sum()) / 10
    if 0 < least < 0.01:
        return np.concatenate([np.geomspace(least, 0.01, 50)[:-1], grid])
    return grid
