"""Where an interval is symmetric: the logit, the logarithm, or the value itself."""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit

__all__ = ["delta_limits", "poisson_limits", "wilson_limits"]

Limits = tuple[float, float]


def wilson_limits(p: float, n: float, z: float) -> Limits:
    """The score interval of a proportion, by Wilson.

    Parameters
    ----------
    p : float
        The proportion, from 0 to 1.
    n : float
        The rows that it is of; an effective number where they have weights.
    z : float
        How many standard errors: 1.96 for 95 %.

    Returns
    -------
    low, high : float

    References
    ----------
    Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference.
    Journal of the American Statistical Association 22, 209-212.
    https://doi.org/10.1080/01621459.1927.10502953

    Examples
    --------
    >>> from skmetrics_ext.intervals import wilson_limits
    >>> low, high = wilson_limits(0.8, 100, z=1.96)
    >>> round(low, 3), round(high, 3)
    (0.711, 0.867)
    """
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    # Exactly 0 at p = 0 and 1 at p = 1, where rounding would leave 1e-17.
    return (
        0.0 if p == 0 else float(max(centre - half, 0.0)),
        1.0 if p == 1 else float(min(centre + half, 1.0)),
    )


def poisson_limits(x: float, n: float, z: float) -> Limits:
    """The score interval of a rate, such as events per day: Wilson's without an upper end.

    Parameters
    ----------
    x : float
        The rate, 0 or more.
    n : float
        How much was watched: the variance of the rate is x / n.
    z : float
        How many standard errors: 1.96 for 95 %.

    Returns
    -------
    low, high : float

    Examples
    --------
    Ten events in 200 days:

    >>> from skmetrics_ext.intervals import poisson_limits
    >>> low, high = poisson_limits(10 / 200, 200, z=1.96)
    >>> round(low, 3), round(high, 3)
    (0.027, 0.092)
    """
    centre, half = x + z * z / (2 * n), z * np.sqrt(x / n + z * z / (4 * n * n))
    return 0.0 if x == 0 else float(max(centre - half, 0.0)), float(centre + half)


def delta_limits(value: float, se: float, z: float, low: float, high: float) -> Limits:
    """The limits value -+ z se, on the scale that the range asks for.

    Logit where the range is finite, the logarithm of the distance to the one end where it is
    half-infinite, the value itself where it has no ends: so that no limit is outside the range.

    Parameters
    ----------
    value, se : float
        The value and its standard error.
    z : float
        How many standard errors: 1.96 for 95 %.
    low, high : float
        The ends of the range, infinite where it has none.

    Returns
    -------
    low, high : float
        NaN where the value is an end of the range, or outside it.

    Examples
    --------
    >>> import math
    >>> from skmetrics_ext.intervals import delta_limits
    >>> low, high = delta_limits(0.8, se=0.04, z=1.96, low=0, high=1)
    >>> round(low, 3), round(high, 3)
    (0.71, 0.867)
    >>> low, high = delta_limits(2.0, se=0.5, z=1.96, low=0, high=math.inf)
    >>> round(low, 3), round(high, 3)
    (1.225, 3.265)
    """
    if np.isfinite(low) and np.isfinite(high):
        width = high - low
        q = (value - low) / width
        if not 0 < q < 1:
            return float("nan"), float("nan")
        step = z * se / (width * q * (1 - q))
        return (
            low + width * float(expit(logit(q) - step)),
            low + width * float(expit(logit(q) + step)),
        )
    if np.isfinite(low):
        step = z * se / (value - low) if value > low else np.nan
        return float(low + (value - low) * np.exp(-step)), float(low + (value - low) * np.exp(step))
    if np.isfinite(high):
        step = z * se / (high - value) if high > value else np.nan
        return float(high - (high - value) * np.exp(step)), float(
            high - (high - value) * np.exp(-step)
        )
    return float(value - z * se), float(value + z * se)
