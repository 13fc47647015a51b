"""The linear equations of a Newton step, also where columns are combinations of others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh

# Straight from LAPACK: scipy's wrappers take longer than the few columns of most fits.
from scipy.linalg.lapack import dpotrf, dpotrs

__all__ = ["solve", "towards_flat"]

Array = NDArray[np.float64]

# Of how much its neighbours leave of a column, below which it counts as their combination.
_COLLINEAR = 1e-11
# Of the steepest curvature, below which a direction is flat.
_FLAT = 1e-11


def solve(curvature: Array, gradient: Array) -> Array:
    """The step that takes the gradient to zero, downhill also where the surface is no bowl.

    Along combinations of columns that make no difference the step is zero.
    """
    if not len(gradient):
        return gradient
    diagonal = np.diag(curvature)
    factor, failed = dpotrf(curvature, lower=True)
    if not failed and (np.diag(factor) ** 2 > _COLLINEAR * diagonal).all():
        return -dpotrs(factor, gradient, lower=True)[0]
    unit = np.sqrt(np.abs(diagonal))
    unit[unit == 0] = 1
    values, vectors = eigh(curvature / np.outer(unit, unit), check_finite=False)
    sizes = np.abs(values)
    kept = sizes > _COLLINEAR * sizes.max()
    return -(vectors[:, kept] / sizes[kept]) @ (vectors[:, kept].T @ (gradient / unit)) / unit


def towards_flat(curvature: Array, parameters: Array) -> Array:
    """The part of the parameters that lies where the surface is flat."""
    factor, failed = dpotrf(curvature, lower=True)
    # A look at the factor spares the eigenvectors where nothing is flat.
    if not failed and np.diag(factor).min() ** 2 > 1e3 * _FLAT * np.diag(curvature).max():
        return np.zeros_like(parameters)
    values, vectors = eigh(curvature, check_finite=False)
    flat = vectors[:, values <= _FLAT * values[-1]]
    return flat @ (flat.T @ parameters)
