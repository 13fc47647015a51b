"""Resampling that leaks: how often it is found, how fast, and what an honest split gives back.

Tables of seeds that neither the tests nor the choice of the detector's limits saw. Time is the
processor's, since one core is what is asked for.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from imblearn.over_sampling import (
    ADASYN,
    SMOTE,
    SVMSMOTE,
    BorderlineSMOTE,
    RandomOverSampler,
)
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import average_precision_score
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

from benchmarks._harness import markdown_table
from skmetrics_ext.imbalance import find_resampling_leakage, safe_splits

SAMPLERS: dict[str, Callable[..., Any]] = {
    "SMOTE": SMOTE,
    "SMOTE, 15 neighbours": lambda **settings: SMOTE(k_neighbors=15, **settings),
    "BorderlineSMOTE": BorderlineSMOTE,
    "ADASYN": ADASYN,
    "SVMSMOTE": SVMSMOTE,
    "RandomOverSampler": RandomOverSampler,
}
COLUMNS = (3, 10, 30)
SEEDS = range(1000, 1010)
LEAST_FOUND = 0.95
MOST_SECONDS = 2.0


def report() -> tuple[str, bool]:
    """Detection, speed and the split, each against its bar."""
    parts = [_detection(), _speed(), _split()]
    return "\n\n".join(text for text, _ in parts), all(ok for _, ok in parts)


def _rare(n: int, d: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    return make_classification(
        n,
        d,
        n_informative=min(d, 5),
        n_redundant=0,
        n_clusters_per_class=2,
        weights=[0.93],
        random_state=seed,
    )


def _detection() -> tuple[str, bool]:
    rows, ok = [], True
    for name, sampler in SAMPLERS.items():
        for d in COLUMNS:
            found = {"float64": 0, "float64, scaled": 0, "float32": 0, "float32, scaled": 0}
            for seed in SEEDS:
                X, y = _rare(1000, d, seed)
                for dtype in ("float64", "float32"):
                    made, labels = sampler(random_state=seed).fit_resample(X.astype(dtype), y)
                    found[dtype] += _is_found(made, labels)
                    scaled = StandardScaler().fit_transform(made)
                    found[f"{dtype}, scaled"] += _is_found(scaled, labels)
            ok &= all(n >= LEAST_FOUND * len(SEEDS) for n in found.values())
            rows.append((name, str(d), *(f"{n}/{len(SEEDS)}" for n in found.values())))
    return markdown_table(("tables found", "columns", *found), rows), ok


def _is_found(X: np.ndarray, y: np.ndarray) -> bool:
    found = find_resampling_leakage(X, y, random_state=0)
    return [f.evidence["class"] for f in found] == [1]


def _speed() -> tuple[str, bool]:
    rows, ok = [], True
    for d in COLUMNS:
        for dtype in ("float64", "float32"):
            X, y = SMOTE(random_state=0).fit_resample(*_rare(5400, d, 1))
            start = time.process_time()
            find_resampling_leakage(X.astype(dtype), y, random_state=0)
            seconds = time.process_time() - start
            ok &= seconds <= MOST_SECONDS
            rows.append((f"{int(sum(y == 1))} minority rows, {dtype}", str(d), f"{seconds:.2f}"))
    return markdown_table((f"speed, at most {MOST_SECONDS:g} s", "columns", "seconds"), rows), ok


def _split() -> tuple[str, bool]:
    """The data of class_weight_distortion (published numbers), oversampled before the split."""
    X, y = make_classification(
        n_samples=5000,
        n_features=10,
        n_informative=5,
        weights=[0.966],
        flip_y=0.01,
        random_state=0,
    )
    many, labels = RandomOverSampler(random_state=0).fit_resample(X, y)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    safe = safe_splits(many, labels, random_state=0)
    once = np.ones(len(labels))
    before = _average_precision(many, labels, folds, once)
    mended = _average_precision(many, labels, safe, safe.sample_weight)
    honest = _average_precision(X, y, folds, once)
    rows = [
        ("oversampled before the split", f"{before:.3f}"),
        ("the same table, safe_splits", f"{mended:.3f}"),
        ("never oversampled", f"{honest:.3f}"),
    ]
    table = markdown_table(("forest of 100 trees, 5 folds", "average precision"), rows)
    return table, before > 0.99 and abs(mended - honest) < 0.02


def _average_precision(X: np.ndarray, y: np.ndarray, cv: Any, weight: np.ndarray) -> float:
    values = []
    for train, test in cv.split(X, y):
        forest = RandomForestClassifier(100, random_state=0).fit(X[train], y[train])
        proba = forest.predict_proba(X[test])[:, 1]
        values.append(average_precision_score(y[test], proba, sample_weight=weight[test]))
    return float(np.mean(values))
