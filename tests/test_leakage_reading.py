"""The table that leakage is looked for in: what differs stays apart, whatever a column holds."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from imblearn.over_sampling import SMOTE, RandomOverSampler
from scipy import sparse
from scipy.stats import fisher_exact
from sklearn.datasets import make_classification

from skmetrics_ext.imbalance import find_resampling_leakage, safe_splits
from skmetrics_ext.imbalance._leakage_table import Table, class_of_lowest_rate, stands_out

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
    for table in (pd.DataFrame({"at": at}), at.to_numpy().astype("datetime64[D]")[:, None]):
        read = Table.read(table)
        assert read.numeric.all()
        assert np.isnan(read.values[:, 0]).tolist() == [False, True, False, True, False]
        assert len(read.first_rows) == 3


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


def test_words_are_no_place_on_a_line():
    # With them there would be three columns, and there are two.
    made, y = SMOTE(random_state=0).fit_resample(X[:, :2], Y)
    frame = pd.DataFrame({"a": made[:, 0], "b": made[:, 1], "word": [f"w{k}" for k in made[:, 0]]})
    assert Table.read(frame).numeric.tolist() == [True, True, False]
    assert find_resampling_leakage(frame, y, random_state=0) == []


def test_lists_in_cells_are_refused():
    frame = pd.DataFrame({"a": X[:3, 0], "words": [["a"], ["a", "b"], []]})
    with pytest.raises(ValueError, match=r"X must hold a number, a word .* got \['a'\], a list"):
        find_resampling_leakage(frame, [0, 1, 1])


def test_sparse_tables_that_fill_the_memory_are_refused():
    with pytest.raises(ValueError, match=r"1 GiB as a dense array.* shape \(100000, 100000\)"):
        Table.read(sparse.csr_array((10**5, 10**5)))


# -- how classes are compared -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hits", "totals", "lowest"),
    [
        ([3, 1, 5], [100, 100, 100], 1),
        ([0, 0, 5], [10, 100, 50], 1),  # of equal ones the class of most rows
        ([1, 0, 0], [100, 0, 0], 0),  # classes without a row say nothing
        ([0, 0], [0, 0], 0),
    ],
)
def test_the_class_of_lowest_rate(hits, totals, lowest):
    assert class_of_lowest_rate(np.array(hits), np.array(totals)) == lowest


def test_a_rate_stands_out_by_fishers_test():
    table = [[9, 21], [1, 59]]
    chance = fisher_exact(table, alternative="greater").pvalue
    for factor, expected in ((1.001, True), (0.999, False)):
        assert stands_out(9, 30, 1, 60, times=5, chance=chance * factor) is expected
    # By more than so many times, and not where a class has no rows.
    assert stands_out(40, 100, 8, 100, times=4.99, chance=1e-4)
    assert not stands_out(40, 100, 8, 100, times=5, chance=1e-4)
    assert not stands_out(40, 100, 0, 0, times=5, chance=1e-4)
    assert not stands_out(0, 0, 0, 100, times=5, chance=1e-4)
