"""The rule alone: costs and probabilities in, actions out, against exact arithmetic."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.frozen import FrozenEstimator

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.decision import CostThresholdClassifier
from skmetrics_ext.decision._rule import Rule, choose_rule, conditional_risk, decide

EPS = np.finfo(float).eps


class Given(ClassifierMixin, BaseEstimator):
    """A fitted classifier whose probabilities are X itself."""

    def __init__(self, classes=(0, 1)):
        self.classes = classes

    def fit(self, X, y):
        self.classes_ = np.asarray(self.classes)
        return self

    def predict_proba(self, X):
        return np.asarray(X)


def given_probabilities(cost_matrix, classes=(0, 1), **params):
    """The classifier under test around probabilities that are given as X."""
    inside = Given(classes).fit(None, None)
    X = np.full((len(classes), len(classes)), 1 / len(classes))
    wrapper = CostThresholdClassifier(FrozenEstimator(inside), cost_matrix=cost_matrix, **params)
    return wrapper.fit(X, list(classes))


def two(p):
    p = np.asarray(p, dtype=float)
    return np.column_stack([1 - p, p])


def exact_risks(costs, row):
    return [
        sum(Fraction(c) * Fraction(p) for c, p in zip(costs_of, row, strict=True))
        for costs_of in costs.tolist()
    ]


def exact_decision(costs, row, positive):
    """Least risk by fractions; a tie goes to the positive class of two, else to the first."""
    risks = exact_risks(costs, row)
    cheapest = [i for i, risk in enumerate(risks) if risk == min(risks)]
    return positive if positive in cheapest else cheapest[0]


@st.composite
def whole_costs_and_dyadic_probabilities(draw):
    """Whole costs and probabilities in 64ths: all risks are exact, ties included."""
    n_classes = draw(st.integers(2, 5))
    n_actions = n_classes + draw(st.integers(0, 2))
    costs = draw(arrays(float, (n_actions, n_classes), elements=st.integers(-20, 20)))
    cuts = draw(
        st.lists(
            st.lists(st.integers(0, 64), min_size=n_classes - 1, max_size=n_classes - 1),
            min_size=1,
            max_size=20,
        )
    )
    edges = np.array([[0, *sorted(row), 64] for row in cuts])
    return costs, np.diff(edges, axis=1) / 64


@settings(max_examples=300)
@given(whole_costs_and_dyadic_probabilities(), st.integers(0, 1))
def test_equals_the_exact_minimum_ties_included(case, last):
    costs, probabilities = case
    positive = last if costs.shape[1] == 2 else None
    found = decide(costs, probabilities, choose_rule(costs, positive, np.nan))
    assert found.tolist() == [exact_decision(costs, row, positive) for row in probabilities]


@settings(max_examples=300)
@given(whole_costs_and_dyadic_probabilities(), st.integers(0, 1))
def test_per_row_costs_equal_the_exact_minimum(case, last):
    costs, probabilities = case
    positive = last if costs.shape[1] == 2 else None
    signs = np.where(np.arange(len(probabilities)) % 2, -1.0, 3.0)
    by_row = signs[:, None, None] * costs
    found = decide(by_row, probabilities, Rule("argmin", np.nan, positive))
    expected = [
        exact_decision(matrix, row, positive)
        for matrix, row in zip(by_row, probabilities, strict=True)
    ]
    assert found.tolist() == expected


@settings(max_examples=300)
@given(whole_costs_and_dyadic_probabilities())
def test_the_two_class_classifier_equals_the_exact_minimum(case):
    costs, probabilities = case
    costs, p = costs[:2, :2], probabilities[:, 0]
    if not np.ptp(costs, axis=0).any():
        return
    matrix = CostMatrix(costs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # dominated costs say so
        classifier = given_probabilities(matrix)
        found = classifier.predict(two(p))
    assert found.tolist() == [exact_decision(costs, row, 1) for row in two(p)]


@pytest.mark.parametrize("n_classes", [2, 3, 4, 7])
@pytest.mark.parametrize("n_extra", [0, 1])
def test_random_real_costs_equal_brute_force(n_classes, n_extra):
    rng = np.random.default_rng(n_classes)
    for _ in range(50):
        costs = rng.normal(scale=10, size=(n_classes + n_extra, n_classes))
        probabilities = rng.dirichlet(np.ones(n_classes), size=40)
        found = decide(costs, probabilities, choose_rule(costs, None, np.nan))
        for row, action in zip(probabilities, found, strict=True):
            risks = [float(r) for r in exact_risks(costs, row)]
            assert risks[action] <= min(risks) + 1e-13


@pytest.mark.parametrize(
    ("costs", "rule", "threshold"),
    [
        ([[0, 4], [1, 0]], "threshold", 0.2),
        ([[-1, 5], [1, -2]], "threshold", 2 / 9),
        ([[3, 1], [1, 2]], "reversed", np.nan),
        ([[0, 1], [1, 0]], "threshold", 0.5),
        ([[0, 1], [3, 0]], "threshold", 0.75),
        ([[0, 1], [5, 2]], "always", np.nan),
        ([[1, 1], [0, 0]], "always", np.nan),
        ([[1, 4], [1, 0]], "always", np.nan),
        ([[0, 4], [1, 0], [0.5, 0.5]], "argmin", np.nan),
        ([[0, 1, 2], [1, 0, 1], [2, 1, 0]], "argmin", np.nan),
        ([[0, 1, 2], [1, 2, 3], [1, 2, 3]], "always", np.nan),
    ],
)
def test_rules(costs, rule, threshold):
    positive = 1 if len(costs[0]) == 2 else None
    found = choose_rule(np.array(costs, dtype=float), positive, threshold)
    assert found.name == rule
    np.testing.assert_equal(found.threshold, threshold)


GRID = np.linspace(0, 1, 129)


def test_reversed_costs_answer_positive_up_to_a_probability():
    # fp=1, tn=3, fn=1, tp=2: risk of negative 3 - 2p, of positive 1 + p; equal at 2/3.
    classifier = given_probabilities(
        CostMatrix.binary(false_positive=1, true_negative=3, false_negative=1, true_positive=2)
    )
    assert classifier.rule_ == "reversed"
    assert np.isnan(classifier.threshold_)
    np.testing.assert_array_equal(classifier.predict(two(GRID)), (GRID <= 2 / 3).astype(int))


@pytest.mark.parametrize(
    "costs",
    [
        {"false_positive": 1, "true_negative": 0, "false_negative": 0, "true_positive": 2},
        {"false_positive": 5, "true_negative": 0, "false_negative": 1, "true_positive": 2},
    ],
)
def test_dominated_costs_are_always_negative_and_say_so(costs):
    with pytest.warns(UserWarning, match="answering 0 costs no more than any other answer"):
        classifier = given_probabilities(CostMatrix.binary(**costs))
    assert classifier.rule_ == "always"
    assert np.isnan(classifier.threshold_)
    assert not classifier.predict(two(GRID)).any()
    assert classifier.predict([[0.0, 1.0]]) == [0]


def test_always_positive_names_the_class():
    with pytest.warns(UserWarning, match="'sick' is always the answer"):
        classifier = given_probabilities(
            CostMatrix([[1, 3], [0, 2]], labels=["well", "sick"]), classes=("sick", "well")
        )
    assert set(classifier.predict(two(GRID))) == {"sick"}


def test_a_column_of_equal_costs_decides_nothing():
    # What is equal whatever the answer: only false alarms cost; so never alarm, but where p = 1
    # both answers are free and the tie goes to the positive class.
    with pytest.warns(UserWarning, match="always the answer"):
        classifier = given_probabilities([[0, 7], [1, 7]])
    np.testing.assert_array_equal(classifier.predict(two(GRID)), (GRID == 1).astype(int))


def test_negative_costs_are_gains():
    # Answering positive gains 9 on a case and costs 1 on another: 1 - p <= 9 p from p = 0.1 on.
    classifier = given_probabilities([[0, 0], [1, -9]])
    assert classifier.threshold_ == pytest.approx(0.1, abs=1e-15)
    np.testing.assert_array_equal(classifier.predict(two(GRID)), (GRID >= 0.1).astype(int))


def test_asymmetric_three_classes():
    costs = np.array([[0.0, 2, 50], [1, 0, 10], [3, 1, 0]])
    classifier = given_probabilities(costs, classes=(10, 20, 30))
    assert classifier.rule_ == "argmin"
    assert classifier.pos_label_ is None
    # 20 % of class 30: answering 10 costs 10 + 2 * 0.3, answering 30 costs 1.5 + 0.3.
    assert classifier.predict([[0.5, 0.3, 0.2]]) == [30]
    risks = classifier.conditional_risk([[0.5, 0.3, 0.2]])
    np.testing.assert_allclose(risks, [[10.6, 2.5, 1.8]], rtol=1e-15)


def test_declining_where_both_answers_are_dear():
    # Chow's rule: answer where the larger probability is at least 1 - 0.2.
    cost = CostMatrix([[0, 1], [1, 0]], labels=["no", "yes"]).with_action("refer", cost=0.2)
    classifier = given_probabilities(cost, classes=("no", "yes"))
    X = two(GRID)
    declined = np.maximum(GRID, 1 - GRID) < 0.8
    np.testing.assert_array_equal(classifier.declined(X), declined)
    expected = np.where(declined, "refer", np.where(GRID > 0.5, "yes", "no"))
    np.testing.assert_array_equal(classifier.predict(X), expected)
    assert classifier.actions_.tolist() == ["no", "yes", "refer"]
    assert classifier.conditional_risk(X).shape == (129, 3)
    assert np.isnan(classifier.threshold_)


@pytest.mark.parametrize("n_rows", [1, 2, 3, 64, 1000])
def test_a_probability_equal_to_the_threshold_is_positive(n_rows):
    for fp in range(1, 21):
        for fn in range(1, 21):
            classifier = given_probabilities([[0, fn], [fp, 0]])
            p = classifier.threshold_
            assert p == fp / (fp + fn)
            assert classifier.predict(two(np.full(n_rows, p))).all(), (fp, fn)


def test_ties_go_to_the_positive_class_wherever_it_stands():
    cost = CostMatrix.binary(false_positive=1, false_negative=1, pos_label=0)
    classifier = given_probabilities(cost)
    assert classifier.pos_label_ == 0
    assert classifier.predict([[0.5, 0.5]]) == [0]
    assert given_probabilities(None).predict([[0.5, 0.5]]) == [1]
    assert given_probabilities(None, labels=[1, 0]).predict([[0.5, 0.5]]) == [0]
    assert given_probabilities(None, classes=(0, 1, 2)).predict([[0.3, 0.35, 0.35]]) == [1]


@settings(max_examples=200)
@given(
    st.floats(1e-6, 1e6),
    st.floats(1e-6, 1e6),
    st.floats(-1e3, 1e3),
    st.floats(-1e3, 1e3),
    st.sampled_from([0, 1]),
)
def test_predict_is_p_at_least_the_threshold(fp, fn, tn, tp, pos_label):
    classifier = given_probabilities(
        CostMatrix.binary(
            false_positive=tn + fp,
            false_negative=tp + fn,
            true_negative=tn,
            true_positive=tp,
            pos_label=pos_label,
        )
    )
    t = classifier.threshold_
    far = np.concatenate([np.arange(-60, -8), np.arange(9, 61)]) * EPS + t
    p = np.clip(np.concatenate([GRID, far, np.nextafter(t, [0, 1])]), 0, 1)
    X = two(p) if pos_label == 1 else two(p)[:, ::-1]
    predicted = classifier.predict(X) == pos_label
    agree = predicted == (p >= t)
    assert agree[np.abs(p - t) > 8 * EPS].all()
    assert predicted[p == t].all()
    # And the comparison is that of the risks, computed by fractions.
    costs = classifier.cost_matrix_.to_array()
    for row, is_positive in zip(X, predicted, strict=True):
        risks = exact_risks(costs, row)
        gap = float(risks[classifier.classes_.tolist().index(pos_label)] - min(risks))
        scale = np.ptp(costs, axis=0).max()
        assert is_positive == (gap == 0) or abs(float(risks[0] - risks[1])) < 1e-14 * scale


@pytest.mark.parametrize(("fp", "fn"), [(1, 1), (1, 4), (7, 3), (19, 13), (1, 100), (100, 1)])
def test_a_gap_of_at_most_4_eps_of_the_largest_regret_is_a_tie(fp, fn):
    classifier = given_probabilities([[0, fn], [fp, 0]])
    p = classifier.threshold_ + np.arange(-100, 101) * EPS / 8
    X = two(p)
    gaps = np.array([float(Fraction(fp) * Fraction(a) - Fraction(fn) * Fraction(b)) for a, b in X])
    gaps /= EPS * max(fp, fn)
    found = classifier.predict(X)
    assert found[gaps <= 3.5].all()
    assert not found[gaps >= 4.5].any()
    assert ((gaps > 1) & (gaps <= 3.5)).any()
    assert (gaps >= 4.5).any()


@pytest.mark.parametrize("n_classes", [2, 3, 5, 8])
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_row_does_not_depend_on_the_rows_beside_it(n_classes, order):
    rng = np.random.default_rng(0)
    costs = rng.normal(size=(n_classes + 1, n_classes))
    by_row = rng.normal(size=(301, n_classes + 1, n_classes))
    X = np.asarray(rng.dirichlet(np.ones(n_classes), size=301), order=order)
    for table in (costs, by_row):
        whole = conditional_risk(table, X)
        assert np.allclose(whole, (table * X[:, None, :]).sum(-1), rtol=1e-12, atol=1e-13)
        for size in (1, 2, 7, 100):
            parts = [
                conditional_risk(table[i : i + size] if table.ndim == 3 else table, X[i : i + size])
                for i in range(0, 301, size)
            ]
            np.testing.assert_array_equal(np.concatenate(parts), whole)


@settings(max_examples=200)
@given(
    st.integers(2, 5),
    st.integers(0, 2**32 - 1),
    st.floats(1e-9, 1e9),
    st.integers(-60, 60),
)
def test_scale_and_column_constants_change_no_decision(n_classes, seed, factor, exponent):
    rng = np.random.default_rng(seed)
    costs = rng.normal(scale=5, size=(n_classes, n_classes))
    costs[rng.random(costs.shape) < 0.3] = 0
    if not np.ptp(costs, axis=0).any():
        return
    X = rng.dirichlet(np.ones(n_classes), size=50)
    regrets = costs - costs.min(axis=0)
    risks = np.sort(X @ regrets.T, axis=1)
    clear = risks[:, 1] - risks[:, 0] > 1e-9 * regrets.max()

    def decisions(table):
        matrix = CostMatrix(table)
        positive = 1 if n_classes == 2 else None
        return decide(table, X, choose_rule(table, positive, matrix.threshold))

    expected = decisions(costs)
    np.testing.assert_array_equal(decisions(costs * 2.0**exponent), expected)
    np.testing.assert_array_equal(decisions(costs * factor)[clear], expected[clear])
    shifted = costs + rng.normal(scale=10, size=n_classes)
    np.testing.assert_array_equal(decisions(shifted)[clear], expected[clear])
