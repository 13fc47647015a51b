"""Agreement beyond chance: Cohen's kappa and Matthews' correlation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from skmetrics_ext.tables._registry import divide, register

__all__ = ["disagreement_weights"]


def disagreement_weights(weights: Any, n_classes: int) -> np.ndarray:
    """The (K, K) disagreement of truth i and answer j: by name, or the matrix itself."""
    if isinstance(weights, np.ndarray):
        return weights
    if weights is None:
        return 1.0 - np.eye(n_classes)
    places = np.arange(n_classes, dtype=np.float64)
    difference = places[:, None] - places
    return np.abs(difference) if weights == "linear" else difference * difference


def _range_of_kappa(n_classes: int, params: Mapping[str, Any]) -> tuple[float, float]:
    # The built-in disagreements are distances or their squares, for which the observed one is
    # at most twice the expected one; a matrix of one's own has no such bound.
    own = isinstance(params.get("weights"), np.ndarray)
    return (-np.inf if own else -1.0, 1.0)


def _slopes_of_kappa(table: np.ndarray, weights: Any) -> np.ndarray:
    v = disagreement_weights(weights, len(table))
    in_truth, in_answer, total = table.sum(-1), table.sum(-2), table.sum()
    observed = (table * v).sum()
    # What one more row of truth i, or of answer j, adds to the disagreement by chance.
    of_truth, of_answer = v @ in_answer, in_truth @ v
    expected = of_answer @ in_answer
    if expected == 0:
        return np.zeros(table.shape)
    by_chance = of_truth[:, None] + of_answer
    return (observed * total / expected * by_chance - v * total - observed) / expected


@register(
    "weighted_kappa",
    "multiclass",
    symmetric=True,
    slopes=_slopes_of_kappa,
    ordinal=True,
    range=_range_of_kappa,
    undefined="replace",
    defaults={"weights": "quadratic"},
    declined="nowhere",
)
def weighted_kappa(tables: np.ndarray, weights: Any = "quadratic") -> np.ndarray:
    """1 - observed / expected disagreement. Cohen (1960, 1968)."""
    n_classes, n_answers = tables.shape[-2:]
    if n_answers > n_classes:  # an answer that is no class has no distance; it only differs
        v = 1.0 - np.eye(n_classes, n_answers)
    else:
        v = disagreement_weights(weights, n_classes)
    in_truth, in_answer = tables.sum(-1), tables.sum(-2)
    total = in_truth.sum(-1)
    observed = (tables * v).sum((-2, -1))
    expected = ((in_truth @ v) * in_answer).sum(-1)
    return 1.0 - divide(observed * total, expected)


def _slopes_of_correlation(table: np.ndarray) -> np.ndarray:
    in_truth, in_answer, total = table.sum(-1), table.sum(-2), table.sum()
    if _single(in_truth) or _single(in_answer):
        return np.zeros(table.shape)
    right = np.trace(table)
    covariance = right * total - in_truth @ in_answer
    of_truth, of_answer = total**2 - in_truth @ in_truth, total**2 - in_answer @ in_answer
    rise = total * np.eye(len(table)) + right - in_answer[:, None] - in_truth
    growth = ((total - in_truth) / of_truth)[:, None] + (total - in_answer) / of_answer
    return (rise - covariance * growth) / np.sqrt(of_truth * of_answer)


@register(
    "matthews_corrcoef",
    "multiclass",
    symmetric=True,
    range=(-1.0, 1.0),
    undefined="zero",
    slopes=_slopes_of_correlation,
)
def matthews_corrcoef(tables: np.ndarray) -> np.ndarray:
    """The correlation of truth and answer. Matthews (1975), Gorodkin (2004)."""
    total = tables.sum((-2, -1))
    in_truth, in_answer = tables.sum(-1), tables.sum(-2)
    right = np.trace(tables, axis1=-2, axis2=-1)
    covariance = right * total - (in_truth * in_answer[..., : tables.shape[-2]]).sum(-1)
    of_truth = total**2 - (in_truth**2).sum(-1)
    of_answer = total**2 - (in_answer**2).sum(-1)
    # Judged on the margins: a difference of squares need not come out as zero exactly.
    constant = _single(in_truth) | _single(in_answer)
    product = np.where(constant, 0.0, of_truth * of_answer)
    return divide(covariance, np.sqrt(product))


def _single(margin: np.ndarray) -> np.ndarray:
    return (margin.real != 0).sum(-1) <= 1
