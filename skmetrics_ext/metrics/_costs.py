"""What the answers cost, and how much of the avoidable cost they save."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from skmetrics_ext._labels import encode
from skmetrics_ext.counts._tabulate import check_sample_weight, count_rows
from skmetrics_ext.counts._warn import warn_undefined_metric
from skmetrics_ext.metrics._label_metric import label_metric

__all__ = ["RowCosts", "cost_savings_score", "expected_cost_loss", "pay"]


def expected_cost_loss(
    y_true: Any,
    y_pred: Any,
    *,
    cost_matrix: Any = None,
    labels: Any = None,
    sample_weight: Any = None,
    normalize: bool = True,
) -> float:
    """What do these answers cost, on average per row?

    Lower is better, in the currency of the cost matrix; negative where gains outweigh costs.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_rows,)
        Labels; ``y_pred`` may also hold the extra actions of a CostMatrix ("refer").
    cost_matrix : CostMatrix or array-like of shape (K, K) or (n_rows, K, K), default=None
        c[i, j], the cost of answering i when the truth is j: the ANSWER in the rows, as in
        Elkan (2001), and in the order of ``labels``. Three dimensions: costs for each row. None
        means one per mistake. Actions beyond the classes have names, which only a CostMatrix
        knows.
    labels : array-like of shape (K,), default=None
        The order of the cost matrix; by default its own labels, else the sorted classes.
        Required for an asymmetric array on words.
    sample_weight : array-like of shape (n_rows,), default=None
    normalize : bool, default=True
        False: the total over all rows (weighted) instead of the mean.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        A matrix of the wrong shape, not finite, or asymmetric on words without ``labels``; a
        label that it does not cover.

    References
    ----------
    Elkan (2001), "The foundations of cost-sensitive learning", IJCAI 17.

    Examples
    --------
    >>> from skmetrics_ext.costs import CostMatrix
    >>> from skmetrics_ext.metrics import expected_cost_loss
    >>> cost = CostMatrix.binary(
    ...     false_negative=100, false_positive=1, pos_label="sick", neg_label="well"
    ... )
    >>> truth, answer = ["sick", "well", "well", "sick"], ["well", "sick", "well", "sick"]
    >>> expected_cost_loss(truth, answer, cost_matrix=cost)
    25.25
    """
    if _is_per_row(cost_matrix):
        rows = _per_row(y_true, y_pred, cost_matrix, labels, sample_weight)
        return rows.mean() if normalize else float(rows.weights @ rows.paid)
    mean = label_metric(
        "expected_cost",
        y_true,
        y_pred,
        labels=labels,
        sample_weight=sample_weight,
        cost_matrix=cost_matrix,
    )
    if normalize:
        return mean
    weights = len(y_true) if sample_weight is None else np.sum(np.asarray(sample_weight))
    return float(mean * weights)


def cost_savings_score(
    y_true: Any,
    y_pred: Any,
    *,
    cost_matrix: Any = None,
    labels: Any = None,
    sample_weight: Any = None,
) -> float:
    """Of the cost that the best constant answer leaves on the table, what share is saved?

    (baseline - cost) / (baseline - oracle): the baseline is the best constant answer, the
    oracle gives each row its cheapest answer. Higher is better; 1 is the oracle, 0 the constant
    answer, below 0 worse than that. Since both ends are measured, gains (negative costs) do not
    turn the ranking around.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_rows,)
    cost_matrix : CostMatrix or array-like of shape (K, K) or (n_rows, K, K), default=None
        See `expected_cost_loss`.
    labels : array-like of shape (K,), default=None
    sample_weight : array-like of shape (n_rows,), default=None

    Returns
    -------
    float

    Warns
    -----
    UndefinedMetricWarning
        Where a constant answer is as good as the oracle: nothing can be saved, and 0.0 is
        answered.

    References
    ----------
    Bahnsen, Aouada and Ottersten (2014), "Example-dependent cost-sensitive logistic regression
    for credit scoring", https://doi.org/10.1109/ICMLA.2014.48

    Examples
    --------
    >>> from skmetrics_ext.metrics import cost_savings_score
    >>> cost_savings_score([0, 0, 0, 1, 1], [0, 0, 1, 1, 1])
    0.5
    """
    if _is_per_row(cost_matrix):
        rows = _per_row(y_true, y_pred, cost_matrix, labels, sample_weight)
        return _savings_of_rows(rows)
    return label_metric(
        "cost_savings",
        y_true,
        y_pred,
        labels=labels,
        sample_weight=sample_weight,
        cost_matrix=cost_matrix,
    )


@dataclass(frozen=True)
class RowCosts:
    """Per row: what every action would have cost given the truth, and what was paid."""

    of_actions: np.ndarray
    paid: np.ndarray
    weights: np.ndarray

    def mean(self) -> float:
        """The mean cost paid per row."""
        return float(self.weights @ self.paid / self.weights.sum())


def _is_per_row(cost_matrix: Any) -> bool:
    try:
        return np.ndim(cost_matrix) == 3
    except ValueError:  # ragged: refused by name where all matrices are checked
        return False


def _per_row(y_true: Any, y_pred: Any, costs: Any, labels: Any, sample_weight: Any) -> RowCosts:
    classes = count_rows(y_true, y_pred, labels=labels, sample_weight=sample_weight).classes
    costs = np.asarray(costs, dtype=np.float64)
    n_rows, n_classes = len(y_true), len(classes.labels)
    if costs.shape != (n_rows, n_classes, n_classes):
        raise ValueError(
            "cost_matrix with costs for each row must have the shape (rows, answers, classes) = "
            f"{(n_rows, n_classes, n_classes)} in the order of {classes.labels.tolist()}; got "
            f"shape {costs.shape}. Pass labels=[...] where it names more classes than the data."
        )
    if not np.isfinite(costs).all():
        row = int(np.flatnonzero(~np.isfinite(costs).all((1, 2)))[0])
        raise ValueError(f"cost_matrix must be finite; row {row} holds {costs[row].tolist()}.")
    if not classes.ordered:
        raise ValueError(
            f"cost_matrix has costs for each row and the classes {classes.labels.tolist()} are "
            f"words: pass the order of its axes, as in labels={classes.labels.tolist()}."
        )
    return pay(y_true, y_pred, costs, classes.labels, classes.actions, sample_weight)


def pay(
    y_true: Any,
    y_pred: Any,
    costs: np.ndarray,
    labels: np.ndarray,
    actions: np.ndarray,
    sample_weight: Any = None,
) -> RowCosts:
    """Look up the costs (n, A, K), in the order of ``actions`` and ``labels``, of each row."""
    rows = np.arange(len(costs))
    of_actions = costs[rows, :, encode(y_true, labels, name="y_true")]
    paid = of_actions[rows, encode(y_pred, actions, name="y_pred")]
    if sample_weight is None:
        return RowCosts(of_actions, paid, np.ones(len(rows)))
    return RowCosts(of_actions, paid, check_sample_weight(sample_weight, len(rows)))


def _savings_of_rows(rows: RowCosts) -> float:
    constants = rows.weights @ rows.of_actions
    best = int(constants.argmin())
    cheapest = rows.of_actions.min(1)
    # Regrets row by row: a difference of two sums need not come out as zero exactly.
    to_save = float(rows.weights @ (rows.of_actions[:, best] - cheapest))
    if to_save == 0:
        warn_undefined_metric(
            "cost_savings is undefined (a constant answer is as good as the oracle: nothing can "
            "be saved) and is set to 0.0."
        )
        return 0.0
    return float(rows.weights @ (rows.of_actions[:, best] - rows.paid)) / to_save
