"""What `ThresholdDisplay` is asked, checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from skmetrics_ext.tables import get_metric

__all__ = ["interval_of", "metrics_of", "number_of"]

_USUAL = ("precision", "recall")


def metrics_of(metric: Any, *, has_costs: bool) -> list[str]:
    """The metrics to draw, which share an axis."""
    if metric is None:
        return ["expected_cost"] if has_costs else list(_USUAL)
    names = [metric] if isinstance(metric, str) else list(metric)
    if not names:
        raise ValueError(f"metric must name at least one metric; got {metric!r}.")
    for name in names:
        get_metric(name)
    if "expected_cost" in names and len(names) > 1 and has_costs:
        raise ValueError(
            "metric must not mix 'expected_cost', which is in the currency of the costs, with "
            f"others on one axis; got {names}. Draw two pictures."
        )
    return names


def number_of(value: Any, name: str) -> float:
    """A number, which may be infinite."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
        raise ValueError(f"{name} must be a number; got {value!r}.")
    return float(value)


def interval_of(interval: Any, threshold: float | None) -> tuple[float, float] | None:
    """Two limits of a threshold that is there."""
    if interval is None:
        return None
    if threshold is None:
        raise ValueError("threshold_interval needs the threshold that it is of: threshold=...")
    try:
        low, high = (float(v) for v in interval)
    except (TypeError, ValueError):
        low, high = np.nan, np.nan
    if not low <= high:
        raise ValueError(f"threshold_interval must be two numbers, low and high; got {interval!r}.")
    return low, high
