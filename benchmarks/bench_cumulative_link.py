"""Cumulative link model: the exact optimum against skordinal's POM and mord's ordinal models.

All of validation and fit, on default settings but for the penalty, which is none as in POM. BLAS
is held to one thread for both. The log-likelihood is computed here from each one's coefficients:
POM's own ``loss_`` puts a floor under probabilities.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.special import expit
from sklearn.datasets import make_regression
from threadpoolctl import threadpool_limits

from benchmarks._harness import Case
from skmetrics_ext.ordinal import CumulativeLinkClassifier


def cases() -> Iterator[Case]:
    from mord import LogisticAT, LogisticIT
    from skordinal.classifiers import POM

    for n_rows, n_columns, repeat in ((2000, 10, 51), (100_000, 20, 11)):
        X, y = rows(n_rows, n_columns)
        yield _case("skordinal POM", POM(), X, y, repeat)
        # Other surrogates of the same thresholds, by the same author's solver.
        yield _case("mord LogisticIT", LogisticIT(alpha=0), X, y, min(repeat, 7))
        yield _case("mord LogisticAT", LogisticAT(alpha=0), X, y, min(repeat, 7))


def rows(n_rows: int, n_columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Five classes of unequal size."""
    X, z = make_regression(
        n_samples=n_rows, n_features=n_columns, n_informative=5, noise=60.0, random_state=0
    )
    return X, np.searchsorted(np.quantile(z, [0.10, 0.35, 0.60, 0.85]), z)


def log_likelihood(X: np.ndarray, y: np.ndarray, coef: np.ndarray, ends: np.ndarray) -> float:
    """Of proportional odds, differences being taken on the side where they are exact."""
    edges = np.concatenate([[-np.inf], ends, [np.inf]])
    latent = X @ coef
    low, high = edges[y] - latent, edges[y + 1] - latent
    upper = low + high > 0
    return float(
        np.log(np.where(upper, expit(-low) - expit(-high), expit(high) - expit(low))).sum()
    )


def _case(name: str, peer: Any, X: np.ndarray, y: np.ndarray, repeat: int) -> Case:
    ours = CumulativeLinkClassifier(alpha=0)

    def on_one_thread(model: Any) -> Callable[[], Any]:
        def fit() -> Any:
            with threadpool_limits(1, user_api="blas"):
                return model.fit(X, y)

        return fit

    def equal(ours: Any, peer: Any) -> None:
        theirs = peer.thresholds_ if hasattr(peer, "thresholds_") else peer.theta_
        best = log_likelihood(X, y, ours.coef_, ours.thresholds_)
        assert best >= log_likelihood(X, y, peer.coef_, theirs)
        assert ours.summary().largest_gradient < 1e-6

    return Case(
        name=f"fit, {len(X)} x {X.shape[1]}, 5 classes",
        peer_name=name,
        ours=on_one_thread(ours),
        peer=on_one_thread(peer),
        equal=equal,
        bar=0.9,
        direction="at_most",
        repeat=repeat,
    )
