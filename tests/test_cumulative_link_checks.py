"""scikit-learn's own checks of estimators, on the cumulative link model."""

import pytest
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks
from threadpoolctl import threadpool_limits

from skmetrics_ext.ordinal import CumulativeLinkClassifier
from skmetrics_ext.ordinal._links import LINKS

ESTIMATORS = [CumulativeLinkClassifier(link) for link in LINKS]
WEIGHT_CHECKS = {
    "check_sample_weights_pandas_series",
    "check_sample_weights_not_an_array",
    "check_sample_weights_list",
    "check_sample_weights_shape",
    "check_sample_weights_not_overwritten",
    "check_sample_weight_equivalence_on_dense_data",
    "check_classifiers_one_label_sample_weights",
}
SKIPPED_BY_SCIKIT_LEARN = {"check_array_api_input"}


@pytest.fixture(autouse=True)
def _one_thread():
    with threadpool_limits(1):
        yield


@parametrize_with_checks(ESTIMATORS)
def test_nothing_fails(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings("ignore")
def test_the_checks_that_ran():
    results = check_estimator(CumulativeLinkClassifier(), on_fail=None, on_skip=None)
    by_status = {"passed": set(), "skipped": set(), "failed": set(), "xfail": set()}
    for result in results:
        by_status[result["status"]].add(result["check_name"])
    assert not by_status["failed"]
    assert not by_status["xfail"]
    assert by_status["skipped"] <= SKIPPED_BY_SCIKIT_LEARN
    assert by_status["passed"] >= WEIGHT_CHECKS | {"check_classifiers_train"}


def test_one_special_tag():
    # The checks ask for 83 % of three clusters in a plane, which are not in a row.
    tags = get_tags(CumulativeLinkClassifier())
    assert tags.classifier_tags.poor_score
    assert tags.classifier_tags.multi_class
    assert not tags.no_validation
    assert not tags.non_deterministic
    assert not tags.input_tags.allow_nan
    assert not tags.input_tags.sparse
