"""Class priors, checked against the classes and the rows that there are."""

from __future__ import annotations

from typing import Any

import numpy as np

from skmetrics_ext._labels import shares_by_label

__all__ = ["as_priors"]


def as_priors(
    priors: Any, labels: np.ndarray, w: np.ndarray, groups: tuple[Any, ...] | None
) -> np.ndarray:
    """The shares in the order of ``labels``: known, not negative, sum 1, none without rows."""
    names = labels.tolist()
    priors = shares_by_label(priors, names, "priors")
    try:
        shares = np.asarray(priors, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"priors must hold a number for each class; got {priors!r}.") from None
    if shares.shape != (len(names),):
        raise ValueError(
            f"priors must have one share per class, shape ({len(names)},) in the order of "
            f"{names}; got shape {shares.shape}."
        )
    if not np.isfinite(shares).all() or (shares < 0).any():
        raise ValueError(f"priors must be finite and not negative; got {shares.tolist()}.")
    if abs(shares.sum() - 1.0) > 1e-6:
        raise ValueError(f"priors must sum to 1; {shares.tolist()} sum to {shares.sum():g}.")
    empty = (w.sum(-1) == 0) & (shares > 0)
    if empty.any():
        first = np.argwhere(empty)[0]
        where = "" if groups is None else f" in subgroup {groups[first[0]]!r}"
        raise ValueError(
            f"priors give class {names[first[-1]]!r} a share of {shares[first[-1]]:g}, but it "
            f"has no rows{where}: nothing is known about it."
        )
    return shares / shares.sum()
