"""The builtin `sum` adds counts of parts up, as `+` does."""

import numpy as np
import pytest

from skmetrics_ext.counts import ConfusionCounts, PairedCounts, ScoreCounts

ROWS = 300


def confusion(rows, drawn):
    y, other, by, _ = drawn
    return ConfusionCounts.from_predictions(y[rows], other[rows], by=by[rows], labels=[0, 1, 2])


def paired(rows, drawn):
    y, other, _, third = drawn
    return PairedCounts.from_predictions(y[rows], other[rows], third[rows], labels=[0, 1, 2])


def scores(rows, drawn):
    y, _, by, third = drawn
    score = third[rows] + y[rows] / 4
    return ScoreCounts.from_predictions(y[rows] > 0, score, by=by[rows], bins=None)


@pytest.fixture
def drawn():
    rng = np.random.default_rng(3)
    y, other, third = rng.integers(0, 3, (3, ROWS))
    return y, other, np.array(["north", "south"])[rng.integers(0, 2, ROWS)], third


@pytest.mark.parametrize("count", [confusion, paired, scores])
@pytest.mark.parametrize("n_parts", [1, 2, 5])
def test_parts_add_up_to_the_whole(count, n_parts, drawn):
    parts = np.array_split(np.arange(ROWS), n_parts)
    total = sum(count(rows, drawn) for rows in parts)
    whole = count(np.arange(ROWS), drawn)
    assert type(total) is type(whole)
    assert whole.total() == total.total() if count is not paired else whole == total
    # groups stand in the order in which they were met
    assert set(getattr(total, "groups", ())) == set(getattr(whole, "groups", ()))


@pytest.mark.parametrize("count", [confusion, paired, scores])
@pytest.mark.parametrize("other", [1, 0.0, False, None, "", []], ids=repr)
def test_nothing_else_is_added(count, other, drawn):
    counts = count(np.arange(ROWS), drawn)
    for add in (lambda: other + counts, lambda: counts + other):
        with pytest.raises(TypeError):
            add()
    with pytest.raises(TypeError):
        counts + 0
    assert 0 + counts is counts


def test_no_counts_are_no_counts():
    assert sum([]) == 0
