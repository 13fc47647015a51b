"""Counts of frames that come one after the other: those of all rows in one frame."""

import pickle
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from multiprocessing import get_context

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from frame_makers import MAKERS
from hypothesis import given
from hypothesis import strategies as st
from narwhals.exceptions import InvalidOperationError

from skmetrics_ext.counts import ConfusionCounts, ScoreCounts, _batches

TRUTH_AND_ANSWER = {"y_true": "truth", "y_pred": "answer"}
TRUTH_AND_SCORE = {"y_true": "truth", "y_score": "score", "pos_label": "c"}


def rows(n=400, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.choice(["a", "b", "c"], n, p=[0.7, 0.25, 0.05])
    return pa.table(
        {
            "truth": truth,
            "answer": np.where(rng.random(n) < 0.7, truth, rng.choice(["a", "b", "c"], n)),
            "score": rng.integers(0, 50, n) / 50,
            "site": rng.choice(["north", "south", "west"], n),
            "patient": rng.integers(0, 40, n),
            "weight": rng.integers(1, 9, n) / 8,  # sums of eighths are exact
            "amount": rng.integers(0, 100, n) * 1.0,
        }
    )


def of_two(table):
    """The same rows, of which the classes are c and not c."""
    is_c = ["c" if v == "c" else "not c" for v in table["truth"].to_pylist()]
    return table.set_column(0, "truth", pa.array(is_c))


def split(table, cuts):
    ends = [0, *sorted(cuts), len(table)]
    return [table.slice(a, b - a) for a, b in pairwise(ends)]


def assert_same(counts, other):
    assert counts == other
    assert counts.dropped == other.dropped
    if isinstance(counts, ScoreCounts):
        return
    assert counts.ordered == other.ordered
    assert counts.labels.dtype == other.labels.dtype
    assert (counts.clusters is None) == (other.clusters is None)
    if counts.clusters is not None:
        assert counts.clusters.names == other.clusters.names
        for name in ("cluster", "cell", "w"):
            np.testing.assert_array_equal(
                getattr(counts.clusters, name), getattr(other.clusters, name)
            )


# ---------------------------------------------------------------------------------------------
# the same counts


@given(
    st.lists(st.integers(0, 400), max_size=6),
    st.sampled_from(
        [
            {},
            {"by": "site"},
            {"sample_weight": "weight", "clusters": "patient"},
            {"by": "site", "cost": "amount", "clusters": "patient"},
            {"labels": ["c", "b", "a", "d"]},
        ]
    ),
    st.sampled_from([1, 30, 1 << 16]),
)
def test_labels_in_any_batches(cuts, how, merge_at):
    table = rows()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_batches, "_FIRST_MERGE", merge_at)
        counts = ConfusionCounts.from_batches(split(table, cuts), **TRUTH_AND_ANSWER, **how)
    assert_same(counts, ConfusionCounts.from_frame(table, **TRUTH_AND_ANSWER, **how))


@given(
    st.lists(st.integers(0, 400), max_size=6),
    st.sampled_from(
        [
            {},
            {"by": "site", "sample_weight": "weight"},
            {"bins": 7, "by": "site"},
            {"bins": [0.2, 0.5]},
            {"bins": 9, "strategy": "quantile", "sample_weight": "weight"},
        ]
    ),
    st.sampled_from([1, 30, 1 << 16]),
)
def test_scores_in_any_batches(cuts, how, merge_at):
    """Quantiles too: they are those of all batches together."""
    table = of_two(rows())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_batches, "_FIRST_MERGE", merge_at)
        counts = ScoreCounts.from_batches(split(table, cuts), **TRUTH_AND_SCORE, **how)
    assert_same(counts, ScoreCounts.from_frame(table, **TRUTH_AND_SCORE, **how))


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_batches_of_every_library(make):
    batches = [make(part) for part in split(rows(), [50, 200])]
    counts = ConfusionCounts.from_batches(batches, by="site", **TRUTH_AND_ANSWER)
    assert_same(counts, ConfusionCounts.from_frame(rows(), by="site", **TRUTH_AND_ANSWER))


def test_batches_of_several_libraries():
    parts = split(rows(), [20, 60, 110, 200, 300])
    batches = (make(part) for make, part in zip(MAKERS.values(), parts, strict=True))
    how = {"sample_weight": "weight", "clusters": "patient", "by": "site"}
    counts = ConfusionCounts.from_batches(batches, **TRUTH_AND_ANSWER, **how)
    assert_same(counts, ConfusionCounts.from_frame(rows(), **TRUTH_AND_ANSWER, **how))


def test_the_row_groups_of_a_parquet_file(tmp_path):
    table = of_two(rows())
    pq.write_table(table, tmp_path / "rows.parquet", row_group_size=64)
    with pq.ParquetFile(tmp_path / "rows.parquet") as file:
        counts = ScoreCounts.from_batches(file.iter_batches(50), **TRUTH_AND_SCORE)
    assert_same(counts, ScoreCounts.from_frame(table, **TRUTH_AND_SCORE))
    with pq.ParquetFile(tmp_path / "rows.parquet") as file:
        groups = (file.read_row_group(k) for k in range(file.num_row_groups))
        counts = ScoreCounts.from_batches(groups, **TRUTH_AND_SCORE)
    assert_same(counts, ScoreCounts.from_frame(table, **TRUTH_AND_SCORE))


def test_the_chunks_of_a_csv(tmp_path):
    """pandas guesses the types anew in each chunk: whole numbers are floats where one lacks."""
    path = tmp_path / "rows.csv"
    path.write_text("truth,answer\n1,1\n2,2\n1,\n3,1\n3,3\n")
    with pd.read_csv(path, chunksize=2) as chunks:
        counts = ConfusionCounts.from_batches(chunks, **TRUTH_AND_ANSWER, missing="drop")
    assert counts.labels.tolist() == [1, 2, 3]
    assert counts.labels.dtype.kind == "i"
    assert counts.n.tolist() == [[1, 0, 0], [0, 1, 0], [1, 0, 1]]
    assert counts.dropped == 1


# ---------------------------------------------------------------------------------------------
# labels


def frames(*columns, **dtypes):
    return [
        pl.DataFrame({"truth": truth, "answer": answer}, schema_overrides=dtypes)
        for truth, answer in columns
    ]


def test_a_batch_may_lack_a_class():
    batches = frames((["b", "b"], ["b", "b"]), (["a"], ["b"]), (["b"], ["c"]))
    counts = ConfusionCounts.from_batches(batches, **TRUTH_AND_ANSWER)
    assert counts.labels.tolist() == ["a", "b", "c"]
    assert counts.n.tolist() == [[0, 1, 0], [0, 2, 1], [0, 0, 0]]
    assert not counts.ordered
    numbers = frames(([10], [10]), ([9, -1], [10, 9]))
    counts = ConfusionCounts.from_batches(numbers, **TRUTH_AND_ANSWER)
    assert counts.labels.tolist() == [-1, 9, 10]
    assert counts.ordered


def test_labels_are_those_that_are_named():
    batches = frames((["b"], ["b"]), (["a"], ["b"]))
    how = {**TRUTH_AND_ANSWER, "labels": ["low", "b", "a"]}
    assert ConfusionCounts.from_batches(batches, **how).labels.tolist() == ["low", "b", "a"]
    with pytest.raises(ValueError, match=r"y_true holds labels that are not among \['b'\]: \['a'"):
        ConfusionCounts.from_batches(batches, **TRUTH_AND_ANSWER, labels=["b"])


@pytest.mark.parametrize(
    ("dtypes", "kind"),
    [
        ((pl.Int8, pl.Int64), "i"),
        ((pl.Int64, pl.UInt64), "i"),
        ((pl.Int64, pl.Float64), "i"),
        ((pl.Float64, pl.Float32), "f"),
        ((pl.Boolean, pl.Boolean), "b"),
    ],
)
def test_numbers_of_several_types(dtypes, kind):
    batches = [
        pl.DataFrame({"truth": [0, 1], "answer": [1, 1]}).cast(dtype, strict=False)
        for dtype in dtypes
    ]
    counts = ConfusionCounts.from_batches(batches, **TRUTH_AND_ANSWER)
    assert counts.labels.tolist() == [0, 1]
    assert counts.labels.dtype.kind == kind
    assert counts.n.tolist() == [[0, 2], [0, 2]]


def test_whole_numbers_that_no_float_holds():
    large = 2**63 + 1
    batches = [
        pl.DataFrame(
            {"truth": pl.Series([large, large - 1], dtype=pl.UInt64), "answer": [large] * 2}
        ),
        pl.DataFrame({"truth": [-1], "answer": [-1]}),
    ]
    counts = ConfusionCounts.from_batches(batches, **TRUTH_AND_ANSWER)
    assert counts.labels.tolist() == [-1, large - 1, large]
    assert counts.n.sum() == 3


def test_words_in_one_batch_and_numbers_in_another():
    batches = frames(([1], [1])) + frames((["1"], ["1"]))
    with pytest.raises(ValueError, match=r"cannot be sorted \(types \['int', 'str'\]\)"):
        ConfusionCounts.from_batches(batches, **TRUTH_AND_ANSWER)


def test_levels_keep_their_order_and_those_that_no_batch_shows():
    stages = pl.Enum(["low", "mid", "high", "top"])
    columns = [(["high", "low"], ["high", "low"]), (["mid"], ["low"])]
    batches = frames(*columns, truth=stages, answer=stages)
    counts = ConfusionCounts.from_batches(batches, **TRUTH_AND_ANSWER)
    assert counts.labels.tolist() == ["low", "mid", "high", "top"]
    assert counts.ordered


def test_levels_that_differ_from_batch_to_batch_are_an_error():
    batches = [
        *frames((["low"], ["low"]), truth=pl.Enum(["low", "high"])),
        *frames((["low"], ["low"]), truth=pl.Enum(["high", "low"])),
    ]
    said = r"y_true is ordered differently from batch to batch: \['low', 'high'\] against \['high'"
    with pytest.raises(ValueError, match=said):
        ConfusionCounts.from_batches(batches, **TRUTH_AND_ANSWER)


def test_an_order_that_one_batch_lacks_is_none():
    """Then ordinal metrics ask for it, instead of taking the alphabet's."""
    batches = [
        *frames((["low", "mid"], ["low", "low"]), truth=pl.Enum(["low", "mid", "high"])),
        *frames((["high"], ["high"])),
    ]
    counts = ConfusionCounts.from_batches(batches, **TRUTH_AND_ANSWER)
    assert counts.labels.tolist() == ["high", "low", "mid"]
    with pytest.raises(ValueError, match="depends on the order of the classes"):
        counts.estimate("weighted_kappa")


def test_subgroups_of_different_levels_are_all_there():
    batches = [
        pl.DataFrame({"truth": [0, 1], "answer": [1, 1], "site": pl.Series(sites, dtype=dtype)})
        for sites, dtype in [
            (["y", "x"], pl.Enum(["y", "x"])),
            (["z", "x"], pl.Enum(["z", "x"])),
        ]
    ]
    counts = ConfusionCounts.from_batches(batches, by="site", **TRUTH_AND_ANSWER)
    assert counts.groups == ("x", "y", "z")
    assert counts["x"].n.tolist() == [[0, 0], [0, 2]]


def test_a_batch_may_lack_the_positive_class():
    frames = [pl.DataFrame({"y": [k, k], "s": [0.1 * k, 0.5]}) for k in (0, 0, 1)]
    counts = ScoreCounts.from_batches(frames, y_true="y", y_score="s")
    assert counts.labels == (0, 1)
    assert counts == ScoreCounts.from_frame(pl.concat(frames), y_true="y", y_score="s")


# ---------------------------------------------------------------------------------------------
# batches that hold little


def test_a_batch_may_be_empty_or_have_no_complete_row():
    whole = pl.from_arrow(rows())
    lacking = whole.head(3).with_columns(truth=pl.lit(None, dtype=pl.String))
    batches = [whole.clear(), whole.head(100), whole.lazy().filter(False), lacking, whole.tail(300)]
    counts = ConfusionCounts.from_batches(batches, missing="drop", **TRUTH_AND_ANSWER)
    assert counts.dropped == 3
    assert counts == ConfusionCounts.from_frame(whole, **TRUTH_AND_ANSWER)


def test_a_batch_may_have_no_weight():
    whole = pl.from_arrow(rows())
    nothing = whole.head(9).with_columns(weight=0.0)
    how = {**TRUTH_AND_ANSWER, "sample_weight": "weight"}
    counts = ConfusionCounts.from_batches([nothing, whole], **how)
    assert counts == ConfusionCounts.from_frame(pl.concat([nothing, whole]), **how)
    with pytest.raises(ValueError, match="sample_weight must not be zero for every row"):
        ConfusionCounts.from_batches([nothing, nothing], **how)


def test_batches_without_rows_are_an_error():
    whole = pl.from_arrow(rows())
    with pytest.raises(ValueError, match="batches has no frames: at least one is needed"):
        ConfusionCounts.from_batches(iter([]), **TRUTH_AND_ANSWER)
    with pytest.raises(ValueError, match="batches has no rows: at least one is needed"):
        ConfusionCounts.from_batches([whole.clear(), whole.clear()], **TRUTH_AND_ANSWER)
    lacking = whole.head(3).with_columns(truth=pl.lit(None, dtype=pl.String))
    with pytest.raises(ValueError, match=r"every row has a missing value \(6 rows\)"):
        ConfusionCounts.from_batches([lacking] * 2, missing="drop", **TRUTH_AND_ANSWER)


# ---------------------------------------------------------------------------------------------
# errors


@pytest.mark.parametrize(
    ("batches", "said"),
    [
        (pl.DataFrame({"truth": [1]}), "got one frame, a DataFrame: from_frame counts it"),
        (pl.LazyFrame({"truth": [1]}), "got one frame, a LazyFrame"),
        (pa.table({"truth": [1]}), "got one frame, a Table"),
        ("rows.parquet", "such as the iter_batches.* of a Parquet file; got str"),
        ({"truth": [1]}, "must be an iterable of frames, .*; got dict"),
        (7, "must be an iterable of frames, .*; got int"),
        ([[1, 2]], "frame must be a pandas, Polars"),
    ],
)
def test_what_is_no_iterable_of_frames(batches, said):
    with pytest.raises(TypeError, match=said):
        ConfusionCounts.from_batches(batches, **TRUTH_AND_ANSWER)


def test_an_error_tells_which_batch_it_was():
    good = pl.DataFrame({"truth": ["a"], "answer": ["a"], "weight": [1.0]})
    bad = good.with_columns(weight=-1.0)
    with pytest.raises(ValueError, match="must not be negative; the lowest weight is -1") as error:
        ConfusionCounts.from_batches([good, good, bad], sample_weight="weight", **TRUTH_AND_ANSWER)
    assert error.value.__notes__ == ["That was batch 3, counted from 1."]


@pytest.mark.parametrize(
    ("how", "said"),
    [({"missing": "skip"}, "missing must be 'raise' or 'drop'"), ({"max_cells": 0}, "max_cells")],
)
def test_what_is_asked_is_looked_at_before_any_batch(how, said):
    with pytest.raises(ValueError, match=said) as error:
        ConfusionCounts.from_batches(iter([rows()]), **TRUTH_AND_ANSWER, **how)
    assert not hasattr(error.value, "__notes__")


def test_an_error_of_the_engine_is_noted_too():
    broken = pl.LazyFrame({"truth": ["a"], "answer": ["a"]}).with_columns(
        pl.col("truth").cast(pl.Int64).cast(pl.String)
    )
    with pytest.raises(InvalidOperationError) as error:
        ConfusionCounts.from_batches([broken], **TRUTH_AND_ANSWER)
    assert "That was batch 1, counted from 1." in error.value.__notes__


def test_max_cells_bounds_what_all_batches_give(monkeypatch):
    monkeypatch.setattr(_batches, "_FIRST_MERGE", 20)
    batches = [
        pl.DataFrame({"truth": ["c", "d"] * 5, "score": np.arange(10) / 100 + k / 10})
        for k in range(10)
    ]
    counts = ScoreCounts.from_batches(batches, **TRUTH_AND_SCORE, max_cells=100)
    assert counts.rankings[0].n.shape == (2, 100)
    said = (
        r"more than max_cells=39 combinations of y_true \('truth'\), y_score \('score'\) came from "
        r"the first 7 batches\. Count the scores in bins instead"
    )
    with pytest.raises(ValueError, match=said):
        ScoreCounts.from_batches(batches, **TRUTH_AND_SCORE, max_cells=39)
    with pytest.raises(ValueError, match=r"max_cells=99 .* the first 10 batches"):
        ScoreCounts.from_batches(batches, **TRUTH_AND_SCORE, max_cells=99)


# ---------------------------------------------------------------------------------------------
# how far


class Spy:
    def __init__(self, total, *, shown):
        self.told = [total, shown]
        Spy.last = self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.told.append("closed")

    def advance(self, rows):
        self.told.append(rows)


def test_progress_is_told_of_each_batch(monkeypatch):
    monkeypatch.setattr(_batches, "Progress", Spy)
    lacking = pl.DataFrame({"truth": ["a", None], "answer": ["a", "b"]})
    batches = [pl.from_arrow(rows()).clear(), lacking, pl.from_arrow(rows())]
    ConfusionCounts.from_batches(batches, missing="drop", **TRUTH_AND_ANSWER)
    assert Spy.last.told == [3, True, 0, 2, 400, "closed"]
    ConfusionCounts.from_batches(iter(batches[2:]), progress=False, **TRUTH_AND_ANSWER)
    assert Spy.last.told == [None, False, 400, "closed"]
    with pytest.raises(ValueError, match="1 row has a missing value"):
        ConfusionCounts.from_batches(batches, **TRUTH_AND_ANSWER)
    assert Spy.last.told == [3, True, 0, "closed"]


def test_a_short_count_says_nothing(capfd):
    ConfusionCounts.from_batches(split(rows(), [100]), **TRUTH_AND_ANSWER)
    assert capfd.readouterr() == ("", "")


# ---------------------------------------------------------------------------------------------
# many processes


def count_shard(table):
    """What one process counts of its rows, and sends back pickled or as text."""
    of_labels = ConfusionCounts.from_frame(
        table, labels=["a", "b", "c"], sample_weight="weight", by="site", **TRUTH_AND_ANSWER
    )
    of_scores = ScoreCounts.from_frame(of_two(table), bins=20, by="site", **TRUTH_AND_SCORE)
    return of_labels, of_scores, of_labels.to_json(), of_scores.to_json()


def test_shards_of_several_processes_add_up():
    first, *shards = split(rows(), [90, 250])
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        counted = [count_shard(first), *pool.map(count_shard, shards)]
    of_labels, of_scores, as_text, scores_as_text = zip(*counted, strict=True)
    whole, scores, *_ = count_shard(rows())
    for added in (sum(of_labels), sum(map(ConfusionCounts.from_json, as_text))):
        assert set(added.groups) == set(whole.groups)
        assert added.total() == whole.total()
    for added in (sum(of_scores), sum(map(ScoreCounts.from_json, scores_as_text))):
        assert {g: added[g] for g in added.groups} == {g: scores[g] for g in scores.groups}
    assert pickle.loads(pickle.dumps(of_scores[0])) == of_scores[0]
