"""How much of each class there is: as a person names it, or as rows say."""

from __future__ import annotations

from typing import Any

import numpy as np

from skmetrics_ext._labels import encode, named_shares, shares_by_label
from skmetrics_ext.decision._priors import _validated_shares

__all__ = ["class_totals", "shares_in_order", "shares_sorted"]


def class_totals(y: Any, classes: np.ndarray, weights: np.ndarray | None) -> np.ndarray:
    """Sum of weights of each class, shape (n_classes,)."""
    return np.bincount(encode(y, classes, name="y"), weights=weights, minlength=len(classes))


def shares_in_order(shares: Any, classes: np.ndarray, name: str) -> np.ndarray:
    """Shares in the order of ``classes``: from ``{label: share}``, or an array already in it.

    Raises
    ------
    ValueError
        Where a class has no share, a label is no class, or the shares are not finite, negative
        or do not sum to 1.
    """
    return _validated(shares_by_label(shares, classes.tolist(), name), len(classes), name)


def shares_sorted(shares: Any, n_classes: int, name: str) -> np.ndarray:
    """Shares in the order of the sorted labels, where nothing else is known of the classes."""
    named = named_shares(shares, name)
    if named is not None:
        shares = [named[label] for label in sorted(named)]
    return _validated(shares, n_classes, name)


def _validated(shares: Any, n_classes: int, name: str) -> np.ndarray:
    try:
        array = np.asarray(shares, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must hold a number for each class; got {shares!r}.") from None
    return _validated_shares(array, n_classes, name)
