"""ScoreCounts: how many positives and negatives stand at each score."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from skmetrics_ext._labels import same_label
from skmetrics_ext.counts._merge import AddsUp, require_same
from skmetrics_ext.counts._score_areas import Areas
from skmetrics_ext.counts._score_as_probabilities import AsProbabilities
from skmetrics_ext.counts._score_at_thresholds import AtThresholds
from skmetrics_ext.counts._score_bins import as_binning, require_same_bins
from skmetrics_ext.counts._score_columns import score_columns
from skmetrics_ext.counts._score_from_frame import ScoresFromFrame
from skmetrics_ext.counts._score_ranking import Ranking, in_quantiles, merge, rank
from skmetrics_ext.counts._score_receipt import read_scores, written_scores
from skmetrics_ext.counts._score_text import scores_html, scores_text

__all__ = ["ScoreCounts"]


@dataclass(frozen=True, repr=False)
class ScoreCounts(AddsUp, ScoresFromFrame, AtThresholds, Areas, AsProbabilities):
    """How many rows of each class stand at each score: what every ranking metric needs.

    Make one by `from_predictions`, `from_frame` or `from_batches`. It is immutable, adds up, and
    answers how well the scores rank (`roc_auc`, `average_precision` and others), what every
    threshold gets wrong (`tables`, `metric_curve`, `threshold_table`, `best_cost`) and how right
    the scores are as probabilities (`brier_score`, `calibration_table`).

    Scores may be counted in bins. Each bin keeps its least and greatest score and is cut at
    the least, so that the tables at all cuts are exact; what lies within a bin is not known,
    and the answers say how far off it can put them.

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
    bins : int, tuple of float, or None
        The number of equal bins of [0, 1] that scores were counted in, or the scores at which
        a new bin begins. Other rows that are counted with the same ``bins`` add up with these.
    dropped : int
        Rows with missing values that were left out on request.

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
        bins: Any = None,
        strategy: str = "uniform",
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
        bins : int, or array-like of increasing scores, default=None
            A number counts in so many bins, cut as ``strategy`` says. Scores are cuts: each
            begins a new bin, and the first and the last bin are open to the outside. By
            default each distinct score counts by itself.
        strategy : {"uniform", "quantile"}, default="uniform"
            "uniform": bins of equal width over [0, 1], the score 1 in the last one; those of
            other rows are cut alike, and add up. "quantile": bins of about equally many rows,
            of any scores, such as rare events' low ones. The cuts become ``counts.bins``:
            count other rows with ``bins=counts.bins``, and the two add up.

        Returns
        -------
        ScoreCounts

        Raises
        ------
        ValueError
            Where scores are NaN (their number is in the message), no numbers, not one per row,
            or outside [0, 1] with bins of equal width; where ``y_true`` has more than two
            classes, or the positive one is not known.
        """
        binning = as_binning(bins, strategy)
        columns = score_columns(
            y_true,
            y_score,
            pos_label=pos_label,
            sample_weight=sample_weight,
            by=by,
            bins=binning.bins,
        )
        if columns.group is None or columns.groups is None:
            rankings = [rank(columns.scores, columns.positive, columns.weights, binning.bins)]
        else:
            order = np.argsort(columns.group, kind="stable")
            ends = np.cumsum(np.bincount(columns.group, minlength=len(columns.groups)))
            rankings = [
                rank(
                    columns.scores[rows],
                    columns.positive[rows],
                    None if columns.weights is None else columns.weights[rows],
                    binning.bins,
                )
                for rows in np.split(order, ends[:-1])
            ]
        cuts = binning.bins
        if binning.quantiles is not None:
            rankings, cuts = in_quantiles(rankings, binning.quantiles)
        return cls(tuple(rankings), columns.labels, columns.groups, cuts)

    # -----------------------------------------------------------------------------------------
    # counts to counts

    def __add__(self, other: ScoreCounts) -> ScoreCounts:
        if not isinstance(other, ScoreCounts):
            return NotImplemented
        require_same("positive class", self.labels[1], other.labels[1])
        negative = self.labels[0] if other.labels[0] is None else other.labels[0]
        if self.labels[0] is not None:
            require_same("negative class", self.labels[0], negative)
        require_same_bins(self.bins, other.bins)
        require_same("use of subgroups", self.groups is None, other.groups is None)
        labels, dropped = (negative, self.labels[1]), self.dropped + other.dropped
        if self.groups is None or other.groups is None:
            merged = merge([*self.rankings, *other.rankings], self.bins)
            return ScoreCounts((merged,), labels, None, self.bins, dropped)
        parts: dict[Any, list[Ranking]] = {}
        for counts in (self, other):
            for group, ranking in zip(counts.groups or (), counts.rankings, strict=True):
                parts.setdefault(group, []).append(ranking)
        rankings = tuple(merge(some, self.bins) for some in parts.values())
        return ScoreCounts(rankings, labels, tuple(parts), self.bins, dropped)

    def __getitem__(self, group: Any) -> ScoreCounts:
        for name, ranking in zip(self.groups or (), self.rankings, strict=False):
            if same_label(name, group):
                return replace(self, rankings=(ranking,), groups=None)
        raise KeyError(f"no subgroup {group!r}; the subgroups are {list(self.groups or ())}")

    def total(self) -> ScoreCounts:
        """The counts over all subgroups."""
        return replace(self, rankings=(merge(self.rankings, self.bins),), groups=None)

    # -----------------------------------------------------------------------------------------
    # out of the house

    def to_json(self) -> str:
        """A receipt: the labels, the rows of each class at each score, and the bins.

        ``ScoreCounts.from_json`` reads it back, on another machine too, and everything can be
        recomputed from it. A checksum tells whether somebody edited it.

        Examples
        --------
        >>> from skmetrics_ext.counts import ScoreCounts
        >>> counts = ScoreCounts.from_predictions([0, 1, 1], [0.2, 0.4, 0.9], bins=1000)
        >>> ScoreCounts.from_json(counts.to_json()) == counts
        True
        """
        return written_scores(self)

    @classmethod
    def from_json(cls, text: str) -> ScoreCounts:
        """Read a receipt of `to_json`; one that was edited by hand is an error."""
        return cls(**read_scores(text))

    # -----------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return scores_text(self)

    def _repr_html_(self) -> str:
        return scores_html(self)
