"""Counts of DuckDB relations and Dask frames."""

import dask
import dask.dataframe as dd
import dask.local
import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from frame_makers import nullable_frame
from frame_traps import FrameTraps, rows, same

from skmetrics_ext.counts import ConfusionCounts, _engine_frame

LEVELS = ["low", "mid", "high", "never"]


def object_frame(table):
    """Words, bools with gaps and lists as Python objects."""
    decimals = pa.decimal128(20, 2)
    return table.to_pandas(types_mapper={decimals: pd.ArrowDtype(decimals)}.get)


@pytest.fixture
def connection():
    with duckdb.connect() as connection:
        yield connection


class TestDuckDB(FrameTraps):
    @pytest.fixture
    def make(self, connection):
        return connection.from_arrow


class TestDask(FrameTraps):
    # Dask would make words of all objects, lists and bools among them.
    @pytest.fixture(params=[(object_frame, False), (nullable_frame, True)], ids=["objects", "NA"])
    def make(self, request):
        in_pandas, words = request.param
        with dask.config.set({"dataframe.convert-string": words}):
            yield lambda table: dd.from_pandas(in_pandas(table), npartitions=3)


def count(frame, **how):
    return ConfusionCounts.from_frame(frame, y_true="truth", y_pred="answer", **how)


# -- levels -----------------------------------------------------------------------------------


def test_an_enum_of_duckdb_keeps_its_levels(connection):
    connection.sql(f"create type level as enum {tuple(LEVELS)}")
    frame = connection.sql(
        "select truth::level as truth, answer::level as answer from (values "
        "('high', 'low'), ('low', 'low'), (null, 'high'), ('low', 'high')) t(truth, answer)"
    )
    counts = count(frame, missing="drop", by="answer")
    assert counts.labels.tolist() == LEVELS
    assert counts.ordered
    assert counts.groups == ("low", "high")
    assert counts["low"].n[:3, 0].tolist() == [1, 0, 1]
    assert counts.dropped == 1


@pytest.mark.parametrize("ordered", [True, False])
def test_categories_of_dask(ordered):
    def column(values):
        return pd.Categorical(values, categories=LEVELS, ordered=ordered)

    truth, answer = ["high", "low", None, "low"], ["low", "low", "high", "high"]
    frame = dd.from_pandas(
        pd.DataFrame({"truth": column(truth), "answer": column(answer)}), npartitions=2
    )
    counts = count(frame, missing="drop")
    assert counts.labels.tolist() == (LEVELS if ordered else ["high", "low"])
    assert counts.ordered is ordered
    # What Dask does not know before it computes is what was observed.
    unknown = frame.assign(truth=frame.truth.cat.as_unknown())
    unknown = unknown.assign(answer=frame.answer.cat.as_unknown())
    counts = count(unknown, missing="drop")
    assert counts.labels.tolist() == ["high", "low"]
    assert not counts.ordered
    assert counts.n.tolist() == [[0, 1], [1, 1]]


# -- one query, of which only the cells come back ---------------------------------------------


def test_decimals_of_duckdb_are_numbers(connection):
    frame = connection.sql(
        "select 'a' as truth, 'a' as answer, 0.1 as weight, 1.5 as site from range(10)"
    )
    counts = count(frame, sample_weight="weight", by="site")
    assert counts.w.tolist() == [[[pytest.approx(1.0, rel=1e-12)]]]
    assert counts.groups == (1.5,)
    assert type(counts.groups[0]) is float


def test_duckdb_groups_within_itself(connection, monkeypatch, tmp_path):
    queries = []
    plain = _engine_frame.nw.LazyFrame.collect

    def collect(frame, *args, **kwargs):
        queries.append(frame.to_native())
        return plain(frame, *args, **kwargs)

    monkeypatch.setattr(_engine_frame.nw.LazyFrame, "collect", collect)
    columns = rows()
    pq.write_table(pa.table(columns), tmp_path / "rows.parquet")
    frame = connection.read_parquet(str(tmp_path / "rows.parquet"))
    counts = count(frame, sample_weight="weight", by="site")
    same(
        counts,
        ConfusionCounts.from_predictions(
            columns["truth"],
            columns["answer"],
            sample_weight=columns["weight"],
            by=columns["site"],
        ),
    )
    [query] = queries
    plan = query.explain().lower().replace("_", " ")
    assert "group by" in plan
    assert "limit" in plan
    assert "filter" not in plan  # nulls are found in the table that comes back
    assert len(query.fetchall()) == 4 * 9


def test_dask_computes_once():
    columns = rows()
    frame = dd.from_pandas(pd.DataFrame(columns), npartitions=3)
    computed = []

    def get(graph, keys, **how):
        computed.append(dask.local.get_sync(graph, keys, **how))
        return computed[-1]

    with dask.config.set(scheduler=get):
        counts = count(frame, sample_weight="weight", by="site", clusters="patient")
    same(
        counts,
        ConfusionCounts.from_predictions(
            columns["truth"],
            columns["answer"],
            sample_weight=columns["weight"],
            by=columns["site"],
        ),
    )
    [[result]] = computed
    result = result[0] if isinstance(result, tuple) else result
    assert len(result) == len(pl.DataFrame(columns).unique(["truth", "answer", "site", "patient"]))
