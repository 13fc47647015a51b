"""What is no frame, no column or no number is refused, and said so."""

from decimal import Decimal

import narwhals
import narwhals.stable.v1 as nw_v1
import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest

from skmetrics_ext.counts import ConfusionCounts, PairedCounts

FRAME = pd.DataFrame({"truth": ["a", "b", "b"], "answer": ["a", "a", "b"]})
PARAMETERS = ["y_true", "y_pred", "by", "clusters", "sample_weight", "cost"]


def count(frame, **how):
    return ConfusionCounts.from_frame(frame, **{"y_true": "truth", "y_pred": "answer", **how})


@pytest.mark.parametrize(
    "frame",
    [np.zeros((2, 2)), {"truth": ["a"]}, FRAME["truth"], None, "rows.parquet"],
    ids=lambda frame: type(frame).__name__,
)
def test_what_is_no_frame(frame):
    with pytest.raises(
        TypeError,
        match=rf"frame must be a pandas, .*got {type(frame).__name__}\..*from_predictions",
    ):
        count(frame)


@pytest.mark.parametrize("wrap", [narwhals.from_native, nw.from_native, nw_v1.from_native])
@pytest.mark.parametrize("frame", [FRAME, pl.from_pandas(FRAME).lazy()], ids=["eager", "lazy"])
def test_frames_of_narwhals_are_frames(wrap, frame):
    assert count(wrap(frame)).n.tolist() == [[1, 0], [1, 1]]


@pytest.mark.parametrize("parameter", PARAMETERS)
@pytest.mark.parametrize("column", [["a", "b", "b"], 0])
def test_columns_are_named(parameter, column):
    got = type(column).__name__
    with pytest.raises(
        TypeError, match=rf"{parameter} must be the name of a column, a str; got {got}\."
    ):
        count(FRAME, **{parameter: column})


def test_y_true_is_needed():
    with pytest.raises(TypeError, match="y_true must be the name of a column, a str; got NoneType"):
        count(FRAME, y_true=None)


@pytest.mark.parametrize("parameter", PARAMETERS)
def test_a_column_that_is_not_there(parameter):
    with pytest.raises(
        ValueError, match=rf"{parameter}='x' is no column of the frame; its columns"
    ):
        count(FRAME, **{parameter: "x"})


def test_of_many_columns_the_first_are_listed():
    frame = pd.DataFrame([range(40)], columns=[f"c{k}" for k in range(40)])
    with pytest.raises(ValueError, match=r"'c28', 'c29'\] and 10 more\."):
        count(frame)


def test_a_second_model_that_is_not_there():
    with pytest.raises(ValueError, match="y_pred_b='other' is no column"):
        PairedCounts.from_frame(FRAME, y_true="truth", y_pred_a="answer", y_pred_b="other")


@pytest.mark.parametrize("max_cells", [0, -1, 2.5, True, None, "all"])
def test_max_cells_is_a_whole_number(max_cells):
    with pytest.raises(ValueError, match="max_cells must be a whole number, 1 or more; got"):
        count(FRAME, max_cells=max_cells)


def test_missing_is_raise_or_drop():
    with pytest.raises(ValueError, match="missing must be 'raise' or 'drop'; got 'ignore'"):
        count(FRAME, missing="ignore")


# -- objects of pandas ------------------------------------------------------------------------


def objects(*values):
    return np.array(values, dtype=object)


def test_objects_that_are_labels():
    frame = FRAME.assign(truth=objects(True, None, False), answer=objects(True, True, False))
    counts = count(frame, missing="drop")
    assert counts.labels.tolist() == [False, True]
    assert counts.n.tolist() == [[1, 0], [0, 1]]


def test_objects_of_two_kinds_are_no_labels():
    frame = FRAME.assign(truth=objects("a", 1, "a"))
    with pytest.raises(ValueError, match="y_true mixes words and other labels"):
        count(frame)


def test_bytes_are_no_labels():
    with pytest.raises(TypeError, match="y_true holds bytes"):
        count(pl.DataFrame({"truth": [b"a", b"b"], "answer": ["a", "b"]}))


@pytest.mark.parametrize("values", [(1, 2.5, 3), (Decimal(1), Decimal("2.5"), Decimal(3))])
def test_objects_that_are_weights(values):
    counts = count(FRAME.assign(weight=objects(*values)), sample_weight="weight")
    assert counts.w.tolist() == [[1, 0], [2.5, 3]]


@pytest.mark.parametrize("value", ["x", [2, 3]])
def test_objects_that_are_no_weights(value):
    frame = FRAME.assign(weight=pd.Series([1, value, 2], dtype=object))
    with pytest.raises(ValueError, match="sample_weight must hold numbers; column 'weight' holds"):
        count(frame, sample_weight="weight")


def test_other_errors_of_the_engine_are_its_own(tmp_path):
    with pytest.raises(FileNotFoundError):
        count(pl.scan_parquet(tmp_path / "none.parquet"))
