"""scikit-learn's own checks of estimators, on the classifier that decides."""

import pytest
import sklearn
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks
from sklearn.utils.fixes import parse_version
from threadpoolctl import threadpool_limits

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.decision import CostThresholdClassifier

SCIKIT_LEARN_1_6 = parse_version(sklearn.__version__) < parse_version("1.7")

AT_DEFAULTS = [
    CostThresholdClassifier(LogisticRegression()),
    CostThresholdClassifier(HistGradientBoostingClassifier(max_iter=5)),
    # A bootstrapped forest fails the weight checks by itself.
    CostThresholdClassifier(
        RandomForestClassifier(n_estimators=10, bootstrap=False, random_state=0)
    ),
    CostThresholdClassifier(make_pipeline(StandardScaler(with_mean=False), LogisticRegression())),
]
if not SCIKIT_LEARN_1_6:  # which runs the check of sparse data whatever the tag says
    AT_DEFAULTS.append(
        CostThresholdClassifier(make_pipeline(StandardScaler(), LogisticRegression()))
    )
WITH_COSTS = [
    CostThresholdClassifier(LogisticRegression(), cost_matrix=[[0, 5], [1, 0]]),
    CostThresholdClassifier(
        HistGradientBoostingClassifier(max_iter=5), cost_matrix=CostMatrix([[0, 5], [1, 0]])
    ),
]
CANNOT_HOLD = {
    "check_classifiers_train": "demands the argmax of predict_proba, and costs decide otherwise",
    "check_classifiers_classes": "uses words, whose order an asymmetric array does not name",
}
TWO_TARGETS = "scikit-learn 1.6 makes y binary by its first row, and compares with a shuffled y"
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


def expected_to_fail(estimator):
    if not SCIKIT_LEARN_1_6:
        return CANNOT_HOLD
    kinds = ["dense"]
    if isinstance(estimator.estimator, LogisticRegression):
        kinds.append("sparse")
    names = [f"check_sample_weight_equivalence_on_{kind}_data" for kind in kinds]
    return CANNOT_HOLD | dict.fromkeys(names, TWO_TARGETS)


@pytest.fixture(autouse=True)
def _one_thread():
    # Boosting on 20 rows spends its time on waking threads otherwise.
    with threadpool_limits(1):
        yield


@parametrize_with_checks(AT_DEFAULTS)
def test_at_defaults_nothing_fails(estimator, check):
    check(estimator)


@parametrize_with_checks(WITH_COSTS, expected_failed_checks=expected_to_fail)
def test_with_costs_of_two_classes(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("estimator", AT_DEFAULTS, ids=repr)
def test_the_checks_that_ran(estimator):
    results = check_estimator(estimator, on_fail=None, on_skip=None)
    assert len(results) >= 54
    by_status = {"passed": set(), "skipped": set(), "failed": set(), "xfail": set()}
    for result in results:
        by_status[result["status"]].add(result["check_name"])
    assert not by_status["failed"]
    assert not by_status["xfail"]
    assert by_status["skipped"] <= SKIPPED_BY_SCIKIT_LEARN
    assert by_status["passed"] >= WEIGHT_CHECKS
    assert not get_tags(estimator).no_validation


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("estimator", WITH_COSTS, ids=repr)
def test_only_what_cannot_hold_fails(estimator):
    results = check_estimator(estimator, on_fail=None, on_skip=None)
    failed = {r["check_name"] for r in results if r["status"] == "failed"}
    assert failed == set(expected_to_fail(estimator))
    passed = {r["check_name"] for r in results if r["status"] == "passed"}
    assert "check_classifier_not_supporting_multiclass" in passed
    assert not get_tags(estimator).classifier_tags.multi_class
