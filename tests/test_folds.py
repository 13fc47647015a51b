"""Two models on the same folds."""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_rel

from skmetrics_ext.intervals import compare_folds

REFERENCE = json.loads((Path(__file__).parent / "data" / "intervals.json").read_text())
SCORES = st.lists(st.floats(0, 1).map(lambda x: round(x, 6)), min_size=2, max_size=20)


def test_reference():
    expected = REFERENCE["nadeau_bengio"]
    differences = np.array(expected["differences"])
    result = compare_folds(0.8 + differences, np.full(10, 0.8), expected["test_over_train"])
    assert result.t == pytest.approx(expected["t"], abs=5e-7)
    assert result.p_value == pytest.approx(expected["p"], abs=5e-7)
    assert result.difference == float(result) == pytest.approx(0.0137)
    assert (result.df, result.n_folds) == (9, 10)
    assert result.test_over_train == expected["test_over_train"]


def test_it_is_the_paired_t_test_with_a_larger_variance():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 30))
    plain, result = ttest_rel(a, b), compare_folds(a, b, 1 / 9)
    factor = np.sqrt(1 + 30 / 9)
    assert result.t == pytest.approx(plain.statistic / factor)
    assert result.se == pytest.approx((a - b).std(ddof=1) / np.sqrt(30) * factor)
    # With next to no test rows the correction is nothing.
    result = compare_folds(a, b, 1e-12, confidence_level=0.9)
    interval = plain.confidence_interval(0.9)
    assert result.p_value == pytest.approx(plain.pvalue)
    assert [result.low, result.high] == pytest.approx([interval.low, interval.high])


@given(SCORES, st.integers(0, 1000), st.floats(0.01, 2), st.floats(0.5, 0.99))
def test_properties(a, seed, share, level):
    b = np.random.default_rng(seed).random(len(a))
    result = compare_folds(a, b, share, confidence_level=level)
    back = compare_folds(b, a, share, confidence_level=level)
    assert result.low < result.difference < result.high
    assert [back.difference, back.low, back.high, back.t] == pytest.approx(
        [-result.difference, -result.high, -result.low, -result.t]
    )
    assert back.p_value == pytest.approx(result.p_value)
    # The interval leaves 0 out where the test says so.
    assert (result.p_value < 1 - level) == (result.low > 0 or result.high < 0)
    scaled = compare_folds(10 * np.array(a), 10 * b, share, confidence_level=level)
    assert scaled.high - scaled.low == pytest.approx(10 * (result.high - result.low))


@pytest.mark.parametrize("shift", [0.0, 0.1])
def test_the_same_difference_on_every_fold_is_said(shift):
    a = np.array([0.7, 0.8, 0.3])
    with pytest.warns(UserWarning, match="on each of the 3 folds: there is no variance"):
        result = compare_folds(a + shift, a, 0.5)
    assert result.difference == pytest.approx(shift)
    assert result.se == 0
    assert np.isnan([result.low, result.high, result.t, result.p_value]).all()


def test_a_difference_in_one_fold_is_enough():
    a = np.array([0.7, 0.8, 0.3])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert compare_folds(a, a + [0, 0, 1e-9], 0.5).se > 0


def test_text():
    text = str(compare_folds([0.9, 0.8, 0.85], [0.8, 0.75, 0.85], 0.5))
    assert text == (
        "difference A - B of the mean score +0.050 [-0.146, +0.246] (t = 1.10 with 2 degrees of "
        "freedom, p = 0.388; 3 folds, corrected for shared training rows)"
    )


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (([0.9, 0.8], [0.9, 0.8, 0.7], 0.5), "from the same folds; got 2 and 3 scores"),
        (([0.9], [0.8], 0.5), r"scores_a must be .*two folds or more; got shape \(1,\)"),
        (([0.9, 0.8], [[0.9, 0.8]], 0.5), r"scores_b must be .*shape \(1, 2\)"),
        (([0.9, np.nan], [0.9, 0.8], 0.5), "scores_a must be finite"),
        (([0.9, 0.8], ["good", "bad"], 0.5), "scores_b must hold numbers"),
        (([0.9, 0.8], [0.9, 0.7], 0), "test_over_train must be a positive number"),
        (([0.9, 0.8], [0.9, 0.7], np.inf), "test_over_train must be a positive number"),
        (([0.9, 0.8], [0.9, 0.7], True), "test_over_train must be a positive number.*True"),
        (([0.9, 0.8], [0.9, 0.7], "1/9"), "test_over_train must be a positive number.*'1/9'"),
    ],
)
def test_bad_input(call, match):
    with pytest.raises(ValueError, match=match):
        compare_folds(*call)


@pytest.mark.parametrize("level", [0, 1, 95, "high", True])
def test_bad_level(level):
    with pytest.raises(ValueError, match="confidence_level must be a number between 0 and 1"):
        compare_folds([0.9, 0.8], [0.9, 0.7], 0.5, confidence_level=level)


def test_the_plain_test_finds_too_much_and_this_one_does_not():
    """Two models that are equally good, scored in ten repeated halvings of the same rows."""
    rng = np.random.default_rng(0)
    plain = corrected = 0
    for _ in range(300):
        # The scores of each model on each row; its folds share rows, as repeated ones do.
        own = rng.normal(size=(2, 60))
        scores = np.empty((2, 10))
        for fold in range(10):
            test = rng.permutation(60) < 30
            scores[:, fold] = own[:, test].mean(1)
        plain += ttest_rel(*scores).pvalue < 0.05
        corrected += compare_folds(*scores, test_over_train=1).p_value < 0.05
    assert plain > 0.3 * 300
    assert corrected < 0.1 * 300
