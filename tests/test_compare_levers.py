"""compare_levers: the same folds for all, each fit once, numbers that a loop by hand agrees to."""

import re
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
from imblearn.over_sampling import SMOTE, RandomOverSampler
from imblearn.pipeline import make_pipeline as make_resampling_pipeline
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import (
    average_precision_score,
    brier_score_loss,
    log_loss,
    precision_score,
    recall_score,
    roc_auc_score,
)
from sklearn.model_selection import (
    GroupKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.utils.fixes import parse_version

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.decision import (
    CostThresholdClassifier,
    DoubleCountingWarning,
    ExactThresholdClassifierCV,
)
from skmetrics_ext.imbalance import ResampledClassifier, compare_levers
from skmetrics_ext.imbalance._compare_fold import _noting
from skmetrics_ext.imbalance._compare_stand_ins import Balanced
from skmetrics_ext.intervals import compare_folds
from skmetrics_ext.metrics import cost_scorer

HAS_CALLBACKS = parse_version(sklearn.__version__) >= parse_version("1.9")
LEVERS = [
    "constant",
    "plain_half",
    "plain_cost",
    "calibrated_cost",
    "weighted_cost",
    "weighted_corrected",
    "resampled_cost",
    "resampled_corrected",
    "exact",
]
COST = CostMatrix.binary(false_negative=20, false_positive=1)


def rare(n_samples=600):
    """Rows of which a logistic regression is the true model, some one in ten positive."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_samples, 4))
    return X, (rng.random(n_samples) < expit(-4.5 + 2.5 * X[:, 0] + 2 * X[:, 1])).astype(int)


@pytest.fixture(scope="module")
def data():
    return rare()


@pytest.fixture(scope="module")
def levers(data):
    return compare_levers(LogisticRegression(), *data, cost_matrix=COST, cv=3, random_state=0)


class Recorder(ClassifierMixin, BaseEstimator):
    """Logistic regression that writes down how many rows each fit had, and their weights."""

    fits: list = []

    def __init__(self, class_weight=None):
        self.class_weight = class_weight

    def fit(self, X, y, sample_weight=None):
        Recorder.fits.append((self.class_weight, len(y), X.tobytes()))
        self.model_ = LogisticRegression(class_weight=self.class_weight)
        self.model_.fit(X, y, sample_weight=sample_weight)
        self.classes_ = self.model_.classes_
        return self

    def predict_proba(self, X):
        return self.model_.predict_proba(X)


class WeightsOnly(ClassifierMixin, BaseEstimator):
    """Logistic regression without class_weight, with or without sample_weight."""

    def fit(self, X, y, sample_weight=None):
        self.model_ = LogisticRegression().fit(X, y, sample_weight=sample_weight)
        self.classes_ = self.model_.classes_
        return self

    def predict_proba(self, X):
        return self.model_.predict_proba(X)


# -- the numbers, by hand -----------------------------------------------------------------------


def by_hand(X, y, model_of, answer, cv=3):
    """Cost of each held-out row in a loop, and the probabilities."""
    costs, folds, proba, truth, answers = [], [], [], [], []
    for train, test in StratifiedKFold(cv).split(X, y):
        model = model_of(X[train], y[train])
        paid = []
        for i in test:
            p = model.predict_proba(X[i : i + 1])[0, 1]
            said = answer(p, model)
            paid.append(20 if y[i] == 1 and said == 0 else 1 if y[i] == 0 and said == 1 else 0)
            proba.append(p)
            truth.append(y[i])
            answers.append(said)
        costs += paid
        folds.append(np.mean(paid))
    return np.mean(costs), folds, np.array(proba), np.array(truth), np.array(answers)


@pytest.mark.parametrize(("lever", "threshold"), [("plain_half", 0.5), ("plain_cost", 1 / 21)])
def test_a_loop_by_hand_agrees(data, levers, lever, threshold):
    cost, folds, p, truth, said = by_hand(
        *data, lambda X, y: LogisticRegression().fit(X, y), lambda p, _: int(p >= threshold)
    )
    row = levers[lever]
    assert row.cost.value == pytest.approx(cost, rel=1e-12)
    assert row.cost_by_fold == pytest.approx(folds, rel=1e-12)
    assert row.recall.value == pytest.approx(recall_score(truth, said))
    assert row.precision.value == pytest.approx(precision_score(truth, said))
    assert row.average_precision.value == pytest.approx(average_precision_score(truth, p))
    assert row.roc_auc.value == pytest.approx(roc_auc_score(truth, p))
    assert row.brier_score.value == pytest.approx(brier_score_loss(truth, p))
    assert row.log_loss.value == pytest.approx(log_loss(truth, p))
    assert row.mean_probability.value == pytest.approx(p.mean())
    assert row.mean_probability.prevalence == pytest.approx(truth.mean())


def test_what_counts_twice_is_the_weighted_model_at_the_cost_threshold(data, levers):
    cost, *_ = by_hand(
        *data,
        lambda X, y: LogisticRegression(class_weight="balanced").fit(X, y),
        lambda p, _: int(p >= 1 / 21),
    )
    assert levers["weighted_cost"].cost.value == pytest.approx(cost, rel=1e-12)
    assert levers["weighted_cost"].counts_twice
    assert levers["weighted_cost"].cost.value > 1.5 * levers["weighted_corrected"].cost.value


def test_corrected_levers_are_those_of_resampled_classifier(data, levers):
    X, y = data
    for lever, model in (
        ("weighted_corrected", LogisticRegression(class_weight="balanced")),
        ("resampled_corrected", LogisticRegression()),
    ):
        seeds = np.random.RandomState(0).randint(np.iinfo(np.int32).max, size=3).tolist()
        folds = []
        for (train, test), seed in zip(StratifiedKFold(3).split(X, y), seeds, strict=True):
            sampler = RandomOverSampler() if lever.startswith("resampled") else None
            recipe = CostThresholdClassifier(
                ResampledClassifier(model, sampler=sampler, ensemble=False, random_state=seed),
                cost_matrix=COST,
            ).fit(X[train], y[train])
            paid = COST.to_array()[recipe.predict(X[test]), y[test]]
            folds.append(paid.mean())
        assert levers[lever].cost_by_fold == pytest.approx(folds, rel=1e-12)


def test_the_exact_threshold_is_that_of_the_classifier_which_searches(data, levers):
    X, y = data
    folds = []
    for train, test in StratifiedKFold(3).split(X, y):
        search = ExactThresholdClassifierCV(
            LogisticRegression(), scoring=cost_scorer(COST), pos_label=1, cv=5
        ).fit(X[train], y[train])
        folds.append(COST.to_array()[search.predict(X[test]), y[test]].mean())
    assert levers["exact"].cost_by_fold == pytest.approx(folds, rel=1e-12)


def test_calibration_is_near_that_of_scikit_learn(data, levers):
    # Platt's targets are shrunk there, and not here.
    X, y = data
    p = np.empty(len(y))
    for train, test in StratifiedKFold(3).split(X, y):
        model = CalibratedClassifierCV(LogisticRegression(), ensemble=False)
        p[test] = model.fit(X[train], y[train]).predict_proba(X[test])[:, 1]
    assert levers["calibrated_cost"].log_loss.value == pytest.approx(log_loss(y, p), rel=0.01)


def test_the_constant_answer(data, levers):
    y = data[1]
    row = levers["constant"]
    share = y.mean()
    assert row.cost.value == pytest.approx(min(20 * share, 1 - share))
    assert row.roc_auc.value == 0.5  # folds of other shares must not look like a ranking
    assert row.average_precision.value == pytest.approx(share)
    never = compare_levers(LogisticRegression(), *data, cost_matrix=None, cv=3)["constant"]
    assert never.cost.value == pytest.approx(share)
    assert (never.recall.value, np.isnan(never.precision.value)) == (0.0, True)


def test_differences_are_of_the_same_folds(levers):
    for row in levers.rows:
        if row.lever == "plain_cost":
            assert row.difference is None
            continue
        expected = compare_folds(row.cost_by_fold, levers["plain_cost"].cost_by_fold, 1 / 2)
        assert row.difference == expected


# -- fits ---------------------------------------------------------------------------------------


def test_each_fit_is_done_once(data):
    Recorder.fits = []
    compare_levers(Recorder(), *data, cost_matrix=COST, cv=3, random_state=0)
    # Per fold: all training rows and five folds within them, as they are, weighted, resampled.
    assert len(Recorder.fits) == 3 * 3 * 6
    assert len(set(Recorder.fits)) == len(Recorder.fits)
    plain = [n for weight, n, _ in Recorder.fits if weight is None]
    assert plain.count(400) == 3
    assert sum(weight == "balanced" for weight, *_ in Recorder.fits) == 18


def test_in_parallel_it_is_the_same(data, levers):
    with joblib.parallel_config(backend="loky", n_jobs=2):
        again = compare_levers(LogisticRegression(), *data, cost_matrix=COST, cv=3, random_state=0)
    assert repr(again) == repr(levers)


def test_progress_is_shown_where_somebody_looks(data, levers, capsys, monkeypatch):
    def again():
        found = compare_levers(LogisticRegression(), *data, cost_matrix=COST, cv=3, random_state=0)
        assert repr(found) == repr(levers)
        return re.findall("compare_levers - folds .* 100%", capsys.readouterr().out)

    assert again() == []
    monkeypatch.setattr("skmetrics_ext._sklearn._somebody_looks", lambda: True)
    assert len(again()) == HAS_CALLBACKS
    with joblib.parallel_config("multiprocessing", n_jobs=2):  # gives all folds at the end
        assert len(again()) == HAS_CALLBACKS


def test_no_row_sees_a_resampled_one(data):
    # SMOTE in the recipe's place: after scaling, in training rows only.
    model = make_pipeline(StandardScaler(), LogisticRegression())
    found = compare_levers(model, *data, cost_matrix=COST, cv=3, sampler=SMOTE(random_state=0))
    assert [row.lever for row in found.rows] == LEVERS
    assert {int(row.counts.n.sum()) for row in found.rows} == {600}


def test_without_class_weight_rows_are_weighted(data, levers):
    found = compare_levers(WeightsOnly(), *data, cost_matrix=COST, cv=3, random_state=0)
    for lever in ("weighted_cost", "weighted_corrected"):
        assert found[lever].cost_by_fold == pytest.approx(levers[lever].cost_by_fold, rel=1e-3)
    in_steps = make_pipeline(StandardScaler(), make_pipeline(StandardScaler(), GaussianNB()))
    found = compare_levers(in_steps, *data, cost_matrix=COST, cv=3, random_state=0)
    assert found["weighted_cost"].mean_probability.value > 0.2
    assert found["weighted_corrected"].mean_probability.value == pytest.approx(0.1, abs=0.03)


def test_balanced_multiplies_the_weights(data):
    X, y = data
    w = np.arange(1.0, len(y) + 1)
    ours = Balanced(LogisticRegression()).fit(X, y, sample_weight=w)
    share = np.bincount(y) / len(y)
    theirs = LogisticRegression().fit(X, y, sample_weight=w / (2 * share[y]))
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-9)


def test_where_nothing_can_be_weighted_the_rows_are_left_out(data):
    found = compare_levers(KNeighborsClassifier(), *data, cost_matrix=COST, cv=3, random_state=0)
    assert [row.lever for row in found.rows] == [k for k in LEVERS if "weighted" not in k]
    assert "KNeighborsClassifier has no class_weight" in found.left_out["weighted, corrected"]
    assert "Left out: weighted, corrected" in repr(found)


# -- what is passed on --------------------------------------------------------------------------


def test_weights_count_as_copies_do(data):
    # Equal weights change nothing; a weight of two in a lever's cost is a row twice.
    X, y = data
    w = np.where(np.arange(len(y)) % 3 == 0, 2.0, 1.0)
    found = compare_levers(
        LogisticRegression(), X, y, cost_matrix=COST, cv=3, sample_weight=w, random_state=0
    )
    paid, weights = 0.0, 0.0
    for train, test in StratifiedKFold(3).split(X, y):
        model = LogisticRegression().fit(X[train], y[train], sample_weight=w[train])
        said = (model.predict_proba(X[test])[:, 1] >= 1 / 21).astype(int)
        paid += float(w[test] @ COST.to_array()[said, y[test]])
        weights += w[test].sum()
    assert found["plain_cost"].cost.value == pytest.approx(paid / weights, rel=1e-9)
    assert found["plain_cost"].mean_probability.prevalence == pytest.approx(w @ y / w.sum())


def test_weights_reach_the_steps_of_a_pipeline_and_routing_decides(data):
    X, y = data
    w = np.linspace(1, 2, len(y))
    model = make_pipeline(StandardScaler(), LogisticRegression())
    plain = compare_levers(model, X, y, cost_matrix=COST, cv=3, sample_weight=w, random_state=0)
    with sklearn.config_context(enable_metadata_routing=True):
        routed = make_pipeline(
            StandardScaler().set_fit_request(sample_weight=True),
            LogisticRegression().set_fit_request(sample_weight=True),
        )
        again = compare_levers(
            routed, X, y, cost_matrix=COST, cv=3, sample_weight=w, random_state=0
        )
    assert repr(again) == repr(plain)


@pytest.mark.parametrize("cv", [3, GroupKFold(3)])
def test_groups_stay_together(data, cv):
    class Seer(LogisticRegression):
        """Fails where a group seen in training is asked for."""

        def fit(self, X, y, sample_weight=None):
            self.seen_ = set(X[:, -1])
            return super().fit(X, y, sample_weight)

        def predict_proba(self, X):
            assert not self.seen_ & set(X[:, -1])
            return super().predict_proba(X)

    X, y = data
    groups = np.arange(len(y)) // 5
    found = compare_levers(
        Seer(), np.column_stack([X, groups]), y, cost_matrix=COST, cv=cv, groups=groups
    )
    assert found.n_rows == len(y)


def test_warnings_come_once(data):
    X, y = data
    model = LogisticRegression(max_iter=1)
    with pytest.warns(ConvergenceWarning) as caught:
        compare_levers(model, X, y, cost_matrix=COST, cv=3, random_state=0)
    told = [str(w.message).split(":")[0] for w in caught if w.category is ConvergenceWarning]
    assert told == [f"{way}, in 3 of 3 folds" for way in ("plain", "weighted", "resampled")]


class Complains(Recorder):
    """Warns of two things in each fit, one of them with a number that is never the same."""

    def fit(self, X, y, sample_weight=None):
        warnings.warn(f"fit took {len(Recorder.fits)} tries", UserWarning, stacklevel=2)
        warnings.warn("columns are not scaled", UserWarning, stacklevel=2)
        return super().fit(X, y, sample_weight)


def test_different_warnings_of_one_kind_are_all_told(data):
    Recorder.fits = []
    with pytest.warns(UserWarning, match="not scaled|tries") as caught:
        compare_levers(Complains(), *data, cost_matrix=COST, cv=3, random_state=0)
    told = [str(w.message) for w in caught]
    assert sum("columns are not scaled" in each for each in told) == 3
    assert sum("tries" in each for each in told) == 3


def test_threads_leave_warnings_as_they_are():
    # Threads that gather warnings side by side would end with none being shown any more.
    def gather():
        with _noting("plain", gathered):
            return warnings.filters, warnings.showwarning

    gathered: list = []
    before = warnings.filters, warnings.showwarning
    with ThreadPoolExecutor(1) as pool:
        filters, showwarning = pool.submit(gather).result()
    assert filters is before[0]
    assert showwarning is before[1]
    assert gathered == []
    filters, showwarning = gather()  # in the main thread they are gathered
    assert filters is not before[0]


def test_nothing_is_said_of_what_counts_twice_on_purpose(data):
    with warnings.catch_warnings():
        warnings.simplefilter("error", DoubleCountingWarning)
        compare_levers(LogisticRegression(), *data, cost_matrix=COST, cv=2)


def test_a_forest(data):
    model = RandomForestClassifier(10, random_state=0, max_depth=4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # trees do not follow the shares they see
        found = compare_levers(model, *data, cost_matrix=COST, cv=3, random_state=0)
    assert [row.lever for row in found.rows] == LEVERS


# -- labels and tables --------------------------------------------------------------------------


def test_words_and_frames(data, levers):
    X, y = data
    frame = pd.DataFrame(X, columns=[f"x{k}" for k in range(X.shape[1])])
    words = pd.Series(np.where(y == 1, "fraud", "legit"), index=frame.index)
    cost = CostMatrix.binary(false_negative=20, false_positive=1, pos_label="fraud")
    found = compare_levers(
        LogisticRegression(), frame, words, cost_matrix=cost, cv=3, random_state=0
    )
    # 'fraud' sorts first: the positive class is the first one here, and the last one there.
    assert found.pos_label == "fraud"
    for row, other in zip(found.rows, levers.rows, strict=True):
        if row.lever.startswith("resampled"):
            continue  # the sampler draws the classes in another order
        assert row.cost.value == pytest.approx(other.cost.value, rel=1e-6)
        assert row.recall.value == pytest.approx(other.recall.value)
        assert row.mean_probability.value == pytest.approx(other.mean_probability.value, rel=1e-4)


def test_columns_of_words_go_through_the_pipeline(data):
    X, y = data
    frame = pd.DataFrame({"kind": np.where(X[:, 0] > 0, "a", "b"), "size": X[:, 1].round()})
    model = make_pipeline(OneHotEncoder(handle_unknown="ignore"), LogisticRegression())
    found = compare_levers(model, frame, y, cost_matrix=COST, cv=3, random_state=0)
    assert len(found.rows) == 9


# -- what is answered ---------------------------------------------------------------------------


def test_best_and_what_is_too_close(levers):
    best = levers.best()
    assert best.cost.value == min(row.cost.value for row in levers.rows)
    assert best.close_to_best
    assert best not in levers.too_close_to_call()
    for row in levers.rows:
        if row is not best:
            assert row.close_to_best == (not row.behind_best.low > 0)
            assert row.behind_best.difference == pytest.approx(
                np.mean(row.cost_by_fold) - np.mean(best.cost_by_fold)
            )
    assert not levers["plain_half"].close_to_best
    with pytest.raises(KeyError, match="no lever 'plain'"):
        levers["plain"]


def test_the_text_fits_and_says_it(levers):
    text = repr(levers)
    assert max(map(len, text.splitlines())) <= 100
    assert "All numbers are cross-validated." in text
    assert f"Least cost: {levers.best().name!r}" in text
    row = levers["plain_cost"]
    assert f"{row.recall.numerator:.0f}/{row.recall.denominator:.0f}" in text
    assert "costs twice" in text
    verdict = text[text.index("Least cost") :].replace("\n", " ")
    for other in levers.rows:
        if other is not levers.best():
            assert (repr(other.name) in verdict) == other.close_to_best


@pytest.mark.parametrize("unit", [1e-4, 0.1, 30.0, 3e3, 2e8])
def test_costs_of_any_size_fit(data, unit):
    cost = CostMatrix.binary(false_negative=20 * unit, false_positive=unit)
    found = compare_levers(LogisticRegression(), *data, cost_matrix=cost, cv=2)
    assert max(map(len, repr(found).splitlines())) <= 100
    scale = {1e-4: 1e-6, 2e8: 1e6}.get(unit, 1.0)
    assert ("in 1e" in repr(found)) == (scale != 1)
    shown = re.search(r"plain, by cost +(\S+) \[", repr(found))[1]
    assert float(shown) * scale == pytest.approx(
        found["plain_cost"].cost.value, rel=0.01, abs=5.1e-4 * scale
    )


def test_html_is_escaped(data):
    X, y = data
    words = np.where(y == 1, "<b>ill</b>", "well")
    cost = CostMatrix.binary(false_negative=20, pos_label="<b>ill</b>", neg_label="well")
    html = compare_levers(LogisticRegression(), X, words, cost_matrix=cost, cv=2)._repr_html_()
    assert "<b>" not in html
    assert "&lt;b&gt;ill" in html
    assert html.count("<tr>") == 2 + 9 + 10


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_frames(levers, backend):
    frame = levers.to_frame(backend)
    names = list(frame.column_names if backend == "pyarrow" else frame.columns)
    assert frame.shape[0] == 9
    column = frame["cost"].to_pylist() if backend == "pyarrow" else frame["cost"].to_list()
    assert column == [row.cost.value for row in levers.rows]
    assert {"lever", "roc_auc_low", "recall_numerator", "difference_p_value"} <= set(names)


def test_the_page_shows_what_comes_out():
    page = (Path(__file__).parent.parent / "docs" / "four_levers.md").read_text(encoding="utf-8")
    names: dict = {}
    blocks = re.findall(r"^```(python|text)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert [kind for kind, _ in blocks] == ["python", "text", "python", "text"]
    for kind, block in blocks:
        if kind == "python":
            exec(block, names)
            continue
        number = re.compile(r"\d+\.?\d*")
        shown, out = block, repr(names["levers"])
        assert number.sub("", shown).split() == number.sub("", out).split()
        # Solvers of other versions stop elsewhere, and a row or two may be answered otherwise.
        np.testing.assert_allclose(
            [float(v) for v in number.findall(shown)],
            [float(v) for v in number.findall(out)],
            rtol=0.02,
            atol=0.03,
        )


# -- bad input ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"estimator": LinearSVC()}, r"estimator must have predict_proba.*LinearSVC\(\)"),
        (
            {"estimator": LogisticRegression(class_weight="balanced")},
            "estimator must be plain.*class_weight='balanced'",
        ),
        (
            {"estimator": make_resampling_pipeline(RandomOverSampler(), LogisticRegression())},
            "estimator must be plain.*RandomOverSampler",
        ),
        ({"sampler": StandardScaler()}, "sampler must be None or an object with fit_resample"),
        ({"y": np.arange(600) % 3}, r"y must hold two classes.*got 3: \[0, 1, 2\]"),
        ({"y": np.zeros(600, dtype=int)}, r"y must hold two classes.*got 1: \[0\]"),
        ({"y": None}, "y must be an array of labels; got None"),
        ({"cost_matrix": lambda X: X}, "cost_matrix must be the same for all rows"),
        ({"cost_matrix": COST.with_action(-1, cost=1)}, "must have no actions beside"),
        ({"cost_matrix": np.ones((3, 3)) - np.eye(3)}, "cost_matrix"),
        ({"cv": RepeatedStratifiedKFold(n_splits=2, n_repeats=2)}, "hold out no row twice"),
        ({"cv": ShuffleSplit(1, random_state=0)}, "at least two folds.*got 1"),
        ({"cv": [(range(300), range(300, 600))] * 2}, "row 300 is held out 2 times"),
        ({"sample_weight": -np.ones(600)}, "sample_weight must hold finite numbers"),
    ],
)
def test_bad_input(data, changed, message):
    given = {"estimator": LogisticRegression(), "X": data[0], "y": data[1], "cost_matrix": COST}
    with pytest.raises(ValueError, match=message):
        compare_levers(**{**given, **changed})


def test_a_fold_without_a_class_is_an_error():
    X, y = rare(100)
    order = np.argsort(y, kind="stable")
    cv = [(np.arange(50), np.arange(50, 100)), (np.arange(50, 100), np.arange(50))]
    with pytest.raises(ValueError, match="both classes to train on"):
        compare_levers(LogisticRegression(), X[order], y[order], cost_matrix=COST, cv=cv)


def test_folds_that_train_on_held_out_rows_are_refused(data):
    cv = [(np.arange(600), np.arange(300)), (np.arange(300), np.arange(300, 600))]
    with pytest.raises(ValueError, match=r"in fold 0 row 0 is in both parts, as are 299 more"):
        compare_levers(LogisticRegression(), *data, cost_matrix=COST, cv=cv)


def test_one_training_row_of_a_class_is_too_few():
    X, y = np.arange(40.0)[:, None], np.repeat([0, 1], [38, 2])
    with pytest.raises(ValueError, match=r"too few: 1 row\(s\) of one class"):
        compare_levers(LogisticRegression(), X, y, cost_matrix=COST, cv=2)
