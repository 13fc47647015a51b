"""Replicates drawn from the counts, whose cost does not depend on the number of rows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from skmetrics_ext.intervals._gradient import ByCluster, is_unweighted

__all__ = ["replicates"]

_MOST_NUMBERS = 1 << 22


def replicates(
    function: Callable[[np.ndarray], np.ndarray],
    n: np.ndarray,
    w: np.ndarray,
    w2: np.ndarray,
    *,
    clusters: ByCluster | None = None,
    n_resamples: int,
    rng: np.random.Generator,
) -> np.ndarray:
    """``function`` at ``n_resamples`` tables drawn as the data were: (n_resamples, ...).

    Rows are drawn with replacement, which for a table is one multinomial draw. A weighted cell
    then holds the mean weight of its rows, and a normal part for how those weights vary.
    """
    chunk = max(1, _MOST_NUMBERS // n.size)
    parts = []
    for start in range(0, n_resamples, chunk):
        size = min(chunk, n_resamples - start)
        if clusters is None:
            tables = _by_rows(n, w, w2, size, rng)
        else:
            tables = _by_clusters(clusters, n.size, size, rng)
        parts.append(function(tables.reshape(size, *n.shape)))
    return np.concatenate(parts)


def _by_rows(
    n: np.ndarray, w: np.ndarray, w2: np.ndarray, size: int, rng: np.random.Generator
) -> np.ndarray:
    counts = n.ravel()
    drawn = rng.multinomial(int(counts.sum()), counts / counts.sum(), size=size).astype(float)
    if is_unweighted(n, w, w2):
        return drawn
    rows = np.maximum(counts, 1)
    mean = w.ravel() / rows
    spread = np.sqrt(np.maximum(w2.ravel() / rows - mean**2, 0.0))
    drawn_weights = drawn * mean + np.sqrt(drawn) * spread * rng.standard_normal(drawn.shape)
    return np.maximum(drawn_weights, 0.0)


def _by_clusters(
    clusters: ByCluster, cells: int, size: int, rng: np.random.Generator
) -> np.ndarray:
    names, cluster = np.unique(clusters.cluster, return_inverse=True)
    of_each = np.zeros((len(names), cells))
    np.add.at(of_each, (cluster.ravel(), clusters.cell), clusters.weight)
    times = rng.multinomial(len(names), np.full(len(names), 1 / len(names)), size=size)
    return times @ of_each
