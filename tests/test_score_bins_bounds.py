"""How far bins can put an answer: the bounds hold, and are attained."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import UndefinedMetricWarning

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.counts import ScoreCounts
from tests.score_cases import TIED, scored_rows

BINNED = st.sampled_from(
    [
        {"bins": 1},
        {"bins": 2},
        {"bins": 5},
        {"bins": 20},
        {"bins": 3, "strategy": "quantile"},
        {"bins": [0.25, 0.3, 0.7]},
    ]
)
COSTS = st.sampled_from([-3.0, 0.0, 0.1, 1.0, 2.0, 50.0])


def count(y, score, sample_weight=None, **more):
    return ScoreCounts.from_predictions(y, score, pos_label=1, sample_weight=sample_weight, **more)


def areas(counts, max_fpr):
    none = {"confidence_level": None}
    yield counts.roc_auc(**none)
    yield counts.gini(**none)
    yield counts.partial_auc(max_fpr, **none)


@given(scored_rows(), BINNED, st.sampled_from([0.01, 0.3, 0.5, 1.0]), st.booleans())
def test_areas_are_off_by_no_more_than_they_say(rows, bins, max_fpr, weighted):
    y, score, weight = rows
    weight = weight if weighted else None
    exact, binned = count(y, score, weight), count(y, score, weight, **bins)
    both = zip(areas(exact, max_fpr), areas(binned, max_fpr), strict=True)
    for theirs, ours in both:
        assert abs(ours.value - theirs.value) <= ours.binning_error + 1e-12
        assert theirs.binning_error is None


@given(scored_rows(), BINNED, st.booleans())
def test_the_bound_of_the_area_is_half_the_product_of_the_shares_in_each_bin(rows, bins, weighted):
    y, score, weight = rows
    weight = weight if weighted else np.ones(len(y))
    binned = count(y, score, weight, **bins)
    (ranking,) = binned.rankings
    bound = 0.0
    for low, high in zip(ranking.low, ranking.high, strict=True):
        inside = (score >= low) & (score <= high)
        if len(np.unique(score[inside])) > 1:
            shares = [weight[inside & (y == k)].sum() / weight[y == k].sum() for k in (0, 1)]
            bound += 0.5 * shares[0] * shares[1]
    assert binned.roc_auc().binning_error == pytest.approx(bound, rel=1e-12, abs=1e-15)
    assert binned.gini().binning_error == pytest.approx(2 * bound, rel=1e-12, abs=1e-15)


@given(scored_rows(), BINNED, st.tuples(COSTS, COSTS, COSTS, COSTS), st.booleans())
def test_the_best_cost_is_less_by_no_more_than_it_says(rows, bins, costs, weighted):
    """Any costs, also where the right answer is dearer than the wrong one."""
    y, score, weight = rows
    weight = weight if weighted else None
    costs = np.reshape(costs, (2, 2))
    exact = count(y, score, weight).best_cost(costs)
    binned = count(y, score, weight, **bins).best_cost(costs)
    assert exact.binning_error is None
    assert binned.value - binned.binning_error - 1e-12 <= exact.value <= binned.value + 1e-12


@given(scored_rows(), BINNED, st.tuples(COSTS, COSTS), st.booleans(), st.sampled_from([0, 1]))
def test_the_bound_of_the_cost_is_the_cheaper_mistake_of_a_bin(
    rows, bins, costs, weighted, pos_label
):
    y, score, weight = rows
    weight = weight if weighted else np.ones(len(y))
    false_alarm, missed = np.abs(costs)
    binned = ScoreCounts.from_predictions(
        y, score, pos_label=pos_label, sample_weight=weight, **bins
    )
    matrix = CostMatrix.binary(
        false_positive=false_alarm, false_negative=missed, pos_label=pos_label
    )
    (ranking,) = binned.rankings
    bound = 0.0
    for low, high in zip(ranking.low, ranking.high, strict=True):
        inside = (score >= low) & (score <= high)
        if len(np.unique(score[inside])) > 1:
            positives = weight[inside & (y == pos_label)].sum()
            negatives = weight[inside & (y != pos_label)].sum()
            bound = max(bound, min(false_alarm * negatives, missed * positives) / weight.sum())
    assert binned.best_cost(matrix).binning_error == pytest.approx(bound, rel=1e-12)


@given(scored_rows(), st.tuples(COSTS, COSTS), st.booleans())
def test_the_best_cost_is_the_least_of_all_thresholds(rows, costs, weighted):
    y, score, weight = rows
    weight = weight if weighted else np.ones(len(y))
    matrix = CostMatrix.binary(false_positive=costs[0], false_negative=costs[1])
    best = count(y, score, weight).best_cost(matrix)
    every = {
        cut: sum(
            weight[row] * (costs[0] if said else costs[1])
            for row, said in enumerate(score >= cut)
            if said != y[row]
        )
        / weight.sum()
        for cut in (np.inf, *np.unique(score))
    }
    assert best.value == pytest.approx(min(every.values()), rel=1e-12, abs=1e-12)
    assert every[best.threshold] == pytest.approx(best.value, rel=1e-12, abs=1e-12)


@given(scored_rows(scores=TIED), st.sampled_from([{"bins": 1000}, {"bins": np.arange(100) / 100}]))
def test_one_distinct_score_in_each_bin_leaves_nothing_open(rows, bins):
    y, score, weight = rows
    exact, binned = count(y, score, weight), count(y, score, weight, **bins)
    for theirs, ours in zip(areas(exact, 0.3), areas(binned, 0.3), strict=True):
        assert (ours.value, ours.binning_error) == (theirs.value, 0)
    assert binned.best_cost().binning_error == 0
    assert binned.best_cost().value == exact.best_cost().value


# ---------------------------------------------------------------------------------------------
# attained


@pytest.mark.parametrize(
    ("score", "auc"), [([0.1, 0.2, 0.3, 0.4], 1.0), ([0.3, 0.4, 0.1, 0.2], 0.0)]
)
def test_the_bound_of_the_area_is_attained(score, auc):
    """All in one bin, ranked all right or all wrong."""
    y = [0, 0, 1, 1]
    binned = count(y, score, bins=1).roc_auc()
    assert (binned.value, binned.binning_error) == (0.5, 0.5)
    assert count(y, score).roc_auc().value == auc
    assert "off by at most 0.5 because of the bins" in str(binned)
    assert "off by at most 0.5 because of the bins" in binned._repr_html_()


def test_the_bound_of_the_area_is_attained_over_several_bins():
    """In bins: 3/4 + 1/4 of 1/2 and the like; by hand, two bins of two negatives, two positives.

    Half the product of the shares is 1/8 a bin, 1/4 in all, and ranking all right within both
    bins is 1/4 more than the area in bins, 1/2.
    """
    y = [0, 0, 1, 1] * 2
    score = [0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9]
    binned = count(y, score, bins=2).roc_auc()
    assert (binned.value, binned.binning_error) == (0.5, 0.25)
    assert count(y, score).roc_auc().value == 0.75


def test_the_bound_of_the_partial_area_is_attained():
    """The cut at 1/2 goes through the one bin: the diagonal leaves 1/8 of 1/2, the best all.

    Standardised by (a - 1/8) / (1/2 - 1/8) / 2 + 1/2, from 0.5 to 1.
    """
    y, score = [0, 0, 1, 1], [0.1, 0.2, 0.3, 0.4]
    binned = count(y, score, bins=1).partial_auc(0.5)
    assert binned.value == pytest.approx(0.5)
    assert binned.binning_error == pytest.approx(0.5)
    assert count(y, score).partial_auc(0.5).value == 1.0


@pytest.mark.parametrize(
    ("costs", "value", "error"),
    [
        (None, 0.5, 0.5),  # two of four wrong, and perhaps none
        ([[0, 3], [1, 0]], 0.5, 0.5),  # two false alarms at 1; two missed would be 6
        ([[0, 1], [3, 0]], 0.5, 0.5),  # two missed at 1
        ([[10, 1], [11, 0]], 5.5, 0.5),  # what a negative costs anyway changes no regret
        ([[1, 0], [0, 1]], 0.5, 0.5),  # the right answers are the dear ones
        ([[1, 1], [0, 0]], 0.0, 0.0),  # positive is never dearer: nothing is open
    ],
)
def test_the_bound_of_the_cost_is_attained(costs, value, error):
    y = [0, 0, 1, 1]
    # A reversed cost wants the reversed ranking.
    score = [0.3, 0.4, 0.1, 0.2] if costs == [[1, 0], [0, 1]] else [0.1, 0.2, 0.3, 0.4]
    binned = count(y, score, bins=1).best_cost(costs)
    assert (binned.value, binned.binning_error) == (value, error)
    assert count(y, score).best_cost(costs).value == value - error


# ---------------------------------------------------------------------------------------------
# what is said


def test_costs_know_the_positive_class_by_name():
    y, score = ["ill", "well", "ill"], [0.9, 0.4, 0.2]
    counts = ScoreCounts.from_predictions(y, score, pos_label="ill")
    dear = CostMatrix.binary(false_positive=1, false_negative=100, pos_label="ill")
    best = counts.best_cost(dear)
    assert (best.value, best.threshold) == (pytest.approx(1 / 3), 0.2)
    with pytest.raises(ValueError, match="alphabetical"):
        counts.best_cost([[0, 1], [2, 0]])


def test_the_best_cost_of_subgroups():
    counts = count([0, 1, 0, 1], [0.1, 0.2, 0.4, 0.3], by=["a", "a", "b", "b"], bins=1)
    of_a, of_b = counts.best_cost()
    notes = "(2 rows; at most 0.5 less because of the bins)"
    assert str(of_a) == f"best cost of 1 in 'a' 0.500 at score >= inf {notes}"
    assert str(of_b) == f"best cost of 1 in 'b' 0.500 at score >= inf {notes}"
    assert [float(best) for best in counts.best_cost()] == [0.5, 0.5]


def test_rows_without_weight_cost_nothing_that_is_known():
    counts = count([0, 1, 1], [0.1, 0.2, 0.3], [1, 1, 0], by=["a", "a", "b"], bins=1)
    with pytest.warns(UndefinedMetricWarning, match=r"best_cost needs rows with weight.*\['b'\]"):
        of_a, of_b = counts.best_cost()
    assert of_a.value == 0.5
    assert np.isnan([of_b.value, of_b.threshold, of_b.binning_error]).all()


def test_binned_counts_say_what_they_leave_open():
    counts = count([0, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.9], bins=2)
    said = (
        "because of the bins roc_auc is off by at most 0.33, and the best threshold may make a "
        "share of mistakes at most 0.4 less"
    )
    assert repr(counts).split("\n")[1] == said
    assert str(counts) == repr(counts)
    assert f"<p>{said}</p>" in counts._repr_html_()
    assert "because" not in repr(count([0, 1], [0.1, 0.2]))
    # With one class there is no area and no choice of a threshold.
    assert "because" not in repr(count([1, 1], [0.1, 0.2], bins=1))


def test_subgroups_are_a_table_with_a_bound_each():
    by = ["<b>", "<b>", "c", "c", "c"]
    counts = count([0, 1, 1, 1, 0], [0.1, 0.2, 0.3, 0.9, 0.8], by=by, bins=2)
    assert "because of the bins (in any subgroup) roc_auc is off by at most 0.5" in repr(counts)
    html = counts._repr_html_()
    assert "<td>&#x27;&lt;b&gt;&#x27;</td><td>1</td><td>1</td><td>1</td><td>0.5</td>" in html
    assert "<td>&#x27;c&#x27;</td><td>2</td><td>1</td><td>2</td><td>0.25</td><td>0.33</td>" in html
    plain = count([0, 1, 1, 1, 0], [1, 2, 3, 4, 5], by=by)._repr_html_()
    assert "<th>scores</th></tr>" in plain
    assert "at most" not in plain
