"""The public functions of labels: small answers worked out by hand, and what they refuse."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import cohen_kappa_score

from skmetrics_ext.metrics import (
    classwise_mean_absolute_error,
    expected_cost_loss,
    negative_predictive_value_score,
    one_off_accuracy_score,
    weighted_kappa_score,
)

FUNCTIONS = [
    weighted_kappa_score,
    one_off_accuracy_score,
    classwise_mean_absolute_error,
    negative_predictive_value_score,
    expected_cost_loss,
]
ORDINAL = FUNCTIONS[:3]
each_function = pytest.mark.parametrize("function", FUNCTIONS)


def test_one_off_is_right_or_next_to_right():
    assert one_off_accuracy_score([0, 0, 1, 1], [0, 2, 1, 2]) == 0.75
    assert one_off_accuracy_score([0, 0, 1, 1], [0, 2, 1, 2], tolerance=0) == 0.5
    assert one_off_accuracy_score([0, 0, 1, 1], [0, 2, 1, 2], tolerance=2) == 1.0
    assert one_off_accuracy_score([0, 1], [2, 1], sample_weight=[3, 1]) == 0.25


def test_named_classes_between_count_as_steps():
    """0, 1, 5 are neighbours while nobody says that there are 2, 3 and 4 between."""
    truth, answer = [0, 1, 5, 5], [0, 5, 5, 1]
    assert one_off_accuracy_score(truth, answer) == 1.0
    assert one_off_accuracy_score(truth, answer, labels=range(6)) == 0.5
    assert classwise_mean_absolute_error(truth, answer) == pytest.approx((0 + 1 + 0.5) / 3)
    named = classwise_mean_absolute_error(truth, answer, labels=range(6))
    assert named == pytest.approx((0 + 4 + 2) / 3)
    for labels in (None, range(6)):
        value = weighted_kappa_score(truth, answer, labels=labels)
        assert value == pytest.approx(
            cohen_kappa_score(truth, answer, labels=labels, weights="quadratic")
        )
    # The distances 4 and 5 of 5 against 1 and 2 of 2: another kappa.
    assert value != pytest.approx(weighted_kappa_score(truth, answer), abs=0.01)


def test_the_error_of_each_class():
    truth, answer = [0, 0, 0, 1, 2, 2], [0, 1, 2, 1, 0, 2]
    per_class = classwise_mean_absolute_error(truth, answer, average=None)
    assert isinstance(per_class, np.ndarray)
    np.testing.assert_allclose(per_class, [1.0, 0.0, 1.0])
    assert classwise_mean_absolute_error(truth, answer) == pytest.approx(2 / 3)
    assert classwise_mean_absolute_error(truth, answer, average="max") == 1.0
    weights = [1, 0, 3, 1, 1, 1]
    weighted = classwise_mean_absolute_error(truth, answer, sample_weight=weights, average=None)
    np.testing.assert_allclose(weighted, [1.5, 0.0, 1.0])


def test_a_class_that_was_answered_and_is_never_true_is_left_out():
    truth, answer = [0, 0, 2, 2], [0, 1, 2, 1]
    for average, value in (("macro", 0.5), ("max", 0.5)):
        with pytest.warns(UndefinedMetricWarning, match="that no row has in truth"):
            assert classwise_mean_absolute_error(truth, answer, average=average) == value
    with pytest.warns(UndefinedMetricWarning, match="is undefined for at least one class"):
        per_class = classwise_mean_absolute_error(truth, answer, average=None)
    np.testing.assert_array_equal(per_class, [0.5, np.nan, 0.5])
    # Named, but neither true nor answered: nothing to warn of.
    assert classwise_mean_absolute_error([0, 2], [0, 2], labels=[0, 1, 2]) == 0.0


def test_npv_of_each_class():
    truth, answer = ["a", "b", "c", "c"], ["a", "c", "c", "b"]
    per_class = negative_predictive_value_score(truth, answer, average=None)
    np.testing.assert_allclose(per_class, [3 / 3, 2 / 3, 1 / 2])
    macro = negative_predictive_value_score(truth, answer, average="macro")
    assert macro == pytest.approx((1 + 2 / 3 + 1 / 2) / 3)
    truth, answer = ["a", "b", "b"], ["a", "a", "b"]
    assert negative_predictive_value_score(truth, answer, pos_label="b") == 0.5
    assert negative_predictive_value_score(truth, answer, pos_label="a") == 1.0
    assert negative_predictive_value_score([True, False], [True, False]) == 1.0


@pytest.mark.parametrize("zero_division", [0.0, 1.0, np.nan])
def test_npv_where_nobody_is_answered_negative(zero_division):
    value = negative_predictive_value_score([0, 1], [1, 1], zero_division=zero_division)
    np.testing.assert_array_equal(value, zero_division)
    with pytest.warns(UndefinedMetricWarning, match="use zero_division to control this"):
        assert negative_predictive_value_score([0, 1], [1, 1]) == 0.0


def test_kappa_where_chance_allows_no_disagreement():
    with pytest.warns(UndefinedMetricWarning, match="use replace_undefined_by"):
        assert np.isnan(weighted_kappa_score([1, 1], [1, 1]))
    with pytest.warns(UndefinedMetricWarning, match=r"set to 0\.5"):
        assert weighted_kappa_score([1, 1], [1, 1], replace_undefined_by=0.5) == 0.5


def test_kappa_is_symmetric_in_the_two_raters_and_its_matrix_is_not():
    truth, answer = [0, 0, 1, 1, 2, 2, 2], [0, 1, 1, 2, 2, 0, 2]
    for weights in (None, "linear", "quadratic"):
        one = weighted_kappa_score(truth, answer, weights=weights)
        assert one == pytest.approx(weighted_kappa_score(answer, truth, weights=weights))
    matrix = np.array([[0, 1, 4], [2, 0, 1], [9, 3, 0]])
    one = weighted_kappa_score(truth, answer, weights=matrix)
    assert one == pytest.approx(weighted_kappa_score(answer, truth, weights=matrix.T))
    assert one != pytest.approx(weighted_kappa_score(truth, answer, weights=matrix.T), abs=0.01)
    scaled = weighted_kappa_score(truth, answer, weights=(matrix * 7).tolist())
    assert scaled == pytest.approx(one)


def test_words_and_numbers_and_an_ordered_dtype_say_the_same():
    sizes = ["small", "medium", "large"]
    truth, answer = [0, 0, 1, 2, 2, 1], [0, 1, 1, 2, 1, 1]
    as_words = [[sizes[k] for k in y] for y in (truth, answer)]
    for function in ORDINAL:
        expected = function(truth, answer)
        assert function(*as_words, labels=sizes) == expected
        pandas = [pd.Categorical(y, categories=sizes, ordered=True) for y in as_words]
        polars = [pl.Series(y, dtype=pl.Enum(sizes)) for y in as_words]
        assert function(*pandas) == function(*polars) == expected
        assert isinstance(expected, float)


# ---------------------------------------------------------------------------------------------
# what they refuse, each by name


@pytest.mark.parametrize("function", ORDINAL)
@pytest.mark.parametrize(
    "as_column",
    [list, np.array, pd.Series, pd.Categorical, lambda y: pl.Series(y, dtype=pl.Categorical)],
)
def test_words_without_an_order(function, as_column):
    y = as_column(["low", "mid", "high"])
    message = rf"{function.__name__} depends on the order.*labels=\['high', 'low', 'mid'\]"
    with pytest.raises(ValueError, match=message):
        function(y, y)


@each_function
@pytest.mark.parametrize(
    ("y_true", "y_pred", "how", "message"),
    [
        ([], [], {}, "y_true is empty: at least one row is needed"),
        ([0, 1], [0, 1, 1], {}, "same number of rows; y_true has 2, y_pred has 3"),
        ([0, None], [0, 1], {}, r"y_true has 1 missing value \(NaN or None\)"),
        ([0, 1], [0, np.nan], {}, r"y_pred has 1 missing value \(NaN or None\)"),
        (["a", np.nan], ["a", "a"], {}, "y_true has 1 missing value"),
        (np.array(["a", np.nan], dtype=object), ["a", "a"], {}, "y_true has 1 missing value"),
        ([0.3, 1], [0, 1], {}, "y_true must hold class labels, but it is continuous.*0.3"),
        ([0, 1], [0.3, 1], {}, "y_pred must hold class labels, but it is continuous.*0.3"),
        ([[0, 1], [1, 0]], [[0, 1], [1, 0]], {}, "y_true must be one-dimensional.*multilabel"),
        (np.eye(2), np.eye(2), {}, r"y_true must be one-dimensional.*shape \(2, 2\)"),
        (["a", 1], ["a", "a"], {}, "y_true mixes words and other labels: it holds 'a'"),
        (["a", "b"], [0, 1], {}, r"the same type; y_true holds 'a' \(str\) and y_pred holds 0"),
        ([0, 1], [0, 2], {"labels": [0, 1]}, r"y_pred holds labels.*among \[0, 1\]: \[2\]"),
        ([0, 1], [0, 1], {"labels": [0, 1, 1]}, r"labels must name each class once; \['1'\]"),
        ([0, 1], [0, 1], {"labels": ["0", "1"]}, r"y_true holds labels.*\['0', '1'\]: \[0, 1\]"),
        ([0, 1], [0, 1], {"sample_weight": [1, -1]}, "sample_weight must not be negative.*-1.0"),
        ([0, 1], [0, 1], {"sample_weight": [1, np.nan]}, "sample_weight must be finite"),
        ([0, 1], [0, 1], {"sample_weight": [0, 0]}, "sample_weight must not be zero for every row"),
        ([0, 1], [0, 1], {"sample_weight": [1]}, r"sample_weight must have.*got shape \(1,\)"),
    ],
)  # fmt: skip
def test_bad_rows(function, y_true, y_pred, how, message):
    with pytest.raises(ValueError, match=message):
        function(y_true, y_pred, **how)


@pytest.mark.parametrize(
    ("function", "how", "message"),
    [
        (weighted_kappa_score, {"weights": "cubic"}, "weights must be 'quadratic'.*got 'cubic'"),
        (weighted_kappa_score, {"weights": np.eye(3)}, "zero on the diagonal.*1 - w"),
        (weighted_kappa_score, {"weights": np.ones((2, 2))}, r"K = 3; got shape \(2, 2\)"),
        (weighted_kappa_score, {"weights": np.full((3, 3), np.nan)}, "finite and not negative"),
        (one_off_accuracy_score, {"tolerance": -1}, "tolerance must be a whole number.*got -1"),
        (one_off_accuracy_score, {"tolerance": 0.5}, "tolerance must be a whole number.*got 0.5"),
        (one_off_accuracy_score, {"tolerance": True}, "tolerance must be a whole number.*got True"),
        (classwise_mean_absolute_error, {"average": "micro"}, r"average='micro' is not one of"),
        (negative_predictive_value_score, {}, r"the data has 3 \(\[0, 1, 2\]\).*'macro'"),
        (negative_predictive_value_score, {"average": "samples"}, "average='samples' is not one"),
        (negative_predictive_value_score, {"average": "macro", "zero_division": 2},
         "zero_division must be 'warn', 0.0, 1.0 or nan; got 2"),
    ],
)  # fmt: skip
def test_bad_parameters(function, how, message):
    with pytest.raises(ValueError, match=message):
        function([0, 1, 2], [0, 1, 1], **how)


def test_a_positive_class_that_must_be_named():
    message = r"pos_label must name the positive class: the classes are \['no', 'yes'\]"
    with pytest.raises(ValueError, match=message):
        negative_predictive_value_score(["no", "yes"], ["no", "no"])
    with pytest.raises(ValueError, match=r"pos_label=2 is not a class; the classes are \[0, 1\]"):
        negative_predictive_value_score([0, 1], [0, 1], pos_label=2)


@each_function
def test_everything_else_is_named(function):
    with pytest.raises(TypeError, match="positional"):
        function([0, 1], [0, 1], [0, 1])
