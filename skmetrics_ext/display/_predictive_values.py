"""Predictive values in populations with other shares of positives, with their intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counts import ConfusionCounts, Estimate

__all__ = ["PredictiveValues", "predictive_values", "usual_prevalences"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PredictiveValues:
    """One predictive value at each prevalence.

    Attributes
    ----------
    prevalence : ndarray of shape (P,)
    value, low, high : ndarray of shape (P,)
        NaN where no row was answered so.
    here : Estimate
        The same in the data as counted.
    """

    prevalence: Floats
    value: Floats
    low: Floats
    high: Floats
    here: Estimate


def predictive_values(
    counts: ConfusionCounts,
    metric: str,
    prevalences: Any,
    *,
    pos_label: Any = None,
    confidence_level: float = 0.95,
    on: str | None = None,
) -> PredictiveValues:
    """How often an answer is right, where the positive class has other shares of the rows.

    Each class is taken to look the same in those populations: recall and specificity stay.

    Parameters
    ----------
    counts : ConfusionCounts
        Of one group.
    metric : {"precision", "negative_predictive_value"}
    prevalences : array-like of shape (P,)
        Between 0 and 1, both excluded.
    pos_label, confidence_level, on
        As in `ConfusionCounts.estimate`.

    References
    ----------
    Mercaldo, N. D., Lau, K. F. and Zhou, X. H. (2007). Confidence intervals for predictive
    values with an emphasis to case-control studies. Statistics in Medicine 26(10), 2170-2183.
    https://doi.org/10.1002/sim.2677

    Examples
    --------
    >>> from skmetrics_ext.counts import ConfusionCounts
    >>> from skmetrics_ext.display._predictive_values import predictive_values
    >>> counts = ConfusionCounts.from_cells(tp=90, fp=10, fn=10, tn=90)
    >>> predictive_values(counts, "precision", [0.01, 0.5]).value.round(3).tolist()
    [0.083, 0.9]
    """
    asked = {
        "pos_label": pos_label,
        "confidence_level": confidence_level,
        "zero_division": np.nan,
        "on": on,
    }
    here = counts.estimate(metric, **asked)
    found = [counts.estimate(metric, prevalence=p, **asked) for p in np.ravel(prevalences).tolist()]
    value, low, high = (
        np.array([getattr(e, name) for e in found]) for name in ("value", "low", "high")
    )
    grid = np.ravel(np.asarray(prevalences, dtype=np.float64))
    return PredictiveValues(grid, value, low, high, here)


def usual_prevalences(own: float) -> Floats:
    """From one in a thousand, or a fifth of the data's own, evenly spaced on the logit scale."""
    least = min(1e-3, own / 5, (1 - own) / 5) if 0 < own < 1 else 1e-3
    end = np.log((1 - least) / least)
    return 1 / (1 + np.exp(-np.linspace(-end, end, 81)))
