"""Classifiers whose scores are the rows themselves: what is searched is known."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from skmetrics_ext.decision import ExactThresholdClassifierCV


class Probability(ClassifierMixin, BaseEstimator):
    """The probability of the last class is the first feature."""

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        p = np.asarray(X)[:, 0]
        return np.stack([1 - p, p], axis=1)


class Decision(ClassifierMixin, BaseEstimator):
    """The decision value is the first feature."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, X):
        return np.asarray(X)[:, 0]


def prefit(scores, y, *, estimator=None, sample_weight=None, **params):
    """The classifier that chose its threshold on these scores."""
    X = np.asarray(scores)[:, None]
    inside = (Probability() if estimator is None else estimator).fit(X, y)
    classifier = ExactThresholdClassifierCV(inside, cv="prefit", refit=False, **params)
    return classifier.fit(X, y, sample_weight)
