"""ResampledClassifier with something to correct: fold models, counts seen, and what it says."""

import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from imblearn.combine import SMOTEENN
from imblearn.over_sampling import ADASYN, SMOTE, RandomOverSampler
from imblearn.pipeline import Pipeline as ImblearnPipeline
from imblearn.pipeline import make_pipeline as make_imblearn_pipeline
from imblearn.under_sampling import NearMiss, RandomUnderSampler
from sklearn import config_context
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.decomposition import PCA
from sklearn.ensemble import HistGradientBoostingClassifier, VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import NearestNeighbors
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from benchmarks.bench_corrections import GENERATORS, MEAN_PROBABILITY, run
from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.decision._priors import correct_priors
from skmetrics_ext.imbalance import (
    ResampledClassifier,
    resampled_recipe,
    threshold_recipe,
    weighted_recipe,
)

UNDER = RandomUnderSampler(random_state=0)
OVER = RandomOverSampler(random_state=0)
BALANCED = LogisticRegression(class_weight="balanced")


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 4))
    y = (X[:, 0] + 0.8 * rng.normal(size=600) > 1.6).astype(int)
    return X, y


class Counting(LogisticRegression):
    n_fits = 0

    def fit(self, X, y, sample_weight=None):
        Counting.n_fits += 1
        return super().fit(X, y, sample_weight)


class TestFits:
    @pytest.mark.parametrize(
        ("parameters", "n_fits"),
        [
            ({"sampler": UNDER}, 5),
            ({"sampler": UNDER, "cv": 3, "correction": "isotonic"}, 3),
            ({"sampler": UNDER, "ensemble": False}, 6),
            ({"sampler": UNDER, "correction": "prior"}, 1),
            ({"sampler": UNDER, "correction": "none"}, 1),
            ({}, 1),  # nothing to correct
        ],
    )
    def test_no_more_than_needed(self, data, parameters, n_fits):
        Counting.n_fits = 0
        clf = ResampledClassifier(Counting(), **parameters).fit(*data)
        assert Counting.n_fits == n_fits
        by_fold = n_fits in (3, 5)
        assert hasattr(clf, "estimators_") == by_fold
        assert hasattr(clf, "estimator_") != by_fold
        assert hasattr(clf, "log_offset_oof_") == (n_fits > 1)
        if by_fold:
            assert len(clf.estimators_) == len(clf.samplers_) == n_fits

    def test_nothing_to_correct_where_classes_are_balanced_already(self):
        # A public report: the sampler reorders the rows, and weights no longer belong to them.
        rng = np.random.default_rng(5)
        X, y, w = rng.normal(size=(80, 3)), np.tile([0, 1], 40), rng.uniform(0.1, 9, 80)
        w[y == 1] *= w[y == 0].sum() / w[y == 1].sum()
        clf = ResampledClassifier(
            LogisticRegression(solver="newton-cholesky", tol=1e-12), sampler=UNDER
        )
        clf.fit(X, y, sample_weight=w)
        aligned = LogisticRegression(solver="newton-cholesky", tol=1e-12).fit(X, y, sample_weight=w)
        assert clf.correction_ == "none"
        np.testing.assert_allclose(clf.estimator_.coef_, aligned.coef_, rtol=0, atol=1e-10)

    def test_mean_of_the_corrected_fold_models(self, data):
        X, y = data
        clf = ResampledClassifier(BALANCED, correction="shift").fit(X, y)
        p = []
        held_out = np.empty(len(y))
        for train, test in StratifiedKFold(5).split(X, y):
            model = clone(BALANCED).fit(X[train], y[train])
            held_out[test] = model.predict_proba(X[test])[:, 1]
            q = model.predict_proba(X)[:, 1]
            odds = np.exp(clf.log_offset_oof_[1])
            p.append(q * odds / (q * odds + 1 - q))
        np.testing.assert_allclose(clf.predict_proba(X)[:, 1], np.mean(p, axis=0))
        shifted = held_out * odds / (held_out * odds + 1 - held_out)
        assert shifted.mean() == pytest.approx(y.mean(), abs=1e-8)
        # Log odds of the priors against even shares.
        assert clf.log_offset_theory_[1] == pytest.approx(np.log(y.mean() / (1 - y.mean())))

    def test_what_an_earlier_fit_left_is_gone(self, data):
        clf = ResampledClassifier(BALANCED).fit(*data)
        assert clf.correction_ in clf.correction_log_loss_
        clf.set_params(correction="prior").fit(*data)
        assert not hasattr(clf, "estimators_")
        assert not hasattr(clf, "correction_log_loss_")
        assert not hasattr(clf, "log_offset_oof_")

    @pytest.mark.parametrize("correction", ["auto", "shift", "sigmoid", "isotonic"])
    def test_three_classes(self, rng, correction):
        y = np.repeat(["a", "b", "c"], [300, 60, 40])
        X = rng.normal(size=(400, 2)) + np.repeat([[0, 0], [1, 0], [0, 1]], [300, 60, 40], axis=0)
        clf = ResampledClassifier(LogisticRegression(), sampler=UNDER, correction=correction)
        p = clf.fit(X, y).predict_proba(X)
        np.testing.assert_allclose(p.sum(axis=1), 1)
        np.testing.assert_allclose(p.mean(axis=0), [0.75, 0.15, 0.1], atol=0.03)

    def test_list_of_splits_with_rows_of_weight_zero(self, data):
        X, y = data
        w = np.ones(len(y))
        w[::7] = 0
        kept = np.flatnonzero(w)
        splits = list(StratifiedKFold(3).split(X[kept], y[kept]))
        listed = ((kept[train], kept[test]) for train, test in splits)
        ours = ResampledClassifier(BALANCED, cv=listed).fit(X, y, sample_weight=w)
        plain = ResampledClassifier(BALANCED, cv=splits).fit(X[kept], y[kept])
        np.testing.assert_allclose(ours.predict_proba(X), plain.predict_proba(X), rtol=1e-9)

    def test_one_split_leaves_nothing_to_choose_by(self, data):
        X, y = data
        split = [next(StratifiedKFold(2).split(X, y))]
        assert ResampledClassifier(BALANCED, cv=split).fit(X, y).correction_ == "shift"


class TestSeen:
    def test_samplers_and_class_weights_multiply(self, data):
        X, y = data
        inner = make_imblearn_pipeline(
            StandardScaler(),
            RandomOverSampler(sampling_strategy=0.8, random_state=0),
            LogisticRegression(class_weight={0: 1, 1: 3}),
        )
        sampler = RandomUnderSampler(sampling_strategy=0.5, random_state=0)
        clf = ResampledClassifier(inner, sampler=sampler, correction="prior").fit(X, y)
        n_negative = 2 * y.sum()
        n_positive = int(0.8 * n_negative)
        seen = np.array([n_negative, 3 * n_positive]) / (n_negative + 3 * n_positive)
        np.testing.assert_allclose(clf.priors_seen_, seen)
        q = clf.estimator_.predict_proba(X)
        np.testing.assert_allclose(clf.predict_proba(X), correct_priors(q, clf.priors_, seen))

    @pytest.mark.parametrize("weights", [None, "random"])
    def test_class_weights_of_three_classes(self, rng, weights):
        y = np.repeat([0, 1, 2], [60, 30, 10])
        X = rng.normal(size=(100, 2))
        w = np.ones(100) if weights is None else rng.uniform(0.5, 2, 100)
        model = LogisticRegression(class_weight={0: 1, 1: 2, 2: 5})
        clf = ResampledClassifier(model, correction="prior").fit(X, y, sample_weight=w)
        total = np.bincount(y, w)
        np.testing.assert_allclose(clf.priors_, total / total.sum())
        total = total * [1, 2, 5]
        np.testing.assert_allclose(clf.priors_seen_, total / total.sum())

    def test_what_needs_no_correction_gets_none(self, data):
        for model in (CalibratedClassifierCV(BALANCED, cv=2), GaussianNB()):
            clf = ResampledClassifier(model).fit(*data)
            assert clf.correction_ == "none"
            np.testing.assert_array_equal(clf.priors_, clf.priors_seen_)

    def test_what_no_formula_knows_is_corrected_by_held_out_rows(self, data):
        X, y = data
        votes = VotingClassifier([("a", BALANCED), ("b", GaussianNB())], voting="soft")
        clf = ResampledClassifier(votes).fit(X, y)
        assert clf.correction_ in ("shift", "sigmoid", "isotonic")
        assert clf.predict_proba(X)[:, 1].mean() == pytest.approx(y.mean(), abs=0.01)


class TestPipelinesThatResample:
    def test_a_sampler_right_before_the_classifier(self, data):
        X, y = data
        clf = ResampledClassifier(make_imblearn_pipeline(UNDER, LogisticRegression())).fit(X, y)
        outside = ResampledClassifier(LogisticRegression(), sampler=UNDER).fit(X, y)
        np.testing.assert_allclose(clf.predict_proba(X), outside.predict_proba(X), rtol=1e-12)

    def test_a_pipeline_as_a_step(self, data):
        # imbalanced-learn: "All intermediate steps of the chain should not be Pipelines".
        X, y = data
        nested = ImblearnPipeline(
            [
                ("before", Pipeline([("scale", StandardScaler()), ("pca", PCA(3))])),
                ("inside", ImblearnPipeline([("sample", OVER), ("model", LogisticRegression())])),
            ]
        )
        flat = make_imblearn_pipeline(StandardScaler(), PCA(3), OVER, LogisticRegression())
        p = ResampledClassifier(nested, correction="prior").fit(X, y).predict_proba(X)
        expected = correct_priors(
            flat.fit(X, y).predict_proba(X), [1 - y.mean(), y.mean()], [0.5, 0.5]
        )
        np.testing.assert_allclose(p, expected, rtol=1e-9)

    def test_weights_follow_every_sampler(self, data):
        X, y = data
        w = np.random.default_rng(1).uniform(0.5, 2, size=len(y))
        inner = make_imblearn_pipeline(
            StandardScaler(), UNDER, StandardScaler(), LogisticRegression()
        )
        clf = ResampledClassifier(inner, correction="prior").fit(X, y, sample_weight=w)
        scaled = StandardScaler().fit(X, sample_weight=w).transform(X)
        _, sampler, again, model = (step for _, step in clf.estimator_.steps)
        rows = sampler.sample_indices_
        after = StandardScaler().fit(scaled[rows], sample_weight=w[rows])
        np.testing.assert_allclose(again.mean_, after.mean_)
        by_hand = LogisticRegression().fit(after.transform(scaled[rows]), y[rows], w[rows])
        np.testing.assert_allclose(model.coef_, by_hand.coef_)
        seen = np.bincount(y[rows], w[rows])
        np.testing.assert_allclose(clf.priors_seen_, seen / seen.sum())
        named = clone(clf).fit(
            X, y, logisticregression__sample_weight=w, **{"standardscaler-1__sample_weight": w}
        )
        assert named.estimator_.steps[-1][1].coef_.shape == (1, 4)

    def test_weights_with_routing_on(self, data):
        X, y = data
        w = np.random.default_rng(1).uniform(0.5, 2, size=len(y))
        off = ResampledClassifier(
            make_imblearn_pipeline(PCA(3), UNDER, LogisticRegression()), correction="prior"
        ).fit(X, y, sample_weight=w)
        with config_context(enable_metadata_routing=True):
            model = LogisticRegression().set_fit_request(sample_weight=True)
            on = ResampledClassifier(
                make_imblearn_pipeline(PCA(3), UNDER, model), correction="prior"
            ).fit(X, y, sample_weight=w)
        np.testing.assert_array_equal(on.predict_proba(X), off.predict_proba(X))

    def test_parameters_of_no_step(self, data):
        clf = ResampledClassifier(make_imblearn_pipeline(UNDER, LogisticRegression()))
        with pytest.raises(ValueError, match=r"named <step>__<parameter>, .* got 'marks'"):
            clf.fit(*data, marks=1)


class TestSays:
    def test_boosting_does_not_follow(self, data):
        model = HistGradientBoostingClassifier(max_iter=60, class_weight="balanced")
        with pytest.warns(UserWarning, match=r"HistGradient.* shifted by -\d.*ask for .*harm"):
            clf = ResampledClassifier(model).fit(*data)
        assert abs(clf.log_offset_oof_[1]) < abs(clf.log_offset_theory_[1]) / 2

    @pytest.mark.parametrize("correction", ["auto", "shift"])
    def test_too_few_rows_for_the_folds(self, data, correction):
        X, y = data
        rows = np.r_[np.flatnonzero(y == 0), np.flatnonzero(y)[:4]]
        clf = ResampledClassifier(LogisticRegression(), sampler=UNDER, correction=correction)
        with pytest.warns(UserWarning, match=r"class 1 has 4 row\(s\), and cv has 5 folds: 'pri"):
            clf.fit(X[rows], y[rows])
        assert clf.correction_ == "prior"
        assert hasattr(clf, "estimator_")

    def test_a_fold_without_a_class(self, data):
        X, y = data
        split = [(np.flatnonzero(y == 0), np.flatnonzero(y))] * 2
        with pytest.warns(UserWarning, match=r"training fold number 0 has 0 row\(s\) of class 1"):
            ResampledClassifier(BALANCED, cv=split).fit(X, y)

    @pytest.mark.parametrize(
        ("sampler", "said"),
        [
            (SMOTE(random_state=0), "k_neighbors of SMOTE=5 became 4"),
            (ADASYN(random_state=0), "n_neighbors of ADASYN=5 became 4"),
            (SMOTEENN(random_state=0), "k_neighbors of SMOTE=5 became 4"),
            (
                SMOTE(k_neighbors=NearestNeighbors(n_neighbors=8), random_state=0),
                "k_neighbors__n_neighbors of SMOTE=8 became 5",
            ),
            (NearMiss(n_neighbors=9), "n_neighbors of NearMiss=9 became 5"),
        ],
    )
    def test_seven_rows_and_five_folds(self, data, sampler, said):
        X, y = data
        rows = np.r_[np.flatnonzero(y == 0)[:150], np.flatnonzero(y)[:7]]
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            clf = ResampledClassifier(GaussianNB(), sampler=sampler).fit(X[rows], y[rows])
        about = [str(w.message) for w in caught if "neighbours among" in str(w.message)]
        assert len(about) == 1
        assert said in about[0]
        assert len(clf.estimators_) == 5
        assert caught[0].filename == __file__

    @pytest.mark.parametrize("kind", ["frame", "dense", "sparse"])
    def test_fractional_dummies(self, data, kind):
        X, y = data
        words = np.where(X[:, 1] > 0.5, "a", np.where(X[:, 2] > 0, "b", "c"))
        dummies = OneHotEncoder(sparse_output=False).fit_transform(words[:, None])
        table = np.column_stack([X, dummies])
        if kind == "frame":
            table = pd.DataFrame(table, columns=[*"stuv", "is_a", "is_b", "is_c"])
        if kind == "sparse":
            table = sp.csr_matrix(table)
        column = "'is_a'" if kind == "frame" else "number 4"
        clf = ResampledClassifier(LogisticRegression(), sampler=SMOTE(random_state=0))
        with pytest.warns(UserWarning, match=rf"3 column.*such as {column}.*SMOTENC") as caught:
            clf.fit(table, y)
        assert len(caught) == 1
        clf.set_params(sampler=OVER).fit(table, y)  # copies: nothing to say


class TestRandomState:
    @pytest.mark.parametrize(
        "make",
        [
            lambda: {"estimator": GaussianNB(), "sampler": RandomUnderSampler()},
            lambda: {"estimator": GaussianNB(), "sampler": SMOTEENN(smote=SMOTE())},
            lambda: {"estimator": make_imblearn_pipeline(RandomUnderSampler(), GaussianNB())},
        ],
    )
    def test_goes_to_samplers_that_have_none(self, data, make):
        X, y = data

        def answer(seed):
            given = make()
            p = ResampledClassifier(**given, random_state=seed, correction="shift", cv=3)
            p = p.fit(X, y).predict_proba(X)
            sampler = given.get("sampler") or given["estimator"][0]
            assert sampler.random_state is None  # a clone was set
            return p

        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*its out-of-fold probabilities ask")
            assert (answer(0) == answer(0)).all()
            assert (answer(0) != answer(1)).any()

    def test_does_not_overrule_one_that_is_set(self, data):
        clf = ResampledClassifier(
            LogisticRegression(), sampler=UNDER, correction="prior", random_state=7
        ).fit(*data)
        assert clf.sampler_.random_state == 0


class TestGroups:
    def test_go_to_a_splitter_that_uses_them(self, data):
        X, y = data
        groups = np.arange(len(y)) % 50
        ours = ResampledClassifier(BALANCED, cv=GroupKFold(5)).fit(X, y, groups=groups)
        splits = list(GroupKFold(5).split(X, y, groups))
        listed = ResampledClassifier(BALANCED, cv=splits).fit(X, y)
        np.testing.assert_array_equal(ours.predict_proba(X), listed.predict_proba(X))
        with config_context(enable_metadata_routing=True):
            on = ResampledClassifier(BALANCED, cv=GroupKFold(5)).fit(X, y, groups=groups)
        np.testing.assert_array_equal(ours.predict_proba(X), on.predict_proba(X))

    def test_rows_that_are_made_have_none(self, data):
        class Grouped(LogisticRegression):
            def fit(self, X, y, sample_weight=None, groups=None):
                self.groups_ = groups
                return super().fit(X, y, sample_weight)

        X, y = data
        groups = np.arange(len(y))
        clf = ResampledClassifier(Grouped(), sampler=UNDER, correction="prior")
        clf.fit(X, y, groups=groups)
        np.testing.assert_array_equal(clf.estimator_.groups_, clf.sampler_.sample_indices_)
        clf.set_params(sampler=SMOTE(random_state=0))
        with pytest.raises(ValueError, match="groups must be equal for all rows"):
            clf.fit(X, y, groups=groups)


class TestRecipes:
    COST = CostMatrix.binary(false_negative=10, false_positive=1)

    def test_threshold(self, data):
        model = LogisticRegression()
        recipe = threshold_recipe(model, preprocessing=StandardScaler(), cost_matrix=self.COST)
        assert [name for name, _ in recipe.estimator.steps] == ["preprocessing", "classifier"]
        assert recipe.estimator.named_steps["classifier"] is model
        p = recipe.fit(*data).predict_proba(data[0])[:, 1]
        assert (recipe.predict(data[0]) == (p >= 1 / 11)).all()
        assert [name for name, _ in threshold_recipe(model).estimator.steps] == ["classifier"]

    def test_weighted(self, data):
        X, y = data
        model = make_pipeline(StandardScaler(), LogisticRegression())
        recipe = weighted_recipe(model, cost_matrix=self.COST)
        inner = recipe.estimator.named_steps["classifier"]
        assert isinstance(inner, ResampledClassifier)
        assert inner.estimator[-1].class_weight == "balanced"
        assert model[-1].class_weight is None
        p = inner.fit(X, y).predict_proba(X)[:, 1]
        assert p.mean() == pytest.approx(y.mean(), abs=0.01)
        kept = weighted_recipe(LogisticRegression(class_weight={0: 1, 1: 2}))
        assert kept.estimator[-1].estimator.class_weight == {0: 1, 1: 2}
        with pytest.raises(ValueError, match=r"must have class_weight; GaussianNB\(\) has none"):
            weighted_recipe(GaussianNB())

    @pytest.mark.parametrize("where", ["estimator", "preprocessing", "both"])
    def test_pipelines_that_resample_are_flattened(self, data, where):
        X, y = data
        scaler, pca, model = StandardScaler(), PCA(3), LogisticRegression()
        given = {
            "estimator": {
                "estimator": ImblearnPipeline([("a", scaler), ("b", OVER), ("c", model)])
            },
            "preprocessing": {
                "estimator": model,
                "preprocessing": ImblearnPipeline([("a", scaler), ("b", OVER)]),
            },
            "both": {
                "estimator": ImblearnPipeline([("b", OVER), ("a", pca), ("c", model)]),
                "preprocessing": Pipeline([("a", scaler)]),
            },
        }[where]
        recipe = resampled_recipe(**given, sampler=None, cost_matrix=self.COST)
        assert [name for name, _ in recipe.estimator.steps] == ["preprocessing", "classifier"]
        before, inner = (step for _, step in recipe.estimator.steps)
        assert before is scaler
        assert inner.sampler is OVER
        if where == "both":
            assert [step for _, step in inner.estimator.steps] == [pca, model]
        else:
            assert inner.estimator is model
        assert 0.5 < recipe.fit(X, y).score(X, y) < 1


@pytest.mark.parametrize("generator", GENERATORS)
def test_auto_is_near_the_best(generator):
    # The whole of it, with forests and five seeds, is benchmarks/bench_corrections.py.
    learners = ("logistic", "boosting") if generator is GENERATORS[2] else ("logistic",)
    runs = list(run(generator, 0, n_train=2000, n_test=10_000, learners=learners))
    assert np.mean([r.regret for r in runs]) < 0.005
    assert max(r.regret for r in runs) < 0.02
    # One seed: the average of five has a bar of a third of this.
    assert max(abs(r.excess) for r in runs) < 3 * MEAN_PROBABILITY
