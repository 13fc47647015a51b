"""Resampled tables are found, with seeds and settings other than those of choosing the limits."""

import time

import numpy as np
import pandas as pd
import polars as pl
import pytest
from imblearn.over_sampling import (
    ADASYN,
    SMOTE,
    SMOTENC,
    SVMSMOTE,
    BorderlineSMOTE,
    RandomOverSampler,
)
from imblearn.under_sampling import RandomUnderSampler
from scipy import sparse
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.preprocessing import StandardScaler

from skmetrics_ext.imbalance import find_resampling_leakage

SAMPLERS = {
    "SMOTE": SMOTE,
    "BorderlineSMOTE": BorderlineSMOTE,
    "ADASYN": ADASYN,
    "SVMSMOTE": SVMSMOTE,
    "RandomOverSampler": RandomOverSampler,
}


def rare(d, seed, n=1000):
    return make_classification(
        n,
        d,
        n_informative=min(d, 4),
        n_redundant=0,
        n_clusters_per_class=1,
        weights=[0.93],
        random_state=seed,
    )


def kinds(X, y, **settings):
    found = find_resampling_leakage(X, y, random_state=0, **settings)
    return [(f.kind, f.evidence["class"]) for f in found]


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize("d", [3, 10, 30])
def test_resampled_tables_are_found(sampler, d):
    kind = "copies" if sampler == "RandomOverSampler" else "synthetic rows"
    found = []
    for seed in range(100, 102):
        X, y = rare(d, seed)
        make = SAMPLERS[sampler](random_state=seed + 1)
        X64, y64 = make.fit_resample(X, y)
        X32, y32 = make.fit_resample(X.astype(np.float32), y)
        for table, labels in (
            (X64, y64),
            (StandardScaler().fit_transform(X64), y64),
            (X32, y32),
            (StandardScaler().fit_transform(X32), y32),
        ):
            found.append(kinds(table, labels) == [(kind, 1)])
    # 95 % of so few is all of them.
    assert all(found), found


def test_units_do_not_matter():
    # The distances in which SMOTE chose neighbours are those of two large columns alone; after
    # scaling they are lost, and neighbours in the scaled table are others.
    X, y = load_breast_cancer(return_X_y=True)
    keep = np.r_[np.flatnonzero(y == 1), np.flatnonzero(y == 0)[:60]]
    X, y = SMOTE(random_state=5).fit_resample(X[keep], y[keep])
    assert kinds(StandardScaler().fit_transform(X), y) == [("synthetic rows", 0)]


def test_a_rotation_does_no_harm(rng):
    X, y = SMOTE(random_state=6).fit_resample(*rare(6, 103))
    assert kinds(X @ rng.normal(size=(6, 6)), y) == [("synthetic rows", 1)]


def test_few_synthetic_rows_suffice():
    X, y = rare(5, 104)
    made, labels = SMOTE(sampling_strategy={1: int(sum(y == 1)) + 6}, random_state=0).fit_resample(
        X, y
    )
    (finding,) = find_resampling_leakage(made, labels, random_state=0)
    assert finding.evidence["rows_between_two_others"] == 6
    # The example is one: the first of three lies between the others.
    s, a, b = (made[i] for i in finding.evidence["example_rows"][0])
    length = np.linalg.norm(s - a) + np.linalg.norm(s - b)
    assert length == pytest.approx(np.linalg.norm(a - b), rel=1e-12)


def test_rounded_tables_are_found_when_smote_came_after(rng):
    X, y = rare(5, 105)
    X, y = SMOTE(random_state=0).fit_resample(X.round(1), y)
    # Only few of the values, which come from a grid, are found nowhere else.
    assert kinds(X, y) == [("synthetic rows", 1)]


def test_continuous_columns_of_smotenc_are_enough(rng):
    X, y = rare(4, 106)
    X = np.c_[X, rng.integers(0, 3, len(X))]
    X, y = SMOTENC(categorical_features=[4], random_state=0).fit_resample(X, y)
    assert kinds(X, y) == [("synthetic rows", 1)]


def test_three_classes():
    X, y = make_classification(
        900, 5, n_informative=4, n_redundant=0, n_classes=3, weights=[0.7, 0.2], random_state=3
    )
    words = np.array(["a", "b", "c"])[y]
    assert kinds(*SMOTE(random_state=0).fit_resample(X, words)) == [
        ("synthetic rows", "b"),
        ("synthetic rows", "c"),
    ]


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, sparse.csr_array, np.ndarray.tolist])
def test_any_table(make):
    X, y = RandomOverSampler(random_state=0).fit_resample(*rare(4, 107, n=400))
    assert kinds(make(X), y) == [("copies", 1)]


def test_words_and_missing_values_in_copies():
    X, y = rare(2, 108, n=400)
    frame = pd.DataFrame(X, columns=["a", "b"])
    frame["town"] = np.where(X[:, 0] > 0, "Rome", None)
    frame.loc[::3, "a"] = np.nan
    frame, y = RandomOverSampler(random_state=0).fit_resample(frame, y)
    assert kinds(frame, y) == [("copies", 1)]


def test_copies_are_counted():
    X, y = rare(3, 109, n=400)
    n = int(y.sum())
    X, y = RandomOverSampler(random_state=0).fit_resample(X, y)
    (finding,) = find_resampling_leakage(X, y)
    minority = X[y == 1]
    assert finding.evidence["extra_rows"] == len(minority) - n
    repeated = np.unique(minority, axis=0, return_counts=True)[1] > 1
    assert finding.evidence["sets"] == repeated.sum()
    i, j = finding.evidence["example_rows"][:2]
    np.testing.assert_array_equal(X[i], X[j])


def test_any_column_of_its_own_values_tells_a_copy():
    X, y = rare(3, 109, n=400)
    X = np.c_[X[:, 0] > 0, X, X[:, 1] > 0]
    assert kinds(*RandomOverSampler(random_state=0).fit_resample(X, y)) == [("copies", 1)]


@pytest.mark.parametrize(("sets", "found"), [(4, []), (5, [("copies", 1)])])
def test_copies_need_five_sets(sets, found):
    X, y = rare(3, 110)
    again = np.flatnonzero(y == 1)[:sets]
    assert kinds(np.r_[X, X[again]], np.r_[y, y[again]]) == found


@pytest.mark.parametrize(
    ("n", "in_0", "in_1", "found"),
    [
        # Sets among so many rows of either class: four times as often, and six times.
        (300, 15, 60, []),
        (300, 15, 90, [("copies", 1)]),
        # By chance with 1 in 33: C(10, 5) / C(20, 5) = 0.016, twice.
        (10, 0, 5, []),
        (10, 5, 0, []),
        (300, 90, 15, [("copies", 0)]),
    ],
)
def test_copies_stand_out_by_five_times_and_not_by_chance(n, in_0, in_1, found, rng):
    X, y = rng.normal(size=(2 * n, 3)), np.repeat([0, 1], n)
    again = np.r_[:in_0, n : n + in_1]
    assert kinds(np.r_[X, X[again]], np.r_[y, y[again]]) == found


def test_a_row_with_two_labels_is_no_copy(rng):
    X = rng.normal(size=(200, 3))
    assert kinds(np.r_[X, X[:50]], np.repeat([0, 1], [100, 150])) == []


def test_rates_of_copies_are_of_rows_that_could_tell(rng):
    # Whatever is on the lattice has its values in common with others, copied or not.
    lattice = np.array(np.meshgrid(range(45), range(45))).reshape(2, -1).T
    X, y = rng.normal(size=(400, 2)), np.repeat([0, 1], 200)
    again = np.r_[:2, 200:240]
    table = np.r_[X, X[again], lattice]
    assert kinds(table, np.r_[y, y[again], np.ones(len(lattice), int)]) == [("copies", 1)]


@pytest.mark.parametrize(
    "blind",
    [
        lambda X, y: SMOTE(random_state=0).fit_resample(X[:, :2], y),
        lambda X, y: (lambda X, y: (X.round(3), y))(*SMOTE(random_state=0).fit_resample(X, y)),
        lambda X, y: RandomOverSampler(random_state=0).fit_resample((X > 0).astype(int), y),
        lambda X, y: RandomUnderSampler(random_state=0).fit_resample(X, y),
    ],
    ids=["two columns", "rounded afterwards", "discrete", "undersampling"],
)
def test_what_the_docstring_says_cannot_be_seen(blind):
    assert kinds(*blind(*rare(6, 111))) == []


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_5000_minority_rows_within_two_seconds(dtype):
    X, y = SMOTE(random_state=0).fit_resample(*rare(30, 112, n=5350))
    assert sum(y == 1) > 4900
    X = X.astype(dtype)
    # The processor's time: the clock's is that of all who share the machine.
    start = time.process_time()
    assert kinds(X, y) == [("synthetic rows", 1)]
    assert time.process_time() - start < 2
