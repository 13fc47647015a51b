"""Class weights and resampling under costs: what counts twice is said, what is cured is not."""

import warnings

import numpy as np
import pytest
from imblearn.ensemble import BalancedBaggingClassifier, BalancedRandomForestClassifier
from imblearn.over_sampling import RandomOverSampler
from imblearn.pipeline import make_pipeline as make_resampling_pipeline
from imblearn.under_sampling import RandomUnderSampler
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import BaggingClassifier, StackingClassifier, VotingClassifier
from sklearn.feature_selection import SelectFromModel
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.decision import (
    CostThresholdClassifier,
    DoubleCountingWarning,
    PriorCorrectedClassifier,
)
from skmetrics_ext.decision._double_counting import distorts_priors, find_distortions
from skmetrics_ext.imbalance import ResampledClassifier, resampled_recipe

COST = CostMatrix.binary(false_negative=10)
OVER = RandomOverSampler(random_state=0)
UNDER = RandomUnderSampler(random_state=0)
PLAIN = LogisticRegression()
WEIGHED = LogisticRegression(class_weight="balanced")
PRIORS = {0: 0.9, 1: 0.1}
EVEN = {0: 0.5, 1: 0.5}


class Boosted(ClassifierMixin, BaseEstimator):
    """The parameters by which gradient boosting libraries weigh classes."""

    def __init__(
        self,
        scale_pos_weight=None,
        is_unbalance=False,
        class_weights=None,
        auto_class_weights=None,
    ):
        self.scale_pos_weight = scale_pos_weight
        self.is_unbalance = is_unbalance
        self.class_weights = class_weights
        self.auto_class_weights = auto_class_weights

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.full((len(X), 2), 0.5)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    y = (rng.random(400) < 0.15).astype(int)
    return rng.normal(size=(400, 2)) + 1.5 * y[:, None], y


def warned(estimator, data, cost_matrix=COST):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        CostThresholdClassifier(estimator, cost_matrix=cost_matrix).fit(*data)
    return [str(w.message) for w in caught if issubclass(w.category, DoubleCountingWarning)]


WEIGHTED = {
    "itself": WEIGHED,
    "a dict": LogisticRegression(class_weight={0: 1, 1: 5}),
    "last in a pipeline": make_pipeline(StandardScaler(), WEIGHED),
    "in nested pipelines": make_pipeline(
        StandardScaler(), make_pipeline(StandardScaler(), WEIGHED)
    ),
    "in one against the rest": OneVsRestClassifier(WEIGHED),
    "in bagging": BaggingClassifier(WEIGHED, n_estimators=2),
    "in a vote": VotingClassifier([("a", PLAIN), ("b", WEIGHED)], voting="soft"),
    "last of a stack": StackingClassifier([("a", PLAIN)], final_estimator=WEIGHED),
    "chosen by a search": GridSearchCV(PLAIN, {"class_weight": ["balanced"]}, cv=2),
    "in another decision": CostThresholdClassifier(WEIGHED),
    "frozen": FrozenEstimator(WEIGHED),
    "without a sampler or a correction": ResampledClassifier(WEIGHED, correction="none"),
    "corrected for nothing": PriorCorrectedClassifier(WEIGHED),
    "a boosting library's": Boosted(scale_pos_weight=9.0),
    "another's": Boosted(class_weights=[1, 9]),
    "unbalanced": Boosted(is_unbalance=True),
    "automatic": Boosted(auto_class_weights="Balanced"),
}


@pytest.mark.parametrize("estimator", WEIGHTED.values(), ids=WEIGHTED)
def test_class_weights_are_seen_wherever_they_are(estimator, data):
    if isinstance(estimator, FrozenEstimator):
        estimator = FrozenEstimator(WEIGHED.fit(*data))
    with warnings.catch_warnings():
        # The decision inside says the same by itself.
        warnings.simplefilter("ignore")
        found = find_distortions(CostThresholdClassifier(estimator).fit(*data).estimator_)
    assert [f.kind for f in found] == ["weights"]
    *_, message = warned(estimator, data)
    assert "makes some mistakes dearer, and cost_matrix counts the same once more" in message
    assert "Take the class weights out" in message
    assert "CalibratedClassifierCV around it" in message


RESAMPLED = {
    "a pipeline with a sampler": make_resampling_pipeline(OVER, PLAIN),
    "around such a pipeline": make_pipeline(
        StandardScaler(), make_resampling_pipeline(OVER, PLAIN)
    ),
    "a calibrator behind the sampler": make_resampling_pipeline(
        OVER, CalibratedClassifierCV(PLAIN)
    ),
    "without correction": ResampledClassifier(PLAIN, sampler=UNDER, correction="none"),
    "inside one that corrects nothing": ResampledClassifier(
        make_resampling_pipeline(OVER, PLAIN), correction="none"
    ),
    "a balanced forest": BalancedRandomForestClassifier(n_estimators=2, random_state=0),
    "balanced bagging": BalancedBaggingClassifier(n_estimators=2, random_state=0),
}


@pytest.mark.parametrize("estimator", RESAMPLED.values(), ids=RESAMPLED)
def test_resampled_rows_are_seen(estimator, data):
    (message,) = warned(estimator, data)
    assert "resampled classes, and cost_matrix counts the same once more" in message
    assert "Resample within ResampledClassifier" in message
    assert distorts_priors(estimator)


CURED = {
    "nothing to cure": make_pipeline(StandardScaler(), PLAIN),
    "calibrated weights": CalibratedClassifierCV(WEIGHED, cv=2),
    "calibrated in a pipeline": make_pipeline(StandardScaler(), CalibratedClassifierCV(WEIGHED)),
    "calibrated resampling": CalibratedClassifierCV(make_resampling_pipeline(OVER, PLAIN), cv=2),
    "corrected resampling": ResampledClassifier(PLAIN, sampler=UNDER),
    "corrected weights": ResampledClassifier(WEIGHED),
    "corrected resampling with weights": ResampledClassifier(WEIGHED, sampler=UNDER),
    "the recipe": resampled_recipe(PLAIN, sampler=UNDER),
    "both priors told": PriorCorrectedClassifier(
        WEIGHED, target_priors=PRIORS, training_priors=EVEN
    ),
    "both priors told, resampled": PriorCorrectedClassifier(
        make_resampling_pipeline(OVER, PLAIN), target_priors=PRIORS, training_priors=EVEN
    ),
    "weights of a selector only": make_pipeline(SelectFromModel(WEIGHED), PLAIN),
    "weights below a stack only": StackingClassifier([("a", WEIGHED)], final_estimator=PLAIN),
    "weights that a search left": GridSearchCV(PLAIN, {"class_weight": [None]}, cv=2),
    "a boosting library's defaults": Boosted(scale_pos_weight=1.0, auto_class_weights="None"),
}


@pytest.mark.parametrize("estimator", CURED.values(), ids=CURED)
def test_what_is_cured_is_not_warned_of(estimator, data):
    assert not warned(estimator, data)
    assert not find_distortions(estimator)


def test_one_warning_says_all_that_was_found(data):
    both = make_resampling_pipeline(OVER, WEIGHED)
    (message,) = warned(both, data)
    assert message.startswith(
        "RandomOverSampler in step 'randomoversampler' makes probabilities those for resampled "
        "classes and class_weight='balanced' of LogisticRegression makes some mistakes dearer, and"
    )
    assert "Take the class weights out" in message
    assert "Resample within ResampledClassifier" in message


def test_the_warning_is_a_user_warning_and_points_at_the_caller(data):
    assert issubclass(DoubleCountingWarning, UserWarning)
    with pytest.warns(DoubleCountingWarning, match="class_weight='balanced'") as caught:
        CostThresholdClassifier(WEIGHED, cost_matrix=COST).fit(*data)
    assert [w.filename for w in caught] == [__file__]


def test_it_warns_in_fit_alone(data):
    X, y = data
    with pytest.warns(DoubleCountingWarning):
        classifier = CostThresholdClassifier(WEIGHED, cost_matrix=COST).fit(X, y)
    classifier.predict(X)  # warnings are errors here
    with pytest.warns(DoubleCountingWarning) as caught:
        cross_val_score(CostThresholdClassifier(WEIGHED, cost_matrix=COST), X, y, cv=3)
    assert len(caught) == 3


def mean_probability(estimator, data):
    return float(estimator.fit(*data).predict_proba(data[0])[:, 1].mean())


def test_the_warning_is_true_of_the_probabilities():
    """On average a probability should be the share of positives: 0.1 here."""
    rng = np.random.default_rng(1)
    y = np.arange(3000) % 10 == 0
    data = rng.normal(size=(3000, 1)) + 1.5 * y[:, None], y.astype(int)
    seen_elsewhere = RandomUnderSampler(sampling_strategy=0.5, random_state=0)
    for estimator in (
        WEIGHED,
        make_resampling_pipeline(OVER, PLAIN),
        ResampledClassifier(WEIGHED, correction="none"),
        StackingClassifier([("a", PLAIN)], final_estimator=WEIGHED, cv=2),
    ):
        assert mean_probability(estimator, data) > 0.2
        assert find_distortions(estimator)
    for estimator in (
        PLAIN,
        CalibratedClassifierCV(WEIGHED),
        CalibratedClassifierCV(make_resampling_pipeline(OVER, PLAIN)),
        ResampledClassifier(PLAIN, sampler=seen_elsewhere),
        ResampledClassifier(WEIGHED),
        ResampledClassifier(LogisticRegression(class_weight={1: 9}), sampler=seen_elsewhere),
        PriorCorrectedClassifier(WEIGHED, target_priors=PRIORS, training_priors=EVEN),
        StackingClassifier([("a", WEIGHED)], cv=2),
    ):
        assert mean_probability(estimator, data) == pytest.approx(0.1, abs=0.02)
        assert not find_distortions(estimator)


@pytest.mark.filterwarnings("ignore:.*probability.*:FutureWarning")
def test_support_vectors_calibrate_by_themselves():
    rng = np.random.default_rng(1)
    y = (np.arange(1000) % 10 == 0).astype(int)
    data = rng.normal(size=(1000, 1)) + 1.5 * y[:, None], y
    vectors = SVC(class_weight="balanced", probability=True, random_state=0)
    assert mean_probability(vectors, data) == pytest.approx(0.1, abs=0.02)
    assert not find_distortions(vectors)


@pytest.mark.parametrize("thing", [None, "passthrough", LogisticRegression, object(), GaussianNB()])
def test_things_without_weights_have_none(thing):
    assert find_distortions(thing) == []
