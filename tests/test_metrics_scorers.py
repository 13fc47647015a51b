"""Scorers of registered metrics and of costs, where scikit-learn uses scorers."""

import pickle
from copy import deepcopy

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from metric_cases import CASES
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import (
    confusion_matrix,
    f1_score,
    make_scorer,
    matthews_corrcoef,
    recall_score,
)
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    StratifiedKFold,
    TunedThresholdClassifierCV,
    cross_val_score,
    cross_validate,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.decision import CostThresholdClassifier
from skmetrics_ext.metrics import (
    cost_savings_score,
    cost_scorer,
    expected_cost_loss,
    get_metric_scorer,
    one_off_accuracy_score,
    weighted_kappa_score,
)

CANCER = CostMatrix.binary(false_negative=100, false_positive=1, pos_label=0)  # 0 is malignant


class Says(ClassifierMixin, BaseEstimator):
    """Answers what stands in the first column of X; fitted to know its classes."""

    def __init__(self, order=None):
        self.order = order

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        if self.order is not None:
            self.class_order_ = np.array(self.order)
        return self

    def predict(self, X):
        return np.asarray(X)[:, 0]


def said(answers, classes=None, order=None):
    """A fitted classifier, and the X for which it says these answers."""
    X = np.array(answers, dtype=object if isinstance(answers[0], str) else None)[:, None]
    return Says(order).fit(X, answers if classes is None else classes), X


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    return X[:, :5], y


@pytest.fixture(scope="module")
def model():
    return make_pipeline(StandardScaler(), LogisticRegression())


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


# ---------------------------------------------------------------------------------------------
# where scorers are used


@pytest.mark.parametrize(
    ("scorer", "peer"),
    [
        (get_metric_scorer("matthews_corrcoef"), make_scorer(matthews_corrcoef)),
        (get_metric_scorer("recall", pos_label=0), make_scorer(recall_score, pos_label=0)),
        (get_metric_scorer("specificity"), make_scorer(recall_score, pos_label=0)),
        (get_metric_scorer("f1", average="macro"), make_scorer(f1_score, average="macro")),
        (
            get_metric_scorer("expected_cost", cost_matrix=CANCER),
            make_scorer(expected_cost_loss, greater_is_better=False, cost_matrix=CANCER),
        ),
        (
            cost_scorer(CANCER),
            make_scorer(expected_cost_loss, greater_is_better=False, cost_matrix=CANCER),
        ),
        (
            get_metric_scorer("cost_savings", cost_matrix=CANCER),
            make_scorer(cost_savings_score, cost_matrix=CANCER),
        ),
    ],
)
def test_equals_make_scorer_in_cross_validation_and_search(scorer, peer, model, cancer):
    X, y = cancer
    for one in (scorer, pickle.loads(pickle.dumps(scorer))):
        values = cross_val_score(model, X, y, scoring=one, cv=3, error_score="raise")
        expected = cross_val_score(model, X, y, scoring=peer, cv=3, error_score="raise")
        np.testing.assert_allclose(values, expected, rtol=1e-12)
    grid = {"logisticregression__C": [0.001, 1.0]}
    searches = [
        GridSearchCV(model, grid, scoring=one, cv=3, error_score="raise").fit(X, y)
        for one in (scorer, peer)
    ]
    assert searches[0].best_params_ == searches[1].best_params_
    assert searches[0].score(X, y) == pytest.approx(searches[1].score(X, y), rel=1e-12)
    assert clone(searches[0]).scoring is not None


def test_several_scorers_at_once(model, cancer):
    X, y = cancer
    scoring = {
        "kappa": get_metric_scorer("weighted_kappa"),
        "cost": cost_scorer(CANCER),
        "youden": get_metric_scorer("youden"),
        "accuracy": "accuracy",
    }
    found = cross_validate(model, X, y, scoring=scoring, cv=3, error_score="raise")
    for name, scorer in scoring.items():
        alone = cross_val_score(model, X, y, scoring=scorer, cv=3)
        np.testing.assert_array_equal(found[f"test_{name}"], alone)


@pytest.mark.parametrize(
    ("scorer", "sign", "value"),
    [
        (get_metric_scorer("f1"), 1, f1_score),
        (
            cost_scorer(CANCER),
            -1,
            lambda y, p: expected_cost_loss(y, p, cost_matrix=CANCER),
        ),
        (get_metric_scorer("matthews_corrcoef"), 1, matthews_corrcoef),
    ],
)
def test_tunes_a_threshold(scorer, sign, value, model, cancer):
    X, y = cancer
    tuned = TunedThresholdClassifierCV(
        model.fit(X, y),
        scoring=scorer,
        cv="prefit",
        refit=False,
        thresholds=30,
        store_cv_results=True,
    ).fit(X, y)
    probability = model.predict_proba(X)[:, 1]
    thresholds = tuned.cv_results_["thresholds"]
    by_hand = [sign * value(y, (probability >= t).astype(int)) for t in thresholds]
    np.testing.assert_allclose(tuned.cv_results_["scores"], by_hand, rtol=1e-10)
    assert tuned.best_score_ == pytest.approx(max(by_hand))


def test_tunes_a_threshold_on_the_positive_class_that_is_named(model, cancer):
    """scikit-learn reads pos_label from the scorer: the threshold is on that class then."""
    X, y = cancer
    tuned = TunedThresholdClassifierCV(
        model.fit(X, y),
        scoring=get_metric_scorer("f1", pos_label=0),
        cv="prefit",
        refit=False,
        thresholds=30,
        store_cv_results=True,
    ).fit(X, y)
    malignant = model.predict_proba(X)[:, 0]
    by_hand = [
        f1_score(y, np.where(malignant >= t, 0, 1), pos_label=0)
        for t in tuned.cv_results_["thresholds"]
    ]
    np.testing.assert_allclose(tuned.cv_results_["scores"], by_hand, rtol=1e-10)


def test_tunes_a_threshold_by_cross_validation(model, cancer):
    X, y = cancer
    tuned = TunedThresholdClassifierCV(model, scoring=cost_scorer(CANCER), cv=3, random_state=0)
    tuned.fit(X, y)
    assert tuned.best_threshold_ > 0.5  # benign (1) only where it is nearly sure
    plain = expected_cost_loss(y, model.fit(X, y).predict(X), cost_matrix=CANCER)
    assert expected_cost_loss(y, tuned.predict(X), cost_matrix=CANCER) < plain


def test_three_classes_in_a_search():
    X, y = load_iris(return_X_y=True)
    scorer = get_metric_scorer("recall", average="macro")
    search = GridSearchCV(LogisticRegression(max_iter=500), {"C": [1e-4, 1]}, scoring=scorer, cv=3)
    assert search.fit(X, y).best_params_ == {"C": 1}


# ---------------------------------------------------------------------------------------------
# weights


def test_weights_reach_the_metric_without_routing():
    estimator, X = said([0, 1, 1, 0])
    y, weights = [0, 1, 0, 1], [1, 2, 3, 4]
    score = get_metric_scorer("accuracy")(estimator, X, y, sample_weight=weights)
    assert score == pytest.approx(3 / 10)
    score = cost_scorer(CostMatrix.binary(false_negative=5))(estimator, X, y, sample_weight=weights)
    assert score == -(3 * 1 + 4 * 5) / 10


@pytest.mark.parametrize(
    "scorer",
    [
        get_metric_scorer("accuracy"),
        cost_scorer(CANCER),
        cost_scorer(lambda X: np.repeat([[[0.0, 1.0], [100.0, 0.0]]], len(X), axis=0)),
    ],
)
@pytest.mark.usefixtures("routing")
def test_weights_are_routed_where_they_are_asked_for(scorer, rng, cancer):
    X, y = StandardScaler().fit_transform(cancer[0]), cancer[1]
    weights = rng.gamma(2, 1, len(y))
    how = {"cv": StratifiedKFold(3), "params": {"sample_weight": weights}, "error_score": "raise"}
    for in_fit, in_score in ((False, True), (True, False), (True, True)):
        estimator = LogisticRegression().set_fit_request(sample_weight=in_fit)
        # Requests are kept in the scorer, which other tests use.
        asking = deepcopy(scorer).set_score_request(sample_weight=in_score)
        found = cross_val_score(estimator, X, y, scoring=asking, **how)
        by_hand = []
        for train, test in how["cv"].split(X, y):
            fitted = LogisticRegression()
            fitted.fit(X[train], y[train], weights[train] if in_fit else None)
            given = {"sample_weight": weights[test]} if in_score else {}
            by_hand.append(scorer(fitted, X[test], y[test], **given))
        np.testing.assert_allclose(found, by_hand, rtol=1e-12)


# ---------------------------------------------------------------------------------------------
# classes and their order


def test_a_fold_that_lacks_a_class():
    """estimator.classes_ adds the class, so that the macro average and the matrix stay whole."""
    estimator, X = said([0, 1, 0], classes=[0, 1, 2])
    with pytest.warns(UserWarning, match="recall is undefined"):
        score = get_metric_scorer("recall", average="macro")(estimator, X, [0, 1, 0])
    assert score == pytest.approx(2 / 3)
    matrix = [[0, 1, 9], [1, 0, 9], [5, 5, 0]]
    assert get_metric_scorer("expected_cost", cost_matrix=matrix)(estimator, X, [0, 1, 1]) == -1 / 3
    # A middle class that no row of the fold has still counts as a step.
    low_high, X = said([0, 2, 2, 0], classes=[0, 1, 2])
    kappa = get_metric_scorer("one_off_accuracy")(low_high, X, [0, 2, 0, 0])
    assert kappa == one_off_accuracy_score([0, 2, 0, 0], [0, 2, 2, 0], labels=[0, 1, 2]) == 0.75


def test_a_fold_with_one_class_in_a_search(cancer):
    X, y = cancer
    order = np.argsort(y, kind="stable")  # folds of one class
    X, y = X[order], y[order]
    scorer = cost_scorer([[0, 1], [100, 0]])
    scores = cross_val_score(DummyClassifier(), X, y, scoring=scorer, cv=KFold(5))
    by_hand = [
        -expected_cost_loss(
            y[test],
            DummyClassifier().fit(X[train], y[train]).predict(X[test]),
            cost_matrix=[[0, 1], [100, 0]],
            labels=[0, 1],
        )
        for train, test in KFold(5).split(X)
    ]
    np.testing.assert_allclose(scores, by_hand)


WORDS = ["low", "mid", "high", "mid"]


def test_ordinal_metrics_take_the_order_that_the_estimator_knows():
    truth = ["low", "low", "high", "high"]
    estimator, X = said(WORDS, order=["low", "mid", "high"])
    expected = weighted_kappa_score(truth, WORDS, labels=["low", "mid", "high"])
    scorer = get_metric_scorer("weighted_kappa")
    assert scorer(estimator, X, truth) == expected
    # Inside a pipeline and a search as well.
    inside = make_pipeline("passthrough", Says(["low", "mid", "high"])).fit(X, WORDS)
    assert scorer(inside, X, truth) == expected
    X, y = np.repeat(X, 3, axis=0), np.repeat(truth, 3)
    search = GridSearchCV(inside, {"says__order": [["low", "mid", "high"]]}, scoring=scorer, cv=3)
    assert search.fit(X, y).score(X, y) == pytest.approx(expected)
    # labels= comes first; there, the estimator's order is turned around, which changes nothing.
    named = get_metric_scorer("weighted_kappa", labels=["high", "mid", "low"])
    assert named(estimator, X, y) == pytest.approx(expected)


@pytest.mark.parametrize(
    "name", [name for name, case in CASES.items() if case.ordinal] + ["weighted_kappa"]
)
def test_ordinal_metrics_refuse_words_without_an_order(name):
    estimator, X = said(WORDS)
    with pytest.raises(ValueError, match=r"order of the classes.*labels=\['high', 'low', 'mid'\]"):
        get_metric_scorer(name)(estimator, X, ["low", "low", "high", "high"])


def test_classes_say_nothing_of_the_order_of_a_matrix():
    estimator, X = said(["legit", "fraud", "legit"])
    truth = ["fraud", "fraud", "legit"]
    array = [[0, 100], [1, 0]]
    for scorer in (
        get_metric_scorer("expected_cost", cost_matrix=array),
        cost_scorer(array),
        cost_scorer(CostMatrix(array)),
        get_metric_scorer("cost_savings", cost_matrix=array),
    ):
        with pytest.raises(ValueError, match=r"words.*labels=\['fraud', 'legit'\]"):
            scorer(estimator, X, truth)
    for scorer in (
        cost_scorer(array, labels=["legit", "fraud"]),
        cost_scorer(CostMatrix.binary(false_negative=100, pos_label="fraud")),
    ):
        assert scorer(estimator, X, truth) == pytest.approx(-100 / 3)
    assert cost_scorer([[0, 2], [2, 0]])(estimator, X, truth) == pytest.approx(-2 / 3)


# ---------------------------------------------------------------------------------------------
# what they say


def test_their_repr():
    assert repr(get_metric_scorer("youden")) == "get_metric_scorer('youden')"
    assert (
        repr(get_metric_scorer("classwise_mean_absolute_error", average="max"))
        == "get_metric_scorer('classwise_mean_absolute_error', average='max'), "
        "negated: higher is better"
    )
    cost = repr(cost_scorer(CANCER))
    assert "CostMatrix.binary(" in cost
    assert cost.endswith("negated: higher is better")
    per_row = CostMatrix.per_row(false_negative="amount")
    assert repr(cost_scorer(per_row, labels=[0, 1])) == (
        f"cost_scorer({per_row!r}, labels=[0, 1]), negated: higher is better"
    )


@pytest.mark.parametrize(
    ("name", "params", "error", "message"),
    [
        ("recal", {}, ValueError, "unknown metric 'recal'; the registered ones are"),
        ("recall", {"beta": 2}, TypeError, r"'recall' has no parameter \['beta'\]"),
        ("recall", {"average": None}, ValueError, "a scorer of 'recall' needs one"),
    ],
)
def test_questions_that_are_refused_at_once(name, params, error, message):
    with pytest.raises(error, match=message):
        get_metric_scorer(name, **params)


def test_a_positive_class_that_is_none():
    estimator, X = said(["no", "yes"])
    with pytest.raises(ValueError, match="pos_label must name the positive class"):
        get_metric_scorer("recall")(estimator, X, ["no", "no"])
    with pytest.raises(ValueError, match="pos_label='maybe' is not a class"):
        get_metric_scorer("recall", pos_label="maybe")(estimator, X, ["no", "no"])


# ---------------------------------------------------------------------------------------------
# costs that differ by row


@pytest.fixture(scope="module")
def frauds():
    rng = np.random.default_rng(0)
    n = 400
    frame = pd.DataFrame({"amount": rng.lognormal(4, 1.5, n), "signal": rng.normal(size=n)})
    y = np.where(frame["signal"] + rng.normal(size=n) > 1, "fraud", "legit")
    return frame, y


AMOUNTS = CostMatrix.per_row(
    false_negative="amount", false_positive=50, true_positive=50, pos_label="fraud",
    neg_label="legit",
)  # fmt: skip


def loop_by_hand(model, X, y, cv, weights=None):
    """For each fold: fit, decide by the row's own amount, add up what each row costs."""
    means = []
    for train, test in cv.split(X, y):
        fitted = clone(model).fit(X.iloc[train], y[train])
        p_fraud = fitted.predict_proba(X.iloc[test])[:, list(fitted.classes_).index("fraud")]
        paid = []
        for amount, p, truth in zip(X["amount"].iloc[test], p_fraud, y[test], strict=True):
            calls = amount * p >= 50
            paid.append(50 if calls else amount if truth == "fraud" else 0)
        means.append(-np.average(paid))
    return means


@pytest.mark.parametrize(
    "columns",
    [
        make_column_transformer((StandardScaler(), ["amount", "signal"])),
        make_column_transformer((StandardScaler(), ["signal"]), remainder="drop"),
    ],
    ids=["a scaler", "the amount is dropped"],
)
@pytest.mark.parametrize("by_function", [False, True])
def test_costs_of_each_row_equal_a_loop_by_hand(frauds, columns, by_function):
    X, y = frauds
    model = make_pipeline(columns, LogisticRegression())
    cost, labels = AMOUNTS, None
    if by_function:
        cost, labels = amounts_of, ["legit", "fraud"]
    decide = CostThresholdClassifier(model, cost_matrix=cost, labels=labels)
    scorer = cost_scorer(cost, labels=labels)
    cv = StratifiedKFold(4, shuffle=True, random_state=0)
    for one in (scorer, pickle.loads(pickle.dumps(scorer))):
        scores = cross_val_score(decide, X, y, scoring=one, cv=cv, error_score="raise")
        np.testing.assert_allclose(scores, loop_by_hand(model, X, y, cv), rtol=1e-10)


def amounts_of(X):
    costs = np.zeros((len(X), 2, 2))
    costs[:, 0, 1] = X["amount"]
    costs[:, 1, :] = 50
    return costs


def test_the_cost_of_each_row_also_scores_a_classifier_that_ignores_it(frauds):
    X, y = frauds
    estimator, _ = said(list(y))
    answers = np.where(np.arange(len(y)) % 3 == 0, "fraud", "legit")
    estimator.predict = lambda X: answers
    paid = np.where(answers == "fraud", 50, np.where(y == "fraud", X["amount"], 0))
    score = cost_scorer(AMOUNTS)(estimator, X, y)
    assert score == pytest.approx(-paid.mean())
    in_polars = pl.DataFrame({name: X[name].to_numpy() for name in X})
    assert cost_scorer(AMOUNTS)(estimator, in_polars, y) == pytest.approx(score)


def test_declining_row_by_row(frauds):
    X, y = frauds
    cost = AMOUNTS.with_action("refer", cost=5)
    decide = CostThresholdClassifier(
        make_pipeline(make_column_transformer((StandardScaler(), ["signal"])),
                      LogisticRegression()), cost_matrix=cost
    ).fit(X, y)  # fmt: skip
    answers = decide.predict(X)
    assert set(answers) == {"refer", "legit"} | (set(answers) & {"fraud"})
    price = {"refer": np.full(len(y), 5.0), "fraud": np.full(len(y), 50.0)}
    price["legit"] = np.where(y == "fraud", X["amount"], 0)
    paid = np.array([price[a][k] for k, a in enumerate(answers)])
    assert cost_scorer(cost)(decide, X, y) == pytest.approx(-paid.mean())


def test_a_fold_without_frauds(frauds):
    X, y = frauds
    estimator, _ = said(list(y))
    legit = y == "legit"
    estimator.predict = lambda X: y[legit]
    assert cost_scorer(AMOUNTS)(estimator, X[legit], y[legit]) == 0.0
    # A function of one's own knows no labels: the classes come from the estimator.
    numbers, X = said([0, 0, 0], classes=[0, 1, 1])
    scorer = cost_scorer(lambda X: np.repeat([[[2.0, 9.0], [1.0, 0.0]]], len(X), axis=0))
    assert scorer(numbers, X, [0, 0, 0]) == -2.0


@pytest.mark.parametrize(
    ("function", "labels", "message"),
    [
        (lambda X: np.zeros((len(X), 3, 3)), ["legit", "fraud"], r"must give \(rows of X, answers"),
        (lambda X: np.zeros((1, 2, 2)), ["legit", "fraud"], r"got shape \(1, 2, 2\)"),
        (lambda X: np.full((len(X), 2, 2), np.nan), ["legit", "fraud"], "finite costs; row 0"),
        (amounts_of, None, r"are words.*labels=\['fraud', 'legit'\]"),
        (CostMatrix.per_row(false_negative="price", pos_label="fraud"), None, "a column of X"),
    ],
)
def test_functions_that_are_refused(frauds, function, labels, message):
    X, y = frauds
    estimator, _ = said(list(y))
    estimator.predict = lambda X: y
    with pytest.raises(ValueError, match=message):
        cost_scorer(function, labels=labels)(estimator, X, y)


def test_costs_of_each_row_cannot_tune_one_threshold(frauds):
    """The scorer of TunedThresholdClassifierCV never sees X."""
    X, y = frauds
    tuned = TunedThresholdClassifierCV(
        LogisticRegression(), scoring=cost_scorer(lambda X: np.zeros((len(X), 2, 2))), cv=2
    )
    with pytest.raises((TypeError, ValueError), match="callable"):
        tuned.fit(X, (y == "fraud").astype(int))


def test_the_dear_mistake_moves_the_choice(cancer, model):
    """With a missed tumour at 100, a search prefers what misses fewer of them."""
    X, y = cancer
    grid = {"cost_matrix": [None, CANCER]}
    search = GridSearchCV(CostThresholdClassifier(model), grid, scoring=cost_scorer(CANCER), cv=3)
    search.fit(X, y)
    assert search.best_params_ == {"cost_matrix": CANCER}
    tables = [
        confusion_matrix(y, CostThresholdClassifier(model, cost_matrix=c).fit(X, y).predict(X))
        for c in (None, CANCER)
    ]
    assert tables[1][0, 1] < tables[0][0, 1]
