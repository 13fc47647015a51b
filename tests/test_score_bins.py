"""Scores in bins: where they are cut, that the tables at the cuts are exact, and adding up."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skmetrics_ext.counts import ScoreCounts
from tests.score_cases import scored_rows

# Probabilities, ties, decision values, and the ends of the real line.
DECISIONS = st.sampled_from([-np.inf, -3.0, -0.5, -0.0, 0.0, 1e-300, 0.2, 0.7, 1.0, 40.0, np.inf])
SCORES = st.one_of(DECISIONS, st.floats(-2, 2))
CUTS = st.lists(st.sampled_from([-1.0, 0.0, 0.2, 0.25, 0.5, 0.7, 1.0, 3.0]), unique=True).map(
    sorted
)


def count(y, score, sample_weight=None, **more):
    more.setdefault("pos_label", 1)
    return ScoreCounts.from_predictions(y, score, sample_weight=sample_weight, **more)


def only(counts):
    (ranking,) = counts.rankings
    return ranking


def assert_same(ours, theirs):
    for name in ("low", "high", "n", "w", "w2"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-14)


def brute_force(y, score, weight, place):
    """What each filled bin holds: the least and greatest score, and the rows of each class."""
    for bin_ in np.unique(place):
        inside = place == bin_
        rows = [int((inside & (y == label)).sum()) for label in (0, 1)]
        sums = [weight[inside & (y == label)].sum() for label in (0, 1)]
        yield score[inside].min(), score[inside].max(), rows, sums


@given(scored_rows(scores=SCORES), CUTS, st.booleans())
def test_a_cut_belongs_to_the_bin_above_and_the_outer_bins_are_open(rows, cuts, weighted):
    y, score, weight = rows
    counts = count(y, score, weight if weighted else None, bins=cuts)
    weight = weight if weighted else np.ones(len(y))
    place = np.array([sum(cut <= s for cut in cuts) for s in score])
    expected = list(brute_force(y, score, weight, place))
    ranking = only(counts)
    assert counts.bins == tuple(cuts)
    assert ranking.low.tolist() == [low for low, *_ in expected]
    assert ranking.high.tolist() == [high for _, high, *_ in expected]
    assert ranking.n.T.tolist() == [rows for *_, rows, _ in expected]
    np.testing.assert_allclose(ranking.w.T, [sums for *_, sums in expected], rtol=1e-14)


@given(scored_rows(), st.booleans())
def test_equal_bins_are_the_cuts_at_their_edges(rows, weighted):
    """Eighths are exact in binary; the score 1 is in the last bin, and has no bin of its own."""
    y, score, weight = rows
    more = {"sample_weight": weight if weighted else None}
    assert_same(
        only(count(y, score, bins=8, **more)),
        only(count(y, score, bins=np.arange(1, 8) / 8, **more)),
    )


@given(scored_rows(scores=SCORES), st.sampled_from([1, 2, 3, 7, 100]), st.booleans())
def test_tables_at_the_cuts_are_exact(rows, bins, weighted):
    y, score, weight = rows
    more = {"sample_weight": weight if weighted else None, "strategy": "quantile"}
    thresholds, tables = count(y, score, bins=bins, **more).tables()
    weight = weight if weighted else np.ones(len(y))
    for threshold, table in zip(thresholds, tables, strict=True):
        said = score >= threshold
        expected = [
            [weight[(y == truth) & (said == answer)].sum() for answer in (False, True)]
            for truth in (0, 1)
        ]
        np.testing.assert_allclose(table, expected, rtol=1e-12, atol=1e-12)


# ---------------------------------------------------------------------------------------------
# quantiles


def test_quantiles_of_distinct_scores_are_equal_parts():
    score = np.random.default_rng(0).permutation(1000) / 7 - 50
    counts = count(np.arange(1000) % 2, score, bins=10, strategy="quantile")
    assert only(counts).n.sum(0).tolist() == [100] * 10
    assert counts.bins == tuple(np.sort(score)[100::100])


@given(scored_rows(scores=SCORES), st.sampled_from([1, 2, 3, 7, 100]))
def test_quantiles_hold_about_equally_many_rows(rows, bins):
    y, score, _ = rows
    exact, binned = count(y, score), count(y, score, bins=bins, strategy="quantile")
    sizes, part = only(binned).n.sum(0), len(y) / bins
    assert len(sizes) <= bins
    assert len(binned.bins) == len(sizes) - 1
    of_score = dict(zip(only(exact).low, only(exact).n.sum(0), strict=True))
    for low, high, size in zip(only(binned).low, only(binned).high, sizes, strict=True):
        inside = [n for score, n in of_score.items() if low <= score <= high]
        assert size == sum(inside)
        # The middle rows of its first and last score lie within one part of the rows.
        assert size <= part + (inside[0] + inside[-1]) / 2 + 1e-9
        assert len(inside) == 1 or max(inside) < 2 * part + 1e-9


def test_a_score_that_many_share_is_alone():
    """Nine tenths of the rows at 0, as a rule's scores are; the rest still gets its bins."""
    score = np.concatenate([np.zeros(900), np.arange(1, 101) / 1000])
    ranking = only(count(np.arange(1000) % 2, score, bins=20, strategy="quantile"))
    assert (ranking.low[0], ranking.high[0], ranking.n[:, 0].sum()) == (0, 0, 900)
    assert ranking.n[:, 1:].sum(0).tolist() == [50, 50]


def test_rare_low_scores_are_told_apart_by_quantiles_and_not_by_equal_bins(rng):
    y = (rng.random(20_000) < 0.002).astype(int)
    score = 1e-5 * rng.gamma(2, 1 + 3 * y)
    exact = count(y, score).roc_auc().value
    equal = count(y, score, bins=1000).roc_auc()
    quantiles = count(y, score, bins=1000, strategy="quantile").roc_auc()
    assert equal.value == 0.5
    assert equal.binning_error == 0.5
    assert quantiles.binning_error < 0.001
    assert abs(quantiles.value - exact) <= quantiles.binning_error


@given(scored_rows(scores=SCORES), st.sampled_from([1, 2, 5, 100]), st.booleans())
def test_counting_with_the_cuts_that_were_found_is_the_same(rows, bins, weighted):
    y, score, weight = rows
    more = {"sample_weight": weight if weighted else None}
    found = count(y, score, bins=bins, strategy="quantile", **more)
    again = count(y, score, bins=found.bins, **more)
    assert again.bins == found.bins
    assert_same(only(again), only(found))


# ---------------------------------------------------------------------------------------------
# adding up


@given(scored_rows(scores=SCORES, both_classes=False), st.data())
def test_shards_that_are_cut_alike_add_up(rows, data):
    y, score, weight = rows
    place = data.draw(st.integers(1, len(y) - 1))
    found = count(
        y[:place], score[:place], bins=3, strategy="quantile", sample_weight=weight[:place]
    )
    rest = count(y[place:], score[place:], bins=found.bins, sample_weight=weight[place:])
    whole = count(y, score, bins=found.bins, sample_weight=weight)
    assert_same(only(found + rest), only(whole))
    assert (found + rest).bins == found.bins


@given(scored_rows(scores=SCORES), st.integers(0, 1000))
def test_subgroups_are_cut_alike(rows, seed):
    y, score, _ = rows
    by = np.array(["north", "south"])[np.random.default_rng(seed).integers(0, 2, len(y))]
    counts = count(y, score, by=by, bins=3, strategy="quantile")
    whole = count(y, score, bins=3, strategy="quantile")
    assert counts.bins == whole.bins
    assert_same(only(counts.total()), only(whole))
    for group in counts.groups:
        inside = by == group
        assert_same(only(counts[group]), only(count(y[inside], score[inside], bins=counts.bins)))


def test_shards_that_are_cut_differently_are_not_added():
    y, score = [0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4]
    quantiles = count(y, score, bins=2, strategy="quantile")
    other = count(y, np.array(score) / 2, bins=2, strategy="quantile")
    with pytest.raises(ValueError, match=r"same bins: \[0.3\] against \[0.15\]. .*bins=first.bins"):
        quantiles + other
    with pytest.raises(ValueError, match=r"same bins: 'cuts at \[0.3\]' against None"):
        quantiles + count(y, score)
    with pytest.raises(ValueError, match="same bins: 4 against 5"):
        count(y, score, bins=4) + count(y, score, bins=5)
    many = count(y, score, bins=np.arange(100))
    with pytest.raises(ValueError, match=r"\[0, 1, 2, ..., 98, 99, 100 in all\] against \[0.3\]"):
        many + quantiles


# ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bins", "more", "message"),
    [
        (3, {"strategy": "width"}, r"strategy must be one of \['uniform', 'quantile'\]; got 'wid"),
        (3, {"strategy": None}, "strategy must be one of"),
        (None, {"strategy": "quantile"}, "strategy='quantile' needs bins, the number of them"),
        (0, {"strategy": "quantile"}, "bins must be a whole number, 1 or more"),
        ([0.5], {"strategy": "quantile"}, "bins holds 1 of them already"),
        ("quantile", {}, "got 'quantile'. For quantiles: bins=1000, strategy='quantile'"),
        ([0.5, 0.5], {}, r"or increasing scores to cut at; got \[0.5, 0.5\]"),
        ([0.5, 0.2], {}, "increasing scores"),
        ([0.5, np.nan], {}, "increasing scores"),
        ([np.nan], {}, r"increasing scores to cut at; got \[nan\]"),
        ([[0.5]], {}, "increasing scores"),
        (["a"], {}, "increasing scores"),
        ([[1], [2, 3]], {}, "increasing scores"),
    ],
)
def test_bins_that_mean_nothing_are_refused(bins, more, message):
    with pytest.raises(ValueError, match=message):
        count([0, 1], [0.1, 0.2], bins=bins, **more)


def test_scores_outside_of_equal_bins_are_told_what_takes_them():
    with pytest.raises(ValueError, match=r"2 of 3 are outside, such as -1.0. With strategy='quan"):
        count([0, 1, 1], [-1, 0.5, np.inf], bins=4)
    assert count([0, 1, 1], [-1, 0.5, np.inf], bins=4, strategy="quantile").rankings
    assert count([0, 1, 1], [-1, 0.5, np.inf], bins=[0.5]).rankings
