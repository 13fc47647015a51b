"""An estimate says which parameters its metric had, where they are not the usual ones."""

import pickle

import numpy as np
import pytest

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.counts import ConfusionCounts, PairedCounts

COUNTS = ConfusionCounts.from_cells(tp=80, fp=50, fn=20, tn=850)
THREE = ConfusionCounts.from_matrix([[50, 8, 2], [6, 70, 14], [3, 9, 38]])


@pytest.mark.parametrize(
    ("metric", "params", "settings"),
    [
        ("recall", {}, None),
        ("fbeta", {"beta": 2}, "beta=2"),
        ("fbeta", {"beta": np.float64(0.5)}, "beta=0.5"),
        ("fbeta", {"beta": np.int64(2)}, "beta=2"),
        ("fbeta", {"beta": 1}, None),
        ("weighted_kappa", {}, None),
        ("weighted_kappa", {"weights": "quadratic"}, None),
        ("weighted_kappa", {"weights": "linear"}, "weights='linear'"),
        ("weighted_kappa", {"weights": None}, "weights=None"),
        ("weighted_kappa", {"weights": [[0, 1], [2.5, 0]]}, "weights=[[0, 1], [2.5, 0]]"),
        ("one_off_accuracy", {"tolerance": 0}, "tolerance=0"),
        ("expected_cost", {}, None),
        ("expected_cost", {"cost_matrix": None}, None),
        ("expected_cost", {"cost_matrix": [[0, 100], [1, 0]]}, "cost_matrix=[[0, 100], [1, 0]]"),
        (
            "cost_savings",
            {"cost_matrix": CostMatrix.binary(false_negative=5)},
            "cost_matrix=[[0, 5], [1, 0]]",
        ),
    ],
)
def test_settings_are_those_that_are_not_the_default(metric, params, settings):
    estimate = COUNTS.estimate(metric, **params)
    assert estimate.settings == settings
    named = metric if settings is None else f"{metric}({settings})"
    assert estimate.name.startswith(named)
    assert str(estimate).startswith(estimate.name)
    assert ("(" in estimate.name) == (settings is not None)
    assert pickle.loads(pickle.dumps(estimate)) == estimate


def test_a_large_matrix_is_named_by_its_shape():
    estimate = THREE.estimate("expected_cost", cost_matrix=CostMatrix.ordinal([0, 1, 2]))
    assert str(estimate).startswith("expected_cost(cost_matrix=3 x 3 matrix) 0.0")


def test_where_the_settings_stand_in_a_name():
    each = THREE.estimate("fbeta", beta=2, average=None)
    assert [estimate.name for estimate in each] == [f"fbeta(beta=2) of {k}" for k in range(3)]
    assert THREE.estimate("fbeta", beta=2, average="macro").name == "macro fbeta(beta=2)"
    by = ConfusionCounts.from_predictions([0, 1, 0, 1], [0, 1, 1, 1], by=list("aabb"))
    assert by.estimate("fbeta", beta=2)[0].name == "fbeta(beta=2) of 1 in 'a'"
    difference = by.difference("a", "b", "fbeta", beta=2)
    # One row of each class was found in either; in b one false alarm besides: 1 - 5 / 6.
    assert str(difference).startswith("fbeta(beta=2) of 1, 'a' - 'b': 0.167 ")
    assert "fbeta(beta=2)" in each._repr_html_()


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_frames_have_them_as_text(backend):
    frame = THREE.estimate("fbeta", beta=2, average=None).to_frame(backend)
    assert list(map(str, frame["settings"])) == ["beta=2"] * 3


def test_a_paired_difference_says_them_too():
    pairs = PairedCounts.from_tables({0: [[820, 30], [25, 25]], 1: [[12, 8], [15, 65]]})
    found = pairs.difference("fbeta", beta=2)
    assert found.settings == "beta=2"
    assert str(found).startswith("fbeta(beta=2) of 1, A - B: +0.063 ")
    assert str(pairs.difference("f1")).startswith("f1 of 1, A - B: +0.055 ")
