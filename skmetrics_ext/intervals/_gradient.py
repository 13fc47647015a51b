"""Derivatives of a metric with respect to the cells, and the variance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from skmetrics_ext.intervals._exact_slopes import STEP, exact_slopes
from skmetrics_ext.tables import BoundMetric

__all__ = ["ByCluster", "Spread", "gradient", "is_unweighted"]

_MOST_NUMBERS = 1 << 20


def gradient(function: Callable[[np.ndarray], np.ndarray], table: np.ndarray) -> np.ndarray:
    """The derivatives of a metric with respect to the cells of a table.

    A metric with a short way to them takes it; every other function, and a metric at other
    priors or with answers that are no class, is stepped cell by cell.

    Parameters
    ----------
    function : BoundMetric, or callable of tables (..., K, A)
        Vectorised over the leading axes, and fit for a complex step.
    table : ndarray of shape (K, A)

    Returns
    -------
    slopes : ndarray of shape (K, A)
        (V, K, A) where the function has V values at a table.

    Examples
    --------
    >>> import numpy as np
    >>> from skmetrics_ext.intervals import gradient
    >>> from skmetrics_ext.tables import bind, get_metric
    >>> gradient(bind(get_metric("accuracy")), np.array([[3.0, 1.0], [2.0, 4.0]])).round(2)
    array([[ 0.03, -0.07],
           [-0.07,  0.03]])
    """
    found = exact_slopes(function, table) if isinstance(function, BoundMetric) else None
    return _complex_step(function, table) if found is None else found


def _complex_step(function: Callable[[np.ndarray], np.ndarray], table: np.ndarray) -> np.ndarray:
    """Every cell in turn is given an imaginary step, so that nothing is subtracted and the
    derivatives are exact to rounding (Squire and Trapp 1998, doi:10.1137/S003614459631241X).
    Chunked: 50 classes are a stack of 2500 tables of 2500 cells.
    """
    cells = table.size
    chunk = max(1, _MOST_NUMBERS // cells)
    parts = []
    for start in range(0, cells, chunk):
        some = np.arange(start, min(start + chunk, cells))
        stack = np.broadcast_to(table, (len(some), *table.shape)).astype(np.complex128)
        stack.reshape(len(some), -1)[np.arange(len(some)), some] += 1j * STEP
        parts.append(np.asarray(function(stack)).imag / STEP)
    stacked = np.concatenate(parts)
    return np.moveaxis(stacked, 0, -1).reshape(*stacked.shape[1:], *table.shape)


def is_unweighted(n: np.ndarray, w: np.ndarray, w2: np.ndarray) -> bool:
    """Whether every row weighs one: weights 0.5 and 1.5 also sum to two, their squares do not."""
    return bool(np.array_equal(n, w) and np.array_equal(n, w2))


@dataclass(frozen=True)
class ByCluster:
    """The weight that each cluster has in each cell where it has rows.

    Attributes
    ----------
    cluster : ndarray of int of shape (m,)
        Which cluster.
    cell : ndarray of int of shape (m,)
        Which cell of the table, counted row by row from 0.
    weight : ndarray of shape (m,)
        The sum of the weights of its rows there.

    Examples
    --------
    Three clusters in a table of 10 rows: the first has rows in two cells.

    >>> import numpy as np
    >>> from skmetrics_ext.intervals import ByCluster, Spread, gradient
    >>> from skmetrics_ext.tables import bind, get_metric
    >>> table = np.array([[2.0, 1.0], [0.0, 7.0]])
    >>> clusters = ByCluster(np.array([0, 0, 1, 2]), np.array([0, 1, 3, 3]), np.array([2, 1, 3, 4]))
    >>> slopes = gradient(bind(get_metric("accuracy")), table)
    >>> round(float(Spread(table, table).variance(slopes)), 4)
    0.009
    >>> round(float(Spread(table, table, clusters).variance(slopes)), 4)
    0.0074
    """

    cluster: np.ndarray
    cell: np.ndarray
    weight: np.ndarray

    def squares(self, slopes: np.ndarray) -> np.ndarray:
        """Sum over clusters of (sum over cells of weight x slope) squared; slopes (..., cells)."""
        rows = (slopes[..., self.cell] * self.weight).reshape(-1, len(self.cell))
        sums = np.array([np.bincount(self.cluster, row) for row in rows])
        return (sums**2).sum(-1).reshape(slopes.shape[:-1])


@dataclass(frozen=True)
class Spread:
    """One table of weights, and what its cells vary by.

    Attributes
    ----------
    w, w2 : ndarray of shape (K, A)
        Sums of the weights and of the squared weights of the rows in each cell.
    clusters : ByCluster or None
        With them the cells vary by cluster instead of by row.
    pseudo : ndarray of shape (K, A) or None
        Sums of squared weights of pseudo-rows, in no cluster: see `smoothed`.

    Examples
    --------
    The standard error of a recall of 80 out of 100:

    >>> import numpy as np
    >>> from skmetrics_ext.intervals import Spread, gradient
    >>> from skmetrics_ext.tables import bind, get_metric
    >>> table = np.array([[850.0, 50.0], [20.0, 80.0]])
    >>> recall = bind(get_metric("recall"), average="binary", pos=1)
    >>> variance = Spread(w=table, w2=table).variance(gradient(recall, table))
    >>> round(float(variance) ** 0.5, 4)
    0.04
    """

    w: np.ndarray
    w2: np.ndarray
    clusters: ByCluster | None = None
    pseudo: np.ndarray | None = None

    def counts_rows(self, n: np.ndarray) -> bool:
        """Whether ``n`` rows of weight one, each on its own, are all there is."""
        return self.clusters is None and is_unweighted(n, self.w, self.w2)

    def variance(self, slopes: np.ndarray) -> np.ndarray:
        """The variance of a statistic with the derivatives ``slopes`` (..., K, A).

        The sum of w2 g^2, or over clusters of (sum of w g)^2: the statistic has degree 0 in the
        weights, so that the usual mean term vanishes.
        """
        if self.clusters is None:
            found = (self.w2 * slopes**2).sum((-2, -1))
        else:
            found = self.clusters.squares(slopes.reshape(*slopes.shape[:-2], -1))
        return found if self.pseudo is None else found + (self.pseudo * slopes**2).sum((-2, -1))

    def smoothed(self, rows: float = 2.0) -> Spread:
        """With ``rows`` pseudo-rows spread evenly over the cells of the classes that have rows.

        A pseudo-row weighs as much as a row (a cluster) does on the whole, and varies so.
        """
        unit = float(self.variance(np.ones(self.w.shape)) / self.w.sum())
        share = rows / self.w.size
        present = (self.w.sum(-1, keepdims=True) > 0) * np.ones(self.w.shape)
        more = present * share * unit
        return replace(self, w=self.w + more, pseudo=more * unit)
