"""Optimal cuts: against every way to cut, in exact arithmetic."""

from fractions import Fraction
from itertools import combinations_with_replacement, pairwise

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.exceptions import UndefinedMetricWarning

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.metrics import expected_cost_loss, weighted_kappa_score
from skmetrics_ext.ordinal import OptimalCuts, _cuts_search, optimal_cuts

INF = np.inf
SIZES = ["small", "medium", "large"]
NAMES = ["quadratic_kappa", "linear_kappa", "absolute", "squared"]


def exactly(number):
    """The decimal number that is meant, not the float nearest to it."""
    return Fraction(str(number))


def brute_force(y, scores, n_classes, criterion, weights):
    """All rising cuts in turn: the best value, and the first cuts from the lowest that have it."""
    weights = [exactly(w) for w in weights]
    distinct = sorted({s for s, w in zip(scores, weights, strict=True) if w})
    rows = [(t, distinct.index(s), w) for t, s, w in zip(y, scores, weights, strict=True) if w]
    total = sum(w for *_, w in rows)
    margin = [sum(w for t, _, w in rows if t == k) for k in range(n_classes)]
    named = isinstance(criterion, str)
    is_kappa = named and criterion.endswith("kappa")

    def cost(answer, truth):
        if not named:
            return exactly(criterion[answer][truth])
        return abs(answer - truth) ** (2 if criterion in ("quadratic_kappa", "squared") else 1)

    best = None
    for places in combinations_with_replacement(range(len(distinct) + 1), n_classes - 1):
        answers = [sum(place <= p for place in places) for _, p, _ in rows]
        value = sum(w * cost(a, t) for a, (t, _, w) in zip(answers, rows, strict=True)) / total
        if is_kappa:
            answered = [
                sum(w for a, (*_, w) in zip(answers, rows, strict=True) if a == k)
                for k in range(n_classes)
            ]
            pairs = [(i, j) for i in range(n_classes) for j in range(n_classes)]
            by_chance = sum(cost(i, j) * margin[i] * answered[j] for i, j in pairs)
            value /= by_chance / total**2
        if best is None or value < best[0]:
            best = value, places
    value, places = best
    between = [-INF, *((a + b) / 2 for a, b in pairwise(distinct)), INF]
    return float(1 - value if is_kappa else value), [between[p] for p in places]


def value_of(y, scores, n_classes, criterion, weights, cuts):
    """The public metric of the answers that cuts give."""
    answers = np.searchsorted(cuts, scores, side="right")
    labels = range(n_classes)
    if not isinstance(criterion, str):
        return expected_cost_loss(
            y, answers, cost_matrix=criterion, labels=labels, sample_weight=weights
        )
    if criterion.endswith("kappa"):
        return weighted_kappa_score(
            y, answers, labels=labels, weights=criterion.split("_")[0], sample_weight=weights
        )
    return np.average(np.abs(answers - y) ** (1 + (criterion == "squared")), weights=weights)


def check(y, scores, n_classes, criterion, weights):
    y, scores, weights = np.array(y), np.array(scores, dtype=float), np.array(weights)
    found = optimal_cuts(
        y, scores, labels=range(n_classes), criterion=criterion, sample_weight=weights
    )
    value, cuts = brute_force(y.tolist(), scores.tolist(), n_classes, criterion, weights.tolist())
    assert found.cuts.tolist() == cuts
    assert found.value == pytest.approx(value, rel=0, abs=1e-12)
    again = value_of(y, scores, n_classes, criterion, weights, found.cuts)
    assert found.value == pytest.approx(again, rel=0, abs=1e-12)


WEIGHTS = {
    "none": lambda rng, n: np.ones(n, dtype=int),
    "whole": lambda rng, n: np.append(rng.integers(0, 4, n - 1), 1),
    "tenths": lambda rng, n: rng.choice([0.1, 0.2, 0.3], n),
    "real": lambda rng, n: rng.random(n),
}


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("criterion", [*NAMES, "costs"])
def test_all_ways_to_cut(criterion, weights):
    rng = np.random.default_rng(NAMES.index(criterion) if criterion in NAMES else 4)
    done = 0
    while done < 50:
        n_classes, n = int(rng.integers(2, 5)), int(rng.integers(2, 8))
        y = rng.integers(0, n_classes, n)  # declared classes may have no rows
        scores = rng.integers(0, rng.integers(1, 8) + 1, n) + y * rng.integers(0, 2)
        w = WEIGHTS[weights](rng, n)
        rule = criterion
        if criterion == "costs":
            tenths = done % 2 == 0
            rule = rng.integers(0, 10, (n_classes, n_classes)) / (10 if tenths else 1)
            if not np.ptp(rule, axis=0).any():
                continue
        if len(set(y[w > 0])) > 1:
            check(y, scores, n_classes, rule, w)
            done += 1


@settings(max_examples=200)
@given(st.data())
def test_all_ways_to_cut_whatever_the_rows(data):
    n_classes = data.draw(st.integers(2, 4))
    row = st.tuples(
        st.integers(0, n_classes - 1), st.integers(-3, 3), st.sampled_from([0, 1, 2, 0.1, 0.3])
    )
    rows = data.draw(st.lists(row, min_size=2, max_size=7))
    y, scores, weights = zip(*rows, strict=True)
    if len({t for t, w in zip(y, weights, strict=True) if w}) < 2:
        return
    check(y, scores, n_classes, data.draw(st.sampled_from(NAMES)), weights)


@pytest.mark.parametrize("power", [1, 2])
def test_some_hundred_rows_in_three_classes(power, rng):
    # Every pair of places, each ratio compared in whole numbers.
    y = rng.integers(0, 3, 300)
    scores = np.round(y + rng.normal(scale=1.5, size=300), 1)
    distinct, place = np.unique(scores, return_inverse=True)
    below = np.zeros((len(distinct) + 1, 3), dtype=int)
    np.add.at(below[1:], (place, y), 1)
    below = below.cumsum(0)
    distance = np.abs(np.subtract.outer(np.arange(3), np.arange(3))) ** power
    low, high = np.triu_indices(len(below))
    answered = np.stack([below[low], below[high] - below[low], below[-1] - below[high]], axis=2)
    observed = (answered * distance).sum((1, 2)) * 300
    expected = answered.sum(1) @ (distance @ below[-1])
    ratios = [Fraction(int(a), int(b)) for a, b in zip(observed, expected, strict=True)]
    best = ratios.index(min(ratios))
    middle = (distinct[1:] + distinct[:-1]) / 2
    found = optimal_cuts(y, scores, criterion=["linear_kappa", "quadratic_kappa"][power - 1])
    assert found.cuts.tolist() == [middle[low[best] - 1], middle[high[best] - 1]]
    assert found.value == pytest.approx(float(1 - ratios[best]), rel=0, abs=1e-12)


# ---------------------------------------------------------------------------------------------
# where cuts lie


def test_a_pair_with_names():
    found = optimal_cuts([0, 0, 1, 1, 2], [1.0, 2.0, 3.0, 5.0, 6.0])
    assert isinstance(found, OptimalCuts)
    cuts, value = found
    assert cuts is found.cuts
    assert cuts.tolist() == [2.5, 5.5]
    assert value == found.value == 1.0


def test_a_score_at_a_cut_is_above_it():
    low = 1.0
    high = np.nextafter(low, 2)
    cuts, value = optimal_cuts([0, 0, 1, 1], [low, low, high, high])
    assert cuts.tolist() == [high]
    assert value == 1.0


def test_no_midpoint_beyond_the_largest_number():
    cuts, value = optimal_cuts([0, 1], [1.5e308, 1.7e308])
    assert cuts.tolist() == [1.7e308]
    assert value == 1.0


@pytest.mark.parametrize(
    ("y", "scores", "cuts"),
    [
        ([1, 1, 1], [1, 2, 3], [-INF, INF, INF]),  # the lowest and the highest have no rows
        ([0, 0, 3], [1, 2, 3], [2.5, 2.5, 2.5]),  # those in the middle
        ([3, 3, 3], [1, 2, 3], [-INF, -INF, -INF]),
        ([0, 0, 0], [1, 2, 3], [INF, INF, INF]),
        ([0, 3, 3, 3], [1, 1, 1, 1], [-INF, -INF, -INF]),  # one score: the best constant
    ],
)
def test_empty_classes(y, scores, cuts):
    found = optimal_cuts(y, scores, labels=range(4), criterion="absolute")
    assert found.cuts.tolist() == cuts


def test_a_declared_class_without_rows_may_be_the_best_answer():
    cuts, value = optimal_cuts([0, 2], [1, 1], labels=[0, 1, 2], criterion="squared")
    assert cuts.tolist() == [-INF, INF]
    assert value == 1.0


def test_a_score_that_points_the_wrong_way():
    cuts, value = optimal_cuts([2, 1, 0], [1, 2, 3])
    assert value == 0.0
    assert np.isinf(cuts).all()


@pytest.mark.parametrize("criterion", NAMES)
def test_ties_hold_in_any_unit_of_weight(criterion):
    # The higher class has the lower scores: best is to answer one class everywhere, no matter
    # which. In running sums 20,000 rows of 2/3 are not what 40,000 rows of 1/3 are.
    y, scores = np.repeat([1, 0, 0], 20_000), np.arange(60_000)
    for unit in (1, 0.1, 0.7, 1 / 3, 1e-9, 3e100):
        weights = unit * np.where(y == 1, 2, 1)
        cuts, _ = optimal_cuts(y, scores, criterion=criterion, sample_weight=weights)
        assert cuts.tolist() == [-INF]


def test_what_is_no_tie():
    for weights, cut in (([1, 1], -INF), ([1 + 1e-12, 1], INF), ([1, 1 + 1e-12], -INF)):
        found = optimal_cuts([0, 1], [1, 1], criterion="absolute", sample_weight=weights)
        assert found.cuts.tolist() == [cut]


@pytest.mark.parametrize("criterion", NAMES)
def test_the_lower_of_two_mirror_images_in_any_unit_of_weight(criterion, rng):
    # Rows that are their own mirror image: the mirror image of the best cuts is as good.
    lower = 0
    for n_classes in np.repeat([3, 4, 5], 20):
        half = rng.integers(0, 20, 300)
        ranks = np.rint(half / 20 * n_classes + rng.normal(size=300))
        ranks = np.clip(ranks, 0, n_classes - 1).astype(int)
        y = np.append(ranks, n_classes - 1 - ranks)
        scores = np.append(half, 19 - half)
        cuts, _ = optimal_cuts(y, scores, criterion=criterion)
        mirror = (19 - cuts)[::-1]
        assert (cuts <= mirror).all()
        lower += (cuts < mirror).any()
        for unit in (0.1, 1 / 3, 1e-9):
            order = rng.permutation(600)
            again = optimal_cuts(
                y[order], scores[order], criterion=criterion, sample_weight=np.full(600, unit)
            )
            assert again.cuts.tolist() == cuts.tolist()
    assert lower  # there were ties


def test_weights_count_rows(rng):
    y, weights = rng.integers(0, 3, 200), rng.integers(0, 4, 200)
    scores = y + rng.normal(size=200)
    repeated = np.repeat(np.arange(200), weights)
    found = optimal_cuts(y, scores, sample_weight=weights)
    again = optimal_cuts(y[repeated], scores[repeated])
    assert found.cuts.tolist() == again.cuts.tolist()
    assert found.value == pytest.approx(again.value, abs=1e-15)


def test_the_order_of_rows_does_not_matter_and_scores_only_rank(rng):
    y = rng.integers(0, 4, 300)
    scores = y + rng.normal(size=300)
    order = rng.permutation(300)
    cuts, value = optimal_cuts(y, scores)
    assert optimal_cuts(y[order], scores[order]).cuts.tolist() == cuts.tolist()
    other = optimal_cuts(y, np.exp(scores))
    assert other.value == value
    np.testing.assert_array_equal(
        np.searchsorted(cuts, scores, side="right"),
        np.searchsorted(other.cuts, np.exp(scores), side="right"),
    )


def test_no_search_finds_more(rng):
    y = rng.integers(0, 5, 1500)
    scores = 0.5 * y + rng.normal(size=1500)

    def kappa(cuts):
        answers = np.searchsorted(np.sort(cuts), scores, side="right")
        return weighted_kappa_score(y, answers, labels=range(5))

    value = optimal_cuts(y, scores).value
    for start in ([0.5, 1.0, 1.5, 2.0], np.quantile(scores, [0.2, 0.4, 0.6, 0.8])):
        assert value >= -minimize(lambda c: -kappa(c), start, method="Nelder-Mead").fun


# ---------------------------------------------------------------------------------------------
# labels, orders and costs


@pytest.mark.parametrize(
    ("y", "labels"),
    [
        (["small", "large", "medium", "large"], SIZES),
        (pd.Categorical(["small", "large", "medium", "large"], SIZES, ordered=True), None),
        (pl.Series(["small", "large", "medium", "large"], dtype=pl.Enum(SIZES)), None),
        ([0, 7, 3, 7], None),
        (pd.Series([0, 7, 3, 7], index=[9, 8, 7, 6]), [0, 3, 7]),
    ],
    ids=["words", "Categorical", "Enum", "numbers", "labels"],
)
def test_the_order_of_labels(y, labels):
    scores = pd.Series([1.0, 5.0, 2.0, 4.0])
    cuts, value = optimal_cuts(y, scores, labels=labels)
    assert cuts.tolist() == [1.5, 3.0]
    assert value == 1.0


@pytest.mark.parametrize(
    ("labels", "ranks", "n_classes"),
    [(None, [0, 1, 0, 2], 3), ([0, 1, 5], [0, 1, 0, 2], 3), (range(6), [0, 1, 0, 5], 6)],
)
def test_distances_are_ranks_among_the_labels(labels, ranks, n_classes):
    scores = [1, 1, 2, 2]
    found = optimal_cuts([0, 1, 0, 5], scores, labels=labels)
    value, cuts = brute_force(ranks, scores, n_classes, "quadratic_kappa", [1] * 4)
    assert found.cuts.tolist() == cuts
    assert found.value == pytest.approx(value, abs=1e-15)


def test_the_answer_is_in_the_rows_of_a_cost_matrix():
    # Answering 0 where the truth is 1 costs 9: one row too many is answered 1, not one too few.
    y, scores = [0, 0, 1, 0, 1], [1, 2, 3, 4, 5]
    costs = [[0, 9], [1, 0]]
    for criterion, cut in ((costs, 2.5), (np.transpose(costs), 4.5)):
        cuts, value = optimal_cuts(y, scores, criterion=criterion)
        assert (cuts.tolist(), value) == ([cut], 0.2)


def test_a_cost_matrix_is_laid_out_by_its_labels():
    y, scores = ["no", "no", "yes", "no", "yes"], [1, 2, 3, 4, 5]
    cost = CostMatrix([[0, 1], [9, 0]], labels=["yes", "no"])
    cuts, value = optimal_cuts(y, scores, labels=["no", "yes"], criterion=cost)
    assert (cuts.tolist(), value) == ([2.5], 0.2)
    binary = CostMatrix.binary(false_negative=9, false_positive=1, pos_label="yes")
    assert optimal_cuts(y, scores, labels=["no", "yes"], criterion=binary).cuts.tolist() == [2.5]


def test_an_array_of_costs_is_in_the_order_of_the_labels():
    y = pd.Categorical(["small", "large", "medium"], SIZES, ordered=True)
    costs = np.abs(np.subtract.outer(range(3), range(3)))
    cuts, value = optimal_cuts(y, [1, 3, 2], criterion=costs)
    assert (cuts.tolist(), value) == ([1.5, 2.5], 0.0)


def test_a_cost_matrix_names_classes_that_the_data_lack():
    cost = CostMatrix.ordinal([0, 1, 2], power=1)
    assert optimal_cuts([0, 2], [1, 2], criterion=cost).cuts.tolist() == [1.5, 1.5]
    assert optimal_cuts([0, 1], [1, 2], criterion=cost).cuts.tolist() == [1.5, INF]


# ---------------------------------------------------------------------------------------------
# undefined, and refused


@pytest.mark.parametrize("criterion", ["quadratic_kappa", "linear_kappa"])
def test_kappa_of_one_class_is_undefined(criterion):
    with pytest.warns(UndefinedMetricWarning, match=f"{criterion} is undefined.*one class"):
        cuts, value = optimal_cuts(
            [0, 1, 1], [1, 2, 3], labels=[0, 1, 2], criterion=criterion, sample_weight=[0, 1, 1]
        )
    assert cuts.tolist() == [-INF, INF]
    assert np.isnan(value)


def test_one_class_only_has_no_cuts():
    cuts, value = optimal_cuts(["a", "a"], [1, 2], criterion="squared")
    assert (cuts.tolist(), value) == ([], 0.0)
    with pytest.warns(UndefinedMetricWarning):
        assert optimal_cuts([4, 4], [1, 2]).cuts.tolist() == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"y_true": ["b", "a", "c"]}, r"labels must say.*\['a', 'b', 'c'\] have no order"),
        ({"y_true": ["b", "a", "a"]}, r"labels must say.*\['a', 'b'\] have no order"),
        ({"y_true": [0.5, 1, 2]}, "y_true must hold class labels, but it is continuous"),
        ({"y_true": [0, None, 1]}, "y_true has 1 missing value"),
        ({"labels": [0, 1]}, r"y_true holds labels that are not among \[0, 1\]: \[2\]"),
        ({"labels": [0, 1, 2, 1]}, "labels must name each class once"),
        ({"y_score": [1, np.nan, 2]}, "y_score must not be missing: 1 of 3 scores are NaN"),
        ({"y_score": [1, INF, -INF]}, "y_score must be finite: 2 of 3 scores are infinite"),
        ({"y_score": [1, 2]}, r"y_score must have one score per row, shape \(3,\)"),
        ({"y_score": ["x", "y", "z"]}, "y_score must hold numbers"),
        ({"y_score": np.ones((3, 2))}, "y_score must have one score per row"),
        ({"sample_weight": [1, -1, 1]}, "sample_weight must not be negative"),
        ({"sample_weight": [0, 0, 0]}, "sample_weight must not be zero for every row"),
        ({"sample_weight": [1, 1]}, "sample_weight must have one weight per row"),
        ({"criterion": "round"}, "criterion must be 'absolute', 'squared'.*; got 'round'"),
        ({"criterion": None}, "criterion must be 'absolute'.*; got None"),
        ({"criterion": weighted_kappa_score}, "one cost matrix for all rows; got <function"),
        (
            {"criterion": CostMatrix.per_row(false_positive="a", false_negative=1, pos_label=1)},
            "one cost matrix for all rows; got",
        ),
        ({"criterion": np.ones((3, 2))}, "criterion must be a cost matrix.*must be square"),
        ({"criterion": np.eye(2)}, "criterion must be a cost matrix.*for each of the 3 classes"),
        ({"criterion": np.ones((3, 3))}, "criterion must be a cost matrix.*changes the cost"),
        ({"criterion": {}}, "criterion must be a cost matrix.*got a mapping"),
        (
            {"criterion": CostMatrix(1 - np.eye(3), [0, 1, 2]).with_action(-1, cost=0.3)},
            r"criterion must price the classes only.*\[-1\] are none",
        ),
    ],
)
def test_mistakes(arguments, message):
    arguments = {"y_true": [0, 1, 2], "y_score": [1, 2, 3], **arguments}
    with pytest.raises(ValueError, match=message):
        optimal_cuts(arguments.pop("y_true"), arguments.pop("y_score"), **arguments)


def test_all_but_truth_and_score_are_named():
    with pytest.raises(TypeError, match="positional"):
        optimal_cuts([0, 1], [1, 2], [0, 1])


def test_a_table_too_large_is_refused_before_it_is_made(monkeypatch):
    monkeypatch.setattr(_cuts_search, "_MOST_BYTES", 100)
    for criterion in ("absolute", "linear_kappa"):
        with pytest.raises(ValueError, match=r"y_score has 9 distinct scores.*Round y_score"):
            optimal_cuts([0, 1, 2] * 3, range(9), criterion=criterion)
