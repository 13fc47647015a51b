"""Corrections of resampled and weighted classifiers: what "auto" loses against the best one."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from imblearn.over_sampling import SMOTE, RandomOverSampler
from imblearn.under_sampling import RandomUnderSampler
from sklearn.datasets import make_classification
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold

from skmetrics_ext.imbalance import ResampledClassifier
from skmetrics_ext.imbalance._choosing import FITTED, Fold, fit_correction
from skmetrics_ext.imbalance._corrections import Formula, Scored

N_TRAIN, N_TEST, N_SEEDS = 5000, 10_000, 5
SINGLE = ("none", "prior", "shift", "sigmoid", "isotonic")
# Of log loss against the best single correction, and of mean probability against prevalence.
MEAN_REGRET, LARGEST_REGRET, MEAN_PROBABILITY = 0.003, 0.02, 0.005


def informative(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """One in 25, of scikit-learn's generator: clusters on the corners of a cube, 1 % noise.

    The clusters are the same for all seeds; a seed picks rows.
    """
    X, y = _cube()
    rows = np.random.default_rng(seed).permutation(len(y))[:n]
    return X[rows], y[rows]


@cache
def _cube() -> tuple[np.ndarray, np.ndarray]:
    return make_classification(
        n_samples=100_000,
        n_features=10,
        n_informative=5,
        weights=[0.966],
        flip_y=0.01,
        random_state=0,
    )


def linear(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """One in 20, logistic in eight columns: the log odds are those of logistic regression."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 8))
    eta = -4 + X @ np.array([1.0, -0.8, 0.6, 0.4, -0.3, 0.2, 0, 0])
    return X, (rng.random(n) < 1 / (1 + np.exp(-eta))).astype(int)


def curved(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """One in 12, by squares and products: logistic regression is wrong about it."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6))
    eta = -4.2 + X[:, 0] ** 2 + 1.2 * X[:, 1] * X[:, 2] + 0.7 * X[:, 3]
    return X, (rng.random(n) < 1 / (1 + np.exp(-eta))).astype(int)


GENERATORS = (informative, linear, curved)


def classifiers(seed: int, weight: str | None) -> dict[str, Any]:
    """The three learners, with a class weight or without."""
    return {
        "logistic": LogisticRegression(max_iter=1000, class_weight=weight),
        "boosting": HistGradientBoostingClassifier(
            max_iter=50, class_weight=weight, random_state=seed
        ),
        "forest": RandomForestClassifier(50, class_weight=weight, random_state=seed),
    }


def pairs(seed: int) -> Iterator[tuple[str, str, Any, Any]]:
    """Learner and lever by name, then the estimator and the sampler."""
    levers = {
        "class_weight": None,
        "SMOTE": SMOTE(random_state=seed),
        "over": RandomOverSampler(random_state=seed),
        "under": RandomUnderSampler(random_state=seed),
    }
    for lever, sampler in levers.items():
        weight = "balanced" if sampler is None else None
        for name, classifier in classifiers(seed, weight).items():
            yield name, lever, classifier, sampler


@dataclass(frozen=True)
class Run:
    """One learner, lever, generator and seed: log loss of each, mean probability of "auto"."""

    generator: str
    learner: str
    lever: str
    losses: dict[str, float]
    chosen: str
    excess: float

    @property
    def regret(self) -> float:
        """How much more log loss "auto" has than the best single correction, as a share."""
        return self.losses["auto"] / min(self.losses[name] for name in SINGLE) - 1


def by_each(fitted: ResampledClassifier, X: Any, y: Any, X_test: Any) -> dict[str, np.ndarray]:
    """Probabilities for new rows by each single correction, from the models already fitted.

    Fitting anew for each would give the same models. All levers here balance the classes.
    """
    raw = [model.predict_proba(X_test) for model in fitted.estimators_]
    seen = np.array([0.5, 0.5])
    folds = [
        Fold(Scored(model.predict_proba(X[test]), y[test], np.ones(len(test))), seen)
        for model, (_, test) in zip(fitted.estimators_, StratifiedKFold(5).split(X, y), strict=True)
    ]
    priors = fitted.priors_
    corrections: dict[str, Any] = {"none": np.asarray, "prior": Formula(priors, seen)}
    corrections |= {name: fit_correction(name, folds, priors) for name in FITTED}
    return {
        name: np.mean([correction(q) for q in raw], axis=0)
        for name, correction in corrections.items()
    }


def run(
    generator: Callable[[int, int], tuple[np.ndarray, np.ndarray]],
    seed: int,
    *,
    n_train: int = N_TRAIN,
    n_test: int = N_TEST,
    learners: Sequence[str] = ("logistic", "boosting", "forest"),
) -> Iterator[Run]:
    """All learners and levers on one generator and seed."""
    X, y = generator(n_train + n_test, seed)
    X, X_test, y, y_test = X[:n_train], X[n_train:], y[:n_train], y[n_train:]
    for learner, lever, estimator, sampler in pairs(seed):
        if learner not in learners:
            continue
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*out-of-fold probabilities ask")
            fitted = ResampledClassifier(estimator, sampler=sampler).fit(X, y)
        answers = by_each(fitted, X, y, X_test)
        answers["auto"] = fitted.predict_proba(X_test)
        yield Run(
            generator.__name__,
            learner,
            lever,
            {name: float(log_loss(y_test, p)) for name, p in answers.items()},
            fitted.correction_,
            float(answers["auto"][:, 1].mean() - y.mean()),
        )


def report() -> tuple[str, bool]:
    """The table, and whether all bars were met."""
    runs = [r for generator in GENERATORS for seed in range(N_SEEDS) for r in run(generator, seed)]
    return summary(runs)


def summary(runs: Sequence[Run]) -> tuple[str, bool]:
    """A row for each generator, learner and lever, over the seeds."""
    cells: dict[tuple[str, str, str], list[Run]] = {}
    for r in runs:
        cells.setdefault((r.generator, r.learner, r.lever), []).append(r)
    rows = []
    for key, same in cells.items():
        losses = [f"{np.mean([r.losses[name] for r in same]):.4f}" for name in (*SINGLE, "auto")]
        chosen = ", ".join(f"{name} {n}" for name, n in Counter(r.chosen for r in same).items())
        regret, excess = np.mean([r.regret for r in same]), np.mean([r.excess for r in same])
        rows.append([*key, *losses, f"{regret:.2%}", f"{excess:+.4f}", chosen])
    head = ["data", "learner", "lever", *SINGLE, "auto", "regret", "mean p - prevalence", "chosen"]
    regrets = [r.regret for r in runs]
    largest = max(abs(np.mean([r.excess for r in same])) for same in cells.values())
    said = (
        f"Mean regret {np.mean(regrets):.3%} (bar {MEAN_REGRET:.1%}), largest {max(regrets):.2%} "
        f"(bar {LARGEST_REGRET:.0%}); largest |mean probability - prevalence|, averaged over the "
        f"seeds, {largest:.4f} (bar {MEAN_PROBABILITY})."
    )
    lines = [head, ["---"] * len(head), *rows]
    table = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    ok = (
        float(np.mean(regrets)) <= MEAN_REGRET
        and max(regrets) <= LARGEST_REGRET
        and largest <= MEAN_PROBABILITY
    )
    return f"{said}\n\n{table}", ok
