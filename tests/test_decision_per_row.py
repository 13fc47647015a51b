"""Costs that differ by row: answers against a loop by hand."""

import pickle
from operator import itemgetter

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.decision import CostThresholdClassifier

CALL = 50.0


@pytest.fixture(scope="module")
def frauds():
    """Amounts in the first column; fraud is likelier where the second column is large."""
    rng = np.random.default_rng(0)
    amount = rng.lognormal(4, 1.5, size=400)
    signal = rng.normal(size=400)
    y = (signal + rng.normal(size=400) > 1).astype(int)
    return np.column_stack([amount, signal]), y


def missed_amount(X):
    """A missed fraud costs its amount, any call costs CALL."""
    costs = np.zeros((len(X), 2, 2))
    costs[:, 0, 1] = X[:, 0]
    costs[:, 1, :] = CALL
    return costs


def signal_alone(table):
    return table["signal"].to_numpy()[:, None]


def by_hand(probabilities, amounts):
    """Call where the amount that would be lost on average is at least what the call costs."""
    return [int(amount * p >= CALL) for amount, p in zip(amounts, probabilities[:, 1], strict=True)]


def test_a_callable_sees_what_the_wrapper_sees(frauds):
    X, y = frauds
    model = make_pipeline(StandardScaler(), LogisticRegression())
    classifier = CostThresholdClassifier(model, cost_matrix=missed_amount).fit(X, y)
    expected = by_hand(model.fit(X, y).predict_proba(X), X[:, 0])
    assert classifier.predict(X).tolist() == expected
    assert 0.05 < np.mean(expected) < 0.95
    assert classifier.rule_ == "argmin"
    assert np.isnan(classifier.threshold_)
    assert classifier.pos_label_ == 1
    assert classifier.cost_matrix_ is missed_amount
    risk = classifier.conditional_risk(X)
    p = classifier.predict_proba(X)
    np.testing.assert_allclose(risk, np.column_stack([X[:, 0] * p[:, 1], np.full(400, CALL)]))
    assert not classifier.declined(X).any()


def test_rows_are_decided_alike_in_any_batch(frauds):
    X, y = frauds
    classifier = CostThresholdClassifier(LogisticRegression(), cost_matrix=missed_amount)
    classifier.fit(X, y)
    alone = np.concatenate([classifier.predict(X[i : i + 1]) for i in range(len(X))])
    np.testing.assert_array_equal(alone, classifier.predict(X))


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_the_amount_decides_where_the_model_never_sees_it(frauds, frame):
    X, y = frauds
    table = frame({"amount": X[:, 0], "signal": X[:, 1]})
    drop = {
        pd.DataFrame: make_column_transformer((StandardScaler(), ["signal"]), remainder="drop"),
        pl.DataFrame: FunctionTransformer(signal_alone),
    }
    model = make_pipeline(drop[frame], LogisticRegression())
    cost = CostMatrix.per_row(false_negative="amount", false_positive=CALL, true_positive=CALL)
    classifier = CostThresholdClassifier(model, cost_matrix=cost).fit(table, y)
    expected = by_hand(model.fit(table, y).predict_proba(table), X[:, 0])
    assert classifier.predict(table).tolist() == expected
    assert pickle.loads(pickle.dumps(classifier)).predict(table).tolist() == expected


def test_cross_validated_answers_equal_a_loop_by_hand(frauds):
    X, y = frauds
    model = make_pipeline(StandardScaler(), LogisticRegression())
    classifier = CostThresholdClassifier(model, cost_matrix=missed_amount)
    folds = KFold(4, shuffle=True, random_state=0)
    expected = np.empty(len(y), dtype=int)
    for train, test in folds.split(X):
        p = model.fit(X[train], y[train]).predict_proba(X[test])
        expected[test] = by_hand(p, X[test, 0])
    np.testing.assert_array_equal(cross_val_predict(classifier, X, y, cv=folds), expected)


def test_words_with_the_order_of_the_callable(frauds):
    X, y = frauds
    words = np.array(["legit", "fraud"])[y]
    model = make_pipeline(StandardScaler(), LogisticRegression())
    classifier = CostThresholdClassifier(
        model, cost_matrix=missed_amount, labels=["legit", "fraud"]
    ).fit(X, words)
    assert classifier.pos_label_ == "fraud"
    assert classifier.classes_.tolist() == ["fraud", "legit"]
    p = model.fit(X, words).predict_proba(X)[:, ::-1]
    assert (classifier.predict(X) == "fraud").tolist() == [bool(a) for a in by_hand(p, X[:, 0])]
    # Columns in the order of classes_: to answer 'fraud' is to call.
    np.testing.assert_allclose(classifier.conditional_risk(X)[:, 0], CALL, rtol=1e-12)


def test_ties_go_to_the_positive_class_of_a_callable():
    X, y = np.zeros((4, 2)), [0, 1, 0, 1]

    def equal(X):
        return np.tile([[0.0, 1.0], [1.0, 0.0]], (len(X), 1, 1))

    model = LogisticRegression()
    assert CostThresholdClassifier(model, cost_matrix=equal).fit(X, y).predict(X[:1]) == [1]
    reverse = CostThresholdClassifier(model, cost_matrix=equal, labels=[1, 0]).fit(X, y)
    assert reverse.pos_label_ == 0
    assert reverse.predict(X[:1]) == [0]


def test_three_classes(frauds):
    X, y = frauds
    y = y + (X[:, 0] > 100)

    def costs(X):
        return np.abs(np.subtract.outer(range(3), range(3))) * X[:, 0, None, None]

    model = make_pipeline(StandardScaler(), LogisticRegression())
    classifier = CostThresholdClassifier(model, cost_matrix=costs).fit(X, y)
    # The amount scales all costs of a row alike: the answer is that of |i - j|, row by row.
    table = np.abs(np.subtract.outer(range(3), range(3)))
    same = CostThresholdClassifier(model, cost_matrix=table).fit(X, y)
    np.testing.assert_array_equal(classifier.predict(X), same.predict(X))
    np.testing.assert_allclose(
        classifier.conditional_risk(X), X[:, :1] * same.conditional_risk(X), rtol=1e-12
    )


def test_declining_beside_costs_by_row(frauds):
    X, y = frauds
    cost = CostMatrix.per_row(
        false_negative=itemgetter((slice(None), 0)), false_positive=CALL, true_positive=CALL
    ).with_action(-1, cost=10)
    model = make_pipeline(StandardScaler(), LogisticRegression())
    classifier = CostThresholdClassifier(model, cost_matrix=cost).fit(X, y)
    assert classifier.actions_.tolist() == [0, 1, -1]
    lost = X[:, 0] * classifier.predict_proba(X)[:, 1]
    expected = np.where(lost <= 10, 0, -1)  # to ask costs less than to call
    np.testing.assert_array_equal(classifier.predict(X), expected)
    np.testing.assert_array_equal(classifier.declined(X), expected == -1)


def test_costs_that_do_not_fit_are_found_in_fit(frauds):
    X, y = frauds
    for costs, message in [
        (lambda X: np.ones((2, 2)), r"\(400, 2, 2\).*got shape \(2, 2\)"),
        (lambda X: np.ones((len(X), 3, 2)), r"got shape \(400, 3, 2\)"),
        (lambda X: missed_amount(X) * np.nan, "must give finite costs"),
    ]:
        with pytest.raises(ValueError, match=message):
            CostThresholdClassifier(LogisticRegression(), cost_matrix=costs).fit(X, y)
    with pytest.raises(ValueError, match="are words, and nothing says which row"):
        CostThresholdClassifier(LogisticRegression(), cost_matrix=missed_amount).fit(
            X, np.array(["legit", "fraud"])[y]
        )
    with pytest.raises(TypeError, match="amount"):
        CostThresholdClassifier(
            LogisticRegression(), cost_matrix=CostMatrix.per_row(false_negative="amount")
        ).fit(X, y)


def test_more_classes_than_per_row_costs_have(frauds):
    X, y = frauds
    cost = CostMatrix.per_row(false_negative=3)
    with pytest.raises(ValueError, match=r"Only binary classification is supported\."):
        CostThresholdClassifier(LogisticRegression(), cost_matrix=cost).fit(X, y + (X[:, 0] > 90))
