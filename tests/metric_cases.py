"""One line of test data per registered metric: add a metric, add its line to CASES.

``closed_form`` works on one table of exact fractions, (2, 2) with the negative class first for
binary metrics, and raises ZeroDivisionError where the metric is undefined. It shares nothing
with the package. ``peer`` is the same number by another program, from labels.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from inspect import signature
from typing import Any

import numpy as np
from sklearn import metrics as sk

from skmetrics_ext.tables import BoundMetric, bind, get_metric

Table = list[list[Fraction]]
# class_likelihood_ratios and cohen_kappa_score have replace_undefined_by.
REPLACES = "replace_undefined_by" in signature(sk.cohen_kappa_score).parameters


@dataclass(frozen=True)
class Case:
    """``flags``: binary, symmetric (in the two classes), ordinal, proportion, loss."""

    closed_form: Callable[..., Any]
    peer: Callable[..., Any] | None
    flags: str
    perfect: float | None = 1.0  # for answers that are all right; None: undefined or no ideal
    params: tuple[dict[str, Any], ...] = ({},)

    def __getattr__(self, flag: str) -> bool:
        if flag not in ("binary", "symmetric", "ordinal", "proportion", "loss"):
            raise AttributeError(flag)
        return flag in self.flags.split()


# ---------------------------------------------------------------------------------------------
# closed forms


def cells(table: Table) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    (tn, fp), (fn, tp) = table
    return tn, fp, fn, tp


def total(table: Table) -> Fraction:
    return sum((sum(row) for row in table), Fraction(0))


def recalls(table: Table) -> list[Fraction]:
    return [row[k] / sum(row) for k, row in enumerate(table)]


def accuracy(table: Table) -> Fraction:
    return sum(row[k] for k, row in enumerate(table)) / total(table)


def balanced_accuracy(table: Table) -> Fraction:
    present = [row[k] / sum(row) for k, row in enumerate(table) if sum(row)]
    return sum(present) / len(present)


def recall(table: Table) -> Fraction:
    _, _, fn, tp = cells(table)
    return tp / (tp + fn)


def specificity(table: Table) -> Fraction:
    tn, fp, _, _ = cells(table)
    return tn / (tn + fp)


def precision(table: Table) -> Fraction:
    _, fp, _, tp = cells(table)
    return tp / (tp + fp)


def npv(table: Table) -> Fraction:
    tn, _, fn, _ = cells(table)
    return tn / (tn + fn)


def answered_positive(table: Table) -> Fraction:
    return (table[0][1] + table[1][1]) / total(table)


def fbeta(table: Table, beta: float = 1.0) -> Fraction:
    _, fp, fn, tp = cells(table)
    if beta == math.inf:
        return recall(table)
    b2 = Fraction(beta) ** 2
    return (1 + b2) * tp / (tp + fp + b2 * (tp + fn))


def jaccard(table: Table) -> Fraction:
    _, fp, fn, tp = cells(table)
    return tp / (tp + fp + fn)


def youden(table: Table) -> Fraction:
    return recall(table) + specificity(table) - 1


def lr_plus(table: Table) -> Fraction:
    return recall(table) / (1 - specificity(table))


def lr_minus(table: Table) -> Fraction:
    return (1 - recall(table)) / specificity(table)


def geometric_mean(table: Table) -> float:
    return float(math.prod(recalls(table))) ** (1 / len(table))


def matthews_corrcoef(table: Table) -> float:
    """Gorodkin's sums over three classes at a time, and 0 where a margin has one class."""
    classes = range(len(table))
    columns = [sum(row[k] for row in table) for k in classes]
    rows = [sum(row) for row in table]
    covariance = sum(
        table[k][k] * table[m][n] - table[n][k] * table[k][m]
        for k in classes
        for m in classes
        for n in classes
    )
    of_answer = sum(columns[k] * (total(table) - columns[k]) for k in classes)
    of_truth = sum(rows[k] * (total(table) - rows[k]) for k in classes)
    return float(covariance) / math.sqrt(of_answer * of_truth)


def disagreement(weights: Any, i: int, j: int) -> Fraction:
    if weights is None:
        return Fraction(i != j)
    if isinstance(weights, str):
        return Fraction(abs(i - j) ** {"linear": 1, "quadratic": 2}[weights])
    return Fraction(float(weights[i][j]))


def weighted_kappa(table: Table, weights: Any = "quadratic") -> Fraction:
    pairs = [(i, j) for i in range(len(table)) for j in range(len(table))]
    rows = [sum(row) for row in table]
    columns = [sum(row[k] for row in table) for k in range(len(table))]
    observed = sum(disagreement(weights, i, j) * table[i][j] for i, j in pairs)
    by_chance = sum(disagreement(weights, i, j) * rows[i] * columns[j] for i, j in pairs)
    return 1 - observed * total(table) / by_chance


def one_off(table: Table, tolerance: int = 1) -> Fraction:
    near = sum(
        v for i, row in enumerate(table) for j, v in enumerate(row) if abs(i - j) <= tolerance
    )
    return near / total(table)


def ranks_off(table: Table, average: str | None = "macro") -> Fraction:
    errors = [
        sum(abs(i - j) * v for j, v in enumerate(row)) / sum(row)
        for i, row in enumerate(table)
        if sum(row)
    ]
    return max(errors) if average == "max" else sum(errors) / len(errors)


def cost(cost_matrix: Any, answer: int, truth: int) -> Fraction:
    return (
        Fraction(answer != truth)
        if cost_matrix is None
        else Fraction(float(cost_matrix[answer][truth]))
    )


def expected_cost(table: Table, cost_matrix: Any = None) -> Fraction:
    paid = sum(
        v * cost(cost_matrix, j, i) for i, row in enumerate(table) for j, v in enumerate(row)
    )
    return paid / total(table)


def cost_savings(table: Table, cost_matrix: Any = None) -> Fraction:
    answers = range(len(table[0]))
    rows = [sum(row) for row in table]
    baseline = min(sum(n * cost(cost_matrix, a, i) for i, n in enumerate(rows)) for a in answers)
    oracle = sum(n * min(cost(cost_matrix, a, i) for a in answers) for i, n in enumerate(rows))
    return (baseline - expected_cost(table, cost_matrix) * total(table)) / (baseline - oracle)


# ---------------------------------------------------------------------------------------------
# peers: function(y_true, y_pred, *, labels, pos_label, average, sample_weight, undefined, **params)


def averaged(function: Callable[..., Any]) -> Callable[..., Any]:
    """scikit-learn's precision, recall, F and jaccard."""

    def peer(y_true, y_pred, *, labels, pos_label, average, sample_weight, undefined, **params):
        named = {"pos_label": pos_label} if average == "binary" else {}
        return function(
            y_true,
            y_pred,
            labels=labels,
            average=average,
            sample_weight=sample_weight,
            zero_division=undefined,
            **named,
            **params,
        )

    return peer


def of_the_rest(function: Callable[..., Any]) -> Callable[..., Any]:
    """Specificity is the recall of "not this class", NPV its precision."""

    def peer(y_true, y_pred, *, labels, pos_label, average, sample_weight, undefined):
        def one(label):
            return function(
                np.asarray(y_true) != label,
                np.asarray(y_pred) != label,
                labels=[False, True],
                pos_label=True,
                sample_weight=sample_weight,
                zero_division=undefined,
            )

        if average == "binary":
            return one(pos_label)
        classes = np.union1d(y_true, y_pred) if labels is None else labels
        tables = sk.multilabel_confusion_matrix(
            y_true, y_pred, labels=classes, sample_weight=sample_weight
        )
        if average == "micro":
            (tn, fp), (fn, _) = tables.sum(0)
            other = fp if function is sk.recall_score else fn
            return tn / (tn + other) if tn + other else {"warn": 0.0}.get(undefined, undefined)
        values = np.array([one(label) for label in classes])
        if average is None:
            return values
        defined = ~np.isnan(values)
        if not defined.any():
            return np.nan
        truth = tables[defined, 1].sum(-1)
        by_truth = average == "weighted" and truth.any()
        return np.average(values[defined], weights=truth if by_truth else None)

    return peer


def plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """A peer that knows neither labels nor averages."""

    def peer(y_true, y_pred, *, sample_weight, labels, pos_label, average, undefined):
        return function(y_true, y_pred, sample_weight=sample_weight)

    return peer


def kappa(y_true, y_pred, *, labels, pos_label, average, sample_weight, undefined, weights):
    """scikit-learn has no matrix of weights; before 1.7 it has no replacement either."""
    replaced = {"replace_undefined_by": undefined} if REPLACES else {}
    return sk.cohen_kappa_score(
        y_true, y_pred, labels=labels, weights=weights, sample_weight=sample_weight, **replaced
    )


def likelihood_ratio(which: int) -> Callable[..., Any]:
    """Two classes only, the positive one last."""

    def peer(y_true, y_pred, *, labels, pos_label, average, sample_weight, undefined):
        replaced = {"replace_undefined_by": {"LR+": undefined, "LR-": undefined}}
        both = sk.class_likelihood_ratios(
            y_true,
            y_pred,
            labels=[*[label for label in labels if label != pos_label], pos_label],
            sample_weight=sample_weight,
            **(replaced if REPLACES and not np.isnan(undefined) else {}),
        )
        return both[which]

    return peer


# ---------------------------------------------------------------------------------------------
# the table

# Matrices are keyed by the number of classes that they fit, and asymmetric on purpose.
COSTS = {2: np.array([[0.0, 5.0], [1.0, 0.0]]), 3: np.array([[0, 1, 5], [2, 0, 1], [10, 3, 0.0]])}
GAINS = {2: np.array([[0.0, 0.0], [1.0, -7]]), 3: np.array([[-1, 1, 5], [2, -4, 1], [1, 3, -9.0]])}
OWN = {2: np.array([[0.0, 1.0], [3.0, 0.0]]), 3: np.array([[0, 1, 4], [1, 0, 2], [9, 1, 0.0]])}
BETAS = ({}, {"beta": 0.5}, {"beta": 2.0}, {"beta": 0.0}, {"beta": np.inf})
KAPPAS = ({}, {"weights": "linear"}, {"weights": None}, {"weights": OWN})
STEPS = ({}, {"tolerance": 0}, {"tolerance": 2})
PRICES = ({}, {"cost_matrix": COSTS})
SAVINGS = ({}, {"cost_matrix": COSTS}, {"cost_matrix": GAINS})

CASES: dict[str, Case] = {
    "accuracy": Case(accuracy, plain(sk.accuracy_score), "symmetric proportion"),
    "balanced_accuracy": Case(balanced_accuracy, plain(sk.balanced_accuracy_score), "symmetric"),
    "recall": Case(recall, averaged(sk.recall_score), "binary proportion"),
    "specificity": Case(specificity, of_the_rest(sk.recall_score), "binary proportion"),
    "precision": Case(precision, averaged(sk.precision_score), "binary proportion"),
    "negative_predictive_value": Case(npv, of_the_rest(sk.precision_score), "binary proportion"),
    "predicted_positive_rate": Case(answered_positive, None, "binary proportion", perfect=None),
    "fbeta": Case(fbeta, averaged(partial(sk.fbeta_score, beta=1.0)), "binary", params=BETAS),
    "f1": Case(fbeta, averaged(sk.f1_score), "binary"),
    "jaccard": Case(jaccard, averaged(sk.jaccard_score), "binary proportion"),
    "youden": Case(youden, None, "binary symmetric"),
    "geometric_mean": Case(geometric_mean, None, "symmetric"),
    "positive_likelihood_ratio": Case(lr_plus, likelihood_ratio(0), "binary", perfect=None),
    "negative_likelihood_ratio": Case(lr_minus, likelihood_ratio(1), "binary loss", perfect=0.0),
    "matthews_corrcoef": Case(matthews_corrcoef, plain(sk.matthews_corrcoef), "symmetric"),
    "weighted_kappa": Case(weighted_kappa, kappa, "symmetric ordinal", params=KAPPAS),
    "one_off_accuracy": Case(one_off, None, "symmetric ordinal proportion", params=STEPS),
    "classwise_mean_absolute_error": Case(ranks_off, None, "symmetric ordinal loss", perfect=0.0),
    "expected_cost": Case(expected_cost, None, "symmetric loss", perfect=0.0, params=PRICES),
    "cost_savings": Case(cost_savings, None, "symmetric", params=SAVINGS),
}


# ---------------------------------------------------------------------------------------------
# what the common tests run over


def for_classes(params: dict[str, Any], n_classes: int) -> dict[str, Any]:
    """The parameters with the matrices that fit the number of classes."""
    return {key: v[n_classes] if isinstance(v, dict) else v for key, v in params.items()}


def permuted(params: dict[str, Any], order: Any) -> dict[str, Any]:
    """The same parameters for classes in another order."""
    return {
        key: v[np.ix_(order, order)] if isinstance(v, np.ndarray) else v
        for key, v in params.items()
    }


def variants() -> Iterator[tuple[str, int, str | None, dict[str, Any]]]:
    """(name, number of classes, average, params) of every way to use every metric."""
    for name, case in CASES.items():
        averages = get_metric(name).averages or (None,)
        for params in case.params:
            for average in averages:
                for n_classes in (2,) if average == "binary" else (2, 3):
                    yield name, n_classes, average, for_classes(params, n_classes)


VARIANTS = list(variants())
IDS = [f"{name}-{k}-{average}-{k2}" for k2, (name, k, average, _) in enumerate(VARIANTS)]


def bound(name: str, average: str | None, params: dict[str, Any], **more: Any) -> BoundMetric:
    return bind(get_metric(name), average=average, pos=1, params=params, **more)


def order_matters(name: str, params: dict[str, Any]) -> bool:
    """Whether renaming the classes changes the value though the parameters go along."""
    return CASES[name].ordinal and isinstance(params.get("weights", "quadratic"), str)


def one_by_one(name: str, table: Any, average: str | None, params: dict[str, Any]) -> Any:
    """The closed form of one table, lifted and averaged class by class; NaN where undefined."""
    case, exact = CASES[name], [[Fraction(float(v)) for v in row] for row in table]
    classes = range(len(exact))
    if name == "classwise_mean_absolute_error":
        params = {**params, "average": average}
        if average is None:
            return [_or_nan(case.closed_form, [*_empty(exact, k)], params) for k in classes]
        return _or_nan(case.closed_form, exact, params)
    if average in ("binary", "multiclass") or not get_metric(name).averages:
        return _or_nan(case.closed_form, exact, params)
    each = [_against_the_rest(exact, k) for k in classes]
    if average == "micro":
        summed = [[sum(t[i][j] for t in each) for j in (0, 1)] for i in (0, 1)]
        return _or_nan(case.closed_form, summed, params)
    values = [_or_nan(case.closed_form, t, params) for t in each]
    if average is None:
        return values
    values = [0.0 if math.isnan(v) else v for v in values]
    shares = [float(sum(row)) if average == "weighted" else 1.0 for row in exact]
    return sum(v * s for v, s in zip(values, shares, strict=True)) / sum(shares)


def _or_nan(function: Callable[..., Any], table: Table, params: dict[str, Any]) -> float:
    try:
        return float(function(table, **params))
    except ZeroDivisionError:
        return math.nan


def _empty(table: Table, keep: int) -> Iterator[list[Fraction]]:
    for k, row in enumerate(table):
        yield row if k == keep else [Fraction(0)] * len(row)


def _against_the_rest(table: Table, k: int) -> Table:
    merged = [[Fraction(0)] * 2 for _ in range(2)]
    for i, row in enumerate(table):
        for j, value in enumerate(row):
            merged[i == k][j == k] += value
    return merged
