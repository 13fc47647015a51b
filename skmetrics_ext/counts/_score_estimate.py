"""One number about scores, with the rows and the interval behind it."""

from __future__ import annotations

from dataclasses import dataclass

from skmetrics_ext.counts._estimate import Estimate

__all__ = ["ScoreEstimate"]


@dataclass(frozen=True)
class ScoreEstimate(Estimate):
    """An `Estimate` of how well scores rank, or of how right they are as probabilities.

    Attributes
    ----------
    n_positives, n_negatives : int
        The rows of each class: a ranking rests on the smaller of the two.
    baseline : float or None
        What scores that know nothing get.
    binning_error : float or None
        Where scores were counted in bins: how far the value can be from that of the scores.
        None for the other scores, and for average precision, of which no bound is known.

    Examples
    --------
    >>> from skmetrics_ext.counts import ScoreCounts
    >>> counts = ScoreCounts.from_predictions([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6])
    >>> print(counts.roc_auc())
    roc_auc of 1 0.889 [0.261, 0.995] (3 positives, 3 negatives, DeLong; baseline 0.5)
    """

    n_positives: int = 0
    n_negatives: int = 0
    baseline: float | None = None
    binning_error: float | None = None

    @property
    def counts(self) -> str:
        """The rows of each class, and what the bins leave open."""
        counts = self._rows
        return f"{counts}; {self._because_of_bins}" if self.binning_error else counts

    @property
    def _rows(self) -> str:
        positives, negatives = self.n_positives, self.n_negatives
        return f"{_counted(positives, 'positive')}, {_counted(negatives, 'negative')}"

    @property
    def _because_of_bins(self) -> str:
        return f"off by at most {self.binning_error:.2g} because of the bins"

    @property
    def reversed(self) -> bool:
        """Whether the area under the ROC curve is under what scores that know nothing get."""
        ranks = self.metric in ("roc_auc", "gini", "partial_auc")
        return ranks and self.baseline is not None and self.value < self.baseline

    def __str__(self) -> str:
        notes = [self._rows if self.method is None else f"{self._rows}, {self.method}"]
        if self.baseline is not None:
            notes.append(f"baseline {self.baseline:.2g}")
        if self.reversed:
            notes.append("under the baseline: are the classes reversed?")
        if self.binning_error:
            notes.append(self._because_of_bins)
        parts = (self.name, f"{self.value:.3f}", self.limits, f"({'; '.join(notes)})")
        return " ".join(part for part in parts if part)


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
