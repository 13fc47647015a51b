"""find_unusable_folds: the answer is right where the sampler itself, tried on the fold, fails."""

import warnings

import numpy as np
import pytest
from imblearn.combine import SMOTEENN, SMOTETomek
from imblearn.over_sampling import ADASYN, SMOTE, BorderlineSMOTE, RandomOverSampler
from imblearn.under_sampling import EditedNearestNeighbours, NearMiss, RandomUnderSampler
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.model_selection import HalvingGridSearchCV, KFold, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors

from skmetrics_ext.imbalance import find_unusable_folds
from skmetrics_ext.imbalance._unusable_folds import rows_after


def table(n1, n0=93, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n1 + n0, 3)), np.repeat([0, 1], [n0, n1])


def fails(sampler, X, y):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            clone(sampler).fit_resample(X, y)
    except ValueError:
        return True
    return False


@pytest.mark.parametrize("n1", [5, 6, 7, 8, 10, 12])
@pytest.mark.parametrize(
    "sampler",
    [
        SMOTE(),
        SMOTE(k_neighbors=3),
        SMOTE(k_neighbors=NearestNeighbors(n_neighbors=5)),
        SMOTE(sampling_strategy={1: 7}),
        SMOTE(sampling_strategy=0.07),
        BorderlineSMOTE(),
        ADASYN(),
        SMOTEENN(),
        SMOTETomek(smote=SMOTE(k_neighbors=4)),
        RandomOverSampler(),
        RandomUnderSampler(),
        RandomUnderSampler(sampling_strategy={0: 75}),
        RandomUnderSampler(sampling_strategy={0: 70, 1: 6}),
        NearMiss(n_neighbors=6),
        EditedNearestNeighbours(),
    ],
    ids=str,
)
def test_folds_named_are_those_on_which_the_sampler_fails(sampler, n1):
    X, y = table(n1)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    named = {f.evidence["fold"] for f in find_unusable_folds(X, y, folds, sampler)}
    failing = {
        k for k, (train, _) in enumerate(folds.split(X, y)) if fails(sampler, X[train], y[train])
    }
    if isinstance(sampler, BorderlineSMOTE):
        # It makes nothing, and does not complain, where all rows of a fold are noise to it.
        assert named >= failing
    else:
        assert named == failing


def test_seven_minority_rows_and_five_folds():
    found = find_unusable_folds(*table(7), 5, SMOTE())
    assert [f.kind for f in found] == ["neighbours"] * 2
    assert [f.evidence["fold"] for f in found] == [3, 4]
    assert found[0].evidence == {"fold": 3, "class": 1, "rows": 5, "needed": 6}
    assert "hold 5 rows of class 1, and SMOTE needs 6" in found[0].sentence


def test_numbers_made_for_the_whole_table():
    found = find_unusable_folds(*table(20), 5, RandomUnderSampler(sampling_strategy={0: 90}))
    assert [f.kind for f in found] == ["strategy"] * 5
    assert "cannot be met in fold 0" in found[0].sentence
    assert found[0].evidence["rows"] == {0: 74, 1: 16}


def test_folds_of_one_class():
    found = find_unusable_folds(*table(20), KFold(5), RandomOverSampler())
    assert {f.kind for f in found} == {"one class"}
    assert [(f.evidence["fold"], f.evidence["rows"]) for f in found] == [
        *((k, "test") for k in range(4)),
        (4, "training"),
    ]
    X, y = table(5, 5)
    found = find_unusable_folds(X, y, [(np.arange(5), np.arange(5, 10))], RandomOverSampler())
    assert found[0].evidence == {"fold": 0, "rows": "training", "classes": [0]}


@pytest.mark.parametrize("min_resources", ["exhaust", "smallest", 60, 500])
def test_resources_are_those_of_the_search(min_resources):
    X, y = make_classification(900, 4, weights=[0.9], random_state=0)
    search = HalvingGridSearchCV(
        KNeighborsClassifier(),
        {"n_neighbors": [1, 2, 3, 4]},
        cv=3,
        min_resources=min_resources,
        random_state=0,
    ).fit(X, y)
    found = find_unusable_folds(X, y, search, SMOTE())
    drawn = int(search.n_resources_[0] / 900 * 600)
    if min_resources in (500, "exhaust"):
        assert found == []
        return
    assert {f.kind for f in found} == {"resources"}
    assert {f.evidence["drawn"] for f in found} == {drawn}
    # The chance, against draws.
    rng = np.random.default_rng(0)
    rows = round(found[0].evidence["expected_rows"] * 600 / drawn)
    draws = rng.hypergeometric(rows, 600 - rows, drawn, 20_000)
    assert found[0].evidence["chance_to_fail"] == pytest.approx((draws < 6).mean(), abs=0.02)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sampler": SMOTE}, "sampler must be an object with fit_resample"),
        ({"sampler": None}, "sampler must be an object with fit_resample.* got None"),
        ({"y": np.zeros(100, int)}, "y must hold at least two classes"),
        ({"y": [0, 1]}, "y must hold one label per row of X, 100 in all; got 2"),
    ],
)
def test_bad_input(change, message):
    X, y = table(7)
    settings = {"X": X, "y": y, "cv": 5, "sampler": SMOTE(), **change}
    with pytest.raises(ValueError, match=message):
        find_unusable_folds(**settings)


@pytest.mark.parametrize(
    "sampler",
    [
        RandomOverSampler(),
        RandomOverSampler(sampling_strategy=0.5),
        SMOTE(sampling_strategy={1: 60}),
        SMOTE(sampling_strategy={1: 200}),  # more than of the other class
        SMOTE(sampling_strategy={0: 50}),  # fewer than there are: it fails
        RandomUnderSampler(),
        RandomUnderSampler(sampling_strategy={0: 30}),
        NearMiss(),
    ],
    ids=repr,
)
def test_rows_after_a_sampler_are_those_that_it_hands_on(sampler):
    X, y = table(20)
    expected = {0: 93, 1: 20}
    if not fails(sampler, X, y):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            labels, counts = np.unique(sampler.fit_resample(X, y)[1], return_counts=True)
        expected = dict(zip(labels.tolist(), counts.tolist(), strict=True))
    assert rows_after(sampler, {0: 93, 1: 20}) == expected


def test_what_a_sampler_cleans_away_is_not_known():
    assert rows_after(EditedNearestNeighbours(), {0: 93, 1: 20}) == {0: 93, 1: 20}
    assert rows_after(SMOTEENN(), {0: 93, 1: 20}) == {0: 93, 1: 93}
