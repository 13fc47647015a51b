"""ResampledClassifier: what it does to rows, weights and probabilities, and what it refuses."""

import pickle
from functools import partial

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from imblearn.combine import SMOTEENN
from imblearn.over_sampling import SMOTE, RandomOverSampler
from imblearn.under_sampling import (
    AllKNN,
    CondensedNearestNeighbour,
    InstanceHardnessThreshold,
    NearMiss,
    NeighbourhoodCleaningRule,
    OneSidedSelection,
    RandomUnderSampler,
    TomekLinks,
)
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.utils import get_tags

from skmetrics_ext.imbalance import ResampledClassifier

# One model on all rows, to look at; the corrections that need folds have a file of their own.
by_formula = partial(ResampledClassifier, correction="prior")

UNDER = RandomUnderSampler(random_state=0)
OVER = RandomOverSampler(random_state=0)


class Recorder(ClassifierMixin, BaseEstimator):
    """Keeps what `fit` was given, and every row that it was asked about."""

    def fit(self, X, y, sample_weight=None, marks=None):
        self.X_, self.y_, self.sample_weight_, self.marks_ = X, y, sample_weight, marks
        self.classes_ = np.unique(y)
        self.asked_ = []
        return self

    def predict_proba(self, X):
        self.asked_.append(X)
        return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    y = (X[:, 0] + 0.5 * rng.normal(size=300) > 1.2).astype(int)
    assert 30 < y.sum() < 60
    return X, y


class TestRowsAndShares:
    def test_without_a_sampler_nothing_is_changed(self, data):
        X, y = data
        inner = LogisticRegression()
        clf = by_formula(inner).fit(X, y)
        alone = clone(inner).fit(X, y)
        assert (clf.predict_proba(X) == alone.predict_proba(X)).all()
        assert (clf.predict(X) == alone.predict(X)).all()
        assert clf.sampler_ is None
        np.testing.assert_allclose(clf.priors_, [1 - y.mean(), y.mean()], rtol=1e-15)
        np.testing.assert_array_equal(clf.priors_seen_, clf.priors_)

    @pytest.mark.parametrize("sampler", [UNDER, OVER, SMOTE(random_state=0), SMOTEENN()])
    def test_the_estimator_sees_what_the_sampler_gives(self, data, sampler):
        X, y = data
        sampler = clone(sampler).set_params(random_state=3)
        clf = by_formula(Recorder(), sampler=sampler).fit(X, y)
        expected_X, expected_y = clone(sampler).fit_resample(X, y)
        np.testing.assert_array_equal(clf.estimator_.X_, expected_X)
        np.testing.assert_array_equal(clf.estimator_.y_, expected_y)
        np.testing.assert_allclose(clf.priors_, np.bincount(y) / len(y))
        np.testing.assert_allclose(clf.priors_seen_, np.bincount(expected_y) / len(expected_y))

    def test_shares_of_three_classes_at_a_chosen_strategy(self):
        y = np.repeat(["a", "b", "c"], [60, 30, 10])
        X = np.arange(100.0)[:, None]
        sampler = RandomUnderSampler(sampling_strategy={"a": 20, "b": 20}, random_state=0)
        clf = by_formula(Recorder(), sampler=sampler).fit(X, y)
        np.testing.assert_allclose(clf.priors_, [0.6, 0.3, 0.1])
        np.testing.assert_allclose(clf.priors_seen_, [0.4, 0.4, 0.2])
        # The recorder says 1/3 each; 0.6/0.4, 0.3/0.4, 0.1/0.2 are 6/11, 3/11, 2/11.
        np.testing.assert_allclose(clf.predict_proba(X[:1]), [[6 / 11, 3 / 11, 2 / 11]])
        assert clf.predict(X[:2]).tolist() == ["a", "a"]
        np.testing.assert_allclose(clf.predict_log_proba(X[:1]), np.log([[6 / 11, 3 / 11, 2 / 11]]))

    def test_correction_none_leaves_probabilities_and_says_so(self, data):
        X, y = data
        raw = by_formula(LogisticRegression(), sampler=UNDER, correction="none")
        assert raw._distorts_priors
        raw.fit(X, y)
        assert (raw.predict_proba(X) == raw.estimator_.predict_proba(X)).all()
        put_back = by_formula(LogisticRegression(), sampler=UNDER).fit(X, y)
        assert not put_back._distorts_priors
        assert not by_formula(LogisticRegression(), correction="none")._distorts_priors
        q = raw.predict_proba(X)[:, 1]
        odds = (1 - y.mean()) / y.mean()  # one to one was seen
        np.testing.assert_allclose(put_back.predict_proba(X)[:, 1], q / (q + odds * (1 - q)))

    def test_predict_is_the_most_probable_class(self, data):
        X, y = data
        words = np.array(["legit", "fraud"])[y]
        clf = by_formula(GaussianNB(), sampler=OVER).fit(X, words)
        assert clf.classes_.tolist() == ["fraud", "legit"]
        proba = clf.predict_proba(X)
        np.testing.assert_allclose(proba.sum(axis=1), 1, rtol=1e-14)
        assert (clf.predict(X) == clf.classes_[proba.argmax(axis=1)]).all()
        # Corrected, the dear answer is given less often than the estimator alone gives it.
        raw = (clf.estimator_.predict(X) == "fraud").sum()
        assert (clf.predict(X) == "fraud").sum() < raw

    def test_a_probability_of_zero_has_a_logarithm(self):
        X, y = np.arange(20.0)[:, None], np.repeat([0, 1], 10)
        clf = by_formula(
            HistGradientBoostingClassifier(max_iter=1, min_samples_leaf=1), sampler=OVER
        ).fit(X, y)
        clf.estimator_.predict_proba = lambda X: np.array([[1.0, 0.0]])
        assert clf.predict_log_proba(X[:1]).tolist() == [[0.0, -np.inf]]

    def test_no_validation_fold_meets_a_resampled_row(self, data):
        X, y = data
        X = X + np.arange(len(X))[:, None]  # every row can be told from every other
        known = {row.tobytes() for row in X}
        for sampler in (OVER, SMOTE(random_state=0)):
            result = cross_validate(
                by_formula(Recorder(), sampler=sampler),
                X,
                y,
                cv=5,
                return_estimator=True,
                return_indices=True,
                scoring="neg_log_loss",
            )
            for k, clf in enumerate(result["estimator"]):
                test = X[result["indices"]["test"][k]]
                train = {row.tobytes() for row in X[result["indices"]["train"][k]]}
                (asked,) = clf.estimator_.asked_
                np.testing.assert_array_equal(asked, test)
                seen = {row.tobytes() for row in clf.estimator_.X_}
                assert not seen & {row.tobytes() for row in test}
                assert train <= seen  # over-samplers keep the training rows
                if sampler is OVER:
                    assert seen <= known

    def test_sampler_and_estimator_are_cloned(self, data):
        X, y = data
        sampler, inner = RandomUnderSampler(random_state=0), LogisticRegression()
        clf = by_formula(inner, sampler=sampler).fit(X, y)
        assert clf.sampler is sampler
        assert clf.sampler_ is not sampler
        assert not hasattr(sampler, "sample_indices_")
        assert not hasattr(inner, "coef_")


class TestWeights:
    @pytest.mark.parametrize(
        "sampler",
        [
            UNDER,
            OVER,
            RandomOverSampler(random_state=0, shrinkage=0.2),
            NearMiss(),
            TomekLinks(),
            AllKNN(),
            NeighbourhoodCleaningRule(),
            OneSidedSelection(random_state=0),
            CondensedNearestNeighbour(random_state=0),
            InstanceHardnessThreshold(random_state=0, cv=3),
        ],
        ids=lambda sampler: type(sampler).__name__,
    )
    def test_stay_with_their_row(self, data, sampler):
        X, y = data
        w = np.random.default_rng(1).uniform(0.5, 2, size=len(y))
        X = np.column_stack([X, w])
        clf = by_formula(Recorder(), sampler=sampler).fit(X, y, sample_weight=w)
        seen = clf.estimator_
        if getattr(sampler, "shrinkage", None) is None:
            np.testing.assert_array_equal(seen.X_[:, -1], seen.sample_weight_)
        np.testing.assert_array_equal(seen.sample_weight_, w[clf.sampler_.sample_indices_])
        total = np.bincount(y, w)
        np.testing.assert_allclose(clf.priors_, total / total.sum())
        total = np.bincount(seen.y_, seen.sample_weight_)
        np.testing.assert_allclose(clf.priors_seen_, total / total.sum())

    def test_undersampling_balanced_classes_reorders_rows(self):
        # The number of rows is the same before and after, so a length would not tell.
        rng = np.random.default_rng(5)
        X, y, w = rng.normal(size=(80, 3)), np.tile([0, 1], 40), rng.uniform(0.1, 9, 80)
        clf = by_formula(LogisticRegression(tol=1e-12), sampler=UNDER)
        clf.fit(X, y, sample_weight=w)
        aligned = LogisticRegression(tol=1e-12).fit(X, y, sample_weight=w)
        index = clf.sampler_.sample_indices_
        assert sorted(index) == list(range(80))
        assert list(index) != list(range(80))
        np.testing.assert_allclose(clf.estimator_.coef_, aligned.coef_, rtol=0, atol=1e-10)

    @pytest.mark.parametrize("sampler", [UNDER, OVER, SMOTE(random_state=0)])
    def test_rows_of_weight_zero_are_as_if_they_were_not_there(self, data, sampler):
        X, y = data
        w = (np.random.default_rng(2).random(len(y)) < 0.7).astype(float) * 3
        clf = by_formula(Recorder(), sampler=sampler)
        weighted = clone(clf).fit(X, y, sample_weight=w)
        without = clone(clf).fit(X[w > 0], y[w > 0], sample_weight=w[w > 0])
        np.testing.assert_array_equal(weighted.estimator_.X_, without.estimator_.X_)
        assert set(weighted.estimator_.sample_weight_) == {3.0}
        np.testing.assert_array_equal(weighted.priors_, without.priors_)
        np.testing.assert_array_equal(weighted.priors_seen_, without.priors_seen_)

    @pytest.mark.parametrize("sampler", [SMOTE(random_state=0), SMOTEENN(random_state=0)])
    def test_new_rows_take_equal_weights_only(self, data, sampler):
        X, y = data
        clf = by_formula(Recorder(), sampler=sampler)
        clf.fit(X, y, sample_weight=np.full(len(y), 2.5))
        assert clf.estimator_.sample_weight_.tolist() == [2.5] * len(clf.estimator_.y_)
        w = np.ones(len(y))
        w[3] = 2
        with pytest.raises(ValueError, match=r"sample_weight must be equal for all rows .* 2\.0"):
            clf.fit(X, y, sample_weight=w)

    def test_in_a_pipeline_inside(self, data):
        X, y = data
        w = np.random.default_rng(1).uniform(0.5, 2, size=len(y))
        clf = by_formula(make_pipeline(StandardScaler(), LogisticRegression()), sampler=UNDER).fit(
            X, y, sample_weight=w
        )
        index = clf.sampler_.sample_indices_
        by_hand = make_pipeline(StandardScaler(), LogisticRegression()).fit(
            X[index],
            y[index],
            standardscaler__sample_weight=w[index],
            logisticregression__sample_weight=w[index],
        )
        np.testing.assert_array_equal(clf.estimator_[-1].coef_, by_hand[-1].coef_)
        total = np.bincount(y, w)
        np.testing.assert_allclose(clf.priors_, total / total.sum())

    def test_a_sampler_that_misstates_its_rows_is_caught(self, data):
        class Liar(RandomUnderSampler):
            def _fit_resample(self, X, y):
                resampled = super()._fit_resample(X, y)
                self.sample_indices_ = self.sample_indices_[::-1]
                return resampled

        X, y = data
        clf = by_formula(Recorder(), sampler=Liar(random_state=0))
        with pytest.raises(ValueError, match="sample_indices_ rows that are not those"):
            clf.fit(X, y, sample_weight=np.ones(len(y)))


class TestData:
    @pytest.mark.parametrize("sampler", [UNDER, OVER, SMOTE(random_state=0)])
    def test_frames_stay_frames(self, data, sampler):
        X, y = data
        frame = pd.DataFrame(X, columns=list("abcd"))
        clf = by_formula(Recorder(), sampler=sampler).fit(frame, pd.Series(y))
        assert isinstance(clf.estimator_.X_, pd.DataFrame)
        clf = by_formula(LogisticRegression(), sampler=sampler).fit(frame, pd.Series(y))
        assert clf.feature_names_in_.tolist() == list("abcd")
        assert clf.n_features_in_ == 4

    def test_words_and_numbers_in_a_frame(self, data):
        X, y = data
        frame = pd.DataFrame(X, columns=list("abcd"))
        frame["word"] = np.where(X[:, 1] > 0, "up", "down")
        model = make_pipeline(
            make_column_transformer((OneHotEncoder(), ["word"]), remainder=StandardScaler()),
            LogisticRegression(),
        )
        clf = by_formula(model, sampler=UNDER).fit(frame, np.where(y, "yes", "no"))
        assert clf.score(frame, np.where(y, "yes", "no")) > 0.85

    @pytest.mark.parametrize("container", [sp.csr_matrix, sp.csc_array, sp.coo_array])
    def test_sparse(self, data, container):
        X, y = data
        clf = by_formula(LogisticRegression(), sampler=UNDER)
        dense = clone(clf).fit(X, y)
        sparse = clone(clf).fit(container(X), y)
        np.testing.assert_allclose(sparse.predict_proba(X), dense.predict_proba(X), atol=1e-5)

    def test_missing_values(self, data):
        X, y = data
        X[::7, 1] = np.nan
        clf = by_formula(HistGradientBoostingClassifier(max_iter=10), sampler=UNDER)
        assert clf.fit(X, y).score(X, y) > 0.8

    def test_text_without_a_sampler(self):
        from sklearn.feature_extraction.text import TfidfVectorizer

        model = make_pipeline(TfidfVectorizer(), LogisticRegression())
        clf = by_formula(model).fit(["good day", "bad day"] * 5, ["y", "n"] * 5)
        assert clf.predict(["a good one"]).tolist() == ["y"]

    @pytest.mark.parametrize(
        "make",
        [
            lambda y: y.tolist(),
            lambda y: y.astype(bool),
            lambda y: np.where(y, "b", "a").astype(object),
            lambda y: pd.Series(np.where(y, "b", "a"), dtype="category"),
            lambda y: pd.Series(np.where(y, "b", "a"), dtype="string"),
        ],
    )
    def test_labels_of_any_type(self, data, make):
        X, y = data
        labels = make(y)
        alone = LogisticRegression().fit(X, labels)
        clf = by_formula(LogisticRegression(), sampler=OVER).fit(X, labels)
        assert clf.classes_.tolist() == alone.classes_.tolist()
        assert set(clf.predict(X).tolist()) == set(alone.predict(X).tolist())

    def test_tags_hold_where_both_take_it(self):
        tree = HistGradientBoostingClassifier()
        line = LogisticRegression()
        smote = SMOTE()

        def takes(estimator, sampler):
            tags = get_tags(by_formula(estimator, sampler=sampler)).input_tags
            return tags.allow_nan, tags.sparse

        assert takes(tree, None) == (True, False)
        assert takes(tree, UNDER) == (True, False)
        assert takes(tree, smote) == (False, False)
        # scikit-learn 1.6 does not yet say that logistic regression takes sparse rows.
        sparse = get_tags(line).input_tags.sparse
        assert takes(line, None) == (False, sparse)
        assert takes(line, UNDER) == (False, sparse)

        class Bare:
            def fit_resample(self, X, y):
                return X, y

        assert takes(line, Bare()) == (False, False)


class TestInScikitLearn:
    def test_pickled_and_cloned(self, data):
        X, y = data
        clf = by_formula(LogisticRegression(), sampler=UNDER, cv=3).fit(X, y)
        again = pickle.loads(pickle.dumps(clf))
        np.testing.assert_array_equal(again.predict_proba(X), clf.predict_proba(X))
        twin = clone(clf).fit(X, y)
        np.testing.assert_array_equal(twin.predict_proba(X), clf.predict_proba(X))
        assert twin.get_params()["cv"] == 3

    def test_grid_over_nested_parameters(self, data):
        X, y = data
        grid = GridSearchCV(
            by_formula(LogisticRegression(), sampler=UNDER),
            {
                "estimator__C": [0.1, 1],
                "sampler__sampling_strategy": [0.5, 1.0],
                "sampler": [UNDER, OVER],
                "correction": ["none", "prior"],
            },
            cv=3,
            scoring="neg_log_loss",
            error_score="raise",
        ).fit(X, y)
        assert grid.best_params_["correction"] == "prior"

    def test_cv_does_not_change_the_answer(self, data):
        X, y = data
        p = [
            by_formula(LogisticRegression(), sampler=UNDER, cv=cv).fit(X, y) for cv in (5, 2, None)
        ]
        assert (p[0].predict_proba(X) == p[1].predict_proba(X)).all()
        assert (p[0].predict_proba(X) == p[2].predict_proba(X)).all()

    def test_frozen_without_a_sampler(self, data):
        X, y = data
        frozen = FrozenEstimator(LogisticRegression().fit(X, y))
        clf = by_formula(frozen).fit(X[y == 0], y[y == 0])
        assert clf.classes_.tolist() == [0, 1]
        assert clf.priors_.tolist() == [1, 0]
        assert (clf.predict_proba(X) == frozen.predict_proba(X)).all()
