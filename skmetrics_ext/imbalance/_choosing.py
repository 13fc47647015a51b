"""Which correction: each fitted on all folds but one, scored by log loss on that one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from skmetrics_ext.imbalance._corrections import (
    Correction,
    Formula,
    LogLinear,
    Scored,
    fit_isotonic,
    fit_shift,
    fit_sigmoid,
)

__all__ = ["FITTED", "Fold", "Offsets", "choose", "compare_offsets", "fit_correction"]

# The ones that are fitted on out-of-fold probabilities, simple ones first.
FITTED: dict[str, Callable[[Scored, np.ndarray], Correction]] = {
    "shift": fit_shift,
    "sigmoid": fit_sigmoid,
    "isotonic": fit_isotonic,
}

# In log odds: a probability of 0.10 becomes 0.08 or 0.12. Below it the formula does no harm.
_NOTABLE = 0.25


@dataclass(frozen=True)
class Fold:
    """Held-out rows and the class shares that the model which scored them had seen."""

    scored: Scored
    priors_seen: np.ndarray


@dataclass(frozen=True)
class Offsets:
    """What is to be added to the log odds of each class against the first, both (K,)."""

    theory: np.ndarray
    oof: np.ndarray
    disagree: bool


def fit_correction(name: str, folds: list[Fold], priors: np.ndarray) -> Correction:
    """The correction of that name (one of `FITTED`), from the rows of all folds."""
    return FITTED[name](Scored.joined([fold.scored for fold in folds]), priors)


def choose(folds: list[Fold], priors: np.ndarray) -> dict[str, float]:
    """Mean log loss, in nats per unit of weight, of each correction on rows it was not fitted on.

    The models are those already there: with F folds each correction is fitted F times, each time
    on a few numbers per row.
    """
    total = dict.fromkeys(["none", "prior", *FITTED], 0.0)
    for k, fold in enumerate(folds):
        rows = fold.scored
        total["none"] += rows.total_log_loss(rows.proba)
        formula = Formula(priors, fold.priors_seen)
        total["prior"] += rows.total_log_loss(formula(rows.proba))
        others = folds[:k] + folds[k + 1 :]
        for name in FITTED:
            correction = fit_correction(name, others, priors)
            total[name] += rows.total_log_loss(correction(rows.proba))
    weight = sum(fold.scored.weights.sum() for fold in folds)
    return {name: float(value / weight) for name, value in total.items()}


def compare_offsets(folds: list[Fold], priors: np.ndarray, priors_seen: np.ndarray) -> Offsets:
    """What the formula shifts by, and what out-of-fold probabilities ask for.

    They disagree where the formula shifts by more than `_NOTABLE`, and the two are apart by more
    than that, half of the formula's largest shift, and three standard errors.
    """
    theory = np.log(priors / priors_seen)
    theory -= theory[0]
    shift = fit_correction("shift", folds, priors)
    assert isinstance(shift, LogLinear)
    apart = np.abs(shift.offsets - theory)
    largest = np.abs(theory).max()
    limit = np.maximum(max(largest / 2, _NOTABLE), 3 * shift.errors)
    return Offsets(theory, shift.offsets, bool(largest > _NOTABLE and (apart > limit).any()))
