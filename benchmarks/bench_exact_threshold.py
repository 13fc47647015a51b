"""Decisions: the exact threshold against a grid of 100, and what deciding adds to predicting."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix, make_scorer
from sklearn.model_selection import StratifiedKFold, TunedThresholdClassifierCV

from benchmarks._harness import Case
from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.decision import CostThresholdClassifier, ExactThresholdClassifierCV
from skmetrics_ext.metrics import get_metric_scorer

COST = CostMatrix.binary(false_negative=10, false_positive=1)


def cost_per_row(y_true: Any, y_pred: Any) -> float:
    (_, false_positive), (false_negative, _) = confusion_matrix(y_true, y_pred)
    return (10 * false_negative + false_positive) / len(y_true)


def rows(n_rows: int, n_features: int = 5) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_features))
    y = (rng.random(n_rows) < 1 / (1 + np.exp(3 - X[:, 0] - X[:, 1]))).astype(int)
    return X, y


def cases() -> Iterator[Case]:
    yield prefit()
    yield cross_validated()
    yield decided()


def prefit() -> Case:
    X, y = rows(100_000)
    model = LogisticRegression().fit(X, y)
    exact = ExactThresholdClassifierCV(
        model,
        scoring=get_metric_scorer("expected_cost", cost_matrix=COST),
        cv="prefit",
        refit=False,
    )
    grid = TunedThresholdClassifierCV(
        model,
        scoring=make_scorer(cost_per_row, greater_is_better=False),
        thresholds=100,
        cv="prefit",
        refit=False,
    )

    def equal(ours: Any, peer: Any) -> None:
        # The best of all cuts, which is at least as good as the best of a hundred.
        assert ours.best_score_ == -cost_per_row(y, ours.predict(X))
        assert ours.best_score_ >= -cost_per_row(y, peer.predict(X))

    return Case(
        name="ExactThresholdClassifierCV.fit, cv='prefit', 1e5 rows",
        peer_name="TunedThresholdClassifierCV, 100 thresholds",
        ours=lambda: exact.fit(X, y),
        peer=lambda: grid.fit(X, y),
        equal=equal,
        bar=30,
        repeat=5,
    )


def cross_validated() -> Case:
    X, y = rows(100_000, 20)
    exact = ExactThresholdClassifierCV(LogisticRegression(), scoring="f1", cv=5)

    def bare() -> tuple[Any, np.ndarray]:
        held_out = np.empty(len(y))
        for train, test in StratifiedKFold(5).split(X, y):
            model = clone(exact.estimator).fit(X[train], y[train])
            held_out[test] = model.predict_proba(X[test])[:, 1]
        return clone(exact.estimator).fit(X, y), held_out

    def equal(ours: Any, peer: tuple[Any, np.ndarray]) -> None:
        model, held_out = peer
        np.testing.assert_array_equal(ours.predict_proba(X), model.predict_proba(X))
        said = held_out >= ours.best_threshold_
        np.testing.assert_allclose(
            ours.best_score_, 2 * (said & (y == 1)).sum() / (said.sum() + y.sum())
        )

    return Case(
        name="ExactThresholdClassifierCV.fit, cv=5, 1e5 rows",
        peer_name="six fits and five predict_proba",
        ours=lambda: exact.fit(X, y),
        peer=bare,
        equal=equal,
        bar=1.1,
        direction="at_most",
        repeat=15,
    )


def decided() -> Case:
    X, y = rows(1_000_000)
    classifier = CostThresholdClassifier(LogisticRegression(), cost_matrix=COST).fit(X, y)
    model, threshold = classifier.estimator_, classifier.threshold_
    return Case(
        name="CostThresholdClassifier.predict, 1e6 rows",
        peer_name="predict_proba and one comparison",
        ours=lambda: classifier.predict(X),
        peer=lambda: model.predict_proba(X)[:, 1] >= threshold,
        bar=1.15,
        direction="at_most",
        repeat=15,
    )
