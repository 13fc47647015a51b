"""ExactThresholdClassifierCV as an estimator: folds, refit, weights, routing, where it stands."""

import pickle

import numpy as np
import pandas
import polars
import pytest
import sklearn
from sklearn import metrics as sk
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier, StackingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    cross_val_predict,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from threshold_cases import Decision, Probability, prefit

from skmetrics_ext.decision import ExactThresholdClassifierCV

X, Y = make_classification(
    n_samples=200, n_features=5, weights=[0.8], flip_y=0.1, random_state=0, class_sep=0.8
)
WORDS = np.array(["well", "ill"])[Y]
MODEL = LogisticRegression()


class Counting(LogisticRegression):
    """Notes the rows and the weights of each fit."""

    fits = []

    def fit(self, X, y, sample_weight=None):
        Counting.fits.append((np.asarray(X), sample_weight))
        return super().fit(X, y, sample_weight)


@pytest.fixture
def fits():
    Counting.fits = []
    return Counting.fits


def pooled_f1(probabilities, y, threshold):
    return sk.f1_score(y, probabilities >= threshold)


# ---------------------------------------------------------------------------------------------
# folds and refit


@pytest.mark.parametrize("cv", [None, 3, StratifiedKFold(4, shuffle=True, random_state=1)])
def test_the_threshold_is_chosen_on_held_out_rows_of_all_folds(cv):
    found = ExactThresholdClassifierCV(MODEL, scoring="f1", cv=cv).fit(X, Y)
    pooled = cross_val_predict(MODEL, X, Y, cv=cv, method="predict_proba")[:, 1]
    best = max(pooled_f1(pooled, Y, cut) for cut in np.unique(pooled))
    assert found.best_score_ == pytest.approx(best, abs=1e-14)
    assert pooled_f1(pooled, Y, found.best_threshold_) == pytest.approx(best, abs=1e-14)
    of_all = clone(MODEL).fit(X, Y)
    np.testing.assert_array_equal(found.predict_proba(X), of_all.predict_proba(X))
    np.testing.assert_array_equal(
        found.predict(X), (of_all.predict_proba(X)[:, 1] >= found.best_threshold_).astype(int)
    )
    assert found.n_features_in_ == 5
    assert found.pos_label_ == 1
    assert not hasattr(found, "cv_results_")
    assert not hasattr(found, "decision_function")


def test_the_values_at_every_threshold():
    folds = StratifiedKFold(4)
    found = ExactThresholdClassifierCV(
        MODEL, scoring="f1", constraint=("recall", ">=", 0.6), cv=folds, store_cv_results=True
    ).fit(X, Y)
    pooled = cross_val_predict(MODEL, X, Y, cv=folds, method="predict_proba")[:, 1]
    results = found.cv_results_
    assert list(results) == [
        "thresholds", "scores", "constraint_values", *(f"split{k}_scores" for k in range(4))
    ]  # fmt: skip
    assert {len(column) for column in results.values()} == {201}
    for place in range(0, 201, 10):
        threshold = results["thresholds"][place]
        said = pooled >= threshold
        assert results["scores"][place] == pytest.approx(sk.f1_score(Y, said))
        assert results["constraint_values"][place] == pytest.approx(sk.recall_score(Y, said))
        for k, (_, test) in enumerate(folds.split(X, Y)):
            own = sk.f1_score(Y[test], said[test])
            assert results[f"split{k}_scores"][place] == pytest.approx(own)
    allowed = results["scores"][results["constraint_values"] >= 0.6]
    assert found.best_score_ == allowed.max() > 0
    found.set_params(store_cv_results=False).fit(X, Y)
    assert not hasattr(found, "cv_results_")


def test_a_float_draws_one_split_once(fits):
    found = ExactThresholdClassifierCV(
        Counting(), cv=0.25, refit=False, random_state=np.random.RandomState(3)
    ).fit(X, Y)
    assert len(fits) == 1
    split = StratifiedShuffleSplit(1, test_size=0.25, random_state=np.random.RandomState(3))
    train, test = next(split.split(X, Y))
    np.testing.assert_array_equal(fits[0][0], X[train])
    score = sk.balanced_accuracy_score(Y[test], found.predict(X[test]))
    assert found.best_score_ == pytest.approx(score, abs=1e-14)
    ExactThresholdClassifierCV(Counting(), cv=0.25, random_state=3).fit(X, Y)
    np.testing.assert_array_equal(fits[1][0], X[train])
    np.testing.assert_array_equal(fits[2][0], X)


@pytest.mark.parametrize("listed", [False, True])
def test_an_iterable_of_splits(listed):
    splits = list(StratifiedKFold(3).split(X, Y))
    if listed:
        splits = [(train.tolist(), np.isin(np.arange(len(Y)), test)) for train, test in splits]
    found = ExactThresholdClassifierCV(MODEL, cv=iter(splits)).fit(X, Y)
    plain = ExactThresholdClassifierCV(MODEL, cv=3).fit(X, Y)
    assert found.best_threshold_ == plain.best_threshold_


def test_rows_that_are_held_out_twice_count_twice():
    cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    found = ExactThresholdClassifierCV(MODEL, cv=cv, store_cv_results=True).fit(X, Y)
    assert len(found.cv_results_["thresholds"]) > 350
    assert "split5_scores" in found.cv_results_


@pytest.mark.parametrize("estimator", [Probability(), Decision()])
def test_prefit_uses_the_very_estimator(estimator):
    scores = np.array([0.1, 0.4, 0.2, 0.6, 0.8, 0.9])
    y = np.array([0, 0, 0, 1, 0, 1])
    inside = estimator.fit(scores[:, None], y)
    found = ExactThresholdClassifierCV(inside, cv="prefit", refit=False).fit(scores[:, None], y)
    assert found.estimator_ is inside
    assert found.best_threshold_ == 0.5
    assert found.best_score_ == 0.875


def test_a_frozen_estimator_is_used_as_it_is():
    frozen = FrozenEstimator(clone(MODEL).fit(X[:100], Y[:100]))
    found = ExactThresholdClassifierCV(frozen, scoring="f1").fit(X[100:], Y[100:])
    prefitted = ExactThresholdClassifierCV(frozen, scoring="f1", cv="prefit", refit=False)
    assert found.best_threshold_ == prefitted.fit(X[100:], Y[100:]).best_threshold_
    np.testing.assert_array_equal(found.predict_proba(X), frozen.predict_proba(X))


def test_in_several_processes_the_same():
    one = ExactThresholdClassifierCV(MODEL, cv=3).fit(X, Y)
    two = ExactThresholdClassifierCV(MODEL, cv=3, n_jobs=2).fit(X, Y)
    assert (one.best_threshold_, one.best_score_) == (two.best_threshold_, two.best_score_)


def test_decision_functions_are_cut_too():
    found = ExactThresholdClassifierCV(LinearSVC(), scoring="f1", pos_label=0).fit(X, Y)
    pooled = -cross_val_predict(LinearSVC(), X, Y, method="decision_function")
    best = max(sk.f1_score(Y == 0, pooled >= cut) for cut in np.unique(pooled))
    assert found.best_score_ == pytest.approx(best, abs=1e-14)
    assert not hasattr(found, "predict_proba")
    assert not hasattr(found, "decision_function")
    both = ExactThresholdClassifierCV(MODEL, response_method="decision_function", cv=3).fit(X, Y)
    answers = MODEL.fit(X, Y).decision_function(X) >= both.best_threshold_
    np.testing.assert_array_equal(both.predict(X), answers.astype(int))


# ---------------------------------------------------------------------------------------------
# labels


@pytest.mark.parametrize(
    ("y", "pos_label", "scoring"),
    [
        (WORDS, "ill", "f1"),
        (WORDS.tolist(), "ill", "f1"),
        (WORDS, "well", "f1"),
        (WORDS, None, "balanced_accuracy"),  # the same for both: the last in order is positive
        (Y == 1, None, "f1"),
        (np.where(Y == 1, 1, -1), None, "f1"),
        (Y + 1, 2, "f1"),
    ],
)
def test_labels_of_all_kinds(y, pos_label, scoring):
    found = ExactThresholdClassifierCV(MODEL, scoring=scoring, pos_label=pos_label, cv=3).fit(X, y)
    positive = found.classes_[-1] if pos_label is None else pos_label
    assert found.pos_label_ == positive
    k = found.classes_.tolist().index(positive)
    above = found.predict_proba(X)[:, k] >= found.best_threshold_
    np.testing.assert_array_equal(found.predict(X) == positive, above)
    assert set(found.predict(X)) <= set(np.asarray(y).tolist())
    assert found.score(X, y) == np.mean(found.predict(X) == np.asarray(y))


def test_frames_and_series():
    plain = ExactThresholdClassifierCV(MODEL, scoring="f1", pos_label="ill").fit(X, WORDS)
    names = [f"x{k}" for k in range(5)]
    frame = pandas.DataFrame(X, columns=names, index=np.arange(200) * 3)
    for y in (pandas.Series(WORDS, index=frame.index), pandas.Series(WORDS).astype("category")):
        found = clone(plain).fit(frame, y, sample_weight=pandas.Series(np.ones(200)))
        assert found.best_threshold_ == plain.best_threshold_
        np.testing.assert_array_equal(found.feature_names_in_, names)
    scaled = make_pipeline(StandardScaler().set_output(transform="polars"), MODEL)
    found = clone(plain).set_params(estimator=scaled).fit(X, polars.Series(WORDS))
    assert found.pos_label_ == "ill"


# ---------------------------------------------------------------------------------------------
# weights and metadata


def test_weights_fit_and_count(fits):
    weight = np.random.default_rng(0).integers(0, 4, len(Y)).astype(float)
    folds = PredefinedSplit(np.arange(len(Y)) % 3)
    found = ExactThresholdClassifierCV(Counting(), cv=folds).fit(X, Y, sample_weight=weight)
    np.testing.assert_array_equal(fits[0][1], weight[np.arange(len(Y)) % 3 != 0])
    np.testing.assert_array_equal(fits[-1][1], weight)
    times = weight.astype(int)
    repeated = ExactThresholdClassifierCV(
        MODEL, cv=PredefinedSplit(np.repeat(np.arange(len(Y)) % 3, times))
    ).fit(np.repeat(X, times, axis=0), np.repeat(Y, times))
    assert found.best_score_ == pytest.approx(repeated.best_score_, abs=1e-12)
    assert found.best_threshold_ == pytest.approx(repeated.best_threshold_, abs=1e-3)


def test_weights_that_only_count():
    scores, y = np.array([0.1, 0.3, 0.4, 0.8]), np.array([0, 1, 0, 1])
    found = prefit(scores, y, sample_weight=[1, 9, 1, 1], scoring="accuracy")
    assert (found.best_threshold_, found.best_score_) == (0.2, 11 / 12)
    found = prefit(scores, y, sample_weight=[1, 1, 9, 1], scoring="accuracy")
    assert (found.best_threshold_, found.best_score_) == (pytest.approx(0.6), 11 / 12)


def test_weights_reach_a_pipeline(fits):
    model = make_pipeline(StandardScaler(), Counting())
    weight = np.linspace(0.5, 2, len(Y))
    ExactThresholdClassifierCV(model, cv=2).fit(X, Y, weight)
    np.testing.assert_array_equal(fits[-1][1], weight)


def test_groups_go_to_the_splitter_without_routing():
    groups = np.arange(len(Y)) // 10
    found = ExactThresholdClassifierCV(MODEL, cv=GroupKFold(4)).fit(X, Y, groups=groups)
    splits = list(GroupKFold(4).split(X, Y, groups))
    assert (
        found.best_threshold_
        == ExactThresholdClassifierCV(MODEL, cv=splits).fit(X, Y).best_threshold_
    )


def test_with_routing(fits):
    weight, groups = np.linspace(0.5, 2, len(Y)), np.arange(len(Y)) // 10
    with sklearn.config_context(enable_metadata_routing=True):
        for wants in (True, False):
            model = Counting().set_fit_request(sample_weight=wants)
            found = ExactThresholdClassifierCV(model, cv=GroupKFold(4))
            found.fit(X, Y, sample_weight=weight, groups=groups)
            assert (fits[-1][1] is not None) is wants
        # Not passed to the model, and counted all the same.
        pooled = cross_val_predict(
            MODEL, X, Y, cv=GroupKFold(4), params={"groups": groups}, method="predict_proba"
        )[:, 1]
        score = sk.balanced_accuracy_score(Y, pooled >= found.best_threshold_, sample_weight=weight)
        assert found.best_score_ == pytest.approx(score, abs=1e-12)
        found.set_score_request(sample_weight=True)
        search = GridSearchCV(found, {"scoring": ["f1", "youden"]}, cv=GroupKFold(3))
        search.fit(X, Y, sample_weight=weight, groups=groups)
        undecided = ExactThresholdClassifierCV(Counting(), cv=2)
        with pytest.raises(ValueError, match="sample_weight"):
            undecided.fit(X, Y, sample_weight=weight)
        with pytest.raises(TypeError, match="unexpected"):
            undecided.fit(X, Y, colour=weight)


# ---------------------------------------------------------------------------------------------
# how far the threshold would move


def test_threshold_interval():
    rng = np.random.default_rng(0)
    y = np.arange(400) % 2
    scores = rng.normal(y, 0.7)[:, None]
    found = ExactThresholdClassifierCV(
        LogisticRegression(), cv=2, random_state=0, scoring="accuracy"
    ).fit(scores, y)
    low, high = found.threshold_interval(n_resamples=200)
    assert low < found.best_threshold_ < high
    assert (low, high) == found.threshold_interval(n_resamples=200)
    assert low < 0.5 < high  # Bayes' threshold of two normal classes of one spread
    narrow = found.threshold_interval(0.5, n_resamples=200)
    assert low <= narrow[0] <= narrow[1] <= high
    assert narrow != (low, high)
    again = pickle.loads(pickle.dumps(found))
    assert again.threshold_interval(n_resamples=200) == (low, high)


def test_threshold_interval_narrows_with_rows_and_sees_weights():
    rng = np.random.default_rng(1)

    def width(n_rows, weight=None):
        y = np.arange(n_rows) % 2
        found = prefit(
            rng.normal(y, 0.7),
            y,
            sample_weight=None if weight is None else np.full(n_rows, weight),
            estimator=Decision(),
            random_state=0,
        )
        low, high = found.threshold_interval(n_resamples=200)
        return high - low

    assert width(4000) < width(100) / 2
    scores, y = np.array([0.1, 0.3, 0.4, 0.8] * 5), np.array([0, 1, 0, 1] * 5)
    heavy = np.array([1.0, 9, 1, 1] * 5)
    same = {"scoring": "accuracy", "random_state": 0}
    low, high = prefit(scores, y, sample_weight=heavy, **same).threshold_interval(n_resamples=99)
    assert (low, high) == (0.2, 0.2)
    low, high = prefit(scores, y, sample_weight=7 * heavy, **same).threshold_interval(0.9, 99)
    assert (low, high) == (0.2, 0.2)


def test_threshold_interval_by_brute_force():
    """The same draws, each searched by a classifier of its own."""
    rng = np.random.default_rng(2)
    y, scores = np.arange(30) % 2, np.round(rng.random(30), 1)
    weight = rng.choice([0.5, 1.0, 2.0], 30)
    found = prefit(scores, y, sample_weight=weight, scoring="f1", random_state=5)
    order, draws = np.argsort(scores), np.random.RandomState(5)
    thresholds = []
    for _ in range(49):
        rows = order[draws.randint(30, size=30)]
        one = prefit(scores[rows], y[rows], sample_weight=weight[rows], scoring="f1")
        thresholds.append(one.best_threshold_)
    expected = (
        np.quantile(thresholds, 0.1, method="lower"),
        np.quantile(thresholds, 0.9, method="higher"),
    )
    assert found.threshold_interval(0.8, 49) == pytest.approx(expected, abs=1e-12)


def test_threshold_interval_of_ends_and_of_draws_without_a_threshold():
    never = prefit([0.2, 0.4, 0.6] * 5, [1, 1, 0] * 5, scoring="specificity", random_state=0)
    assert never.threshold_interval(n_resamples=50)[1] == np.inf
    few = prefit([0.2, 0.4, 0.9], [0, 0, 1], random_state=0)
    with pytest.warns(UserWarning, match=r"of n_resamples=200 draws of the rows have no threshold"):
        few.threshold_interval(n_resamples=200)
    with pytest.raises(ValueError, match="n_resamples must be a whole number, 1 or more; got 0"):
        few.threshold_interval(n_resamples=0)
    with pytest.raises(ValueError, match="confidence_level"):
        few.threshold_interval(1.5)
    with pytest.raises(NotFittedError):
        ExactThresholdClassifierCV(MODEL).threshold_interval()


# ---------------------------------------------------------------------------------------------
# where it stands


def test_cloned_and_pickled():
    found = ExactThresholdClassifierCV(
        MODEL, scoring="precision", constraint=("recall", ">=", 0.5)
    ).fit(X, Y)
    again = pickle.loads(pickle.dumps(found))
    np.testing.assert_array_equal(again.predict(X), found.predict(X))
    fresh = clone(found)
    assert not hasattr(fresh, "best_threshold_")
    assert fresh.fit(X, Y).best_threshold_ == found.best_threshold_
    # What it keeps for the interval: a float and a bool a row.
    big = prefit(np.linspace(0, 1, 10_000), np.arange(10_000) % 2)
    assert len(pickle.dumps(big)) < 10_000 * 9 + 5_000


def test_parameters_changed_after_fit_change_no_answer():
    found = ExactThresholdClassifierCV(MODEL, cv=2, random_state=0).fit(X, Y)
    answers, interval = found.predict(X), found.threshold_interval(n_resamples=20)
    found.set_params(scoring="f1", pos_label=0, response_method="decision_function")
    np.testing.assert_array_equal(found.predict(X), answers)
    assert found.threshold_interval(n_resamples=20) == interval


def test_in_a_pipeline_and_a_grid_search():
    pipeline = make_pipeline(
        StandardScaler(), ExactThresholdClassifierCV(LogisticRegression(), scoring="f1", cv=3)
    )
    grid = {"exactthresholdclassifiercv__estimator__C": [0.1, 1.0]}
    search = GridSearchCV(pipeline, grid, scoring="f1", cv=3).fit(X, Y)
    inside = search.best_estimator_[-1]
    scaled = search.best_estimator_[:-1].transform(X)
    above = inside.estimator_.predict_proba(scaled)[:, 1] >= inside.best_threshold_
    np.testing.assert_array_equal(search.predict(X), above.astype(int))


def test_in_stacking():
    exact = ExactThresholdClassifierCV(MODEL, scoring="f1", cv=3)
    stack = StackingClassifier(
        [("exact", exact), ("forest", RandomForestClassifier(5, random_state=0))],
        final_estimator=clone(exact),
        cv=3,
    ).fit(X, Y)
    last = stack.final_estimator_
    above = last.predict_proba(stack.transform(X))[:, 1] >= last.best_threshold_
    np.testing.assert_array_equal(stack.predict(X), above.astype(int))


def test_one_vs_rest_ignores_the_thresholds_inside():
    """As the docstring says; the alternative reads each class's answer by itself."""
    X3, y3 = make_classification(
        n_samples=150, n_classes=3, n_informative=4, n_redundant=0, n_features=4, random_state=0
    )
    exact = ExactThresholdClassifierCV(MODEL, scoring="f1", cv=3)
    rest = OneVsRestClassifier(exact).fit(X3, y3)
    shares = np.stack([e.predict_proba(X3)[:, 1] for e in rest.estimators_], axis=1)
    np.testing.assert_array_equal(rest.predict(X3), shares.argmax(axis=1))
    for label in range(3):
        by_itself = clone(exact).fit(X3, y3 == label)
        assert by_itself.best_threshold_ == rest.estimators_[label].best_threshold_
        above = by_itself.predict_proba(X3)[:, 1] >= by_itself.best_threshold_
        np.testing.assert_array_equal(by_itself.predict(X3), above)


def test_around_calibration():
    calibrated = CalibratedClassifierCV(LinearSVC(), cv=3)
    found = ExactThresholdClassifierCV(calibrated, cv=3).fit(X, Y)
    assert 0 < found.best_threshold_ < 1


def test_scorers_use_its_own_threshold():
    found = ExactThresholdClassifierCV(MODEL, scoring="recall", cv=3).fit(X, Y)
    assert found.best_threshold_ == -np.inf or found.predict(X)[Y == 1].mean() > 0.9
    assert get_scorer("recall")(found, X, Y) == sk.recall_score(Y, found.predict(X))
    assert found.score(X, Y) == sk.accuracy_score(Y, found.predict(X))
    np.testing.assert_array_equal(found.predict_log_proba(X), found.estimator_.predict_log_proba(X))


def test_log_probabilities_of_a_classifier_without_them():
    found = prefit([0.0, 0.5, 1.0], [0, 0, 1])
    np.testing.assert_array_equal(found.predict_log_proba([[0.0]]), [[0.0, -np.inf]])
