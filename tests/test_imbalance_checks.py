"""scikit-learn's checks of ResampledClassifier; what may fail with a sampler, and why."""

from inspect import signature

import pytest
from imblearn.over_sampling import SMOTE, RandomOverSampler
from imblearn.under_sampling import RandomUnderSampler
from imblearn.utils.estimator_checks import estimator_checks_generator
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.estimator_checks import (
    check_sample_weight_equivalence_on_dense_data,
    parametrize_with_checks,
)

from skmetrics_ext.decision import CostThresholdClassifier
from skmetrics_ext.imbalance import ResampledClassifier

WEIGHTS = "check_sample_weight_equivalence_on_"
OVERWRITTEN = "check_sample_weights_not_overwritten"
REASON = "random sampling is not equivariant to repeated rows"
MAKES_ROWS = "SMOTE does not say which rows a new one came from: unequal weights are refused"
# The checks' tables are tiny: fewer rows of a class than folds, or than neighbours, are said.
pytestmark = [
    pytest.mark.filterwarnings("ignore:.*needs held-out rows of every class:UserWarning"),
    pytest.mark.filterwarnings("ignore:There are fewer rows of a class in a training:UserWarning"),
    pytest.mark.filterwarnings("ignore:.*its out-of-fold probabilities ask:UserWarning"),
]


def logistic(sampler):
    return ResampledClassifier(LogisticRegression(), sampler=sampler)


PLAIN = [
    logistic(None),
    ResampledClassifier(RandomForestClassifier(5, bootstrap=False, random_state=0)),
    # More rows in a leaf than the weight check has rows: boosting counts rows there and not
    # weights, so by itself it fails that check (scikit-learn expects it to).
    ResampledClassifier(HistGradientBoostingClassifier(min_samples_leaf=80)),
    # with_mean=False: scikit-learn 1.6 checks sparse rows whatever the tag says.
    ResampledClassifier(make_pipeline(StandardScaler(with_mean=False), LogisticRegression())),
    CostThresholdClassifier(logistic(None)),
]
if "sample_weight" in signature(compute_class_weight).parameters:
    # In older versions "balanced" counts rows and not weights: the regression itself fails.
    PLAIN.append(ResampledClassifier(LogisticRegression(class_weight="balanced")))
SAMPLED = [
    logistic(RandomUnderSampler(random_state=0)),
    logistic(RandomOverSampler(random_state=0)),
    logistic(SMOTE(random_state=0)),
    CostThresholdClassifier(logistic(RandomUnderSampler(random_state=0))),
]


def expected_failures(estimator):
    resampled = estimator.estimator if hasattr(estimator, "cost_matrix") else estimator
    if resampled.sampler is None:
        return {}
    if isinstance(resampled.sampler, SMOTE):
        names = [WEIGHTS + "dense_data", WEIGHTS + "sparse_data", OVERWRITTEN]
        return dict.fromkeys(names, MAKES_ROWS)
    if isinstance(resampled.sampler, RandomOverSampler):
        return {}  # "isotonic" is chosen, and its steps hide that other rows were drawn
    return {WEIGHTS + "dense_data": REASON, WEIGHTS + "sparse_data": REASON}


checks = parametrize_with_checks([*PLAIN, *SAMPLED], expected_failed_checks=expected_failures)


# As a list: scikit-learn 1.6 hands over a generator, which pytest 9.1 deprecates.
CHECKS = list(checks.args[1])


@pytest.mark.parametrize(checks.args[0], CHECKS, **checks.kwargs)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("ensemble", [True, False])
@pytest.mark.parametrize("correction", ["auto", "prior", "shift", "sigmoid", "isotonic", "none"])
def test_a_weight_is_so_many_rows_for_every_correction(correction, ensemble):
    # The classes of the check are 0, 1 and 2; weights in numbers do the same in any version.
    weighted = LogisticRegression(class_weight={0: 1, 1: 5, 2: 2})
    clf = ResampledClassifier(weighted, correction=correction, ensemble=ensemble)
    check_sample_weight_equivalence_on_dense_data("ResampledClassifier", clf)


@pytest.mark.parametrize("estimator", [PLAIN[0], *SAMPLED[:3]])
def test_number_of_checks(estimator):
    pairs = [getattr(entry, "values", entry) for entry in CHECKS]
    names = [check.func.__name__ for each, check in pairs if repr(each) == repr(estimator)]
    assert len(names) >= 50
    assert WEIGHTS + "dense_data" in names
    assert sum(name.startswith("check_sample_weight") for name in names) >= 7
    assert set(expected_failures(estimator)) <= set(names)
    assert all(name.startswith("check_sample_weight") for name in expected_failures(estimator))
    assert get_tags(estimator).no_validation is False


imbalanced = [
    pair for each in (PLAIN[0], *SAMPLED[:3]) for pair in estimator_checks_generator(each)
]


@pytest.mark.parametrize(
    ("estimator", "check"),
    imbalanced,
    ids=[f"{e.sampler}-{c.func.__name__}" for e, c in imbalanced],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_imbalanced_learns_checks(estimator, check):
    check(estimator)


def test_number_of_imbalanced_learns_checks():
    assert len(imbalanced) == 8  # two for classifiers; the others are for samplers
