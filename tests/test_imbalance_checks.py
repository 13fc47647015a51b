"""scikit-learn's checks of ResampledClassifier; what may fail with a sampler, and why."""

import pytest
from imblearn.over_sampling import RandomOverSampler
from imblearn.under_sampling import RandomUnderSampler
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks

from skmetrics_ext.decision import CostThresholdClassifier
from skmetrics_ext.imbalance import ResampledClassifier

WEIGHTS = "check_sample_weight_equivalence_on_"
REASON = "random sampling is not equivariant to repeated rows"


def logistic(sampler):
    return ResampledClassifier(LogisticRegression(), sampler=sampler)


PLAIN = [
    logistic(None),
    ResampledClassifier(RandomForestClassifier(bootstrap=False, random_state=0)),
    # More rows in a leaf than the weight check has rows: boosting counts rows there and not
    # weights, so by itself it fails that check (scikit-learn expects it to).
    ResampledClassifier(HistGradientBoostingClassifier(min_samples_leaf=80)),
    # with_mean=False: scikit-learn 1.6 checks sparse rows whatever the tag says.
    ResampledClassifier(make_pipeline(StandardScaler(with_mean=False), LogisticRegression())),
    CostThresholdClassifier(logistic(None)),
]
SAMPLED = [
    logistic(RandomUnderSampler(random_state=0)),
    logistic(RandomOverSampler(random_state=0)),
    CostThresholdClassifier(logistic(RandomUnderSampler(random_state=0))),
    CostThresholdClassifier(logistic(RandomOverSampler(random_state=0))),
]


def expected_failures(estimator):
    resampled = estimator.estimator if hasattr(estimator, "cost_matrix") else estimator
    if resampled.sampler is None:
        return {}
    return {WEIGHTS + "dense_data": REASON, WEIGHTS + "sparse_data": REASON}


checks = parametrize_with_checks([*PLAIN, *SAMPLED], expected_failed_checks=expected_failures)


# The same, as a list: scikit-learn 1.6 hands over a generator, which pytest 9.1 deprecates.
@pytest.mark.parametrize(checks.args[0], list(checks.args[1]), **checks.kwargs)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", [PLAIN[0], *SAMPLED[:2]])
def test_number_of_checks(estimator):
    results = check_estimator(
        estimator,
        expected_failed_checks=expected_failures(estimator),
        on_skip=None,
    )
    ran = [r["check_name"] for r in results if r["status"] in ("passed", "xfail")]
    assert len(ran) >= 54
    assert WEIGHTS + "dense_data" in ran
    assert sum(name.startswith("check_sample_weight") for name in ran) >= 7
    failed = {r["check_name"] for r in results if r["status"] not in ("passed", "skipped")}
    assert failed <= set(expected_failures(estimator))
    assert get_tags(estimator).no_validation is False
