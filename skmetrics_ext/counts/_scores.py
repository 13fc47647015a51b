"""ScoreCounts: how many positives and negatives stand at each score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from skmetrics_ext._labels import same_label
from skmetrics_ext.counts._merge import require_same
from skmetrics_ext.counts._score_areas import Areas
from skmetrics_ext.counts._score_as_probabilities import AsProbabilities
from skmetrics_ext.counts._score_at_thresholds import AtThresholds
from skmetrics_ext.counts._score_columns import score_columns
from skmetrics_ext.counts._score_ranking import Ranking, merge, rank

__all__ = ["ScoreCounts"]


@dataclass(frozen=True, repr=False)
class ScoreCounts(AtThresholds, Areas, AsProbabilities):
    """How many rows of each class stand at each score: what every ranking metric needs.

    Make one by `from_predictions`. It is immutable, adds up, and answers how well the scores
    rank (`roc_auc`, `average_precision` and others), what every threshold gets wrong
    (`tables`, `metric_curve`, `threshold_table`) and how right the scores are as
    probabilities (`brier_score`, `calibration_table`).

    Attributes
    ----------
    rankings : tuple of Ranking
        One per subgroup, or just one: ``low`` and ``high`` (S,), the scores from the least
        up, and ``n``, ``w``, ``w2`` (2, S), rows, weights and squared weights at each, the
        negatives first. ``low`` and ``high`` differ only where scores were counted in bins.
    labels : tuple (negative, positive)
        The negative label is None where no row shows it.
    groups : tuple or None
        The subgroups.
    bins : int or None
        The number of equal bins of [0, 1] that scores were counted in.

    Examples
    --------
    >>> from skmetrics_ext.counts import ScoreCounts
    >>> ScoreCounts.from_predictions(["ill", "well", "ill"], [0.9, 0.3, 0.3], pos_label="ill")
    ScoreCounts: 3 rows, 2 of 'ill' (positive) and 1 of 'well', at 2 distinct scores
    """

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_score: Any,
        *,
        pos_label: Any = None,
        sample_weight: Any = None,
        by: Any = None,
        bins: int | None = None,
    ) -> ScoreCounts:
        """Count the rows of each class at each distinct score.

        Parameters
        ----------
        y_true : array-like of shape (n_rows,)
            Two classes; with one of them the counts are good, and most metrics undefined.
        y_score : array-like of shape (n_rows,)
            Higher means more probably positive: probabilities, decision functions, any
            number that ranks. Infinite scores rank as others; float32 is kept exactly.
        pos_label : object, default=None
            The positive class. 1 and True are taken beside 0, -1 and False; with other labels
            it must be named.
        sample_weight : array-like of shape (n_rows,), default=None
        by : array-like of shape (n_rows,), default=None
            A subgroup for each row: one ranking each.
        bins : int, default=None
            Count in so many equal bins of [0, 1] (the score 1 is in the last one), for data
            with more distinct scores than are wanted. Each bin keeps its least and greatest
            score and is cut at the least, so that the counts at each cut are exact.

        Returns
        -------
        ScoreCounts

        Raises
        ------
        ValueError
            Where scores are NaN (their number is in the message), no numbers, not one per row,
            or outside [0, 1] with ``bins``; where ``y_true`` has more than two classes, or
            the positive one is not known.
        """
        columns = score_columns(
            y_true, y_score, pos_label=pos_label, sample_weight=sample_weight, by=by, bins=bins
        )
        bins = None if bins is None else int(bins)
        if columns.group is None or columns.groups is None:
            rankings = [rank(columns.scores, columns.positive, columns.weights, bins)]
        else:
            order = np.argsort(columns.group, kind="stable")
            ends = np.cumsum(np.bincount(columns.group, minlength=len(columns.groups)))
            rankings = [
                rank(
                    columns.scores[rows],
                    columns.positive[rows],
                    None if columns.weights is None else columns.weights[rows],
                    bins,
                )
                for rows in np.split(order, ends[:-1])
            ]
        return cls(tuple(rankings), columns.labels, columns.groups, bins)

    # -----------------------------------------------------------------------------------------
    # counts to counts

    def __add__(self, other: ScoreCounts) -> ScoreCounts:
        if not isinstance(other, ScoreCounts):
            return NotImplemented
        require_same("positive class", self.labels[1], other.labels[1])
        negative = self.labels[0] if other.labels[0] is None else other.labels[0]
        if self.labels[0] is not None:
            require_same("negative class", self.labels[0], negative)
        require_same("bins", self.bins, other.bins)
        require_same("use of subgroups", self.groups is None, other.groups is None)
        labels = (negative, self.labels[1])
        if self.groups is None or other.groups is None:
            merged = merge([*self.rankings, *other.rankings], self.bins)
            return ScoreCounts((merged,), labels, None, self.bins)
        parts: dict[Any, list[Ranking]] = {}
        for counts in (self, other):
            for group, ranking in zip(counts.groups or (), counts.rankings, strict=True):
                parts.setdefault(group, []).append(ranking)
        rankings = tuple(merge(some, self.bins) for some in parts.values())
        return ScoreCounts(rankings, labels, tuple(parts), self.bins)

    def __getitem__(self, group: Any) -> ScoreCounts:
        for name, ranking in zip(self.groups or (), self.rankings, strict=False):
            if same_label(name, group):
                return ScoreCounts((ranking,), self.labels, None, self.bins)
        raise KeyError(f"no subgroup {group!r}; the subgroups are {list(self.groups or ())}")

    def total(self) -> ScoreCounts:
        """The counts over all subgroups."""
        return ScoreCounts((merge(self.rankings, self.bins),), self.labels, None, self.bins)

    # -----------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        negatives, positives = np.sum([r.n.sum(1) for r in self.rankings], axis=0).tolist()
        negative, positive = self.labels
        rows = f"{negatives + positives} row{'' if negatives + positives == 1 else 's'}"
        others = "other labels" if negative is None else repr(negative)
        if self.groups is not None:
            where = f"in {len(self.groups)} subgroups {list(self.groups)!r}"
        else:
            size = len(self.rankings[0].low)
            where = f"at {size} {'distinct scores' if self.bins is None else 'bins'}"
        return (
            f"ScoreCounts: {rows}, {positives} of {positive!r} (positive) and {negatives} of "
            f"{others}, {where}"
        )
