"""What a fitted classifier says about rows, as the pictures need it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.frozen import FrozenEstimator
from sklearn.utils.validation import check_is_fitted

from skmetrics_ext._labels import decide_pos_label, label_array, same_label
from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.decision import ExactThresholdClassifierCV
from skmetrics_ext.decision._threshold_rows import positive_scores, require_two, response_name
from skmetrics_ext.metrics._inside import from_inside, inwards

__all__ = [
    "Scored",
    "check_classifier",
    "costs_inside",
    "scored",
]


@dataclass(frozen=True)
class Scored:
    """Scores of the positive class, and what the classifier knows of it.

    Attributes
    ----------
    scores : ndarray of shape (n_rows,)
    pos_label : label
    method : {"predict_proba", "decision_function"}
    chosen : ExactThresholdClassifierCV or None
        The one inside that has chosen a threshold on these scores.
    """

    scores: np.ndarray
    pos_label: Any
    method: str
    chosen: ExactThresholdClassifierCV | None


def check_classifier(estimator: Any) -> None:
    """Raise where this is no fitted classifier."""
    if isinstance(estimator, type) or not hasattr(estimator, "predict"):
        raise ValueError(f"estimator must be a fitted classifier; got {estimator!r}.")
    check_is_fitted(estimator)
    if not is_classifier(estimator):
        raise ValueError(
            f"estimator must be a classifier, which answers labels; got {estimator!r}."
        )


def costs_inside(estimator: Any) -> Any:
    """The costs of two answers that the estimator decides by; None where there are none.

    Costs that differ by row imply no one threshold, and neither do those of other actions.
    """
    costs = from_inside(estimator, "cost_matrix_")
    return costs if isinstance(costs, CostMatrix) and not costs.extra_actions else None


def scored(estimator: Any, X: Any, *, response_method: str, pos_label: Any) -> Scored:
    """Ask the classifier once.

    The positive class is the one named, else the one that the estimator knows, else 1 or True
    beside 0, -1 or False.
    """
    check_classifier(estimator)
    require_two(np.asarray(estimator.classes_))
    source = estimator.estimator if isinstance(estimator, FrozenEstimator) else estimator
    if isinstance(source, ExactThresholdClassifierCV) and response_method == "auto":
        # It shows probabilities only, and may have chosen on the values of a decision function.
        source, response_method = source.estimator_, source.response_method
    method = response_name(source, response_method)
    if pos_label is None:
        pos_label = from_inside(estimator, "pos_label_")
    classes = label_array(estimator.classes_, name="estimator.classes_")
    # A plain label, not numpy's, for the texts that show it.
    pos_label = classes.tolist()[decide_pos_label(classes, pos_label)]
    scores = positive_scores(source, X, method, pos_label)
    chosen = next(
        (part for part in inwards(estimator) if isinstance(part, ExactThresholdClassifierCV)), None
    )
    if chosen is not None:
        of_its_scores = method == response_name(chosen.estimator_, chosen.response_method)
        if not of_its_scores or not same_label(chosen.pos_label_, pos_label):
            chosen = None
    return Scored(scores, pos_label, method, chosen)
