"""The links of a cumulative model: distribution functions F in P(y <= k) = F(threshold - latent).

All that the model needs of a link stands here, on a log scale: the probability of an interval is
a difference of two values of F, and far out in a tail both round to the same number. A new link
is a subclass and a line in `LINKS`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import erfcx, expit, log_ndtr, ndtr, ndtri

__all__ = ["LINKS", "IntervalTerms", "Link", "get_link"]

Array = NDArray[np.float64]

# Where exp() is still finite, with room to multiply.
_LARGEST_EXPONENT = 700.0
# Where exp(x) is no longer seen beside 1.
_NO_LONGER_SEEN = -37.0
# Where a square is still finite.
_LARGEST_ROOT = 1e150
_ROOT_2 = np.sqrt(2)
_ROOT_2_OVER_PI = np.sqrt(2 / np.pi)


class IntervalTerms(NamedTuple):
    """A row's log-probability and its derivatives in the two ends of its interval.

    Attributes
    ----------
    log_p : ndarray of shape (n,)
    up : ndarray of shape (n,) or 0.0
        The slope in the upper end, never negative; 0.0 where that end is infinite.
    low : ndarray of shape (n,) or 0.0
        Minus the slope in the lower end, likewise.
    up_up, low_low : ndarray of shape (n,) or 0.0
        Minus the second derivatives.
    up_low : ndarray of shape (n,) or 0.0
        The mixed second derivative.
    """

    log_p: Array
    up: Array | float
    low: Array | float
    up_up: Array | float
    low_low: Array | float
    up_low: Array | float


class Link(ABC):
    """A distribution function F with a density f, known by their logarithms.

    Ends of an interval are scalars, of which one may be infinite; ``gap`` is what lies between
    them, passed apart since it is lost in the difference once the latent value is large.
    """

    name: str
    # Of the normal distribution that is most like it: where the search for an optimum starts.
    mean = 0.0
    spread = 1.0

    @abstractmethod
    def cdf(self, x: Array) -> Array:
        """F(x)."""

    @abstractmethod
    def quantile(self, share: Array) -> Array:
        """The x with F(x) = share."""

    @abstractmethod
    def slope(self, x: Array) -> Array:
        """The derivative of log f."""

    @abstractmethod
    def below(self, x: Array) -> tuple[Array, Array]:
        """log F(x), and its derivative f(x) / F(x)."""

    @abstractmethod
    def above(self, x: Array) -> tuple[Array, Array]:
        """log(1 - F(x)), and minus its derivative, f(x) / (1 - F(x))."""

    @abstractmethod
    def between(self, low: Array, high: Array, gap: float) -> tuple[Array, Array, Array]:
        """log p of p = F(high) - F(low), f(high) / p and f(low) / p."""

    def log_probability(self, latent: Array, low: float, high: float) -> Array:
        """log(F(high - latent) - F(low - latent))."""
        if low == -np.inf:
            return self.below(high - latent)[0]
        if high == np.inf:
            return self.above(low - latent)[0]
        return self.between(low - latent, high - latent, high - low)[0]

    def terms(self, latent: Array, low: float, high: float) -> IntervalTerms:
        """The log-probability of the interval, with its derivatives in both ends."""
        if low == -np.inf:
            x = high - latent
            log_p, up = self.below(x)
            return IntervalTerms(log_p, up, 0.0, up * (up - self.slope(x)), 0.0, 0.0)
        if high == np.inf:
            x = low - latent
            log_p, down = self.above(x)
            return IntervalTerms(log_p, 0.0, down, 0.0, down * (down + self.slope(x)), 0.0)
        x, z = low - latent, high - latent
        log_p, up, down = self.between(x, z, high - low)
        up_up, low_low = up * (up - self.slope(z)), down * (down + self.slope(x))
        return IntervalTerms(log_p, up, down, up_up, low_low, up * down)


class _Logit(Link):
    """Logistic: F(x) = 1 / (1 + exp(-x)); differences of latent values are log odds ratios.

    F(u) - F(l) = F(u) (1 - F(l)) (1 - exp(l - u)): a product, so that nothing cancels.
    """

    name = "logit"
    spread = 1.75

    def cdf(self, x: Array) -> Array:
        return expit(x)

    def quantile(self, share: Array) -> Array:
        return np.log(share) - np.log1p(-share)

    def slope(self, x: Array) -> Array:
        return -np.tanh(x / 2)

    def below(self, x: Array) -> tuple[Array, Array]:
        # One exponential for both, in a third of the time of scipy's functions.
        e = np.exp(-np.abs(x))
        return np.minimum(x, 0) - np.log1p(e), np.where(x > 0, e, 1) / (1 + e)

    def above(self, x: Array) -> tuple[Array, Array]:
        return self.below(-x)

    def between(self, low: Array, high: Array, gap: float) -> tuple[Array, Array, Array]:
        log_f, up = self.below(high)
        log_s, down = self.above(low)
        whole = -np.expm1(-gap)
        apart = np.exp(-gap) / whole
        return log_f + log_s + np.log(whole), up + apart, down + apart

    def terms(self, latent: Array, low: float, high: float) -> IntervalTerms:
        # The product again: curvatures are those of its factors, without a difference.
        if low == -np.inf:
            log_p, up = self.below(high - latent)
            return IntervalTerms(log_p, up, 0.0, up * (1 - up), 0.0, 0.0)
        if high == np.inf:
            log_p, down = self.above(low - latent)
            return IntervalTerms(log_p, 0.0, down, 0.0, down * (1 - down), 0.0)
        away = np.empty((2, len(latent)))
        np.subtract(high, latent, out=away[0])
        np.subtract(latent, low, out=away[1])
        log_p, (up, down) = self.below(away)
        whole = -np.expm1(low - high)
        apart = np.exp(low - high) / whole
        bend = np.full(len(latent), apart * (1 + apart))
        return IntervalTerms(
            log_p[0] + log_p[1] + np.log(whole),
            up + apart,
            down + apart,
            up * (1 - up) + bend,
            down * (1 - down) + bend,
            bend,
        )


class _Probit(Link):
    """Normal: F(x) = Phi(x)."""

    name = "probit"

    def cdf(self, x: Array) -> Array:
        return ndtr(x)

    def quantile(self, share: Array) -> Array:
        return ndtri(share)

    def slope(self, x: Array) -> Array:
        return -x

    def below(self, x: Array) -> tuple[Array, Array]:
        return log_ndtr(x), _ROOT_2_OVER_PI / erfcx(-x / _ROOT_2)

    def above(self, x: Array) -> tuple[Array, Array]:
        return self.below(-x)

    def between(self, low: Array, high: Array, gap: float) -> tuple[Array, Array, Array]:
        # In the lower tail, where the values of F can be told apart; a is the further end.
        flip = low + high > 0
        a, b = np.where(flip, -high, low), np.where(flip, -low, high)
        log_b, ratio_b = self.below(b)
        # The densities' log ratio, -(a**2 - b**2) / 2, in factors.
        fall = 0.5 * gap * (a + b)
        with np.errstate(divide="ignore"):  # so far apart that the further end does not count
            apart = -np.log(erfcx(-a / _ROOT_2) / erfcx(-b / _ROOT_2)) - fall
        whole = _log_one_minus_exp(apart)
        at_b = ratio_b * np.exp(-whole)
        at_a = at_b * np.exp(fall)
        return log_b + whole, np.where(flip, at_a, at_b), np.where(flip, at_b, at_a)


class _CLogLog(Link):
    """Smallest extreme value: F(x) = 1 - exp(-exp(x)), proportional hazards in groups of time.

    With z = log(exp(u) - exp(l)), F(u) - F(l) = exp(-exp(l)) F(z).
    """

    name = "cloglog"
    mean, spread = -np.euler_gamma, np.pi / np.sqrt(6)

    def cdf(self, x: Array) -> Array:
        return -np.expm1(-_exp(x))

    def quantile(self, share: Array) -> Array:
        return np.log(-np.log1p(-share))

    def slope(self, x: Array) -> Array:
        return 1 - _exp(x)

    def below(self, x: Array) -> tuple[Array, Array]:
        log_p = _log_cloglog(x)
        return log_p, np.exp(x - _exp(x) - log_p)

    def above(self, x: Array) -> tuple[Array, Array]:
        hazard = _exp(x)
        return -hazard, hazard

    def between(self, low: Array, high: Array, gap: float) -> tuple[Array, Array, Array]:
        z = high + np.log(-np.expm1(-gap))
        log_f = _log_cloglog(z)
        up, down = np.exp(high - _exp(z) - log_f), _exp(low - log_f)
        return -_exp(low) + log_f, up, down


class _LogLog(Link):
    """Largest extreme value: F(x) = exp(-exp(-x)), the complementary log-log seen in a mirror."""

    name = "loglog"
    mean, spread = np.euler_gamma, np.pi / np.sqrt(6)
    _mirrored = _CLogLog()

    def cdf(self, x: Array) -> Array:
        return np.exp(-_exp(-x))

    def quantile(self, share: Array) -> Array:
        return -np.log(-np.log(share))

    def slope(self, x: Array) -> Array:
        return -self._mirrored.slope(-x)

    def below(self, x: Array) -> tuple[Array, Array]:
        return self._mirrored.above(-x)

    def above(self, x: Array) -> tuple[Array, Array]:
        return self._mirrored.below(-x)

    def between(self, low: Array, high: Array, gap: float) -> tuple[Array, Array, Array]:
        log_p, down, up = self._mirrored.between(-high, -low, gap)
        return log_p, up, down


class _Cauchit(Link):
    """Cauchy: F(x) = 1/2 + arctan(x) / pi; a few rows far off their class weigh little."""

    name = "cauchit"
    spread = 1.6

    def cdf(self, x: Array) -> Array:
        return np.arctan2(1, -x) / np.pi

    def quantile(self, share: Array) -> Array:
        return np.tan(np.pi * (share - 0.5))

    def slope(self, x: Array) -> Array:
        x = _squarable(x)
        return -2 * x / (1 + x**2)

    def below(self, x: Array) -> tuple[Array, Array]:
        angle = np.arctan2(1, -x)
        return np.log(angle / np.pi), 1 / (angle * (1 + _squarable(x) ** 2))

    def above(self, x: Array) -> tuple[Array, Array]:
        return self.below(-x)

    def between(self, low: Array, high: Array, gap: float) -> tuple[Array, Array, Array]:
        # The difference of two angles, from the tangents alone.
        low, high = _squarable(low), _squarable(high)
        angle = np.arctan2(gap, 1 + low * high)
        up, down = 1 / (angle * (1 + high**2)), 1 / (angle * (1 + low**2))
        return np.log(angle / np.pi), up, down


LINKS: dict[str, Link] = {
    link.name: link for link in (_Logit(), _Probit(), _CLogLog(), _LogLog(), _Cauchit())
}


def get_link(name: str) -> Link:
    """The link of that name; a wrong one is answered with the list of all.

    Raises
    ------
    ValueError
    """
    if not isinstance(name, str) or name not in LINKS:
        raise ValueError(f"link must be one of {list(LINKS)}; got {name!r}.")
    return LINKS[name]


# ---------------------------------------------------------------------------------------------


def _exp(x: Array) -> Array:
    return np.exp(np.minimum(x, _LARGEST_EXPONENT))


def _squarable(x: Array) -> Array:
    return np.clip(x, -_LARGEST_ROOT, _LARGEST_ROOT)


def _log_cloglog(x: Array) -> Array:
    """log(1 - exp(-exp(x))), which is x where exp(x) is small."""
    return np.where(x < _NO_LONGER_SEEN, x, _log_one_minus_exp(_exp(np.maximum(x, -100))))


def _log_one_minus_exp(x: Array) -> Array:
    """log(1 - exp(-x)) for x > 0 (Maechler 2012)."""
    with np.errstate(divide="ignore"):
        return np.where(x < np.log(2), np.log(-np.expm1(-x)), np.log1p(-np.exp(-x)))
