"""The cumulative link model against R, statsmodels and LogisticRegression, and against itself."""

import copy
import json
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import make_regression
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from skmetrics_ext.ordinal import CumulativeLinkClassifier
from skmetrics_ext.ordinal._cumulative_likelihood import Objective
from skmetrics_ext.ordinal._cumulative_newton import maximise
from skmetrics_ext.ordinal._cumulative_rows import sort_rows
from skmetrics_ext.ordinal._cumulative_solve import solve
from skmetrics_ext.ordinal._cumulative_start import starting_values
from skmetrics_ext.ordinal._links import LINKS

DATA = Path(__file__).parent / "data"
R = json.loads((DATA / "cumulative_link.json").read_text())
STATSMODELS = json.loads((DATA / "cumulative_link_other_links.json").read_text())
X, Z = make_regression(n_samples=2000, n_features=10, n_informative=5, noise=60.0, random_state=0)
Y = np.searchsorted(np.quantile(Z, [0.10, 0.35, 0.60, 0.85]), Z)
W = np.random.default_rng(7).integers(1, 5, 2000)
WEIGHTS = {"unweighted": None, "weighted": W}


def fit(link="logit", *, X=X, y=Y, w=None, **params):
    return CumulativeLinkClassifier(link, **{"alpha": 0, **params}).fit(X, y, sample_weight=w)


def log_likelihood(model, X=X, y=Y, w=None):
    columns = np.searchsorted(model.classes_, y)
    return np.average(model.predict_log_proba(X)[np.arange(len(y)), columns], weights=w) * (
        len(y) if w is None else w.sum()
    )


# ---------------------------------------------------------------------------------------------
# other programs


@pytest.mark.parametrize(
    ("weighting", "link"), [(kind, link) for kind in WEIGHTS for link in R[kind]]
)
def test_r(weighting, link):
    expected, w = R[weighting][link], WEIGHTS[weighting]
    model = fit(link, w=w)
    names = {f"x{j}": model.coef_[j] for j in range(10)}
    names |= {f"thr{k + 1}": model.thresholds_[k] for k in range(4)}
    summary = model.summary()
    rows = dict(zip(names, summary.rows, strict=True))
    for name, value in names.items():
        assert value == pytest.approx(expected[name]["value"], rel=0, abs=1e-6)
        assert rows[name].se == pytest.approx(expected[name]["se"], rel=0, abs=1e-5)
    assert summary.log_likelihood == pytest.approx(expected["loglik"]["value"], rel=0, abs=1e-8)
    assert log_likelihood(model, w=w) == pytest.approx(expected["loglik"]["value"], rel=0, abs=1e-8)


@pytest.mark.parametrize(
    ("weighting", "link"), [(kind, link) for kind in WEIGHTS for link in STATSMODELS[kind]]
)
def test_statsmodels(weighting, link):
    expected = STATSMODELS[weighting][link]
    model = fit(link, w=WEIGHTS[weighting])
    np.testing.assert_allclose(model.coef_, expected["coef"], rtol=0, atol=1e-6)
    np.testing.assert_allclose(model.thresholds_, expected["thresholds"], rtol=0, atol=1e-6)
    summary = model.summary()
    assert summary.log_likelihood == pytest.approx(expected["loglik"], rel=0, abs=1e-8)
    se = [row.se for row in summary.rows[:10]]
    np.testing.assert_allclose(se, expected["se"], rtol=0, atol=1e-5)


def test_every_link_is_held_against_another_program():
    assert set(R["unweighted"]) | set(STATSMODELS["unweighted"]) == set(LINKS)
    assert set(R["weighted"]) | set(STATSMODELS["weighted"]) == set(LINKS)


def test_the_penalised_optimum():
    expected = R["penalised_logit_alpha1"]
    model = CumulativeLinkClassifier().fit(X, Y)
    np.testing.assert_allclose(model.coef_, expected["coef"], rtol=0, atol=1e-6)
    np.testing.assert_allclose(model.thresholds_, expected["thresholds"], rtol=0, atol=1e-6)
    value = -log_likelihood(model) + (model.coef_**2).sum() / 2
    assert value == pytest.approx(expected["value"], rel=0, abs=1e-8)


@pytest.mark.parametrize("alpha", [1e-3, 1.0, 100.0])
def test_two_classes_are_logistic_regression(alpha):
    y = (Z > 20).astype(int)
    ours = CumulativeLinkClassifier(alpha=alpha).fit(X, y)
    peer = LogisticRegression(C=1 / alpha, solver="newton-cholesky", tol=1e-12).fit(X, y)
    np.testing.assert_allclose(ours.coef_, peer.coef_[0], rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(ours.thresholds_, -peer.intercept_, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(X), atol=1e-9)
    np.testing.assert_array_equal(ours.predict(X), peer.predict(X))


# ---------------------------------------------------------------------------------------------
# derivatives and the optimum


@pytest.mark.parametrize("alpha", [0.0, 3.0])
@pytest.mark.parametrize("weighting", WEIGHTS)
@pytest.mark.parametrize("link", LINKS.values(), ids=LINKS)
def test_gradient_and_curvature_are_those_of_the_value(link, weighting, alpha):
    w = WEIGHTS[weighting]
    rows = sort_rows(X[:300], Y[:300], None if w is None else w[:300].astype(float))
    objective = Objective(rows, link, alpha)
    rng = np.random.default_rng(3)
    here = np.concatenate([rng.normal(size=10) / 3, [-2.0, -0.5, 0.7, 1.9]])
    point = objective.point(here)
    assert point.value == pytest.approx(objective.value(here), rel=1e-13)
    h = 1e-5
    for j, step in enumerate(h * np.eye(14)):
        after, before = objective.point(here + step), objective.point(here - step)
        slope = (after.value - before.value) / (2 * h)
        assert point.gradient[j] == pytest.approx(slope, rel=1e-6, abs=1e-4)
        bend = (after.gradient - before.gradient) / (2 * h)
        np.testing.assert_allclose(point.curvature[j], bend, rtol=1e-6, atol=1e-4)


@pytest.mark.parametrize("link", LINKS)
def test_the_largest_gradient_in_standardised_columns(link):
    model = fit(link)
    assert model.summary().largest_gradient < 1e-6
    # The same, from the answers of the model when each coefficient is moved by a hair.
    for j in range(10):
        ends = []
        for h in (-1e-4, 1e-4):
            moved = copy.deepcopy(model)
            moved.coef_[j] += h / X[:, j].std()
            moved.thresholds_ += h * X[:, j].mean() / X[:, j].std()
            ends.append(log_likelihood(moved))
        assert abs(ends[1] - ends[0]) / 2e-4 < 1e-5


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize(
    ("factor", "shift"),
    [
        (np.r_[1e4, 1e-4, np.ones(8)], 0),
        (1, 100),
        (1, np.r_[0, 0, 1e6, np.zeros(7)]),
        (np.r_[1e4, 1e-4, np.ones(8)], np.r_[1e8, 1e2, 1e6, np.zeros(7)]),
    ],
    ids=["scaled", "shifted", "far", "both"],
)
def test_units_and_origins_of_columns_do_not_matter(link, factor, shift):
    plain, other = fit(link), fit(link, X=X * factor + shift)
    assert log_likelihood(other, X=X * factor + shift) == pytest.approx(
        log_likelihood(plain), rel=0, abs=1e-6
    )
    np.testing.assert_allclose(other.coef_ * factor, plain.coef_, rtol=1e-6, atol=1e-8)
    ours, theirs = other.summary(), plain.summary()
    for j in range(10):
        scale = np.broadcast_to(factor, 10)[j]
        assert ours.rows[j].se * scale == pytest.approx(theirs.rows[j].se, rel=1e-6)


def test_the_penalty_is_on_the_coefficients_as_given():
    # A column in other units and a penalty in those: alpha / 2 * (coef / 10)**2.
    ours = CumulativeLinkClassifier(alpha=1).fit(X * 10, Y)
    same = CumulativeLinkClassifier(alpha=0.01).fit(X, Y)
    np.testing.assert_allclose(ours.coef_ * 10, same.coef_, rtol=1e-9)
    strong = CumulativeLinkClassifier(alpha=1e9).fit(X, Y)
    assert np.abs(strong.coef_).max() < 1e-4
    shares = np.cumsum(np.bincount(Y))[:-1] / len(Y)
    np.testing.assert_allclose(strong.thresholds_, np.log(shares / (1 - shares)), atol=1e-6)


def test_columns_that_do_not_vary_have_coefficient_zero():
    model = fit(X=np.column_stack([np.full(2000, 0.1), X, np.full(2000, 1e9)]))
    np.testing.assert_allclose(model.coef_[1:-1], fit().coef_, rtol=1e-9)
    assert model.coef_[0] == model.coef_[-1] == 0
    np.testing.assert_allclose(model.thresholds_, fit().thresholds_, rtol=1e-9)
    nothing = fit(X=np.ones((2000, 1)))
    np.testing.assert_allclose(nothing.predict_proba([[1.0]])[0], np.bincount(Y) / 2000, rtol=1e-12)


@pytest.mark.parametrize("link", LINKS)
def test_a_column_twice_shares_its_coefficient(link):
    model = fit(link, X=np.column_stack([X, X[:, 0]]))
    plain = fit(link)
    assert log_likelihood(model, X=np.column_stack([X, X[:, 0]])) == pytest.approx(
        log_likelihood(plain), rel=0, abs=1e-7
    )
    assert model.coef_[0] == pytest.approx(model.coef_[-1], rel=1e-6)
    assert model.coef_[0] + model.coef_[-1] == pytest.approx(plain.coef_[0], rel=1e-6)


def test_weights_are_numbers_of_rows():
    repeated = fit(X=np.repeat(X, W, axis=0), y=np.repeat(Y, W))
    weighted = fit(w=W)
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-9)
    np.testing.assert_allclose(weighted.thresholds_, repeated.thresholds_, rtol=1e-9)


@pytest.mark.parametrize("unit", [1e-12, 1e6])
def test_the_unit_of_weights_does_not_matter_without_a_penalty(unit):
    np.testing.assert_allclose(fit(w=W * unit).coef_, fit(w=W).coef_, rtol=1e-8)


def test_rows_of_weight_zero_are_no_rows():
    w = W * (Y != 2)
    kept = np.flatnonzero(w)
    weighted, dropped = fit(w=w), fit(X=X[kept], y=Y[kept], w=W[kept])
    assert weighted.classes_.tolist() == weighted.class_order_.tolist() == [0, 1, 3, 4]
    np.testing.assert_array_equal(weighted.coef_, dropped.coef_)
    assert weighted.summary().n_samples == len(kept)


@pytest.mark.parametrize(
    "make",
    [
        list,
        lambda y: pd.Series(y).astype("category"),
        lambda y: pd.Categorical(y, categories=range(5), ordered=True),
    ],
    ids=["list", "unordered", "ordered"],
)
def test_rows_of_weight_zero_are_left_out_of_any_kind_of_target(make):
    model = fit(y=make(Y.tolist()), w=W * (Y != 2))
    assert model.classes_.tolist() == [0, 1, 3, 4]
    assert len(model.class_order_) == (5 if isinstance(make(Y), pd.Categorical) else 4)


def test_max_iter_reached():
    with pytest.warns(ConvergenceWarning, match=r"did not converge in 1 steps.*Raise max_iter\."):
        model = fit(max_iter=1)
    assert model.n_iter_ == 1
    assert not model.summary().converged
    assert "Not converged: max_iter was reached" in repr(model.summary())
    assert fit(max_iter=4).n_iter_ == 4


@pytest.mark.parametrize(
    "curvature",
    [np.diag([2.0, 3.0]), np.diag([2.0, -3.0]), np.diag([2.0, 0.0]), np.full((2, 2), 1.5)],
    ids=["bowl", "saddle", "trough along an axis", "trough"],
)
def test_a_step_goes_downhill_and_not_where_it_is_flat(curvature):
    gradient = np.array([1.0, -1.0 if curvature[0, 1] == 0 else 1.0])
    step = solve(curvature, gradient)
    assert step @ gradient < 0
    if np.linalg.matrix_rank(curvature) == 2:
        np.testing.assert_allclose(step, -gradient / np.abs(np.diag(curvature)))
    else:
        np.testing.assert_allclose(curvature @ step + gradient * (curvature.any(axis=0)), 0)
    assert len(solve(np.zeros((0, 0)), np.zeros(0))) == 0


def test_columns_as_they_are_fitted():
    varying = np.random.default_rng(0).normal(size=(100_000, 2)) * [1, 1e-3] + [0, 1e8]
    rounded = np.where(np.arange(100_000) % 2, 0.1 + 0.2, 0.3)
    columns = np.column_stack([varying, np.full(100_000, 0.1), rounded])
    codes = np.arange(100_000) % 3
    w = 1.0 + codes
    for weights in (None, w):
        rows = sort_rows(columns, codes, weights)
        assert rows.varying.tolist() == [True, True, False, False]
        mean = np.average(rows.Z, axis=1, weights=rows.weights)
        np.testing.assert_allclose(mean, 0, atol=1e-12)
        square = np.average(rows.Z**2, axis=1, weights=rows.weights)
        np.testing.assert_allclose(square, 1, rtol=1e-9)
        back = rows.Z * rows.scale[:, None] + rows.centre[:, None]
        order = np.argsort(codes, kind="stable")
        np.testing.assert_allclose(back, varying[order].T, rtol=1e-15, atol=1e-12)


@pytest.mark.parametrize(("link", "far", "label"), [("cloglog", -450, 3), ("loglog", 450, 0)])
def test_a_gross_error_does_not_take_the_start_out_of_sight(link, far, label):
    rng = np.random.default_rng(0)
    z = rng.normal(size=200_000)
    x, y = np.append(z + 0.3 * rng.normal(size=200_000), far), np.searchsorted([-1, 0, 1], z)
    model = fit(link, X=x[:, None], y=np.append(y, label))
    shares = np.bincount(y) / len(y)
    assert model.summary().log_likelihood > len(y) * (shares @ np.log(shares)) + 100
    assert model.summary().largest_gradient < 1e-4


def test_thresholds_stay_in_order_at_every_trial():
    trials = []

    class Watched(Objective):
        def point(self, parameters, *, curvature=None):
            trials.append(np.diff(parameters[2:]).min())
            return super().point(parameters, curvature=curvature)

    # A Cauchy likelihood is not concave, and full steps would cross.
    for seed in range(12):
        rng = np.random.default_rng(seed)
        heavy = rng.standard_cauchy((60, 2))
        y = np.searchsorted([-3, -1, 0, 1, 3], heavy[:, 0] + rng.logistic(size=60))
        rows = sort_rows(heavy, np.unique(y, return_inverse=True)[1], None)
        assert maximise(Watched(rows, LINKS["cauchit"], 1.0), max_iter=100, tol=1e-8).converged
    assert min(trials) > 0


def test_a_search_that_gets_nowhere_ends():
    rows = sort_rows(X, Y, None)
    start = starting_values(Objective(rows, LINKS["logit"], 0.0))

    class Wall(Objective):
        """Nothing is better than the start."""

        def value(self, parameters):
            return np.inf

        def point(self, parameters, *, curvature=None):
            point = super().point(parameters, curvature=curvature)
            return point if np.array_equal(parameters, start) else replace(point, value=np.inf)

    found = maximise(Wall(rows, LINKS["logit"], 0.0), max_iter=100, tol=1e-8)
    assert (found.n_iter, found.converged) == (1, False)
    assert "did not converge in 1 steps" in found.trouble([])


# ---------------------------------------------------------------------------------------------
# classes


@pytest.mark.parametrize("link", LINKS)
def test_twenty_classes(link):
    y = np.searchsorted(np.quantile(Z, np.linspace(0.05, 0.95, 19)), Z)
    model = fit(link, y=y)
    assert (np.diff(model.thresholds_) > 0).all()
    assert model.summary().largest_gradient < 1e-6
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1, rtol=1e-13)


@pytest.mark.parametrize("classes", [[0, 1, 3, 4], [3, 5, 7], [-2.0, 0.0, 9.0], [False, True]])
def test_numbers_are_classes_whatever_lies_between(classes):
    codes = np.searchsorted(np.quantile(Z, np.linspace(0, 1, len(classes) + 1)[1:-1]), Z)
    model, plain = fit(y=np.array(classes)[codes]), fit(y=codes)
    assert model.classes_.tolist() == model.class_order_.tolist() == classes
    np.testing.assert_array_equal(model.coef_, plain.coef_)
    np.testing.assert_array_equal(model.predict(X), np.array(classes)[plain.predict(X)])
    assert model.predict(X).dtype == np.array(classes).dtype


WORDS = ["none", "a little", "some", "much", "very much"]


def test_words_in_their_order():
    y = np.array(WORDS)[Y]
    model, plain = fit(y=y, class_order=WORDS), fit()
    np.testing.assert_array_equal(model.coef_, plain.coef_)
    assert model.classes_.tolist() == sorted(WORDS)
    assert model.class_order_.tolist() == WORDS
    by_word = dict(zip(model.classes_, model.predict_proba(X).T, strict=True))
    for word, column in zip(WORDS, plain.predict_proba(X).T, strict=True):
        np.testing.assert_array_equal(by_word[word], column)
    np.testing.assert_array_equal(
        model.predict_cumulative_proba(X), plain.predict_cumulative_proba(X)
    )
    np.testing.assert_array_equal(model.predict(X), np.array(WORDS)[plain.predict(X)])


def test_words_without_an_order_stand_in_the_alphabet_with_a_warning():
    with pytest.warns(UserWarning, match="alphabetical order") as caught:
        model = fit(y=np.array(WORDS)[Y])
    assert model.class_order_.tolist() == sorted(WORDS)
    assert caught[0].filename == __file__


def test_a_declared_class_without_rows_has_probability_zero():
    order = ["absent"] + WORDS[:2] + ["between"] + WORDS[2:] + ["beyond"]
    model, plain = fit(y=np.array(WORDS)[Y], class_order=order), fit()
    assert model.classes_.tolist() == sorted(WORDS)
    assert model.class_order_.tolist() == order
    assert model.thresholds_.shape == (4,)
    assert model.predict_proba(X).shape == (2000, 5)
    cumulative = model.predict_cumulative_proba(X)
    assert cumulative.shape == (2000, 8)
    probabilities = np.diff(cumulative, axis=1, prepend=0)
    for k in (0, 3, 7):
        assert (probabilities[:, k] == 0).all()
    seen = [order.index(word) for word in WORDS]
    np.testing.assert_allclose(probabilities[:, seen], plain.predict_proba(X), atol=1e-12)


def test_a_rare_top_class():
    y = np.searchsorted(np.sort(Z)[[600, 1200, -3]], Z)
    assert np.bincount(y)[-1] == 2
    model = fit(y=y)
    assert model.summary().largest_gradient < 1e-6
    assert np.isfinite(model.thresholds_).all()


@pytest.mark.parametrize("link", LINKS)
def test_answers_agree_with_each_other(link):
    model = fit(link, alpha=1)
    latent = model.predict_latent(X)
    np.testing.assert_allclose(latent, X @ model.coef_, rtol=1e-13)
    cumulative = model.predict_cumulative_proba(X)
    np.testing.assert_allclose(
        cumulative[:, :-1], LINKS[link].cdf(model.thresholds_ - latent[:, None]), rtol=1e-13
    )
    assert (cumulative[:, -1] == 1).all()
    assert (np.diff(cumulative, axis=1) >= 0).all()
    probabilities = model.predict_proba(X)
    np.testing.assert_allclose(np.cumsum(probabilities, axis=1), cumulative, atol=1e-13)
    np.testing.assert_array_equal(model.predict(X), probabilities.argmax(axis=1))
    assert not hasattr(model, "decision_function")


@pytest.mark.parametrize("link", LINKS)
@settings(max_examples=20)
@given(scale=st.floats(-300, 300).map(lambda e: 10.0**e), seed=st.integers(0, 100))
def test_rows_far_out_get_probabilities(link, scale, seed):
    model = _small(link)
    rows = np.random.default_rng(seed).normal(size=(20, 2)) * scale
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        probabilities = model.predict_proba(rows)
        cumulative = model.predict_cumulative_proba(rows)
    assert ((probabilities >= 0) & (probabilities <= 1)).all()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, rtol=1e-12)
    assert (np.diff(cumulative, axis=1) >= 0).all()


SMALL = {}


def _small(link):
    if link not in SMALL:
        SMALL[link] = fit(link, X=X[:200, [5, 9]], y=Y[:200])
    return SMALL[link]


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("alpha", [0, 1])
def test_heavy_tails_do_not_upset_the_search(link, alpha):
    rng = np.random.default_rng(0)
    heavy = rng.standard_cauchy(size=(1000, 2)) ** 3
    y = np.searchsorted([-1, 1], np.cbrt(heavy[:, 0]) + rng.logistic(size=1000))
    model = fit(link, X=heavy, y=y, alpha=alpha)
    gradient = _gradient(model, heavy, y, alpha)
    assert np.abs(gradient).max() < 1e-5


def _gradient(model, X, y, alpha):
    objective = Objective(sort_rows(X, y, None), LINKS[model.link], alpha)
    rows = objective.rows
    ends = model.thresholds_ - rows.centre @ model.coef_
    return objective.point(np.concatenate([model.coef_ * rows.scale, ends])).gradient
