"""Geometry: rows that lie exactly between two others, whatever the units of the columns.

A row s between a and b leaves a and b in opposite directions. Seen through any two columns (or
two mixtures of columns) that makes one slope, so the slopes from s to all other rows are sorted
and equal ones looked at: n log n for each row examined, and no neighbours are needed. Neighbours
would depend on units, and those in which a sampler worked are lost once a table is scaled.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import qr

__all__ = ["MOST_PARTNERS", "Precision", "between", "independent_columns", "is_grid"]

# Rows times partners that are looked at, and the rows at least, and the partners at most.
_BUDGET = 2_000_000
_FEWEST_EXAMINED = 200
MOST_PARTNERS = 50_000
_MOST_COLUMNS = 50
_CELLS_AT_ONCE = 1 << 19
_CLOSEST_PAIRS = 128


@dataclass(frozen=True)
class Precision:
    """What counts as exact, in standard deviations of a column, for how many moving columns.

    Of n rows some n ** 2 / 6 pairs have a given row about between them, and each moving column
    beyond the first is off by no more than ``tolerance`` with about that probability.
    """

    tolerance: float
    fewest_moving: int


def between(
    values: np.ndarray,
    alone: np.ndarray,
    precisions: tuple[Precision, ...],
    rng: np.random.Generator,
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Which rows lie exactly between two others.

    Parameters
    ----------
    values : ndarray of shape (n, d)
        Finite distinct rows of one class, columns that depend linearly on none of the others.
    alone : ndarray of shape (n, d)
        Whether a value is found in no other row of the whole table: only such columns count.
    precisions : tuple of Precision
    rng : Generator

    Returns
    -------
    examined : ndarray
        The rows that were looked at, all or a random part.
    triples : list of ndarray of shape (m, 3)
        For each precision the rows found, each once, with the two it lies between.
    """
    n, d = values.shape
    spread = values.std(axis=0)
    Z = (values - values.mean(axis=0)) / spread
    # Numbers far from zero were rounded more coarsely than their spread tells.
    rounding = 8 * np.finfo(np.float64).eps * np.abs(values).max(axis=0) / spread
    mixed = Z @ rng.normal(size=(d, 3))
    n_examined = min(n, max(_FEWEST_EXAMINED, _BUDGET // n))
    examined = np.sort(rng.choice(n, n_examined, replace=False))
    loosest = max(p.tolerance for p in precisions)
    # A slope is known less exactly than a place, the closer the two rows are.
    gap = 10 * loosest
    off = 6 * d * (loosest + rounding.max())
    found: list[list[np.ndarray]] = [[] for _ in precisions]
    step = max(1, _CELLS_AT_ONCE // n)
    for start in range(0, n_examined, step):
        rows = examined[start : start + step]
        triples = _candidates(mixed, rows, gap, off)
        if len(triples) == 0:
            continue
        steps, distances = _off_line(Z, *triples.T)
        for which, precision in zip(found, precisions, strict=True):
            tolerance = precision.tolerance + rounding
            exact = (distances <= 2 * tolerance).all(axis=1)
            # A step hardly longer than the tolerance would fit any line.
            moving = (steps > 1000 * tolerance) & alone[triples[:, 0]]
            good = triples[exact & (moving.sum(axis=1) >= precision.fewest_moving)]
            which.append(good[np.unique(good[:, 0], return_index=True)[1]])
    empty = np.empty((0, 3), dtype=np.intp)
    return examined, [np.concatenate([empty, *which]) for which in found]


def _candidates(mixed: np.ndarray, rows: np.ndarray, gap: float, off: float) -> np.ndarray:
    """Triples (s, a, b) with s in ``rows`` between a and b, as far as three mixtures tell."""
    dx = mixed[:, 0] - mixed[rows, 0, None]
    dy = mixed[:, 1] - mixed[rows, 1, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        slopes = dy / dx
    # The row itself: 0/0 sorts to the end and is equal to nothing.
    order = np.argsort(slopes, axis=1)
    slopes = np.take_along_axis(slopes, order, axis=1)
    with np.errstate(invalid="ignore"):
        gaps = np.diff(slopes, axis=1) / (1 + slopes[:, 1:] ** 2)
        near = gaps <= gap
    # Rows that all lie on one line would make every pair a candidate: the closest tell enough.
    for row in np.flatnonzero(near.sum(axis=1) > _CLOSEST_PAIRS).tolist():
        near[row] &= gaps[row] <= np.partition(gaps[row], _CLOSEST_PAIRS)[_CLOSEST_PAIRS]
    i, k = np.nonzero(near)
    triples = np.column_stack([rows[i], order[i, k], order[i, k + 1]])
    # The slopes used two of the mixtures; by the third most chance meetings fall away.
    _, distance = _off_line(mixed, *triples.T)
    return triples[distance[:, 2] <= off]


def _off_line(
    Z: np.ndarray, s: np.ndarray, a: np.ndarray, b: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """From s to the nearer of a and b, and how far that is off the line to the farther one.

    Both by column; infinitely far off where s is not between the two.
    """
    A, B = Z[a] - Z[s], Z[b] - Z[s]
    farther = (A**2).sum(axis=1) > (B**2).sum(axis=1)
    A[farther], B[farther] = B[farther], A[farther]
    share = -(A * B).sum(axis=1) / (B**2).sum(axis=1)
    off = np.abs(A + share[:, None] * B)
    off[share <= 0] = np.inf
    return np.abs(A), off


def independent_columns(values: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Columns that are no linear combination of the others: the rest would prove nothing more.

    Of very many columns a random part, which is proof enough.
    """
    spread = values.std(axis=0)
    some = np.flatnonzero(spread > 1e-12 * np.abs(values).max(axis=0))
    if len(some) > _MOST_COLUMNS:
        some = np.sort(rng.choice(some, _MOST_COLUMNS, replace=False))
    if len(some) == 0:
        return some
    Z = (values[:, some] - values[:, some].mean(axis=0)) / spread[some]
    triangle, order = qr(Z, mode="r", pivoting=True)
    size = np.abs(np.diagonal(triangle))
    return np.sort(some[order[: len(size)][size > 1e-5 * size[0]]])


def is_grid(column: np.ndarray) -> bool:
    """Whether values are steps of one width, as rounded and scaled rounded values are.

    Three rows often lie on one line of a grid.
    """
    steps = np.diff(np.unique(column))
    if len(steps) == 0:
        return True
    steps = steps / (column.max() - column.min())
    # Up to a million steps in float64, up to a thousand where float32 made them uneven.
    return _common_width(steps, 1e-6, 1e-9) or _common_width(steps, 1e-3, 3e-7)


def _common_width(steps: np.ndarray, finest: float, noise: float) -> bool:
    """Whether a width above ``finest`` divides all steps, by Euclid's rule on floats."""
    steps = steps[steps > noise]
    while steps.min() > finest:
        width = steps.min()
        rest = np.abs(steps - width * np.round(steps / width))
        rest = rest[rest > noise]
        if len(rest) == 0:
            return True
        steps = np.append(rest, width)
    return False
