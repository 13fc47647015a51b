"""What `ScoreCounts` answers about how right the scores are as probabilities."""

from __future__ import annotations

from typing import Any

from skmetrics_ext.counts._score_base import Rankings
from skmetrics_ext.counts._score_checks import level
from skmetrics_ext.counts._score_probabilities import (
    as_edges,
    brier_score,
    calibration_table,
    require_probabilities,
)

__all__ = ["AsProbabilities"]


class AsProbabilities(Rankings):
    """Calibration and the Brier score."""

    def calibration_table(self, bins: Any = 10, *, confidence_level: float | None = 0.95) -> Any:
        """What the scores promised and what happened, a row for each bin of scores with rows.

        Parameters
        ----------
        bins : int, or array-like of the ends from 0 to 1, default=10
            A score on an inner end belongs to the bin above it, the score 1 to the last one.
        confidence_level : float or None, default=0.95
            Of Wilson's interval for the share of positives.

        Returns
        -------
        CalibrationTable, or a list of them with subgroups

        Raises
        ------
        ValueError
            Where scores are outside [0, 1], or were counted in bins.

        Examples
        --------
        >>> from skmetrics_ext.counts import ScoreCounts
        >>> counts = ScoreCounts.from_predictions([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.7, 1])
        >>> counts.calibration_table(2)
        share of 1 among rows of similar score
        lower  upper  n  weight  positives  mean_score  share    low   high
            0  0.500  3       3          1       0.200  0.333  0.061  0.792
        0.500      1  3       3          2       0.767  0.667  0.208  0.939
        """
        edges, z = as_edges(bins), level(confidence_level)
        for ranking in self.rankings:
            require_probabilities(ranking, "calibration_table")
        tables = [
            calibration_table(
                ranking,
                edges,
                z,
                pos_label=self.labels[1],
                group=group,
                confidence_level=confidence_level,
            )
            for ranking, group in self._each()
        ]
        return tables[0] if self.groups is None else tables

    def brier_score(self, bins: Any = None, *, confidence_level: float | None = 0.95) -> Any:
        """The mean squared error of probabilities, in reliability, resolution, uncertainty.

        Range 0 to 1, lower is better. Equal to scikit-learn's ``brier_score_loss``.

        Parameters
        ----------
        bins : int, or array-like of the ends from 0 to 1, default=None
            What rows the parts are taken over. By default those of equal score, which says
            little where scores hardly repeat: use bins there, and 5 to 20 of them.
        confidence_level : float or None, default=0.95

        Returns
        -------
        BrierScore, or a list of them with subgroups
            Its interval is the delta method's for a mean, symmetric on the logit scale, which
            knows no mistakes bigger than those it saw; Wilson's where all errors are equal.

        Raises
        ------
        ValueError
            Where scores are outside [0, 1], or were counted in bins.

        Examples
        --------
        >>> from skmetrics_ext.counts import ScoreCounts
        >>> counts = ScoreCounts.from_predictions([0, 1, 0, 1], [0.2, 0.2, 0.2, 0.8])
        >>> print(counts.brier_score(confidence_level=None))
        ... # doctest: +NORMALIZE_WHITESPACE
        brier_score of 1 0.190 (4 rows; reliability 0.0233 - resolution 0.0833 +
        uncertainty 0.2500)
        """
        edges = None if bins is None else as_edges(bins)
        z = level(confidence_level)
        for ranking in self.rankings:
            require_probabilities(ranking, "brier_score")
        scores = [
            brier_score(
                ranking,
                edges,
                z,
                pos_label=self.labels[1],
                group=group,
                confidence_level=confidence_level,
            )
            for ranking, group in self._each()
        ]
        return scores[0] if self.groups is None else scores
