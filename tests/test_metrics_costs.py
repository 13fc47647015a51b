"""Costs of answers: the mean, the share saved, row by row where the costs differ by row."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import UndefinedMetricWarning

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.counts import ConfusionCounts
from skmetrics_ext.metrics import cost_savings_score, expected_cost_loss

ASYMMETRIC = np.array([[0, 1, 5], [2, 0, 1], [10, 3, 0.0]])


@st.composite
def rows(draw):
    """Truths, answers, costs for each row (n, 3, 3), gains among them, and weights or None."""
    n = draw(st.integers(1, 12))
    column = st.lists(st.integers(0, 2), min_size=n, max_size=n)
    seed = draw(st.integers(0, 999))
    costs = np.random.default_rng(seed).integers(-5, 10, (n, 3, 3)).astype(float)
    weights = draw(st.none() | st.lists(st.floats(0.1, 5), min_size=n, max_size=n))
    return np.array(draw(column)), np.array(draw(column)), costs, weights


def by_hand(y_true, y_pred, costs, weights):
    """Paid, the best constant answer, and the cheapest answer of each row: weighted sums."""
    weights = [1.0] * len(y_true) if weights is None else weights
    paid = sum(w * c[a][t] for w, c, a, t in zip(weights, costs, y_pred, y_true, strict=True))
    baseline = min(
        sum(w * c[a][t] for w, c, t in zip(weights, costs, y_true, strict=True)) for a in range(3)
    )
    oracle = sum(w * min(c[:, t]) for w, c, t in zip(weights, costs, y_true, strict=True))
    return paid, baseline, oracle, sum(weights)


@given(rows())
def test_costs_of_each_row_equal_a_loop(row):
    y_true, y_pred, costs, weights = row
    paid, baseline, oracle, total = by_hand(*row)
    how = {"cost_matrix": costs, "labels": [0, 1, 2], "sample_weight": weights}
    near = pytest.approx
    assert expected_cost_loss(y_true, y_pred, **how) == near(paid / total, abs=1e-12)
    assert expected_cost_loss(y_true, y_pred, normalize=False, **how) == near(paid, abs=1e-11)
    if baseline - oracle > 1e-9:
        savings = (baseline - paid) / (baseline - oracle)
        assert cost_savings_score(y_true, y_pred, **how) == near(savings, rel=1e-9, abs=1e-9)
    else:
        with pytest.warns(UndefinedMetricWarning, match="nothing can be saved"):
            assert cost_savings_score(y_true, y_pred, **how) == 0.0


@given(rows())
def test_one_matrix_for_all_rows_equals_the_same_for_each(row):
    y_true, y_pred, costs, weights = row
    how = {"labels": [0, 1, 2], "sample_weight": weights}
    matrix = costs[0] + np.diag([0, 0, 1e-3])  # not the same whatever is answered
    repeated = np.repeat(matrix[None], len(y_true), axis=0)
    paid, baseline, oracle, total = by_hand(y_true, y_pred, repeated, weights)
    for cost in (matrix, matrix.tolist(), CostMatrix(matrix), CostMatrix(matrix, [0, 1, 2])):
        value = expected_cost_loss(y_true, y_pred, cost_matrix=cost, **how)
        assert value == pytest.approx(paid / total, abs=1e-12)
        value = expected_cost_loss(y_true, y_pred, cost_matrix=cost, normalize=False, **how)
        assert value == pytest.approx(paid, abs=1e-11)
    if baseline - oracle > 1e-9:
        value = cost_savings_score(y_true, y_pred, cost_matrix=matrix, **how)
        assert value == pytest.approx((baseline - paid) / (baseline - oracle), rel=1e-9, abs=1e-9)


def test_the_answer_is_in_the_rows():
    """One row whose truth is 2 and whose answer is 0 costs c[0, 2]."""
    assert expected_cost_loss([2], [0], cost_matrix=ASYMMETRIC, labels=[0, 1, 2]) == 5.0
    turned = CostMatrix.from_confusion_layout(ASYMMETRIC)
    assert expected_cost_loss([2], [0], cost_matrix=turned, labels=[0, 1, 2]) == 10.0


def test_none_is_one_per_mistake():
    assert expected_cost_loss([0, 1, 2, 2], [0, 2, 2, 1]) == 0.5
    assert expected_cost_loss(["c", "a"], ["a", "a"]) == 0.5
    assert expected_cost_loss([0, 1], [1, 0], normalize=False, sample_weight=[2, 3]) == 5.0
    assert isinstance(expected_cost_loss([0, 1], [1, 0]), float)


def test_a_matrix_brings_its_own_labels():
    cost = CostMatrix.from_dict({("legit", "fraud"): 100, ("fraud", "legit"): 1})
    truth, answer = ["fraud", "legit", "fraud"], ["legit", "legit", "fraud"]
    assert expected_cost_loss(truth, answer, cost_matrix=cost) == pytest.approx(100 / 3)
    # A class that no row has: labels of the matrix may be more than those of the data.
    assert expected_cost_loss(["legit"], ["legit"], cost_matrix=cost) == 0.0
    named = {"cost_matrix": [[0, 100], [1, 0]], "labels": ["legit", "fraud"]}
    assert expected_cost_loss(truth, answer, **named) == pytest.approx(100 / 3)
    turned = {"cost_matrix": [[0, 1], [100, 0]], "labels": ["fraud", "legit"]}
    assert expected_cost_loss(truth, answer, **turned) == pytest.approx(100 / 3)


def test_declining_has_its_price():
    cost = CostMatrix([[0, 40], [10, 0]], labels=["no", "yes"]).with_action("ask", cost=3)
    truth, answer = ["no", "yes", "yes", "no"], ["ask", "ask", "no", "no"]
    assert expected_cost_loss(truth, answer, cost_matrix=cost) == (3 + 3 + 40 + 0) / 4
    # The best constant answer is to ask: 3 a row; the oracle pays nothing.
    assert cost_savings_score(truth, answer, cost_matrix=cost) == pytest.approx((12 - 46) / 12)
    assert cost_savings_score(truth, ["ask"] * 4, cost_matrix=cost) == 0.0


def test_gains_do_not_turn_the_ranking_around():
    """Profits only: a ratio of cost to baseline would call the worse answers the better ones."""
    gains = CostMatrix.from_gains([[1, 0], [0, 20]], labels=[0, 1])
    truth = [0, 0, 0, 0, 1, 1]
    answers = {"all right": truth, "one missed": [0, 0, 0, 0, 1, 0], "none found": [0] * 6}
    costs = [expected_cost_loss(truth, a, cost_matrix=gains) for a in answers.values()]
    savings = [cost_savings_score(truth, a, cost_matrix=gains) for a in answers.values()]
    assert costs == sorted(costs)
    assert max(costs) < 0
    assert savings == sorted(savings, reverse=True)
    # Always 1 earns 40, the oracle 44.
    assert savings == [1.0, pytest.approx((24 - 40) / 4), pytest.approx((4 - 40) / 4)]


@pytest.mark.parametrize(
    ("truth", "cost"),
    [
        ([1, 1], None),  # always 1 is the oracle
        ([0, 1], [[0, 0], [1, 1e-300]]),  # answer 0 is the cheapest whatever the truth
        ([0, 1, 1], [[-3, -2], [0, 0]]),
        ([0, 1], np.array([[[0.0, 1.0], [1.0, 2.0]]] * 2)),
    ],
)
def test_nothing_to_save_is_zero_with_a_warning(truth, cost):
    with pytest.warns(UndefinedMetricWarning, match="cost_savings is undefined"):
        value = cost_savings_score(truth, [0] * len(truth), cost_matrix=cost, labels=[0, 1])
    assert value == 0.0


def test_sums_that_do_not_cancel_exactly_leave_nothing_to_save():
    """0.1 + 0.2 is not 0.3: told by regrets, not by a difference of sums."""
    cost = np.array([[0.1, 0.3], [0.4, 0.7]])
    truth = [0] * 7 + [1] * 3
    weights = np.full(10, 0.1)
    for one in (cost, np.repeat(cost[None], 10, axis=0)):
        with pytest.warns(UndefinedMetricWarning, match="cost_savings is undefined"):
            value = cost_savings_score(
                truth, truth, cost_matrix=one, labels=[0, 1], sample_weight=weights
            )
        assert value == 0.0


def test_the_matrix_and_the_counts_agree(rng):
    y_true, y_pred = rng.integers(0, 3, (2, 200))
    counts = ConfusionCounts.from_predictions(y_true, y_pred)
    cost = CostMatrix(ASYMMETRIC, labels=[0, 1, 2])
    value = expected_cost_loss(y_true, y_pred, cost_matrix=cost)
    assert value == pytest.approx(cost.mean_cost(counts), rel=1e-14)
    assert value == pytest.approx(float(counts.estimate("expected_cost", cost_matrix=cost)))


@pytest.mark.parametrize("function", [expected_cost_loss, cost_savings_score])
@pytest.mark.parametrize(
    ("y_true", "y_pred", "how", "error", "message"),
    [
        ([0, 1], [0, 1], {"cost_matrix": [[0, 1]]}, ValueError, r"square.*got shape \(1, 2\)"),
        ([0, 1], [0, 1], {"cost_matrix": [0, 1]}, ValueError, r"two-dimensional.*shape \(2,\)"),
        ([0, 1], [0, 1], {"cost_matrix": [[0, 1], [1]]}, ValueError, "cost_matrix must be a rect"),
        ([0, 1], [0, 1], {"cost_matrix": np.eye(3)}, ValueError, r"2 classes \[0, 1\]; got 3"),
        ([0, 1], [0, 1], {"cost_matrix": [[0, np.nan], [1, 0]]}, ValueError, "finite; got nan at"),
        ([0, 1], [0, 1], {"cost_matrix": [[0, np.inf], [1, 0]]}, ValueError, "finite; got inf at"),
        ([0, 1], [0, 1], {"cost_matrix": [["a", 1], [1, 0]]}, ValueError, "must hold numbers"),
        ([0, 1], [0, 1], {"cost_matrix": [[1, 2], [1, 2]]}, ValueError, "a decision that changes"),
        ([0, 1], [0, 1], {"cost_matrix": {(0, 1): 5}}, TypeError, "from_dict"),
        ([0, 1], [0, 1], {"cost_matrix": len}, TypeError, "must be an array here.*callable"),
        (["f", "l"], ["l", "l"], {"cost_matrix": [[0, 9], [1, 0]]}, ValueError,
         r"are words.*labels=\['f', 'l'\].*CostMatrix.from_dict.*CostMatrix.binary"),
        (["f", "l"], ["l", "l"], {"cost_matrix": CostMatrix([[0, 9], [1, 0]])}, ValueError,
         r"are words.*labels=\['f', 'l'\]"),
        ([0, 1], [0, 1], {"cost_matrix": CostMatrix([[0, 9], [1, 0]], labels=[0, 1]),
                          "labels": [1, 2]}, ValueError, r"not among \[1, 2\]: \[0\]"),
        ([1, 2], [2, 1], {"cost_matrix": CostMatrix([[0, 9], [1, 0]], labels=[0, 1]),
                          "labels": [1, 2]}, ValueError, r"labels=\[1, 2\] must name the same"),
        ([0, 2], [0, 1], {"cost_matrix": [[0, 9], [1, 0]], "labels": [0, 1]}, ValueError,
         r"y_true holds labels that are not among \[0, 1\]: \[2\]"),
        ([0, 1], [0, 1], {"cost_matrix": [[0, 9], [1, 0]], "labels": [0, 0]}, ValueError,
         "labels must name each class once"),
        ([0, 1], [0, 1], {"cost_matrix": np.zeros((3, 2, 2))}, ValueError,
         r"\(rows, answers, classes\) = \(2, 2, 2\).*\[0, 1\]; got shape \(3, 2, 2\)"),
        ([0, 1], [0, 1], {"cost_matrix": np.full((2, 2, 2), np.nan)}, ValueError,
         "must be finite; row 0 holds"),
        (["f", "l"], ["l", "l"], {"cost_matrix": np.zeros((2, 2, 2))}, ValueError,
         r"costs for each row.*are words.*labels=\['f', 'l'\]"),
        ([0, 1], [0, 1], {"sample_weight": [-1, 2]}, ValueError, "sample_weight must not be neg"),
        ([0, 1], [0, 1], {"sample_weight": [-1, 2], "cost_matrix": np.zeros((2, 2, 2))},
         ValueError, "sample_weight must not be negative"),
        ([0, 1], [0], {}, ValueError, "y_true has 2, y_pred has 1"),
        ([], [], {}, ValueError, "y_true is empty"),
        (["a", None], ["a", "a"], {}, ValueError, "y_true has 1 missing value"),
        ([0.5, 1], [0, 1], {}, ValueError, "y_true must hold class labels.*continuous"),
    ],
)  # fmt: skip
def test_bad_input(function, y_true, y_pred, how, error, message):
    with pytest.raises(error, match=message):
        function(y_true, y_pred, **how)
