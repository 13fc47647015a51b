"""A printed table of counts, checked."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["whole_table"]


def whole_table(table: Any) -> np.ndarray:
    """Whole numbers, not negative, at least one row; what a float nearly says is rounded."""
    try:
        array = np.asarray(table, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"table must hold numbers; got {table!r}.") from None
    if array.ndim != 2 or array.size == 0:
        raise ValueError(f"table must be two-dimensional; got shape {array.shape}.")
    if not np.isfinite(array).all() or (array < 0).any():
        raise ValueError(f"table must hold counts, finite and not negative; got {table!r}.")
    if array.sum() >= 2**53:
        raise ValueError(f"table must count fewer than 2**53 rows in all; got {table!r}.")
    whole = np.rint(array)
    if not np.allclose(array, whole, rtol=0, atol=1e-6):
        raise ValueError(f"table must hold whole numbers of rows; got {table!r}.")
    if not whole.any():
        raise ValueError("table must count at least one row; all its cells are zero.")
    return whole.astype(np.int64)
