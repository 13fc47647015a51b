"""Two models on the same rows: the difference of a metric, and how sure it is."""

from __future__ import annotations

from math import isqrt

import numpy as np

from skmetrics_ext.intervals._gradient import Spread, gradient
from skmetrics_ext.intervals._interval import Interval, check_level
from skmetrics_ext.tables import BoundMetric

__all__ = ["paired_differences"]

Limits = tuple[float, float]


def paired_differences(
    bound: BoundMetric, pairs: Spread, *, confidence_level: float = 0.95
) -> list[Interval]:
    """The difference A - B of one metric: a list of one, or of one per class.

    Parameters
    ----------
    bound : BoundMetric
    pairs : Spread of tables (K, A * A)
        The truth down; across, every answer of A with every answer of B (B's running faster).
    confidence_level : float, default=0.95

    Returns
    -------
    list of Interval

    See Also
    --------
    skmetrics_ext.counts.PairedCounts.difference : The same with labels.

    Notes
    -----
    The variance is the sum of w2 (gA[t, a] - gB[t, b])^2 with the derivatives g of the metric
    at each model's own table: what both models share on a row cancels. The limits are centred
    on the table with two more rows, so that models that never differed still get a width.

    Examples
    --------
    >>> import numpy as np
    >>> from skmetrics_ext.intervals import Spread, paired_differences
    >>> from skmetrics_ext.tables import bind, get_metric
    >>> pairs = np.array([[20.0, 1.0, 6.0, 3.0], [2.0, 2.0, 0.0, 9.0]])
    >>> (found,) = paired_differences(bind(get_metric("accuracy")), Spread(pairs, pairs))
    >>> round(found.value, 3), round(found.low, 3), round(found.high, 3)
    (-0.163, -0.286, -0.026)
    """
    z = check_level(confidence_level)
    values, slopes = _difference(bound, pairs.w)
    se = np.where(np.isnan(values), np.nan, np.sqrt(pairs.variance(slopes)))
    smooth = pairs.smoothed()
    centres, slopes = _difference(bound, smooth.w)
    steps = z * np.sqrt(smooth.variance(slopes))
    low, high = bound.metric.range_of(len(pairs.w), bound.params)
    return [
        Interval(float(v), float(s), *_limits(v, centre, step, high - low), "paired, smoothed")
        for v, s, centre, step in zip(values, se, centres, steps, strict=True)
    ]


def _limits(value: float, centre: float, step: float, widest: float) -> Limits:
    """Centre -+ step, widened to hold the value and cut where no difference can be."""
    if np.isnan(value):
        return float("nan"), float("nan")
    if not step > 0:
        return -widest, widest
    low, high = min(centre - step, value), max(centre + step, value)
    return float(max(low, -widest)), float(min(high, widest))


def _difference(bound: BoundMetric, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The values A - B (V,) and their derivatives (V, K, A * A)."""
    n_classes, n_pairs = w.shape
    cube = w.reshape(n_classes, isqrt(n_pairs), -1)
    of_a, of_b = cube.sum(2), cube.sum(1)
    values = np.atleast_1d(bound(of_a) - bound(of_b))
    slopes_a = gradient(bound, of_a).reshape(-1, *of_a.shape)
    slopes_b = gradient(bound, of_b).reshape(-1, *of_b.shape)
    slopes = slopes_a[..., :, None] - slopes_b[..., None, :]
    return values, slopes.reshape(-1, n_classes, n_pairs)
