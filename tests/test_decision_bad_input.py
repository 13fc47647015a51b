"""What CostThresholdClassifier refuses, and what it says then."""

import numpy as np
import pytest
from imblearn.pipeline import make_pipeline as make_resampling_pipeline
from imblearn.under_sampling import RandomUnderSampler
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LinearRegression, LogisticRegression, Perceptron
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import LinearSVC

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.decision import CostThresholdClassifier

X = np.random.default_rng(0).normal(size=(12, 2))
Y2 = np.array([0, 1] * 6)
Y3 = np.array([0, 1, 2] * 4)
WORDS = np.array(["fraud", "legit"] * 6)


def fit(y=Y2, *, cost_matrix=None, labels=None, estimator=None, **params):
    inside = GaussianNB() if estimator is None else estimator
    classifier = CostThresholdClassifier(inside, cost_matrix=cost_matrix, labels=labels)
    return classifier.fit(X, y, **params)


@pytest.mark.parametrize(
    "estimator",
    [LinearSVC(), Perceptron(), make_pipeline(LinearSVC()), LinearRegression(), "logit"],
)
def test_estimator_without_probabilities(estimator):
    with pytest.raises(ValueError, match=r"estimator must have predict_proba.*got"):
        fit(estimator=estimator)
    assert not hasattr(CostThresholdClassifier(estimator), "predict_proba")


def test_estimator_that_is_a_class():
    with pytest.raises(TypeError, match="instance of scikit-learn estimator instead of a class"):
        fit(estimator=GaussianNB)


def test_frozen_estimator_that_is_not_fitted():
    with pytest.raises(NotFittedError, match="not fitted yet"):
        fit(estimator=FrozenEstimator(GaussianNB()))


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (np.zeros(12), "at least two classes; got one class only"),
        (["a"] * 12, "at least two classes; got one class only"),
        (None, "requires y to be passed, but the target y is None"),
        (np.linspace(0, 1, 12), "continuous"),
        ([0.0, np.nan] * 6, "y has 6 missing values"),
        (["a", np.nan] * 6, "y has 6 missing values"),
        (["a", None] * 6, "y has 6 missing values"),
        (["a", 1] * 6, "y mixes words and other labels"),
        (np.eye(12, dtype=int), "y must be one-dimensional"),
        (Y2 * 1j, "Complex data not supported"),
        ([], "y is empty"),
        (Y2[:-1], "inconsistent numbers of samples"),
    ],
)
def test_y(y, message):
    with pytest.raises(ValueError, match=message):
        fit(y)


@pytest.mark.parametrize(
    ("cost_matrix", "message"),
    [
        (np.ones((2, 3)), r"cost_matrix must be square.*got shape \(2, 3\)"),
        (np.ones(2), r"cost_matrix must be two-dimensional.*got shape \(2,\)"),
        (np.ones((12, 2, 2)), r"cost_matrix must be two-dimensional.*per_row"),
        (1 - np.eye(3), "cost_matrix must have a row and a column for each of the 2 classes"),
        ([[0, np.nan], [1, 0]], "cost_matrix must be finite; got nan"),
        ([[0, np.inf], [1, 0]], "cost_matrix must be finite; got inf"),
        ([[0, 1], [0, 1]], "every column of .* is constant"),
        ([[0, "dear"], [1, 0]], "cost_matrix must hold numbers"),
        ([[0, 1], [1]], "cost_matrix must be a rectangular array"),
        ("balanced", "cost_matrix must"),
        (CostMatrix.binary(pos_label=2), "pos_label=2 of cost_matrix is not a class"),
        (CostMatrix([[0, 1], [2, 0]], labels=["a", "b"]), "cost_matrix must cover every class"),
        (CostMatrix([[0, 1], [2, 0]]).with_action(1, cost=1), r"\[1\] of cost_matrix are also"),
    ],
)
def test_cost_matrix(cost_matrix, message):
    with pytest.raises(ValueError, match=message):
        fit(cost_matrix=cost_matrix)


def test_a_mapping_is_no_cost_matrix():
    with pytest.raises(TypeError, match="from_dict"):
        fit(cost_matrix={(0, 1): 3})


@pytest.mark.parametrize(
    "cost_matrix", [[[0, 5], [1, 0]], CostMatrix([[0, 5], [1, 0]]), np.array([[0, 5], [1, 0]])]
)
def test_more_classes_than_two(cost_matrix):
    with pytest.raises(
        ValueError, match=r"Only binary classification is supported\..*y holds 3: \[0, 1, 2\]"
    ):
        fit(Y3, cost_matrix=cost_matrix)


def test_words_need_an_order_where_costs_differ():
    with pytest.raises(ValueError, match=r"labels=\['fraud', 'legit'\].*CostMatrix"):
        fit(WORDS, cost_matrix=[[0, 100], [1, 0]])
    with pytest.raises(ValueError, match="labels="):
        fit(WORDS, cost_matrix=CostMatrix([[0, 100], [1, 0]]))
    # All mistakes alike: no order can matter.
    assert fit(WORDS, cost_matrix=[[0, 3], [3, 0]]).threshold_ == 0.5
    assert fit(WORDS, cost_matrix=[[0, 99], [1, 0]], labels=["legit", "fraud"]).threshold_ == 0.01


@pytest.mark.parametrize(
    ("cost_matrix", "labels", "message"),
    [
        (None, ["legit", "swindle"], "must cover every class"),
        ([[0, 5], [1, 0]], ["legit", "swindle"], "must cover every class"),
        ([[0, 5], [1, 0]], ["legit", "legit"], "labels must name each class once"),
        ([[0, 5], [1, 0]], ["legit", "fraud", "odd"], "cost_matrix must have a row"),
        (CostMatrix([[0, 5], [1, 0]], labels=["legit", "fraud"]), ["a", "b"], "the same classes"),
        ([[0, 5], [1, 0]], [0, 1], "must cover every class"),
    ],
)
def test_labels(cost_matrix, labels, message):
    with pytest.raises(ValueError, match=message):
        fit(WORDS, cost_matrix=cost_matrix, labels=labels)


@pytest.mark.parametrize(
    ("y", "action", "message"),
    [
        (Y2.astype(bool), -1, "beside bools there is no room for another action"),
        (Y2, "refer", "must have the type of the classes"),
        (WORDS, -1, "must have the type of the classes"),
    ],
)
def test_actions_have_the_type_of_the_labels(y, action, message):
    cost = CostMatrix([[0, 5], [5, 0]]).with_action(action, cost=1)
    with pytest.raises(ValueError, match=message):
        fit(y, cost_matrix=cost)


def test_weights_that_nothing_inside_takes():
    model = make_pipeline(MinMaxScaler(), KNeighborsClassifier(3))
    with pytest.raises(ValueError, match=r"sample_weight cannot be used: no step of estimator"):
        fit(estimator=model, sample_weight=np.ones(12))
    with pytest.raises(TypeError, match="sample_weight"):
        fit(estimator=KNeighborsClassifier(3), sample_weight=np.ones(12))


def test_weights_do_not_pass_a_sampler():
    model = make_resampling_pipeline(RandomUnderSampler(), LogisticRegression())
    with pytest.raises(ValueError, match="sample_weight cannot pass the sampler in step"):
        fit(estimator=model, sample_weight=np.ones(12))


class Broken(ClassifierMixin, BaseEstimator):
    """Gives the array it was made with, whatever X is."""

    def __init__(self, gives):
        self.gives = gives

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.array(self.gives)


@pytest.mark.parametrize(
    ("gives", "message"),
    [
        ([[0.5, 0.5], [np.nan, np.nan]], "probabilities that are not finite in 1 rows"),
        ([[0.2, 0.3, 0.5]], r"each of the 2 classes; got an array of shape \(1, 3\)"),
        ([0.5, 0.5], r"got an array of shape \(2,\)"),
    ],
)
def test_probabilities_that_are_none(gives, message):
    classifier = fit(estimator=Broken(gives))
    for method in (classifier.predict, classifier.declined, classifier.conditional_risk):
        with pytest.raises(ValueError, match=message):
            method(X)


class Distorting(GaussianNB):
    """Says that its probabilities are not those of the data."""

    _distorts_priors = True


@pytest.mark.parametrize("model", [Distorting(), make_pipeline(MinMaxScaler(), Distorting())])
def test_distorted_probabilities_are_warned_of(model):
    with pytest.warns(UserWarning, match="probabilities for resampled classes"):
        fit(estimator=model)
    with pytest.warns(UserWarning, match="probabilities for resampled classes"):
        fit(estimator=FrozenEstimator(model.fit(X, Y2)))


def test_a_failed_fit_leaves_nothing_fitted():
    classifier = CostThresholdClassifier(GaussianNB(), cost_matrix=np.ones((3, 3)))
    with pytest.raises(ValueError, match="cost_matrix"):
        classifier.fit(X, Y2)
    with pytest.raises(NotFittedError, match="not fitted"):
        classifier.predict(X)
