"""Scores of DuckDB relations and Dask frames, in batches too."""

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from score_frame_traps import ScoreFrameTraps, expected, rows, same
from test_from_frame_engines import TestDask as LabelsOfDask
from test_from_frame_engines import TestDuckDB as LabelsOfDuckDB
from test_from_frame_engines import connection  # noqa: F401  # a fixture

from skmetrics_ext.counts import ScoreCounts


class TestDuckDB(ScoreFrameTraps):
    make = LabelsOfDuckDB.make

    def test_shards_in_files(self, make, tmp_path):
        """One relation after the other, as of files in a folder."""
        columns = rows()
        shards = [pd.DataFrame(columns).iloc[start::3] for start in range(3)]
        for number, shard in enumerate(shards):
            shard.to_parquet(tmp_path / f"{number}.parquet")
        relations = (
            make.__self__.read_parquet(str(path)) for path in sorted(tmp_path.glob("*.parquet"))
        )
        counts = ScoreCounts.from_batches(
            relations, y_true="truth", y_score="score", pos_label="ill", bins=7, by="site"
        )
        same(counts, expected(columns, bins=7, by="site"))

    def test_groups_within_the_engine(self, make):
        """A million rows by their bin: what comes back is small, and nothing else does."""
        frame = make.__self__.sql(
            "select (i % 3 = 0)::int as truth, i / 1000000 as score from range(1000001) t(i)"
        )
        counts = ScoreCounts.from_frame(
            frame, y_true="truth", y_score="score", bins=1000, max_cells=2001
        )
        (ranking,) = counts.rankings
        np.testing.assert_array_equal(ranking.low, np.arange(1000) / 1000)
        assert ranking.high[-1] == 1
        assert ranking.n.sum(0).tolist() == [1000] * 999 + [1001]


class TestDask(ScoreFrameTraps):
    make = LabelsOfDask.make


def test_partitions_of_dask_are_batches():
    columns = rows()
    frame = dd.from_pandas(pd.DataFrame(columns), npartitions=4)
    counts = ScoreCounts.from_batches(
        (frame.partitions[k] for k in range(frame.npartitions)),
        y_true="truth",
        y_score="score",
        pos_label="ill",
        bins=20,
        strategy="quantile",
    )
    assert counts == ScoreCounts.from_frame(
        frame,
        y_true="truth",
        y_score="score",
        pos_label="ill",
        bins=20,
        strategy="quantile",
    )


@pytest.mark.parametrize("bins", [None, 7])
def test_partitions_without_rows(bins):
    columns = rows()
    frame = dd.from_pandas(pd.DataFrame(columns), npartitions=4)
    some = frame[frame.site == "site 1"]
    counts = ScoreCounts.from_frame(
        some, y_true="truth", y_score="score", pos_label="ill", bins=bins
    )
    whole = expected(columns, by="site", bins=bins)
    same(counts, whole["site 1"])
