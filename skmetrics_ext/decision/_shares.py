"""Class shares that a person names, in the order of the classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from skmetrics_ext._labels import named_shares
from skmetrics_ext.decision._priors import _validated_shares

__all__ = ["shares_in_order", "shares_sorted"]


def shares_in_order(shares: Any, classes: np.ndarray, name: str) -> np.ndarray:
    """Shares in the order of ``classes``: from ``{label: share}``, or an array already in it.

    Raises
    ------
    ValueError
        Where a class has no share, a label is no class, or the shares are not finite, negative
        or do not sum to 1.
    """
    names = classes.tolist()
    named = named_shares(shares, name)
    if named is not None:
        unknown = [label for label in named if label not in names]
        if unknown:
            raise ValueError(f"{name} names {unknown}, which are no classes of {names}.")
        absent = [label for label in names if label not in named]
        if absent:
            raise ValueError(f"{name} must name every class of {names}; {absent} is missing.")
        shares = [named[label] for label in names]
    return _validated(shares, len(names), name)


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
