"""Two small classifiers that a comparison needs: one that balances, one that repeats scores."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.class_weight import compute_class_weight

__all__ = ["Balanced", "Replayed"]


class Balanced(ClassifierMixin, BaseEstimator):
    """``class_weight="balanced"`` for a classifier that has none but takes `sample_weight`.

    Its own parameter has that very name, so that `ResampledClassifier` finds it, and corrects
    for it, as for any other.
    """

    __metadata_request__fit = {"sample_weight": True}

    def __init__(self, estimator: Any, class_weight: str = "balanced") -> None:
        self.estimator = estimator
        self.class_weight = class_weight

    def fit(self, X: Any, y: np.ndarray, sample_weight: np.ndarray | None = None) -> Self:
        classes, codes = np.unique(y, return_inverse=True)
        weights = compute_class_weight(self.class_weight, classes=classes, y=y)[codes]
        if sample_weight is not None:
            weights = weights * sample_weight
        self.estimator_ = clone(self.estimator).fit(X, y, sample_weight=weights)
        self.classes_ = self.estimator_.classes_
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        return self.estimator_.predict_proba(X)

    def predict(self, X: Any) -> np.ndarray:
        return self.estimator_.predict(X)


class Replayed(ClassifierMixin, BaseEstimator):
    """Probabilities that were computed before; its X is a column of row numbers.

    So `ExactThresholdClassifierCV` can search on held-out scores that are there already,
    without fitting anything once more.
    """

    def __init__(self, proba: np.ndarray, classes: np.ndarray) -> None:
        self.proba = proba
        self.classes = classes

    @property
    def classes_(self) -> np.ndarray:
        return self.classes

    def fit(self, X: Any, y: Any) -> Self:
        return self

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        return self.proba[np.asarray(X)[:, 0]]
