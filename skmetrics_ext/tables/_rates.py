"""Rates: counts over counts, and what is built from them."""

from __future__ import annotations

import numpy as np

from skmetrics_ext.tables._layout import binary_cells, not_found
from skmetrics_ext.tables._registry import divide, proportion, register

__all__: list[str] = []

Parts = tuple[np.ndarray, np.ndarray]


def f1_of_jaccard(jaccard: float) -> float:
    """F1 as an increasing function of Jaccard's index."""
    return 2 * jaccard / (1 + jaccard)


def slopes_of_accuracy(table: np.ndarray) -> Parts:
    """What a row in each cell adds to the right answers and to all rows."""
    return np.eye(len(table)), np.ones(table.shape)


@proportion("accuracy", "multiclass", symmetric=True, slopes=slopes_of_accuracy)
def accuracy(tables: np.ndarray) -> Parts:
    """The share of right answers."""
    return np.trace(tables, axis1=-2, axis2=-1), tables.sum((-2, -1))


@proportion("recall", "binary", within="positive")
def recall(tables: np.ndarray) -> Parts:
    """Of the positives, the share that was found: tp / (tp + fn). Sensitivity."""
    tp = binary_cells(tables)[3]
    return tp, tp + not_found(tables, 1)


@proportion("specificity", "binary", within="negative")
def specificity(tables: np.ndarray) -> Parts:
    """Of the negatives, the share left alone: tn / (tn + fp). Altman & Bland (1994)."""
    tn = binary_cells(tables)[0]
    return tn, tn + not_found(tables, 0)


@proportion("precision", "binary", predictive=True)
def precision(tables: np.ndarray) -> Parts:
    """Of the alarms, the share that was right: tp / (tp + fp). Positive predictive value."""
    _, fp, _, tp = binary_cells(tables)
    return tp, tp + fp


@proportion("negative_predictive_value", "binary", predictive=True)
def negative_predictive_value(tables: np.ndarray) -> Parts:
    """Of the all-clears, the share that was right: tn / (tn + fn). Altman & Bland (1994)."""
    tn, _, fn, _ = binary_cells(tables)
    return tn, tn + fn


@proportion("predicted_positive_rate", "binary")
def predicted_positive_rate(tables: np.ndarray) -> Parts:
    """The share of rows answered positive: the work that a decision makes."""
    tn, fp, _, tp = binary_cells(tables)
    return tp + fp, tn + not_found(tables, 0) + not_found(tables, 1) + tp


@register("fbeta", "binary", defaults={"beta": 1.0}, through=("jaccard", f1_of_jaccard))
def fbeta(tables: np.ndarray, beta: float = 1.0) -> np.ndarray:
    """(1 + b²) tp / ((1 + b²) tp + fp + b² fn). van Rijsbergen (1979)."""
    _, fp, _, tp = binary_cells(tables)
    missed = not_found(tables, 1)
    if np.isinf(beta):
        return divide(tp, tp + missed)
    b2 = beta**2
    return divide((1 + b2) * tp, (1 + b2) * tp + fp + b2 * missed)


@register("f1", "binary", through=("jaccard", f1_of_jaccard))
def f1(tables: np.ndarray) -> np.ndarray:
    """The harmonic mean of precision and recall: 2 tp / (2 tp + fp + fn)."""
    return fbeta(tables)


@proportion("jaccard", "binary")
def jaccard(tables: np.ndarray) -> Parts:
    """tp / (tp + fp + fn): of the rows positive in truth or answer, those that are in both."""
    _, fp, _, tp = binary_cells(tables)
    return tp, tp + fp + not_found(tables, 1)


def slopes_of_recalls(table: np.ndarray) -> np.ndarray:
    """Row k has the derivatives of class k's recall, which no other row changes."""
    in_truth = table.sum(-1, keepdims=True)
    safe = np.where(in_truth == 0, 1.0, in_truth)
    recalls = np.diagonal(table)[:, None] / safe
    return np.where(in_truth == 0, 0.0, (np.eye(len(table)) - recalls) / safe)


def slopes_of_balanced_accuracy(table: np.ndarray) -> np.ndarray:
    """Those of the recalls, over the number of classes that have rows."""
    return slopes_of_recalls(table) / max((table.sum(-1) > 0).sum(), 1)


@register(
    "balanced_accuracy",
    "multiclass",
    symmetric=True,
    skips_absent=True,
    slopes=slopes_of_balanced_accuracy,
)
def balanced_accuracy(tables: np.ndarray) -> np.ndarray:
    """The mean of the recalls over the classes that have rows. Brodersen et al. (2010)."""
    in_truth = tables.sum(-1)
    recalls = divide(np.diagonal(tables, axis1=-2, axis2=-1), in_truth)
    return mean_of_present(recalls, in_truth)


@register("youden", "binary", symmetric=True, range=(-1.0, 1.0))
def youden(tables: np.ndarray) -> np.ndarray:
    """Recall + specificity - 1. Youden (1950)."""
    tn, _, _, tp = binary_cells(tables)
    return divide(tp, tp + not_found(tables, 1)) + divide(tn, tn + not_found(tables, 0)) - 1.0


def slopes_of_geometric_mean(table: np.ndarray) -> np.ndarray:
    """Its own share of each recall's relative change; NaN where a class has no rows."""
    recalls = divide(np.diagonal(table), table.sum(-1))[:, None]
    relative = slopes_of_recalls(table) / np.where(recalls == 0, 1.0, recalls)
    return geometric_mean(table) / len(table) * relative


@register(
    "geometric_mean",
    "multiclass",
    symmetric=True,
    averages=("multiclass", "macro", None),
    slopes=slopes_of_geometric_mean,
)
def geometric_mean(tables: np.ndarray) -> np.ndarray:
    """The K-th root of the product of the recalls. Kubat & Matwin (1997)."""
    recalls = divide(np.diagonal(tables, axis1=-2, axis2=-1), tables.sum(-1))
    # A product of 50 recalls can underflow, a sum of logarithms cannot.
    zero = (recalls.real == 0).any(-1)
    logs = np.log(np.where(recalls.real == 0, 1.0, recalls))
    return np.where(zero & ~np.isnan(logs.real).any(-1), 0.0, np.exp(logs.mean(-1)))


@register("positive_likelihood_ratio", "binary", range=(0.0, np.inf), undefined="replace")
def positive_likelihood_ratio(tables: np.ndarray) -> np.ndarray:
    """Recall / (1 - specificity): how much an alarm raises the odds. Altman & Bland (1994).

    Without false positives it is undefined. Near perfection, where that is likely, no interval
    keeps its level on the draws that are left: at 60 rows, sensitivity 0.975 and specificity
    0.983, 55 % of the draws are undefined and 76 % of the others are covered.
    """
    tn, fp, _, tp = binary_cells(tables)
    return divide(tp * (tn + not_found(tables, 0)), fp * (tp + not_found(tables, 1)))


@register(
    "negative_likelihood_ratio",
    "binary",
    range=(0.0, np.inf),
    undefined="replace",
    greater_is_better=False,
)
def negative_likelihood_ratio(tables: np.ndarray) -> np.ndarray:
    """(1 - recall) / specificity: how much an all-clear lowers the odds."""
    tn, _, fn, tp = binary_cells(tables)
    return divide(fn * (tn + not_found(tables, 0)), tn * (tp + not_found(tables, 1)))


def mean_of_present(values: np.ndarray, in_truth: np.ndarray) -> np.ndarray:
    """The mean over the last axis of the classes that have rows."""
    present = in_truth.real > 0
    return divide(np.where(present, values, 0.0).sum(-1), present.sum(-1).astype(float))
