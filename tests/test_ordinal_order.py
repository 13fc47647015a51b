"""The order of a target's classes: declared, an ordered dtype's, numeric, else a warning."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest

from skmetrics_ext.ordinal import encode_order
from skmetrics_ext.ordinal._order import resolve_order

SIZES = ["small", "medium", "large"]


def test_a_declared_order_holds_over_the_alphabet():
    target = resolve_order(["large", "small", "small"], SIZES)
    assert target.classes.tolist() == ["large", "small"]
    assert target.class_order.tolist() == SIZES
    assert target.ranks.tolist() == [2, 0, 0]
    assert target.seen.tolist() == [0, 2]
    assert target.columns.tolist() == [2, 0]


@pytest.mark.parametrize(
    "make",
    [
        lambda y: pd.Categorical(y, categories=SIZES, ordered=True),
        lambda y: pd.Series(pd.Categorical(y, categories=SIZES, ordered=True)),
        lambda y: pl.Series(y, dtype=pl.Enum(SIZES)),
    ],
    ids=["Categorical", "pandas", "polars"],
)
def test_an_ordered_dtype_brings_its_order_and_its_unseen_classes(make):
    target = resolve_order(make(["large", "small"]))
    assert target.class_order.tolist() == SIZES
    assert target.classes.tolist() == ["large", "small"]
    assert target.ranks.tolist() == [2, 0]


@pytest.mark.parametrize("classes", [[0, 1, 3, 4], [3, 5, 7], [-1.0, 2.0], [False, True]])
def test_numbers_are_in_order_by_themselves(classes):
    y = np.array(classes)[[1, 0, -1, 1]]
    target = resolve_order(y)
    assert target.class_order.tolist() == sorted(set(y.tolist()))
    assert target.classes.dtype == y.dtype
    assert target.class_order[target.ranks].tolist() == y.tolist()


def test_three_words_without_an_order_warn_and_two_do_not():
    with pytest.warns(UserWarning, match=r"alphabetical order\. Pass class_order"):
        target = resolve_order(["b", "c", "a"])
    assert target.class_order.tolist() == ["a", "b", "c"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        resolve_order(["b", "a"])


def test_classes_keep_the_type_of_the_array():
    assert resolve_order(np.array(["b", "a"], dtype=object)).classes.dtype == object
    assert resolve_order(np.array([2, 1], dtype=np.int8)).classes.dtype == np.int8


@pytest.mark.parametrize(
    ("y", "order", "message"),
    [
        (None, None, "y must hold one class label per row; got None"),
        ([0.5, 1.0], None, "continuous"),
        (["a", None], ["a", "b"], "1 missing value"),
        (["a", "z"], ["a", "b"], r"class_order=\['a', 'b'\] does not name: \['z'\]"),
        (["a", "b"], ["a", "b", "a"], "class_order must name each class once"),
        (["a", "a"], ["a"], "class_order must name at least two classes; got"),
        ([0, 2, 1], SIZES, r"look like codes.*encode_order\(y, class_order\)"),
        (np.array([1 + 2j]), None, "Complex data not supported"),
    ],
)
def test_what_is_no_ordered_target_is_refused(y, order, message):
    with pytest.raises(ValueError, match=message):
        resolve_order(y, order)


def test_codes_that_are_no_places_get_no_advice_on_codes():
    with pytest.raises(ValueError, match=r"never dropped silently\.$"):
        resolve_order([7, 9], SIZES)


def test_encode_order():
    y = pd.Series(["large", "small", "medium"])
    assert encode_order(y, SIZES).tolist() == [2, 0, 1]
    with pytest.raises(ValueError, match="class_order must list the classes"):
        encode_order(y, None)
    with pytest.raises(ValueError, match="does not name"):
        encode_order(["huge"], SIZES)
