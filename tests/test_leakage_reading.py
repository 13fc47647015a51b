"""The table that leakage is looked for in: what differs stays apart, whatever a column holds."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from imblearn.over_sampling import SMOTE, RandomOverSampler
from sklearn.datasets import make_classification

from skmetrics_ext.imbalance import find_resampling_leakage, safe_splits
from skmetrics_ext.imbalance._leakage_table import Table

X, Y = make_classification(400, 4, n_redundant=0, weights=[0.9], random_state=0)
# Floats hold no whole number beyond 2**53, some 9e15: these are 16 or 32 apart as floats.
LONG = 10**17 + np.arange(200)


def n_distinct(table):
    return len(Table.read(table).first_rows)


@pytest.mark.parametrize(
    "make",
    [
        lambda ids: ids[:, None],
        lambda ids: ids[:, None].astype(np.uint64),
        lambda ids: pd.DataFrame({"id": ids}),
        lambda ids: pd.DataFrame({"id": pd.array(ids, dtype="Int64")}),
        lambda ids: pl.DataFrame({"id": ids}),
        lambda ids: pd.DataFrame({"id": ids.astype(object)}),
        lambda ids: pd.DataFrame({"at": pd.to_datetime(ids)}),
        lambda ids: ids.astype("datetime64[ns]")[:, None],
    ],
    ids=["array", "unsigned", "pandas", "nullable", "polars", "objects", "times", "datetime64"],
)
def test_numbers_of_18_digits_are_not_rounded_into_each_other(make):
    assert n_distinct(make(LONG)) == 200
    assert n_distinct(make(LONG.repeat(2))) == 200
    # Their places on a line are lost, so that no row is said to lie between two others.
    assert not Table.read(make(LONG)).numeric.any()


def test_long_numbers_that_floats_tell_apart_stay_numbers():
    far = (np.arange(-100, 100) * 10**15)[:, None]
    for table in (far, far.astype(object)):
        read = Table.read(table)
        assert read.numeric.all()
        np.testing.assert_array_equal(read.values, far.astype(float))


def test_safe_splits_count_rows_of_long_numbers_one_by_one():
    safe = safe_splits(pd.DataFrame({"id": LONG, "a": 0}), np.arange(200) % 2, random_state=0)
    assert (safe.sample_weight == 1).all()


@pytest.mark.parametrize("dtype", ["string", "category", object])
def test_missing_words_of_any_kind_are_a_value(dtype):
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame["town"] = pd.Series(np.where(X[:, 0] > 0, "Rome", None), dtype=dtype)
    assert find_resampling_leakage(frame, Y) == []
    table, y = RandomOverSampler(random_state=0).fit_resample(frame, Y)
    assert [f.kind for f in find_resampling_leakage(table, y)] == ["copies"]


@pytest.mark.parametrize("dtype", ["boolean", "Int64", "Float64"])
def test_missing_numbers_are_one_value(dtype):
    column = pd.Series([1, 0, None, None, 1], dtype=dtype)
    read = Table.read(pd.DataFrame({"a": column}))
    assert read.numeric.all()
    np.testing.assert_array_equal(read.values[:, 0], [1, 0, np.nan, np.nan, 1])
    assert len(read.first_rows) == 3


def test_times_that_are_missing_are_one_value():
    at = pd.to_datetime(["2020-01-01", None, "2020-01-01", None, "2021-06-01"])
    assert n_distinct(pd.DataFrame({"at": at})) == 3


def test_numbers_in_columns_of_objects_are_numbers():
    # As a frame of words and numbers becomes when it is made an array of.
    made, y = SMOTE(random_state=0).fit_resample(X, Y)
    table = np.c_[made.astype(object), np.full(len(made), "word")]
    for j, kind in enumerate((float, np.float64, np.float64, float)):
        table[:, j] = [kind(v) for v in made[:, j]]
    table[:, 3] = [np.int64(round(v)) for v in made[:, 3]]
    assert Table.read(table).numeric.tolist() == [True, True, True, True, False]
    found = find_resampling_leakage(table, y, random_state=0)
    assert [f.kind for f in found] == ["synthetic rows"]


def test_lists_in_cells_are_refused():
    frame = pd.DataFrame({"a": X[:3, 0], "words": [["a"], ["a", "b"], []]})
    with pytest.raises(ValueError, match=r"X must hold a number, a word .* got \['a'\], a list"):
        find_resampling_leakage(frame, [0, 1, 1])
