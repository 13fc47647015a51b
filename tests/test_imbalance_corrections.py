"""The maps themselves: against closed forms, root finding and scikit-learn's own fits."""

import numpy as np
import pytest
from scipy.optimize import brentq, minimize
from scipy.special import expit, logit
from sklearn.linear_model import LogisticRegression

from skmetrics_ext.decision._priors import correct_priors
from skmetrics_ext.imbalance._choosing import Fold, choose, compare_offsets, fit_correction
from skmetrics_ext.imbalance._corrections import (
    Scored,
    fit_isotonic,
    fit_shift,
    fit_sigmoid,
)


def scored(p, codes, weights=None):
    p = np.asarray(p, dtype=float)
    proba = np.column_stack([1 - p, p]) if p.ndim == 1 else p
    return Scored(proba, np.asarray(codes), np.ones(len(p)) if weights is None else weights)


@pytest.fixture
def two(rng):
    """Probabilities that are too high by 2 in the log odds, and too flat by 1.5."""
    eta = rng.normal(-2.5, 1.5, size=3000)
    codes = (rng.random(3000) < expit(eta)).astype(int)
    return scored(expit(eta / 1.5 + 2), codes, rng.uniform(0.5, 2, size=3000))


@pytest.fixture
def three(rng):
    p = rng.dirichlet([4, 1, 0.5], size=2000)
    codes = (rng.random(2000)[:, None] > p.cumsum(axis=1)).sum(axis=1)
    return scored(correct_priors(p, [1 / 3] * 3, [0.7, 0.2, 0.1]), codes)


def test_shift_of_two_classes_is_the_root(two):
    prior = 0.13
    shift = fit_shift(two, np.array([1 - prior, prior]))
    eta = logit(two.proba[:, 1])
    root = brentq(
        lambda b: np.average(expit(eta + b), weights=two.weights) - prior, -9, 9, xtol=1e-13
    )
    assert shift.offsets == pytest.approx([0, root], abs=1e-8)
    np.testing.assert_allclose(shift(two.proba)[:, 1], expit(eta + root), atol=1e-9)


def test_shift_of_three_classes_meets_every_prior(three):
    priors = np.bincount(three.codes) / len(three.codes)
    p = fit_shift(three, priors)(three.proba)
    np.testing.assert_allclose(p.mean(axis=0), priors, atol=1e-9)
    np.testing.assert_allclose(p.sum(axis=1), 1, rtol=1e-12)


def test_standard_error_of_the_shift(rng):
    # Of an intercept alone, 1 / sqrt(sum p (1 - p)); by simulation it is the spread as well.
    eta = rng.normal(-2, 1, size=2000)
    found, said = [], []
    for _ in range(200):
        codes = (rng.random(2000) < expit(eta)).astype(int)
        shift = fit_shift(scored(expit(eta), codes), np.bincount(codes) / 2000)
        found.append(shift.offsets[1])
        said.append(shift.errors[1])
    assert np.std(found) == pytest.approx(np.mean(said), rel=0.15)
    assert abs(np.mean(found)) < 4 * np.std(found) / np.sqrt(200)


def test_sigmoid_is_platts_line(two):
    sigmoid = fit_sigmoid(two, np.array([0.9, 0.1]))
    eta = logit(two.proba[:, 1])
    line = LogisticRegression(C=1e10, tol=1e-10).fit(eta[:, None], two.codes, two.weights)
    # The pseudo-row on the slope is one of 3000.
    assert sigmoid.slope == pytest.approx(line.coef_[0, 0], rel=5e-3)
    assert sigmoid.offsets[1] == pytest.approx(line.intercept_[0], rel=5e-3)
    share = np.average(two.codes, weights=two.weights)
    assert np.average(sigmoid(two.proba)[:, 1], weights=two.weights) == pytest.approx(share)


def test_sigmoid_of_three_classes(three):
    sigmoid = fit_sigmoid(three, np.full(3, 1 / 3))
    shares = np.bincount(three.codes) / len(three.codes)
    np.testing.assert_allclose(sigmoid(three.proba).mean(axis=0), shares, atol=1e-8)
    assert sigmoid.slope == pytest.approx(1, abs=0.1)
    # Log loss cannot be lowered by moving any number.
    best = three.total_log_loss(sigmoid(three.proba))
    for k in (1, 2):
        for step in (-0.05, 0.05):
            moved = fit_sigmoid(three, np.full(3, 1 / 3))
            moved.offsets[k] += step
            assert three.total_log_loss(moved(three.proba)) > best


@pytest.mark.parametrize("weight", [1, 3, 0.25])
def test_the_pseudo_row_on_the_slope(weight, rng):
    # By another optimiser: log loss of all rows, plus what one row says of a slope other than 1.
    eta = rng.normal(-1, 1, size=30)
    codes = (rng.random(30) < expit(2 * eta)).astype(int)
    pseudo = min(weight, 1)

    def loss(theta):
        z = theta[1] * eta + theta[0]
        return weight * (np.logaddexp(0, z) - codes * z).sum() + pseudo * (theta[1] - 1) ** 2 / 2

    best = minimize(loss, [0.0, 1.0], tol=1e-12).x
    found = fit_sigmoid(scored(expit(eta), codes, np.full(30, weight)), np.array([0.5, 0.5]))
    assert [found.offsets[1], found.slope] == pytest.approx(best, abs=1e-4)


def test_perfect_ranking_does_not_send_the_slope_to_infinity():
    q = np.r_[np.full(20, 0.4), np.full(5, 0.6)]
    sigmoid = fit_sigmoid(scored(q, (q > 0.5).astype(int)), np.array([0.8, 0.2]))
    assert 1 < sigmoid.slope < 100
    assert np.isfinite(sigmoid(np.array([[0.0, 1.0], [1.0, 0.0]]))).all()


def test_isotonic_blocks_by_hand():
    # Blocks {.1, .2}: 0 of 2, {.3, .4}: 2 of 2; one pseudo-row of the prevalence 1/4 each.
    steps = fit_isotonic(scored([0.1, 0.2, 0.3, 0.4], [0, 0, 1, 1]), np.array([0.75, 0.25]))
    p = steps(scored([0, 0.1, 0.2, 0.25, 0.3, 0.4, 1], [0] * 7).proba)[:, 1]
    low, high = 0.25 / 3, 2.25 / 3
    np.testing.assert_allclose(p, [low, low, low, (low + high) / 2, high, high, high])


def test_isotonic_rises_though_small_blocks_are_drawn_further():
    # 8 of 10 and then 1 of 1, which the pseudo-row of 0.1 would draw to 0.55.
    q = np.r_[np.full(10, 0.5), 0.9]
    y = np.r_[[0, 0], np.ones(9, int)]
    steps = fit_isotonic(scored(q, y), np.array([0.9, 0.1]))
    p = steps(scored([0.5, 0.9], [0, 0]).proba)[:, 1]
    np.testing.assert_allclose(p, (8.1 + 1.1) / (11 + 2))


def test_isotonic_of_three_classes(three):
    priors = np.bincount(three.codes) / len(three.codes)
    p = fit_isotonic(three, priors)(three.proba)
    np.testing.assert_allclose(p.sum(axis=1), 1, rtol=1e-12)
    assert p.min() > 0
    np.testing.assert_allclose(p.mean(axis=0), priors, atol=0.02)


def test_zeros_of_trees_are_floored_where_logarithms_are_taken():
    q = np.r_[np.zeros(50), np.full(50, 0.1), np.full(50, 0.5)]
    y = np.r_[[1], np.zeros(49, int), np.ones(10, int), np.zeros(40, int), np.ones(25, int)]
    y = np.r_[y, np.zeros(25, int)]
    for fit in (fit_shift, fit_sigmoid):
        correction = fit(scored(q, y), np.array([1 - y.mean(), y.mean()]))
        assert correction.floor == 0.02  # half of 0.1, and no more than this
        p = correction(scored(q, y).proba)[:, 1]
        assert p.min() > 0
        assert p.mean() == pytest.approx(y.mean(), abs=1e-9)


FITS = pytest.mark.parametrize("fit", [fit_shift, fit_sigmoid, fit_isotonic])


@FITS
def test_a_weight_of_three_is_a_row_three_times(fit, three):
    # Few rows: a pseudo-row counts.
    few = Scored(three.proba[:40], three.codes[:40], np.arange(40) % 4 + 1.0)
    times = few.weights.astype(int)
    repeated = scored(few.proba.repeat(times, axis=0), few.codes.repeat(times))
    priors = np.array([0.7, 0.2, 0.1])
    weighted, copied = fit(few, priors), fit(repeated, priors)
    np.testing.assert_allclose(weighted(three.proba), copied(three.proba), rtol=1e-7)


@FITS
def test_weights_that_sum_to_one_are_no_lighter_than_rows(fit, three):
    few = scored(three.proba[:40], three.codes[:40])
    light = Scored(few.proba, few.codes, np.full(40, 1 / 40))
    priors = np.array([0.7, 0.2, 0.1])
    np.testing.assert_allclose(fit(light, priors)(three.proba), fit(few, priors)(three.proba))


@pytest.mark.parametrize("fit", [fit_shift, fit_sigmoid])
def test_rows_of_no_weight_are_no_rows(fit, three):
    priors = np.array([0.7, 0.2, 0.1])
    some = Scored(three.proba[:80], three.codes[:80], np.repeat([0.5, 0.0], 40))
    fewer = Scored(three.proba[:40], three.codes[:40], np.full(40, 0.5))
    np.testing.assert_allclose(
        fit(some, priors)(three.proba[80:]), fit(fewer, priors)(three.proba[80:])
    )


def test_choice_is_by_rows_that_were_not_fitted_on(two):
    parts = np.array_split(np.arange(3000), 3)
    folds = [
        Fold(Scored(two.proba[i], two.codes[i], two.weights[i]), np.array([0.5, 0.5]))
        for i in parts
    ]
    priors = np.array([0.87, 0.13])
    losses = choose(folds, priors)
    assert list(losses) == ["none", "prior", "shift", "sigmoid", "isotonic"]
    for name in ("shift", "sigmoid", "isotonic"):
        total = 0.0
        for k, fold in enumerate(folds):
            others = [f for i, f in enumerate(folds) if i != k]
            p = fit_correction(name, others, priors)(fold.scored.proba)
            true = p[np.arange(len(p)), fold.scored.codes]
            total -= fold.scored.weights @ np.log(true)
        assert losses[name] == pytest.approx(total / two.weights.sum())
    assert min(losses, key=losses.get) == "sigmoid"  # the one that the data were made by


@pytest.mark.parametrize(("moved", "disagree"), [(1.0, False), (0.7, False), (0.1, True)])
def test_formula_and_held_out_rows_disagree(rng, moved, disagree):
    # A learner that follows the shares by a part `moved` of their log odds.
    eta = rng.normal(-3, 1, size=4000)
    codes = (rng.random(4000) < expit(eta)).astype(int)
    priors = np.bincount(codes) / 4000
    theory = logit(priors[1])
    fold = Fold(scored(expit(eta - moved * theory), codes), np.array([0.5, 0.5]))
    offsets = compare_offsets([fold], priors, np.array([0.5, 0.5]))
    assert offsets.theory == pytest.approx([0, theory])
    assert offsets.oof == pytest.approx([0, moved * theory], abs=0.3)
    assert offsets.disagree is disagree
