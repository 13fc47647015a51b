"""ScoreCounts as a receipt: all of it comes back, and an edited one does not."""

import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skmetrics_ext.counts import ConfusionCounts, ScoreCounts
from tests.score_cases import scored_rows

SCORES = st.floats(allow_nan=False) | st.sampled_from([np.inf, -np.inf, -0.0, 0.1])
HOWS = st.sampled_from(
    [
        {},
        {"bins": 3, "strategy": "quantile"},
        {"bins": [-np.inf, 0.0, 0.1, np.inf]},
        {"by": "abc"},
        {"by": "abc", "bins": 2, "strategy": "quantile"},
    ]
)


def count(y, score, sample_weight=None, by=None, **more):
    by = None if by is None else [by[k % len(by)] for k in range(len(y))]
    return ScoreCounts.from_predictions(
        y, score, pos_label=1, sample_weight=sample_weight, by=by, **more
    )


def same(again, counts):
    assert again == counts
    assert (again.bins, again.dropped) == (counts.bins, counts.dropped)
    assert [type(v) for v in again.labels] == [type(v) for v in counts.labels]
    for ours, theirs in zip(again.rankings, counts.rankings, strict=True):
        for name in ("low", "high", "n", "w", "w2"):
            array = getattr(ours, name)
            assert array.dtype == getattr(theirs, name).dtype
            assert not array.flags.writeable


@given(scored_rows(scores=SCORES), HOWS, st.booleans())
def test_all_comes_back(rows, how, weighted):
    y, score, weight = rows
    counts = count(y, score, weight if weighted else None, **how)
    text = counts.to_json()
    same(ScoreCounts.from_json(text), counts)
    same(pickle.loads(pickle.dumps(counts)), counts)
    # Nothing in it that only Python's JSON knows.
    json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))


def test_equal_bins_and_dropped_rows_come_back():
    counts = ScoreCounts(
        count([0, 1], [0.2, 0.7], bins=10).rankings, (None, True), bins=10, dropped=4
    )
    same(ScoreCounts.from_json(counts.to_json()), counts)


def test_weights_that_sum_to_the_number_of_rows_come_back():
    counts = count([1, 1, 0], [0.5, 0.5, 0.1], [0.5, 1.5, 1.0])
    same(ScoreCounts.from_json(counts.to_json()), counts)


@pytest.mark.parametrize("labels", [("well", "ill"), (False, True), (-1, 1), (2, 1)])
def test_labels_come_back_as_they_are(labels):
    counts = ScoreCounts.from_predictions(list(labels), [0.1, 0.2], pos_label=labels[1])
    same(ScoreCounts.from_json(counts.to_json()), counts)


def test_what_repeats_is_written_once():
    score = np.arange(10_000) / 10_000
    plain = count(np.arange(10_000) % 2, score).to_json()
    weighted = count(np.arange(10_000) % 2, score, 1 + score).to_json()
    assert len(plain) < 0.4 * len(weighted)


def test_receipts_of_shards_add_up():
    counts = count([0, 1, 1], [0.1, 0.2, 0.3], bins=4)
    again = ScoreCounts.from_json(counts.to_json())
    assert (again + counts).rankings[0].n.sum() == 6


def test_an_edited_receipt_is_an_error():
    text = count([0, 1, 1], [0.25, 0.5, 0.5]).to_json()
    for edited in (text.replace("0.25", "0.26"), text.replace("[1, 0]", "[2, 0]")):
        assert edited != text
        with pytest.raises(ValueError, match="the receipt was edited after it was written"):
            ScoreCounts.from_json(edited)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "text is no receipt: it is not JSON"),
        (None, "text is no receipt: it is not JSON"),
        ("[]", "no receipt of ScoreCounts"),
        (ConfusionCounts.from_cells(tp=1, fp=1, fn=1, tn=1).to_json(), "no receipt of ScoreCounts"),
        (
            json.dumps({"kind": "skmetrics_ext.ScoreCounts", "version": 99}),
            "the receipt has version 99; this release reads 1",
        ),
    ],
)
def test_other_texts_are_no_receipts(text, said):
    with pytest.raises(ValueError, match=said):
        ScoreCounts.from_json(text)


def test_subgroups_that_json_has_no_word_for():
    day = np.array(["2024-05-01", "2024-05-02"], dtype="datetime64[D]")
    counts = ScoreCounts.from_predictions([0, 1], [0.1, 0.2], by=day)
    with pytest.raises(
        TypeError, match=r"words, numbers and bools only .*rename the labels, groups"
    ):
        counts.to_json()
