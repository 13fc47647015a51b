"""What `ScoreCounts` answers about how well the scores rank."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from skmetrics_ext.counts._estimate import Estimates
from skmetrics_ext.counts._score_base import Rankings
from skmetrics_ext.counts._score_bounds import area_error
from skmetrics_ext.counts._score_checks import (
    level,
    object_counts,
    required_max_fpr,
    required_recall_levels,
    warn_undefined,
)
from skmetrics_ext.counts._score_estimate import ScoreEstimate
from skmetrics_ext.counts._score_precision import average_precision, interpolated_average_precision
from skmetrics_ext.counts._score_ranking import Ranking
from skmetrics_ext.counts._score_roc import roc_interval
from skmetrics_ext.intervals import Interval

__all__ = ["Areas"]


class Areas(Rankings):
    """Areas under curves, and how sure they are."""

    def roc_auc(self, *, confidence_level: float | None = 0.95) -> Any:
        """The chance that a random positive scores higher than a random negative.

        Ties count half. Range 0 to 1, higher is better, 0.5 is what scores that know nothing
        get; its str says so when it is under that, since the classes are then probably
        reversed.

        Parameters
        ----------
        confidence_level : float or None, default=0.95
            None: no interval.

        Returns
        -------
        ScoreEstimate, or a list of them with subgroups
            NaN, with an UndefinedMetricWarning, where a class has no rows. Where scores were
            counted in bins its `binning_error` says how far it can be from the area of the
            scores: half the sum over bins of the product of the two classes' shares. The
            interval is that of the scores in bins.

        Notes
        -----
        The standard error is DeLong's, by midranks, with weights through their squares; the
        interval is symmetric on the logit scale. It covers some 90 % instead of 95 with 6
        positives. Where all pairs are ranked right (or all wrong, or all tie, or a class has
        one row) DeLong's variance is 0 or unknown; the interval is then Newcombe's method 5
        (`method` says so), a score interval with Hanley and McNeil's variance, whose width is
        never 0.

        References
        ----------
        DeLong, E. R., DeLong, D. M. and Clarke-Pearson, D. L. (1988),
        https://doi.org/10.2307/2531595. Sun, X. and Xu, W. (2014),
        https://doi.org/10.1109/LSP.2014.2337313. Newcombe, R. G. (2006),
        https://doi.org/10.1002/sim.2324.

        Examples
        --------
        >>> from skmetrics_ext.counts import ScoreCounts
        >>> print(ScoreCounts.from_predictions([0, 1, 0, 1], [4, 1, 3, 2]).roc_auc())
        ... # doctest: +NORMALIZE_WHITESPACE
        roc_auc of 1 0.000 [0.000, 0.614] (2 positives, 2 negatives, Newcombe; baseline 0.5;
        under the baseline: are the classes reversed?)
        """
        return self._areas("roc_auc", 1.0, confidence_level)

    def gini(self, *, confidence_level: float | None = 0.95) -> Any:
        """2 AUC - 1: Somers' D, the accuracy ratio of credit scoring. See `roc_auc`.

        Range -1 to 1, higher is better, 0 is what scores that know nothing get.

        Examples
        --------
        >>> from skmetrics_ext.counts import ScoreCounts
        >>> counts = ScoreCounts.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> float(counts.gini())
        0.5
        """
        return self._areas("gini", 1.0, confidence_level)

    def partial_auc(self, max_fpr: float, *, confidence_level: float | None = 0.95) -> Any:
        """The area under the ROC curve for false positive rates up to ``max_fpr``.

        Standardised by McClish (1989), as scikit-learn's ``roc_auc_score(max_fpr=)``: 1 is
        perfect, 0.5 is what scores that know nothing get, (1 - max_fpr) / (2 - max_fpr) the
        least.

        Parameters
        ----------
        max_fpr : float
            Above 0, at most 1.
        confidence_level : float or None, default=0.95

        Returns
        -------
        ScoreEstimate, or a list of them with subgroups
            The interval comes from the slopes of the area in the rows, as DeLong's does, which
            it is for ``max_fpr=1``. It takes the negatives above the cut to be many: some ten.

        References
        ----------
        McClish, D. K. (1989), https://doi.org/10.1177/0272989X8900900307.

        Examples
        --------
        >>> from skmetrics_ext.counts import ScoreCounts
        >>> counts = ScoreCounts.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> round(float(counts.partial_auc(0.5)), 4)
        0.6667
        """
        return self._areas("partial_auc", required_max_fpr(max_fpr), confidence_level)

    def average_precision(self, *, confidence_level: float | None = 0.95) -> Any:
        """The mean precision at the positives, from the highest score down.

        Range 0 to 1, higher is better; its baseline is the prevalence, what scores that know
        nothing get, so that values of data with other prevalences do not compare. Equal to
        scikit-learn's ``average_precision_score``.

        Returns
        -------
        ScoreEstimate, or a list of them with subgroups
            NaN, with an UndefinedMetricWarning, where no row is positive.

        Notes
        -----
        The interval is symmetric on the logit scale (Boyd, Eng and Page 2013,
        https://doi.org/10.1007/978-3-642-40994-3_55), with the delta method's variance; where that
        is 0, Wilson's with the number of positives.

        Examples
        --------
        >>> from skmetrics_ext.counts import ScoreCounts
        >>> counts = ScoreCounts.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> print(counts.average_precision(confidence_level=None))
        average_precision of 1 0.833 (2 positives, 2 negatives; baseline 0.5)
        """

        def answer(ranking: Ranking, z: float | None, group: Any) -> tuple[Interval, float]:
            w = ranking.w.sum(1)
            return average_precision(ranking, z), float(w[1] / w.sum()) if w.any() else np.nan

        return self._estimates("average_precision", answer, confidence_level)

    def interpolated_average_precision(
        self,
        *,
        recall_levels: int = 101,
        n_positives: float | Mapping[Any, float] | None = None,
        confidence_level: float | None = 0.95,
    ) -> Any:
        """The mean of the best precision at each of evenly spaced recalls or more.

        Average precision as object detection reports it: 101 levels as COCO's evaluation, 11
        as Pascal VOC's before 2010. Rows are detections, positive where they match an object.

        Parameters
        ----------
        recall_levels : int, default=101
            From 0 to 1, both included, as ``numpy.linspace`` gives them; at least 2.
        n_positives : float, or mapping {group: float}, default=None
            All objects, also those that no detection matched and that have no score (sums of
            weights). By default the positive rows.
        confidence_level : float or None, default=0.95

        Returns
        -------
        ScoreEstimate, or a list of them with subgroups
            Range 0 to 1, higher is better. Its interval takes the places where the envelope
            touches the curve as given, and so is somewhat narrow with few objects. NaN, with
            an UndefinedMetricWarning, where there are no objects.

        References
        ----------
        Lin, T.-Y. et al. (2014), https://doi.org/10.1007/978-3-319-10602-1_48.

        Examples
        --------
        >>> from skmetrics_ext.counts import ScoreCounts
        >>> detections = ScoreCounts.from_predictions([1, 0, 1], [0.9, 0.8, 0.7])
        >>> print(detections.interpolated_average_precision(n_positives=4, confidence_level=None))
        interpolated_average_precision of 1 0.422 (2 positives, 1 negative)
        """
        levels = required_recall_levels(recall_levels)
        objects = object_counts(n_positives, self.rankings, self.groups)

        def answer(ranking: Ranking, z: float | None, group: Any) -> tuple[Interval, None]:
            return interpolated_average_precision(ranking, levels, objects.get(group), z), None

        return self._estimates("interpolated_average_precision", answer, confidence_level)

    def _areas(self, name: str, max_fpr: float, confidence_level: float | None) -> Any:
        stretch, shift = (2.0, -1.0) if name == "gini" else (1.0, 0.0)

        def answer(ranking: Ranking, z: float | None, group: Any) -> tuple[Interval, float]:
            of = roc_interval(ranking, max_fpr, z)
            value, low, high = (stretch * x + shift for x in (of.value, of.low, of.high))
            return Interval(value, stretch * of.se, low, high, of.method), 0.5 * stretch + shift

        def error(ranking: Ranking) -> float | None:
            if self.bins is None:
                return None
            standardised = stretch / (max_fpr * (2 - max_fpr))
            bound = standardised * area_error(ranking, max_fpr)
            return None if np.isnan(bound) else bound

        return self._estimates(name, answer, confidence_level, error)

    def _estimates(
        self,
        name: str,
        answer: Callable[[Ranking, float | None, Any], tuple[Interval, float | None]],
        confidence_level: float | None,
        error: Callable[[Ranking], float | None] = lambda ranking: None,
    ) -> Any:
        z = level(confidence_level)
        estimates = Estimates()
        for ranking, group in self._each():
            interval, baseline = answer(ranking, z, group)
            shown = z is not None
            negatives, positives = ranking.n.sum(1).tolist()
            weights = ranking.w.sum(1)
            estimates.append(
                ScoreEstimate(
                    metric=name,
                    value=float(interval.value),
                    n=negatives + positives,
                    low=float(interval.low) if shown else None,
                    high=float(interval.high) if shown else None,
                    se=float(interval.se) if shown else None,
                    confidence_level=confidence_level,
                    method=interval.method if shown else None,
                    pos_label=self.labels[1],
                    prevalence=float(weights[1] / weights.sum()) if weights.any() else np.nan,
                    group=group,
                    n_positives=positives,
                    n_negatives=negatives,
                    baseline=baseline,
                    binning_error=error(ranking),
                )
            )
        warn_undefined(name, estimates)
        return estimates[0] if self.groups is None else estimates
