"""Where the search for the optimum of a cumulative model begins."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from skmetrics_ext.ordinal._cumulative_likelihood import Objective
from skmetrics_ext.ordinal._cumulative_solve import solve

__all__ = ["starting_values"]

Array = NDArray[np.float64]

_MOST_EXPLAINED = 0.98


def starting_values(objective: Objective) -> Array:
    """Coefficients and thresholds as if the latent value were normal, by least squares.

    A class scores the mean of the standard normal between the quantiles that its share of rows
    spans. The regression of these scores on the columns finds the coefficients but for their
    scale, and the part of the variance that the columns explain finds the scale: what they do
    not explain is the variance of the link's own distribution.
    """
    rows, link = objective.rows, objective.link
    weights = rows.class_weights()
    shares = weights / weights.sum()
    ends = np.cumsum(shares)[:-1]
    quantiles = ndtri(ends)
    density = np.concatenate([[0.0], np.exp(-0.5 * quantiles**2), [0.0]]) / np.sqrt(2 * np.pi)
    scores = -np.diff(density) / shares
    moment, coef = _regress(objective, scores)
    seen = float(shares @ scores**2)  # of the variance, which is 1; the rest is within classes
    explained = min(float(moment @ coef) / (weights.sum() * seen**2), _MOST_EXPLAINED)
    stretch = 1 / np.sqrt(1 - explained)
    latent_normal = link.mean + link.spread * stretch * quantiles
    thresholds = explained * latent_normal + (1 - explained) * stretch * link.quantile(ends)
    return np.concatenate([link.spread * stretch / seen * coef, thresholds])


def _regress(objective: Objective, scores: Array) -> tuple[Array, Array]:
    """The products of columns and scores, and the coefficients of least squares."""
    gram = np.diag(objective.penalty)
    moment = np.zeros(len(gram))
    for code, Z, weights in objective.rows.blocks():
        weighted = Z if weights is None else Z * weights
        gram += weighted @ Z.T
        moment += scores[code] * weighted.sum(axis=1)
    return moment, -solve(gram, moment)
