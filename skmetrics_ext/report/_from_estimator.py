"""What a fitted estimator knows of its classes, its costs and its scores."""

from __future__ import annotations

from typing import Any

import numpy as np

from skmetrics_ext.metrics._inside import extra_actions, from_inside
from skmetrics_ext.report._gather import pos_label_of

__all__ = ["costs_of", "estimator_options", "scores_of"]


def costs_of(estimator: Any, cost_matrix: Any) -> tuple[Any, str]:
    """The costs, and who named them: "caller", "estimator", or "rows" where they differ by row."""
    if cost_matrix is not None:
        return cost_matrix, "caller"
    own = from_inside(estimator, "cost_matrix_")
    if callable(own):
        return None, "rows"
    return own, "caller" if own is None else "estimator"


def estimator_options(estimator: Any, options: dict[str, Any]) -> dict[str, Any]:
    """The options, and what the estimator brings where they say nothing."""
    classes = np.asarray(estimator.classes_)
    if classes.ndim != 1:
        raise ValueError(
            "estimator must answer with one label per row; this one has classes_ of shape "
            f"{classes.shape}, as for several targets. Report on each target by itself."
        )
    found = {name: value for name, value in options.items() if value is not None}
    order = from_inside(estimator, "class_order_")
    if order is not None:
        found = {"labels": order, "target": "ordered"} | found
    extra = extra_actions(estimator)
    if extra is not None:
        found = {"actions": extra} | found
    return {"labels": classes} | found


def scores_of(estimator: Any, X: Any, labels: Any, pos_label: Any, cost_matrix: Any) -> Any:
    """Probabilities in the order of the labels, or decision values of two classes; else None."""
    labels, classes = np.asarray(labels), estimator.classes_.tolist()
    place = {label: k for k, label in enumerate(labels.tolist())}
    if not set(classes) <= set(place):
        return None  # what labels lack is said where they are checked
    if hasattr(estimator, "predict_proba"):
        proba = np.asarray(estimator.predict_proba(X))
        full = np.zeros((len(proba), len(labels)))
        full[:, [place[label] for label in classes]] = proba
        return full
    if len(labels) == 2 and len(classes) == 2 and hasattr(estimator, "decision_function"):
        positive = pos_label_of(labels, pos_label, cost_matrix)
        if positive is None:
            return None
        values = np.asarray(estimator.decision_function(X))
        return values if positive == classes[1] else -values
    return None
