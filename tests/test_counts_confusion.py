"""ConfusionCounts: the tables, what they are made from, and what is made from them."""

import copy
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.counts import ConfusionCounts

count = ConfusionCounts.from_predictions
LETTERS = st.lists(st.sampled_from("abc"), min_size=1, max_size=30)


def value(counts, name, **how):
    return float(counts.estimate(name, confidence_level=None, **how))


# ---------------------------------------------------------------------------------------------
# from rows


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1))
def test_rows_are_counted_as_scikit_learn_does(pairs):
    y_true, y_pred = zip(*pairs, strict=True)
    counts = count(y_true, y_pred, labels=range(5))
    expected = confusion_matrix(y_true, y_pred, labels=range(5))
    np.testing.assert_array_equal(counts.n, expected)
    assert counts.n.dtype == np.int64
    np.testing.assert_array_equal(counts.w, counts.n)
    np.testing.assert_array_equal(counts.w2, counts.n)


def test_weights_give_three_tables(rng):
    y_true, y_pred = rng.integers(0, 3, (2, 500))
    weights = rng.gamma(2, 1, 500)
    counts = count(y_true, y_pred, sample_weight=weights)
    np.testing.assert_array_equal(counts.n, confusion_matrix(y_true, y_pred))
    for table, power in ((counts.w, 1), (counts.w2, 2)):
        expected = confusion_matrix(y_true, y_pred, sample_weight=weights**power)
        np.testing.assert_allclose(table, expected, rtol=1e-12)
    assert counts.w.dtype == counts.w2.dtype == np.float64


@pytest.mark.parametrize(
    "weights", [[1, 2, 3], np.array([[1], [2], [3]]), pd.Series([1, 2, 3]), pl.Series([1.0, 2, 3])]
)
def test_weights_of_any_kind(weights):
    assert count([0, 1, 1], [0, 0, 1], sample_weight=weights).w.tolist() == [[1, 0], [2, 3]]


def test_blocks_of_rows_add_up(rng):
    """More rows than one block holds, with weights and subgroups."""
    y_true, y_pred = rng.integers(-3, 4, (2, 100_000))
    weights = rng.random(100_000)
    by = rng.integers(0, 2, 100_000)
    counts = count(y_true, y_pred, sample_weight=weights, by=by)
    for g in (0, 1):
        rows = by == g
        np.testing.assert_array_equal(counts.n[g], confusion_matrix(y_true[rows], y_pred[rows]))
        expected = confusion_matrix(y_true[rows], y_pred[rows], sample_weight=weights[rows])
        np.testing.assert_allclose(counts.w[g], expected, rtol=1e-10)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, -1], "sample_weight must not be negative; the lowest weight is -1.0"),
        ([1, np.nan], "sample_weight must be finite; 1 weights are NaN or infinite"),
        ([np.inf, np.nan], "sample_weight must be finite; 2 weights"),
        ([0, 0], "sample_weight must not be zero for every row"),
        ([1], r"one weight per row, shape \(2,\); got shape \(1,\)"),
        ([[1, 2]], r"shape \(2,\); got shape \(1, 2\)"),
        (2.0, r"shape \(2,\); got shape \(\)"),
        (["a", "b"], "sample_weight must hold numbers"),
        ([1, None], "sample_weight must be finite; 1 weights"),
    ],
)
def test_weights_that_are_refused(weights, message):
    with pytest.raises(ValueError, match=message):
        count([0, 1], [0, 1], sample_weight=weights)


def test_identifiers_passed_as_labels_are_refused_before_the_memory_is_asked_for():
    with pytest.raises(ValueError, match="1 GiB allowed: 20000 x 20000 distinct"):
        count(np.arange(20_000) * 1000, np.arange(20_000) * 1000)


# ---------------------------------------------------------------------------------------------
# answers that are no class


def test_actions_beyond_the_classes_have_columns_of_their_own():
    counts = count(["a", "b", "b", "a"], ["a", "refer", "b", "b"], actions=["refer"])
    assert counts.labels.tolist() == ["a", "b"]
    assert counts.actions.tolist() == ["a", "b", "refer"]
    assert counts.n.tolist() == [[1, 1, 0], [0, 1, 1]]
    # The classes may be named among the actions.
    named = count(["a", "b", "b", "a"], ["a", "refer", "b", "b"], actions=["refer", "a"],
                  labels=["a", "b"])  # fmt: skip
    assert named == counts
    assert count([0, 1], [0, -1], actions=[-1]).n.tolist() == [[1, 0, 0], [0, 0, 1]]


def test_an_action_that_nobody_took_keeps_its_column():
    counts = count([0, 1], [0, 1], actions=[-1])
    assert counts.n.tolist() == [[1, 0, 0], [0, 1, 0]]


def test_an_action_is_not_a_true_class():
    with pytest.raises(ValueError, match=r"actions=\['b'\] holds \['b'\], which are classes"):
        count(["a", "b"], ["a", "b"], actions=["b"])
    with pytest.raises(ValueError, match=r"y_true holds labels.*among \['a', 'b'\]: \['refer'\]"):
        count(["a", "refer"], ["a", "b"], labels=["a", "b"], actions=["refer"])
    with pytest.raises(ValueError, match="actions must name each class once"):
        count(["a", "b"], ["a", "b"], actions=["x", "x"])


def test_metrics_of_classes_do_not_judge_actions():
    counts = count([0, 1, 1], [0, -1, 1], actions=[-1])
    with pytest.raises(ValueError, match=r"'recall' compares answers with classes.*\[-1\]"):
        counts.estimate("recall")
    assert value(counts, "expected_cost") == pytest.approx(1 / 3)


def test_costs_follow_the_names_of_the_actions():
    """The order of the actions in the counts and in the costs need not be the same."""
    cost = CostMatrix([[0, 9], [1, 0]], labels=[0, 1])
    cost = cost.with_action(-1, cost=0.5).with_action(-2, cost=[7, 8])
    y_true, y_pred = [0, 1, 1, 0, 1], [-1, -1, -2, 1, 0]
    by_hand = (0.5 + 0.5 + 8 + 1 + 9) / 5
    for actions in ([-1, -2], [-2, -1]):
        counts = count(y_true, y_pred, actions=actions)
        assert value(counts, "expected_cost", cost_matrix=cost) == pytest.approx(by_hand)
        assert cost.mean_cost(counts) == pytest.approx(by_hand)
    with pytest.raises(ValueError, match=r"actions are \[-1, -2\], those of the counts \[\]"):
        count([0, 1], [0, 1]).estimate("expected_cost", cost_matrix=cost)


@pytest.mark.parametrize("labels", [["legit", "fraud"], ["fraud", "legit"], [1, 0], [0, 1]])
def test_an_unlabelled_matrix_is_in_the_order_of_the_labels_named(labels):
    first, second = labels
    counts = count([first, second, second], [first, first, second], labels=labels)
    array = [[0, 100], [1, 0]]
    for cost in (array, CostMatrix(array), CostMatrix(array, labels=labels)):
        assert value(counts, "expected_cost", cost_matrix=cost) == pytest.approx(100 / 3)


def test_words_that_nobody_ordered_do_not_say_which_mistake_is_the_dear_one():
    counts = count(["legit", "fraud"], ["legit", "legit"])
    for cost in ([[0, 100], [1, 0]], CostMatrix([[0, 100], [1, 0]])):
        with pytest.raises(ValueError, match=r"\['fraud', 'legit'\] are words.*labels=\[...\]"):
            counts.estimate("expected_cost", cost_matrix=cost)
    named = CostMatrix.binary(false_negative=100, pos_label="fraud")
    assert value(counts, "expected_cost", cost_matrix=named) == 50
    assert value(counts, "expected_cost", cost_matrix=[[0, 3], [3, 0]]) == 1.5


@pytest.mark.parametrize(
    ("cost", "message"),
    [
        (np.ones((3, 3)), r"one row per action.*\(2, 2\); got shape \(3, 3\)"),
        ([[0, np.nan], [1, 0]], "cost_matrix must be finite"),
        ([[0, np.inf], [1, 0]], "cost_matrix must be finite"),
    ],
)  # fmt: skip
def test_costs_that_are_refused(cost, message):
    with pytest.raises(ValueError, match=message):
        count([0, 1], [0, 1]).estimate("expected_cost", cost_matrix=cost)


# ---------------------------------------------------------------------------------------------
# subgroups and clusters


@pytest.mark.parametrize(
    ("by", "groups"),
    [
        (["x", "y", "x", "z"], ("x", "y", "z")),
        ([3, 1, 3, 2], (1, 2, 3)),
        (np.array([0.5, 0.25, 0.5, 1.0]), (0.25, 0.5, 1.0)),
        ([True, False, True, False], (False, True)),
        (pd.Categorical(["x", "y", "x", "z"], ["z", "y", "x", "w"], ordered=True), ("z", "y", "x")),
        (pd.Series(["x", "y", "x", "z"], dtype="category"), ("x", "y", "z")),
        (pl.Series(["x", "y", "x", "z"]), ("x", "y", "z")),
        ([("a", 1), ("a", 0), ("a", 1), ("b", 0)], (("a", 0), ("a", 1), ("b", 0))),
    ],
)
def test_keys_of_subgroups(by, groups):
    counts = count([0, 1, 1, 0], [0, 1, 0, 1], by=by)
    assert counts.groups == groups
    assert counts.n.shape == (len(groups), 2, 2)
    assert counts.n.sum() == 4
    assert counts.total() == count([0, 1, 1, 0], [0, 1, 0, 1])
    assert counts[groups[0]].groups is None


def test_an_unknown_subgroup():
    counts = count([0, 1], [0, 1], by=["x", "y"])
    with pytest.raises(KeyError, match=r"no subgroup 'z'; the subgroups are \['x', 'y'\]"):
        counts["z"]
    with pytest.raises(KeyError, match=r"no subgroup 'x'; the subgroups are \[\]"):
        count([0, 1], [0, 1])["x"]
    with pytest.raises(ValueError, match="by has 1 missing value"):
        count([0, 1], [0, 1], by=["x", None])
    with pytest.raises(ValueError, match="by holds values that cannot be sorted together"):
        count([0, 1], [0, 1], by=["x", 1])


def test_every_subgroup_has_all_classes():
    counts = count([0, 1, 2], [0, 1, 2], by=["x", "y", "y"])
    assert counts["x"].labels.tolist() == [0, 1, 2]
    estimates = counts.estimate("recall", average=None, zero_division=np.nan)
    assert [(e.group, e.pos_label) for e in estimates] == [(g, k) for g in "xy" for k in (0, 1, 2)]
    np.testing.assert_array_equal([e.value for e in estimates], [1, np.nan, np.nan, np.nan, 1, 1])


def test_clusters_keep_the_weight_of_each_cell(rng):
    y_true, y_pred = rng.integers(0, 3, (2, 400))
    patient, by = rng.integers(0, 40, 400), rng.choice(["x", "y"], 400)
    weights = rng.gamma(2, 1, 400)
    for subgroup in (None, by):
        counts = count(
            y_true, y_pred, clusters=patient, by=subgroup, sample_weight=weights, labels=range(3)
        )
        cells = counts.clusters
        tables = np.zeros((40, counts.w.size))
        tables[np.array(cells.names)[cells.cluster], cells.cell] = cells.w
        expected = np.zeros((40, *counts.w.shape))
        where = (patient, y_true, y_pred)
        if subgroup is not None:
            where = (patient, (by == "y").astype(int), y_true, y_pred)
        np.add.at(expected, where, weights)
        np.testing.assert_allclose(tables.reshape(expected.shape), expected, atol=1e-12)
        np.testing.assert_allclose(tables.sum(0).reshape(counts.w.shape), counts.w)


def test_clusters_follow_their_tables(rng):
    """The cells of clusters go where total, [], + and binary send the tables."""

    def table_of(counts):
        table = np.zeros(counts.w.size)
        np.add.at(table, counts.clusters.cell, counts.clusters.w)
        return table.reshape(counts.w.shape)

    y_true, y_pred = rng.integers(0, 3, (2, 200))
    by, patient = rng.choice(["x", "y"], 200), rng.integers(0, 20, 200)
    counts = count(y_true, y_pred, by=by, clusters=patient)
    other = count(
        y_true[:50], y_pred[:50], by=["z"] * 50, clusters=patient[:50] + 10, labels=range(3)
    )
    for made in (counts, counts.total(), counts["y"], counts.binary(2), counts.total().binary(0)):
        np.testing.assert_array_equal(table_of(made), made.w)
    both = counts + other
    assert both.groups == ("x", "y", "z")
    np.testing.assert_array_equal(table_of(both), both.w)
    patients = np.array(both.clusters.names)[both.clusters.cluster]
    assert set(patients) == set(patient) | set(patient[:50] + 10)


# ---------------------------------------------------------------------------------------------
# from tables


def test_from_matrix_in_both_layouts():
    table = [[8, 2, 0], [3, 7, 1], [0, 4, 9]]
    counts = ConfusionCounts.from_matrix(table, labels=["lo", "mid", "hi"])
    turned = ConfusionCounts.from_matrix(np.transpose(table), labels=["lo", "mid", "hi"],
                                         rows="predicted")  # fmt: skip
    assert counts == turned
    assert counts.n.tolist() == table
    assert counts.ordered
    assert np.isfinite(value(counts, "weighted_kappa"))
    frame = pd.DataFrame(table)
    assert ConfusionCounts.from_matrix(frame) == ConfusionCounts.from_matrix(table)


def test_what_a_float_nearly_says_is_rounded():
    counts = ConfusionCounts.from_matrix([[14.000000000000002, 0], [1, 2.9999999999]])
    assert counts.n.tolist() == [[14, 0], [1, 3]]


@pytest.mark.parametrize(
    ("table", "how", "message"),
    [
        ([[1, 2]], {}, r"table must be square.*\(1, 1\); got shape \(1, 2\)"),
        ([1, 2], {}, r"table must be two-dimensional; got shape \(2,\)"),
        ([[1, 2], [3]], {}, "table must hold numbers"),
        ([["a", "b"], ["c", "d"]], {}, "table must hold numbers"),
        ([[1, -2], [3, 4]], {}, "finite and not negative"),
        ([[1, np.nan], [3, 4]], {}, "finite and not negative"),
        ([[0.5, 2], [3, 4]], {}, "whole numbers of rows"),
        ([[0, 0], [0, 0]], {}, "at least one row"),
        ([[1, 2], [3, 4]], {"labels": ["a"]}, r"shape \(1, 1\); got shape \(2, 2\)"),
        ([[1, 2], [3, 4]], {"labels": ["a", "a"]}, "labels must name each class once"),
        ([[1, 2], [3, 4]], {"rows": "truth"}, "rows must be 'true' or 'predicted'; got 'truth'"),
    ],
)
def test_tables_that_are_refused(table, how, message):
    with pytest.raises(ValueError, match=message):
        ConfusionCounts.from_matrix(table, **how)


def test_from_cells_needs_no_layout():
    counts = ConfusionCounts.from_cells(tp=7, fp=2, fn=3, tn=8)
    assert counts.n.tolist() == [[8, 2], [3, 7]]
    assert counts.labels.tolist() == [0, 1]
    assert (value(counts, "recall"), value(counts, "precision")) == (0.7, 7 / 9)
    with pytest.raises(TypeError):
        ConfusionCounts.from_cells(7, 2, 3, 8)
    with pytest.raises(ValueError, match="not negative"):
        ConfusionCounts.from_cells(tp=-1, fp=2, fn=3, tn=8)


# ---------------------------------------------------------------------------------------------
# from counts to counts


@given(LETTERS, st.randoms(use_true_random=False))
def test_adding_is_counting_all_rows(y_true, random):
    y_pred = random.sample(y_true, len(y_true))
    cut = random.randrange(1, len(y_true)) if len(y_true) > 1 else 1
    whole = count(y_true, y_pred, labels=["a", "b", "c"])
    parts = [
        count(y_true[part], y_pred[part], labels=["a", "b", "c"])
        for part in (slice(cut), slice(cut, None))
        if y_true[part]
    ]
    assert parts[0] + parts[-1] == (whole if len(parts) == 2 else parts[0] + parts[0])
    assert sum(parts[1:], parts[0]) == whole


def test_adding_matches_subgroups_by_name():
    one = count([0, 1, 1], [0, 1, 0], by=["x", "x", "y"])
    two = count([0, 1, 1], [1, 1, 0], by=["z", "x", "x"])
    both = one + two
    assert both.groups == ("x", "y", "z")
    together = count([0, 1, 1, 0, 1, 1], [0, 1, 0, 1, 1, 0], by=list("xxyzxx"))
    assert both == together


def test_counts_that_do_not_add_up():
    ab = count(["a", "b"], ["a", "b"])
    with pytest.raises(ValueError, match=r"same labels: \['a', 'b'\] against \['a', 'c'\] "
                       r"\(only left: \['b'\], only right: \['c'\]\)"):  # fmt: skip
        ab + count(["a", "c"], ["a", "c"])
    with pytest.raises(ValueError, match=r"same labels: \['a', 'b'\] against \['b', 'a'\]"):
        ab + count(["a", "b"], ["a", "b"], labels=["b", "a"])
    with pytest.raises(ValueError, match=r"same actions.*only right: \['refer'\]"):
        ab + count(["a", "b"], ["a", "b"], actions=["refer"])
    with pytest.raises(ValueError, match="same use of subgroups: True against False"):
        ab + count(["a", "b"], ["a", "b"], by=[1, 2])
    with pytest.raises(ValueError, match="same use of clusters"):
        ab + count(["a", "b"], ["a", "b"], clusters=[1, 2])
    with pytest.raises(ValueError, match="same priors"):
        ab + ab.at_priors([0.5, 0.5])
    with pytest.raises(ValueError, match="same positive class: 'b' against None"):
        ab.binary("b") + ab
    with pytest.raises(TypeError, match="unsupported operand"):
        ab + 1


@pytest.mark.parametrize("pos_label", ["a", "b", "c"])
def test_one_class_against_the_rest(pos_label, rng):
    y_true, y_pred = rng.choice(list("abc"), (2, 100))
    weights = rng.gamma(2, 1, 100)
    counts = count(y_true, y_pred, sample_weight=weights)
    binary = counts.binary(pos_label)
    expected = count(y_true == pos_label, y_pred == pos_label, sample_weight=weights)
    np.testing.assert_array_equal(binary.n, expected.n)
    np.testing.assert_allclose(binary.w, expected.w, rtol=1e-12)
    np.testing.assert_allclose(binary.w2, expected.w2, rtol=1e-12)
    assert binary.labels.tolist() == [f"not {pos_label}", pos_label]
    for name in ("recall", "specificity", "negative_predictive_value", "positive_likelihood_ratio"):
        one = value(binary, name)  # the positive class is known
        assert one == pytest.approx(value(expected, name), rel=1e-12)
        per_class = counts.estimate(name, average=None, confidence_level=None)
        assert one == pytest.approx(float(per_class["abc".index(pos_label)]), rel=1e-12)
        assert one == pytest.approx(value(counts, name, pos_label=pos_label), rel=1e-12)


def test_binary_of_two_classes_keeps_their_names_and_actions():
    counts = count(["no", "yes", "yes"], ["no", "refer", "yes"], actions=["refer"])
    flipped = counts.binary("no")
    assert flipped.labels.tolist() == ["yes", "no"]
    assert flipped.actions.tolist() == ["yes", "no", "refer"]
    assert flipped.n.tolist() == [[1, 0, 1], [0, 1, 0]]
    with pytest.raises(ValueError, match="pos_label='maybe' is not a class"):
        counts.binary("maybe")
    with pytest.raises(ValueError, match=r"binary\(\) after at_priors\(\)"):
        counts.at_priors([0.5, 0.5]).binary("no")


@pytest.mark.parametrize(
    ("priors", "message"),
    [
        ([0.5, 0.5], r"one share per class, shape \(3,\).*got shape \(2,\)"),
        ([0.5, 0.6, 0.1], r"priors must sum to 1; \[0.5, 0.6, 0.1\] sum to 1.2"),
        ([1.5, -0.5, 0], "finite and not negative"),
        ([np.nan, 0.5, 0.5], "finite and not negative"),
        ({0: 0.5, 1: 0.5}, r"must name every class of \[0, 1, 2\]; \[2\] is missing"),
        ({0: 0.5, 1: 0.3, 7: 0.2}, r"priors names \[7\], which are no classes of \[0, 1, 2\]"),
        ({0: 0.5, 1: 0.3, 2: 0.2}, "priors give class 2 a share of 0.2, but it has no rows"),
    ],
)
def test_priors_that_are_refused(priors, message):
    counts = count([0, 1, 1], [0, 1, 2])
    with pytest.raises(ValueError, match=message):
        counts.at_priors(priors)


def test_priors_stay_with_the_counts():
    counts = ConfusionCounts.from_cells(tp=70, fp=20, fn=30, tn=80)
    rare = counts.at_priors({0: 0.99, 1: 0.01})
    np.testing.assert_array_equal(rare.n, counts.n)
    assert rare.priors.tolist() == [0.99, 0.01]
    assert counts.priors is None
    assert value(rare, "precision") == pytest.approx(0.007 / (0.007 + 0.99 * 0.2))
    assert rare.estimate("precision").prevalence == 0.01
    assert value(rare.at_priors([0.5, 0.5]), "accuracy") == value(counts, "accuracy")
    grouped = count([0, 1, 0, 1], [0, 1, 1, 1], by=[1, 1, 2, 2]).at_priors([0.9, 0.1])
    assert [float(e) for e in grouped.estimate("accuracy")] == pytest.approx([1.0, 0.1])


# ---------------------------------------------------------------------------------------------
# numbers


def test_an_estimate_says_what_it_is_about():
    counts = ConfusionCounts.from_matrix([[80, 20], [5, 45]], labels=["well", "sick"])
    recall = counts.estimate("recall", pos_label="sick")
    assert (recall.value, recall.numerator, recall.denominator, recall.n) == (0.9, 45, 50, 150)
    assert (recall.pos_label, recall.average, recall.group) == ("sick", "binary", None)
    assert recall.prevalence == pytest.approx(1 / 3)
    assert float(recall) == 0.9
    assert str(recall).startswith("recall of 'sick' 0.900 ")
    assert "45/50" in str(recall)
    assert str(recall).endswith("prevalence 0.33)")
    accuracy = counts.estimate("accuracy")
    assert (accuracy.pos_label, accuracy.prevalence) == (None, None)
    assert str(counts.estimate("f1", average="macro")).startswith("macro f1 0.8")


def test_estimates_of_subgroups_and_classes_are_lists():
    counts = count([0, 1, 2, 0], [0, 1, 2, 1], by=["x", "x", "x", "y"])
    assert [e.group for e in counts.estimate("accuracy")] == ["x", "y"]
    assert [e.value for e in counts.estimate("accuracy")] == [1.0, 0.0]
    assert [e.pos_label for e in counts["x"].estimate("recall", average=None)] == [0, 1, 2]


@pytest.mark.parametrize(
    ("name", "how", "error", "message"),
    [
        ("recal", {}, ValueError, "unknown metric 'recal'; the registered ones are"),
        ("recall", {}, ValueError, r"'recall' has two classes, and the data has 3 \(\[0, 1, 2\]\)"),
        ("recall", {"average": "binary"}, ValueError, "average='binary'"),
        ("recall", {"average": "samples"}, ValueError, "average='samples' is not one of"),
        ("accuracy", {"average": "macro"}, ValueError, "'accuracy' takes no average"),
        ("accuracy", {"beta": 1}, TypeError, r"'accuracy' has no parameter \['beta'\]"),
        ("fbeta", {"beta": -1, "average": "macro"}, ValueError, "beta must be a number.*got -1"),
        ("fbeta", {"beta": "2", "average": "macro"}, ValueError, "beta must be.*got '2'"),
        ("one_off_accuracy", {"tolerance": 0.5}, ValueError, "tolerance must be.*got 0.5"),
        ("one_off_accuracy", {"tolerance": -1}, ValueError, "tolerance must be.*got -1"),
        ("weighted_kappa", {"weights": "cubic"}, ValueError, "weights must be.*got 'cubic'"),
        ("weighted_kappa", {"weights": np.ones(3)}, ValueError, r"K = 3; got shape \(3,\)"),
        ("weighted_kappa", {"weights": np.ones((2, 2))}, ValueError, r"got shape \(2, 2\)"),
        ("weighted_kappa", {"weights": np.eye(3)}, ValueError, r"zero on the diagonal.*1 - w"),
        ("weighted_kappa", {"weights": -np.ones((3, 3))}, ValueError, "not negative"),
        ("weighted_kappa", {"weights": [["a"]]}, ValueError, r"weights must be.*got \[\['a'\]\]"),
        ("recall", {"average": "macro", "zero_division": 0.5}, ValueError, "must be.*got 0.5"),
        ("recall", {"average": "macro", "zero_division": "no"}, ValueError, "got 'no'"),
    ],
)  # fmt: skip
def test_questions_that_are_refused(name, how, error, message):
    counts = count([0, 1, 2], [0, 1, 1])
    with pytest.raises(error, match=message):
        counts.estimate(name, **how)


def test_one_class_of_three_against_the_rest():
    counts = count([0, 1, 2, 2], [0, 1, 1, 2])
    estimate = counts.estimate("recall", pos_label=2)
    assert (estimate.value, estimate.pos_label, estimate.average) == (0.5, 2, "binary")


# ---------------------------------------------------------------------------------------------
# as an object


def test_counts_do_not_change():
    counts = count([0, 1, 0, 1], [0, 1, 1, 1], by=list("xxyy")).at_priors([0.5, 0.5])
    for one in (counts["x"], counts.total(), pickle.loads(pickle.dumps(counts))):
        for array in (one.n, one.w, one.w2, one.labels, one.actions, one.priors):
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 0
    with pytest.raises(FrozenInstanceError):
        counts.n = np.eye(2)


def test_what_it_was_made_from_may_change():
    table = np.array([[8, 2], [3, 7]])
    labels = np.array([0, 1])
    counts = ConfusionCounts.from_matrix(table, labels=labels)
    table[:], labels[:] = 0, 5
    assert counts.n.tolist() == [[8, 2], [3, 7]]
    assert counts.labels.tolist() == [0, 1]


def test_copies_are_equal_and_others_are_not():
    counts = count(["a", "b", "b"], ["a", "b", "a"], by=[1, 2, 2], clusters=[5, 5, 6])
    for same in (pickle.loads(pickle.dumps(counts)), copy.deepcopy(counts), copy.copy(counts)):
        assert same == counts
        assert same.clusters.names == counts.clusters.names
    plain = count(["a", "b", "b"], ["a", "b", "a"])
    for other in (
        count(["a", "b", "b"], ["a", "b", "b"]),
        count(["a", "c", "c"], ["a", "c", "a"]),
        count(["a", "b", "b"], ["a", "b", "a"], sample_weight=[1, 1, 2]),
        count(["a", "b", "b"], ["a", "b", "a"], actions=["refer"]),
        plain.at_priors([0.5, 0.5]),
        plain.binary("b"),
        counts,
        "counts",
    ):
        assert plain != other
    with pytest.raises(TypeError, match="unhashable"):
        hash(plain)


def test_its_repr_is_the_table():
    counts = count(["b", "aaa", "aaa", "b"], ["b", "aaa", "b", "b"])
    assert repr(counts) == (
        "ConfusionCounts: 4 rows (truth down, answer across)\n     aaa  b\naaa    1  1\nb      0  2"
    )
    weighted = count([0, 1], [0, 1], sample_weight=[0.5, 2.25])
    assert "2 rows, sums of weights" in repr(weighted)
    assert "2.25" in repr(weighted)
    assert "priors {'aaa': 0.9, 'b': 0.1}" in repr(counts.at_priors([0.9, 0.1]))
    grouped = repr(count([0, 1], [0, 1], by=["x", "y"]))
    assert "in 'x':" in grouped
    assert "in 'y':" in grouped
    assert "1 row (" in repr(count([0], [0]))
    assert "refer" in repr(count(["a"], ["refer"], actions=["refer"]))
    assert len(repr(count(np.arange(200), np.arange(200)))) < 200
