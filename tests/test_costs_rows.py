"""Costs that differ by row: PerRowCosts and evaluate_cost_function."""

import copy
import pickle
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

from skmetrics_ext.costs import CostMatrix, PerRowCosts, evaluate_cost_function

AMOUNTS = [20.0, 900.0, 3.5]


def first_column(X):
    return np.asarray(X)[:, 0]


def fraud(**kwargs):
    said = {"false_negative": "amount", "false_positive": 50}
    return CostMatrix.per_row(**{**said, "pos_label": "fraud", "neg_label": "legit", **kwargs})


def frames(**columns):
    return [pd.DataFrame(columns), pl.DataFrame(columns)]


@pytest.mark.parametrize("k", range(2))
def test_columns_of_any_frame(k):
    X = frames(amount=AMOUNTS, other=["x", "y", "z"])[k]
    cost = fraud()
    expected = [[[0.0, amount], [50.0, 0.0]] for amount in AMOUNTS]  # rows: the prediction
    assert cost(X).tolist() == expected
    assert cost(X).dtype == np.float64
    assert cost.labels.tolist() == ["legit", "fraud"]
    assert cost.pos_label == "fraud"
    more = cost.with_action("ask", cost="amount").with_action("call", cost=4)
    got = more(X)
    assert got.shape == (3, 4, 2)
    assert more.actions.tolist() == ["legit", "fraud", "ask", "call"]
    np.testing.assert_array_equal(got[:, :2], expected)
    np.testing.assert_array_equal(got[:, 2], np.repeat(np.array(AMOUNTS)[:, None], 2, axis=1))
    np.testing.assert_array_equal(got[:, 3], 4)


def test_each_outcome_has_its_place():
    cost = CostMatrix.per_row(
        true_negative=lambda X: X[:, 0],
        false_negative=lambda X: X[:, 1],
        false_positive=lambda X: X[:, 2],
        true_positive=lambda X: X[:, 3],
    )
    X = np.arange(12.0).reshape(3, 4)
    np.testing.assert_array_equal(cost(X), X.reshape(3, 2, 2))


def test_numbers_and_callables_need_no_frame():
    cost = CostMatrix.per_row(false_negative=first_column, true_positive=-2)
    for X in (np.array([[5.0, 1], [6, 1]]), [[5.0, 1], [6, 1]], pd.DataFrame([[5.0, 1], [6, 1]])):
        assert cost(X).tolist() == [[[0, 5], [1, -2]], [[0, 6], [1, -2]]]
    sparse = sp.csr_matrix([[5.0, 1], [6, 1]])
    assert CostMatrix.per_row(false_negative=7)(sparse).tolist() == [[[0, 7], [1, 0]]] * 2
    assert CostMatrix.per_row()(np.zeros((0, 2))).shape == (0, 2, 2)


@pytest.mark.parametrize(
    "column",
    [
        np.array([1, 2], dtype=np.int8),
        np.array([1, 2], dtype=np.float32),
        pd.array([1, 2], dtype="Int64"),
        np.array([Decimal(1), Decimal(2)], dtype=object),
    ],
)
def test_columns_of_numbers_of_any_type(column):
    X = pd.DataFrame({"amount": column})
    np.testing.assert_array_equal(fraud()(X)[:, 0, 1], [1, 2])


def test_columns_that_hold_no_usable_numbers():
    bad = [
        (pd.DataFrame({"amount": ["1", "2"]}), "false_negative='amount' must be a column of num"),
        (pd.DataFrame({"amount": np.array(["1", 2], dtype=object)}), "false_negative='amount'"),
        (pl.DataFrame({"amount": ["1", "2"]}), "must be a column of numbers; its type is String"),
        (pd.DataFrame({"amount": pd.to_datetime(["2020-01-01"])}), "must be a column of numbers"),
        (pd.DataFrame({"amount": [1, np.nan, np.inf]}), r"got nan in row 1 .*2 such rows"),
        (pl.DataFrame({"amount": [1, None]}), r"\(column 'amount'\) must be finite.*in row 1"),
        (pd.DataFrame({"amount": pd.array([1, None], dtype="Int64")}), r"in row 1"),
        (pd.DataFrame({"price": [1]}), r"must be a column of X; its columns are \['price'\]"),
        (pl.DataFrame({"price": [1]}), r"false_negative='amount' must be a column of X"),
    ]
    for X, message in bad:
        with pytest.raises(ValueError, match=message):
            fraud()(X)


def test_a_column_needs_a_frame():
    for X in (np.zeros((2, 2)), [[1, 2]], sp.csr_matrix([[1.0]]), {"amount": [1]}):
        with pytest.raises(TypeError, match=r"false_negative='amount' names a column.*outermost"):
            fraud()(X)
    with pytest.raises(TypeError, match="Collect a lazy frame first"):
        fraud()(pl.LazyFrame({"amount": [1]}))


def test_callables_that_give_something_else():
    X = np.zeros((3, 2))
    for function, message in [
        (lambda X: X, r"false_negative must give one cost for each of the 3 rows.*\(3, 2\)"),
        (lambda X: 1.0, r"gave shape \(\)"),
        (lambda X: X[:2, 0], r"gave shape \(2,\)"),
        (lambda X: np.array(["a", "b", "c"]), r"false_negative must hold numbers"),
        (lambda X: X[:, 0] / np.array([1, np.nan, 1]), r"false_negative must be finite.*row 1"),
    ]:
        with pytest.raises(ValueError, match=message):
            CostMatrix.per_row(false_negative=function)(X)
    bad = CostMatrix.per_row().with_action(-1, cost=lambda X: X[:, 0] + np.inf)
    with pytest.raises(ValueError, match=r"the cost of -1 must be finite.*row 0"):
        bad(X)


def test_what_cannot_be_a_cost():
    with pytest.raises(TypeError, match=r"false_positive must be a number, the name of a column"):
        CostMatrix.per_row(false_positive=[1, 2])
    with pytest.raises(TypeError, match=r"true_negative must be a number.*got None"):
        CostMatrix.per_row(true_negative=None)
    with pytest.raises(ValueError, match=r"false_negative must be finite; got nan"):
        CostMatrix.per_row(false_negative=np.nan)
    with pytest.raises(ValueError, match=r"cost must be finite; got inf"):
        CostMatrix.per_row().with_action(-1, cost=np.inf)
    with pytest.raises(ValueError, match=r"neg_label must differ from pos_label"):
        fraud(neg_label="fraud")
    with pytest.raises(ValueError, match=r"name='legit' is already an action"):
        fraud().with_action("legit", cost=1)
    with pytest.raises(ValueError, match=r"already an action"):
        fraud().with_action("ask", cost=1).with_action("ask", cost=2)
    with pytest.raises(ValueError, match=r"the action -1 must have the type"):
        fraud().with_action(-1, cost=1)


def test_pickles_copies_compares_and_prints():
    cost = fraud(true_positive=first_column).with_action("ask", cost=2.5)
    for again in (pickle.loads(pickle.dumps(cost)), copy.deepcopy(cost)):
        assert again == cost
        assert isinstance(again, PerRowCosts)
    assert cost != fraud()
    simple = fraud(true_negative=-1).with_action("ask", cost=np.float64(2))
    assert eval(repr(simple)) == simple
    assert repr(simple) == (
        "CostMatrix.per_row(false_positive=50, false_negative='amount', true_negative=-1, "
        "pos_label='fraud', neg_label='legit').with_action('ask', cost=2)"
    )
    assert str(cost).splitlines() == [
        "predicting 'legit' when the truth is 'fraud' costs the row's 'amount'",
        "predicting 'fraud' when the truth is 'legit' costs 50",
        "predicting 'fraud' when the truth is 'fraud' costs first_column(X), row by row",
        "answering 'ask' costs 2.5, whatever the truth",
    ]
    with pytest.raises(AttributeError):
        cost.false_positive = 3


# -- evaluate_cost_function ---------------------------------------------------------------------


def stack(X):
    """c[r, i, j] = 100 r + 10 i + j, so that every cell tells where it came from."""
    r, i, j = np.ogrid[: len(X), :3, :3]
    return 100 * r + 10 * i + j


def test_rows_and_columns_go_by_label():
    X = np.zeros((4, 1))
    labels = ["low", "mid", "high"]
    for classes in (["high", "low", "mid"], ["mid"], ["mid", "high"]):
        costs, actions = evaluate_cost_function(stack, X, np.array(classes), labels=labels)
        assert actions.tolist() == classes
        assert costs.dtype == np.float64
        for r in range(4):
            for i, answer in enumerate(classes):
                for j, truth in enumerate(classes):
                    expected = 100 * r + 10 * labels.index(answer) + labels.index(truth)
                    assert costs[r, i, j] == expected


def test_numbers_default_to_sorted_classes():
    costs, actions = evaluate_cost_function(stack, np.zeros((1, 1)), [2, 0, 1])
    assert actions.tolist() == [2, 0, 1]
    assert costs.tolist() == [[[22, 20, 21], [2, 0, 1], [12, 10, 11]]]


def test_per_row_costs_know_their_labels():
    X = pl.DataFrame({"amount": AMOUNTS})
    cost = fraud().with_action("ask", cost="amount")
    costs, actions = evaluate_cost_function(cost, X, ["fraud", "legit"])
    assert actions.tolist() == ["fraud", "legit", "ask"]
    for row, amount in zip(costs, AMOUNTS, strict=True):
        assert row.tolist() == [[0, 50], [amount, 0], [amount, amount]]
    only, actions = evaluate_cost_function(cost, X, ["legit"])
    assert only.shape == (3, 2, 1)
    assert actions.tolist() == ["legit", "ask"]


def test_per_row_costs_find_the_other_class():
    X = np.array([[7.0], [8.0]])
    cost = CostMatrix.per_row(false_negative=first_column, pos_label="bad").with_action("z", cost=1)
    costs, actions = evaluate_cost_function(cost, X, ["bad", "good"])
    assert costs.tolist() == [[[0, 1], [7, 0], [1, 1]], [[0, 1], [8, 0], [1, 1]]]
    assert actions.tolist() == ["bad", "good", "z"]
    costs, _ = evaluate_cost_function(CostMatrix.per_row(false_negative=first_column), X, [0, 1])
    assert costs.tolist() == [[[0, 7], [1, 0]], [[0, 8], [1, 0]]]
    costs, _ = evaluate_cost_function(
        CostMatrix.per_row(false_negative=first_column), X, [False, True]
    )
    assert costs.tolist() == [[[0, 7], [1, 0]], [[0, 8], [1, 0]]]
    costs, _ = evaluate_cost_function(CostMatrix.per_row(true_negative=-5), X, [0])
    assert costs.tolist() == [[[-5]], [[-5]]]


def two(X):
    return np.zeros((len(X), 2, 2)) + [[0, 1], [2, 0]]


def with_hole(X):
    costs = two(X)
    costs[2, 1, 0] = np.nan
    return costs


@pytest.mark.parametrize(
    ("function", "classes", "labels", "message"),
    [
        (two, ["a", "b"], None, r"words.*labels=\['a', 'b'\].*CostMatrix\.per_row"),
        (two, [0, 1, 2], None, r"\(4, 3, 3\).*got shape \(4, 2, 2\)"),
        (
            stack,
            [0, 1],
            None,
            r"\(4, 2, 2\) in the order of \[0, 1\]; got shape \(4, 3, 3\).*labels=",
        ),
        (stack, [0, 5], [0, 1, 2], r"\[5\] have no cost"),
        (lambda X: two(X)[0], [0, 1], None, r"\(4, 2, 2\).*got shape \(2, 2\)"),
        (lambda X: two(X)[:3], [0, 1], None, r"got shape \(3, 2, 2\)"),
        (lambda X: np.zeros((4, 3, 2)), [0, 1], None, r"got shape \(4, 3, 2\)"),
        (with_hole, [0, 1], None, r"row 2 \(the first row is 0\) holds \[\[0.0, 1.0\], \[nan"),
        (two, [0, 1], [0, 0], r"labels must name each class once"),
        (CostMatrix.per_row(), ["a", "b"], None, r"pos_label=1 of cost_matrix is not a class"),
        (CostMatrix.per_row(), [0, 1, 2], None, r"for two classes"),
        (fraud(), ["fraud", "odd"], None, r"\['odd'\] have no cost"),
        (fraud(), ["fraud", "legit"], ["fraud", "odd"], r"must name the same classes"),
        (lambda X: "x", [0, 1], None, r"must hold numbers"),
    ],
)
def test_bad_functions(function, classes, labels, message):
    with pytest.raises(ValueError, match=message):
        evaluate_cost_function(function, np.zeros((4, 1)), np.array(classes), labels=labels)


def test_not_a_function():
    with pytest.raises(TypeError, match=r"must be a callable of X; got \[\[0, 1\], \[1, 0\]\]"):
        evaluate_cost_function([[0, 1], [1, 0]], np.zeros((4, 1)), [0, 1])
