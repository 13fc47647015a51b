"""The best threshold is the best: against every cut, in fractions, and against a grid."""

import math
from fractions import Fraction

import numpy as np
import pytest
from metric_cases import VARIANTS, one_by_one
from sklearn import metrics as sk
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    PredefinedSplit,
    StratifiedKFold,
    TunedThresholdClassifierCV,
    cross_val_predict,
)
from threshold_cases import Decision, prefit

from skmetrics_ext.decision import ExactThresholdClassifierCV
from skmetrics_ext.metrics import get_metric_scorer
from skmetrics_ext.tables import get_metric, metric_names

BINARY = [
    (name, average, params)
    for name, n_classes, average, params in VARIANTS
    if n_classes == 2 and not (average is None and get_metric(name).averages)
]


def small_input(rng):
    """A few rows, with ties more often than not, half of them weighted (also by zero)."""
    n_rows = int(rng.integers(2, 13))
    y = rng.permutation(np.r_[0, 1, rng.integers(0, 2, n_rows - 2)])
    scores = rng.choice([0.0, 0.1, 0.3, 0.5, 0.8, 1.0], n_rows)
    if rng.random() < 0.4:
        scores = rng.random(n_rows)
    weight = None
    if rng.random() < 0.5:
        weight = rng.choice([0.0, 0.5, 1.0, 1.25, 3.0], n_rows)
        weight[[np.flatnonzero(y == 0)[0], np.flatnonzero(y == 1)[0]]] = [1.0, 0.25]
    return y, scores, weight


def table_at(y, scores, weight, threshold):
    weight = np.ones(len(y)) if weight is None else weight
    said = scores >= threshold
    return [
        [sum((Fraction(w) for w in weight[(y == t) & (said == a)]), Fraction(0)) for a in (0, 1)]
        for t in (0, 1)
    ]


def every_cut(y, scores, weight):
    """The thresholds of brute force: each distinct score, and one above all."""
    rows = slice(None) if weight is None else weight > 0
    return [np.inf, *np.unique(scores[rows])]


def all_values(name, average, params, y, scores, weight):
    """The metric at every cut, as a scorer answers it (NaN: it cannot be the best)."""
    zero = get_metric(name).undefined != "replace"
    values = {}
    for cut in every_cut(y, scores, weight):
        value = one_by_one(name, table_at(y, scores, weight, cut), average, params)
        values[cut] = 0.0 if zero and math.isnan(value) else value
    return values


@pytest.mark.parametrize(
    ("name", "average", "params"),
    BINARY,
    ids=[f"{n}-{a}-{k}" for k, (n, a, _) in enumerate(BINARY)],
)
def test_equal_to_brute_force(name, average, params):
    rng = np.random.default_rng(len(name))
    sign = 1 if get_metric(name).greater_is_better else -1
    averaged = {"average": average} if get_metric(name).averages else {}
    scorer = get_metric_scorer(name, **averaged, **params)
    undefined = 0
    for _ in range(200):
        y, scores, weight = small_input(rng)
        values = all_values(name, average, params, y, scores, weight)
        defined = [sign * value for value in values.values() if not math.isnan(value)]
        if not defined:
            undefined += 1
            with pytest.raises(ValueError, match="undefined at every threshold"):
                prefit(scores, y, sample_weight=weight, scoring=scorer)
            continue
        found = prefit(scores, y, sample_weight=weight, scoring=scorer)
        assert found.best_score_ == pytest.approx(max(defined), rel=1e-12, abs=1e-12)
        table = table_at(y, scores, weight, found.best_threshold_)
        at_best = one_by_one(name, table, average, params)
        at_best = 0.0 if math.isnan(at_best) else at_best
        assert sign * at_best == pytest.approx(max(defined), rel=1e-12, abs=1e-12)
    assert undefined < 100


def test_every_registered_metric_was_tried():
    assert {name for name, _, _ in BINARY} == set(metric_names())


@pytest.mark.parametrize("scoring", ["f1", "accuracy", "balanced_accuracy", "expected_cost"])
def test_ties_go_to_the_nearest_and_cuts_lie_between(scoring, rng):
    for _ in range(200):
        y, scores, weight = small_input(rng)
        found = prefit(scores, y, sample_weight=weight, scoring=scoring, store_cv_results=True)
        rows = slice(None) if weight is None else weight > 0
        distinct = np.unique(scores[rows])
        middles = (distinct[1:] + distinct[:-1]) / 2
        np.testing.assert_array_equal(
            found.cv_results_["thresholds"], [np.inf, *middles[::-1], -np.inf]
        )
        values = all_values(scoring, "binary" if scoring == "f1" else None, {}, y, scores, weight)
        sign = -1 if scoring == "expected_cost" else 1
        in_order = sign * np.array(list(values.values()))[[0, *range(len(distinct), 0, -1)]]
        np.testing.assert_allclose(found.cv_results_["scores"], in_order, atol=1e-12)
        tied = found.cv_results_["thresholds"][in_order >= in_order.max() - 1e-12]
        assert abs(found.best_threshold_ - 0.5) == np.abs(tied - 0.5).min()


def test_words_and_the_first_class_as_the_positive_one(rng):
    """Names of the classes, and which is positive, move no threshold."""
    for _ in range(50):
        y, scores, weight = small_input(rng)
        words = np.array(["well", "ill"])[y]
        one = prefit(scores, y, sample_weight=weight, scoring="fbeta")
        # Of "ill" and "well" the last is "well", so that the score of "ill" is 1 - score.
        other = prefit(1 - scores, words, sample_weight=weight, scoring="fbeta", pos_label="ill")
        assert other.best_score_ == pytest.approx(one.best_score_, abs=1e-12)
        assert other.best_threshold_ == pytest.approx(one.best_threshold_, abs=1e-12)
        answers = np.where(one.predict(scores[:, None]) == 1, "ill", "well")
        # 1 - (1 - s) is not always s, but no threshold lies that close to a score.
        np.testing.assert_array_equal(other.predict(1 - scores[:, None]), answers)


@pytest.mark.parametrize(
    ("scoring", "function"),
    [
        ("balanced_accuracy", sk.balanced_accuracy_score),
        ("f1", sk.f1_score),
        ("matthews_corrcoef", sk.matthews_corrcoef),
        ("jaccard", sk.jaccard_score),
        ("accuracy", sk.accuracy_score),
    ],
)
def test_never_worse_than_a_grid(scoring, function, rng):
    for seed in range(3):
        X = rng.normal(size=(60, 2))
        y = (X[:, 0] + rng.normal(size=60) > 1).astype(int)
        folds = StratifiedKFold(3, shuffle=True, random_state=seed)
        model = LogisticRegression()
        pooled = cross_val_predict(model, X, y, cv=folds, method="predict_proba")[:, 1]
        exact = ExactThresholdClassifierCV(model, scoring=scoring, cv=folds).fit(X, y)
        grid = TunedThresholdClassifierCV(model, scoring=scoring, cv=folds).fit(X, y)
        reached = function(y, pooled >= exact.best_threshold_)
        assert exact.best_score_ == pytest.approx(reached, abs=1e-14)
        assert reached >= function(y, pooled >= grid.best_threshold_)


# ---------------------------------------------------------------------------------------------
# constraints


@pytest.mark.parametrize(
    ("constraint", "exact"),
    [
        (("precision", ">=", 0.75), Fraction(3, 4)),
        (("predicted_positive_rate", "<=", 0.3), Fraction(3, 10)),
        (("expected_cost", "<=", 0.4), Fraction(2, 5)),
        ((get_metric_scorer("fbeta", beta=2), ">=", 0.5), Fraction(1, 2)),
    ],
    ids=str,
)
def test_the_best_among_those_that_satisfy(constraint, exact, rng):
    metric, relation, _ = constraint
    name = metric if isinstance(metric, str) else metric.name
    params = {} if isinstance(metric, str) else {"beta": 2.0}
    average = "binary" if get_metric(name).averages else None
    found_one = 0
    for _ in range(200):
        y, scores, weight = small_input(rng)
        allowed = [
            cut
            for cut in every_cut(y, scores, weight)
            if (v := one_by_one(name, table_at(y, scores, weight, cut), average, params)) == v
            and (v >= float(exact) - 1e-12 if relation == ">=" else v <= float(exact) + 1e-12)
        ]
        of_all = all_values("recall", "binary", {}, y, scores, weight)
        if not allowed:
            with pytest.raises(ValueError, match="satisfied by no threshold; the closest is"):
                prefit(scores, y, sample_weight=weight, scoring="recall", constraint=constraint)
            continue
        found_one += 1
        found = prefit(scores, y, sample_weight=weight, scoring="recall", constraint=constraint)
        assert found.best_score_ == pytest.approx(max(of_all[cut] for cut in allowed), abs=1e-12)
    assert found_one > 50


def test_the_closest_is_named():
    with pytest.raises(
        ValueError,
        match=r"constraint=\('precision', '>=', 0.9\) is satisfied by no threshold; the closest "
        r"is 0\.666667, at the threshold 0\.5",
    ):
        prefit([0.9, 0.8, 0.7, 0.3], [0, 1, 1, 0], constraint=("precision", ">=", 0.9))


def test_where_a_constraint_is_undefined_it_is_not_satisfied_unless_told():
    scores, y = [0.9, 0.8, 0.2], [0, 1, 0]
    constraint = ("precision", ">=", 0.9)
    with pytest.raises(ValueError, match=r"closest is 0\.5"):
        prefit(scores, y, scoring="specificity", constraint=constraint)
    told = (get_metric_scorer("precision", zero_division=1), ">=", 0.9)
    found = prefit(scores, y, scoring="specificity", constraint=told)
    assert (found.best_threshold_, found.best_score_) == (np.inf, 1.0)

    # Undefined is not at most 0.4 either, which would be the best: nobody, whose specificity is 1.
    few = ("precision", "<=", 0.4)
    assert prefit(scores, y, scoring="specificity", constraint=few).best_score_ == 0.5
    # A correlation with a constant is 0 by definition, here as in scikit-learn.
    never = ("matthews_corrcoef", "<=", 0)
    assert prefit([0.1, 0.9], [0, 1], scoring="recall", constraint=never).best_score_ == 1.0
    assert prefit([0.1, 0.9], [0, 1], scoring="recall", constraint=never).best_threshold_ == -np.inf


@pytest.mark.parametrize(
    "params", [{"scoring": "expected_cost"}, {"scoring": "f1", "pos_label": 0}]
)
def test_one_fold_is_all_rows(params, rng):
    for _ in range(20):
        y, scores, weight = small_input(rng)
        found = prefit(scores, y, sample_weight=weight, store_cv_results=True, **params)
        results = found.cv_results_
        np.testing.assert_allclose(results["split0_scores"], results["scores"], atol=1e-12)


# ---------------------------------------------------------------------------------------------
# scores of all kinds


def test_scores_near_1e_9():
    scores = np.array([1e-9, 2e-9, 3e-9, 4e-9])
    found = prefit(scores, [0, 0, 1, 1])
    assert found.best_threshold_ == pytest.approx(2.5e-9, rel=1e-12)
    assert found.best_score_ == 1.0
    np.testing.assert_array_equal(found.predict(scores[:, None]), [0, 0, 1, 1])


@pytest.mark.parametrize(
    ("scores", "threshold"),
    [
        ([-np.inf, -np.inf, 1.0, 2.0], 1.0),  # the midpoint is infinite
        ([-1.0, 0.0, np.inf, np.inf], np.inf),  # likewise: the upper score
        ([-np.inf, -np.inf, np.inf, np.inf], np.inf),  # the midpoint is NaN
        ([1.0, 1.5e308, 1.7e308, 1.7e308], 1.7e308),  # the sum overflows
        ([0.0, 1.0, np.nextafter(1.0, 2), 2.0], np.nextafter(1.0, 2)),  # adjacent numbers
        ([0.0, 0.0, 5e-324, 5e-324], 5e-324),
    ],
)
def test_the_upper_score_where_no_midpoint_is_between(scores, threshold):
    y = [0, 0, 1, 1]
    found = prefit(scores, y, estimator=Decision())
    assert found.best_threshold_ == threshold
    np.testing.assert_array_equal(found.predict(np.array(scores)[:, None]), y)


def test_nobody_is_positive_although_a_score_is_infinite():
    found = prefit([0.0, 1.0, np.inf], [1, 1, 0], estimator=Decision(), scoring="specificity")
    assert np.isnan(found.best_threshold_)
    assert found.best_score_ == 1.0
    np.testing.assert_array_equal(found.predict([[0.0], [np.inf]]), [0, 0])


@pytest.mark.parametrize(("score", "everyone"), [(0.3, False), (0.5, True), (0.7, True)])
def test_one_distinct_score(score, everyone):
    """Both ends are as good, and the one is taken that the threshold 0.5 gives."""
    found = prefit(np.full(6, score), [0, 1] * 3)
    assert found.best_threshold_ == (-np.inf if everyone else np.inf)
    assert found.best_score_ == 0.5
    np.testing.assert_array_equal(found.predict(np.full((3, 1), score)), [int(everyone)] * 3)


def test_both_ends_are_included():
    costs = {"scoring": get_metric_scorer("expected_cost", cost_matrix=[[0, 100], [1, 0]])}
    assert prefit([0.2, 0.9, 0.1], [0, 0, 1], **costs).best_threshold_ == -np.inf
    costs = {"scoring": get_metric_scorer("expected_cost", cost_matrix=[[0, 1], [100, 0]])}
    assert prefit([0.2, 0.9, 0.1], [0, 0, 1], **costs).best_threshold_ == np.inf


def test_float32_scores_and_a_float64_threshold():
    one = np.float32(0.5)
    next_one = np.nextafter(one, np.float32(1))
    scores = np.array([0.1, one, next_one, 0.9], dtype=np.float32)
    y = [0, 0, 1, 1]
    found = prefit(scores, y, estimator=Decision())
    assert isinstance(found.best_threshold_, float)
    assert float(one) < found.best_threshold_ < float(next_one)
    np.testing.assert_array_equal(found.predict(scores[:, None]), y)


def test_two_percent_positives(rng):
    y = (np.arange(1000) < 20).astype(int)
    X = rng.normal(size=(1000, 1)) + 2 * y[:, None]
    model = LogisticRegression()
    found = ExactThresholdClassifierCV(model, scoring="f1").fit(X, y)
    pooled = cross_val_predict(model, X, y, cv=5, method="predict_proba")[:, 1]
    said = pooled >= np.unique(pooled)[:, None]
    best = (2 * (said & (y == 1)).sum(1) / (said.sum(1) + 20)).max()
    assert found.best_score_ == pytest.approx(best, abs=1e-14)
    assert best > sk.f1_score(y, pooled >= 0.5) + 0.05


def test_rounding_alone_makes_no_difference():
    """1/3 + 2/3 and 2/3 + 1/3 differ as floats; the cut nearest to 0.5 is taken all the same."""
    y = np.array([1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1])
    scores = np.linspace(0.02, 0.95, 12)
    found = prefit(scores, y, store_cv_results=True)
    results = found.cv_results_
    tied = results["thresholds"][results["scores"] >= results["scores"].max() - 1e-12]
    assert len(tied) > 1
    assert abs(found.best_threshold_ - 0.5) == np.abs(tied - 0.5).min()


def test_a_fold_without_positives_is_pooled():
    """The first fold holds no positive, neither to score nor, in the other, to learn from."""
    X = np.array([0.1, 0.2, 0.3, 0.6, 0.7, 0.9])[:, None]
    y = np.array([0, 0, 0, 0, 1, 1])
    folds = PredefinedSplit([0, 0, 0, 1, 1, 1])

    class Shares(Decision):
        def predict_proba(self, X):
            p = np.asarray(X)[:, 0]
            return np.stack([1 - p, p], axis=1) if len(self.classes_) == 2 else np.ones((len(X), 1))

    found = ExactThresholdClassifierCV(Shares(), cv=folds, store_cv_results=True).fit(X, y)
    # The model of the second fold has seen no positive: all its scores are 0.
    assert found.cv_results_["thresholds"].shape == (5,)
    np.testing.assert_array_equal(np.isnan(found.cv_results_["split0_scores"]), False)
    assert found.best_score_ == 0.5
    with pytest.raises(ValueError, match="one decision value per row, of two classes"):
        ExactThresholdClassifierCV(
            clone(Shares()), response_method="decision_function", cv=folds
        ).fit(X, y)


def test_a_tie_with_the_threshold_that_no_score_reaches():
    """Nobody and everybody are as good; everybody is what the threshold 0 nearly gives."""
    found = prefit([-1.0, np.inf], [1, 0], estimator=Decision())
    assert (found.best_threshold_, found.best_score_) == (-np.inf, 0.5)


def test_a_constraint_holds_up_to_rounding():
    """Six of eight rows that weigh 0.1 are 0.7499999999999999 of them as floats."""
    y, scores = [1] * 6 + [0] * 3, [0.9] * 8 + [0.1]
    weight = np.full(9, 0.1)
    found = prefit(
        scores, y, sample_weight=weight, scoring="recall", constraint=("precision", ">=", 0.75)
    )
    assert (found.best_threshold_, found.best_score_) == (0.5, 1.0)
    # One of eight is 0.12500000000000003 of them.
    found = prefit(
        [0.9] + [0.1] * 7,
        [1] + [0] * 7,
        sample_weight=np.full(8, 0.1),
        scoring="recall",
        constraint=("predicted_positive_rate", "<=", 0.125),
    )
    assert (found.best_threshold_, found.best_score_) == (0.5, 1.0)
