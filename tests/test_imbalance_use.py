"""ResampledClassifier inside other things: metadata routing, the recipe, and bad input."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from imblearn.over_sampling import SMOTE, RandomOverSampler
from imblearn.pipeline import make_pipeline as make_imblearn_pipeline
from imblearn.under_sampling import EditedNearestNeighbours, RandomUnderSampler
from sklearn import config_context
from sklearn.compose import make_column_transformer
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.decision import CostThresholdClassifier
from skmetrics_ext.imbalance import ResampledClassifier, resampled_recipe

# One model on all rows, to look at.
by_formula = partial(ResampledClassifier, correction="prior")
UNDER = RandomUnderSampler(random_state=0)
OVER = RandomOverSampler(random_state=0)


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    y = (X[:, 0] + 0.5 * rng.normal(size=300) > 1.2).astype(int)
    return X, y, rng.uniform(0.5, 2, size=300)


class Marked(LogisticRegression):
    """Takes one more thing per row, and keeps it."""

    def fit(self, X, y, sample_weight=None, marks=None, note=None):
        self.X_, self.weights_, self.marks_, self.note_ = X, sample_weight, marks, note
        return super().fit(X, y, sample_weight)


class TestRouting:
    def test_weights_are_the_same_on_and_off(self, data):
        X, y, w = data
        off = by_formula(LogisticRegression(), sampler=UNDER).fit(X, y, sample_weight=w)
        with config_context(enable_metadata_routing=True):
            inner = LogisticRegression().set_fit_request(sample_weight=True)
            on = by_formula(inner, sampler=UNDER).fit(X, y, sample_weight=w)
        np.testing.assert_array_equal(on.estimator_.coef_, off.estimator_.coef_)
        np.testing.assert_array_equal(on.priors_, off.priors_)
        np.testing.assert_array_equal(on.priors_seen_, off.priors_seen_)

    def test_weights_that_are_not_requested_do_not_count(self, data):
        X, y, w = data
        with config_context(enable_metadata_routing=True):
            inner = LogisticRegression().set_fit_request(sample_weight=False)
            clf = by_formula(inner, sampler=UNDER).fit(X, y, sample_weight=w)
            np.testing.assert_allclose(clf.priors_, np.bincount(y) / len(y))
            unset = by_formula(LogisticRegression(), sampler=UNDER)
            with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
                unset.fit(X, y, sample_weight=w)

    @pytest.mark.parametrize("asked_of_the_wrapper_too", [False, True])
    def test_through_a_grid_over_a_pipeline(self, data, asked_of_the_wrapper_too):
        X, y, w = data
        parameters = {"classifier__sampler__sampling_strategy": [0.5, 1.0]}
        with config_context(enable_metadata_routing=True):
            clf = by_formula(Marked().set_fit_request(sample_weight=True), sampler=UNDER)
            if asked_of_the_wrapper_too:
                clf.set_fit_request(sample_weight=True)
            pipe = Pipeline([("scale", StandardScaler()), ("classifier", clf)])
            pipe[0].set_fit_request(sample_weight=False)
            scorer = get_scorer("roc_auc").set_score_request(sample_weight=False)
            grid = GridSearchCV(pipe, parameters, cv=3, scoring=scorer, error_score="raise")
            grid.fit(X, y, sample_weight=w)
        best = grid.best_estimator_[-1]
        np.testing.assert_array_equal(best.estimator_.weights_, w[best.sampler_.sample_indices_])

    def test_through_a_grid_with_routing_off(self, data):
        X, y, w = data
        clf = by_formula(Marked(), sampler=OVER)
        grid = GridSearchCV(clf, {"estimator__C": [0.1, 1]}, cv=3, error_score="raise")
        best = grid.fit(X, y, sample_weight=w).best_estimator_
        np.testing.assert_array_equal(best.estimator_.weights_, w[best.sampler_.sample_indices_])

    def test_what_belongs_to_a_row_follows_it(self, data):
        X, y, w = data
        w = np.where(np.arange(len(w)) % 5 == 0, 0, w)  # and rows of weight zero go
        marks = [f"row {i}" for i in range(len(y))]
        with config_context(enable_metadata_routing=True):
            inner = Marked().set_fit_request(sample_weight="importance", marks=True, note=True)
            clf = by_formula(inner, sampler=UNDER)
            clf.fit(X, y, importance=w, marks=marks, note="not per row")
            fitted = clf.estimator_
            assert fitted.note_ == "not per row"
            rows = [int(mark.split()[1]) for mark in fitted.marks_]
            np.testing.assert_array_equal(X[rows], fitted.X_)
            np.testing.assert_array_equal(w[rows], fitted.weights_)
            assert (w[rows] > 0).all()
            clf.set_params(sampler=SMOTE(random_state=0))
            with pytest.raises(ValueError, match="marks must be equal for all rows"):
                clf.fit(X, y, marks=marks)
            fitted = clf.fit(X, y, marks=["same"] * len(y)).estimator_
            assert list(fitted.marks_) == ["same"] * len(fitted.X_)

    def test_score_takes_weights(self, data):
        X, y, w = data
        clf = by_formula(LogisticRegression(), sampler=UNDER).fit(X, y)
        right = clf.predict(X) == y
        assert clf.score(X, y, sample_weight=w) == pytest.approx(w[right].sum() / w.sum())


class TestRecipe:
    def test_order_and_names(self):
        scaler, model = StandardScaler(), LogisticRegression()
        recipe = resampled_recipe(model, preprocessing=scaler, sampler=UNDER, cost_matrix=None)
        assert isinstance(recipe, CostThresholdClassifier)
        assert isinstance(recipe.estimator, Pipeline)
        assert [name for name, _ in recipe.estimator.steps] == ["preprocessing", "classifier"]
        assert recipe.estimator.named_steps["preprocessing"] is scaler
        classifier = recipe.estimator.named_steps["classifier"]
        assert isinstance(classifier, ResampledClassifier)
        assert classifier.estimator is model
        assert classifier.sampler is UNDER
        assert classifier.correction == "auto"

    def test_without_preprocessing(self, data):
        X, y, _ = data
        recipe = resampled_recipe(LogisticRegression(), sampler=UNDER).fit(X, y)
        assert [name for name, _ in recipe.estimator.steps] == ["classifier"]
        assert recipe.n_features_in_ == 4

    def test_decides_by_cost_on_corrected_probabilities(self, data):
        X, y, w = data
        cost = CostMatrix.binary(false_negative=10, false_positive=1)
        recipe = resampled_recipe(
            LogisticRegression(), preprocessing=StandardScaler(), sampler=UNDER, cost_matrix=cost
        ).fit(X, y, sample_weight=w)
        p = recipe.predict_proba(X)[:, 1]
        assert (recipe.predict(X) == (p >= 1 / 11)).all()
        by_hand = ResampledClassifier(LogisticRegression(), sampler=UNDER).fit(
            StandardScaler().fit(X, sample_weight=w).transform(X), y, sample_weight=w
        )
        scaled = recipe.estimator_[0].transform(X)
        np.testing.assert_allclose(p, by_hand.predict_proba(scaled)[:, 1], rtol=1e-12)
        grid = GridSearchCV(
            recipe, {"estimator__classifier__sampler": [UNDER, OVER]}, cv=3, error_score="raise"
        )
        assert grid.fit(X, y).score(X, y) > 0.7

    def test_costs_see_the_raw_columns(self, data):
        X, y, _ = data
        frame = pd.DataFrame(X, columns=list("abcd")).assign(amount=np.arange(300) + 1000.0)
        seen = []

        def costs(rows):
            seen.append(rows["amount"].min())
            c = np.zeros((len(rows), 2, 2))
            c[:, 0, 1], c[:, 1, 0] = rows["amount"], 50
            return c

        recipe = resampled_recipe(
            LogisticRegression(),
            preprocessing=make_column_transformer((StandardScaler(), list("abcd"))),
            sampler=OVER,
            cost_matrix=costs,
        )
        assert cross_val_score(recipe, frame, y, cv=3, error_score="raise").shape == (3,)
        assert min(seen) >= 1000

    def test_uncorrected_probabilities_are_told_to_the_decision(self, data):
        X, y, _ = data
        raw = ResampledClassifier(LogisticRegression(), sampler=UNDER, correction="none")
        with pytest.warns(UserWarning, match="resampled"):
            CostThresholdClassifier(raw, cost_matrix=[[0, 5], [1, 0]]).fit(X, y)


class TestBadInput:
    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ({"sampler": StandardScaler()}, r"sampler must be None or .* StandardScaler\(\)"),
            ({"sampler": "smote"}, "sampler must be None or an object with fit_resample.*'smote'"),
            ({"sampler": RandomUnderSampler}, "sampler must be None or an object .* got <class"),
            (
                {"correction": "platt"},
                r"correction must be one of \['auto', 'prior', .*got 'platt'",
            ),
            ({"correction": None}, "correction must be one of .* got None"),
            ({"correction": "temperature"}, "temperature scaling has no intercept"),
            ({"ensemble": "yes"}, "ensemble must be True or False; got 'yes'"),
            ({"random_state": "seed"}, "random_state must be None, an int .* got 'seed'"),
            ({"cv": "five"}, "cv"),
            ({"cv": 1}, "k-fold"),
            ({"estimator": LinearSVC()}, r"must have predict_proba: .*most probable.* LinearSVC"),
        ],
    )
    def test_parameters(self, data, parameters, message):
        X, y, _ = data
        given = {"estimator": LogisticRegression(), "sampler": UNDER, **parameters}
        clf = ResampledClassifier(**given)
        with pytest.raises(ValueError, match=message):
            clf.fit(X, y)

    @pytest.mark.parametrize("inside", ["alone", "pipeline"])
    def test_sampler_around_a_frozen_estimator(self, data, inside):
        X, y, _ = data
        frozen = FrozenEstimator(LogisticRegression().fit(X, y))
        model = frozen if inside == "alone" else make_pipeline(StandardScaler(), frozen)
        with pytest.raises(ValueError, match="FrozenEstimator: it does not learn"):
            ResampledClassifier(model, sampler=UNDER).fit(X, y)

    @pytest.mark.parametrize(
        ("y", "message"),
        [
            (["a"] * 6, r"y holds one class only, \['a'\]"),
            (["a", "b", "a", "b", "a", None], "1 missing value"),
            (["a", "b", "a", "b", "a", np.nan], "1 missing value"),
            (np.array([0, 1, 0, 1, 0, np.nan]), "1 missing value"),
            (np.array([0, 1, 0, 1, 0, np.inf]), "y contains infinity"),
            (["a", "b", "a", "b", "a", 1], "mixes words"),
            (np.linspace(0, 1.3, 6), "continuous"),
            (np.eye(6, 2, dtype=int), "Multilabel .* y must be one-dimensional"),
            (["a", "b"], "inconsistent numbers of samples"),
            (None, "requires y to be passed"),
        ],
    )
    @pytest.mark.parametrize("sampler", [None, OVER])
    def test_target(self, y, message, sampler):
        clf = ResampledClassifier(LogisticRegression(), sampler=sampler)
        with pytest.raises(ValueError, match=message):
            clf.fit(np.arange(12.0).reshape(6, 2), y)

    @pytest.mark.parametrize(
        ("w", "message"),
        [
            ([1, 1, 1, 1, 1, -2], "sample_weight must hold finite .* got -2.0"),
            ([1, 1, 1, 1, 1, np.nan], "sample_weight must hold finite .* got nan"),
            ([0] * 6, "sample_weight must not be zero for every row"),
            ([1] * 5, r"one number per row, 6 in all; got an array of shape \(5,\)"),
            ([[1] * 6], r"one number per row, 6 in all; got an array of shape \(1, 6\)"),
        ],
    )
    @pytest.mark.parametrize("sampler", [None, OVER])
    def test_weights(self, w, message, sampler):
        clf = ResampledClassifier(LogisticRegression(), sampler=sampler)
        with pytest.raises(ValueError, match=message):
            clf.fit(np.arange(12.0).reshape(6, 2), [0, 1, 0, 1, 0, 1], sample_weight=w)

    def test_one_class_is_left_by_weights_of_zero(self):
        clf = ResampledClassifier(LogisticRegression(), sampler=OVER)
        with pytest.raises(ValueError, match="positive sample_weight hold one class only"):
            clf.fit(np.arange(4.0)[:, None], [0, 1, 0, 1], sample_weight=[1, 0, 1, 0])

    def test_a_sampler_that_leaves_no_row_of_a_class(self):
        X = np.r_[np.linspace(0, 1, 30), 0.501][:, None]
        y = np.r_[np.zeros(30, int), 1]
        sampler = EditedNearestNeighbours(sampling_strategy="all")
        with pytest.raises(ValueError, match=r"left no row of \[1\]"):
            ResampledClassifier(LogisticRegression(), sampler=sampler).fit(X, y)

    def test_class_weights_that_leave_a_class_out(self, data):
        X, y, _ = data
        clf = ResampledClassifier(LogisticRegression(class_weight={1: 0}))
        with pytest.raises(ValueError, match=r"gives no weight to \[1\]"):
            clf.fit(X, y)

    def test_estimators_that_cannot_take_weights(self, data):
        X, y, w = data
        clf = ResampledClassifier(KNeighborsClassifier(), sampler=UNDER)
        with pytest.raises(TypeError, match="sample_weight"):
            clf.fit(X, y, sample_weight=w)
        clf = ResampledClassifier(make_imblearn_pipeline(UNDER, KNeighborsClassifier()))
        with pytest.raises(ValueError, match="sample_weight cannot be used: no step of"):
            clf.fit(X, y, sample_weight=w)
