"""The penalised likelihood of a cumulative model, its gradient and its curvature."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.ordinal._cumulative_rows import SortedRows
from skmetrics_ext.ordinal._links import IntervalTerms, Link

__all__ = ["Objective", "Point"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Point:
    """What the objective is at one place, parameters being coefficients, then thresholds.

    Attributes
    ----------
    parameters : ndarray of shape (p + K - 1,)
        In standardised columns.
    value : float
        Minus the log-likelihood, plus the penalty.
    gradient : ndarray of shape (p + K - 1,)
    curvature : ndarray of shape (p + K - 1, p + K - 1)
        The matrix of second derivatives: without a penalty, the observed information.
    """

    parameters: Array
    value: float
    gradient: Array
    curvature: Array


@dataclass(frozen=True)
class Objective:
    """Minus the log-likelihood plus ``alpha / 2`` times the squared length of ``coef``.

    The penalty is on the coefficients of the columns as the user gave them.
    """

    rows: SortedRows
    link: Link
    alpha: float

    @property
    def penalty(self) -> Array:
        """What multiplies half the square of each coefficient of a standardised column."""
        return self.alpha / self.rows.scale**2

    def value(self, parameters: Array) -> float:
        coef, ends = self.split(parameters)
        total = 0.5 * float(self.penalty @ coef**2)
        for code, Z, weights in self.rows.blocks():
            log_p = self.link.log_probability(coef @ Z, ends[code], ends[code + 1])
            total -= float(log_p.sum() if weights is None else weights @ log_p)
        return total

    def point(self, parameters: Array, *, curvature: Array | None = None) -> Point:
        """Value and derivatives; second derivatives may be taken over from a point nearby."""
        coef, ends = self.split(parameters)
        p, size = len(coef), len(parameters)
        value = 0.5 * float(self.penalty @ coef**2)
        gradient, bent = np.zeros(size), np.zeros((size, size))
        gradient[:p] = self.penalty * coef
        for code, Z, weights in self.rows.blocks():
            terms = self.link.terms(coef @ Z, ends[code], ends[code + 1])
            if weights is not None:
                terms = IntervalTerms(*(weights * term for term in terms))
            value -= float(np.add.reduce(terms.log_p))
            _add_slopes(gradient, code, Z, terms)
            if curvature is None:
                _add_bends(bent, code, Z, terms)
        if curvature is None:
            bent[p:, :p] = bent[:p, p:].T
            bent.flat[: p * size : size + 1] += self.penalty
            curvature = bent
        return Point(parameters, value, gradient, curvature)

    def split(self, parameters: Array) -> tuple[Array, Array]:
        """Coefficients, and the ends of all intervals: thresholds between two infinities."""
        p = len(self.rows.scale)
        return parameters[:p], np.concatenate([[-np.inf], parameters[p:], [np.inf]])


def _add_slopes(gradient: Array, code: int, Z: Array, terms: IntervalTerms) -> None:
    p, n_ends = len(Z), len(gradient) - len(Z)
    gradient[:p] += Z @ (terms.up - terms.low)
    if code < n_ends:
        gradient[p + code] -= np.add.reduce(terms.up)
    if code > 0:
        gradient[p + code - 1] += np.add.reduce(terms.low)


def _add_bends(curvature: Array, code: int, Z: Array, terms: IntervalTerms) -> None:
    p, n_ends = len(Z), len(curvature) - len(Z)
    _, _, _, up_up, low_low, up_low = terms
    # Coefficients with each other, and with the two thresholds, in one product.
    across = np.empty((p + 2, Z.shape[1]))
    np.multiply(Z, up_up + low_low - 2 * up_low, out=across[:p])
    across[p] = up_low - up_up
    across[p + 1] = up_low - low_low
    products = across @ Z.T
    curvature[:p, :p] += products[:p]
    upper, lower = p + code, p + code - 1
    if code < n_ends:
        curvature[:p, upper] += products[p]
        curvature[upper, upper] += np.add.reduce(up_up)
    if code > 0:
        curvature[:p, lower] += products[p + 1]
        curvature[lower, lower] += np.add.reduce(low_low)
    if 0 < code < n_ends:
        curvature[upper, lower] -= np.add.reduce(up_low)
        curvature[lower, upper] -= np.add.reduce(up_low)
