"""What `ScoreCounts` answers about thresholds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from skmetrics_ext._labels import are_words, label_array
from skmetrics_ext.counts._confusion import ConfusionCounts
from skmetrics_ext.counts._evaluate import bind_to_labels
from skmetrics_ext.counts._score_base import Rankings
from skmetrics_ext.counts._score_best_cost import best_cost
from skmetrics_ext.counts._score_checks import required_thresholds, warn_undefined
from skmetrics_ext.counts._score_tables import ThresholdTable
from skmetrics_ext.counts._score_thresholds import (
    counts_at,
    curves,
    stack,
    tables_at,
    thresholds_of,
)
from skmetrics_ext.tables import bind, get_metric

__all__ = ["AtThresholds"]


class AtThresholds(Rankings):
    """The rule ``score >= threshold``: its tables and what they are worth."""

    def tables(self) -> Any:
        """The confusion table at every threshold of the rule ``score >= threshold``.

        Returns
        -------
        thresholds : ndarray of shape (T,)
            Each distinct score (the least of each bin), from the highest down, after one that
            no score reaches: infinity, or NaN where a score is infinite itself. At the last
            one all rows are positive.
        tables : ndarray of shape (T, 2, 2)
            Sums of weights: the truth in the rows, the answer in the columns, the negative
            class first.

            With subgroups a list of such pairs.

        Examples
        --------
        >>> from skmetrics_ext.counts import ScoreCounts
        >>> thresholds, tables = ScoreCounts.from_predictions([0, 1, 1], [1, 2, 2]).tables()
        >>> thresholds.tolist()
        [inf, 2.0, 1.0]
        >>> tables[1].tolist()
        [[1.0, 0.0], [0.0, 2.0]]
        """
        pairs = [(thresholds_of(ranking), stack(ranking)) for ranking in self.rankings]
        return pairs[0] if self.groups is None else pairs

    def metric_curve(self, metric: str | Sequence[str], **params: Any) -> Any:
        """Label metrics at every threshold: exact, whatever the metric.

        Parameters
        ----------
        metric : str, or sequence of str
            Registered names, such as "f1" or "matthews_corrcoef". Several at once cost less
            than one after the other.
        **params
            ``average``, and the metric's own (``beta``, ``cost_matrix``), for each metric that
            has them.

        Returns
        -------
        thresholds : ndarray of shape (T,)
            As in `tables`.
        values : ndarray of shape (T,), or dict {name: ndarray}
            NaN where the metric is undefined (precision where nobody is positive).

            With subgroups a list of such pairs.

        Examples
        --------
        >>> from skmetrics_ext.counts import ScoreCounts
        >>> counts = ScoreCounts.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> thresholds, values = counts.metric_curve("precision")
        >>> dict(zip(thresholds.tolist(), values.round(2).tolist()))
        {inf: nan, 0.8: 1.0, 0.4: 0.5, 0.35: 0.67, 0.1: 0.5}
        """
        names = [metric] if isinstance(metric, str) else list(metric)
        if not names:
            raise ValueError(f"metric must name at least one metric; got {metric!r}.")
        bound, positive_first = self._bound(names, params)
        pairs: list[tuple[np.ndarray, Any]] = []
        for ranking in self.rankings:
            values = curves(ranking, bound, positive_first=positive_first)
            answer = values[0] if isinstance(metric, str) else dict(zip(names, values, strict=True))
            pairs.append((thresholds_of(ranking), answer))
        return pairs[0] if self.groups is None else pairs

    def _bound(self, names: Sequence[str], params: Mapping[str, Any]) -> tuple[list[Any], bool]:
        """The metrics over the classes in sorted order, in which arrays of costs are given."""
        negative, positive = self._negative(), self.labels[1]
        positive_first = positive < negative
        pair = [positive, negative] if positive_first else [negative, positive]
        labels = label_array(pair)
        metrics = [get_metric(name) for name in names]
        known = {"average"}.union(*(m.defaults for m in metrics))
        if not set(params) <= known:
            bind(metrics[0], average=(*metrics[0].averages, None)[0], params=dict(params))
        bound = [
            bind_to_labels(
                m.name,
                labels,
                labels,
                ordered=labels.dtype.kind in "biuf",
                pos_label=positive,
                average=params.get("average", "auto") if m.averages else "auto",
                params={key: value for key, value in params.items() if key in m.defaults},
            )
            for m in metrics
        ]
        return bound, positive_first

    def _negative(self) -> Any:
        """The negative class; a name for it where no row shows it."""
        negative, positive = self.labels
        if negative is not None:
            return negative
        return f"not {positive}" if isinstance(positive, str) else positive - 1

    def best_cost(self, cost_matrix: Any = None) -> Any:
        """The least mean cost per row over all thresholds, and the threshold that has it.

        Parameters
        ----------
        cost_matrix : CostMatrix or array-like of shape (2, 2), default=None
            One per mistake by default: the least share of mistakes.

        Returns
        -------
        BestCost, or a list of them with subgroups
            Lower is better. Where scores were counted in bins the least cost C over all
            thresholds is between ``value - binning_error`` and ``value``: with f and a the
            regrets of a false and a missed alarm, ``binning_error`` is the largest of
            min(f N_b, a P_b) / n over the bins b of N_b negatives and P_b positives. NaN, with
            an UndefinedMetricWarning, where no row has weight.

        Examples
        --------
        >>> from skmetrics_ext.counts import ScoreCounts
        >>> counts = ScoreCounts.from_predictions([0, 0, 1, 0, 1], [0.1, 0.3, 0.35, 0.4, 0.8])
        >>> print(counts.best_cost())
        best cost of 1 0.200 at score >= 0.8 (5 rows)
        >>> print(counts.best_cost([[0, 10], [1, 0]]))  # a missed positive is ten times as dear
        best cost of 1 0.200 at score >= 0.35 (5 rows)
        """
        (cost,), positive_first = self._bound(["expected_cost"], {"cost_matrix": cost_matrix})
        binned = self.bins is not None
        answers = [
            best_cost(
                ranking,
                cost,
                positive_first=positive_first,
                binned=binned,
                pos_label=self.labels[1],
                group=group,
            )
            for ranking, group in self._each()
        ]
        warn_undefined("best_cost", answers)
        return answers[0] if self.groups is None else answers

    def at_threshold(self, threshold: float) -> ConfusionCounts:
        """What happens if rows of this score or more are answered positive.

        Parameters
        ----------
        threshold : float
            In the units of the scores; where they were counted in bins it must lie between
            bins.

        Returns
        -------
        ConfusionCounts
            The negative class first; it knows its positive class, and the subgroups.

        Raises
        ------
        ValueError
            Where the threshold is no number, or cuts through a bin.

        Examples
        --------
        >>> from skmetrics_ext.counts import ScoreCounts
        >>> scores = ScoreCounts.from_predictions([0, 0, 1, 1, 1], [0.1, 0.6, 0.4, 0.7, 0.9])
        >>> scores.at_threshold(0.5)
        ConfusionCounts: 5 rows (truth down, answer across)
           0  1
        0  1  1
        1  1  2
        """
        cuts = required_thresholds([threshold])
        parts = [counts_at(ranking, cuts) for ranking in self.rankings]
        n, w, w2 = (np.stack(tables) for tables in zip(*parts, strict=True))
        if self.groups is None:
            n, w, w2 = n[0], w[0], w2[0]
        labels = label_array([self._negative(), self.labels[1]])
        return ConfusionCounts(
            n=n,
            w=w,
            w2=w2,
            labels=labels,
            actions=labels,
            ordered=not are_words(labels),
            groups=self.groups,
            pos_label=self.labels[1],
            dropped=self.dropped,
        )

    def threshold_table(self, thresholds: Any) -> Any:
        """What the rule ``score >= threshold`` says and gets wrong at thresholds of one's own.

        Parameters
        ----------
        thresholds : array-like of shape (T,)
            In the units of the scores. Where scores were counted in bins only thresholds
            between the bins can be answered; others are an error that names the nearest.

        Returns
        -------
        ThresholdTable
            Arrays said_positive, false_alarms, missed, precision, recall, accuracy; with
            subgroups a list of them.

        Examples
        --------
        >>> from skmetrics_ext.counts import ScoreCounts
        >>> counts = ScoreCounts.from_predictions([0, 0, 1, 1, 1], [0.1, 0.6, 0.4, 0.7, 0.9])
        >>> counts.threshold_table([0.3, 0.5])
        score >= threshold says 1
        threshold  said_positive  false_alarms  missed  precision  recall  accuracy
            0.300              4             1       0      0.750       1     0.800
            0.500              3             1       1      0.667   0.667     0.600
        """
        cuts = required_thresholds(thresholds)
        precision, recall, accuracy = (
            bind(get_metric(name), average=average, pos=1)
            for name, average in (("precision", "binary"), ("recall", "binary"), ("accuracy", None))
        )
        answers = []
        for ranking, group in self._each():
            tables = tables_at(ranking, cuts)
            (_, false_alarms), (missed, found) = np.moveaxis(tables, 0, -1)
            answers.append(
                ThresholdTable(
                    threshold=cuts,
                    said_positive=found + false_alarms,
                    false_alarms=false_alarms,
                    missed=missed,
                    precision=precision(tables),
                    recall=recall(tables),
                    accuracy=accuracy(tables),
                    pos_label=self.labels[1],
                    group=group,
                )
            )
        return answers[0] if self.groups is None else answers
