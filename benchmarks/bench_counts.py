"""Counting labels: weighted kappa against scikit-learn's, all validation on.

Kappa is a small sum over the table, so what is timed is the way from labels to the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from sklearn.metrics import cohen_kappa_score

from benchmarks._harness import Case
from skmetrics_ext.metrics import weighted_kappa_score

WORDS = np.array(["lowest", "low", "medium", "high", "highest"])


def cases() -> Iterator[Case]:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, len(WORDS), 1_000_000)
    answer = np.where(rng.random(len(truth)) < 0.7, truth, rng.integers(0, len(WORDS), len(truth)))
    few = slice(0, 200_000)
    words = WORDS[truth[few]], WORDS[answer[few]]
    dtype = pd.CategoricalDtype(WORDS, ordered=True)
    yield _case("1e6 integers", (truth, answer), bar=15)
    yield _case("1e3 integers", (truth[:1000], answer[:1000]), bar=12, repeat=31)
    yield _case("2e5 numpy strings", words, bar=8, labels=WORDS)
    yield _case("2e5 pandas strings", tuple(map(pd.Series, words)), bar=30, labels=WORDS)
    as_categories = tuple(pd.Series(w).astype(dtype) for w in words)
    yield _case("2e5 ordered Categorical", as_categories, bar=100, labels=WORDS)


def _case(
    name: str, y: tuple[Any, ...], *, bar: float, repeat: int = 7, labels: Any = None
) -> Case:
    return Case(
        name=f"weighted_kappa_score, {name}",
        peer_name="cohen_kappa_score",
        ours=lambda: weighted_kappa_score(*y, labels=labels),
        peer=lambda: cohen_kappa_score(*y, labels=labels, weights="quadratic"),
        bar=bar,
        repeat=repeat,
    )
