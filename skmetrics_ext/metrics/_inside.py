"""What a fitted estimator knows, or the one inside it that its answers come from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.frozen import FrozenEstimator

__all__ = ["extra_actions", "from_inside", "inwards"]


def inwards(estimator: Any) -> Iterator[Any]:
    """The estimator, and those within pipelines, searches and wrappers that answer for it."""
    while estimator is not None:
        if isinstance(estimator, FrozenEstimator):
            estimator = estimator.estimator
        yield estimator
        if hasattr(estimator, "steps"):
            estimator = estimator.steps[-1][1]
        else:
            inner = getattr(estimator, "best_estimator_", None)
            estimator = inner if inner is not None else getattr(estimator, "estimator_", None)


def from_inside(estimator: Any, name: str) -> Any:
    """An attribute of the outermost of them that has it; None where none has."""
    found = (getattr(part, name, None) for part in inwards(estimator))
    return next((value for value in found if value is not None), None)


def extra_actions(estimator: Any) -> list[Any] | None:
    """The answers that are no class, such as "refer"; None where there are none."""
    actions = from_inside(estimator, "actions_")
    if actions is None:
        return None
    classes = np.asarray(estimator.classes_).tolist()
    return [action for action in np.asarray(actions).tolist() if action not in classes] or None
