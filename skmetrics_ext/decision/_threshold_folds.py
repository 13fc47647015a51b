"""Fit on each fold, score the rows held out, and keep one classifier."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import StratifiedShuffleSplit, check_cv
from sklearn.utils.metadata_routing import process_routing
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from skmetrics_ext._sklearn import params_of_rows, safe_indexing
from skmetrics_ext.counts._score_ranking import Ranking
from skmetrics_ext.decision._fit_params import inner_fit_params
from skmetrics_ext.decision._threshold_goal import Goal
from skmetrics_ext.decision._threshold_rows import Rows
from skmetrics_ext.decision._threshold_search import cuts, values_at

__all__ = ["cross_fit", "is_prefit", "values_at_cuts"]

Scores = NDArray[np.float64]
ScoresOf = Callable[[Any, Any], Scores]


def is_prefit(wrapper: Any, params: dict[str, Any]) -> bool:
    """Whether nothing is fitted; raises where the other parameters do not go with that."""
    if not isinstance(wrapper.refit, (bool, np.bool_)):
        raise ValueError(f"refit must be True or False; got {wrapper.refit!r}.")
    if not (isinstance(wrapper.cv, str) and wrapper.cv == "prefit"):
        return False
    if wrapper.refit:
        raise ValueError("refit must be False with cv='prefit': nothing is fitted; got True.")
    if params:
        raise ValueError(
            f"With cv='prefit' nothing is fitted; got the fit parameters {sorted(params)}."
        )
    try:
        check_is_fitted(wrapper.estimator, "classes_")
    except NotFittedError as error:
        raise NotFittedError("When cv='prefit', `estimator` must be fitted.") from error
    return True


def cross_fit(
    wrapper: Any,
    X: Any,
    y: Any,
    labels: np.ndarray,
    positive: NDArray[np.bool_],
    sample_weight: Scores | None,
    params: dict[str, Any],
    scores_of: ScoresOf,
) -> tuple[list[Rows], Any]:
    """The held-out rows of each split, and the classifier to keep.

    Parameters
    ----------
    wrapper : estimator
        The one that is being fitted: its ``estimator``, ``cv``, ``refit``, ``n_jobs``,
        ``random_state`` and its router, with the children "estimator" and "splitter".
    X, y : rows
        As the user gave them, indexable.
    labels : ndarray of shape (n_samples,)
        ``y`` as an array, for the splitter.
    positive, sample_weight : ndarray of shape (n_samples,)
    params : dict
        All other metadata.
    scores_of : callable (classifier, X) -> scores
    """
    split_params = _split_params(wrapper, sample_weight, params)
    if not get_config()["enable_metadata_routing"]:
        params = {key: value for key, value in params.items() if key not in split_params}
    fit_params = inner_fit_params(wrapper, wrapper.estimator, sample_weight, params)
    splits = _splits(wrapper, X, labels, split_params)
    answers = Parallel(n_jobs=wrapper.n_jobs)(
        delayed(_fit_and_score)(
            clone(wrapper.estimator), X, y, train, test, fit_params, scores_of, wrapper.refit
        )
        for train, test in splits
    )
    folds = [
        Rows.of(scores, positive[test], None if sample_weight is None else sample_weight[test])
        for (scores, _), (_, test) in zip(answers, splits, strict=True)
    ]
    if not wrapper.refit:
        return folds, answers[0][1]
    return folds, clone(wrapper.estimator).fit(X, y, **fit_params)


def values_at_cuts(ranking: Ranking, folds: Sequence[Rows], goal: Goal) -> dict[str, np.ndarray]:
    """The score at every cut of the pooled rows, and each fold's own there."""
    thresholds = cuts(ranking)
    results = {"thresholds": thresholds, "scores": goal.sign * goal.term.curve(ranking)}
    if goal.limit is not None:
        results["constraint_values"] = goal.limit.term.curve(ranking)
    for k, fold in enumerate(folds):
        values = np.full(len(thresholds), np.nan)
        if len(fold.scores):  # all of its rows may weigh nothing
            values = values_at(fold.ranking(), goal.term, thresholds)
        results[f"split{k}_scores"] = goal.sign * values
    return results


def _fit_and_score(
    estimator: Any,
    X: Any,
    y: Any,
    train: Any,
    test: Any,
    fit_params: dict[str, Any],
    scores_of: ScoresOf,
    refit: bool,
) -> tuple[Scores, Any]:
    """The scores of the test rows, and the classifier if it is the one to keep.

    A hundred forests need not travel back from the workers.
    """
    params = params_of_rows(X, fit_params, indices=train)
    estimator.fit(safe_indexing(X, train), safe_indexing(y, train), **params)
    return scores_of(estimator, safe_indexing(X, test)), None if refit else estimator


def _split_params(
    wrapper: Any, sample_weight: Scores | None, params: dict[str, Any]
) -> dict[str, Any]:
    if not get_config()["enable_metadata_routing"]:
        return {"groups": params["groups"]} if "groups" in params else {}
    weights = {} if sample_weight is None else {"sample_weight": sample_weight}
    return dict(process_routing(wrapper, "fit", **weights, **params).splitter.split)


def _splits(
    wrapper: Any, X: Any, labels: np.ndarray, params: dict[str, Any]
) -> list[tuple[Any, Any]]:
    """The splits, drawn once."""
    if isinstance(wrapper.cv, (float, np.floating)):
        if not 0 < wrapper.cv < 1:
            raise ValueError(
                f"cv as a float must be the share held out, between 0 and 1; got {wrapper.cv!r}."
            )
        cv: Any = StratifiedShuffleSplit(
            n_splits=1, test_size=float(wrapper.cv), random_state=wrapper.random_state
        )
    else:
        cv = check_cv(wrapper.cv, y=labels, classifier=True)
    splits = list(cv.split(X, labels, **params))
    if not wrapper.refit and len(splits) != 1:
        raise ValueError(
            "refit must be True where cv has several splits, of which none is the classifier to "
            f"keep; got refit=False and {len(splits)} splits."
        )
    return splits
