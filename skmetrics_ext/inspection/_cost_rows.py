"""What every row costs under a classifier's probabilities: all that a breakdown is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.frozen import FrozenEstimator
from sklearn.utils import indexable
from sklearn.utils.validation import check_is_fitted

from skmetrics_ext._labels import encode, label_array, same_label
from skmetrics_ext.costs import evaluate_cost_function
from skmetrics_ext.counts._tabulate import check_sample_weight
from skmetrics_ext.decision import CostThresholdClassifier
from skmetrics_ext.decision._probabilities import probability_rows
from skmetrics_ext.metrics._costs import pay

__all__ = ["CostedRows", "Rated", "cost_rows", "rate"]

Floats = NDArray[np.float64]


class _Recorded(ClassifierMixin, BaseEstimator):
    """Probabilities that are there already, for a rule that asks for them again."""

    def __init__(self, probabilities: Any, classes: Any) -> None:
        self.probabilities = probabilities
        self.classes = classes
        self.classes_ = classes

    def fit(self, X: Any, y: Any) -> _Recorded:
        """Learn nothing."""
        return self

    def predict_proba(self, X: Any) -> Any:
        """Those recorded, whatever X is."""
        return self.probabilities


@dataclass(frozen=True)
class Rated:
    """Rows with their probabilities: ``truth`` holds places in ``classes``."""

    X: Any
    y: Any
    truth: NDArray[np.intp]
    classes: np.ndarray
    probabilities: Floats
    weights: Floats


@dataclass(frozen=True)
class CostedRows:
    """The same rows under costs.

    Attributes
    ----------
    costs : ndarray of shape (A, K) or (n, A, K)
        In the order of ``actions`` and ``classes``.
    actions : ndarray of shape (A,)
    answers : ndarray of shape (n,)
        The action of least expected cost, a place in ``actions``.
    expected : ndarray of shape (n,)
        What the probabilities say that it costs.
    of_actions : ndarray of shape (n, A)
        What each action would have cost, given the truth.
    paid : ndarray of shape (n,)
        What the answer did cost.
    positive : int or None
        The place of the positive class where there are two.
    threshold : float
        The probability of it from which on it is answered; NaN where there is none.
    """

    rated: Rated
    costs: Floats
    actions: np.ndarray
    answers: NDArray[np.intp]
    expected: Floats
    of_actions: Floats
    paid: Floats
    positive: int | None
    threshold: float


def rate(estimator: Any, X: Any, y: Any, sample_weight: Any) -> Rated:
    """Check what was passed, and ask the classifier once."""
    if isinstance(estimator, type) or not hasattr(estimator, "predict_proba"):
        raise ValueError(
            "estimator must be a fitted classifier with predict_proba, since costs are weighed by "
            f"probabilities; got {estimator!r}."
        )
    check_is_fitted(estimator)
    X, y = indexable(X, y)
    classes = label_array(estimator.classes_, name="estimator.classes_")
    truth = encode(y, classes, name="y")
    given = sample_weight is not None
    weights = check_sample_weight(sample_weight, len(truth)) if given else np.ones(len(truth))
    p = probability_rows(estimator.predict_proba(X), name="predict_proba(X)")
    if p.shape != (len(truth), len(classes)):
        raise ValueError(
            "estimator must give a probability for each row and class, shape "
            f"{(len(truth), len(classes))}; got an array of shape {p.shape}."
        )
    return Rated(X, y, truth, classes, p, weights)


def cost_rows(rated: Rated, cost_matrix: Any, labels: Any) -> CostedRows:
    """What the rows cost, decided as `CostThresholdClassifier` does."""
    recorded = FrozenEstimator(_Recorded(rated.probabilities, rated.classes))
    rule = CostThresholdClassifier(recorded, cost_matrix=cost_matrix, labels=labels)
    rule.fit(rated.X, rated.y)
    if callable(rule.cost_matrix_):
        found = evaluate_cost_function(rule.cost_matrix_, rated.X, rated.classes, labels=labels)
        costs = found[0]
    else:
        costs = rule.cost_matrix_.to_array()
    answers = encode(rule.predict(rated.X), rule.actions_, name="the answers")
    rows = np.arange(len(answers))
    paid = pay(
        rated.y,
        rule.actions_[answers],
        np.broadcast_to(costs, (len(rows), *costs.shape[-2:])),
        rated.classes,
        rule.actions_,
    )
    positive = None
    if rule.pos_label_ is not None:
        positive = int(same_label(rated.classes[1], rule.pos_label_))
    return CostedRows(
        rated=rated,
        costs=costs,
        actions=rule.actions_,
        answers=answers,
        expected=rule.conditional_risk(rated.X)[rows, answers],
        of_actions=paid.of_actions,
        paid=paid.paid,
        positive=positive,
        threshold=rule.threshold_,
    )
