"""What a report keeps of the data: counts, scores, costs. All its numbers come from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.metrics import log_loss

from skmetrics_ext._labels import same_label
from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.counts import ConfusionCounts, ScoreCounts
from skmetrics_ext.inspection import WorstErrors

__all__ = ["Evidence", "entropy_of", "log_loss_of", "mean_score_of", "nearest_cut"]


@dataclass(frozen=True, eq=False)
class Evidence:
    """The pieces that every number of a report is computed from.

    Attributes
    ----------
    counts : ConfusionCounts or None
        What today's decisions were.
    scores : ScoreCounts or None
        Two classes: how many rows of each stand at each score.
    cost_matrix : CostMatrix or None
        For the classes in the order of ``counts.labels``.
    costs_from : {"nobody", "caller", "estimator", "rows"}
        Who named the costs. Nobody: one per mistake is assumed. "rows": they differ by row, and
        nothing is said of them.
    labels : tuple
        The classes, in the order of the table.
    pos_label : object or None
        The positive class, where two classes have one.
    decided_by : str
        How today's decisions came about.
    ordered : bool
        Whether the report is about the order of the classes.
    cross_fitted : ConfusionCounts or None
        The decisions at thresholds chosen on other rows.
    fold_thresholds : tuple of float
        Those thresholds.
    worst : WorstErrors or None
        The mistakes to open first.
    confidence_level : float
    """

    counts: ConfusionCounts | None
    scores: ScoreCounts | None
    cost_matrix: CostMatrix | None
    costs_from: str
    labels: tuple[Any, ...]
    pos_label: Any
    decided_by: str
    ordered: bool
    cross_fitted: ConfusionCounts | None
    fold_thresholds: tuple[float, ...]
    worst: WorstErrors | None
    confidence_level: float

    @cached_property
    def total(self) -> ConfusionCounts | None:
        """Today's decisions over all subgroups."""
        return None if self.counts is None else self.counts.total()

    @cached_property
    def all_scores(self) -> ScoreCounts | None:
        """The scores over all subgroups."""
        if self.scores is None or self.scores.groups is None:
            return self.scores
        return self.scores.total()

    @property
    def required_counts(self) -> ConfusionCounts:
        """The decisions over all subgroups, by those who know that there are some."""
        assert self.total is not None
        return self.total

    @property
    def required_scores(self) -> ScoreCounts:
        """The scores over all subgroups, likewise."""
        assert self.all_scores is not None
        return self.all_scores

    @property
    def are_probabilities(self) -> bool:
        """Whether scores can be read as probabilities: all within [0, 1]."""
        if self.all_scores is None:
            return False
        (ranking,) = self.all_scores.rankings
        return bool(ranking.low.min() >= 0 and ranking.high.max() <= 1)

    @property
    def costs_of_positive(self) -> CostMatrix | None:
        """The costs with the positive class of the scores as theirs; None where there is none."""
        costs = self.cost_matrix
        if costs is None or len(self.labels) != 2 or self.pos_label is None or costs.extra_actions:
            return None
        # The costs may have been said with the other class as the positive one.
        first, second = self.labels
        both = [first, second] if same_label(second, self.pos_label) else [second, first]
        return CostMatrix(costs.to_array(both), both)

    @property
    def threshold(self) -> float:
        """The score from which the costs say positive; NaN where there is none."""
        costs = self.costs_of_positive
        return float("nan") if costs is None else float(costs.threshold)

    @property
    def weighted(self) -> bool:
        """Whether rows count differently."""
        found = self.total
        if found is not None:
            return not np.array_equal(found.n, found.w)
        scores = self.all_scores
        return scores is not None and not np.array_equal(scores.rankings[0].n, scores.rankings[0].w)

    def namespace(self) -> Mapping[str, Any]:
        """The pieces by the names that calls use."""
        return {
            "counts": self.total,
            "by_group": self.counts,
            "scores": self.all_scores,
            "scores_by_group": self.scores,
            "cost_matrix": self.cost_matrix,
            "cross_fitted": self.cross_fitted,
            "log_loss": log_loss_of,
            "entropy": entropy_of,
            "mean_score": mean_score_of,
            "nan": float("nan"),
            "inf": float("inf"),
        }


def nearest_cut(scores: ScoreCounts, threshold: float) -> float:
    """The threshold, or where it would cut through a bin of scores the nearer end of the bin."""
    lows = np.concatenate([r.low for r in scores.rankings])
    highs = np.concatenate([r.high for r in scores.rankings])
    inside = (lows < threshold) & (threshold <= highs)
    if not inside.any():
        return threshold
    ends = np.concatenate([lows[inside], lows[lows > threshold]])
    for end in ends[np.argsort(np.abs(ends - threshold), kind="stable")].tolist():
        if not ((lows < end) & (end <= highs)).any():
            return end
    return float("inf")


def log_loss_of(scores: ScoreCounts) -> float:
    """scikit-learn's log loss of the scores as probabilities: at each score the weights."""
    (ranking,) = scores.rankings
    truth = np.repeat([0, 1], len(ranking.low))
    p = np.tile(ranking.low, 2)
    return float(log_loss(truth, np.column_stack([1 - p, p]), sample_weight=ranking.w.ravel()))


def entropy_of(scores: ScoreCounts) -> float:
    """The log loss of always stating the share of positives."""
    (ranking,) = scores.rankings
    share = ranking.w.sum(axis=1) / ranking.w.sum()
    share = share[share > 0]
    return float(-(share * np.log(share)).sum())


def mean_score_of(scores: ScoreCounts) -> float:
    """The mean of the scores, weighted as the rows are."""
    (ranking,) = scores.rankings
    return float(ranking.w.sum(axis=0) @ ranking.low / ranking.w.sum())
