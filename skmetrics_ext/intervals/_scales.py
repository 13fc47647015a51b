"""Where an interval is symmetric: the logit, the logarithm, or the value itself."""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit

__all__ = ["delta_limits", "poisson_limits", "wilson_limits"]

Limits = tuple[float, float]


def wilson_limits(p: float, n: float, z: float) -> Limits:
    """The score interval of a proportion p on (effectively) n rows. Wilson (1927)."""
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    # Exactly 0 at p = 0 and 1 at p = 1, where rounding would leave 1e-17.
    return (
        0.0 if p == 0 else float(max(centre - half, 0.0)),
        1.0 if p == 1 else float(min(centre + half, 1.0)),
    )


def poisson_limits(x: float, n: float, z: float) -> Limits:
    """The score interval of a rate x >= 0 whose variance is x / n."""
    centre, half = x + z * z / (2 * n), z * np.sqrt(x / n + z * z / (4 * n * n))
    return 0.0 if x == 0 else float(max(centre - half, 0.0)), float(centre + half)


def delta_limits(value: float, se: float, z: float, low: float, high: float) -> Limits:
    """value -+ z se on the scale that the range asks for.

    Logit where the range is finite, the logarithm of the distance to the one end where it is
    half-infinite, the value itself where it has no ends.
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
