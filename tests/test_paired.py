"""PairedCounts: rows to the table of pairs, its sums, its text, and what it refuses."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skmetrics_ext.counts import ConfusionCounts, PairedCounts

ROWS = st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=1, max_size=40)


def by_hand(rows, k, weights=None):
    table = np.zeros((k, k, k))
    for row, weight in zip(rows, np.ones(len(rows)) if weights is None else weights, strict=True):
        table[row] += weight
    return table


def drawn(rng, n=200, k=3):
    truth, a, b = rng.integers(0, k, (3, n))
    return truth, np.where(rng.random(n) < 0.5, truth, a), np.where(rng.random(n) < 0.5, truth, b)


@given(ROWS)
def test_counts_every_pair(rows):
    paired = PairedCounts.from_predictions(*zip(*rows, strict=True), labels=range(4))
    np.testing.assert_array_equal(paired.n, by_hand(rows, 4))
    assert paired.n.dtype == np.int64
    np.testing.assert_array_equal(paired.w, paired.n)
    np.testing.assert_array_equal(paired.w2, paired.n)


def test_weights_fill_all_three_tables(rng):
    columns, weights = drawn(rng), rng.gamma(2, size=200)
    paired = PairedCounts.from_predictions(*columns, sample_weight=weights)
    rows = list(zip(*columns, strict=True))
    np.testing.assert_array_equal(paired.n, by_hand(rows, 3))
    np.testing.assert_allclose(paired.w, by_hand(rows, 3, weights))
    np.testing.assert_allclose(paired.w2, by_hand(rows, 3, weights**2))


@given(ROWS, st.booleans())
def test_each_model_alone_is_its_confusion_counts(rows, weighted):
    truth, a, b = zip(*rows, strict=True)
    options = {
        "labels": range(4),
        "sample_weight": np.arange(len(rows)) + 1.0 if weighted else None,
    }
    paired = PairedCounts.from_predictions(truth, a, b, **options)
    assert paired.a == ConfusionCounts.from_predictions(truth, a, **options)
    assert paired.b == ConfusionCounts.from_predictions(truth, b, **options)


@given(ROWS, ROWS)
def test_parts_add_up(some, more):
    def count(rows):
        return PairedCounts.from_predictions(*zip(*rows, strict=True), labels=range(4))

    assert count(some) + count(more) == count(some + more)


def test_clusters_of_parts_are_matched_by_name(rng):
    truth, a, b = drawn(rng)
    patient = rng.integers(0, 30, 200)
    weights = rng.gamma(2, size=200)

    def count(rows):
        return PairedCounts.from_predictions(
            truth[rows],
            a[rows],
            b[rows],
            labels=range(3),
            sample_weight=weights[rows],
            clusters=patient[rows],
        )

    whole = count(slice(None))
    merged = count(slice(0, 90)) + count(slice(90, None))
    for metric in ("accuracy", "weighted_kappa"):
        assert merged.difference(metric).se == pytest.approx(whole.difference(metric).se)
        assert merged.a.estimate(metric).se == pytest.approx(whole.a.estimate(metric).se)


def test_each_model_alone_keeps_the_clusters(rng):
    truth, a, b = drawn(rng)
    options = {"clusters": rng.integers(0, 20, 200), "sample_weight": rng.gamma(2, size=200)}
    paired = PairedCounts.from_predictions(truth, a, b, **options)
    for counts, answer in ((paired.a, a), (paired.b, b)):
        expected = ConfusionCounts.from_predictions(truth, answer, **options)
        for metric in ("accuracy", "weighted_kappa"):
            assert counts.estimate(metric).se == pytest.approx(expected.estimate(metric).se)


def test_labels_come_from_all_three_columns():
    paired = PairedCounts.from_predictions([1, 1], [2, 1], [1, 3])
    assert paired.labels.tolist() == [1, 2, 3]
    assert paired.ordered
    paired = PairedCounts.from_predictions(["b", "b"], ["b", "b"], ["a", "c"])
    assert paired.labels.tolist() == ["a", "b", "c"]
    assert not paired.ordered


@pytest.mark.parametrize("which", [0, 1, 2])
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_an_ordered_dtype_in_any_column_decides(which, library):
    sizes = ["small", "medium", "large"]
    columns = [["small", "large"], ["large", "large"], ["small", "large"]]
    if library == "pandas":
        columns[which] = pd.Categorical(columns[which], categories=sizes, ordered=True)
    else:
        columns[which] = pl.Series(columns[which], dtype=pl.Enum(sizes))
    paired = PairedCounts.from_predictions(*columns)
    assert paired.labels.tolist() == sizes
    assert paired.ordered
    assert paired.n[0, 2, 0] == paired.n[2, 2, 2] == 1
    assert paired.n.sum() == 2


def test_two_orders_are_refused():
    up = pd.Categorical(["lo", "hi"], categories=["lo", "hi"], ordered=True)
    down = pd.Categorical(["lo", "hi"], categories=["hi", "lo"], ordered=True)
    with pytest.raises(ValueError, match="y_pred_a and y_pred_b are ordered differently"):
        PairedCounts.from_predictions(["lo", "hi"], up, down)


def test_answers_that_are_no_class():
    paired = PairedCounts.from_predictions(
        [0, 1, 1], [0, -1, 1], [-1, -1, 1], labels=[0, 1], actions=[-1]
    )
    assert paired.n.shape == (2, 3, 3)
    assert paired.n[0, 0, 2] == paired.n[1, 2, 2] == paired.n[1, 1, 1] == 1
    result = paired.mcnemar()
    assert (result.b, result.c) == (1, 0)
    costs = np.array([[0, 10.0], [10, 0], [1, 1]])
    cost = paired.difference("expected_cost", cost_matrix=costs)
    assert cost.value == pytest.approx((1 - 2) / 3)


@pytest.mark.parametrize(
    ("columns", "options", "match"),
    [
        (([0, 1], [0, 1], [0]), {}, "y_true has 2, y_pred_a has 2, y_pred_b has 1"),
        (([0, 1], [0, 1], ["a", "b"]), {}, "y_true and y_pred_b must hold labels of the same type"),
        (([0, 1], ["a", "b"], [0, 1]), {}, "y_true and y_pred_a must hold labels of the same type"),
        (([0, 1], [0, None], [0, 1]), {}, "y_pred_a has 1 missing value"),
        (([0, 1], [0, 1], [0.5, 1]), {}, "y_pred_b must hold class labels, but it is continuous"),
        (([0, 1], [0, 1], [0, 2]), {"labels": [0, 1]}, r"y_pred_b holds labels .* \[2\]"),
        (([0, 1], [0, 2], [0, 1]), {"labels": [0, 1]}, r"y_pred_a holds labels .* \[2\]"),
        (([], [], []), {}, "y_true is empty"),
        (([0, 1], [0, 1], [0, 1]), {"sample_weight": [1, -1]}, "must not be negative"),
        (([0, 1], [0, 1], [0, 1]), {"clusters": [1]}, "y_true has 2, clusters has 1"),
    ],
)
def test_bad_columns(columns, options, match):
    with pytest.raises(ValueError, match=match):
        PairedCounts.from_predictions(*columns, **options)


def test_scores_passed_by_mistake_are_refused_before_memory_is_taken():
    identifiers = np.arange(2000)
    with pytest.raises(ValueError, match="y_true, y_pred_a and y_pred_b would need 8,000,000,000"):
        PairedCounts.from_predictions(identifiers, identifiers, identifiers)


def test_printed_tables_equal_the_rows():
    rows = [(0, 0, 1), (0, 0, 0), (1, 1, 0), (1, 1, 0)]
    tables = {0: [[1, 1], [0, 0]], 1: [[0, 0], [2, 0]]}
    assert PairedCounts.from_tables(tables) == PairedCounts.from_predictions(
        *zip(*rows, strict=True)
    )


@pytest.mark.parametrize(
    ("tables", "match"),
    [
        ([[[1, 2], [3, 4]]] * 2, "must map each true class .*got list"),
        (
            {0: [[1, 2], [3, 4]], 1: [[1, 2]]},
            r"the table of 1 .*shape \(2, 2\); got shape \(1, 2\)",
        ),
        ({0: [[1, 2], [3, -4]], 1: [[1, 2], [3, 4]]}, "not negative"),
        ({0: [[1, 2], [3, 4.5]], 1: [[1, 2], [3, 4]]}, "whole numbers"),
        ({0: [[0, 0], [0, 0]], 1: [[0, 0], [0, 0]]}, "at least one row"),
        ({0: [[1, 2], [3, 4]], "b": [[1, 2], [3, 4]]}, "mixes words"),
    ],
)
def test_bad_tables(tables, match):
    with pytest.raises(ValueError, match=match):
        PairedCounts.from_tables(tables)


def test_two_separate_tables_are_refused_with_the_reason():
    a = ConfusionCounts.from_cells(tp=80, fp=50, fn=20, tn=850)
    b = ConfusionCounts.from_cells(tp=73, fp=55, fn=27, tn=845)
    with pytest.raises(ValueError, match=r"do not tell on which rows.* from 12 to 82"):
        PairedCounts.from_counts(a, b)
    other = ConfusionCounts.from_cells(tp=1, fp=0, fn=0, tn=1)
    with pytest.raises(ValueError, match="not even of the same rows"):
        PairedCounts.from_counts(a, other)
    with pytest.raises(TypeError, match="counts_b must be ConfusionCounts; got list"):
        PairedCounts.from_counts(a, [[1, 2], [3, 4]])
    with pytest.raises(ValueError, match="must map each true class"):
        PairedCounts.from_tables([a, b])


@given(ROWS)
def test_the_bounds_of_the_refusal_hold_the_truth(rows):
    paired = PairedCounts.from_predictions(*zip(*rows, strict=True), labels=range(4))
    with pytest.raises(ValueError, match="any number of rows from") as caught:
        PairedCounts.from_counts(paired.a, paired.b)
    words = str(caught.value).partition("rows from ")[2].split()
    assert int(words[0]) <= paired.mcnemar().b <= int(words[2].rstrip(","))


def test_sums_of_other_counts_are_refused(rng):
    one = PairedCounts.from_predictions([0, 1], [0, 1], [1, 1])
    with pytest.raises(ValueError, match=r"same labels: .*only right: \[2\]"):
        one + PairedCounts.from_predictions([0, 1], [0, 1], [1, 2])
    with pytest.raises(ValueError, match="same use of clusters"):
        one + PairedCounts.from_predictions([0, 1], [0, 1], [1, 1], clusters=[7, 7])
    with pytest.raises(ValueError, match="same actions"):
        one + PairedCounts.from_predictions([0, 1], [0, 1], [1, 1], labels=[0, 1], actions=[-1])
    with pytest.raises(TypeError):
        one + one.a


def test_it_is_immutable_and_survives_a_pickle():
    paired = PairedCounts.from_predictions([0, 1], [0, 1], [1, 1], clusters=["x", "y"])
    again = pickle.loads(pickle.dumps(paired))
    assert again == paired
    for counts in (paired, again):
        with pytest.raises(ValueError, match="read-only"):
            counts.n[0, 0, 0] = 5
        with pytest.raises(AttributeError):
            counts.n = 5
    assert paired != PairedCounts.from_predictions([0, 1], [0, 1], [0, 1])
    assert paired != 3


def test_text():
    paired = PairedCounts.from_predictions(
        ["no", "yes"], ["no", "no"], ["yes", "yes"], sample_weight=[0.5, 2]
    )
    assert repr(paired).split("\n") == [
        "PairedCounts: 2 rows, sums of weights (A's answer down, B's across)",
        "truth 'no':",
        "     no  yes",
        "no    0  0.5",
        "yes   0    0",
        "truth 'yes':",
        "     no  yes",
        "no    0    2",
        "yes   0    0",
    ]
    many = PairedCounts.from_predictions([0], [0], [0], labels=range(30))
    assert "30 classes, 1 cells filled" in repr(many)
