"""A table of probabilities, checked: a row for each case, a column for each class."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["probability_rows"]

# Probabilities that were printed with a few digits are still probabilities; scores are not.
_SUM_TOLERANCE = 1e-3


def probability_rows(y_proba: Any, *, name: str = "y_proba") -> np.ndarray:
    """Probabilities as float64 of shape (n_samples, n_classes), as they are.

    Raises
    ------
    ValueError
        Where there are no rows or fewer than two columns; a value is no number, NaN, infinite
        or negative; or a row's sum is not 1 (within 0.001).
    """
    array = np.asarray(y_proba)
    if array.dtype.kind not in "biuf":
        try:
            array = array.astype(np.float64)
        except (TypeError, ValueError):
            raise ValueError(f"{name} must hold numbers; got an array of {array.dtype}.") from None
    if array.ndim != 2 or array.shape[0] == 0 or array.shape[1] < 2:
        raise ValueError(
            f"{name} must have the shape (n_samples, n_classes), of at least one row and two "
            f"classes; got an array of shape {array.shape}."
        )
    p = array.astype(np.float64, copy=False)
    missing = ~np.isfinite(p)
    if missing.any():
        raise ValueError(
            f"{name} must be finite; {int(missing.any(axis=1).sum())} of {len(p)} rows hold NaN "
            "or infinite values."
        )
    if (p < 0).any():
        raise ValueError(f"{name} must not be negative; the lowest value is {p.min()}.")
    sums = p.sum(axis=1)
    off = np.abs(sums - 1) > _SUM_TOLERANCE
    if off.any():
        row = int(np.flatnonzero(off)[0])
        raise ValueError(
            f"{name} must sum to 1 in each row; {int(off.sum())} of {len(p)} rows do not, such as "
            f"row {row}, which sums to {sums[row]:.6g}."
        )
    return p
