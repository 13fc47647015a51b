"""Maps from distorted probabilities to probabilities at the class shares before resampling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from sklearn.isotonic import IsotonicRegression

from skmetrics_ext.decision._priors import correct_priors

__all__ = ["Correction", "Scored", "fit_isotonic", "fit_shift", "fit_sigmoid", "Formula"]

# The smallest probability that a logarithm is taken of: exact zeros of trees and neighbours
# stand for "less than one in so many rows", so half of the smallest one seen, within these ends.
_LOWEST_FLOOR, _HIGHEST_FLOOR = 1e-12, 0.02
# A class that no row has any chance of would need an infinite intercept.
_LARGEST_OFFSET = 30.0
_STEPS = 100


@dataclass(frozen=True)
class Scored:
    """Rows with probabilities from a model that did not learn from them.

    ``proba`` is (n, K), ``codes`` the true class of each row, ``weights`` its weight.
    """

    proba: np.ndarray
    codes: np.ndarray
    weights: np.ndarray

    @classmethod
    def joined(cls, parts: list[Scored]) -> Scored:
        """Several of them, one after the other."""
        return cls(
            np.concatenate([part.proba for part in parts]),
            np.concatenate([part.codes for part in parts]),
            np.concatenate([part.weights for part in parts]),
        )

    def pseudo_row(self) -> float:
        """The weight of a pseudo-row: one, or that of an average row where rows weigh less.

        A row of weight two is then the same as two rows, and weights that sum to one do not make
        a pseudo-row as heavy as all rows together.
        """
        return float(min(1.0, self.weights.sum() / np.count_nonzero(self.weights)))

    def total_log_loss(self, proba: np.ndarray) -> float:
        """Weighted sum of -log of the true class's probability, in nats."""
        true = proba[np.arange(len(proba)), self.codes]
        return float(-(self.weights * np.log(np.maximum(true, np.finfo(float).eps))).sum())


class Correction(Protocol):
    """Maps probabilities (n, K) to probabilities (n, K)."""

    def __call__(self, proba: np.ndarray) -> np.ndarray: ...


@dataclass(frozen=True, eq=False)
class Formula:
    """Bayes' formula: by the shares alone."""

    priors: np.ndarray
    priors_seen: np.ndarray

    def __call__(self, proba: np.ndarray) -> np.ndarray:
        return correct_priors(proba, self.priors, self.priors_seen)


@dataclass(frozen=True, eq=False)
class LogLinear:
    """p_k proportional to q_k ** slope * exp(offset_k): shift (slope 1) and sigmoid.

    ``offsets`` are (K,), the first is 0. ``errors`` are their standard errors, as if the rows
    were independent.
    """

    offsets: np.ndarray
    errors: np.ndarray
    slope: float
    floor: float

    def __call__(self, proba: np.ndarray) -> np.ndarray:
        return _softmax(self.slope * _logarithm(proba, self.floor) + self.offsets)


@dataclass(frozen=True, eq=False)
class Steps:
    """One rising curve per class (one for two classes), then rows are made to sum to 1.

    ``edges`` and ``values`` hold the curve of each class; between edges it is linear.
    """

    edges: tuple[np.ndarray, ...]
    values: tuple[np.ndarray, ...]

    def __call__(self, proba: np.ndarray) -> np.ndarray:
        if len(self.edges) == 1:
            p = np.interp(proba[:, 1], self.edges[0], self.values[0])
            return np.column_stack([1 - p, p])
        curves = zip(proba.T, self.edges, self.values, strict=True)
        p = np.column_stack([np.interp(*curve) for curve in curves])
        return p / p.sum(axis=1, keepdims=True)


def fit_shift(scored: Scored, priors: np.ndarray) -> LogLinear:
    """An intercept per class, so that the mean probability is the prior.

    These are the equations of maximum likelihood for the intercepts of a multinomial logistic
    regression that has log q as its offset: concave, so there is one answer.
    """
    floor = _floor(scored.proba)
    logs = _logarithm(scored.proba, floor)
    weights = scored.weights / scored.weights.sum()
    offsets, hessian = _newton(logs, weights, None, priors[1:])
    # Rows of unequal weight count for fewer: Kish's number.
    rows = 1 / np.square(weights).sum()
    errors = np.sqrt(np.clip(np.diag(np.linalg.pinv(hessian * rows)), 0, None))
    return LogLinear(np.r_[0.0, offsets], np.r_[0.0, errors], 1.0, floor)


def fit_sigmoid(scored: Scored, priors: np.ndarray) -> LogLinear:
    """The same with a slope that all classes share: for two classes Platt's line in log odds.

    The slope is drawn towards 1 by one pseudo-row, so that perfectly ranked rows do not send it
    to infinity; the intercepts are free, so the mean probability is the share of each class.
    """
    floor = _floor(scored.proba)
    logs = _logarithm(scored.proba, floor)
    weights = scored.weights / scored.weights.sum()
    pull = scored.pseudo_row() / scored.weights.sum()
    found, _ = _newton(logs, weights, scored.codes, _shares(scored, priors)[1:], pull)
    return LogLinear(np.r_[0.0, found[:-1]], np.zeros(len(priors)), float(found[-1]), floor)


def fit_isotonic(scored: Scored, priors: np.ndarray) -> Steps:
    """Isotonic regression, its blocks shrunk by one pseudo-row to the prevalence.

    An unshrunk block says 0 or 1 and one mistake there makes the log loss infinite. For more
    than two classes one class against the rest, and rows are divided by their sums.
    """
    weights = scored.weights / scored.pseudo_row()
    classes = [1] if len(priors) == 2 else range(len(priors))
    curves = [
        _shrunk_blocks(scored.proba[:, k], scored.codes == k, weights, priors[k]) for k in classes
    ]
    return Steps(tuple(edges for edges, _ in curves), tuple(values for _, values in curves))


def _shrunk_blocks(
    q: np.ndarray, is_class: np.ndarray, weights: np.ndarray, prior: float
) -> tuple[np.ndarray, np.ndarray]:
    fitted = _rising(q, is_class.astype(float), weights)
    levels, block = np.unique(fitted, return_inverse=True)
    mass = np.bincount(block, weights)
    shrunk = (np.bincount(block, weights * is_class) + prior) / (mass + 1)
    # A small block is drawn further than its larger neighbour and may have passed it.
    shrunk = _rising(np.arange(len(levels)), shrunk, mass + 1)
    low, high = np.full(len(levels), np.inf), np.full(len(levels), -np.inf)
    np.minimum.at(low, block, q)
    np.maximum.at(high, block, q)
    edges, values = np.column_stack([low, high]).ravel(), np.repeat(shrunk, 2)
    kept = np.r_[True, np.diff(edges) > 0]
    return edges[kept], values[kept]


def _rising(x: np.ndarray, y: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return IsotonicRegression().fit(x, y, weights).predict(x)


def _floor(proba: np.ndarray) -> float:
    if proba.min() > _LOWEST_FLOOR:
        return _LOWEST_FLOOR
    return float(np.clip(proba[proba > _LOWEST_FLOOR].min() / 2, _LOWEST_FLOOR, _HIGHEST_FLOOR))


def _logarithm(proba: np.ndarray, floor: float) -> np.ndarray:
    return np.log(np.maximum(proba, floor))


def _softmax(eta: np.ndarray) -> np.ndarray:
    p = np.exp(eta - eta.max(axis=1, keepdims=True))
    return p / p.sum(axis=1, keepdims=True)


def _shares(scored: Scored, priors: np.ndarray) -> np.ndarray:
    totals = np.bincount(scored.codes, scored.weights, minlength=len(priors))
    return totals / totals.sum()


def _newton(
    logs: np.ndarray,
    weights: np.ndarray,
    codes: np.ndarray | None,
    target: np.ndarray,
    pull: float = 0.0,
) -> tuple[np.ndarray, np.ndarray]:
    """Intercepts of classes 1 to K - 1 and, where ``codes`` are given, a slope at the end.

    Minimises the mean log loss, with ``target`` in place of the mean of the true classes, plus
    ``pull`` times half the squared distance of the slope from 1; answers its second derivative as
    well.
    """
    n, n_classes = logs.shape
    fits_slope = codes is not None
    reached = 0.0 if codes is None else float(weights @ logs[np.arange(n), codes])

    def evaluate(theta: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        slope = theta[-1] if fits_slope else 1.0
        offsets = np.r_[0.0, theta[: n_classes - 1]]
        eta = slope * logs + offsets
        top = eta.max(axis=1, keepdims=True)
        p = np.exp(eta - top)
        total = p.sum(axis=1, keepdims=True)
        p /= total
        loss = weights @ (top + np.log(total))[:, 0] - target @ offsets[1:] - slope * reached
        mean = weights @ p[:, 1:]
        gradient = mean - target
        hessian = np.diag(mean) - (p[:, 1:] * weights[:, None]).T @ p[:, 1:]
        if fits_slope:
            expected = (p * logs).sum(axis=1)
            loss += pull * (slope - 1) ** 2 / 2
            gradient = np.r_[gradient, weights @ expected - reached + pull * (slope - 1)]
            cross = (p[:, 1:] * (logs[:, 1:] - expected[:, None])).T @ weights
            spread = weights @ ((p * logs**2).sum(axis=1) - expected**2) + pull
            hessian = np.block([[hessian, cross[:, None]], [cross[None, :], spread]])
        return float(loss), gradient, hessian

    theta = np.zeros(n_classes - 1 + fits_slope)
    if fits_slope:
        theta[-1] = 1.0
    loss, gradient, hessian = evaluate(theta)
    for _ in range(_STEPS):
        if np.abs(gradient).max() < 1e-10:
            break
        step = np.linalg.solve(hessian + 1e-12 * np.eye(len(theta)), gradient)
        # Far from the answer the curve is flat and Newton would leap.
        step *= min(1.0, 5.0 / np.abs(step).max())
        for _ in range(30):
            trial = theta - step
            trial[: n_classes - 1] = np.clip(
                trial[: n_classes - 1], -_LARGEST_OFFSET, _LARGEST_OFFSET
            )
            new = evaluate(trial)
            if new[0] <= loss:
                break
            step = step / 2
        else:
            break
        if np.array_equal(trial, theta):
            break
        theta, (loss, gradient, hessian) = trial, new
    return theta, hessian
