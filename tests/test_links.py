"""Links of the cumulative model: every one that is registered, by the same tests."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from skmetrics_ext.ordinal._links import LINKS, get_link

# scipy's name for each distribution: an independent F.
DISTRIBUTIONS = {
    "logit": stats.logistic,
    "probit": stats.norm,
    "cloglog": stats.gumbel_l,
    "loglog": stats.gumbel_r,
    "cauchit": stats.cauchy,
}
LOG_CONCAVE = set(LINKS) - {"cauchit"}
ENDS = [(-np.inf, -1.0), (-1.0, 0.5), (0.5, 0.5001), (-3.0, 4.0), (-60.0, 60.0), (2.0, np.inf)]
X = np.linspace(-6, 6, 25)

every_link = pytest.mark.parametrize("link", LINKS.values(), ids=LINKS)
each_interval = pytest.mark.parametrize(("low", "high"), ENDS)


def test_each_link_has_a_distribution_to_be_held_against():
    assert set(DISTRIBUTIONS) == set(LINKS)
    assert all(link.name == name for name, link in LINKS.items())


@pytest.mark.parametrize("name", ["logistic", None, 3, ["logit"]])
def test_a_wrong_name_is_answered_with_the_list(name):
    with pytest.raises(ValueError, match=r"link must be one of \['logit', .*'cauchit'\]; got"):
        get_link(name)


@every_link
def test_distribution_function_and_quantiles(link):
    peer = DISTRIBUTIONS[link.name]
    np.testing.assert_allclose(link.cdf(X), peer.cdf(X), rtol=1e-12)
    shares = np.array([1e-6, 0.1, 0.5, 0.9, 1 - 1e-6])
    np.testing.assert_allclose(link.quantile(shares), peer.ppf(shares), rtol=1e-8, atol=1e-12)


@every_link
def test_tails_and_slope_of_the_density(link):
    peer = DISTRIBUTIONS[link.name]
    log_f, ratio = link.below(X)
    # scipy 1.11 takes some logarithms of 1 less a number that is lost in rounding.
    np.testing.assert_allclose(log_f, peer.logcdf(X), rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(ratio, np.exp(peer.logpdf(X) - peer.logcdf(X)), rtol=1e-9)
    log_s, ratio = link.above(X)
    np.testing.assert_allclose(log_s, peer.logsf(X), rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(ratio, np.exp(peer.logpdf(X) - peer.logsf(X)), rtol=1e-9)
    h = 1e-5
    slope = (peer.logpdf(X + h) - peer.logpdf(X - h)) / (2 * h)
    np.testing.assert_allclose(link.slope(X), slope, rtol=1e-6, atol=1e-6)


@every_link
@each_interval
def test_probability_of_an_interval(link, low, high):
    peer = DISTRIBUTIONS[link.name]
    # On the side where the two values of F are small, scipy's difference is exact enough.
    left = peer.cdf(high - X) - peer.cdf(low - X)
    right = peer.sf(low - X) - peer.sf(high - X)
    expected = np.where(peer.cdf(high - X) < 0.5, left, right)
    np.testing.assert_allclose(
        np.exp(link.log_probability(X, low, high)), expected, rtol=1e-8, atol=1e-300
    )


@every_link
@each_interval
def test_terms_are_the_derivatives(link, low, high):
    h = 1e-5 if high - low > 0.01 else 1e-8
    got = link.terms(X, low, high)
    np.testing.assert_array_equal(got.log_p, link.log_probability(X, low, high))
    # A wide step next to an infinite end is one in the other end alone.
    for side, name, curved in ((1, "up", "up_up"), (0, "low", "low_low")):
        if np.isinf((low, high)[side]):
            assert getattr(got, name) == 0
            assert getattr(got, curved) == 0
            assert got.up_low == 0
            continue
        ends = [(low, high), (low, high)]
        ends[0] = (low, high - h) if side else (low - h, high)
        ends[1] = (low, high + h) if side else (low + h, high)
        before, after = (link.terms(X, *pair) for pair in ends)
        sign = 1 if side else -1
        slope = sign * (after.log_p - before.log_p) / (2 * h)
        np.testing.assert_allclose(getattr(got, name), slope, rtol=2e-4, atol=1e-5)
        bend = -sign * (getattr(after, name) - getattr(before, name)) / (2 * h)
        np.testing.assert_allclose(getattr(got, curved), bend, rtol=2e-4, atol=1e-4)
        if np.isfinite(low) and np.isfinite(high):
            other = "low" if side else "up"
            mixed = -sign * (getattr(after, other) - getattr(before, other)) / (2 * h)
            np.testing.assert_allclose(got.up_low, mixed, rtol=2e-4, atol=1e-4)


@every_link
@each_interval
def test_terms_are_one_number_per_row_or_nothing(link, low, high):
    # A scalar that stands for all rows would be added up as if it were one of them.
    assert all(np.ndim(term) == 1 or term == 0 for term in link.terms(X, low, high))


@pytest.mark.parametrize("name", sorted(LOG_CONCAVE))
@each_interval
def test_a_log_concave_density_gives_a_concave_likelihood(name, low, high):
    terms = LINKS[name].terms(np.linspace(-30, 30, 200), low, high)
    along_latent = terms.up_up + terms.low_low - 2 * terms.up_low
    assert (along_latent >= -1e-9 * (1 + np.abs(terms.up_up) + np.abs(terms.low_low))).all()


@every_link
@pytest.mark.parametrize("far", [30.0, 1e3, 1e8, 1e200])
def test_far_out_nothing_is_nan(link, far):
    latent = np.array([-far, far])
    with np.errstate(all="raise", under="ignore"):
        for low, high in ENDS:
            log_p = link.log_probability(latent, low, high)
            assert not np.isnan(log_p).any()
            assert (log_p <= 0).all()
        total = sum(np.exp(link.log_probability(latent, *pair)) for pair in pairwise(_edges()))
    np.testing.assert_allclose(total, 1, rtol=1e-12)


def _edges():
    return [-np.inf, -1.0, 0.5, 4.0, np.inf]


# log(F(high) - F(low)) from 500 digits of mpmath 1.3.0: in both tails, and between neighbours
# that differ in the ninth digit.
DEEP = [(-500.0, -499.0), (-30.0, -29.0), (29.0, 30.0), (8.0, 8.5), (0.5, 0.5 + 2.0**-30)]
LOGARITHMS = {
    "logit": [
        -499.45867514538708,
        -29.45867514538743,
        -29.45867514538743,
        -8.9332909836122138,
        -22.242569385272622,
    ],
    "probit": [
        -124507.63154864496,
        -424.78741990973031,
        -424.78741990973031,
        -35.028792508579748,
        -21.838353950235863,
    ],
    "cloglog": [
        -499.45867514538708,
        -29.458675145387256,
        -3931334297144.0421,
        -2980.9579870417283,
        -21.943136687800572,
    ],
    "loglog": [
        -5.1635272073628716e216,
        -3931334297144.0421,
        -29.458675145387256,
        -8.9330215943397083,
        -21.900946076694216,
    ],
    "cauchit": [
        -13.571948088036465,
        -7.9143723020838279,
        -7.9143723020838279,
        -6.0720010739339732,
        -22.162288854334498,
    ],
}


@every_link
def test_nothing_is_lost_where_two_values_of_the_distribution_round_to_one(link):
    found = [float(link.log_probability(np.zeros(1), *ends)[0]) for ends in DEEP]
    # The normal's neighbours share digits that no tail takes away.
    rtol = 1e-7 if link.name == "probit" else 1e-13
    np.testing.assert_allclose(found, LOGARITHMS[link.name], rtol=rtol)


@every_link
@given(
    latent=st.floats(-1e6, 1e6),
    ends=st.lists(st.floats(-50, 50), min_size=1, max_size=19, unique=True),
)
def test_probabilities_are_probabilities(link, latent, ends):
    edges = [-np.inf, *sorted(ends), np.inf]
    if any(high - low < 1e-12 for low, high in pairwise(edges)):
        return
    found = [link.log_probability(np.array([latent]), *pair)[0] for pair in pairwise(edges)]
    assert not np.isnan(found).any()
    assert max(found) <= 1e-15
    np.testing.assert_allclose(np.exp(found).sum(), 1, rtol=1e-9)
