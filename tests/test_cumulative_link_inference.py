"""Summary and the test of proportional odds."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.optimize import minimize
from scipy.special import expit
from scipy.stats import chi2, kstest, norm

from skmetrics_ext.ordinal import (
    CumulativeLinkClassifier,
    CumulativeLinkSummary,
    ProportionalOddsTest,
)
from skmetrics_ext.ordinal._links import LINKS

ORDER = ["low", "mid", "high"]


def sample(n=400, seed=0, twist=0.0):
    """Three classes; x1 widens the noise where ``twist`` is not 0, against proportional odds."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=n), rng.normal(size=n), rng.random(n) < 0.4])
    noise = rng.logistic(size=n) * np.exp(twist * X[:, 1])
    return X, np.searchsorted([-1, 1], X @ [1, -0.5, 0.3] + noise)


X, Y = sample()
FRAME = pd.DataFrame(X, columns=["age", "dose", "smokes"])


# ---------------------------------------------------------------------------------------------
# summary


def test_a_row_of_the_summary():
    model = CumulativeLinkClassifier(alpha=0, class_order=ORDER).fit(FRAME, np.array(ORDER)[Y])
    summary = model.summary(confidence_level=0.9)
    assert isinstance(summary, CumulativeLinkSummary)
    age = summary["age"]
    assert (age.kind, age.estimate) == ("coefficient", model.coef_[0])
    assert age.z == age.estimate / age.se
    assert age.p_value == pytest.approx(2 * norm.sf(abs(age.z)))
    assert age.low == pytest.approx(age.estimate - norm.ppf(0.95) * age.se)
    assert age.high == pytest.approx(age.estimate + norm.ppf(0.95) * age.se)
    cut = summary["low | mid"]
    assert (cut.kind, cut.estimate) == ("threshold", model.thresholds_[0])
    assert np.isnan(cut.z)
    assert np.isnan(cut.p_value)
    assert [row.name for row in summary.rows] == [*FRAME.columns, "low | mid", "mid | high"]
    assert summary.n_samples == summary.sum_of_weights == 400
    assert summary.aic == pytest.approx(2 * 5 - 2 * summary.log_likelihood)
    with pytest.raises(KeyError, match="no row 'weight'; there are"):
        summary["weight"]


def test_the_summary_needs_no_rows_and_changes_with_no_later_setting():
    model = CumulativeLinkClassifier("probit", alpha=0).fit(X, Y)
    model.set_params(link="cauchit", alpha=5)
    assert model.summary().link == "probit"
    fresh = CumulativeLinkClassifier("probit", alpha=0).fit(X, Y)
    np.testing.assert_array_equal(model.predict_proba(X), fresh.predict_proba(X))


def test_the_summary_as_text_html_and_frames():
    model = CumulativeLinkClassifier(alpha=0, class_order=["<b>", "mid", "high"])
    summary = model.fit(FRAME, np.array(["<b>", "mid", "high"])[Y]).summary()
    lines = repr(summary).splitlines()
    assert lines[0] == "P(y <= k) = F(threshold_k - x.coef), logit link, maximum likelihood"
    assert lines[1].startswith("400 rows; log-likelihood -4")
    assert lines[4].split() == ["estimate", "std.", "error", "z", "p", "95", "%", "limits"]
    assert lines[5].split()[:2] == ["age", f"{model.coef_[0]:.4f}"]
    assert len({len(line) for line in lines[4:]}) == 1
    html = summary._repr_html_()
    assert "&lt;b&gt; | mid" in html
    assert "<b>" not in html
    frame = summary.to_frame()
    assert frame["estimate"].tolist() == [row.estimate for row in summary.rows]
    assert isinstance(summary.to_frame("polars"), pl.DataFrame)
    weighted = CumulativeLinkClassifier(alpha=0).fit(X, Y, np.full(400, 2.5)).summary()
    assert "400 rows of weight 1000; log-likelihood" in repr(weighted)


def test_columns_that_the_rows_do_not_tell_have_no_standard_error():
    wide = np.column_stack([X, np.full(400, 7.0), X[:, 0] + X[:, 1]])
    summary = CumulativeLinkClassifier(alpha=0).fit(wide, Y).summary()
    plain = CumulativeLinkClassifier(alpha=0).fit(X, Y).summary()
    errors = {row.name: row.se for row in summary.rows}
    assert [np.isnan(errors[f"x{j}"]) for j in range(5)] == [True, True, False, True, True]
    assert errors["x2"] == pytest.approx(plain["x2"].se, rel=1e-6)
    assert errors["0 | 1"] == pytest.approx(plain["0 | 1"].se, rel=1e-6)
    assert "No standard error: the column is constant" in repr(summary)
    assert summary.n_parameters == plain.n_parameters == 5
    assert summary.aic == pytest.approx(plain.aic)


def test_no_summary_with_a_penalty():
    model = CumulativeLinkClassifier().fit(X, Y)
    with pytest.raises(ValueError, match=r"needs a model fitted with alpha=0: a penalty pulls"):
        model.summary()
    with pytest.raises(ValueError, match="confidence_level must be a number between 0 and 1"):
        CumulativeLinkClassifier(alpha=0).fit(X, Y).summary(confidence_level=95)


@pytest.mark.parametrize("link", LINKS)
def test_limits_hold_as_often_as_they_say(link):
    rng = np.random.default_rng(5)
    inside = []
    for _ in range(100):
        x = rng.normal(size=(200, 1))
        y = np.searchsorted([-1, 0.5], x[:, 0] + LINKS[link].quantile(rng.random(200)))
        row = CumulativeLinkClassifier(link, alpha=0).fit(x, y).summary()["x0"]
        inside.append(row.low <= 1 <= row.high)
    assert 0.90 <= np.mean(inside) <= 0.99


# ---------------------------------------------------------------------------------------------
# proportional odds

# Four cheeses, nine grades: McCullagh and Nelder (1989), Generalized Linear Models, p. 175.
CHEESE = np.array(
    [
        [0, 0, 1, 7, 8, 8, 19, 8, 1],
        [6, 9, 12, 11, 7, 6, 1, 0, 0],
        [1, 1, 6, 8, 23, 7, 5, 1, 0],
        [0, 0, 0, 1, 3, 7, 14, 16, 11],
    ]
)


def cheese():
    kind, taste = (index.ravel() for index in np.indices(CHEESE.shape))
    return (kind[:, None] == np.arange(3)).astype(float), taste, CHEESE.ravel()


def brute_force(X, y, w, coef, thresholds):
    """The score statistic from one outer product per row and class, written out."""
    cuts, p = len(thresholds), X.shape[1]
    U, information = np.zeros(cuts * (p + 1)), np.zeros((cuts * (p + 1),) * 2)
    for row, label, weight in zip(X, y, w, strict=True):
        F = np.r_[0, expit(thresholds - row @ coef), 1]
        f = F * (1 - F)
        for k, probability in enumerate(np.diff(F)):
            slopes = np.zeros(cuts + 2)
            slopes[k + 1], slopes[k] = f[k + 1] / probability, -f[k] / probability
            score = np.outer(slopes[1:-1], np.r_[1, -row]).ravel()
            information += weight * probability * np.outer(score, score)
            if k == label:
                U += weight * score
    return U @ np.linalg.solve(information, U)


def test_published_coefficients_and_our_own_arithmetic_on_the_cheeses():
    X, y, w = cheese()
    model = CumulativeLinkClassifier(alpha=0).fit(X, y, w)
    # SAS/STAT User's Guide, LOGISTIC, "Ordinal Logistic Regression": with the opposite sign, from
    # an iteration that stops earlier; and -2 log L.
    np.testing.assert_allclose(-model.coef_, [1.6128, 4.9645, 3.3227], atol=2e-4)
    assert -2 * model.summary().log_likelihood == pytest.approx(711.348, abs=6e-4)
    test = model.test_proportional_odds(X, y, w)
    expected = brute_force(X, y, w, model.coef_, model.thresholds_)
    assert test.overall.statistic == pytest.approx(expected, rel=1e-9)
    assert test.overall.df == 21
    assert test.overall.p_value == pytest.approx(chi2.sf(expected, 21))


def log_likelihood(free, X, y, common):
    """Three classes with coefficients of their own on each threshold, but for common columns."""
    p = X.shape[1]
    first, second = free[2 : 2 + p], free[2 + p :].copy()
    second[common] = first[common]
    low, high = expit(free[0] - X @ first), expit(free[1] - X @ second)
    with np.errstate(invalid="ignore", divide="ignore"):
        found = np.log(np.choose(y, [low, high - low, 1 - high])).sum()
    return found if np.isfinite(found) else -1e9


def test_a_likelihood_ratio_of_the_larger_model_is_near():
    X, y = sample(n=4000, seed=2, twist=0.1)
    model = CumulativeLinkClassifier(alpha=0).fit(X, y)
    test = model.test_proportional_odds(X, y)
    start = np.concatenate([model.thresholds_, model.coef_, model.coef_])
    for name, common in (("all", []), ("x0", [1, 2]), ("x1", [0, 2]), ("x2", [0, 1])):
        found = minimize(
            lambda v, common=common: -log_likelihood(v, X, y, common), start, method="BFGS"
        )
        ratio = 2 * (-found.fun - log_likelihood(start, X, y, []))
        assert test[name].statistic == pytest.approx(ratio, rel=0.1, abs=0.05)
        assert test[name].df == (3 if name == "all" else 1)


@pytest.mark.parametrize("link", LINKS)
def test_p_values_are_uniform_where_the_model_is_right(link):
    rng = np.random.default_rng(11)
    found = []
    for _ in range(60):
        x = np.column_stack([rng.normal(size=250), rng.random(250) < 0.4])
        latent = x @ [1, -0.7] + LINKS[link].quantile(rng.random(250))
        y = np.searchsorted([-1, 0.5, 2], latent)
        test = CumulativeLinkClassifier(link).fit(x, y).test_proportional_odds(x, y)
        found.append([test.overall.p_value, test["x0"].p_value])
    for p_values in np.transpose(found):
        assert kstest(p_values, "uniform").pvalue > 0.01


def test_a_column_that_widens_the_noise_is_found():
    X, y = sample(twist=0.6)
    test = CumulativeLinkClassifier().fit(X, y).test_proportional_odds(X, y)
    assert isinstance(test, ProportionalOddsTest)
    assert test["x1"].p_value < 1e-4
    assert test.overall.p_value < 1e-3
    assert test["x0"].p_value > 0.01


def test_penalty_units_and_repeated_rows_do_not_matter():
    w = np.random.default_rng(1).integers(0, 3, len(Y))
    plain = CumulativeLinkClassifier(alpha=0).fit(X, Y).test_proportional_odds(X, Y, w)
    other = CumulativeLinkClassifier(alpha=50).fit(X, Y)
    units, repeated = X * [1e4, 1e-4, 1] + [0, 0, 1e5], np.repeat(X, w, axis=0)
    for test in (
        other.test_proportional_odds(units, Y, w),
        other.test_proportional_odds(repeated, np.repeat(Y, w)),
    ):
        for name in ("all", "x0", "x1", "x2"):
            assert test[name].statistic == pytest.approx(plain[name].statistic, rel=1e-5)


def test_columns_that_say_nothing_new_are_not_tested():
    wide = np.column_stack([X, np.full(400, 7.0), X[:, 0] + X[:, 1]])
    plain = CumulativeLinkClassifier().fit(X, Y).test_proportional_odds(X, Y)
    test = CumulativeLinkClassifier().fit(wide, Y).test_proportional_odds(wide, Y)
    assert test.overall.statistic == pytest.approx(plain.overall.statistic, rel=1e-6)
    assert test.overall.df == 3
    assert test["x3"].df == 0
    assert np.isnan(test["x3"].statistic)
    assert "x3" in repr(test)


def test_a_column_with_heavy_tails_is_tested_too():
    rng = np.random.default_rng(0)
    root = rng.standard_cauchy((1000, 2))
    y = np.searchsorted([-1, 1], root[:, 0] + rng.logistic(size=1000))
    heavy = root * np.abs(root)
    test = CumulativeLinkClassifier().fit(heavy, y).test_proportional_odds(heavy, y)
    assert [row.df for row in (test.overall, *test.rows)] == [2, 1, 1]


def test_the_test_as_text_html_and_frames():
    model = CumulativeLinkClassifier("cloglog").fit(FRAME, Y)
    test = model.test_proportional_odds(FRAME, Y)
    lines = repr(test).splitlines()
    assert lines[0] == "Score test of parallel thresholds (cloglog link), 400 rows"
    assert lines[3].split() == ["chi-squared", "df", "p"]
    assert [line.split()[0] for line in lines[4:]] == ["all", "age", "dose", "smokes"]
    assert "<td>3</td>" in test._repr_html_()
    assert test.to_frame()["name"].tolist() == ["all", "age", "dose", "smokes"]
    assert isinstance(test.to_frame("polars"), pl.DataFrame)
    with pytest.raises(KeyError, match="no row 'weight'"):
        test["weight"]


def test_what_cannot_be_tested():
    model = CumulativeLinkClassifier().fit(X, Y)
    with pytest.raises(ValueError, match=r"three or more classes.*got \[0, 1\]"):
        model.test_proportional_odds(X[Y < 2], Y[Y < 2])
    with pytest.raises(ValueError, match="needs the maximum of the likelihood, but the classes"):
        model.test_proportional_odds(X, np.searchsorted([-1, 1], X[:, 0]))
    with pytest.raises(ValueError, match="does not name"):
        model.test_proportional_odds(X, Y + 1)
    with pytest.raises(ValueError, match="X has 2 features, but"):
        model.test_proportional_odds(X[:, :2], Y)
    model.set_params(max_iter=1)
    with pytest.raises(ValueError, match="did not converge in 1 steps"):
        model.test_proportional_odds(X, Y)
