"""CostThresholdClassifier among the rest of scikit-learn: data, pipelines, weights, routing."""

import pickle
from ast import literal_eval

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.compose import ColumnTransformer, make_column_transformer
from sklearn.datasets import load_breast_cancer, load_iris, make_classification
from sklearn.ensemble import HistGradientBoostingClassifier, StackingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler
from sklearn.utils import get_tags

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.decision import CostThresholdClassifier

COSTS = CostMatrix.binary(false_negative=9, false_positive=1)


@pytest.fixture(scope="module")
def data():
    return make_classification(n_samples=200, n_features=5, flip_y=0.2, random_state=0)


class Recorder(ClassifierMixin, BaseEstimator):
    """Remembers what fit was given."""

    def fit(self, X, y, sample_weight=None, **extra):
        self.weight_, self.extra_ = sample_weight, extra
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))


# -- what it answers --------------------------------------------------------------------------


def test_dear_misses_raise_recall_at_elkans_threshold():
    X, y = load_breast_cancer(return_X_y=True)
    model = make_pipeline(StandardScaler(), LogisticRegression())
    # 0 is malignant in this data.
    cost = CostMatrix.binary(false_negative=100, false_positive=1, pos_label=0)
    classifier = CostThresholdClassifier(model, cost_matrix=cost).fit(X, y)
    assert classifier.threshold_ == pytest.approx(1 / 101)
    assert classifier.rule_ == "threshold"
    assert classifier.pos_label_ == 0
    p = model.fit(X, y).predict_proba(X)[:, 0]
    np.testing.assert_array_equal(classifier.predict(X) == 0, p >= 1 / 101)
    malignant = y == 0
    assert (classifier.predict(X) == 0)[malignant].mean() > (p >= 0.5)[malignant].mean()


def test_none_is_one_per_mistake():
    X, y = load_iris(return_X_y=True)
    classifier = CostThresholdClassifier(LogisticRegression(max_iter=1000)).fit(X, y)
    np.testing.assert_array_equal(
        classifier.predict(X), LogisticRegression(max_iter=1000).fit(X, y).predict(X)
    )
    assert classifier.cost_matrix_.to_array().tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    assert classifier.rule_ == "argmin"
    assert np.isnan(classifier.threshold_)
    assert classifier.pos_label_ is None


def test_three_classes_as_words_in_an_order_of_their_own():
    X, codes = load_iris(return_X_y=True)
    words = np.array(["setosa", "versicolor", "virginica"])
    order = ["virginica", "setosa", "versicolor"]
    costs = np.array([[0.0, 1, 2], [30, 0, 4], [9, 5, 0]])
    model = LogisticRegression(max_iter=1000)
    classifier = CostThresholdClassifier(model, cost_matrix=costs, labels=order)
    classifier.fit(X, words[codes])
    assert classifier.classes_.tolist() == words.tolist()
    probabilities = classifier.predict_proba(X)
    expected = []
    for row in probabilities:
        p = dict(zip(words, row, strict=True))
        risk = {
            answer: sum(costs[i, j] * p[truth] for j, truth in enumerate(order))
            for i, answer in enumerate(order)
        }
        expected.append(min(risk, key=risk.get))
    assert classifier.predict(X).tolist() == expected
    assert set(expected) == set(words)
    assert (classifier.predict(X) != model.fit(X, words[codes]).predict(X)).any()
    assert classifier.actions_.tolist() == words.tolist()


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.float64, bool, str, object])
def test_answers_have_the_type_of_the_labels(data, dtype):
    X, y = data
    y = y.astype(str).astype(object) if dtype is object else y.astype(dtype)
    classifier = CostThresholdClassifier(LogisticRegression()).fit(X, y)
    assert classifier.predict(X).dtype == classifier.classes_.dtype == np.unique(y).dtype
    assert classifier.pos_label_ == np.unique(y)[1]


@pytest.mark.parametrize(
    ("words", "action"), [([0, 1], -1), (["no", "yes"], "refer"), ([0.0, 1.0], -1)]
)
def test_declined_rows(data, words, action):
    X, y = data
    y = np.array(words)[y]
    cost = CostMatrix([[0, 5], [5, 0]], labels=words).with_action(action, cost=1)
    classifier = CostThresholdClassifier(LogisticRegression(), cost_matrix=cost).fit(X, y)
    predicted, declined = classifier.predict(X), classifier.declined(X)
    assert 0 < declined.sum() < len(X)
    assert declined.dtype == bool
    np.testing.assert_array_equal(predicted == action, declined)
    assert predicted.dtype.kind == np.array(words).dtype.kind
    assert classifier.actions_.tolist() == [*words, action]
    assert classifier.score(X, y) == pytest.approx((predicted == y).mean(), abs=1e-15)
    assert classifier.score(X[declined], y[declined]) == 0.0
    weight = np.arange(len(X)) + 1.0
    expected = (weight * (predicted == y)).sum() / weight.sum()
    assert classifier.score(X, y, sample_weight=weight) == pytest.approx(expected, abs=1e-15)
    risk = classifier.conditional_risk(X)
    np.testing.assert_array_equal(risk[:, 2], np.ones(len(X)))
    np.testing.assert_array_equal(risk.argmin(axis=1) == 2, declined)


def test_an_action_is_no_truth(data):
    X, y = data
    cost = CostMatrix([[0, 5], [5, 0]]).with_action(-1, cost=0.01)
    classifier = CostThresholdClassifier(LogisticRegression(), cost_matrix=cost).fit(X, y)
    with pytest.raises(ValueError, match=r"y must hold classes only; \[-1\] are actions"):
        classifier.score(X, np.where(y == 0, -1, 1))


def test_nothing_is_declined_without_another_action(data):
    X, y = data
    assert not CostThresholdClassifier(LogisticRegression()).fit(X, y).declined(X).any()


def test_probabilities_are_those_of_the_classifier_inside(data):
    X, y = data
    classifier = CostThresholdClassifier(LogisticRegression(), cost_matrix=COSTS).fit(X, y)
    inside = LogisticRegression().fit(X, y)
    np.testing.assert_array_equal(classifier.predict_proba(X), inside.predict_proba(X))
    np.testing.assert_array_equal(classifier.predict_log_proba(X), inside.predict_log_proba(X))
    assert not hasattr(classifier, "decision_function")


def test_log_probabilities_where_the_classifier_inside_has_none(data):
    X, y = data
    inside = HistGradientBoostingClassifier(max_iter=3)
    assert not hasattr(inside, "predict_log_proba")
    classifier = CostThresholdClassifier(inside).fit(X, y)
    np.testing.assert_array_equal(
        classifier.predict_log_proba(X), np.log(classifier.predict_proba(X))
    )


def test_boosting_decides_alike_alone_and_in_a_batch():
    # Its probabilities come F-ordered, in which einsum sums otherwise than in C order.
    X, y = make_classification(
        n_samples=300, n_classes=4, n_informative=5, n_redundant=0, n_features=5, random_state=0
    )
    costs = np.random.default_rng(0).integers(1, 9, size=(4, 4)) * (1 - np.eye(4))
    classifier = CostThresholdClassifier(
        HistGradientBoostingClassifier(max_iter=3), cost_matrix=costs
    ).fit(X, y)
    whole = classifier.conditional_risk(X)
    alone = np.concatenate([classifier.conditional_risk(X[i : i + 1]) for i in range(300)])
    np.testing.assert_array_equal(alone, whole)


# -- what passes through ----------------------------------------------------------------------


def test_nan_passes_through(data):
    X, y = data
    X = np.where(np.random.default_rng(0).random(X.shape) < 0.2, np.nan, X)
    classifier = CostThresholdClassifier(
        HistGradientBoostingClassifier(max_iter=5), cost_matrix=COSTS
    )
    assert get_tags(classifier).input_tags.allow_nan
    assert classifier.fit(X, y).predict(X).shape == (200,)


def test_text_passes_through():
    texts = ["good film", "bad film", "very good", "very bad", "good", "bad"]
    y = ["like", "hate"] * 3
    cost = CostMatrix.binary(false_negative=1, false_positive=9, pos_label="like", neg_label="hate")
    model = make_pipeline(TfidfVectorizer(), LogisticRegression())
    classifier = CostThresholdClassifier(model, cost_matrix=cost).fit(texts, y)
    assert classifier.threshold_ == pytest.approx(0.9)
    assert classifier.predict(["bad film"]).tolist() == ["hate"]
    assert classifier.pos_label_ == "like"
    eager = CostThresholdClassifier(model, cost_matrix=[[0, 9], [1, 0]], labels=["hate", "like"])
    assert eager.fit(texts, y).predict(["good film"]).tolist() == ["like"]


@pytest.mark.parametrize("as_sparse", [sparse.csr_matrix, sparse.csc_array, sparse.coo_array])
def test_sparse_passes_through(data, as_sparse):
    X, y = data
    classifier = CostThresholdClassifier(LogisticRegression(), cost_matrix=COSTS)
    dense = clone(classifier).fit(X, y)
    assert get_tags(classifier).input_tags == get_tags(LogisticRegression()).input_tags
    classifier.fit(as_sparse(X), y)
    np.testing.assert_array_equal(classifier.predict(as_sparse(X)), dense.predict(X))


def test_frames_reach_a_column_transformer():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"age": rng.normal(size=80), "town": np.tile(["A", "B"], 40)})
    y = (X["age"] + rng.normal(size=80) > 0).astype(int)
    model = make_pipeline(
        make_column_transformer(
            (StandardScaler(), ["age"]), (OneHotEncoder(sparse_output=False), ["town"])
        ),
        LogisticRegression(),
    )
    classifier = CostThresholdClassifier(model, cost_matrix=COSTS).fit(X, y)
    assert classifier.feature_names_in_.tolist() == ["age", "town"]
    assert classifier.n_features_in_ == 2
    p = clone(model).fit(X, y).predict_proba(X)[:, 1]
    np.testing.assert_array_equal(classifier.predict(X), (p >= 0.1).astype(int))


def test_polars_passes_through(data):
    X, y = data
    names = ["a", "b", "c", "d", "e"]

    def as_array(frame):
        assert isinstance(frame, pl.DataFrame)
        return frame.select(names).to_numpy()

    model = make_pipeline(FunctionTransformer(as_array), LogisticRegression())
    classifier = CostThresholdClassifier(model, cost_matrix=COSTS)
    found = classifier.fit(pl.DataFrame(X, schema=names), y).predict(pl.DataFrame(X, schema=names))
    expected = CostThresholdClassifier(LogisticRegression(), cost_matrix=COSTS).fit(X, y).predict(X)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_set_output_inside(data, library):
    X, y = data
    model = make_pipeline(StandardScaler(), LogisticRegression())
    model.set_output(transform=library)
    classifier = CostThresholdClassifier(model, cost_matrix=COSTS).fit(X, y)
    plain = make_pipeline(StandardScaler(), LogisticRegression())
    expected = CostThresholdClassifier(plain, cost_matrix=COSTS).fit(X, y).predict(X)
    np.testing.assert_array_equal(classifier.predict(X), expected)


@pytest.mark.parametrize(
    "as_labels",
    [
        list,
        np.asarray,
        pd.Series,
        lambda y: pd.Series(y, dtype="Int64"),
        lambda y: pd.Series(y).astype("category"),
        lambda y: pl.Series(y.tolist()),
        lambda y: y.astype(bool),
        lambda y: pd.Series(np.array(["no", "yes"])[y]),
        lambda y: pd.Series(np.array(["no", "yes"])[y], dtype="string"),
        lambda y: pl.Series(np.array(["no", "yes"])[y].tolist()),
    ],
)
def test_labels_of_any_kind(data, as_labels):
    X, y = data
    labels = as_labels(y)
    classifier = CostThresholdClassifier(LogisticRegression()).fit(X, labels)
    np.testing.assert_array_equal(
        classifier.predict(X), LogisticRegression().fit(X, labels).predict(X)
    )
    assert classifier.score(X, labels) == (classifier.predict(X) == np.asarray(labels)).mean()


def test_features_unknown_inside_are_unknown_outside(data):
    X, y = data
    classifier = CostThresholdClassifier(Recorder())
    assert not hasattr(classifier, "n_features_in_")
    classifier.fit(X, y)
    assert not hasattr(classifier, "n_features_in_")
    assert not hasattr(classifier, "feature_names_in_")


def test_tags_follow_the_classifier_inside():
    inside = HistGradientBoostingClassifier()
    tags = get_tags(CostThresholdClassifier(inside))
    assert tags.input_tags == get_tags(inside).input_tags
    assert tags.estimator_type == "classifier"
    assert tags.classifier_tags.multi_class
    assert tags.target_tags.required
    three = CostThresholdClassifier(inside, cost_matrix=1 - np.eye(3))
    assert get_tags(three).classifier_tags.multi_class
    declining = CostThresholdClassifier(inside, cost_matrix=COSTS.with_action(-1, cost=0.1))
    assert not get_tags(declining).classifier_tags.multi_class
    by_row = CostThresholdClassifier(inside, cost_matrix=CostMatrix.per_row(false_negative="x"))
    assert not get_tags(by_row).classifier_tags.multi_class


# -- pickled, cloned, composed ----------------------------------------------------------------


def test_pickled_and_cloned(data):
    X, y = data
    classifier = CostThresholdClassifier(LogisticRegression(), cost_matrix=COSTS).fit(X, y)
    again = pickle.loads(pickle.dumps(classifier))
    np.testing.assert_array_equal(again.predict(X), classifier.predict(X))
    assert again.cost_matrix_ == classifier.cost_matrix_
    fresh = clone(classifier)
    assert fresh.cost_matrix == COSTS
    assert not hasattr(fresh, "estimator_")
    np.testing.assert_array_equal(fresh.fit(X, y).predict(X), classifier.predict(X))


def test_repr_shows_the_costs():
    text = repr(CostThresholdClassifier(GaussianNB(), cost_matrix=COSTS, labels=[0, 1]))
    found = eval(text, {**globals()})
    assert found.cost_matrix == COSTS
    assert found.labels == literal_eval("[0, 1]")
    assert "GaussianNB()" in text


def test_in_a_stack(data):
    X, y = data
    member = CostThresholdClassifier(LogisticRegression(), cost_matrix=COSTS)
    stack = StackingClassifier([("a", member), ("b", GaussianNB())], final_estimator=member, cv=3)
    stack.fit(X, y)
    assert stack.final_estimator_.threshold_ == 0.1
    assert stack.score(X, y) > 0.5
    assert stack.stack_method_ == ["predict_proba", "predict_proba"]


def test_in_cross_validation_and_grid_search(data):
    X, y = data
    pipeline = make_pipeline(
        StandardScaler(), CostThresholdClassifier(LogisticRegression(), cost_matrix=COSTS)
    )
    name = "costthresholdclassifier"
    grid = {
        f"{name}__estimator__C": [0.01, 1.0],
        f"{name}__cost_matrix": [[[0, 1], [1, 0]], [[0, 9], [1, 0]]],
    }
    search = GridSearchCV(pipeline, grid, scoring="recall", cv=3).fit(X, y)
    assert search.best_params_[f"{name}__cost_matrix"] == [[0, 9], [1, 0]]
    assert search.best_estimator_[-1].threshold_ == 0.1
    scores = cross_validate(pipeline, X, y, cv=3, scoring=["roc_auc", "neg_log_loss", "recall"])
    assert np.isfinite(scores["test_roc_auc"]).all()
    assert set(cross_val_predict(pipeline, X, y, cv=3)) == {0, 1}


def test_a_fold_may_lack_a_class(data):
    X, _ = data
    y = np.repeat(["a", "b", "c"], [100, 98, 2])
    costs = CostMatrix([[0, 1, 9], [2, 0, 9], [1, 1, 0]], labels=["a", "b", "c"])
    classifier = CostThresholdClassifier(LogisticRegression(), cost_matrix=costs)
    classifier.fit(X[:198], y[:198])
    assert classifier.classes_.tolist() == ["a", "b"]
    assert classifier.cost_matrix_.to_array().tolist() == [[0, 1], [2, 0]]
    assert classifier.threshold_ == pytest.approx(2 / 3)


# -- frozen -----------------------------------------------------------------------------------


def test_frozen_is_used_as_it_is(data):
    X, y = data
    inside = LogisticRegression().fit(X[:100], y[:100])
    classifier = CostThresholdClassifier(FrozenEstimator(inside), cost_matrix=COSTS)
    classifier.fit(X[100:], y[100:])
    expected = (inside.predict_proba(X)[:, 1] >= 0.1).astype(int)
    np.testing.assert_array_equal(classifier.predict(X), expected)
    assert classifier.estimator_.estimator is inside


@pytest.mark.parametrize("wrap", [lambda frozen: frozen, lambda f: Pipeline([("only", f)])])
def test_frozen_sizes_come_from_its_own_classes(wrap):
    X, y = load_iris(return_X_y=True)
    inside = LogisticRegression(max_iter=1000).fit(X, y)
    costs = [[0, 1, 9], [2, 0, 9], [1, 1, 0]]
    classifier = CostThresholdClassifier(wrap(FrozenEstimator(inside)), cost_matrix=costs)
    for rows in (slice(0, 100), slice(0, 50)):  # two classes of three, and one
        classifier.fit(X[rows], y[rows])
        assert classifier.classes_.tolist() == [0, 1, 2]
        assert set(classifier.predict(X)) == {0, 1, 2}


def test_frozen_inside_a_pipeline_of_frozen_steps(data):
    X, y = data
    inside = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y)
    steps = [(name, FrozenEstimator(step)) for name, step in inside.steps]
    classifier = CostThresholdClassifier(Pipeline(steps), cost_matrix=COSTS).fit(X[:5], y[:5])
    expected = (inside.predict_proba(X)[:, 1] >= 0.1).astype(int)
    np.testing.assert_array_equal(classifier.predict(X), expected)


# -- weights and other metadata ---------------------------------------------------------------


def test_weights_without_routing(data):
    X, y = data
    weight = np.random.default_rng(0).integers(0, 4, size=len(y)).astype(float)
    classifier = CostThresholdClassifier(LogisticRegression(), cost_matrix=COSTS)
    classifier.fit(X, y, sample_weight=weight)
    expected = LogisticRegression().fit(X, y, sample_weight=weight).predict_proba(X)
    np.testing.assert_array_equal(classifier.predict_proba(X), expected)
    assert (expected != LogisticRegression().fit(X, y).predict_proba(X)).any()


def test_weights_and_other_metadata_are_passed_straight_on(data):
    X, y = data
    weight = [1.0] * len(y)
    classifier = CostThresholdClassifier(Recorder()).fit(X, y, weight, note="here")
    assert classifier.estimator_.weight_ is weight
    assert classifier.estimator_.extra_ == {"note": "here"}
    classifier.fit(X, y)
    assert classifier.estimator_.weight_ is None
    assert classifier.estimator_.extra_ == {}


def test_weights_reach_every_step_that_takes_them(data):
    X, y = data
    weight = np.random.default_rng(0).random(len(y))
    scaling = make_pipeline(StandardScaler(), "passthrough")
    model = Pipeline(
        [
            ("pick", ColumnTransformer([("same", "passthrough", [0, 1, 2])])),
            ("scaling", scaling),
            ("end", Recorder()),
        ]
    )
    fitted = CostThresholdClassifier(model).fit(X, y, sample_weight=weight).estimator_
    np.testing.assert_array_equal(fitted["end"].weight_, weight)
    np.testing.assert_allclose(
        fitted["scaling"][0].mean_, np.average(X[:, :3], axis=0, weights=weight), rtol=1e-12
    )
    direct = CostThresholdClassifier(model).fit(X, y, end__sample_weight=weight).estimator_
    np.testing.assert_array_equal(direct["end"].weight_, weight)
    np.testing.assert_allclose(direct["scaling"][0].mean_, X[:, :3].mean(axis=0), atol=1e-12)


def test_weights_with_routing_go_where_they_are_asked_for(data):
    X, y = data
    weight = np.random.default_rng(0).random(len(y))
    with config_context(enable_metadata_routing=True):
        model = make_pipeline(
            StandardScaler().set_fit_request(sample_weight=False),
            Recorder().set_fit_request(sample_weight=True),
        )
        fitted = CostThresholdClassifier(model).fit(X, y, sample_weight=weight).estimator_
        np.testing.assert_array_equal(fitted[-1].weight_, weight)
        np.testing.assert_allclose(fitted[0].mean_, X.mean(axis=0), atol=1e-12)
        with pytest.raises(ValueError, match=r"sample_weight.*not explicitly set as requested"):
            CostThresholdClassifier(LogisticRegression()).fit(X, y, sample_weight=weight)
        # The classifier inside asks, not the wrapper.
        assert not hasattr(CostThresholdClassifier(Recorder()), "set_fit_request")


def test_grid_search_over_a_pipeline_with_routed_weights(data):
    X, y = data
    weight = np.random.default_rng(0).random(len(y))
    with config_context(enable_metadata_routing=True):
        model = CostThresholdClassifier(
            LogisticRegression().set_fit_request(sample_weight=True), cost_matrix=COSTS
        )
        pipeline = make_pipeline(StandardScaler().set_fit_request(sample_weight=True), model)
        grid = {"costthresholdclassifier__estimator__C": [0.01, 1.0]}
        scorer = get_scorer("neg_log_loss").set_score_request(sample_weight=True)
        search = GridSearchCV(pipeline, grid, cv=3, scoring=scorer)
        search.fit(X, y, sample_weight=weight)
    scaler = StandardScaler().fit(X, sample_weight=weight)
    inside = LogisticRegression(C=search.best_params_[next(iter(grid))])
    inside.fit(scaler.transform(X), y, sample_weight=weight)
    np.testing.assert_allclose(
        search.predict_proba(X), inside.predict_proba(scaler.transform(X)), rtol=1e-12
    )


def test_weights_of_the_score_are_routed(data):
    X, y = data
    weight = np.random.default_rng(0).random(len(y))
    with config_context(enable_metadata_routing=True):
        classifier = CostThresholdClassifier(
            LogisticRegression().set_fit_request(sample_weight=False), cost_matrix=COSTS
        ).set_score_request(sample_weight=True)
        folds = KFold(2)
        found = cross_validate(classifier, X, y, cv=folds, params={"sample_weight": weight})
    expected = []
    for train, test in folds.split(X):
        right = classifier.fit(X[train], y[train]).predict(X[test]) == y[test]
        expected.append(np.average(right, weights=weight[test]))
    np.testing.assert_allclose(found["test_score"], expected, rtol=1e-12)


# -- not fitted -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "method",
    [
        "predict",
        "predict_proba",
        "predict_log_proba",
        "conditional_risk",
        "declined",
    ],
)
@pytest.mark.parametrize(
    "inside", [GaussianNB(), FrozenEstimator(GaussianNB().fit([[0], [1]], [0, 1]))]
)
def test_not_fitted(method, inside):
    with pytest.raises(NotFittedError, match="CostThresholdClassifier instance is not fitted"):
        getattr(CostThresholdClassifier(inside), method)([[0.0]])


def test_score_not_fitted():
    with pytest.raises(NotFittedError, match="not fitted"):
        CostThresholdClassifier(GaussianNB()).score([[0.0]], [0])
