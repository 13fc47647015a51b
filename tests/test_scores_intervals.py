"""How sure the areas are: DeLong's standard errors, and intervals where those say nothing."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import norm
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import UndefinedMetricWarning

from skmetrics_ext.counts import ScoreCounts, paired_roc_auc
from tests.score_cases import INTERVALS, scored_rows

MEASURES = ("roc_auc", "gini", "average_precision", "interpolated_average_precision")
Z = norm.ppf(0.975)


def count(y, score, weight=None, **more):
    return ScoreCounts.from_predictions(y, score, sample_weight=weight, **more)


def delong(y, scores, weight):
    """The covariance of the areas, from all pairs; n - 1 becomes the effective n less one."""
    areas, slopes = [], []
    for score in scores:
        positive, negative = score[y == 1][:, None], score[y == 0]
        wins = (positive > negative) + 0.5 * (positive == negative)
        of_positives = wins @ weight[y == 0] / weight[y == 0].sum()
        of_negatives = weight[y == 1] @ wins / weight[y == 1].sum()
        areas.append(of_positives @ weight[y == 1] / weight[y == 1].sum())
        placed = np.empty(len(y))
        placed[y == 1], placed[y == 0] = of_positives, of_negatives
        slopes.append(placed - areas[-1])
    covariance = 0
    for label in (0, 1):
        w, d = weight[y == label], np.array(slopes)[:, y == label]
        n = w.sum() ** 2 / (w**2).sum()
        covariance = covariance + (d * w**2) @ d.T / w.sum() ** 2 * n / (n - 1)
    return np.array(areas), covariance


def test_delong_of_the_reference():
    reference = INTERVALS["delong"]
    X, y = load_breast_cancer(return_X_y=True)
    for column, expected in zip((1, 4), reference["auc_se"], strict=True):
        auc = count(y, X[:, column], pos_label=0).roc_auc()
        assert [round(auc.value, 6), round(auc.se, 6)] == expected
        assert auc.method == "DeLong"
        # On the logit scale the value is in the middle.
        limits = [np.log(p / (1 - p)) for p in (auc.low, auc.value, auc.high)]
        step = Z * auc.se / (auc.value * (1 - auc.value))
        np.testing.assert_allclose(np.diff(limits), [step, step])
    paired = paired_roc_auc(y, X[:, 1], X[:, 4], pos_label=0)
    assert round(paired.z, 6) == reference["paired_z"]
    assert round(paired.p_value, 6) == reference["p"]
    both = [[paired.auc_a, paired.se_a], [paired.auc_b, paired.se_b]]
    np.testing.assert_allclose(both, reference["auc_se"], atol=5e-7)
    assert paired.low == pytest.approx(paired.difference - Z * paired.se)
    assert float(paired) == paired.auc_a - paired.auc_b


@given(scored_rows(), st.integers(0, 99), st.booleans())
def test_delong_is_that_of_all_pairs(rows, seed, weighted):
    y, score, weight = rows
    assume(2 <= y.sum() <= len(y) - 2)
    weight = weight if weighted else np.ones(len(y))
    other = np.random.default_rng(seed).integers(0, 6, len(y)) + score
    areas, covariance = delong(y, [score, other], weight)
    paired = paired_roc_auc(y, score, other, sample_weight=weight)
    np.testing.assert_allclose([paired.auc_a, paired.auc_b], areas, atol=1e-12)
    se = np.sqrt(covariance.diagonal())
    np.testing.assert_allclose([paired.se_a, paired.se_b], se, atol=1e-9)
    contrast = np.array([1, -1])
    assert paired.se == pytest.approx(np.sqrt(max(contrast @ covariance @ contrast, 0)), abs=1e-7)
    one = count(y, score, weight).roc_auc()
    np.testing.assert_allclose([one.value, one.se], [areas[0], se[0]], atol=1e-9)
    whole = count(y, score, weight).partial_auc(1.0)
    assert (whole.value, whole.low, whole.high) == (one.value, one.low, one.high)
    turned = paired_roc_auc(y, other, score, sample_weight=weight)
    assert turned.difference == -paired.difference
    assert turned.low == -paired.high


SLOPED = {
    "average_precision": {},
    "partial_auc": {"max_fpr": 0.3},
    "roc_auc": {},
}


@pytest.mark.parametrize("name", SLOPED)
def test_standard_errors_are_those_of_the_slopes(name):
    """Sum of w2 g^2 with g by finite differences in the weight of each row."""
    rng = np.random.default_rng(4)
    y = np.repeat([0, 1], [60, 40])
    score = np.round(rng.normal(y, 1.0), 1)
    weight = rng.gamma(2, 1, 100)

    def value(w):
        counts = count(y, score, w)
        return getattr(counts, name)(confidence_level=None, **SLOPED[name]).value

    step = 1e-6
    slopes = np.array(
        [
            (value(weight + step * row) - value(weight - step * row)) / (2 * step)
            for row in np.eye(len(y))
        ]
    )
    variance = 0
    for label in (0, 1):
        w, g = weight[y == label], slopes[y == label]
        n = w.sum() ** 2 / (w**2).sum()
        variance += (w**2 * g**2).sum() * (1 if name == "average_precision" else n / (n - 1))
    estimate = getattr(count(y, score, weight), name)(**SLOPED[name])
    assert estimate.se == pytest.approx(np.sqrt(variance), rel=1e-5)


@pytest.mark.parametrize(
    ("name", "params"),
    [*SLOPED.items(), ("interpolated_average_precision", {}), ("gini", {})],
)
def test_standard_errors_are_those_of_a_bootstrap(name, params):
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1], [240, 160])
    score = rng.normal(1.2 * y, 1.0)
    weight = rng.gamma(2, 1, len(y))

    def estimate(rows):
        return getattr(count(y[rows], score[rows], weight[rows]), name)(**params)

    values = [estimate(rng.integers(0, len(y), len(y))).value for _ in range(400)]
    # Of 400 replicates the standard deviation is known to 3.5 %.
    assert estimate(slice(None)).se == pytest.approx(np.std(values), rel=0.12)


def test_objects_without_a_score_are_rows_too():
    rng = np.random.default_rng(2)
    y = np.repeat([0, 1, 1], [150, 100, 80])
    score = rng.normal(1.5 * y, 1.0)
    scored = np.arange(len(y)) < 250

    def estimate(rows):
        seen = rows[scored[rows]]
        return count(y[seen], score[seen]).interpolated_average_precision(n_positives=y[rows].sum())

    values = [estimate(rng.integers(0, len(y), len(y))).value for _ in range(400)]
    assert estimate(np.arange(len(y))).se == pytest.approx(np.std(values), rel=0.12)
    nothing = count([0, 0], [1, 2]).interpolated_average_precision(n_positives=5)
    assert (nothing.value, nothing.low) == (0.0, 0.0)
    assert nothing.high == pytest.approx(Z**2 / (5 + Z**2))  # Wilson, 0 of 5


def test_a_perfect_ranking_up_to_a_rate_rests_on_the_negatives_below_it():
    y, score = np.repeat([0, 1], [10, 8]), np.repeat([0.0, 1.0], [10, 8])
    partial = count(y, score).partial_auc(0.3)

    def excess(area):
        # Newcombe's method 5 on the 8 positives and 0.3 x 10 negatives.
        spread = 1 + (11 / 2 - 1) * ((1 - area) / (2 - area) + area / (1 + area))
        return (1 - area) ** 2 - Z**2 * area * (1 - area) / 24 * spread

    area = brentq(excess, 0.0, 1 - 1e-9)
    least, most = 0.3**2 / 2, 0.3  # McClish
    assert partial.low == pytest.approx(0.5 + 0.5 * (0.3 * area - least) / (most - least))
    assert (partial.value, partial.high) == (pytest.approx(1.0), pytest.approx(1.0))


@given(scored_rows(), st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_intervals_hold_their_value_and_have_a_width(rows, level):
    y, score, weight = rows
    counts = count(y, score, weight)
    estimates = [getattr(counts, name)(confidence_level=level) for name in MEASURES]
    estimates += [counts.partial_auc(f, confidence_level=level) for f in (0.05, 0.5)]
    for estimate in estimates:
        least = {"gini": -1.0, "partial_auc": 0.0}.get(estimate.metric, 0.0)
        assert least - 1e-12 <= estimate.low <= estimate.value + 1e-9
        assert estimate.value - 1e-9 <= estimate.high <= 1 + 1e-12
        assert estimate.high - estimate.low > 1e-6
    paired = paired_roc_auc(y, score, -score, sample_weight=weight, confidence_level=level)
    assert -1 <= paired.low <= paired.difference <= paired.high <= 1
    assert paired.high - paired.low > 1e-6


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("perfect", [False, True])
def test_intervals_are_wider_for_fewer_rows(name, perfect):
    y = np.array([0, 0, 0, 1, 1, 1])
    score = np.array([1, 2, 3, 4, 5, 6]) if perfect else np.array([1, 2, 4, 3, 5, 6])
    few, many = (getattr(count(np.tile(y, k), np.tile(score, k)), name)() for k in (3, 12))
    assert few.value == pytest.approx(many.value)
    assert many.high - many.low < few.high - few.low


@pytest.mark.parametrize("n", [1, 2, 10, 200])
def test_a_perfect_ranking_gets_newcombes_interval(n):
    y, score = np.repeat([0, 1], n), np.repeat([0.0, 1.0], n)
    auc = count(y, score).roc_auc()

    def excess(area):
        # Newcombe's (2006) method 5, with both classes of size n.
        spread = 1 + (n - 1) * ((1 - area) / (2 - area) + area / (1 + area))
        return (1 - area) ** 2 - Z**2 * area * (1 - area) / n**2 * spread

    assert (auc.value, auc.high, auc.method) == (1.0, 1.0, "Newcombe")
    assert auc.low == pytest.approx(brentq(excess, 0.0, 1 - 1e-9), abs=1e-9)
    worst = count(y, -score).roc_auc()
    assert (worst.value, worst.low, worst.high) == (0.0, 0.0, pytest.approx(1 - auc.low))


def test_one_row_of_a_class_leaves_the_standard_error_unknown():
    auc = count([0, 0, 0, 1], [1, 2, 4, 3]).roc_auc()
    assert np.isnan(auc.se)
    assert auc.method == "Newcombe"
    assert auc.low < auc.value < auc.high


def test_scores_that_all_tie_know_nothing():
    auc = count([0, 0, 1, 1], [3, 3, 3, 3]).roc_auc()
    assert (auc.value, auc.se) == (0.5, 0.0)
    assert auc.low == pytest.approx(1 - auc.high)
    assert auc.high - auc.low > 0.5


def test_paired_scores_that_rank_alike():
    y, score = [0, 0, 1, 1, 0, 1, 1, 1], np.array([1, 2, 3, 4, 5, 6, 7, 8])
    same = paired_roc_auc(y, score, 10.0 * score)
    share = Z**2 / (3 + Z**2)  # Wilson's upper limit for 0 of the fewer rows, 3
    assert (same.difference, same.se, same.p_value) == (0.0, 0.0, 1.0)
    assert np.isnan(same.z)
    assert [same.low, same.high] == pytest.approx([-share, share])
    opposite = paired_roc_auc([0, 0, 1, 1], [1, 2, 3, 4], [4, 3, 2, 1])
    assert (opposite.difference, opposite.high) == (1.0, 1.0)
    assert np.isnan(opposite.p_value)


def test_paired_scores_of_one_class():
    with pytest.warns(UndefinedMetricWarning, match="rows of both classes"):
        paired = paired_roc_auc([0, 0], [1, 2], [2, 1])
    assert np.isnan([paired.difference, paired.low, paired.p_value, paired.auc_a]).all()


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([1, 2, 3], [1, 2], r"y_score_a must have one score per row, shape \(2,\)"),
        ([1, 2], [1, np.nan], "y_score_b must not be missing: 1 of 2"),
    ],
)
def test_paired_scores_must_be_of_the_same_rows(a, b, message):
    with pytest.raises(ValueError, match=message):
        paired_roc_auc([0, 1], a, b)


def test_without_a_level_there_is_no_interval():
    counts = count([0, 1, 0, 1], [1, 2, 3, 4], by=["a", "a", "b", "b"])
    for name in MEASURES:
        for estimate in getattr(counts, name)(confidence_level=None):
            assert (estimate.low, estimate.high, estimate.se, estimate.method) == (None,) * 4
            assert "[" not in str(estimate)


@pytest.mark.parametrize(("n_positive", "n_negative", "least"), [(6, 54, 0.88), (50, 150, 0.92)])
def test_coverage(n_positive, n_negative, least):
    """Of 400 draws, a nominal 95 %: seen to lie within 0.92 and 0.98, with 6 positives 0.90."""
    rng = np.random.default_rng(5)
    y = np.repeat([0, 1], [n_negative, n_positive])
    shift = np.sqrt(2) * norm.ppf(0.85)
    hits = 0
    for _ in range(400):
        auc = count(y, rng.normal(shift * y, 1.0)).roc_auc()
        hits += auc.low <= 0.85 <= auc.high
    assert least <= hits / 400 <= 0.985
