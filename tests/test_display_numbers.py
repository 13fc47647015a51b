"""The numbers behind the pictures: cost curves, Brier curves, net benefit, predictive values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss, roc_curve

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.counts import ConfusionCounts, ScoreCounts
from skmetrics_ext.display._cost_curve import (
    brier_curve,
    cost_lines,
    lower_envelope,
    probability_cost,
)
from skmetrics_ext.display._net_benefit import net_benefit, usual_thresholds
from skmetrics_ext.display._predictive_values import predictive_values, usual_prevalences
from skmetrics_ext.metrics import expected_cost_loss
from tests.score_cases import scored_rows

SPACES = ["probability_cost", "cost_proportion"]


def count(y, score, weight=None, **more):
    return ScoreCounts.from_predictions(y, score, sample_weight=weight, **more)


def area(x, y):
    return float(((y[1:] + y[:-1]) / 2 * np.diff(x)).sum())


# ---------------------------------------------------------------------------------------------
# cost curves


@given(scored_rows())
def test_the_lines_have_the_rates_of_the_roc_curve(rows):
    y, score, weight = rows
    lines = cost_lines(count(y, score, weight))
    fpr, tpr, thresholds = roc_curve(y, score, sample_weight=weight, drop_intermediate=False)
    np.testing.assert_array_equal(lines.thresholds, thresholds)
    np.testing.assert_allclose(lines.false_positive_rate, fpr, atol=1e-12)
    np.testing.assert_allclose(lines.false_negative_rate, 1 - tpr, atol=1e-12)
    assert lines.prevalence == pytest.approx(weight[y == 1].sum() / weight.sum())


@pytest.mark.parametrize("y", [[0, 0], [1, 1]])
def test_cost_curves_need_both_classes(y):
    with pytest.raises(ValueError, match="y_true must hold rows of both classes"):
        cost_lines(count(y, [0.2, 0.7]))


HEIGHTS = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.25, 0.5, 1.0]))


@given(st.lists(st.tuples(HEIGHTS, HEIGHTS), min_size=1, max_size=12))
def test_the_envelope_is_the_lowest_line_everywhere(ends):
    at_zero, at_one = np.array(ends).T
    x, y = lower_envelope(at_zero, at_one)
    assert x[0] == 0
    assert x[-1] == 1
    assert (np.diff(x) >= 0).all()
    grid = np.unique(np.concatenate([np.linspace(0, 1, 101), x]))
    lowest = (at_zero[:, None] + (at_one - at_zero)[:, None] * grid).min(axis=0)
    np.testing.assert_allclose(np.interp(grid, x, y), lowest, atol=1e-9)


@given(scored_rows(), st.sampled_from(SPACES))
def test_the_envelope_is_under_both_constant_answers_and_over_nothing(rows, space):
    y, score, weight = rows
    at_zero, at_one = cost_lines(count(y, score, weight)).ends(space)
    x, cost = lower_envelope(at_zero, at_one)
    for place in (0, -1):
        line = at_zero[place] + (at_one[place] - at_zero[place]) * x
        assert (cost <= line + 1e-12).all()
    assert (cost >= -1e-12).all()
    assert min(at_zero) == min(at_one) == 0


@given(scored_rows(), st.floats(0.01, 0.99), st.floats(0.1, 10))
def test_a_line_is_the_expected_cost_over_that_of_all_answers_wrong(rows, c, scale):
    y, score, weight = rows
    lines = cost_lines(count(y, score, weight))
    p = lines.prevalence
    x = probability_cost(c, p)
    cost_matrix = [[0, scale * (1 - c)], [scale * c, 0]]
    worst = scale * (p * (1 - c) + (1 - p) * c)
    at_zero, at_one = lines.ends("probability_cost")
    per_row = lines.ends("cost_proportion")
    for k, threshold in enumerate(lines.thresholds.tolist()):
        cost = expected_cost_loss(
            y,
            np.where(score >= threshold, 1, 0),
            cost_matrix=cost_matrix,
            labels=[0, 1],
            sample_weight=weight,
        )
        assert cost / worst == pytest.approx(at_zero[k] + (at_one[k] - at_zero[k]) * x, abs=1e-9)
        line = per_row[0][k] + (per_row[1][k] - per_row[0][k]) * c
        assert 2 * cost / scale == pytest.approx(line, abs=1e-9)


def test_probability_cost_at_even_costs_is_the_prevalence():
    assert probability_cost(0.5, 0.3) == pytest.approx(0.3)
    assert probability_cost(0.0, 0.3) == 1
    assert probability_cost(1.0, 0.3) == 0


# ---------------------------------------------------------------------------------------------
# Brier curves


@given(scored_rows())
def test_the_area_under_the_brier_curve_is_the_brier_score(rows):
    y, score, weight = rows
    counts = count(y, score, weight)
    c, cost = brier_curve(counts)
    assert (np.diff(c) >= 0).all()
    assert area(c, cost) == pytest.approx(float(counts.brier_score()), abs=1e-12)
    sklearn = brier_score_loss(y, score, sample_weight=weight)
    assert area(c, cost) == pytest.approx(sklearn, abs=1e-12)


@given(scored_rows(), st.floats(0.001, 0.999))
def test_the_brier_curve_takes_the_cost_proportion_as_threshold(rows, at):
    y, score, weight = rows
    c, cost = brier_curve(count(y, score, weight))
    paid = expected_cost_loss(
        y,
        np.where(score >= at, 1, 0),
        cost_matrix=CostMatrix.binary(false_positive=at, false_negative=1 - at),
        labels=[0, 1],
        sample_weight=weight,
    )
    # At a jump the score itself still belongs to the lower side: it is answered positive.
    place = np.searchsorted(c, at, side="left")
    share = 0.0 if c[place] == c[place - 1] else (at - c[place - 1]) / (c[place] - c[place - 1])
    height = cost[place] if c[place] == at else cost[place - 1] + share * np.diff(cost)[place - 1]
    assert height == pytest.approx(2 * paid, abs=1e-9)


@given(scored_rows())
def test_under_the_envelope_is_the_brier_score_of_the_scores_calibrated_on_the_same_rows(rows):
    # Isotonic regression finds the thresholds that are best at each cost: the convex hull.
    y, score, weight = rows
    at_zero, at_one = cost_lines(count(y, score, weight)).ends("cost_proportion")
    # It takes scores that are nearly equal as one, hence their ranks.
    rank = np.unique(score, return_inverse=True)[1].astype(float)
    isotonic = IsotonicRegression(y_min=0, y_max=1).fit(rank, y, sample_weight=weight)
    calibrated = isotonic.predict(rank)
    best = brier_score_loss(y, np.clip(calibrated, 0, 1), sample_weight=weight)
    assert area(*lower_envelope(at_zero, at_one)) == pytest.approx(best, abs=1e-9)


def test_the_brier_curve_needs_probabilities():
    with pytest.raises(ValueError, match="A Brier curve needs probabilities"):
        brier_curve(count([0, 1], [-1.0, 2.0]))
    with pytest.raises(ValueError, match="counted in bins"):
        brier_curve(count([0, 1], [0.21, 0.29], bins=5))


# ---------------------------------------------------------------------------------------------
# net benefit


@given(scored_rows(), st.lists(st.floats(0.01, 0.99), min_size=1, max_size=5))
def test_net_benefit_is_the_affine_map_of_the_expected_cost_at_its_threshold(rows, thresholds):
    y, score, weight = rows
    found = net_benefit(count(y, score, weight), thresholds)
    prevalence = weight[y == 1].sum() / weight.sum()
    assert found.prevalence == pytest.approx(prevalence)
    for k, t in enumerate(thresholds):
        costs = {"cost_matrix": [[0, 1 - t], [t, 0]], "labels": [0, 1], "sample_weight": weight}
        of_model = expected_cost_loss(y, np.where(score >= t, 1, 0), **costs)
        of_all = expected_cost_loss(y, np.ones(len(y), dtype=int), **costs)
        of_none = expected_cost_loss(y, np.zeros(len(y), dtype=int), **costs)
        assert found.model[k] == pytest.approx(prevalence - of_model / (1 - t), abs=1e-9)
        assert found.treat_all[k] == pytest.approx(prevalence - of_all / (1 - t), abs=1e-9)
        assert prevalence - of_none / (1 - t) == pytest.approx(0, abs=1e-9)


def test_net_benefit_by_hand():
    # Vickers and Elkin (2006): true positives / n - false positives / n * t / (1 - t).
    score = np.array([0.9, 0.8, 0.7, 0.4, 0.3, 0.2, 0.1, 0.1, 0.05, 0.05])
    y = np.array([1, 0, 1, 0, 1, 0, 0, 0, 0, 0])
    found = net_benefit(count(y, score), [0.25])
    assert found.model[0] == pytest.approx(3 / 10 - 2 / 10 / 3)
    assert found.treat_all[0] == pytest.approx(3 / 10 - 7 / 10 / 3)


@pytest.mark.parametrize("threshold", [0.0, 1.0, -0.2, 3.0])
def test_thresholds_of_net_benefit_are_inside(threshold):
    counts = count([0, 1], [0.2, 0.7])
    with pytest.raises(ValueError, match="thresholds must be between 0 and 1, both excluded"):
        net_benefit(counts, [0.5, threshold])
    with pytest.raises(ValueError, match="thresholds must not be NaN"):
        net_benefit(counts, [np.nan])
    with pytest.raises(ValueError, match=r"Net benefit needs probabilities.*from -1\.0 to 2\.0"):
        net_benefit(count([0, 1], [-1.0, 2.0]), [0.5])


def test_the_usual_thresholds_are_finer_where_positives_are_rare():
    grid = usual_thresholds(count([0, 1], [0.2, 0.7]))
    np.testing.assert_allclose(grid, np.arange(1, 100) / 100)
    rare = usual_thresholds(count([1] + [0] * 999, np.linspace(0, 1, 1000)))
    assert rare[0] == pytest.approx(1e-4)
    assert (np.diff(rare) > 0).all()
    np.testing.assert_array_equal(rare[-99:], grid)


def test_scores_in_bins_are_cut_between_the_bins(rng):
    score = rng.random(500)
    y = rng.random(500) < score
    counts = count(y, score, bins=20)
    found = net_benefit(counts, usual_thresholds(counts))
    assert len(found.thresholds) == 20
    np.testing.assert_allclose(found.model, net_benefit(count(y, score), found.thresholds).model)


# ---------------------------------------------------------------------------------------------
# predictive values


@given(st.lists(st.integers(1, 60), min_size=4, max_size=4), st.floats(0.001, 0.999))
def test_predictive_values_are_those_of_bayes(cells, prevalence):
    tp, fp, fn, tn = cells
    counts = ConfusionCounts.from_cells(tp=tp, fp=fp, fn=fn, tn=tn)
    recall, specificity = tp / (tp + fn), tn / (tn + fp)
    hit, false_alarm = prevalence * recall, (1 - prevalence) * (1 - specificity)
    rest, miss = (1 - prevalence) * specificity, prevalence * (1 - recall)
    for metric, value in (
        ("precision", hit / (hit + false_alarm)),
        ("negative_predictive_value", rest / (rest + miss)),
    ):
        found = predictive_values(counts, metric, [prevalence])
        assert found.value[0] == pytest.approx(value)
        one = counts.estimate(metric, prevalence=prevalence)
        assert (found.low[0], found.high[0]) == (one.low, one.high)
        assert found.here == counts.estimate(metric)
        assert found.low[0] <= found.value[0] <= found.high[0]


def test_what_was_never_answered_has_no_value():
    counts = ConfusionCounts.from_cells(tp=0, fp=0, fn=5, tn=40)
    found = predictive_values(counts, "precision", [0.1, 0.5])
    assert np.isnan([found.value, found.low, found.high]).all()
    assert np.isnan(found.here.value)


@pytest.mark.parametrize("own", [0.0, 1e-4, 0.3, 0.9999, 1.0])
def test_the_usual_prevalences_hold_the_datas_own(own):
    grid = usual_prevalences(own)
    assert 0 < grid[0] < 1.000001e-3
    assert 0.998999 < grid[-1] < 1
    assert (np.diff(grid) > 0).all()
    assert own in (0, 1) or grid[0] < own < grid[-1]
