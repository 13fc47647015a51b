"""What the answers cost. Costs are c[i, j]: action i, truth j (tables have the truth in rows)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from skmetrics_ext.tables._registry import divide, register

__all__ = ["depends_on_order", "mean_cost"]


def one_per_mistake(tables: np.ndarray) -> np.ndarray:
    """The cost matrix (A, K) that counts mistakes: any answer but the true class costs 1."""
    n_classes, n_actions = tables.shape[-2:]
    return 1.0 - np.eye(n_actions, n_classes)


def depends_on_order(costs: np.ndarray) -> bool:
    """Whether renaming the classes changes anything: else no order need be known."""
    n_classes = costs.shape[1]
    square, extras = costs[:n_classes], costs[n_classes:]
    off_diagonal = square[~np.eye(n_classes, dtype=bool)]
    parts = [np.diagonal(square), off_diagonal, *extras]
    return any(len(part) > 1 and bool(np.ptp(part)) for part in parts)


def mean_cost(tables: np.ndarray, cost_matrix: np.ndarray | None = None) -> np.ndarray:
    """The mean cost per row: sum of n[j, i] c[i, j] over the number of rows."""
    costs = one_per_mistake(tables) if cost_matrix is None else cost_matrix
    return divide((tables * costs.T).sum((-2, -1)), tables.sum((-2, -1)))


def _range_of_cost(n_classes: int, params: Mapping[str, Any]) -> tuple[float, float]:
    costs = params.get("cost_matrix")
    return (0.0, 1.0) if costs is None else (float(costs.min()), float(costs.max()))


def _slopes_of_mean_cost(table: np.ndarray, cost_matrix: np.ndarray | None) -> np.ndarray:
    costs = one_per_mistake(table) if cost_matrix is None else cost_matrix
    total = table.sum()
    if total == 0:
        return np.zeros(table.shape)
    return (costs.T - mean_cost(table, cost_matrix)) / total


@register(
    "expected_cost",
    "multiclass",
    symmetric=True,
    slopes=_slopes_of_mean_cost,
    greater_is_better=False,
    range=_range_of_cost,
    defaults={"cost_matrix": None},
    declined="priced",
)
def expected_cost(tables: np.ndarray, cost_matrix: np.ndarray | None = None) -> np.ndarray:
    """The mean cost of the answers, in the currency of the cost matrix per row. Elkan (2001)."""
    return mean_cost(tables, cost_matrix)


def _slopes_of_savings(table: np.ndarray, cost_matrix: np.ndarray | None) -> np.ndarray:
    costs = one_per_mistake(table) if cost_matrix is None else cost_matrix
    value = cost_savings(table, cost_matrix)
    if np.isnan(value):
        return np.zeros(table.shape)
    in_truth = table.sum(-1)
    best = costs[(costs @ in_truth).argmin()]
    to_save = best - costs.min(0)
    saved = best[:, None] - costs.T
    return (saved - value * to_save[:, None]) / (to_save @ in_truth)


@register(
    "cost_savings",
    "multiclass",
    symmetric=True,
    slopes=_slopes_of_savings,
    range=(-np.inf, 1.0),
    undefined="zero_warned",
    defaults={"cost_matrix": None},
    declined="priced",
)
def cost_savings(tables: np.ndarray, cost_matrix: np.ndarray | None = None) -> np.ndarray:
    """(baseline - cost) / (baseline - oracle). Bahnsen, Aouada & Ottersten (2014)."""
    costs = one_per_mistake(tables) if cost_matrix is None else cost_matrix
    in_truth = tables.sum(-1)
    constants = in_truth @ costs.T
    best = constants.real.argmin(-1)[..., None]
    baseline = np.take_along_axis(constants, best, -1)[..., 0]
    oracle = in_truth @ costs.min(0)
    # One action is the cheapest for every class that has rows: nothing can be saved. Judged
    # on the regrets, since baseline - oracle need not come out as zero exactly.
    regrets = (costs - costs.min(0)) > 0
    present = (in_truth.real != 0).astype(float)
    nothing_to_save = ((present @ regrets.T.astype(float)) == 0).any(-1)
    return divide(
        baseline - (tables * costs.T).sum((-2, -1)),
        np.where(nothing_to_save, 0.0, baseline - oracle),
    )
