"""What can be told of an estimator, its costs and y before anything is fitted."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from skmetrics_ext._labels import group_column
from skmetrics_ext.costs import CostMatrix, PerRowCosts

__all__ = ["check_estimator", "classes_to_expect", "has_two_classes", "is_frozen", "require_y"]


def check_estimator(estimator: Any, why: str) -> None:
    """Raise where there are no probabilities, and say why they are needed."""
    if not hasattr(estimator, "predict_proba"):
        raise ValueError(
            f"estimator must have predict_proba, since {why}; got {estimator!r}. "
            "CalibratedClassifierCV(estimator) adds it."
        )


def require_y(wrapper: Any, y: Any) -> None:
    """Raise where there is no target."""
    if y is None:
        raise ValueError(
            f"{type(wrapper).__name__} requires y to be passed, but the target y is None."
        )


def classes_to_expect(wrapper: Any, y: Any, cost_matrix: Any = None) -> np.ndarray:
    """The classes that fitting will find, so that costs are checked against them first."""
    require_y(wrapper, y)
    if isinstance(y, np.ndarray) and y.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: y must hold labels; got {y!r}.")
    column = group_column(y, name="y")
    classes = np.sort(column.values[column.seen()])
    if has_two_classes(cost_matrix) and len(classes) > 2:
        raise ValueError(
            "Only binary classification is supported. cost_matrix is for two classes, and y "
            f"holds {len(classes)}: {classes.tolist()}."
        )
    if is_frozen(wrapper.estimator):
        check_is_fitted(wrapper.estimator)
        return wrapper.estimator.classes_
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


def is_frozen(estimator: Any) -> bool:
    """Whether what gives the probabilities does not learn in `fit`."""
    while isinstance(estimator, Pipeline):
        estimator = estimator.steps[-1][1]
    return isinstance(estimator, FrozenEstimator)
