"""Training rows as a cumulative model likes them: sorted by class, in standardised columns.

Columns stand as rows of the array, (p, n): narrow products of blocks are faster so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Block", "SortedRows", "sort_rows"]

Array = NDArray[np.float64]

# What a pass makes of a block stays in the cache.
_BLOCK = 2048
# A column that varies by no more than this, relative to its size, is a constant.
_ROUNDING = 8 * float(np.finfo(np.float64).eps)


class Block(NamedTuple):
    """Some rows of one class, of shape (p, n_block)."""

    code: int
    Z: Array
    weights: Array | None


@dataclass(frozen=True)
class SortedRows:
    """Rows sorted by class, their columns brought to mean 0 and standard deviation 1.

    Attributes
    ----------
    Z : ndarray of shape (p, n)
        Columns that do not vary are left out.
    weights : ndarray of shape (n,) or None
    bounds : ndarray of shape (K + 1,)
        The rows of class k are those from ``bounds[k]`` to ``bounds[k + 1]``.
    varying : ndarray of bool of shape (n_features,)
        Which columns of the original are here.
    centre, scale : ndarray of shape (p,)
        What was subtracted, and then divided by.
    """

    Z: Array
    weights: Array | None
    bounds: NDArray[np.intp]
    varying: NDArray[np.bool_]
    centre: Array
    scale: Array

    @property
    def n_rows(self) -> int:
        return self.Z.shape[1]

    def blocks(self) -> Iterator[Block]:
        for code, (start, end) in enumerate(zip(self.bounds[:-1], self.bounds[1:], strict=True)):
            for low in range(start, end, _BLOCK):
                rows = slice(low, min(low + _BLOCK, end))
                weights = None if self.weights is None else self.weights[rows]
                yield Block(code, self.Z[:, rows], weights)

    def names(self, all_names: Sequence[str]) -> list[str]:
        """The names of the columns that are here."""
        return [name for name, here in zip(all_names, self.varying, strict=True) if here]

    def class_weights(self) -> Array:
        """The sum of weights in each class."""
        if self.weights is None:
            return np.diff(self.bounds).astype(np.float64)
        return np.add.reduceat(self.weights, self.bounds[:-1])


def sort_rows(X: Array, codes: NDArray[np.intp], weights: Array | None) -> SortedRows:
    """Sort and standardise.

    Parameters
    ----------
    X : ndarray of shape (n, n_features)
    codes : ndarray of shape (n,)
        The class of each row, from 0 to K - 1, each of which some row has.
    weights : ndarray of shape (n,) or None
        Positive.
    """
    counts = np.bincount(codes)
    small = codes.astype(np.min_scalar_type(len(counts)))  # which is sorted by counting
    order = np.argsort(small, kind="stable")
    Z = np.empty(X.shape[::-1])
    for low in range(0, len(X), _BLOCK):
        Z[:, low : low + _BLOCK] = X[order[low : low + _BLOCK]].T
    weights = None if weights is None else weights[order]
    centre, scale = np.array([_standardise(column, weights) for column in Z]).T
    varying = scale > 0
    if not varying.all():
        Z = Z[varying]
    return SortedRows(
        Z,
        weights,
        np.concatenate([[0], np.cumsum(counts)]).astype(np.intp),
        varying,
        centre[varying],
        scale[varying],
    )


def _standardise(column: Array, weights: Array | None) -> tuple[float, float]:
    """Subtract the mean and divide by the standard deviation, which are answered, in place.

    The standard deviation is 0 where the column does not vary.
    """
    # From one of its values first, which is exact: a column that does not vary becomes zero, and
    # one that is far from zero keeps the digits in which its rows differ.
    first = float(column[0])
    column -= first
    mean = float(np.average(column, weights=weights))
    column -= mean
    squared = column if weights is None else weights * column
    total = len(column) if weights is None else np.add.reduce(weights)
    scale = float(np.sqrt(squared @ column / total))
    if scale <= _ROUNDING * abs(first + mean):
        return first + mean, 0.0
    column *= 1 / scale
    return first + mean, scale
