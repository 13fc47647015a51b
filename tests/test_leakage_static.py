"""Samplers before an internal split, read off the estimator."""

import numpy as np
import pytest
from imblearn import FunctionSampler
from imblearn.over_sampling import SMOTE
from imblearn.pipeline import make_pipeline
from imblearn.under_sampling import RandomUnderSampler
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import (
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.feature_selection import RFECV
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV, SGDClassifier
from sklearn.model_selection import (
    GridSearchCV,
    RandomizedSearchCV,
    TunedThresholdClassifierCV,
)
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from skmetrics_ext.imbalance import ResampledClassifier, find_resampling_leakage

X = np.random.default_rng(0).normal(size=(60, 3))
Y = np.arange(60) % 3 == 0
LR = LogisticRegression()


def splitters(estimator):
    found = find_resampling_leakage(X, Y, estimator=estimator)
    assert {f.kind for f in found} <= {"sampler before split"}
    return [f.evidence["splitter"] for f in found]


@pytest.mark.parametrize(
    "inner",
    [
        GridSearchCV(LR, {"C": [1]}),
        RandomizedSearchCV(LR, {"C": [1]}),
        CalibratedClassifierCV(LR),
        TunedThresholdClassifierCV(LR),
        LogisticRegressionCV(),
        StackingClassifier([("a", LR)]),
        HistGradientBoostingClassifier(early_stopping=True),
        GradientBoostingClassifier(n_iter_no_change=5),
        SGDClassifier(early_stopping=True),
        MLPClassifier(early_stopping=True),
    ],
    ids=lambda e: type(e).__name__,
)
def test_a_sampler_before_a_split_is_found(inner):
    name = type(inner).__name__
    assert splitters(make_pipeline(StandardScaler(), SMOTE(), inner)) == [name]
    assert splitters(make_pipeline(SMOTE(), Pipeline([("a", StandardScaler()), ("b", inner)]))) == [
        name
    ]
    assert splitters(make_pipeline(StandardScaler(), inner)) == []
    assert splitters(inner) == []


@pytest.mark.parametrize(
    "estimator",
    [
        GridSearchCV(make_pipeline(SMOTE(), LR), {}),
        CalibratedClassifierCV(make_pipeline(SMOTE(), LR)),
        StackingClassifier([("a", make_pipeline(SMOTE(), LR))]),
        make_pipeline(SMOTE(), CalibratedClassifierCV(FrozenEstimator(LR))),
        make_pipeline(SMOTE(), TunedThresholdClassifierCV(LR, cv="prefit", refit=False)),
        make_pipeline(SMOTE(), HistGradientBoostingClassifier()),
        make_pipeline(SMOTE(), GradientBoostingClassifier()),
        make_pipeline(FunctionSampler(), LogisticRegressionCV()),
        make_pipeline(RFECV(LR), SMOTE(), LR),
    ],
    ids=str,
)
def test_a_sampler_inside_of_the_split_is_right(estimator):
    assert splitters(estimator) == []


def test_parts_of_parts():
    vote = VotingClassifier([("a", LR), ("b", LogisticRegressionCV())])
    (found,) = find_resampling_leakage(X, Y, estimator=make_pipeline(SMOTE(), vote))
    assert found.evidence == {
        "sampler": "SMOTE",
        "splitter": "LogisticRegressionCV",
        "where": "estimator, step 'votingclassifier', 'b'",
    }
    assert splitters(make_pipeline(SMOTE(), RFECV(LR), LR)) == ["RFECV"]


def test_boosting_stops_early_by_itself_from_10000_rows_on():
    many = np.random.default_rng(0).integers(0, 3, (10_001, 1))
    y = np.arange(10_001) % 2
    pipe = make_pipeline(SMOTE(), HistGradientBoostingClassifier())
    assert find_resampling_leakage(many[1:], y[1:], estimator=pipe) == []
    (found,) = find_resampling_leakage(many, y, estimator=pipe)
    assert "early_stopping=False" in found.mend


@pytest.mark.parametrize(
    ("n", "sampler", "found"),
    [
        # One row in 20 is positive: 0.95 n of each class after SMOTE, 0.05 n after the other.
        (5_260, SMOTE(), False),
        (5_280, SMOTE(), True),
        (100_000, RandomUnderSampler(), False),
        (100_020, RandomUnderSampler(), True),
        (5_280, SMOTE(sampling_strategy=0.5), False),
        (5_280, FunctionSampler(func=lambda X, y: (X, y)), False),
    ],
)
@pytest.mark.parametrize("inside", [False, True])
def test_the_rows_that_count_are_those_after_the_sampler(n, sampler, found, inside):
    boosting = HistGradientBoostingClassifier()
    if inside:
        estimator = ResampledClassifier(boosting, sampler=sampler)
    else:
        estimator = make_pipeline(sampler, boosting)
    y = np.arange(n) % 20 == 0
    table = np.random.default_rng(0).integers(0, 3, (n, 1))
    assert bool(find_resampling_leakage(table, y, estimator=estimator)) is found


class TestResampledClassifier:
    """What resamples in its own fit hands resampled rows to what it holds."""

    def test_around_a_split(self):
        assert splitters(ResampledClassifier(LogisticRegressionCV(), sampler=SMOTE())) == [
            "LogisticRegressionCV"
        ]

    def test_inside_of_a_split(self):
        assert splitters(GridSearchCV(ResampledClassifier(LR, sampler=SMOTE()), {})) == []

    @pytest.mark.parametrize("correction", ["auto", "shift", "sigmoid", "isotonic"])
    def test_after_another_sampler_its_own_folds_hold_resampled_rows(self, correction):
        inner = ResampledClassifier(LR, sampler=RandomUnderSampler(), correction=correction)
        assert splitters(make_pipeline(SMOTE(), inner)) == ["ResampledClassifier"]
        assert splitters(inner) == []

    @pytest.mark.parametrize("correction", ["prior", "none"])
    def test_without_folds(self, correction):
        inner = ResampledClassifier(LR, sampler=RandomUnderSampler(), correction=correction)
        assert splitters(make_pipeline(SMOTE(), inner)) == []
        assert splitters(make_pipeline(SMOTE(), ResampledClassifier(LR))) == []

    def test_without_a_sampler(self):
        assert splitters(ResampledClassifier(LogisticRegressionCV())) == []
