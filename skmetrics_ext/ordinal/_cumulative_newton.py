"""Damped Newton steps to the optimum of a cumulative model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.ordinal._cumulative_likelihood import Objective, Point
from skmetrics_ext.ordinal._cumulative_separation import Separation, find_separation
from skmetrics_ext.ordinal._cumulative_solve import solve, towards_flat
from skmetrics_ext.ordinal._cumulative_start import starting_values

__all__ = ["Optimum", "maximise"]

Array = NDArray[np.float64]

# Steps that any well-behaved fit may take before it is asked whether classes are separated.
_UNSUSPICIOUS = 4
# After a step of so few standard errors the curvature is mostly the same to some five digits.
_NEAR = 2e-4
# How far towards the point where two thresholds meet a step may go.
_TOWARDS_A_TIE = 0.9


@dataclass(frozen=True)
class Optimum:
    """Where the steps ended.

    Attributes
    ----------
    point : Point
    n_iter : int
        How many systems of equations were solved; the last one only confirms.
    distance : float
        The length of the next step in standard errors, weights being scaled to a mean of 1.
    converged : bool
        Whether that is below the tolerance.
    separation : Separation or None
        Why there is no optimum, where there is none.
    """

    point: Point
    n_iter: int
    distance: float
    converged: bool
    separation: Separation | None = None

    def trouble(self, names: Sequence[str]) -> str | None:
        """What the user must know, in words; ``names`` are those of the columns."""
        if self.separation is not None:
            growing = [n for n, grows in zip(names, self.separation.columns, strict=True) if grows]
            return (
                f"the classes are {self.separation.kind}ly separated by the columns "
                f"{growing[:20]}: the likelihood grows with their coefficients without end, and "
                f"without a penalty there is no solution (stopped after {self.n_iter} steps)."
            )
        if not self.converged:
            return (
                f"the fit did not converge in {self.n_iter} steps: the next would still move "
                f"{self.distance:.2g} standard errors."
            )
        return None


def maximise(objective: Objective, *, max_iter: int, tol: float) -> Optimum:
    """Find the penalised maximum of the likelihood."""
    # A trial far off may overflow; it is not taken then, as any that is no better.
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        return _newton(objective, _begin(objective), max_iter=max_iter, tol=tol)


# ---------------------------------------------------------------------------------------------


def _begin(objective: Objective) -> Point:
    """The start by least squares, unless columns that say nothing would be better."""
    weights = objective.rows.class_weights()
    shares = weights / weights.sum()
    point = objective.point(starting_values(objective))
    if point.value <= -float(weights @ np.log(shares)):
        return point
    ends = objective.link.quantile(np.cumsum(shares)[:-1])
    return objective.point(np.concatenate([np.zeros(len(objective.rows.scale)), ends]))


def _newton(objective: Objective, point: Point, *, max_iter: int, tol: float) -> Optimum:
    mean_weight = objective.rows.class_weights().sum() / objective.rows.n_rows
    n_iter, spared = 0, False
    while True:
        step = solve(point.curvature, point.gradient)
        n_iter += 1
        gain = -float(point.gradient @ step)
        distance = float(np.sqrt(max(gain, 0) / mean_weight))
        converged = distance <= tol
        if objective.alpha == 0 and (converged or n_iter > _UNSUSPICIOUS):
            # Far out on the way to infinity everything is flat, and looks like an optimum.
            last = towards_flat(point.curvature, point.parameters) if converged else step
            separation = find_separation(objective, (point.parameters, last))
            if separation is not None:
                return Optimum(point, n_iter, distance, False, separation)
        if converged or n_iter == max_iter:
            return Optimum(point, n_iter, distance, converged)
        # The curvature is taken over for the step that mostly is the last, and no other.
        spare = not spared and distance < _NEAR
        spared = spared or spare
        moved = _moved(objective, point, step, gain, point.curvature if spare else None)
        if moved is None:
            return Optimum(point, n_iter, distance, False)
        point = moved


def _moved(
    objective: Objective, point: Point, step: Array, gain: float, curvature: Array | None
) -> Point | None:
    """The point after as much of the step as lowers the objective; None where nothing does."""
    length = min(1.0, _TOWARDS_A_TIE * _room(objective, point.parameters, step))
    # What the sum of so many logarithms cannot tell apart.
    blur = 1e-13 * abs(point.value)
    moved = objective.point(point.parameters + length * step, curvature=curvature)
    for _ in range(50):
        if moved.value <= point.value - 1e-4 * length * gain + blur:
            return moved
        length /= 2
        trial = point.parameters + length * step
        if objective.value(trial) <= point.value - 1e-4 * length * gain + blur:
            moved = objective.point(trial)
    return None


def _room(objective: Objective, parameters: Array, step: Array) -> float:
    """How often the step can be taken before two thresholds meet."""
    gaps, changes = (np.diff(v[len(objective.rows.scale) :]) for v in (parameters, step))
    closing = changes < 0
    return float((-gaps[closing] / changes[closing]).min(initial=np.inf))
