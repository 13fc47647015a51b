"""Cuts of a score into ordered classes: the best of all, against a Nelder-Mead search.

The search is the customary one: scipy's, over scikit-learn's kappa of the answers, from cuts
halfway between the ranks or from those that give each class its share of the rows.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.optimize import minimize
from sklearn.metrics import cohen_kappa_score

from benchmarks._harness import Case
from skmetrics_ext.ordinal import optimal_cuts

N_CLASSES = 5


def cases() -> Iterator[Case]:
    y, score = _rows(100_000)
    shares = np.cumsum(np.bincount(y, minlength=N_CLASSES))[:-1] / len(y)
    yield _case("from rounding", y, score, start=np.arange(N_CLASSES - 1) + 0.5)
    yield _case("from quantiles", y, score, start=np.quantile(score, shares))


def _rows(n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Rare high classes, and the cautious numbers that a regression predicts for them."""
    rng = np.random.default_rng(0)
    known = rng.normal(size=n_rows)
    y = np.digitize(known + rng.normal(size=n_rows), [0.0, 1.0, 2.0, 3.0])
    slope, intercept = np.polyfit(known, y, 1)
    return y, slope * known + intercept


def _case(name: str, y: np.ndarray, score: np.ndarray, start: np.ndarray) -> Case:
    def kappa(cuts: np.ndarray) -> float:
        answers = np.searchsorted(np.sort(cuts), score, side="right")
        return cohen_kappa_score(y, answers, weights="quadratic")

    def search() -> float:
        return -minimize(lambda cuts: -kappa(cuts), start, method="Nelder-Mead").fun

    def equal(ours: tuple[np.ndarray, float], peer: float) -> None:
        cuts, value = ours
        np.testing.assert_allclose(value, kappa(cuts), rtol=0, atol=1e-12)
        assert value >= peer - 1e-12

    return Case(
        name=f"cuts of highest quadratic kappa, {len(y)} rows, {N_CLASSES} classes",
        peer_name=f"Nelder-Mead over cohen_kappa_score, {name}",
        ours=lambda: optimal_cuts(y, score),
        peer=search,
        equal=equal,
        bar=15.0,
        direction="at_least",
        repeat=5,
    )
