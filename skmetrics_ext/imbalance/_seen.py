"""How much of each class a fitted classifier saw, its own class weights included."""

from __future__ import annotations

import warnings
from inspect import signature
from typing import Any

import numpy as np
from imblearn.utils import check_sampling_strategy
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import StackingClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC, NuSVC
from sklearn.utils.class_weight import compute_class_weight

from skmetrics_ext.decision._double_counting import find_distortions
from skmetrics_ext.decision._shares import class_totals

__all__ = ["has_uncounted", "totals_seen"]

# What is inside these does not decide what their probabilities are: they are calibrated or
# learnt anew on rows as they are, or put together from problems with other shares.
_OPAQUE = (
    CalibratedClassifierCV,
    FrozenEstimator,
    NuSVC,
    OneVsOneClassifier,
    OneVsRestClassifier,
    OutputCodeClassifier,
    StackingClassifier,
    SVC,
)
_TAKES_WEIGHTS = "sample_weight" in signature(compute_class_weight).parameters


def totals_seen(
    classifier: Any, y: np.ndarray, classes: np.ndarray, weights: np.ndarray | None
) -> np.ndarray:
    """Weight of each class for a classifier that is given these rows.

    Parameters
    ----------
    classifier : estimator
        Fitted or not; where it is a search the best one found, or the one searched with.
    y, classes, weights
        Labels of the rows that reach it, all classes, weights or None.

    Returns
    -------
    ndarray of shape (n_classes,)
        Sum of weights, times the classifier's `class_weight` or `scale_pos_weight`; for the
        balanced ensembles of imbalanced-learn what their `sampling_strategy` leaves.
    """
    totals = class_totals(y, classes, weights).astype(float)
    if (totals == 0).any():
        return totals
    for each in _chain(classifier):
        if not _is_opaque(each):
            totals = totals * _own_factor(each, y, classes, weights)
    return totals


def has_uncounted(classifier: Any) -> bool:
    """Whether something distorts probabilities and no formula says by how much.

    Such as class weights in one of the voters of a VotingClassifier.
    """
    last = _chain(classifier)[-1]
    many = getattr(last, "estimators", None) is not None
    return (many or _is_opaque(last)) and bool(find_distortions(last))


def _chain(classifier: Any) -> list[Any]:
    """The classifier and those one inside the other, as far as weights multiply."""
    chain = []
    while True:
        while isinstance(classifier, Pipeline):
            classifier = classifier.steps[-1][1]
        chain.append(classifier)
        inside = getattr(classifier, "best_estimator_", getattr(classifier, "estimator", None))
        if _is_opaque(classifier) or not hasattr(inside, "fit") or isinstance(inside, type):
            return chain
        classifier = inside


def _is_opaque(classifier: Any) -> bool:
    return isinstance(classifier, _OPAQUE) or hasattr(classifier, "_distorts_priors")


def _own_factor(
    classifier: Any, y: np.ndarray, classes: np.ndarray, weights: np.ndarray | None
) -> np.ndarray:
    params = classifier.get_params(deep=False) if hasattr(classifier, "get_params") else {}
    factor = np.ones(len(classes))
    class_weight = params.get("class_weight")
    if isinstance(class_weight, (str, dict)):
        # In each bootstrap sample, or in all rows: the shares are the same.
        class_weight = "balanced" if isinstance(class_weight, str) else class_weight
        # Only linear ones balance sums of weights, and only in newer versions of scikit-learn.
        weighted = _TAKES_WEIGHTS and isinstance(classifier, LogisticRegression)
        given = {"sample_weight": weights} if weighted else {}
        factor = factor * compute_class_weight(class_weight, classes=classes, y=y, **given)
    scale = params.get("scale_pos_weight")
    if isinstance(scale, (int, float)) and len(classes) == 2:
        factor = factor * [1.0, float(scale)]
    strategy = params.get("sampling_strategy")
    if strategy is not None and hasattr(classifier, "predict_proba"):
        counts = class_totals(y, classes, None)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the classifier itself says it once more
            kept = check_sampling_strategy(strategy, y, "under-sampling")
        names = classes.tolist()
        for label, count in kept.items():
            k = names.index(label)
            factor[k] *= count / counts[k]
    return factor
