"""Probabilities for a population with another class mix."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, logit, softmax
from scipy.stats import norm
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris, make_classification
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks
from threadpoolctl import threadpool_limits

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.decision import CostThresholdClassifier, PriorCorrectedClassifier

PRIORS = {0: 0.99, 1: 0.01}


class Fixed(ClassifierMixin, BaseEstimator):
    """Answers with the rows of X as probabilities, and remembers what fit was given."""

    def fit(self, X, y, sample_weight=None, **extra):
        self.classes_, self.weight_, self.extra_ = np.unique(y), sample_weight, extra
        return self

    def predict_proba(self, X):
        return np.asarray(X, dtype=float)


class Distorting(Fixed):
    """Says that it gives probabilities of resampled classes."""

    _distorts_priors = True


@pytest.fixture(scope="module")
def data():
    return make_classification(
        n_samples=300, n_features=5, weights=[0.7], flip_y=0.2, random_state=0
    )


# -- what it answers ---------------------------------------------------------------------------


def test_elkans_theorem_2():
    # p' = b' (p - p b) / (b - p b + b' p - b b'), at p = 0.3, b = 0.1, b' = 0.5.
    y = [1] + [0] * 9
    classifier = PriorCorrectedClassifier(Fixed(), target_priors=[0.5, 0.5])
    classifier.fit(np.zeros((10, 2)), y)
    assert classifier.training_priors_.tolist() == [0.9, 0.1]
    p = classifier.predict_proba([[0.7, 0.3]])
    assert p[0, 1] == pytest.approx(0.5 * 0.27 / (0.1 - 0.03 + 0.15 - 0.05), abs=1e-15)
    assert p[0, 1].round(4) == 0.7941
    assert classifier.predict([[0.7, 0.3], [0.95, 0.05]]).tolist() == [1, 0]


@given(p=st.floats(0.001, 0.999), base=st.floats(0.01, 0.99), target=st.floats(0.01, 0.99))
def test_elkans_theorem_2_everywhere(p, base, target):
    classifier = PriorCorrectedClassifier(
        Fixed(), target_priors=[1 - target, target], training_priors=[1 - base, base]
    ).fit(np.zeros((2, 2)), [0, 1])
    expected = target * (p - p * base) / (base - p * base + target * p - base * target)
    assert classifier.predict_proba([[1 - p, p]])[0, 1] == pytest.approx(expected, rel=1e-9)


def test_a_linear_model_is_shifted_by_the_difference_of_logits(data):
    X, y = data
    model = LogisticRegression().fit(X, y)
    classifier = PriorCorrectedClassifier(LogisticRegression(), target_priors=PRIORS).fit(X, y)
    shift = logit(0.01) - logit(y.mean())
    expected = expit(model.decision_function(X) + shift)
    np.testing.assert_allclose(classifier.predict_proba(X)[:, 1], expected, rtol=1e-12)
    np.testing.assert_array_equal(classifier.predict(X) == 1, expected > 0.5)
    np.testing.assert_allclose(classifier.predict_log_proba(X)[:, 1], np.log(expected), rtol=1e-12)


def gaussian_posterior(x, means, priors):
    density = norm.pdf(x[:, None], means) * priors
    return density / density.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("means", [[0.0, 2.0], [-1.0, 0.5, 2.5]])
def test_it_is_the_posterior_of_the_other_population(means):
    """Gaussians of one variance: the posterior is logistic, so the true model can be set."""
    means = np.array(means)
    K = len(means)
    seen, target = np.arange(1.0, K + 1), np.arange(K, 0.0, -1) ** 2
    seen, target = seen / seen.sum(), target / target.sum()
    rng = np.random.default_rng(0)
    y = rng.choice(K, 4000, p=seen)
    X = rng.normal(means[y])[:, None]
    fitted = LogisticRegression(C=np.inf).fit(X, y)
    x = np.linspace(-4, 5, 50)
    learnt = PriorCorrectedClassifier(LogisticRegression(C=np.inf), target_priors=target).fit(X, y)
    closed_form = gaussian_posterior(x, means, target)
    # Learnt from 4000 rows it is near, and far from what was not corrected.
    assert np.abs(learnt.predict_proba(x[:, None]) - closed_form).max() < 0.04
    assert np.abs(fitted.predict_proba(x[:, None]) - closed_form).max() > 0.3
    # The true model in the place of the learnt one: exact.
    coef, intercept = means[:, None], np.log(seen) - means**2 / 2
    if K == 2:
        coef, intercept = coef[1:] - coef[0], intercept[1:] - intercept[0]
    fitted.coef_, fitted.intercept_ = coef, intercept
    true = PriorCorrectedClassifier(
        FrozenEstimator(fitted), target_priors=target, training_priors=seen
    ).fit(X, y)
    np.testing.assert_allclose(true.predict_proba(x[:, None]), closed_form, rtol=1e-12)


def test_three_classes_as_words_named_or_in_sorted_order():
    X, codes = load_iris(return_X_y=True)
    y = np.array(["virginica", "setosa", "versicolor"])[codes]
    named = {"versicolor": 0.5, "virginica": 0.1, "setosa": 0.4}
    model = LogisticRegression(max_iter=1000)
    classifier = PriorCorrectedClassifier(model, target_priors=named).fit(X, y)
    assert classifier.classes_.tolist() == ["setosa", "versicolor", "virginica"]
    assert classifier.target_priors_.tolist() == [0.4, 0.5, 0.1]
    assert classifier.training_priors_.tolist() == pytest.approx([1 / 3] * 3)
    q = model.fit(X, y).predict_proba(X)
    # With equal shares in training the log-odds move by the target's.
    expected = softmax(np.log(q) + np.log([0.4, 0.5, 0.1]), axis=1)
    np.testing.assert_allclose(classifier.predict_proba(X), expected, rtol=1e-10)
    assert set(classifier.predict(X)) == set(named)
    for same in ([0.4, 0.5, 0.1], pd.Series(named).sort_values()):
        other = PriorCorrectedClassifier(model, target_priors=same).fit(X, y)
        np.testing.assert_array_equal(other.predict_proba(X), classifier.predict_proba(X))


def test_value_counts_are_read_by_their_index():
    y = pd.Series(["b"] * 6 + ["a"] * 3 + ["c"])
    shares = y.value_counts(normalize=True)
    assert shares.index.tolist() == ["b", "a", "c"]
    classifier = PriorCorrectedClassifier(Fixed(), target_priors=shares)
    classifier.fit(np.zeros((10, 3)), y)
    assert classifier.target_priors_.tolist() == [0.3, 0.6, 0.1]
    plain = pd.Series([0.2, 0.5, 0.3])  # no index of its own
    classifier.set_params(target_priors=plain).fit(np.zeros((10, 3)), y)
    assert classifier.target_priors_.tolist() == [0.2, 0.5, 0.3]


@pytest.mark.parametrize("labels", [[False, True], [0.0, 1.0], [-1, 1]])
def test_labels_of_any_type(data, labels):
    X, y = data
    y = np.array(labels)[y]
    named = {labels[1]: 0.01, labels[0]: 0.99}
    classifier = PriorCorrectedClassifier(GaussianNB(), target_priors=named).fit(X, y)
    assert classifier.target_priors_.tolist() == [0.99, 0.01]
    assert classifier.predict(X).dtype == classifier.classes_.dtype == y.dtype


def test_none_leaves_probabilities_as_they_are(data):
    X, y = data
    model = GaussianNB().fit(X, y)
    far = X * 1e3
    classifier = PriorCorrectedClassifier(GaussianNB()).fit(X, y)
    assert classifier.target_priors_ is None
    assert classifier.training_priors_.tolist() == pytest.approx([1 - y.mean(), y.mean()])
    np.testing.assert_array_equal(classifier.predict_proba(far), model.predict_proba(far))
    np.testing.assert_array_equal(classifier.predict_log_proba(far), model.predict_log_proba(far))
    np.testing.assert_array_equal(classifier.predict(X), model.predict(X))


def test_correcting_there_and_back_is_nothing(data):
    X, y = data
    there = PriorCorrectedClassifier(LogisticRegression(), target_priors=PRIORS).fit(X, y)
    back = PriorCorrectedClassifier(
        FrozenEstimator(there), target_priors=there.training_priors_, training_priors=PRIORS
    ).fit(X, y)
    expected = there.estimator_.predict_proba(X)
    np.testing.assert_allclose(back.predict_proba(X), expected, rtol=1e-10)


def test_a_class_that_the_population_lacks(data):
    X, y = data
    classifier = PriorCorrectedClassifier(LogisticRegression(), target_priors=[1, 0]).fit(X, y)
    np.testing.assert_array_equal(classifier.predict_proba(X), [[1.0, 0.0]] * len(X))
    assert (classifier.predict_log_proba(X)[:, 1] == -np.inf).all()


# -- where the training shares come from -------------------------------------------------------


def test_integer_weights_are_repeated_rows(data, rng):
    X, y = data
    weight = rng.integers(0, 4, len(y))
    make = PriorCorrectedClassifier(LogisticRegression(), target_priors=PRIORS)
    weighted = clone(make).fit(X, y, sample_weight=weight)
    repeated = clone(make).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    share = weight[y == 1].sum() / weight.sum()
    assert weighted.training_priors_.tolist() == pytest.approx([1 - share, share])
    np.testing.assert_allclose(weighted.training_priors_, repeated.training_priors_, rtol=1e-14)
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), rtol=1e-3)


def test_weights_reach_every_step_and_the_shares(data):
    X, y = data
    weight = np.where(y == 1, 3.0, 1.0)
    pipeline = make_pipeline(StandardScaler(), make_pipeline(StandardScaler(), Fixed()))
    classifier = PriorCorrectedClassifier(pipeline).fit(X, y, sample_weight=weight)
    share = weight[y == 1].sum() / weight.sum()
    assert classifier.training_priors_[1] == pytest.approx(share)
    assert classifier.estimator_[-1][-1].weight_ is weight
    # Weights of another step leave the classifier's shares as they are.
    alone = PriorCorrectedClassifier(make_pipeline(StandardScaler(), Fixed()))
    alone.fit(X, y, standardscaler__sample_weight=weight)
    assert alone.training_priors_[1] == pytest.approx(y.mean())


def test_routing_decides_about_weights(data):
    X, y = data
    weight = np.where(y == 1, 3.0, 1.0)
    share = weight[y == 1].sum() / weight.sum()
    with config_context(enable_metadata_routing=True):
        wants = Fixed().set_fit_request(sample_weight=True)
        classifier = PriorCorrectedClassifier(wants).fit(X, y, sample_weight=weight)
        assert classifier.training_priors_[1] == pytest.approx(share)
        renamed = Fixed().set_fit_request(sample_weight="mass")
        classifier = PriorCorrectedClassifier(renamed).fit(X, y, mass=weight)
        assert classifier.training_priors_[1] == pytest.approx(share)
        assert classifier.estimator_.weight_ is weight
        step = LogisticRegression().set_fit_request(sample_weight=True)
        classifier = PriorCorrectedClassifier(make_pipeline(step)).fit(X, y, sample_weight=weight)
        assert classifier.training_priors_[1] == pytest.approx(share)
        with pytest.raises(ValueError, match="sample_weight"):
            PriorCorrectedClassifier(Fixed()).fit(X, y, sample_weight=weight)
        corrected = PriorCorrectedClassifier(step, target_priors=PRIORS)
        corrected.set_score_request(sample_weight=True)
        grid = GridSearchCV(corrected, {"estimator__C": [0.1, 1]}, cv=2)
        grid.fit(X, y, sample_weight=weight)
        assert grid.best_estimator_.training_priors_[1] == pytest.approx(share)


def test_a_frozen_classifier_must_say_what_it_learnt_from(data):
    X, y = data
    model = LogisticRegression().fit(X, y)
    for frozen in (FrozenEstimator(model), make_pipeline(FrozenEstimator(model))):
        with pytest.raises(
            ValueError, match=r"(?s)training_priors must name .* frozen, resamples or weighs"
        ):
            PriorCorrectedClassifier(frozen, target_priors=PRIORS).fit(X, y)
        classifier = PriorCorrectedClassifier(frozen).fit(X[:1], y[:1])
        assert classifier.training_priors_ is None
        assert classifier.classes_.tolist() == [0, 1]
        np.testing.assert_array_equal(classifier.predict_proba(X), model.predict_proba(X))
    told = PriorCorrectedClassifier(
        FrozenEstimator(model), target_priors=PRIORS, training_priors=[1 - y.mean(), y.mean()]
    ).fit(X[:1], y[:1])
    assert told.estimator_.estimator is model
    learnt = PriorCorrectedClassifier(LogisticRegression(), target_priors=PRIORS).fit(X, y)
    np.testing.assert_allclose(told.predict_proba(X), learnt.predict_proba(X), rtol=1e-14)


def test_calibrated_on_y_a_frozen_classifier_is_for_the_shares_of_y(data):
    X, y = data
    model = FrozenEstimator(LogisticRegression().fit(X[:100], y[:100]))
    calibrated = CalibratedClassifierCV(model, ensemble=False)
    classifier = PriorCorrectedClassifier(calibrated, target_priors=PRIORS).fit(X[100:], y[100:])
    assert classifier.training_priors_[1] == pytest.approx(y[100:].mean())


def test_a_resampler_inside_must_say_what_it_learnt_from(data):
    X, y = np.full((4, 2), 0.5), [0, 0, 0, 1]
    for inside in (Distorting(), make_pipeline(Distorting())):
        with pytest.raises(
            ValueError, match=r"(?s)training_priors must name .* frozen, resamples or weighs"
        ):
            PriorCorrectedClassifier(inside, target_priors=PRIORS).fit(X, y)
        told = PriorCorrectedClassifier(
            inside, target_priors=[0.75, 0.25], training_priors=[0.5, 0.5]
        )
        decided = CostThresholdClassifier(told).fit(X, y)  # a warning would be an error
        assert decided.predict_proba(X).tolist() == [[0.75, 0.25]] * 4
        uncorrected = PriorCorrectedClassifier(inside, training_priors=[0.5, 0.5])
        with pytest.warns(UserWarning, match="resampled classes"):
            CostThresholdClassifier(uncorrected).fit(X, y)


def test_balanced_class_weights_are_equal_shares():
    rng = np.random.default_rng(0)
    y = (rng.random(20_000) < 0.1).astype(int)
    X = rng.normal(1.5 * y)[:, None]
    balanced = PriorCorrectedClassifier(
        LogisticRegression(class_weight="balanced"),
        target_priors=[1 - y.mean(), y.mean()],
        training_priors=[0.5, 0.5],
    ).fit(X, y)
    plain = LogisticRegression().fit(X, y)
    assert balanced.predict_proba(X)[:, 1].mean() == pytest.approx(y.mean(), rel=0.02)
    np.testing.assert_allclose(balanced.predict_proba(X), plain.predict_proba(X), atol=0.05)


# -- among the rest of scikit-learn ------------------------------------------------------------


def test_inside_the_classifier_that_decides(data):
    X, y = data
    cost = CostMatrix.binary(false_negative=99, false_positive=1)
    inner = PriorCorrectedClassifier(LogisticRegression(), target_priors=PRIORS)
    classifier = CostThresholdClassifier(inner, cost_matrix=cost).fit(X, y)
    # 1 % in the target and a threshold of 1 %: the likelihood ratio decides at 1.
    q = LogisticRegression().fit(X, y).predict_proba(X)[:, 1]
    np.testing.assert_array_equal(classifier.predict(X) == 1, q > y.mean())
    uncorrected = CostThresholdClassifier(LogisticRegression(), cost_matrix=cost).fit(X, y)
    assert uncorrected.predict(X).mean() > classifier.predict(X).mean() + 0.2


def test_cloned_pickled_searched(data):
    X, y = data
    classifier = PriorCorrectedClassifier(
        make_pipeline(StandardScaler(), LogisticRegression()), target_priors=PRIORS
    )
    copy = clone(classifier.fit(X, y))
    assert copy.target_priors == PRIORS
    assert not hasattr(copy, "classes_")
    restored = pickle.loads(pickle.dumps(classifier))
    np.testing.assert_array_equal(restored.predict_proba(X), classifier.predict_proba(X))
    grid = GridSearchCV(
        classifier,
        {"target_priors": [None, PRIORS], "estimator__logisticregression__C": [0.1, 1.0]},
        scoring="neg_log_loss",
        cv=3,
        error_score="raise",
    ).fit(X, y)
    assert grid.best_params_["target_priors"] is None
    folds = cross_val_score(classifier, X, y, cv=3, scoring="roc_auc", error_score="raise")
    plain = cross_val_score(classifier.estimator, X, y, cv=3, scoring="roc_auc")
    np.testing.assert_allclose(folds, plain, rtol=1e-12)  # ranks stay


def test_what_is_known_of_the_features(data):
    X, y = data
    frame = pd.DataFrame(X, columns=list("abcde"))
    classifier = PriorCorrectedClassifier(LogisticRegression(), target_priors=PRIORS)
    assert not hasattr(classifier, "n_features_in_")
    classifier.fit(frame, pd.Series(y))
    assert classifier.n_features_in_ == 5
    assert classifier.feature_names_in_.tolist() == list("abcde")
    for method in ("predict", "predict_proba", "predict_log_proba"):
        with pytest.raises(NotFittedError):
            getattr(clone(classifier), method)(X)


def test_metadata_passes_without_routing(data):
    X, y = data
    classifier = PriorCorrectedClassifier(Fixed()).fit(X, y, colour="red")
    assert classifier.estimator_.extra_ == {"colour": "red"}


# -- bad input ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["target_priors", "training_priors"])
@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([0.5, 0.6], r"must sum to 1; \[0.5, 0.6\] sums to 1.1"),
        ([1.5, -0.5], "must hold finite numbers that are not negative"),
        ([np.nan, 0.5], "must hold finite numbers that are not negative"),
        ([0.2, 0.3, 0.5], r"must hold one share per class, 2 in all; got an array of shape \(3,\)"),
        (0.01, r"must hold one share per class, 2 in all; got an array of shape \(\)"),
        ("rare", "must hold a number for each class; got 'rare'"),
        ({0: 0.9, 2: 0.1}, r"names \[2\], which are no classes of \[0, 1\]"),
        ({"0": 0.9, 1: 0.1}, r"names \['0'\], which are no classes of \[0, 1\]"),
        ({1: 0.1}, r"must name every class of \[0, 1\]; \[0\] is missing"),
        (pd.Series([0.4, 0.6], index=[1, 1]), r"must name each class once; its index is \[1, 1\]"),
    ],
)
def test_bad_priors(data, name, value, message):
    other = {"target_priors": PRIORS} if name == "training_priors" else {}
    classifier = PriorCorrectedClassifier(LogisticRegression(), **{name: value}, **other)
    with pytest.raises(ValueError, match=f"{name} {message}"):
        classifier.fit(*data)
    assert not hasattr(classifier, "estimator_")


def test_nothing_was_learnt_of_a_class_without_a_share(data):
    X, y = data
    match = "training_priors must be positive where target_priors is: class 1 has the target 0.01"
    with pytest.raises(ValueError, match=match):
        PriorCorrectedClassifier(
            LogisticRegression(), target_priors=PRIORS, training_priors=[1, 0]
        ).fit(X, y)
    with pytest.raises(ValueError, match=match):
        PriorCorrectedClassifier(Fixed(), target_priors=PRIORS).fit(X, y, sample_weight=1.0 - y)


@pytest.mark.parametrize(
    ("y", "weight", "message"),
    [
        (None, None, "PriorCorrectedClassifier requires y to be passed, but the target y is None"),
        ([0, 0, 0], None, r"at least two classes; got one class only: \[0\]"),
        ([0, 1, None], None, "y has 1 missing value"),
        ([0.1, 0.7, 0.2], None, "continuous"),
        ([0, 1, 1], [1, -1, 1], "sample_weight must not be negative"),
        ([0, 1, 1], [0, 0, 0], "sample_weight must not be zero for every row"),
        ([0, 1, 1], [1, 1], "one weight per row"),
    ],
)
def test_bad_y_and_weights(y, weight, message):
    with pytest.raises(ValueError, match=message):
        PriorCorrectedClassifier(Fixed()).fit(np.zeros((3, 2)), y, sample_weight=weight)


def test_probabilities_are_needed(data):
    with pytest.raises(ValueError, match="estimator must have predict_proba"):
        PriorCorrectedClassifier(LinearSVC()).fit(*data)
    assert not hasattr(PriorCorrectedClassifier(LinearSVC()), "predict_proba")


# -- scikit-learn's checks ---------------------------------------------------------------------

CHECKED = [
    PriorCorrectedClassifier(LogisticRegression()),
    # with_mean=False: scikit-learn 1.6 checks sparse rows whatever the tag says.
    PriorCorrectedClassifier(make_pipeline(StandardScaler(with_mean=False), LogisticRegression())),
]
checks = parametrize_with_checks(CHECKED)


# The same, as a list: scikit-learn 1.6 hands over a generator, which pytest 9.1 deprecates.
@pytest.mark.parametrize(checks.args[0], list(checks.args[1]), **checks.kwargs)
def test_scikit_learns_checks(estimator, check):
    with threadpool_limits(1):
        check(estimator)


@pytest.mark.filterwarnings("ignore")
def test_the_checks_that_ran():
    with threadpool_limits(1):
        results = check_estimator(CHECKED[0], on_fail=None, on_skip=None)
    assert len(results) >= 54
    assert {r["status"] for r in results} <= {"passed", "skipped"}
    assert sum(r["status"] == "skipped" for r in results) <= 1
    assert not get_tags(CHECKED[0]).no_validation
