"""Ordered classes by binary questions: probabilities, orders, and its place in scikit-learn."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from imblearn.over_sampling import RandomOverSampler
from joblib import parallel_backend
from scipy.sparse import csr_array
from scipy.special import expit
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import HistGradientBoostingClassifier, StackingClassifier
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.isotonic import isotonic_regression
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer, log_loss, roc_auc_score
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.datasets import load_anes96
from skmetrics_ext.decision import (
    CostThresholdClassifier,
    DoubleCountingWarning,
    PriorCorrectedClassifier,
)
from skmetrics_ext.imbalance import ResampledClassifier
from skmetrics_ext.metrics import get_metric_scorer
from skmetrics_ext.ordinal import OrdinalDecompositionClassifier, encode_order
from skmetrics_ext.ordinal._decomposition import _rising

ORDER = ["never", "rarely", "often", "always"]


class Recalls(ClassifierMixin, BaseEstimator):
    """Answers even odds, and keeps what fit was given."""

    def fit(self, X, y, sample_weight=None, **extra):
        self.classes_, self.y_, self.weight_, self.extra_ = np.unique(y), y, sample_weight, extra
        return self

    def predict_proba(self, X):
        return np.full((len(X), 2), 0.5)


class NoWeights(Recalls):
    def fit(self, X, y):
        return super().fit(X, y)


class BinaryOnly(Recalls):
    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


class Answers(Recalls):
    """Of one row for each class: "above class k?" is answered with column k of X."""

    def fit(self, X, y):
        self.classes_, self.column_ = np.unique(y), int(np.sum(y == 0)) - 1
        return self

    def predict_proba(self, X):
        above = np.asarray(X)[:, self.column_]
        return np.column_stack([1 - above, above])


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(240, 3))
    latent = X @ [1.0, 0.5, 0.0] + rng.logistic(0, 0.5, 240)
    return X, np.digitize(latent, [-1.0, 0.0, 1.0])


def by_hand(model, X, y, weight=None):
    """Frank and Hall's probabilities, one question after the other, each row by PAVA."""
    cuts = np.unique(y)[:-1]
    below = [
        clone(model).fit(X, y > cut, sample_weight=weight).predict_proba(X)[:, 0] for cut in cuts
    ]
    at_most = np.array([isotonic_regression(row) for row in np.column_stack(below)])
    return np.diff(np.clip(at_most, 0, 1), axis=1, prepend=0, append=1)


# ---------------------------------------------------------------------------------------------
# what it answers


@pytest.mark.parametrize(
    "model",
    [LogisticRegression(), GaussianNB(), DecisionTreeClassifier(max_depth=4, random_state=0)],
    ids=lambda m: type(m).__name__,
)
@pytest.mark.parametrize("weighted", [False, True])
def test_frank_and_hall(model, weighted, data):
    X, y = data
    weight = np.random.default_rng(1).gamma(1, 1, len(y)) if weighted else None
    fitted = OrdinalDecompositionClassifier(model).fit(X, y, sample_weight=weight)
    expected = by_hand(model, X, y, weight)
    proba = fitted.predict_proba(X)
    np.testing.assert_allclose(proba, expected, atol=1e-12)
    np.testing.assert_allclose(proba.sum(axis=1), 1, atol=1e-14)
    assert proba.min() >= 0
    np.testing.assert_array_equal(fitted.predict(X), proba.argmax(axis=1))
    with np.errstate(divide="ignore"):
        np.testing.assert_array_equal(fitted.predict_log_proba(X), np.log(proba))
    cumulative = fitted.predict_cumulative_proba(X)
    np.testing.assert_allclose(cumulative, proba.cumsum(axis=1), atol=1e-14)
    assert (np.diff(cumulative, axis=1) >= 0).all()
    assert (cumulative[:, -1] == 1).all()


def test_answers_that_contradict_each_other_are_put_in_order():
    # "Above 0?" 0.3, "above 1?" 0.6, "above 2?" 0.2: the first two meet at 0.45.
    X = np.array([[0.3, 0.6, 0.2], [0.9, 0.5, 0.1], [0.2, 0.4, 0.9], [0.0, 1.0, 1.0]])
    model = OrdinalDecompositionClassifier(Answers()).fit(X, [0, 1, 2, 3])
    expected = [
        [0.55, 0.0, 0.25, 0.2],
        [0.1, 0.4, 0.4, 0.1],
        [0.5, 0.0, 0.0, 0.5],
        [1 / 3, 0.0, 0.0, 2 / 3],
    ]
    np.testing.assert_allclose(model.predict_proba(X), expected, atol=1e-15)


@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.booleans())
def test_rows_in_order_are_isotonic_regression(seed, columns, rounded):
    values = np.random.default_rng(seed).random((20, columns))
    values = values.round(1) if rounded else values
    before = values.copy()
    rising = _rising(values)
    expected = np.array([isotonic_regression(row) for row in values])
    np.testing.assert_allclose(rising, expected, atol=1e-13)
    assert (np.diff(rising, axis=1) >= 0).all()
    in_order = (np.diff(values, axis=1) >= 0).all(axis=1)
    np.testing.assert_array_equal(rising[in_order], values[in_order])
    np.testing.assert_array_equal(values, before)


def test_two_classes_are_the_classifier_itself(data):
    X, y = data
    model = LogisticRegression().fit(X, y > 1)
    fitted = OrdinalDecompositionClassifier(LogisticRegression()).fit(X, y > 1)
    np.testing.assert_allclose(fitted.predict_proba(X), model.predict_proba(X), atol=1e-15)
    np.testing.assert_array_equal(fitted.predict(X), model.predict(X))
    assert len(fitted.estimators_) == 1


def test_twenty_classes(rng):
    y = np.repeat(np.arange(20), 15)
    X = rng.normal(y, 2.0)[:, None]
    model = OrdinalDecompositionClassifier(LogisticRegression()).fit(X, y)
    assert len(model.estimators_) == 19
    assert get_metric_scorer("weighted_kappa")(model, X, y) > 0.85


def test_a_proportional_odds_truth_is_found():
    """Each question's logit is linear: the questions learn the model that made the data."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30_000, 2))
    latent = X @ [1.0, -0.5]
    y = np.digitize(latent + rng.logistic(size=len(X)), [-1.0, 1.0])
    model = OrdinalDecompositionClassifier(LogisticRegression(C=np.inf)).fit(X, y)
    truth = expit(np.array([-1.0, 1.0]) - latent[:, None])
    error = model.predict_cumulative_proba(X)[:, :2] - truth
    assert np.abs(error).max() < 0.05
    assert np.sqrt(np.mean(error**2)) < 0.01


def test_integer_weights_are_repeated_rows(data, rng):
    X, y = data
    weight = rng.integers(0, 4, len(y))
    model = OrdinalDecompositionClassifier(LogisticRegression(tol=1e-8))
    weighted = clone(model).fit(X, y, sample_weight=weight).predict_proba(X)
    repeated = clone(model).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight)).predict_proba(X)
    np.testing.assert_allclose(weighted, repeated, atol=1e-5)


# ---------------------------------------------------------------------------------------------
# labels and their order


@pytest.mark.parametrize(
    "labels",
    [[0, 1, 3, 4], [3, 5, 7, 9], [-1.0, 0.0, 2.0, 8.0]],
    ids=str,
)
def test_numbers(labels, data):
    X, codes = data
    y = np.array(labels)[codes]
    model = OrdinalDecompositionClassifier(LogisticRegression()).fit(X, y)
    assert model.classes_.tolist() == model.class_order_.tolist() == labels
    assert model.classes_.dtype == y.dtype
    by_codes = OrdinalDecompositionClassifier(LogisticRegression()).fit(X, codes)
    np.testing.assert_array_equal(model.predict_proba(X), by_codes.predict_proba(X))
    np.testing.assert_array_equal(model.predict(X), np.array(labels)[by_codes.predict(X)])


def test_words_in_a_declared_order(data):
    X, codes = data
    y = np.array(ORDER)[codes]
    model = OrdinalDecompositionClassifier(LogisticRegression(), class_order=ORDER).fit(X, y)
    by_codes = OrdinalDecompositionClassifier(LogisticRegression()).fit(X, codes)
    assert model.classes_.tolist() == sorted(ORDER) == ["always", "never", "often", "rarely"]
    assert model.class_order_.tolist() == ORDER
    expected = by_codes.predict_proba(X)[:, [3, 0, 2, 1]]
    np.testing.assert_array_equal(model.predict_proba(X), expected)
    np.testing.assert_array_equal(model.predict(X), np.array(ORDER)[by_codes.predict(X)])
    cumulative = by_codes.predict_cumulative_proba(X)
    np.testing.assert_array_equal(model.predict_cumulative_proba(X), cumulative)
    # The other way round, everything is mirrored.
    back = OrdinalDecompositionClassifier(LogisticRegression(), class_order=ORDER[::-1]).fit(X, y)
    np.testing.assert_allclose(back.predict_proba(X), model.predict_proba(X), atol=1e-5)
    # scikit-learn's scorers read the columns by classes_.
    assert get_scorer("neg_log_loss")(model, X, y) == pytest.approx(
        -log_loss(codes, by_codes.predict_proba(X))
    )
    assert get_scorer("roc_auc_ovr")(model, X, y) == pytest.approx(
        roc_auc_score(codes, by_codes.predict_proba(X), multi_class="ovr")
    )


@pytest.mark.parametrize(
    "make",
    [
        lambda y: pd.Series(pd.Categorical(y, categories=ORDER, ordered=True)),
        lambda y: pd.Categorical(y, categories=ORDER, ordered=True),
        lambda y: pl.Series(y, dtype=pl.Enum(ORDER)),
    ],
    ids=["pandas", "Categorical", "polars"],
)
def test_an_ordered_dtype_brings_its_order(make, data):
    X, codes = data
    y = np.array(ORDER)[codes]
    model = OrdinalDecompositionClassifier(LogisticRegression()).fit(X, make(y))
    named = OrdinalDecompositionClassifier(LogisticRegression(), class_order=ORDER).fit(X, y)
    assert model.class_order_.tolist() == ORDER
    np.testing.assert_array_equal(model.predict_proba(X), named.predict_proba(X))
    np.testing.assert_array_equal(model.predict(X), named.predict(X))


def test_words_without_an_order_warn_where_fit_is_called(data):
    X, codes = data
    with pytest.warns(UserWarning, match="alphabetical order. Pass class_order") as caught:
        OrdinalDecompositionClassifier(LogisticRegression()).fit(X, np.array(ORDER)[codes])
    assert caught[0].filename == __file__


def test_declared_classes_that_are_unseen_have_probability_0(data):
    X, codes = data
    order = ["not once", *ORDER[:2], "sometimes", *ORDER[2:], "at all times"]
    y = np.array(ORDER)[codes]
    model = OrdinalDecompositionClassifier(LogisticRegression(), class_order=order).fit(X, y)
    seen = OrdinalDecompositionClassifier(LogisticRegression(), class_order=ORDER).fit(X, y)
    assert len(model.estimators_) == 3
    assert model.class_order_.tolist() == order
    np.testing.assert_array_equal(model.predict_proba(X), seen.predict_proba(X))
    cumulative = model.predict_cumulative_proba(X)
    assert cumulative.shape == (len(X), 7)
    of_class = np.diff(cumulative, axis=1, prepend=0)
    assert (of_class[:, [0, 3, 6]] == 0).all()
    np.testing.assert_allclose(
        of_class[:, [1, 2, 4, 5]], np.diff(seen.predict_cumulative_proba(X), axis=1, prepend=0)
    )


def test_inside_what_passes_codes_on(data):
    X, codes = data
    y = np.array(ORDER)[codes]
    inside = OrdinalDecompositionClassifier(LogisticRegression(), class_order=ORDER)
    with pytest.raises(ValueError, match="They look like codes: stacking"):
        StackingClassifier([("ours", inside)], cv=2).fit(X, y)
    told = StackingClassifier([("ours", clone(inside).set_params(class_order=None))], cv=2)
    told.fit(X, encode_order(y, ORDER))
    assert told.estimators_[0].class_order_.tolist() == [0, 1, 2, 3]


# ---------------------------------------------------------------------------------------------
# decisions from one fit


def test_the_median_class_is_the_least_off_on_average(data):
    X, codes = data
    y = np.array(ORDER)[codes]
    model = OrdinalDecompositionClassifier(LogisticRegression(), class_order=ORDER).fit(X, y)
    median = (model.predict_cumulative_proba(X) >= 0.5).argmax(axis=1)
    mean = model.predict_cumulative_proba(X)[:, :-1]
    nearest = np.rint(3 - mean.sum(axis=1)).astype(int)
    for power, expected in ((1, median), (2, nearest)):
        decided = CostThresholdClassifier(model, cost_matrix=CostMatrix.ordinal(ORDER, power=power))
        assert decided.fit(X, y).predict(X).tolist() == np.array(ORDER)[expected].tolist()
    assert (np.array(ORDER)[median] != model.predict(X)).any()


def test_costs_by_inside_class_weights_are_seen(data):
    X, y = data
    cost = CostMatrix.ordinal([0, 1, 2, 3])
    leaning = OrdinalDecompositionClassifier(LogisticRegression(class_weight="balanced"))
    with pytest.warns(DoubleCountingWarning, match="class_weight='balanced'"):
        CostThresholdClassifier(leaning, cost_matrix=cost).fit(X, y)
    corrected = OrdinalDecompositionClassifier(
        ResampledClassifier(LogisticRegression(), sampler=RandomOverSampler(random_state=0))
    )
    CostThresholdClassifier(corrected, cost_matrix=cost).fit(X, y)  # a warning would be an error


def test_other_shares_of_the_classes(data):
    X, y = data
    inner = OrdinalDecompositionClassifier(LogisticRegression())
    moved = PriorCorrectedClassifier(inner, target_priors=[0.7, 0.1, 0.1, 0.1]).fit(X, y)
    plain = moved.estimator_.predict_proba(X)
    odds = plain * [0.7, 0.1, 0.1, 0.1] / (np.bincount(y) / len(y))
    expected = odds / odds.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(moved.predict_proba(X), expected, rtol=1e-10)


# ---------------------------------------------------------------------------------------------
# among the rest of scikit-learn


def test_questions_get_numbers_and_all_metadata(data):
    X, y = data
    weight = np.arange(1.0, len(y) + 1)
    model = OrdinalDecompositionClassifier(Recalls())
    model.fit(X, y, sample_weight=weight, note="kept")
    for cut, each in enumerate(model.estimators_):
        np.testing.assert_array_equal(each.y_, (y > cut).astype(int))
        assert each.weight_ is weight
        assert each.extra_ == {"note": "kept"}
    assert not hasattr(model, "n_features_in_")
    assert not hasattr(model, "decision_function")


def test_weights_reach_every_step_of_a_pipeline(data):
    X, y = data
    weight = np.where(y == 3, 5.0, 1.0)
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    weighted = OrdinalDecompositionClassifier(pipeline).fit(X, y, sample_weight=weight)
    mean = np.average(X, axis=0, weights=weight)
    np.testing.assert_allclose(weighted.estimators_[0][0].mean_, mean)
    assert weighted.n_features_in_ == 3
    with pytest.raises(TypeError, match="sample_weight"):
        OrdinalDecompositionClassifier(NoWeights()).fit(X, y, sample_weight=weight)


def test_routing_decides_about_weights(data):
    X, y = data
    weight = np.arange(1.0, len(y) + 1)
    with config_context(enable_metadata_routing=True):
        wants = Recalls().set_fit_request(sample_weight=True)
        model = OrdinalDecompositionClassifier(wants).fit(X, y, sample_weight=weight)
        assert model.estimators_[2].weight_ is weight
        renamed = Recalls().set_fit_request(sample_weight="mass")
        model = OrdinalDecompositionClassifier(renamed).fit(X, y, mass=weight)
        assert model.estimators_[0].weight_ is weight
        with pytest.raises(ValueError, match="sample_weight"):
            OrdinalDecompositionClassifier(Recalls()).fit(X, y, sample_weight=weight)
        step = LogisticRegression().set_fit_request(sample_weight=True)
        search = GridSearchCV(
            OrdinalDecompositionClassifier(make_pipeline(step)).set_score_request(
                sample_weight=False
            ),
            {"estimator__logisticregression__C": [0.01, 1.0]},
            cv=2,
        ).fit(X, y, sample_weight=weight)
    plain = OrdinalDecompositionClassifier(search.best_estimator_.estimator)
    expected = plain.fit(X, y, sample_weight=weight).predict_proba(X)
    np.testing.assert_allclose(search.predict_proba(X), expected, rtol=1e-10)


def test_in_parallel_it_is_the_same(data):
    X, y = data
    one = OrdinalDecompositionClassifier(LogisticRegression()).fit(X, y)
    several = OrdinalDecompositionClassifier(LogisticRegression(), n_jobs=2)
    with parallel_backend("threading"):  # processes take seconds to start
        several.fit(X, y)
    np.testing.assert_array_equal(several.predict_proba(X), one.predict_proba(X))
    with pytest.raises(ValueError, match="n_jobs == 0"):
        several.set_params(n_jobs=0).fit(X, y)


@pytest.mark.parametrize(
    "make",
    [
        lambda X: pd.DataFrame(X, columns=["a", "b", "c"]),
        lambda X: pl.DataFrame(X, schema=["a", "b", "c"]),
        csr_array,
        lambda X: X.tolist(),
    ],
    ids=["pandas", "polars", "sparse", "list"],
)
def test_any_X(make, data):
    X, y = data
    model = OrdinalDecompositionClassifier(LogisticRegression()).fit(make(X), y)
    expected = OrdinalDecompositionClassifier(LogisticRegression()).fit(X, y).predict_proba(X)
    np.testing.assert_allclose(model.predict_proba(make(X)), expected, atol=1e-5)
    if hasattr(make(X), "columns"):
        assert model.feature_names_in_.tolist() == ["a", "b", "c"]


def test_missing_values_pass_through(data):
    X, y = data
    X = np.where(X > 1.5, np.nan, X)
    model = OrdinalDecompositionClassifier(HistGradientBoostingClassifier(max_iter=5)).fit(X, y)
    assert model.score(X, y) > 0.5
    assert get_tags(model).input_tags.allow_nan
    assert not get_tags(OrdinalDecompositionClassifier(LogisticRegression())).input_tags.allow_nan


def test_a_classifier_of_two_classes_only_gets_several():
    assert get_tags(OrdinalDecompositionClassifier(BinaryOnly())).classifier_tags.multi_class
    assert not get_tags(BinaryOnly()).classifier_tags.multi_class


def test_clones_pickles_and_searches(data):
    X, y = data
    model = OrdinalDecompositionClassifier(LogisticRegression(), class_order=[0, 1, 2, 3])
    fitted = clone(model).fit(X, y)
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.predict_proba(X), fitted.predict_proba(X))
    scorer = get_metric_scorer("weighted_kappa")
    assert cross_val_score(model, X, y, scoring=scorer, cv=3).min() > 0.5
    assert "estimator__C" in model.get_params()
    assert "class_order=[0, 1, 2, 3]" in repr(model)


def test_on_real_data_it_does_not_lose_to_a_model_without_order():
    X, y = load_anes96(return_X_y=True)
    scaled = make_pipeline(StandardScaler(), LogisticRegression())
    scorer = get_metric_scorer("weighted_kappa")
    ours, plain = [
        cross_val_score(model, X, y, scoring=scorer, cv=5).mean()
        for model in (OrdinalDecompositionClassifier(scaled), scaled)
    ]
    assert ours > plain - 0.01


def test_not_fitted(data):
    X = data[0]
    model = OrdinalDecompositionClassifier(LogisticRegression())
    for name in ("predict", "predict_proba", "predict_log_proba", "predict_cumulative_proba"):
        with pytest.raises(NotFittedError):
            getattr(model, name)(X)
    assert not hasattr(OrdinalDecompositionClassifier(LinearSVC()), "predict_proba")
    assert not hasattr(model, "n_features_in_")


# ---------------------------------------------------------------------------------------------
# bad input


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"estimator": LinearSVC()}, "estimator must have predict_proba, since its answers become"),
        ({"estimator": SVC()}, "estimator must have predict_proba"),
        (
            {"estimator": FrozenEstimator(LogisticRegression())},
            r"estimator must not be frozen.*FrozenEstimator",
        ),
        (
            {"estimator": make_pipeline(StandardScaler(), FrozenEstimator(GaussianNB()))},
            "estimator must not be frozen",
        ),
        ({"y": None}, "requires y to be passed, but the target y is None"),
        ({"y": [1] * 6}, r"at least two classes; got one class only: \[1\]"),
        ({"y": [0, 1, 2, 0, 1, np.nan]}, "1 missing value"),
        ({"y": [0.1, 0.2, 0.3, 0.1, 0.5, 0.6]}, "continuous"),
        ({"y": [0, 1, 2]}, "inconsistent numbers of samples"),
        ({"class_order": [0, 1]}, r"does not name: \[2\]"),
        ({"class_order": [0, 1, 2, 1]}, "class_order must name each class once"),
    ],
)
def test_bad_input(changed, message):
    given = {"estimator": LogisticRegression(), "y": [0, 1, 2, 0, 1, 2], "class_order": None}
    given |= changed
    model = OrdinalDecompositionClassifier(given["estimator"], class_order=given["class_order"])
    with pytest.raises(ValueError, match=message):
        model.fit(np.arange(12.0).reshape(6, 2), given["y"])
    assert not hasattr(model, "classes_")


def test_a_column_vector_warns(data):
    X, y = data
    with pytest.warns(DataConversionWarning, match="column-vector y"):
        model = OrdinalDecompositionClassifier(GaussianNB()).fit(X, y[:, None])
    expected = OrdinalDecompositionClassifier(GaussianNB()).fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(model.predict_proba(X), expected)
