"""Counts of Spark frames, on local[2]."""

import narwhals.stable.v2 as nw
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from frame_traps import FrameTraps, rows, same

from skmetrics_ext.counts import ConfusionCounts

TYPES = {
    "string": "string",
    "int64": "bigint",
    "int32": "int",
    "int8": "tinyint",
    "double": "double",
    "float": "float",
    "bool": "boolean",
    "decimal128(20, 2)": "decimal(20,2)",
    "list<item: string>": "array<string>",
    "null": "string",
}


class TestSpark(FrameTraps):
    @pytest.fixture
    def make(self, spark):
        def make(table):
            schema = ", ".join(f"{f.name} {TYPES[str(f.type)]}" for f in table.schema)
            columns = [column.to_pylist() for column in table.columns]
            return spark.createDataFrame(list(zip(*columns, strict=True)), schema)

        return make


def test_spark_groups_within_itself(spark, monkeypatch, tmp_path):
    queries = []
    plain = nw.LazyFrame.collect

    def collect(frame, *args, **kwargs):
        queries.append(frame.to_native())
        return plain(frame, *args, **kwargs)

    monkeypatch.setattr(nw.LazyFrame, "collect", collect)
    columns = rows()
    pq.write_table(pa.table(columns), tmp_path / "rows.parquet")
    counts = ConfusionCounts.from_frame(
        spark.read.parquet(str(tmp_path / "rows.parquet")),
        y_true="truth",
        y_pred="answer",
        sample_weight="weight",
        by="site",
    )
    expected = ConfusionCounts.from_predictions(
        columns["truth"],
        columns["answer"],
        sample_weight=columns["weight"],
        by=columns["site"],
    )
    same(counts, expected)
    [query] = queries
    plan = query._jdf.queryExecution().optimizedPlan().toString()
    assert "Aggregate" in plan
    assert "Limit" in plan
    assert query.count() == 4 * 9
