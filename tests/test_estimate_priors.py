"""The class mix of rows without labels: the greatest likelihood, and what is said at its edge."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import norm
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression

from skmetrics_ext.decision import PriorCorrectedClassifier, PriorEstimate, estimate_priors
from skmetrics_ext.decision._priors import correct_priors

SEEN = [0.6, 0.3, 0.1]


def gaussian_posterior(x, means, priors):
    density = norm.pdf(x[:, None], means) * priors
    return density / density.sum(axis=1, keepdims=True)


def log_likelihood(priors, proba, seen):
    return np.log(proba @ (priors / seen)).sum()


def greatest(proba, seen):
    """Brute force: the likelihood over the simplex, by scipy's SLSQP."""
    n_classes = len(seen)
    best = minimize(
        lambda p: -log_likelihood(np.clip(p, 1e-300, None), proba, seen) / len(proba),
        np.full(n_classes, 1 / n_classes),
        bounds=[(0, 1)] * n_classes,
        constraints={"type": "eq", "fun": lambda p: p.sum() - 1},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    return best.x


def population(rng, n, means, seen, target):
    """Calibrated probabilities (for the training shares) of rows drawn at the target's."""
    means, seen = np.asarray(means), np.asarray(seen)
    y = rng.choice(len(means), n, p=target)
    return gaussian_posterior(rng.normal(means[y]), means, seen), y


@pytest.mark.parametrize(
    ("means", "seen", "target"),
    [
        ([0, 2], [0.5, 0.5], [0.95, 0.05]),
        ([0, 1], [0.9, 0.1], [0.4, 0.6]),
        ([-2, 0, 2], [0.6, 0.3, 0.1], [0.2, 0.2, 0.6]),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_em_finds_the_priors_and_the_greatest_likelihood(means, seen, target, seed):
    rng = np.random.default_rng(seed)
    proba, _ = population(rng, 4000, means, seen, target)
    found = estimate_priors(proba, seen)
    assert found.converged
    assert found.priors.sum() == pytest.approx(1, abs=1e-12)
    # Curvature of the mean log-likelihood gives the standard error of each share.
    likelihood = proba / seen / (proba @ (found.priors / np.array(seen)))[:, None]
    toward = likelihood[:, :-1] - likelihood[:, -1:]
    se = np.sqrt(np.diag(np.linalg.inv(toward.T @ toward)))
    assert (np.abs(found.priors - target)[:-1] < 3.5 * se).all()
    assert (se < 0.05).all()
    np.testing.assert_allclose(found.priors, greatest(proba, seen), atol=2e-5)
    gain = log_likelihood(found.priors, proba, seen) - log_likelihood(np.array(seen), proba, seen)
    assert found.log_likelihood_ratio == pytest.approx(gain, rel=1e-9)
    assert gain > 100


@given(st.integers(2, 5), st.integers(2, 40), st.integers(0, 10**6))
def test_no_priors_are_likelier(n_classes, n, seed):
    rng = np.random.default_rng(seed)
    proba = rng.dirichlet(np.full(n_classes, 0.7), n)
    seen = rng.dirichlet(np.full(n_classes, 5.0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of a corner
        found = estimate_priors(proba, seen)
    reached = log_likelihood(found.priors, proba, seen)
    assert found.converged
    for other in [*rng.dirichlet(np.full(n_classes, 0.5), 50), greatest(proba, seen)]:
        assert log_likelihood(other, proba, seen) <= reached + 1e-7 * n
    assert found.log_likelihood_ratio >= 0


def test_the_ratio_is_chi_squared_where_nothing_changed():
    rng = np.random.default_rng(0)
    seen = [0.5, 0.3, 0.2]
    doubled = []
    for _ in range(300):
        proba, _ = population(rng, 400, [-2, 0, 2], seen, seen)
        doubled.append(2 * estimate_priors(proba, seen, tol=1e-6).log_likelihood_ratio)
    # Two degrees of freedom: mean 2; 5.99 is exceeded in 5 %, by 300 draws in 2 to 9 %.
    assert np.mean(doubled) == pytest.approx(2, abs=0.4)
    assert 0.02 <= np.mean(np.array(doubled) > 5.99) <= 0.09


def test_an_absent_class_is_at_the_corner():
    rng = np.random.default_rng(1)
    proba, _ = population(rng, 500, [-2, 0, 4], [1 / 3] * 3, [0.5, 0.5, 0.0])
    with pytest.warns(UserWarning, match=r"share of 0 for class number 2 \(by the columns"):
        found = estimate_priors(proba, [1 / 3] * 3)
    assert found.priors[2] == 0
    assert found.converged
    np.testing.assert_allclose(found.priors, greatest(proba, np.full(3, 1 / 3)), atol=2e-5)
    with pytest.warns(UserWarning, match=r"share of 0 for class number 0, 2"):
        found = estimate_priors([[0.1, 0.8, 0.1]] * 5, [0.2, 0.6, 0.2])
    assert found.priors.tolist() == [0, 1, 0]
    assert found.log_likelihood_ratio == pytest.approx(5 * np.log(0.8 / 0.6))


@pytest.mark.parametrize("little", [0.0, 1e-310, 1e-30])
def test_a_rare_class_that_is_there_is_no_corner(little):
    proba = np.vstack([np.tile([0.995, 0.005], (9999, 1)), [[little, 1.0]]])
    found = estimate_priors(proba, [0.5, 0.5])
    # One row is certain of the class; the others speak against it.
    assert found.priors[1] == pytest.approx(greatest(proba, np.array([0.5, 0.5]))[1], abs=1e-7)
    assert 0 < found.priors[1] < 1.1e-4


def test_a_share_that_hardly_grows_from_zero_is_no_corner():
    # The mean of p1 / p0 is 1.0049: at a share of 0 the likelihood rises, if little.
    ratio = np.repeat([0.5, 5.0], [8878, 1122])
    proba = np.column_stack([1 / (1 + ratio), ratio / (1 + ratio)])
    found = estimate_priors(proba, [0.5, 0.5])
    # Two values of the ratio: the derivative of the likelihood is linear in the share.
    low, high = 0.8878 * -0.5, 0.1122 * 4
    assert found.priors[1] == pytest.approx((low + high) / -(low * 4 + high * -0.5), abs=1e-7)


def test_a_step_averages_the_probabilities_at_the_shares_so_far():
    proba, _ = population(np.random.default_rng(0), 500, [-2, 0, 2], SEEN, [0.2, 0.2, 0.6])
    shares = np.array(SEEN)
    for steps in range(1, 5):
        shares = correct_priors(proba, shares, SEEN).mean(axis=0)
        with pytest.warns(ConvergenceWarning):
            found = estimate_priors(proba, SEEN, max_iter=steps)
        np.testing.assert_allclose(found.priors, shares, rtol=1e-12)


def test_too_few_steps_are_said():
    proba, _ = population(np.random.default_rng(0), 500, [0, 0.5], [0.5, 0.5], [0.9, 0.1])
    with pytest.warns(ConvergenceWarning, match=r"did not converge in max_iter=3 steps to tol="):
        found = estimate_priors(proba, [0.5, 0.5], max_iter=3)
    assert not found.converged
    assert found.n_iter == 3
    assert found.priors.sum() == pytest.approx(1)


def test_probabilities_that_say_nothing_change_nothing():
    found = estimate_priors([[0.8, 0.2]] * 10, [0.8, 0.2])
    assert found.priors.tolist() == pytest.approx([0.8, 0.2], abs=1e-15)
    assert found.log_likelihood_ratio == pytest.approx(0, abs=1e-12)


def test_certain_rows_are_counted():
    found = estimate_priors(np.repeat(np.eye(3), [5, 3, 2], axis=0), [0.1, 0.2, 0.7])
    np.testing.assert_allclose(found.priors, [0.5, 0.3, 0.2], rtol=1e-12)


def test_the_answer_stands_where_priors_are_asked_for():
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b"], 1000)
    X = rng.normal(2.0 * (y == "b"))[:, None]
    model = LogisticRegression().fit(X, y)
    truth = (rng.random(4000) < 0.05).astype(int)
    new = rng.normal(2.0 * truth)[:, None]
    shares = pd.Series(y).value_counts(normalize=True)[["b", "a"]]
    found = estimate_priors(model.predict_proba(new), shares)
    assert isinstance(found, PriorEstimate)
    assert found.priors[1] == pytest.approx(0.05, abs=0.015)
    classifier = PriorCorrectedClassifier(
        FrozenEstimator(model), target_priors=found, training_priors={"a": 0.5, "b": 0.5}
    ).fit(X, y)
    np.testing.assert_allclose(classifier.target_priors_, found.priors, rtol=1e-15)
    # At the top of the likelihood the corrected probabilities average to the priors.
    np.testing.assert_allclose(classifier.predict_proba(new).mean(axis=0), found.priors, rtol=1e-6)
    copied = np.array(clone(classifier).target_priors)
    assert copied.tolist() == found.priors.tolist()
    assert np.asarray(found) is found.priors
    assert np.asarray(found, dtype=np.float32).dtype == np.float32


def test_named_training_priors_go_by_sorted_labels():
    proba, _ = population(np.random.default_rng(0), 300, [0, 2], [0.9, 0.1], [0.5, 0.5])
    expected = estimate_priors(proba, [0.9, 0.1]).priors
    for named in ({"b": 0.1, "a": 0.9}, pd.Series({"b": 0.1, "a": 0.9})):
        found = estimate_priors(pd.DataFrame(proba), named)
        np.testing.assert_allclose(found.priors, expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("proba", "priors", "options", "message"),
    [
        ([[0.7, 0.3]], [0.5, 0.6], {}, "training_priors must sum to 1"),
        ([[0.7, 0.3]], [1, 0], {}, "training_priors must all be positive; class number 1"),
        ([[0.7, 0.3]], [0.5, 0.3, 0.2], {}, "training_priors must hold one share per class, 2"),
        ([[0.7, 0.3]], {"a": 1}, {}, "training_priors must hold one share per class, 2"),
        ([[0.7, 0.4]], [0.5, 0.5], {}, "y_proba must sum to 1 in each row; 1 of 1 rows do not"),
        ([[0.7, np.nan]], [0.5, 0.5], {}, "y_proba must be finite; 1 of 1 rows"),
        ([[1.2, -0.2]], [0.5, 0.5], {}, "y_proba must not be negative"),
        ([0.7, 0.3], [0.5, 0.5], {}, r"y_proba must have the shape .* shape \(2,\)"),
        (np.zeros((0, 2)), [0.5, 0.5], {}, r"y_proba must have the shape .* shape \(0, 2\)"),
        ([[0.7, 0.3]], [0.5, 0.5], {"tol": 0}, "tol must be a positive number; got 0"),
        ([[0.7, 0.3]], [0.5, 0.5], {"tol": np.nan}, "tol must be a positive number; got nan"),
        ([[0.7, 0.3]], [0.5, 0.5], {"tol": "a"}, "tol must be a positive number; got 'a'"),
        ([[0.7, 0.3]], [0.5, 0.5], {"max_iter": 0}, "max_iter must be a whole number, 1 or more"),
        (
            [[0.7, 0.3]],
            [0.5, 0.5],
            {"max_iter": 2.5},
            "max_iter must be a whole number, 1 or more; got 2.5",
        ),
    ],
)
def test_bad_input_of_estimate_priors(proba, priors, options, message):
    with pytest.raises(ValueError, match=message):
        estimate_priors(proba, priors, **options)
