"""What all wrappers have from one base class, and what a new one has to say."""

import pickle

import numpy as np
import pandas as pd
import pytest
from imblearn.over_sampling import RandomOverSampler
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import make_classification
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.exceptions import NotFittedError, UnsetMetadataPassedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import UNUSED

from skmetrics_ext.decision import (
    CostThresholdClassifier,
    ExactThresholdClassifierCV,
    PriorCorrectedClassifier,
)
from skmetrics_ext.decision._fit_params import inner_fit_params
from skmetrics_ext.decision._wrapper import ClassifierWrapper
from skmetrics_ext.imbalance import ResampledClassifier

X, Y = make_classification(200, 4, weights=[0.7], random_state=0)
DECIDE = [CostThresholdClassifier, ExactThresholdClassifierCV, PriorCorrectedClassifier]
ALL = [*DECIDE, ResampledClassifier]


class NoLogarithms(ClassifierMixin, BaseEstimator):
    """Sure of the first class in the first row, and knows nothing of its features."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        p = np.full((len(X), 2), 0.5)
        p[0] = 1.0, 0.0
        return p


class Rounded(ClassifierWrapper):
    """A wrapper whose parameter has another name."""

    _inside = "regressor"
    __metadata_request__fit = {"sample_weight": UNUSED}

    def __init__(self, regressor):
        self.regressor = regressor

    def fit(self, X, y, sample_weight=None, **params):
        params = inner_fit_params(self, self.regressor, sample_weight, params)
        self.classes_ = np.unique(y)
        self.regressor_ = clone(self.regressor).fit(X, y, **params)
        return self


@pytest.mark.parametrize("wrapper", ALL)
def test_no_target_names_the_class_that_was_asked(wrapper):
    with pytest.raises(ValueError, match=rf"^{wrapper.__name__} requires y to be passed, but the"):
        wrapper(LogisticRegression()).fit(X, None)


@pytest.mark.parametrize("wrapper", DECIDE)
def test_no_target_names_a_class_derived_from_ours(wrapper):
    derived = type("MyClassifier", (wrapper,), {"__init__": wrapper.__init__})
    with pytest.raises(ValueError, match=r"^MyClassifier requires y to be passed"):
        derived(LogisticRegression()).fit(X, None)
    assert derived(LogisticRegression()).fit(X, Y).predict_proba(X).shape == (200, 2)


def test_no_target_beside_a_fitted_estimator():
    prefit = ExactThresholdClassifierCV(LogisticRegression().fit(X, Y), cv="prefit", refit=False)
    with pytest.raises(ValueError, match="ExactThresholdClassifierCV requires y to be passed"):
        prefit.fit(X, None)


@pytest.mark.parametrize("wrapper", DECIDE)
def test_probabilities_are_there_if_they_are_inside(wrapper):
    for name in ("predict_proba", "predict_log_proba"):
        assert hasattr(wrapper(LogisticRegression()), name)
        assert not hasattr(wrapper(LinearSVC()), name)
        with pytest.raises(AttributeError, match=f"'{wrapper.__name__}' has no attribute '{name}'"):
            getattr(wrapper(LinearSVC()), name)


def test_once_fitted_it_is_the_fitted_one_that_counts():
    classifier = CostThresholdClassifier(LogisticRegression()).fit(X, Y)
    classifier.set_params(estimator=LinearSVC())
    assert hasattr(classifier, "predict_proba")


@pytest.mark.parametrize("wrapper", ALL)
@pytest.mark.parametrize(
    "ask",
    [
        "predict",
        "predict_proba",
        "predict_log_proba",
        "n_features_in_",
        "feature_names_in_",
    ],
)
def test_unfitted_it_says_so_first(wrapper, ask):
    with pytest.raises(NotFittedError, match=f"This {wrapper.__name__} instance is not fitted"):
        getattr(wrapper(LogisticRegression()), ask)(X)


@pytest.mark.parametrize("wrapper", DECIDE)
def test_logarithms_are_those_of_the_one_inside(wrapper):
    # Naive Bayes has logarithms of probabilities that are 0 in floating point.
    far = np.r_[X, [[1e3, -1e3, 1e3, -1e3]]]
    classifier = wrapper(GaussianNB()).fit(X, Y)
    logs = classifier.predict_log_proba(far)
    assert np.isfinite(logs).all()
    assert (logs == GaussianNB().fit(X, Y).predict_log_proba(far)).all()
    assert (classifier.predict_proba(far)[-1] == 0).any()


@pytest.mark.parametrize("wrapper", ALL)
def test_logarithms_of_one_that_has_none(wrapper):
    classifier = wrapper(NoLogarithms()).fit(X, Y)
    logs = classifier.predict_log_proba(X)
    assert logs[0].tolist() == [0, -np.inf]
    assert (logs[1:] == np.log(0.5)).all()
    assert not hasattr(classifier, "n_features_in_")
    assert not hasattr(classifier, "feature_names_in_")


@pytest.mark.parametrize(
    "classifier",
    [
        PriorCorrectedClassifier(GaussianNB(), target_priors=[0.5, 0.5]),
        ResampledClassifier(
            GaussianNB(), sampler=RandomOverSampler(random_state=0), correction="none"
        ),
    ],
)
def test_logarithms_of_probabilities_that_were_changed(classifier):
    classifier.fit(X, Y)
    probabilities = classifier.predict_proba(X)
    with np.errstate(divide="ignore"):
        assert (classifier.predict_log_proba(X) == np.log(probabilities)).all()
    assert (probabilities != GaussianNB().fit(X, Y).predict_proba(X)).any()


@pytest.mark.parametrize("ensemble", [True, False])
def test_features_of_several_models_are_those_of_the_first(ensemble):
    frame = pd.DataFrame(X, columns=list("abcd"))
    classifier = ResampledClassifier(
        LogisticRegression(), sampler=RandomOverSampler(random_state=0), ensemble=ensemble
    ).fit(frame, Y)
    for each in (classifier, pickle.loads(pickle.dumps(classifier))):
        assert each.n_features_in_ == 4
        assert each.feature_names_in_.tolist() == list("abcd")
    assert not hasattr(classifier.fit(X, Y), "feature_names_in_")


class OfAnyKind(ClassifierMixin, BaseEstimator):
    """What it takes is not what a default classifier takes."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = tags.input_tags.allow_nan = True
        tags.non_deterministic = True
        tags.classifier_tags.multi_label = tags.classifier_tags.poor_score = True
        return tags


@pytest.mark.parametrize("wrapper", ALL)
def test_tags_are_those_of_the_one_inside_but_for_several_labels(wrapper):
    tags, inner = get_tags(wrapper(OfAnyKind())), get_tags(OfAnyKind())
    assert tags.input_tags == inner.input_tags
    assert tags.non_deterministic
    assert tags.classifier_tags.poor_score
    assert not tags.classifier_tags.multi_label
    assert tags.classifier_tags.multi_class == (wrapper is not ExactThresholdClassifierCV)
    # A regressor inside says nothing of classes; what is wrong is said in fit.
    assert get_tags(wrapper(LinearRegression())).classifier_tags is not None


@pytest.mark.parametrize("wrapper", ALL)
def test_routing_errors_name_the_class(wrapper):
    with config_context(enable_metadata_routing=True):
        classifier = wrapper(LogisticRegression())
        with pytest.raises(TypeError, match=rf"^{wrapper.__name__}\.fit got unexpected argument"):
            classifier.fit(X, Y, nonsense=1)
        with pytest.raises(UnsetMetadataPassedError, match=rf"within {wrapper.__name__}\.fit"):
            classifier.fit(X, Y, sample_weight=np.ones(200))


class TestAnotherName:
    def test_features_and_tags(self):
        wrapper = Rounded(HistGradientBoostingRegressor(max_iter=2))
        assert get_tags(wrapper).input_tags.allow_nan
        assert get_tags(wrapper).classifier_tags.multi_class
        assert wrapper.fit(X, Y).n_features_in_ == 4
        assert not get_tags(Rounded(LinearRegression())).input_tags.allow_nan

    @pytest.mark.parametrize("routing", [True, False])
    def test_weights_reach_it(self, routing):
        weights = np.random.default_rng(0).uniform(1, 2, 200)
        with config_context(enable_metadata_routing=routing):
            regressor = LinearRegression()
            if routing:
                regressor.set_fit_request(sample_weight=True)
            fitted = Rounded(regressor).fit(X, Y, sample_weight=weights).regressor_
        expected = LinearRegression().fit(X, Y, sample_weight=weights)
        np.testing.assert_array_equal(fitted.coef_, expected.coef_)

    def test_routing_has_its_name(self):
        router = Rounded(LinearRegression()).get_metadata_routing()
        assert [name for name, _ in router] == ["$self_request", "regressor"]

    def test_a_regressor_gives_no_probabilities(self):
        for wrapper in (Rounded(LinearRegression()), Rounded(LinearRegression()).fit(X, Y)):
            assert not hasattr(wrapper, "predict_proba")
            assert not hasattr(wrapper, "predict_log_proba")

    def test_frozen_it_has_the_features_it_was_fitted_with(self):
        frozen = FrozenEstimator(LinearRegression().fit(X[:, :2], Y))
        assert Rounded(frozen).fit(X, Y).n_features_in_ == 2
