"""scikit-learn's own checks of estimators, on the classifier that asks binary questions."""

import pytest
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks
from threadpoolctl import threadpool_limits

from skmetrics_ext.ordinal import OrdinalDecompositionClassifier

MODELS = [
    OrdinalDecompositionClassifier(LogisticRegression()),
    OrdinalDecompositionClassifier(HistGradientBoostingClassifier(max_iter=5)),
    # A bootstrapped forest fails the weight checks by itself.
    OrdinalDecompositionClassifier(
        RandomForestClassifier(n_estimators=5, bootstrap=False, random_state=0)
    ),
]
SKIPPED_BY_SCIKIT_LEARN = {"check_array_api_input"}


@pytest.fixture(autouse=True)
def _one_thread():
    # Boosting on 20 rows spends its time on waking threads otherwise.
    with threadpool_limits(1):
        yield


@pytest.mark.filterwarnings("ignore:the classes .* are words without an order:UserWarning")
@parametrize_with_checks(MODELS)
def test_nothing_fails(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings("ignore")
def test_the_checks_that_ran():
    results = check_estimator(MODELS[0], on_fail=None, on_skip=None)
    assert len(results) >= 54
    by_status: dict = {"passed": set(), "skipped": set(), "failed": set(), "xfail": set()}
    for result in results:
        by_status[result["status"]].add(result["check_name"])
    assert not by_status["failed"]
    assert not by_status["xfail"]
    assert by_status["skipped"] <= SKIPPED_BY_SCIKIT_LEARN
    assert "check_sample_weight_equivalence_on_dense_data" in by_status["passed"]
    assert "check_classifiers_classes" in by_status["passed"]
    tags = get_tags(MODELS[0])
    assert not tags.no_validation
    assert not tags.classifier_tags.poor_score
