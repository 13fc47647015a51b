"""Calibration and the Brier score."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss

from skmetrics_ext.counts import ScoreCounts
from tests.score_cases import INTERVALS, PUBLISHED, scored_rows

BINS = st.sampled_from([None, 1, 4, 10, (0.0, 0.2, 0.9, 1.0)])


def count(y, score, weight=None, **more):
    return ScoreCounts.from_predictions(y, score, sample_weight=weight, **more)


@given(scored_rows(both_classes=False), BINS, st.booleans())
def test_the_brier_score_is_scikit_learns_and_the_sum_of_its_parts(rows, bins, weighted):
    y, score, weight = rows
    weight = weight if weighted else np.ones(len(y))
    brier = count(y, score, weight, pos_label=1).brier_score(bins)
    expected = (weight * (score - y) ** 2).sum() / weight.sum()
    if 0 < y.sum() < len(y):
        expected = brier_score_loss(y, score, sample_weight=weight)
    assert brier.value == pytest.approx(expected, abs=1e-12)
    parts = brier.reliability - brier.resolution + brier.uncertainty + brier.within_bins
    assert parts == pytest.approx(brier.value, abs=1e-12)
    assert min(brier.reliability, brier.resolution, brier.uncertainty) >= 0
    assert brier.low - 1e-9 <= float(brier) <= brier.high + 1e-9
    assert brier.high > brier.low
    if bins is None:
        assert brier.within_bins == 0


def test_the_parts_by_hand():
    # Prevalence 1/2; at 0.2 one of three is positive, at 0.8 all of one.
    brier = count([0, 1, 0, 1], [0.2, 0.2, 0.2, 0.8]).brier_score()
    assert brier.value == pytest.approx((0.04 + 0.64 + 0.04 + 0.04) / 4)
    assert brier.reliability == pytest.approx((3 * (0.2 - 1 / 3) ** 2 + 0.04) / 4)
    assert brier.resolution == pytest.approx((3 * (1 / 6) ** 2 + 1 / 4) / 4)
    assert brier.uncertainty == 0.25
    # In one bin all are alike: what is left is the difference of the mean from the share.
    brier = count([0, 1, 0, 1], [0.2, 0.2, 0.2, 0.8]).brier_score(1)
    assert brier.resolution == 0
    assert brier.reliability == pytest.approx((0.35 - 0.5) ** 2)


@pytest.mark.parametrize("row", PUBLISHED["log_loss_brier_terms"]["rows"])
def test_published_terms(row):
    brier = count([row["y"]], [row["p"]], pos_label=1 if row["y"] else None).brier_score()
    assert brier.value == pytest.approx(row["brier"])


def test_the_standard_error_is_that_of_a_mean():
    rng = np.random.default_rng(0)
    y, score, weight = rng.integers(0, 2, 200), rng.random(200), rng.gamma(2, 1, 200)
    losses = (score - y) ** 2
    brier = count(y, score).brier_score()
    assert brier.se == pytest.approx(losses.std() / np.sqrt(200))
    brier = count(y, score, weight).brier_score()
    mean = np.average(losses, weights=weight)
    expected = np.sqrt((weight**2 * (losses - mean) ** 2).sum()) / weight.sum()
    assert brier.se == pytest.approx(expected)


@given(scored_rows(), st.integers(1, 12))
def test_calibration_tables_hold_what_falls_into_each_bin(rows, bins):
    y, score, weight = rows
    table = count(y, score, weight).calibration_table(bins)
    place = np.minimum((score * bins).astype(int), bins - 1)
    for k, b in enumerate(np.unique(place)):
        inside = place == b
        assert table.n[k] == inside.sum()
        assert table.weight[k] == pytest.approx(weight[inside].sum())
        assert table.positives[k] == pytest.approx((weight * y)[inside].sum())
        assert table.mean_score[k] == pytest.approx(
            np.average(score[inside], weights=weight[inside])
        )
        assert table.share[k] == pytest.approx(np.average(y[inside], weights=weight[inside]))
        assert table.lower[k] == pytest.approx(b / bins)
        assert table.upper[k] == pytest.approx((b + 1) / bins)
        assert table.low[k] <= table.share[k] <= table.high[k]
        assert table.high[k] - table.low[k] > 0.01
    assert len(table) == len(np.unique(place))


def test_calibration_is_scikit_learns_where_no_score_is_on_an_end():
    rng = np.random.default_rng(3)
    score = rng.random(500)
    y = (rng.random(500) < score).astype(int)
    share, mean = calibration_curve(y, score, n_bins=8)
    table = count(y, score).calibration_table(8)
    np.testing.assert_allclose(table.share, share)
    np.testing.assert_allclose(table.mean_score, mean)
    same = count(y, score).calibration_table(np.arange(9) / 8)
    for name, column in table.columns().items():
        np.testing.assert_array_equal(same.columns()[name], column)


def test_wilsons_interval_of_each_bin():
    y, score = np.repeat([1, 0, 0], [85, 15, 20]), np.repeat([0.8, 0.8, 0.1], [85, 15, 20])
    table = count(y, score).calibration_table(2)
    zero, high = (INTERVALS["proportions"][k]["wilson"] for k in ("0_of_20", "85_of_100"))
    np.testing.assert_allclose([table.low[0], table.high[0]], zero, atol=5e-7)
    np.testing.assert_allclose([table.low[1], table.high[1]], high, atol=5e-7)
    level = count(y, score).calibration_table(2, confidence_level=0.8)
    limits = binomtest(85, 100).proportion_ci(0.8, "wilson")
    np.testing.assert_allclose([level.low[1], level.high[1]], limits)
    assert np.isnan(count(y, score).calibration_table(2, confidence_level=None).low).all()


def test_weights_widen_the_interval_of_a_bin():
    """Wilson with the effective number of rows, as any weighted proportion."""
    weighted = INTERVALS["B"]["weighted"]
    weight = np.random.default_rng(1).gamma(2, 1, 1000)[-100:]
    y = np.repeat([0, 1], [20, 80])  # the rows FN, TP: the share of TP is recall
    table = count(y, np.full(100, 0.3), weight).calibration_table(1)
    assert round(table.share[0], 6) == weighted["recall"]
    np.testing.assert_allclose([table.low[0], table.high[0]], weighted["recall_wilson"], atol=5e-7)


def test_tables_print():
    counts = count(["n", "y", "y"], [0.1, 0.8, 1.0], pos_label="y", by=["a", "b", "b"])
    of_a, of_b = counts.calibration_table(2)
    assert repr(of_b).splitlines()[0] == "share of 'y' among rows of similar score in 'b'"
    assert of_a.n.tolist() == [1]
    assert list(of_b.to_frame("polars").columns) == list(of_b.columns())
    scores = counts.brier_score()
    assert str(scores[0]).startswith("brier_score of 'y' in 'a' 0.010 [")
    assert counts.brier_score(confidence_level=None)[0].low is None


@pytest.mark.parametrize("name", ["calibration_table", "brier_score"])
def test_only_probabilities_are_taken(name):
    outside = count([0, 1, 1], [0.1, 1.5, -3])
    with pytest.raises(ValueError, match=f"{name} needs probabilities.*; 2 of 3 are outside"):
        getattr(outside, name)(2)
    binned = count([0, 1, 1], [0.1, 0.2, 0.9], bins=2)
    with pytest.raises(ValueError, match="counted in bins: count without"):
        getattr(binned, name)(2)


@pytest.mark.parametrize(
    ("bins", "message"),
    [
        (0, "bins must be a whole number"),
        (2.5, "bins must be a whole number"),
        ([0, 0.5, 0.5, 1], "increasing"),
        ([0.1, 0.5, 1], "begin at 0 and end at 1"),
        ([1], "increasing ends"),
    ],
)
def test_bad_bins(bins, message):
    with pytest.raises(ValueError, match=message):
        count([0, 1], [0.1, 0.2]).calibration_table(bins)
    with pytest.raises(ValueError, match=message):
        count([0, 1], [0.1, 0.2]).brier_score(bins)
