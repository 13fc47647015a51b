"""The shipped tables: what is in them, in which shape, and that they are the ones we name."""

import json
import sys
from importlib import resources
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import (
    accuracy_score,
    balanced_accuracy_score,
    confusion_matrix,
    f1_score,
    matthews_corrcoef,
)
from sklearn.model_selection import train_test_split

from skmetrics_ext.datasets import load_anes96, load_penguins

REFERENCE = json.loads((Path(__file__).parent / "data" / "penguins.json").read_text())

MEASURES = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]

# Sums, counts and missing values as pandas 3.1.1 computes them from the frames of the packages
# themselves: palmerpenguins 0.1.6 (load_penguins()) and statsmodels 0.15.0
# (datasets.anes96.load_pandas().data).
PENGUIN_SUMS = {
    "bill_length_mm": 15021.3,
    "bill_depth_mm": 5865.7,
    "flipper_length_mm": 68713.0,
    "body_mass_g": 1437000.0,
    "year": 690762,
}
PENGUIN_MISSING = {**dict.fromkeys(MEASURES, 2), "sex": 11, "island": 0, "year": 0}
ANES_SUMS = {
    "popul": 289224,
    "TVnews": 3519,
    "selfLR": 4083,
    "ClinLR": 2775,
    "DoleLR": 5092,
    "age": 44409,
    "educ": 4310,
    "income": 15417,
    "vote": 393,
}


def missing(column):
    return np.array([value != value for value in column])


def test_penguins_as_arrays():
    bunch = load_penguins()
    assert bunch.data.shape == (344, 7)
    assert bunch.data.dtype == object
    assert bunch.feature_names == ["island", *MEASURES, "sex", "year"]
    assert bunch.target.shape == (344,)
    assert bunch.frame is None
    assert list(bunch.target_names) == ["Adelie", "Chinstrap", "Gentoo"]
    for j, name in enumerate(bunch.feature_names):
        column = bunch.data[:, j]
        gone = missing(column)
        assert gone.sum() == PENGUIN_MISSING[name], name
        if name in PENGUIN_SUMS:
            total = column[~gone].astype(float).sum()
            np.testing.assert_allclose(total, PENGUIN_SUMS[name], rtol=1e-12)
            assert all(isinstance(value, int if name == "year" else float) for value in column)
        else:
            assert all(isinstance(value, str) for value in column[~gone])


def test_penguins_classes_and_groups():
    X, y = load_penguins(return_X_y=True)
    # palmerpenguins 0.1.6: species, sex, and species by island
    assert counts(y) == {"Adelie": 152, "Chinstrap": 68, "Gentoo": 124}
    assert counts(X[~missing(X[:, 5]), 5]) == {"female": 165, "male": 168}
    assert counts(f"{a} {b}" for a, b in zip(y, X[:, 0], strict=True)) == {
        "Adelie Biscoe": 44,
        "Adelie Dream": 56,
        "Adelie Torgersen": 52,
        "Chinstrap Dream": 68,
        "Gentoo Biscoe": 124,
    }


def counts(values):
    names, number = np.unique([str(value) for value in values], return_counts=True)
    return dict(zip(names.tolist(), number.tolist(), strict=True))


def test_anes96_as_arrays():
    bunch = load_anes96()
    assert bunch.data.shape == (944, 9)
    assert bunch.data.dtype == np.float64
    assert bunch.target.dtype == np.int64
    assert dict(zip(bunch.feature_names, bunch.data.sum(axis=0), strict=True)) == ANES_SUMS
    # statsmodels 0.15.0: value_counts of PID
    assert np.bincount(bunch.target).tolist() == [200, 180, 108, 37, 94, 150, 175]
    assert bunch.target.sum() == 2683
    assert len(bunch.target_names) == 7
    assert bunch.target_names[0] == "strong Democrat"
    assert bunch.target_names[6] == "strong Republican"


@pytest.mark.parametrize(
    ("load", "n_rows", "n_features", "target"),
    [(load_penguins, 344, 7, "species"), (load_anes96, 944, 9, "PID")],
)
class TestShapedAsScikitLearns:
    def test_bunch(self, load, n_rows, n_features, target):
        bunch = load()
        assert set(bunch) == {
            "data",
            "target",
            "frame",
            "target_names",
            "DESCR",
            "feature_names",
            "filename",
            "data_module",
        }
        assert bunch.data.shape == (n_rows, n_features)
        assert len(bunch.feature_names) == n_features
        assert resources.files(bunch.data_module).joinpath(bunch.filename).is_file()

    def test_frame_holds_the_same(self, load, n_rows, n_features, target):
        bunch, arrays = load(as_frame=True), load()
        assert bunch.frame.shape == (n_rows, n_features + 1)
        assert list(bunch.frame.columns) == [*bunch.feature_names, target]
        assert isinstance(bunch.data, pd.DataFrame)
        assert isinstance(bunch.target, pd.Series)
        assert bunch.target.name == target
        assert bunch.data.equals(bunch.frame[bunch.feature_names])
        assert bunch.target.tolist() == arrays.target.tolist()
        for j, name in enumerate(bunch.feature_names):
            framed = bunch.data[name].to_numpy(dtype=object)
            gone = missing(framed)
            assert gone.tolist() == missing(arrays.data[:, j]).tolist()
            assert framed[~gone].tolist() == arrays.data[~gone, j].tolist()

    def test_X_and_y(self, load, n_rows, n_features, target):
        X, y = load(return_X_y=True)
        assert X.shape == (n_rows, n_features)
        assert y.shape == (n_rows,)
        X, y = load(return_X_y=True, as_frame=True)
        assert isinstance(X, pd.DataFrame)
        assert isinstance(y, pd.Series)
        assert target not in X.columns

    def test_source_and_licence_are_stated(self, load, n_rows, n_features, target):
        readme = resources.files(load().data_module).joinpath("README.md").read_text("utf-8")
        assert load().filename in readme
        for text in (load.__doc__, load().DESCR, readme):
            assert "licence" in text.lower()
            assert "source" in text.lower()

    def test_every_call_gives_its_own_copy(self, load, n_rows, n_features, target):
        load().data[:] = 0
        assert (load().data != 0).any()

    def test_arrays_need_no_pandas(self, load, n_rows, n_features, target, monkeypatch):
        monkeypatch.setitem(sys.modules, "pandas", None)
        assert load().data.shape == (n_rows, n_features)
        with pytest.raises(ImportError, match=rf"{load.__name__}\(as_frame=True\) needs pandas"):
            load(as_frame=True)


def test_frame_dtypes():
    frame = load_penguins(as_frame=True).frame
    assert {str(frame[name].dtype) for name in MEASURES} == {"float64"}
    assert str(frame["year"].dtype) == "int64"
    assert frame["sex"].isna().sum() == 11
    frame = load_anes96(as_frame=True).frame
    assert str(frame["PID"].dtype) == "int64"


def test_penguins_published_rule():
    penguins = load_penguins(as_frame=True).frame
    train, _ = train_test_split(penguins, test_size=0.2, random_state=42, stratify=penguins.species)
    train = train[train.bill_length_mm.notna()]
    published = REFERENCE["island_rule"]
    assert len(train) == published["of"] == 273
    answer = train.island.map(published["rule"])
    truth = train.species
    table = confusion_matrix(truth, answer)
    assert table.tolist() == published["confusion_rows_true"]
    assert np.trace(table) == published["right"]
    assert round(accuracy_score(truth, answer), 3) == published["accuracy"]
    assert round(balanced_accuracy_score(truth, answer), 2) == published["balanced_accuracy"]
    assert round(f1_score(truth, answer, average="macro"), 2) == published["macro_f1"]
    assert round(matthews_corrcoef(truth, answer), 2) == published["mcc"]
    assert round((truth == "Adelie").mean(), 3) == REFERENCE["always_adelie"]["accuracy"]


def test_arrays_feed_scikit_learn():
    X, y = load_penguins(return_X_y=True)
    model = HistGradientBoostingClassifier(max_iter=5, random_state=0)
    assert model.fit(X[:, 1:5], y).score(X[:, 1:5], y) > 0.95
    X, y = load_anes96(return_X_y=True)
    vote = X[:, -1]
    assert LogisticRegression(max_iter=1000).fit(y[:, None], vote).score(y[:, None], vote) > 0.9
