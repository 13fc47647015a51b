"""ScoreCounts: what is counted, how it adds up, and what is refused."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skmetrics_ext.counts import ScoreCounts
from tests.score_cases import scored_rows

SIGNED = st.sampled_from([-np.inf, -1e300, -2.5, -5e-324, -0.0, 0.0, 5e-324, 1e-9, 3.0, np.inf])


def count(y, score, sample_weight=None, **more):
    return ScoreCounts.from_predictions(y, score, sample_weight=sample_weight, **more)


def only(counts):
    (ranking,) = counts.rankings
    return ranking


@given(scored_rows(scores=st.one_of(SIGNED, st.floats(allow_nan=False))), st.booleans())
def test_counts_are_those_of_each_distinct_score(rows, weighted):
    y, score, weight = rows
    ranking = only(count(y, score, weight if weighted else None))
    weight = weight if weighted else np.ones(len(y))
    distinct = np.unique(score)
    np.testing.assert_array_equal(ranking.low, distinct)
    np.testing.assert_array_equal(ranking.high, distinct)
    at = score == distinct[:, None]
    for label in (0, 1):
        some = at & (y == label)
        np.testing.assert_array_equal(ranking.n[label], some.sum(1))
        np.testing.assert_allclose(ranking.w[label], (some * weight).sum(1), rtol=1e-14)
        np.testing.assert_allclose(ranking.w2[label], (some * weight**2).sum(1), rtol=1e-14)


@given(scored_rows(), st.sampled_from([1, 2, 3, 10, 1000]), st.booleans())
def test_bins_keep_their_least_and_greatest_score(rows, bins, weighted):
    y, score, weight = rows
    ranking = only(count(y, score, weight if weighted else None, bins=bins))
    place = np.minimum(np.floor(score * bins), bins - 1)
    filled = np.unique(place)
    assert ranking.low.tolist() == [score[place == b].min() for b in filled]
    assert ranking.high.tolist() == [score[place == b].max() for b in filled]
    assert ranking.n[1].tolist() == [y[place == b].sum() for b in filled]


@given(scored_rows(both_classes=False), st.data())
def test_parts_add_up_to_the_whole(rows, data):
    y, score, weight = rows
    cut = data.draw(st.integers(1, len(y) - 1))
    bins = data.draw(st.sampled_from([None, 4]))
    weighted = data.draw(st.booleans())
    parts = [
        count(y[s], score[s], weight[s] if weighted else None, bins=bins, pos_label=1)
        for s in (slice(cut), slice(cut, None))
        if len(y[s])
    ]
    whole = count(y, score, weight if weighted else None, bins=bins, pos_label=1)
    ours, theirs = only(parts[0] + parts[1]), only(whole)
    for name in ("low", "high", "n", "w", "w2"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-14)
    assert (parts[0] + parts[1]).labels == whole.labels


def test_weights_that_sum_to_the_number_of_rows_are_weights_all_the_same():
    counts = count([1, 1], [0.5, 0.5], [0.5, 1.5]) + count([0], [0.5], [1.0], pos_label=1)
    assert only(counts).w2.tolist() == [[1.0], [2.5]]


@given(scored_rows(), st.randoms())
def test_the_order_of_the_rows_does_not_matter(rows, random):
    y, score, _ = rows
    order = list(range(len(y)))
    random.shuffle(order)
    assert count(y, score) == count(y[order], score[order])


@given(scored_rows(), st.integers(0, 1000))
def test_subgroups_are_counted_one_by_one_and_add_up(rows, seed):
    y, score, _ = rows
    by = np.array(["north", "south", "west"])[np.random.default_rng(seed).integers(0, 3, len(y))]
    counts = count(y, score, by=by)
    assert counts.groups == tuple(sorted(set(by)))
    for group in counts.groups:
        inside = by == group
        assert only(counts[group]) == only(count(y[inside], score[inside], pos_label=1))
    assert only(counts.total()) == only(count(y, score))
    half = len(y) // 2
    parts = [count(y[s], score[s], by=by[s], pos_label=1) for s in (slice(half), slice(half, None))]
    added = parts[0] + parts[1]
    assert set(added.groups) == set(by)
    for group in added.groups:
        assert only(added[group]) == only(counts[group])


@pytest.mark.parametrize(
    "make", [list, np.array, pd.Series, pl.Series, pa.array, lambda x: np.array(x)[:, None]]
)
def test_every_container_counts_the_same(make):
    words, score = ["ill", "well", "ill", "well"], [0.5, 0.25, 0.75, 0.5]
    counts = count(make(words), make(score), pos_label="ill")
    assert counts == count(words, score, pos_label="ill")
    assert counts.labels == ("well", "ill")


def test_float32_scores_are_kept_exactly():
    score = np.array([0.1, 0.2, 0.7], dtype=np.float32)
    assert only(count([0, 1, 1], score)).low.tolist() == score.astype(float).tolist()


def test_nullable_scores_and_integers():
    assert only(count([0, 1], pd.Series([1, 2], dtype="Int64"))).low.tolist() == [1.0, 2.0]
    assert only(count([0, 1], [False, True])).low.tolist() == [0.0, 1.0]


@pytest.mark.parametrize(
    ("y", "pos_label", "labels"),
    [
        ([0, 1], None, (0, 1)),
        ([-1, 1], None, (-1, 1)),
        ([False, True], None, (False, True)),
        ([0, 1], 0, (1, 0)),
        ([2, 3], 2, (3, 2)),
        (["a", "b"], "a", ("b", "a")),
        ([0, 0], None, (0, 1)),
        ([1, 1], None, (None, 1)),
        (["a", "a"], "b", ("a", "b")),
        (["a", "a"], "a", (None, "a")),
    ],
)
def test_the_positive_class(y, pos_label, labels):
    counts = count(y, [0.1, 0.2], pos_label=pos_label)
    assert counts.labels == labels
    assert only(counts).n[1].sum() == sum(v == labels[1] for v in y)


def test_counts_are_immutable_and_survive_pickling():
    counts = count([0, 1, 1], [0.1, 0.2, 0.2], by=["a", "a", "b"])
    again = pickle.loads(pickle.dumps(counts))
    assert again == counts
    for some in (counts, again):
        with pytest.raises(ValueError, match="read-only"):
            some.rankings[0].n[0] = 5
    with pytest.raises(AttributeError):
        counts.bins = 3


def test_repr_says_what_is_counted():
    counts = count(["f", "m", "m"], [1, 2, 2], pos_label="m")
    assert repr(counts) == (
        "ScoreCounts: 3 rows, 2 of 'm' (positive) and 1 of 'f', at 2 distinct scores"
    )
    assert "in 2 subgroups ['x', 'y']" in repr(count([0, 1, 1], [1, 2, 3], by=["x", "y", "y"]))
    assert "at 2 bins" in repr(count([0, 1], [0.1, 0.9], bins=5))


@pytest.mark.parametrize(
    ("y", "score", "more", "message"),
    [
        ([0, 1, 1], [0.1, np.nan, np.nan], {}, r"y_score must not be missing: 2 of 3 scores"),
        ([0, 1], [0.1, None], {}, "1 of 2 scores are NaN"),
        ([0, 1], pd.Series([0.1, None], dtype="Float64"), {}, "1 of 2 scores are NaN"),
        ([0, 1], ["a", "b"], {}, "y_score must hold numbers"),
        ([0, 1], [0.1, 0.2, 0.3], {}, r"one score per row, shape \(2,\); got shape \(3,\)"),
        ([0, 1], [[0.1, 0.9], [0.2, 0.8]], {}, "the column of the positive class"),
        ([0, 1, 2], [1, 2, 3], {}, r"two classes.*got 3: \[0, 1, 2\].*y_true == label"),
        (["a", "b"], [1, 2], {}, "pos_label must name the positive class"),
        (["a", "b"], [1, 2], {"pos_label": "c"}, "pos_label='c' is not a class"),
        (["a", "a"], [1, 2], {"pos_label": 1}, "pos_label=1 is not a class"),
        ([0, None], [1, 2], {}, "y_true has 1 missing value"),
        ([0.5, 1], [1, 2], {}, "continuous"),
        ([], [], {}, "empty"),
        ([0, 1], [1, 2], {"sample_weight": [1, -1]}, "sample_weight must not be negative"),
        ([0, 1], [1, 2], {"by": ["a"]}, "by must have one value per row, 2; it has 1"),
        ([0, 1], [0.5, 1.5], {"bins": 10}, "bins need scores between 0 and 1; 1 of 2 are outside"),
        ([0, 1], [-np.inf, np.inf], {"bins": 10}, "2 of 2 are outside"),
        ([0, 1], [0.5, 0.6], {"bins": 0}, "bins must be a whole number, 1 or more"),
        ([0, 1], [0.5, 0.6], {"bins": 2.5}, "bins must be a whole number"),
        ([0, 1], [0.5, 0.6], {"bins": True}, "bins must be a whole number"),
    ],
)
def test_bad_input_is_refused(y, score, more, message):
    with pytest.raises(ValueError, match=message):
        count(y, score, **more)


def test_counts_that_do_not_go_together_are_not_added():
    base = count([0, 1], [0.1, 0.2])
    with pytest.raises(ValueError, match="same positive class: 1 against 0"):
        base + count([0, 1], [0.1, 0.2], pos_label=0)
    with pytest.raises(ValueError, match="same negative class: 0 against -1"):
        base + count([-1, 1], [0.1, 0.2])
    with pytest.raises(ValueError, match="same bins: None against 10"):
        base + count([0, 1], [0.1, 0.2], bins=10)
    with pytest.raises(ValueError, match="same use of subgroups"):
        base + count([0, 1], [0.1, 0.2], by=["a", "b"])
    with pytest.raises(TypeError):
        base + 1


def test_an_unknown_subgroup():
    with pytest.raises(KeyError, match=r"no subgroup 'c'; the subgroups are \['a', 'b'\]"):
        count([0, 1], [1, 2], by=["a", "b"])["c"]
