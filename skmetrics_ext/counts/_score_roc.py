"""The area under the ROC curve, whole or up to a false positive rate, and how sure it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from skmetrics_ext.counts._score_ranking import Ranking
from skmetrics_ext.intervals import Interval
from skmetrics_ext.intervals._scales import delta_limits

__all__ = ["Area", "area_to", "class_factors", "newcombe_limits", "roc_interval"]

# Weighted sums of a perfect ranking may miss 1 by rounding; this is nearer than data can be.
_NEAR = 1e-12


@dataclass(frozen=True)
class Area:
    """The area under the ROC curve for false positive rates in [0, max_fpr].

    ``slopes`` (2, S): its derivative with respect to the weight at each score, times the
    weight of the class: for the whole area DeLong's placements less their mean.
    """

    value: float
    slopes: np.ndarray


def area_to(ranking: Ranking, max_fpr: float) -> Area:
    """The trapezoidal area up to ``max_fpr``; both classes must have weight."""
    downwards = ranking.w[:, ::-1]
    x, y = (np.concatenate([[0.0], np.cumsum(row)]) for row in downwards)
    x, y = x / x[-1], y / y[-1]
    # The last corner that is reached, and the part of a segment beyond it.
    stop = int(np.searchsorted(x, max_fpr, side="right")) - 1
    widths, heights = np.diff(x[: stop + 1]), (y[:stop] + y[1 : stop + 1]) / 2
    area = float(widths @ heights)
    by_x, by_y = np.zeros(len(x)), np.zeros(len(x))
    by_x[1 : stop + 1] += heights
    by_x[:stop] -= heights
    by_y[1 : stop + 1] += widths / 2
    by_y[:stop] += widths / 2
    if stop < len(x) - 1:
        reach, width, rise = max_fpr - x[stop], x[stop + 1] - x[stop], y[stop + 1] - y[stop]
        half = reach**2 / (2 * width)
        area += float(y[stop] * reach + rise * half)
        by_x[stop] += -y[stop] - rise * reach / width + rise * half / width
        by_x[stop + 1] -= rise * half / width
        by_y[stop] += reach - half
        by_y[stop + 1] += half
    slopes = [
        np.cumsum(by[:0:-1]) - by @ along  # lowest score first, as the ranking has them
        for by, along in ((by_x, x), (by_y, y))
    ]
    return Area(area, np.stack(slopes))


def class_factors(ranking: Ranking) -> np.ndarray:
    """What squared weights are multiplied by, per class: n / (n - 1) over the weight squared.

    n is the effective number of rows, so that without weights this is DeLong's n - 1; it is
    NaN where a class has one row.
    """
    factors = []
    for positive in (0, 1):
        weight, n = ranking.of_class(positive)
        factors.append(n / (n - 1) / weight**2 if n > 1 + _NEAR else np.nan)
    return np.array(factors)


def roc_interval(ranking: Ranking, max_fpr: float, z: float | None) -> Interval:
    """McClish's standardised area (for ``max_fpr`` 1 the area itself), its SE and limits."""
    least, most = max_fpr**2 / 2, max_fpr
    stretch = 0.5 / (most - least)
    (w_negative, n_negative), (w_positive, n_positive) = ranking.of_class(0), ranking.of_class(1)
    if not (w_negative > 0 and w_positive > 0):
        return Interval(np.nan, np.nan, np.nan, np.nan, "DeLong")
    area = area_to(ranking, max_fpr)
    value = 0.5 + stretch * (area.value - least)
    variance = float(((ranking.w2 * area.slopes**2).sum(1) * class_factors(ranking)).sum())
    se = stretch * np.sqrt(variance)
    if z is None:
        return Interval(value, se, np.nan, np.nan, "DeLong")
    floor = 0.5 - stretch * least
    if floor + _NEAR < value < 1 - _NEAR and se > _NEAR:
        return Interval(value, se, *delta_limits(value, se, z, floor, 1.0), "DeLong")
    # Up to max_fpr a positive meets only that share of the negatives, the highest ones.
    share = min(max(area.value / max_fpr, 0.0), 1.0)
    low, high = newcombe_limits(share, n_positive, max(n_negative * max_fpr, 1.0), z)
    low, high = (0.5 + stretch * (max_fpr * q - least) for q in (low, high))
    return Interval(value, se, min(low, value), max(high, value), "Newcombe")


def newcombe_limits(
    auc: float, n_positive: float, n_negative: float, z: float
) -> tuple[float, float]:
    """Newcombe's (2006) method 5: the areas that a score test would not reject.

    Its variance is Hanley and McNeil's at the area in question, with one size for both
    classes, so that it is not zero where the ranking is perfect.
    """

    def lower(value: float) -> float:
        def excess(area: float) -> float:
            pairs = (n_positive + n_negative) / 2 - 1
            inner = 1 + pairs * ((1 - area) / (2 - area) + area / (1 + area))
            return value - area - z * np.sqrt(area * (1 - area) * inner / rows)

        top = min(value, 1 - _NEAR)
        return 0.0 if value <= _NEAR else float(brentq(excess, 0.0, top))

    rows = n_positive * n_negative
    return lower(auc), 1.0 - lower(1.0 - auc)
