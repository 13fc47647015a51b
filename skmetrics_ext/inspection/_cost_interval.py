"""How sure a mean cost per row is, from sums of the costs and of their squares."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.inspection._cost_rows import CostedRows
from skmetrics_ext.intervals._interval import check_level, hull

__all__ = ["difference_interval", "mean_interval"]

Floats = NDArray[np.float64]
Found = tuple[float, float, float]


def mean_interval(rows: CostedRows, confidence_level: float) -> Found:
    """Standard error, low and high of the mean cost paid.

    The variance is sum w^2 (c - mean)^2 / (sum w)^2. As for costs that are the same in all rows,
    the limits are those of rows with two more, spread over what a row can come to (each action
    and true class at its mean cost), on the logit scale between the least and the greatest cost
    and by the score of a share: so they are never of zero width, and follow the skew of costs.
    """
    z = check_level(confidence_level)
    weights = rows.rated.weights
    value, variance = _moments(rows.paid, weights)
    n_actions, n_classes = rows.costs.shape[-2:]
    costs = np.broadcast_to(rows.costs, (len(weights), n_actions, n_classes))
    low, high = float(costs.min()), float(costs.max())
    outcomes = np.einsum("r,rak->ak", weights, costs) / weights.sum()
    present = np.bincount(rows.rated.truth, weights, minlength=n_classes) > 0
    outcomes = outcomes[:, present].ravel()
    # A row more weighs as much as a row does on the whole.
    unit = float(weights @ weights / weights.sum())
    share = np.full(outcomes.size, 2 * unit / (n_actions * n_classes))
    centre, smoothed = _moments(
        np.concatenate([rows.paid, outcomes]),
        np.concatenate([weights, share]),
        np.concatenate([weights**2, share * unit]),
    )
    if not smoothed > 0:
        return float(np.sqrt(variance)), low, high
    limits = hull(value, centre, smoothed, z, low, high)
    return float(np.sqrt(variance)), limits[0], limits[1]


def difference_interval(difference: Floats, weights: Floats, confidence_level: float) -> Found:
    """Standard error, low and high of a mean of differences on the same rows: value -+ z se."""
    z = check_level(confidence_level)
    value, variance = _moments(difference, weights)
    se = float(np.sqrt(variance))
    return se, value - z * se, value + z * se


def _moments(values: Floats, weights: Floats, squares: Floats | None = None) -> tuple[float, float]:
    """The weighted mean, and its variance."""
    squares = weights**2 if squares is None else squares
    total = weights.sum()
    mean = float(weights @ values / total)
    return mean, float(squares @ (values - mean) ** 2 / total**2)
