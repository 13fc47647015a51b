"""scikit-learn's own checks of estimators, on the classifier that cuts a regression."""

import pytest
import sklearn
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeRegressor
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks
from sklearn.utils.fixes import parse_version

from skmetrics_ext.ordinal import RegressionCutClassifier

SCIKIT_LEARN_1_6 = parse_version(sklearn.__version__) < parse_version("1.7")

ESTIMATORS = [
    RegressionCutClassifier(LinearRegression()),
    RegressionCutClassifier(Ridge()),
    RegressionCutClassifier(Ridge(), criterion="round"),
    RegressionCutClassifier(Ridge(), criterion="absolute"),
    RegressionCutClassifier(DecisionTreeRegressor(max_depth=3, random_state=0)),
    RegressionCutClassifier(make_pipeline(StandardScaler(with_mean=False), Ridge())),
]
if not SCIKIT_LEARN_1_6:  # which runs the check of sparse data whatever the tag says
    ESTIMATORS.append(RegressionCutClassifier(make_pipeline(StandardScaler(), Ridge())))
SKIPPED_BY_SCIKIT_LEARN = {"check_array_api_input"}

# Checks fit on words without an order, and in 1.6 on a class of fewer rows than folds.
pytestmark = [
    pytest.mark.filterwarnings("ignore:the classes .* are words without an order:UserWarning"),
    pytest.mark.filterwarnings("ignore:The least populated class in y:UserWarning"),
]


@parametrize_with_checks(ESTIMATORS)
def test_nothing_fails(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("estimator", ESTIMATORS[:2], ids=repr)
def test_the_checks_that_ran(estimator):
    results = check_estimator(estimator, on_fail=None, on_skip=None)
    assert len(results) >= 58
    by_status = {"passed": set(), "skipped": set(), "failed": set(), "xfail": set()}
    for result in results:
        by_status[result["status"]].add(result["check_name"])
    assert not by_status["failed"]
    assert not by_status["xfail"]
    assert by_status["skipped"] <= SKIPPED_BY_SCIKIT_LEARN
    assert "check_sample_weight_equivalence_on_dense_data" in by_status["passed"]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_the_tags(estimator):
    tags, inner = get_tags(estimator), get_tags(estimator.regressor)
    assert tags.estimator_type == "classifier"
    assert tags.classifier_tags.poor_score
    assert tags.classifier_tags.multi_class
    assert tags.input_tags == inner.input_tags
    assert not tags.no_validation
    assert tags.target_tags.required


class Dice(DecisionTreeRegressor):
    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.non_deterministic = True
        return tags


def test_chance_inside_is_chance():
    assert get_tags(RegressionCutClassifier(Dice())).non_deterministic
    assert not get_tags(RegressionCutClassifier(Ridge())).non_deterministic
