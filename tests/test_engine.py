"""The query that counts are made of: what it brings back, and in which order."""

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest
from frame_makers import MAKERS

from skmetrics_ext.counts._engine import Derived, grouped

ROWS = pl.DataFrame(
    {
        "word": ["b", "a", "c", "b", "a", None, "b"],
        "number": [10, -3, 2, 10, -3, 2, 2],
        "score": [0.25, 1.0, 0.5, 0.75, None, 0.5, 0.25],
        "weight": [1.0, 2.0, None, 0.5, 3.0, 4.0, 0.25],
    }
)


@pytest.fixture(params=MAKERS.values(), ids=MAKERS)
def frame(request):
    return request.param(ROWS.to_arrow())


def values(column):
    return column.values[column.codes - column.offset].tolist()


def test_cells_are_sorted_by_their_keys(frame):
    cells = grouped(frame, {"first": "word", "second": "number"}, missing="drop")
    assert values(cells.keys["first"]) == ["a", "b", "b", "c"]
    assert values(cells.keys["second"]) == [-3, 2, 10, 2]
    assert cells.keys["first"].values.tolist() == ["a", "b", "c"]
    assert cells.n.tolist() == [2, 1, 2, 1]
    assert cells.n.dtype == np.int64
    assert cells.w.tolist() == cells.w2.tolist() == [2.0, 1.0, 2.0, 1.0]
    assert cells.dropped == 1
    turned = grouped(frame, {"second": "number", "first": "word"}, missing="drop")
    assert values(turned.keys["second"]) == [-3, 2, 2, 10]
    assert values(turned.keys["first"]) == ["a", "b", "c", "b"]


def test_a_cell_without_usable_rows_is_none(frame):
    cells = grouped(frame, {"word": "word"}, sample_weight="weight", missing="drop")
    assert values(cells.keys["word"]) == ["a", "b"]
    assert cells.keys["word"].values.tolist() == ["a", "b"]
    assert cells.n.tolist() == [2, 3]
    assert cells.w.tolist() == [5.0, 1.75]
    assert cells.w2.tolist() == [13.0, 1.3125]
    assert cells.dropped == 2


def test_sums_are_weighted_and_extremes_are_not(frame):
    cells = grouped(
        frame,
        {"word": "word"},
        sample_weight="weight",
        sums={"cost": "score"},
        extremes={"score": "score"},
        missing="drop",
    )
    assert values(cells.keys["word"]) == ["a", "b"]
    assert cells.n.tolist() == [1, 3]  # the other a has no score
    assert cells.sums["cost"].tolist() == [2.0, 0.25 + 0.375 + 0.0625]
    assert cells.least["score"].tolist() == [1.0, 0.25]
    assert cells.greatest["score"].tolist() == [1.0, 0.75]
    assert cells.dropped == 3


def test_a_key_may_be_computed(frame):
    apart = Derived("score", lambda score: (score - 0.5) * (score - 0.5))
    cells = grouped(frame, {"apart": apart}, missing="drop")
    assert values(cells.keys["apart"]) == [0.0, 0.0625, 0.25]
    assert cells.n.tolist() == [2, 3, 1]
    assert cells.dropped == 1
    with pytest.raises(ValueError, match=r"1 row has a missing value .*: apart \('score'\) 1\."):
        grouped(frame, {"apart": apart})
    with pytest.raises(ValueError, match="apart must hold numbers; column 'word' holds String"):
        grouped(frame, {"apart": Derived("word", apart.by)})


def test_floats_are_keys_but_no_labels(frame):
    keys = {"score": "score"}
    assert values(grouped(frame, keys, missing="drop").keys["score"]) == [0.25, 0.5, 0.75, 1.0]
    with pytest.raises(ValueError, match="score must hold class labels, but it is continuous"):
        grouped(frame, keys, labels=["score"], missing="drop")


def test_advice_is_the_end_of_the_message(frame):
    with pytest.raises(
        ValueError,
        match=r"more than max_cells=2 combinations of word \('word'\) came .*\. Do so\.$",
    ):
        grouped(frame, {"word": "word"}, max_cells=2, advice="Do so.")


def test_infinite_keys_are_keys():
    frame = pd.DataFrame({"score": [np.inf, 0.5, -np.inf, np.inf]})
    cells = grouped(nw.from_native(frame), {"score": "score"})
    assert values(cells.keys["score"]) == [-np.inf, 0.5, np.inf]
    assert cells.n.tolist() == [1, 1, 2]
