"""What is said at each threshold or in each bin of scores: tables that print."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from skmetrics_ext.counts._frames import to_frame

__all__ = ["BrierScore", "CalibrationTable", "ThresholdTable"]


class _Table:
    """Columns of equal length, in the order of the fields."""

    def columns(self) -> dict[str, np.ndarray]:
        """The columns by name, each of the length of the table."""
        return {
            field.name: value
            for field in fields(self)  # type: ignore[arg-type]  # the subclasses are dataclasses
            if isinstance(value := getattr(self, field.name), np.ndarray)
        }

    def to_frame(self, backend: str = "pandas") -> Any:
        """The table as a pandas, polars or pyarrow frame.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default="pandas"
        """
        columns = {name: column.tolist() for name, column in self.columns().items()}
        return to_frame(columns, backend)

    def __len__(self) -> int:
        return len(next(iter(self.columns().values())))

    def _text(self, title: str, names: Mapping[str, str] | None = None) -> str:
        columns = self.columns()
        cells = [
            [(names or {}).get(name, name), *map(_cell, column.tolist())]
            for name, column in columns.items()
        ]
        widths = [max(map(len, column)) for column in cells]
        lines = [
            "  ".join(f"{value:>{width}}" for value, width in zip(row, widths, strict=True))
            for row in zip(*cells, strict=True)
        ]
        return "\n".join([title, *lines])


@dataclass(frozen=True, eq=False, repr=False)
class ThresholdTable(_Table):
    """What the rule ``score >= threshold`` says and gets wrong, a row for each threshold.

    Attributes
    ----------
    threshold : ndarray of shape (T,)
    said_positive : ndarray of shape (T,)
        Rows (sums of weights) answered positive.
    false_alarms, missed : ndarray of shape (T,)
        Negatives answered positive, positives answered negative.
    precision, recall, accuracy : ndarray of shape (T,)
        NaN where nothing stands below the line.
    pos_label : object
    group : object or None

    Examples
    --------
    >>> from skmetrics_ext.counts import ScoreCounts
    >>> counts = ScoreCounts.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> table = counts.threshold_table([0.35, 0.5])
    >>> table
    score >= threshold says 1
    threshold  said_positive  false_alarms  missed  precision  recall  accuracy
        0.350              3             1       0      0.667       1     0.750
        0.500              1             0       1          1   0.500     0.750
    >>> table.recall.tolist()
    [1.0, 0.5]
    """

    threshold: np.ndarray
    said_positive: np.ndarray
    false_alarms: np.ndarray
    missed: np.ndarray
    precision: np.ndarray
    recall: np.ndarray
    accuracy: np.ndarray
    pos_label: Any = None
    group: Any = None

    def __repr__(self) -> str:
        inside = "" if self.group is None else f" in {self.group!r}"
        return self._text(f"score >= threshold says {self.pos_label!r}{inside}")


@dataclass(frozen=True, eq=False, repr=False)
class CalibrationTable(_Table):
    """What happened to the rows of each bin of scores: a row for each bin that has rows.

    Attributes
    ----------
    lower, upper : ndarray of shape (B,)
        The ends of the bin; a score on an inner end belongs to the bin above it.
    n : ndarray of shape (B,)
        Rows.
    weight, positives : ndarray of shape (B,)
        Sums of weights, of all rows and of the positives.
    mean_score : ndarray of shape (B,)
        What the scores promised.
    share : ndarray of shape (B,)
        The share of positives: what happened.
    low, high : ndarray of shape (B,)
        Wilson's interval of the share; NaN columns where no level was given.
    pos_label : object
    group : object or None
    confidence_level : float or None

    Examples
    --------
    >>> from skmetrics_ext.counts import ScoreCounts
    >>> y, score = [0, 0, 0, 1, 0, 1, 1, 1], [0.1, 0.2, 0.2, 0.3, 0.6, 0.7, 0.8, 0.9]
    >>> table = ScoreCounts.from_predictions(y, score).calibration_table(bins=2)
    >>> table
    share of 1 among rows of similar score
    lower  upper  n  weight  positives  mean_score  share    low   high
        0  0.500  4       4          1       0.200  0.250  0.046  0.699
    0.500      1  4       4          3       0.750  0.750  0.301  0.954
    >>> table.share.tolist()
    [0.25, 0.75]
    """

    lower: np.ndarray
    upper: np.ndarray
    n: np.ndarray
    weight: np.ndarray
    positives: np.ndarray
    mean_score: np.ndarray
    share: np.ndarray
    low: np.ndarray
    high: np.ndarray
    pos_label: Any = None
    group: Any = None
    confidence_level: float | None = None

    def __repr__(self) -> str:
        inside = "" if self.group is None else f" in {self.group!r}"
        return self._text(f"share of {self.pos_label!r} among rows of similar score{inside}")


@dataclass(frozen=True)
class BrierScore:
    """The mean squared error of probabilities, and what it is made of.

    ``value = reliability - resolution + uncertainty + within_bins``.

    Attributes
    ----------
    value : float
        0 is best, 1 is worst; ``float(score)`` is the same.
    low, high, se : float or None
        Its interval and standard error.
    reliability : float
        How far the shares of positives are from what the scores say; 0 is best.
    resolution : float
        How far the shares of the bins are from the prevalence; higher is better.
    uncertainty : float
        prevalence (1 - prevalence): what always answering the prevalence would get.
    within_bins : float
        What the scores differ within the bins; 0 without bins.
    n : int
        Rows.
    confidence_level : float or None
    method : str or None
    pos_label, group : object or None

    References
    ----------
    Murphy, A. H. (1973),
    https://doi.org/10.1175/1520-0450(1973)012%3C0595:ANVPOT%3E2.0.CO;2, and with bins
    Stephenson, D. B., Coelho, C. A. S. and Jolliffe, I. T. (2008),
    https://doi.org/10.1175/2007WAF2006116.1.

    Examples
    --------
    >>> from skmetrics_ext.counts import ScoreCounts
    >>> counts = ScoreCounts.from_predictions([0, 0, 1, 0, 1, 1], [0.1, 0.1, 0.1, 0.8, 0.8, 0.8])
    >>> print(counts.brier_score())  # doctest: +NORMALIZE_WHITESPACE
    brier_score of 1 0.258 [0.080, 0.584] (6 rows; reliability 0.0361 - resolution 0.0278 +
    uncertainty 0.2500)
    """

    value: float
    low: float | None
    high: float | None
    se: float | None
    reliability: float
    resolution: float
    uncertainty: float
    within_bins: float
    n: int
    confidence_level: float | None = None
    method: str | None = None
    pos_label: Any = None
    group: Any = None

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        inside = "" if self.group is None else f" in {self.group!r}"
        limits = "" if self.low is None else f" [{self.low:.3f}, {self.high:.3f}]"
        within = f" {self.within_bins:+.4f} within bins" if self.within_bins else ""
        rows = "1 row" if self.n == 1 else f"{self.n} rows"
        return (
            f"brier_score of {self.pos_label!r}{inside} {self.value:.3f}{limits} ({rows}; "
            f"reliability {self.reliability:.4f} - resolution {self.resolution:.4f} + "
            f"uncertainty {self.uncertainty:.4f}{within})"
        )


def _cell(value: Any) -> str:
    if isinstance(value, int) or (np.isfinite(value) and float(value).is_integer()):
        return f"{value:.0f}"
    return f"{value:.3f}" if abs(value) >= 0.001 or value != value else f"{value:.3g}"
