"""What can be told of an estimator, its costs and y before anything is fitted."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from skmetrics_ext._labels import group_column
from skmetrics_ext.costs import CostMatrix, PerRowCosts
from skmetrics_ext.decision._double_counting import distorts_priors

__all__ = ["check_estimator", "classes_to_expect", "distorts_priors", "has_two_classes"]


def check_estimator(estimator: Any) -> None:
    """Raise where there are no probabilities to weigh costs by."""
    if not hasattr(estimator, "predict_proba"):
        raise ValueError(
            "estimator must have predict_proba, since costs are weighed by probabilities; got "
            f"{estimator!r}. CalibratedClassifierCV(estimator) adds it."
        )


def classes_to_expect(estimator: Any, cost_matrix: Any, y: Any) -> np.ndarray:
    """The classes that fitting will find, so that costs are checked against them first."""
    if y is None:
        raise ValueError(
            "CostThresholdClassifier requires y to be passed, but the target y is None."
        )
    if isinstance(y, np.ndarray) and y.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: y must hold labels; got {y!r}.")
    column = group_column(y, name="y")
    classes = np.sort(column.values[column.seen()])
    if has_two_classes(cost_matrix) and len(classes) > 2:
        raise ValueError(
            "Only binary classification is supported. cost_matrix is for two classes, and y "
            f"holds {len(classes)}: {classes.tolist()}."
        )
    if _is_frozen(estimator):
        check_is_fitted(estimator)
        return estimator.classes_
    if len(classes) < 2:
        raise ValueError(
            f"y must hold at least two classes; got one class only: {classes.tolist()}."
        )
    return classes


def has_two_classes(cost_matrix: Any) -> bool:
    """Whether costs are for two classes, told without raising: tags are read before `fit`."""
    if isinstance(cost_matrix, PerRowCosts):
        return True
    if isinstance(cost_matrix, CostMatrix):
        return cost_matrix.to_array().shape[1] == 2
    if cost_matrix is None or callable(cost_matrix):
        return False
    try:
        return np.shape(cost_matrix) == (2, 2)
    except (TypeError, ValueError):
        return False


def _is_frozen(estimator: Any) -> bool:
    """Whether `fit` leaves the classes as they are."""
    if isinstance(estimator, Pipeline):
        return _is_frozen(estimator.steps[-1][1])
    return isinstance(estimator, FrozenEstimator)
