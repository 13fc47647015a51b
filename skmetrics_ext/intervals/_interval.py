"""From a table and a metric to value, standard error, low and high."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.stats import beta, norm

from skmetrics_ext.intervals._bootstrap import replicates
from skmetrics_ext.intervals._gradient import Spread, gradient
from skmetrics_ext.intervals._scales import delta_limits, poisson_limits, wilson_limits
from skmetrics_ext.tables import BoundMetric

__all__ = ["Interval", "check_level", "hull", "intervals"]

_METHODS = ("auto", "wilson", "clopper-pearson", "delta", "bootstrap")

Limits = tuple[float, float]
_FEW_ROWS = 50
_NOTHING = (float("nan"), float("nan"))


@dataclass(frozen=True)
class Interval:
    """One value with its standard error and its limits.

    Attributes
    ----------
    value : float
    se : float
        By the delta method, at the table as counted.
    low, high : float
        NaN where the value is undefined.
    method : str
        How the limits were found.

    Examples
    --------
    >>> import numpy as np
    >>> from skmetrics_ext.intervals import Spread, intervals
    >>> from skmetrics_ext.tables import bind, get_metric
    >>> table = np.array([[850, 50], [20, 80]])
    >>> (found,) = intervals(bind(get_metric("accuracy")), table, Spread(table, table))
    >>> round(found.value, 3), round(found.low, 3), round(found.high, 3), found.method
    (0.93, 0.912, 0.944, 'Wilson')
    """

    value: float
    se: float
    low: float
    high: float
    method: str


def check_level(confidence_level: float) -> float:
    """The two-sided z of a confidence level between 0 and 1."""
    number = isinstance(confidence_level, (int, float, np.number))
    if not number or isinstance(confidence_level, bool) or not 0 < confidence_level < 1:
        raise ValueError(
            f"confidence_level must be a number between 0 and 1, both excluded; got "
            f"{confidence_level!r}."
        )
    return float(norm.ppf(0.5 + confidence_level / 2))


def intervals(
    bound: BoundMetric,
    n: np.ndarray,
    spread: Spread,
    *,
    confidence_level: float = 0.95,
    method: str = "auto",
    n_resamples: int = 9999,
    random_state: int | np.random.Generator | None = None,
) -> list[Interval]:
    """The interval of one metric at one table: a list of one, or of one per class.

    Parameters
    ----------
    bound : BoundMetric
    n : ndarray of shape (K, A)
        Rows per cell.
    spread : Spread
        Weights per cell, and what they vary by.
    confidence_level : float, default=0.95
    method : {"auto", "wilson", "clopper-pearson", "delta", "bootstrap"}, default="auto"
    n_resamples : int, default=9999
        For "bootstrap".
    random_state : int, Generator or None, default=None
        For "bootstrap".

    Returns
    -------
    list of Interval

    Raises
    ------
    ValueError
        Where the level is not between 0 and 1, the method is none of these, or is for
        proportions (of whole rows) and the metric or the table is not so.

    See Also
    --------
    skmetrics_ext.counts.ConfusionCounts.estimate : The same with labels.

    Examples
    --------
    >>> import numpy as np
    >>> from skmetrics_ext.intervals import Spread, intervals
    >>> from skmetrics_ext.tables import bind, get_metric
    >>> table = np.array([[850, 50], [20, 80]])
    >>> recall = bind(get_metric("recall"), average=None)
    >>> for found in intervals(recall, table, Spread(table, table)):
    ...     print(f"{found.value:.3f} [{found.low:.3f}, {found.high:.3f}] {found.method}")
    0.944 [0.928, 0.958] Wilson
    0.800 [0.711, 0.867] Wilson
    """
    z = check_level(confidence_level)
    if method not in _METHODS:
        raise ValueError(f"method must be one of {list(_METHODS)}; got {method!r}.")
    whole = isinstance(n_resamples, (int, np.integer)) and not isinstance(n_resamples, bool)
    if method == "bootstrap" and not (whole and n_resamples >= 2):
        raise ValueError(f"n_resamples must be a whole number, 2 or more; got {n_resamples!r}.")
    values = np.atleast_1d(bound(spread.w))
    slopes = gradient(bound, spread.w).reshape(len(values), *spread.w.shape)
    se = np.sqrt(spread.variance(slopes))
    se = np.where(np.isnan(values), np.nan, se)
    chosen, limits = _limits(bound, n, spread, values, se, z, method, n_resamples, random_state)
    return [
        Interval(float(v), float(s), low, high, chosen)
        for v, s, (low, high) in zip(values, se, limits, strict=True)
    ]


def _limits(
    bound: BoundMetric,
    n: np.ndarray,
    spread: Spread,
    values: np.ndarray,
    se: np.ndarray,
    z: float,
    method: str,
    n_resamples: int,
    random_state: int | np.random.Generator | None,
) -> tuple[str, list[Limits]]:
    if method == "bootstrap":
        rng = np.random.default_rng(random_state)
        return method, _bootstrap(bound, n, spread, z, n_resamples, rng)
    if method == "delta":
        return method, _delta(bound, values, se, z, spread.w.shape[0])
    through = bound.as_proportion(len(spread.w))
    if method == "auto" and bound.priors is not None and _has_logit_interval(bound, spread):
        return "logit", _delta(bound, values, se, z, len(spread.w))
    if method == "auto" and through is None:
        return "delta and score, smoothed", _smoothed(bound, spread, values, z)
    if through is None:
        raise ValueError(
            f"method={method!r} is for proportions, a count over a count, which "
            f"{bound.metric.name!r} is not{_with(bound)}; use 'auto', 'delta' or 'bootstrap'."
        )
    proportion, forward = through
    if method == "clopper-pearson":
        return method, _exact(proportion, forward, n, spread, z)
    return "Wilson", _wilson(proportion, forward, spread, z, cautious=method == "auto")


def _has_logit_interval(bound: BoundMetric, spread: Spread) -> bool:
    """Predictive values of two classes: Mercaldo et al. (2007), doi:10.1002/sim.2677.

    An empty cell leaves the logit without a variance of its own: then as for everything else.
    """
    two = bound.average == "binary" and spread.w.shape == (2, 2)
    return bound.metric.predictive and two and bool((spread.w > 0).all())


def _with(bound: BoundMetric) -> str:
    average = "" if bound.average in (None, "binary") else f" with average={bound.average!r}"
    return average + (" at other priors" if bound.priors is not None else "")


# ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Shares:
    """Numerators over denominators, and how many rows each share effectively rests on."""

    numerator: np.ndarray
    denominator: np.ndarray
    p: np.ndarray
    n_eff: np.ndarray
    n_kish: np.ndarray


def _shares(proportion: BoundMetric, spread: Spread) -> _Shares:
    """The effective number is p(1 - p) over the variance; where p is 0 or 1 it has none, and
    the denominator's cells tell: their sum squared over the sum of their squares. Kish's number
    is the latter, always by rows.
    """
    numerator, denominator = map(np.atleast_1d, _parts(proportion, spread.w))
    shape = (len(numerator), *spread.w.shape)
    p = np.atleast_1d(proportion(spread.w))
    variance = spread.variance(gradient(proportion, spread.w).reshape(shape))
    slopes = gradient(_denominator(proportion), spread.w).reshape(shape)
    inside = (p > 0) & (p < 1) & (variance > _no_variance(0.0, 0.0, 1.0))
    n_eff = np.where(
        inside,
        p * (1 - p) / np.where(inside, variance, 1.0),
        denominator**2 / _not_zero(spread.variance(slopes)),
    )
    kish = denominator**2 / _not_zero((spread.w2 * slopes**2).sum((-2, -1)))
    return _Shares(numerator, denominator, p, n_eff, kish)


def _parts(proportion: BoundMetric, tables: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    parts = proportion.parts(tables)
    assert parts is not None
    return parts


def _denominator(proportion: BoundMetric) -> BoundMetric:
    """The denominator as if it were a metric, for its derivatives."""
    parts, slopes = proportion.metric.parts, proportion.metric.slopes

    def value(tables: np.ndarray, **params: Any) -> np.ndarray:
        assert parts is not None
        return parts(tables, **params)[1]

    def its_slopes(table: np.ndarray, **params: Any) -> np.ndarray:
        assert slopes is not None
        return slopes(table, **params)[1]

    known = None if slopes is None else its_slopes
    metric = replace(proportion.metric, formula=value, parts=None, slopes=known)
    return replace(proportion, metric=metric)


def _not_zero(squares: np.ndarray) -> np.ndarray:
    return np.where(squares > 0, squares, 1.0)


def _wilson(
    proportion: BoundMetric,
    forward: Callable[[float], float],
    spread: Spread,
    z: float,
    cautious: bool,
) -> list[Limits]:
    """Wilson's interval; a cautious one does not trust the variance of few unequal rows.

    With few rows of unequal weight the estimated variance is often too small: 18 positives with
    gamma(2) weights were covered in 88 to 91 % instead of 95 %, and in 95 to 96 % with the
    smaller of the two numbers. From some 50 rows on the effective number is right by itself.
    """
    shares = _shares(proportion, spread)
    rows = shares.n_eff
    if cautious:
        rows = np.where(shares.n_kish < _FEW_ROWS, np.minimum(rows, shares.n_kish), rows)
    return [
        _mapped(forward, wilson_limits(float(p), float(k), z)) if p == p else _NOTHING
        for p, k in zip(shares.p, rows, strict=True)
    ]


def _exact(
    proportion: BoundMetric,
    forward: Callable[[float], float],
    n: np.ndarray,
    spread: Spread,
    z: float,
) -> list[Limits]:
    if not spread.counts_rows(n):
        raise ValueError(
            "method='clopper-pearson' needs plain counts of rows; with weights or clusters use "
            "'auto' (Wilson's interval with the effective number of rows)."
        )
    shares = _shares(proportion, spread)
    tail = norm.sf(z)
    limits = []
    for x, m, p in zip(shares.numerator, shares.denominator, shares.p, strict=True):
        low = float(beta.ppf(tail, x, m - x + 1)) if x > 0 else 0.0
        high = float(beta.isf(tail, x + 1, m - x)) if x < m else 1.0
        limits.append(_mapped(forward, (low, high)) if p == p else _NOTHING)
    return limits


def _mapped(forward: Callable[[float], float], limits: Limits) -> Limits:
    return forward(limits[0]), forward(limits[1])


def _smoothed(bound: BoundMetric, spread: Spread, values: np.ndarray, z: float) -> list[Limits]:
    """The hull of the delta interval and of Wilson's form, on the table with two more rows."""
    smooth = spread.smoothed()
    centres = np.atleast_1d(bound(smooth.w))
    slopes = gradient(bound, smooth.w).reshape(len(centres), *smooth.w.shape)
    variances = smooth.variance(slopes)
    low, high = bound.metric.range_of(spread.w.shape[0], bound.params)
    limits = []
    for value, centre, variance in zip(values, centres, variances, strict=True):
        if value != value:
            limits.append(_of_undefined(bound, spread, centre, variance, z))
        elif not variance > _no_variance(centre, low, high):
            limits.append((low, high))
        else:
            limits.append(hull(float(value), float(centre), float(variance), z, low, high))
    return limits


def hull(value: float, centre: float, variance: float, z: float, low: float, high: float) -> Limits:
    """Delta where the smoothed table is, Wilson's form around the raw value; both contained."""
    first = delta_limits(centre, float(np.sqrt(variance)), z, low, high)
    if np.isfinite(low) and np.isfinite(high):
        width = high - low
        q, share = (centre - low) / width, min(max((value - low) / width, 0.0), 1.0)
        second = wilson_limits(share, q * (1 - q) * width**2 / variance, z)
        second = (low + width * second[0], low + width * second[1])
    elif np.isfinite(low):
        second = poisson_limits(value - low, (centre - low) / variance, z)
        second = (low + second[0], low + second[1])
    elif np.isfinite(high):
        second = poisson_limits(high - value, (high - centre) / variance, z)
        second = (high - second[1], high - second[0])
    else:
        second = (value, value)
    # The value is inside by construction; named again, since rounding may leave it outside.
    return (
        float(np.nanmin([first[0], second[0], value])),
        float(np.nanmax([first[1], second[1], value])),
    )


def _no_variance(centre: float, low: float, high: float) -> float:
    """What rounding alone makes of a variance that is zero."""
    width = high - low if np.isfinite(low) and np.isfinite(high) else max(abs(centre), 1.0)
    return (1e-12 * width) ** 2


def _of_undefined(
    bound: BoundMetric, spread: Spread, centre: float, variance: float, z: float
) -> Limits:
    """NaN; but a positive likelihood ratio without false positives is bounded from below."""
    if bound.metric.name != "positive_likelihood_ratio" or bound.average != "binary":
        return _NOTHING
    false_positive, true_positive = bound.binary_tables(spread.w)[:, 1]
    if false_positive > 0 or not true_positive > 0 or not variance > 0:
        return _NOTHING
    return delta_limits(centre, float(np.sqrt(variance)), z, 0.0, np.inf)[0], float("inf")


# ---------------------------------------------------------------------------------------------


def _delta(
    bound: BoundMetric, values: np.ndarray, se: np.ndarray, z: float, n_classes: int
) -> list[Limits]:
    low, high = bound.metric.range_of(n_classes, bound.params)
    limits = [
        delta_limits(float(v), float(s), z, low, high) if s > 0 else _NOTHING
        for v, s in zip(values, se, strict=True)
    ]
    if any(v == v and pair[0] != pair[0] for v, pair in zip(values, limits, strict=True)):
        _warn_no_variance(bound, "delta")
    return limits


def _bootstrap(
    bound: BoundMetric,
    n: np.ndarray,
    spread: Spread,
    z: float,
    n_resamples: int,
    rng: np.random.Generator,
) -> list[Limits]:
    drawn = replicates(
        bound, n, spread.w, spread.w2, clusters=spread.clusters, n_resamples=n_resamples, rng=rng
    ).reshape(n_resamples, -1)
    tail = norm.sf(z)
    limits, flat = [], False
    for column in drawn.T:
        defined = column[~np.isnan(column)]
        pair = _NOTHING
        if len(defined):
            low, high = np.quantile(defined, [tail, 1 - tail])
            if low < high:
                pair = float(low), float(high)
            else:
                flat = True
        limits.append(pair)
    if flat:
        _warn_no_variance(bound, "bootstrap")
    return limits


def _warn_no_variance(bound: BoundMetric, method: str) -> None:
    warnings.warn(
        f"method={method!r} sees no variance in this table of {bound.metric.name} (all answers "
        "of a kind), and its limits are NaN; method='auto' gives an interval here.",
        UserWarning,
        stacklevel=5,
    )
