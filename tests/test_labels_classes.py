"""Which classes there are, in which order, and which of them is the positive one."""

from datetime import date

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skmetrics_ext._labels import (
    are_words,
    decide_pos_label,
    encode,
    label_array,
    require_order,
    same_label,
)
from skmetrics_ext.counts import ConfusionCounts


def count(y_true, y_pred, **named):
    return ConfusionCounts.from_predictions(y_true, y_pred, **named)


@pytest.mark.parametrize(
    ("labels", "kind", "words"),
    [
        ([3, 1, 2], "i", False),
        ((False, True), "b", False),
        ([1.0, 2.0], "f", False),
        (range(3), "i", False),
        (["b", "a"], "U", True),
        (np.array(["b", "a"], dtype=object), "U", True),
        (pd.Series(["b", "a"]), "U", True),
        (pd.Index([2, 1]), "i", False),
        ([date(2024, 1, 2), date(2024, 1, 1)], "O", True),
    ],
)
def test_labels_keep_their_order_and_their_type(labels, kind, words):
    array = label_array(labels)
    assert array.dtype.kind == kind
    assert array.tolist() == list(labels)
    assert are_words(array) == words


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([1, 2, 1], r"labels must name each class once; \['1'\] stand more than once in \[1, 2, 1"),
        ([1, True], "labels must name each class once"),
        (["a", "a"], r"\['a'\] stand more than once in \['a', 'a'\]"),
        ([], "labels is empty"),
        ([1, None], "labels has 1 missing value"),
        (["a", np.nan], "labels has 1 missing value"),
        (["a", 1], "labels mixes words and other labels: it holds 'a' as well as 1"),
        ([[0, 1]], "labels must be one-dimensional"),
        ([0.5, 1], "labels must hold class labels, but it is continuous: it holds 0.5"),
        ("ab", "labels must be a one-dimensional array of labels; got 'ab'"),
    ],
)
def test_labels_that_are_refused(labels, message):
    with pytest.raises(ValueError, match=message):
        label_array(labels)
    with pytest.raises(ValueError, match=message):
        count([1, 2], [1, 2], labels=labels)


@given(st.lists(st.integers(-5, 5), min_size=1), st.permutations(range(-5, 6)))
def test_encode_gives_positions(y, labels):
    codes = encode(y, label_array(labels))
    assert codes.dtype == np.intp
    assert np.array(labels)[codes].tolist() == y


def test_encode_refuses_what_is_not_among_the_labels():
    labels = label_array(["a", "b"])
    assert encode(pd.Series(["b", "a"]), labels).tolist() == [1, 0]
    with pytest.raises(ValueError, match=r"y_true holds labels.*not among \['a', 'b'\]: \['c'\]"):
        encode(["a", "c"], labels)
    with pytest.raises(ValueError, match=r"answers holds labels.*among \['a', 'b'\]: \[1\]"):
        encode([1, 1], labels, name="answers")


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [(1, 1.0, True), (True, 1, True), (np.int8(3), 3, True), (1, "1", False), ("a", "a", True),
     (np.str_("a"), "a", True), (None, 0, False), (np.array([1, 2]), 1, False)],
)  # fmt: skip
def test_same_label(a, b, same):
    assert same_label(a, b) is same


# ---------------------------------------------------------------------------------------------
# the positive class


@pytest.mark.parametrize(
    ("labels", "positive"),
    [([0, 1], 1), ([1, 0], 0), ([-1, 1], 1), ([False, True], 1), ([1.0, 0.0], 0),
     ([1], 0), ([True], 0), ([0], -1), ([-1], -1), ([False], -1)],
)  # fmt: skip
def test_one_is_the_positive_class_unasked(labels, positive):
    assert decide_pos_label(label_array(labels)) == positive


@pytest.mark.parametrize("labels", [[1, 2], [0, 2], ["no", "yes"], [0, 1, 2], ["1", "0"], [2]])
def test_other_labels_need_the_positive_class_named(labels):
    message = rf"pos_label must name the positive class: the classes are \[{labels[0]!r}"
    with pytest.raises(ValueError, match=message):
        decide_pos_label(label_array(labels))
    assert decide_pos_label(label_array(labels), labels[0]) == 0


@pytest.mark.parametrize("name", ["recall", "precision", "f1", "specificity", "jaccard"])
def test_a_positive_class_that_is_none(name):
    counts = count([0, 1], [1, 1])
    with pytest.raises(ValueError, match=r"pos_label=2 is not a class; the classes are \[0, 1\]"):
        counts.estimate(name, pos_label=2)
    with pytest.raises(ValueError, match=r"pos_label='1' is not a class"):
        counts.estimate(name, pos_label="1")
    words = count(["no", "yes"], ["yes", "yes"])
    with pytest.raises(ValueError, match=r"positive class: the classes are \['no', 'yes'\]"):
        words.estimate(name)


def test_a_fold_of_negatives_still_knows_that_one_is_positive():
    counts = count([0, 0], [0, 0])
    assert float(counts.estimate("specificity")) == 1.0
    with pytest.warns(UserWarning, match="recall is undefined"):
        assert float(counts.estimate("recall")) == 0.0
    positives = count([True, True], [True, True])
    assert float(positives.estimate("recall")) == 1.0
    with pytest.warns(UserWarning, match="specificity is undefined"):
        assert float(positives.estimate("specificity")) == 0.0


def test_symmetric_metrics_need_no_positive_class():
    counts = count(["no", "yes", "yes"], ["no", "no", "yes"])
    for name in ("accuracy", "matthews_corrcoef", "youden", "geometric_mean", "weighted_kappa"):
        assert np.isfinite(float(counts.estimate(name)))


# ---------------------------------------------------------------------------------------------
# order


ORDINAL = ["weighted_kappa", "one_off_accuracy", "classwise_mean_absolute_error"]


@pytest.mark.parametrize("name", ORDINAL)
def test_words_without_an_order_are_refused(name):
    y = ["low", "mid", "high", "mid"]
    with pytest.raises(ValueError, match=r"order of the classes.*labels=\['high', 'low', 'mid'\]"):
        count(y, y).estimate(name)
    for ordered in (
        count(y, y, labels=["low", "mid", "high"]),
        count(pd.Categorical(y, ["low", "mid", "high"], ordered=True), y),
        count(["low", "high"], ["high", "high"]),  # of two classes, neither lies between
    ):
        assert np.isfinite(float(ordered.estimate(name)))


def test_nominal_kappa_of_words_needs_no_order():
    y = ["low", "mid", "high", "mid"]
    assert float(count(y, y).estimate("weighted_kappa", weights=None)) == 1.0


def test_an_asymmetric_matrix_of_weights_needs_the_order_of_its_rows():
    counts = count(["legit", "fraud", "fraud"], ["legit", "legit", "fraud"])
    with pytest.raises(ValueError, match=r"weights is asymmetric.*\['fraud', 'legit'\] are words"):
        counts.estimate("weighted_kappa", weights=[[0, 1], [5, 0]])
    assert np.isfinite(float(counts.estimate("weighted_kappa", weights=[[0, 5], [5, 0]])))


def test_require_order_says_which_metric_and_which_labels():
    with pytest.raises(ValueError, match=r"some_score depends on the order.*\['a', 'b', 'c'\]"):
        require_order(label_array(["a", "b", "c"]), False, "some_score")
    require_order(label_array(["a", "b", "c"]), True, "some_score")
    require_order(label_array([1, 2, 3]), False, "some_score")


def test_the_order_of_the_classes_moves_kappa():
    """Alphabetical order ('high' first) would say something else: that is why words raise."""
    truth = ["low", "low", "mid", "mid", "high", "high"]
    answer = ["low", "mid", "mid", "low", "high", "mid"]
    right = count(truth, answer, labels=["low", "mid", "high"]).estimate("weighted_kappa")
    alphabetical = count(truth, answer, labels=sorted(set(truth))).estimate("weighted_kappa")
    ranks = {"low": 0, "mid": 1, "high": 2}
    numbers = count([ranks[v] for v in truth], [ranks[v] for v in answer])
    assert float(right) == float(numbers.estimate("weighted_kappa"))
    assert float(right) != pytest.approx(float(alphabetical), abs=0.1)


# ---------------------------------------------------------------------------------------------
# which classes there are


def test_classes_are_those_of_both_columns_sorted():
    counts = count([2, 1], [1, 7])
    assert counts.labels.tolist() == [1, 2, 7]
    assert counts.n.tolist() == [[0, 0, 1], [1, 0, 0], [0, 0, 0]]


def test_labels_must_cover_the_data():
    message = r"holds labels that are not among \[0, 1\]: \[2\]. labels must cover the data"
    with pytest.raises(ValueError, match="y_true " + message):
        count([0, 2], [0, 1], labels=[0, 1])
    with pytest.raises(ValueError, match="y_pred " + message):
        count([0, 1], [0, 2], labels=[0, 1])
    with pytest.raises(ValueError, match=r"y_pred holds labels.*\['refer'\]"):
        count(["a", "b"], ["a", "refer"], labels=["a", "b"])


@pytest.mark.parametrize(
    ("y_true", "y_pred"),
    [(["a", "b"], [0, 1]), ([0, 1], ["a", "b"]), (np.array(["a"]), np.array([True]))],
)
def test_words_against_numbers(y_true, y_pred):
    with pytest.raises(ValueError, match="y_true and y_pred must hold labels of the same type"):
        count(y_true, y_pred)


def test_a_label_of_another_type_is_not_among_labels():
    with pytest.raises(ValueError, match=r"y_true holds labels that are not among \['0', '1'\]"):
        count([0, 1], [0, 1], labels=["0", "1"])


def test_many_labels_are_not_all_shown():
    with pytest.raises(ValueError, match="and 80 more: "):
        count([100], [100], labels=range(100))


def test_columns_of_different_lengths():
    with pytest.raises(ValueError, match="y_true has 2, y_pred has 3"):
        count([0, 1], [0, 1, 1])
    with pytest.raises(ValueError, match="by has 1, y_true has 2, y_pred has 2"):
        count([0, 1], [0, 1], by=["x"])
    with pytest.raises(ValueError, match="y_true has 2, clusters has 1"):
        count([0, 1], [0, 1], clusters=[0])


def test_labels_that_cannot_be_sorted():
    y = np.array([1 + 0j, 2j], dtype=object)
    with pytest.raises(ValueError, match=r"cannot be sorted \(types \['complex'\]\); name them"):
        count(y, y)
