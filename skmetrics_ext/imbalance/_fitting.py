"""Fit once where the shares tell all, else on each fold, and correct by what was held out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from skmetrics_ext._labels import encode
from skmetrics_ext._sklearn import safe_indexing
from skmetrics_ext.decision._before_fit import is_frozen
from skmetrics_ext.decision._shares import class_totals
from skmetrics_ext.imbalance._choosing import (
    Fold,
    Offsets,
    choose,
    compare_offsets,
    fit_correction,
)
from skmetrics_ext.imbalance._corrections import Correction, Formula, Scored
from skmetrics_ext.imbalance._folds import draw_splits, lacking, too_few_for
from skmetrics_ext.imbalance._learning import Learner, Learnt, Prepared
from skmetrics_ext.imbalance._rows import Rows, weights_among
from skmetrics_ext.imbalance._samplers import needs_neighbours, samplers_of
from skmetrics_ext.imbalance._seen import has_uncounted

__all__ = ["Fitted", "Plan", "fit_models"]


@dataclass(frozen=True)
class Plan:
    """What the user asked for, and the rows that were kept of those given."""

    correction: str
    cv: Any
    splitter: Any
    ensemble: bool
    split_params: dict[str, Any]
    kept: np.ndarray
    n_given: int


@dataclass(frozen=True)
class Fitted:
    """Models, each with its correction (None: as it is), and how they came about.

    ``by_fold`` says whether the models are those of folds. ``sayings`` are to be warned of.
    """

    learnt: list[Learnt]
    corrections: list[Correction | None]
    correction: str
    by_fold: bool
    priors: np.ndarray
    priors_seen: np.ndarray
    offsets: Offsets | None = None
    scores: dict[str, float] | None = None
    sayings: tuple[str, ...] = ()


def fit_models(learner: Learner, rows: Rows, plan: Plan) -> Fitted:
    """Fit what there is to fit.

    Raises
    ------
    ValueError
        If the classifier's own weights leave a class out; and whatever samplers, splitters and
        classifiers raise.
    """
    weights = weights_among(rows.params, len(rows.y))
    priors = _shares(class_totals(rows.y, learner.classes, weights))
    prepared = learner.prepare(rows)
    totals = prepared.totals()
    unseen = (totals == 0) & (priors > 0)
    if unseen.any():
        raise ValueError(
            f"estimator={learner.estimator!r} gives no weight to "
            f"{learner.classes[unseen].tolist()}: a class that is never seen cannot be learnt, and "
            "its probability cannot be put back."
        )
    uncounted = has_uncounted(learner.estimator) and not is_frozen(learner.estimator)
    nothing_to_do = _same(_shares(totals), priors) and not uncounted
    if nothing_to_do or plan.correction in ("none", "prior"):
        return _fit_once(learner, prepared, priors, plan.correction)

    codes = encode(rows.y, learner.classes, name="y")
    splits, why = _splits(learner, rows, codes, plan)
    if why:
        said = (
            f"correction={plan.correction!r} needs held-out rows of every class, and {why}: 'prior'"
            ", the formula of the class shares, is taken instead."
        )
        return _fit_once(learner, prepared, priors, "prior", said)

    by_fold, folds = [], []
    for train, test in splits:
        learnt = learner.prepare(rows.take(train)).fit()
        scored = Scored(
            np.asarray(learnt.model.predict_proba(safe_indexing(rows.X, test)), dtype=np.float64),
            codes[test],
            np.ones(len(test)) if weights is None else weights[test],
        )
        by_fold.append(learnt)
        folds.append(Fold(scored, _shares(learnt.totals)))
    models = by_fold if plan.ensemble else [prepared.fit()]

    priors_seen = _shares(np.sum([learnt.totals for learnt in models], axis=0))
    name, scores = plan.correction, None
    if name == "auto":
        # A single split leaves nothing to be scored on: the correction of fewest numbers.
        scores = choose(folds, priors) if len(folds) > 1 else None
        name = "shift" if scores is None else min(scores, key=scores.__getitem__)
    offsets = compare_offsets(folds, priors, priors_seen)
    return Fitted(
        models,
        _corrections(name, models, folds, priors),
        name,
        plan.ensemble,
        priors,
        priors_seen,
        offsets,
        scores,
        _sayings(learner, name, offsets),
    )


def _fit_once(
    learner: Learner, prepared: Prepared, priors: np.ndarray, correction: str, *sayings: str
) -> Fitted:
    learnt = prepared.fit()
    if not np.array_equal(learnt.model.classes_, learner.classes):
        # Something inside was fitted before, on other rows: it knows classes that y lacks.
        weights = weights_among(prepared.rows.params, len(prepared.rows.y))
        priors = _shares(class_totals(prepared.rows.y, learnt.model.classes_, weights))
        return Fitted([learnt], [None], "none", False, priors, priors.copy(), sayings=sayings)
    # After fitting, since a search may have chosen among class weights.
    seen = _shares(learnt.totals)
    if _same(seen, priors):
        return Fitted([learnt], [None], "none", False, priors, priors.copy(), sayings=sayings)
    if correction == "none":
        return Fitted([learnt], [None], "none", False, priors, seen, sayings=sayings)
    formula = Formula(priors, seen)
    return Fitted([learnt], [formula], "prior", False, priors, seen, sayings=sayings)


def _corrections(
    name: str, models: list[Learnt], folds: list[Fold], priors: np.ndarray
) -> list[Correction | None]:
    if name == "none":
        return [None] * len(models)
    if name == "prior":
        return [Formula(priors, _shares(learnt.totals)) for learnt in models]
    # One for all: each fold alone has few rows of the rare class.
    return [fit_correction(name, folds, priors)] * len(models)


def _splits(
    learner: Learner, rows: Rows, codes: np.ndarray, plan: Plan
) -> tuple[list[tuple[np.ndarray, np.ndarray]], str]:
    """The splits, or why there are none that would do."""
    why = too_few_for(plan.splitter, rows.y)
    if why:
        return [], why
    splits = draw_splits(plan.cv, plan.splitter, rows, plan.kept, plan.n_given, plan.split_params)
    samplers = samplers_of(learner.sampler, learner.estimator)
    needed = 2 if any(needs_neighbours(sampler) for sampler in samplers) else 1
    return splits, lacking(splits, codes, learner.classes, needed)


def _sayings(learner: Learner, name: str, offsets: Offsets) -> tuple[str, ...]:
    if not offsets.disagree:
        return ()
    return (
        f"{type(learner.estimator).__name__} does not follow the class shares it saw: by the "
        f"formula the log odds of {learner.classes.tolist()[1:]} against "
        f"{learner.classes.tolist()[0]!r} would be shifted by {_printed(offsets.theory)}, while "
        f"its out-of-fold probabilities ask for {_printed(offsets.oof)}. correction='prior' would "
        f"harm them; {name!r} was used.",
    )


def _printed(offsets: np.ndarray) -> str:
    return ", ".join(f"{offset:.2f}" for offset in offsets[1:])


def _shares(totals: np.ndarray) -> np.ndarray:
    return totals / totals.sum()


def _same(shares: np.ndarray, others: np.ndarray) -> bool:
    return np.allclose(shares, others, rtol=1e-12, atol=0)
