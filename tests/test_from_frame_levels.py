"""Classes of a frame: levels of an ordered dtype are all kept, others are what was observed."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from skmetrics_ext.counts import ConfusionCounts, PairedCounts

LEVELS = ["low", "mid", "high", "never"]
TRUTH = ["high", "low", None, "low"]
ANSWER = ["low", "low", "high", "high"]


def in_pandas(ordered):
    def column(values):
        return pd.Categorical(values, categories=LEVELS, ordered=ordered)

    return pd.DataFrame({"truth": column(TRUTH), "answer": column(ANSWER)})


def in_polars(dtype):
    return pl.DataFrame(
        {"truth": TRUTH, "answer": ANSWER},
        schema_overrides=dict.fromkeys(["truth", "answer"], dtype),
    )


def in_arrow(ordered, levels=LEVELS):
    def column(values):
        codes = pa.array([None if v is None else levels.index(v) for v in values], pa.int8())
        return pa.DictionaryArray.from_arrays(codes, pa.array(levels), ordered=ordered)

    return pa.table({"truth": column(TRUTH), "answer": column(ANSWER)})


def count(frame, **how):
    how = {"y_true": "truth", "y_pred": "answer", "missing": "drop", **how}
    return ConfusionCounts.from_frame(frame, **how)


ORDERED = {
    "pandas": in_pandas(True),
    "polars": in_polars(pl.Enum(LEVELS)),
    "polars lazy": in_polars(pl.Enum(LEVELS)).lazy(),
    "pyarrow": in_arrow(True),
}
UNORDERED = {
    "pandas": in_pandas(False),
    "polars": in_polars(pl.Categorical),
    "polars lazy": in_polars(pl.Categorical).lazy(),
    "pyarrow": in_arrow(False),
}


@pytest.mark.parametrize("frame", ORDERED.values(), ids=ORDERED)
def test_levels_of_an_ordered_dtype_are_all_kept(frame):
    counts = count(frame)
    assert counts.labels.tolist() == LEVELS
    assert counts.ordered
    assert counts.n.tolist() == [[1, 0, 1, 0], [0, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]]
    assert counts.dropped == 1
    # Ranks count middle classes that no row has: low and high are two apart of three.
    kappa = count(frame, labels=None).estimate("weighted_kappa", confidence_level=None)
    rows = [(t, a) for t, a in zip(TRUTH, ANSWER, strict=True) if t is not None]
    truth, answer = zip(*rows, strict=True)
    expected = ConfusionCounts.from_predictions(truth, answer, labels=LEVELS)
    assert float(kappa) == float(expected.estimate("weighted_kappa", confidence_level=None))


@pytest.mark.parametrize("frame", ORDERED.values(), ids=ORDERED)
def test_subgroups_of_an_ordered_dtype_are_in_its_order(frame):
    counts = count(frame, by="answer")
    assert counts.groups == ("low", "high")


@pytest.mark.parametrize("frame", UNORDERED.values(), ids=UNORDERED)
def test_levels_without_an_order_are_those_observed(frame):
    counts = count(frame)
    assert counts.labels.tolist() == ["high", "low"]
    assert not counts.ordered
    assert counts.n.tolist() == [[0, 1], [1, 1]]


@pytest.mark.parametrize("frame", ORDERED.values(), ids=ORDERED)
def test_labels_go_before_the_dtype(frame):
    counts = count(frame, labels=["high", "low"])
    assert counts.labels.tolist() == ["high", "low"]


def test_levels_that_are_numbers():
    def column(values):
        return pd.Categorical(values, categories=[3, 2, 1], ordered=True)

    frame = pd.DataFrame({"truth": column([3, 1, None]), "answer": column([3, 3, 1])})
    counts = count(frame)
    assert counts.labels.tolist() == [3, 2, 1]
    assert counts.n.tolist() == [[1, 0, 0], [0, 0, 0], [1, 0, 0]]


def test_an_order_beside_plain_words():
    frame = in_polars(pl.Enum(LEVELS)).with_columns(pl.col("answer").cast(pl.String))
    counts = count(frame.lazy())
    assert counts.labels.tolist() == LEVELS
    assert counts.ordered


def test_two_orders_are_an_error():
    frame = in_polars(pl.Enum(LEVELS)).with_columns(
        pl.col("answer").cast(pl.String).cast(pl.Enum(LEVELS[::-1]))
    )
    with pytest.raises(ValueError, match="y_true and y_pred are ordered differently"):
        count(frame)


def test_an_order_of_two_models():
    frame = in_polars(pl.Enum(LEVELS)).with_columns(pl.col("answer").alias("other"))
    paired = PairedCounts.from_frame(
        frame.lazy(), y_true="truth", y_pred_a="answer", y_pred_b="other", missing="drop"
    )
    assert paired.labels.tolist() == LEVELS
    assert paired.n.sum() == 3
    assert "1 row with missing values dropped" in repr(paired)


@pytest.mark.parametrize("ordered", [True, False])
def test_chunks_with_dictionaries_of_their_own(ordered):
    # As pyarrow reads row groups of Parquet.
    table = pa.concat_tables([in_arrow(ordered), in_arrow(ordered, LEVELS[::-1])])
    counts = count(table)
    assert counts.n.sum() == 6
    assert counts.dropped == 2
    assert counts.labels.tolist() == (LEVELS if ordered else ["high", "low"])
    np.testing.assert_array_equal(counts.n, 2 * count(in_arrow(ordered)).n)
