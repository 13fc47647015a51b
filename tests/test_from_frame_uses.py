"""Counts of a frame are counts as any other: they add up, travel, and know their amounts."""

import pickle

import numpy as np
import polars as pl
import pytest

from skmetrics_ext.counts import ConfusionCounts

ROWS = pl.DataFrame(
    {
        "truth": ["fraud", "fraud", "fine", "fine", "fraud", None, "fine"],
        "answer": ["fraud", "fine", "fine", "fraud", "refer", "fine", "fine"],
        "shop": ["b", "a", "a", "b", "b", "a", "b"],
        "till": [1, 1, 2, 2, 3, 3, 4],
        "amount": [100.0, 20.0, 3.0, 4.0, 500.0, 60.0, 7.0],
    }
)


def count(frame, **how):
    settings = {
        "y_true": "truth",
        "y_pred": "answer",
        "labels": ["fine", "fraud"],
        "actions": ["refer"],
        "cost": "amount",
        "missing": "drop",
    }
    return ConfusionCounts.from_frame(frame, **{**settings, **how})


def test_amounts_of_a_table():
    counts = count(ROWS)
    assert counts.amount.tolist() == [[10, 4, 0], [20, 100, 500]]
    assert counts.n.tolist() == [[2, 1, 0], [1, 1, 1]]
    assert counts.dropped == 1
    assert not counts.amount.flags.writeable


def test_without_cost_there_are_no_amounts():
    counts = count(ROWS, cost=None)
    assert counts.amount is None
    assert "amount" not in counts.to_frame("polars").columns


@pytest.mark.parametrize("by", [None, "shop"])
@pytest.mark.parametrize("clusters", [None, "till"])
def test_parts_add_up_to_the_whole(by, clusters):
    how = {"by": by, "clusters": clusters}
    whole = count(ROWS, **how)
    added = count(ROWS[:3], **how) + count(ROWS[3:], **how)
    assert added.dropped == whole.dropped == 1
    if by is not None:
        added = {group: added[group] for group in whole.groups}
        whole = {group: whole[group] for group in whole.groups}
    assert added == whole


def test_amounts_add_up_only_with_amounts():
    with pytest.raises(ValueError, match="same use of amounts"):
        count(ROWS) + count(ROWS, cost=None)


def test_amounts_of_subgroups():
    counts = count(ROWS, by="shop")
    assert counts.groups == ("a", "b")
    assert counts["a"].amount.tolist() == [[3, 0, 0], [20, 0, 0]]
    assert counts.total().amount.tolist() == count(ROWS).amount.tolist()
    assert counts != count(ROWS.with_columns(pl.col("amount") + 1), by="shop")


def test_amounts_of_fewer_classes():
    counts = count(ROWS)
    assert counts.binary("fine").amount.tolist() == [[100, 20, 500], [4, 10, 0]]
    # Metrics that leave declined rows out still find tables of one shape.
    assert float(counts.estimate("accuracy", on="answered")) == 3 / 5


@pytest.mark.parametrize("by", [None, "shop"])
def test_amounts_travel(by):
    counts = count(ROWS, by=by, clusters="till")
    for again in (
        ConfusionCounts.from_json(counts.to_json()),
        pickle.loads(pickle.dumps(counts)),
    ):
        assert again == counts
        assert again.dropped == 1
        np.testing.assert_array_equal(again.amount, counts.amount)
        assert not again.amount.flags.writeable
    assert counts.to_frame("polars")["amount"].sum() == 634


def test_dropped_rows_are_told():
    counts = count(ROWS)
    assert "1 row with missing values dropped" in repr(counts)
    assert "<p>1 row with missing values dropped</p>" in counts._repr_html_()
    assert "dropped" not in repr(count(ROWS[:5]))


def test_polars_is_asked_once_and_streams(monkeypatch):
    asked = []
    plain = pl.LazyFrame.collect

    def collect(frame, **how):
        result = plain(frame, **how)
        if "_eager" not in how:  # as which Polars 1 ran what is done to eager frames
            asked.append((frame.explain(), how, result.height))
        return result

    monkeypatch.setattr(pl.LazyFrame, "collect", collect)
    count(ROWS.lazy(), sample_weight="amount", by="shop")
    [(plan, how, height)] = asked
    assert "AGGREGATE" in plan
    assert "FILTER" not in plan  # nulls are found in the table that comes back
    assert "streaming" in (*how, how.get("engine"))
    assert height == 7
