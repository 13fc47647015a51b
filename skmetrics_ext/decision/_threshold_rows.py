"""Rows to scores: the two classes of y, and the positive class's score of each held-out row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext._labels import encode, same_label
from skmetrics_ext.counts import ScoreCounts
from skmetrics_ext.counts._score_ranking import Ranking
from skmetrics_ext.decision._before_fit import classes_to_expect, require_y

__all__ = [
    "CENTERS",
    "Rows",
    "positive_scores",
    "require_both",
    "require_two",
    "response_name",
    "two_classes",
]

# Where a classifier turns from one class to the other if nobody moves its threshold.
CENTERS = {"predict_proba": 0.5, "decision_function": 0.0}


@dataclass(frozen=True)
class Rows:
    """Scored rows: ``scores`` float64, ``positive`` bool, ``weights`` positive or None."""

    scores: NDArray[np.float64]
    positive: NDArray[np.bool_]
    weights: NDArray[np.float64] | None

    @classmethod
    def of(
        cls,
        scores: NDArray[np.float64],
        positive: NDArray[np.bool_],
        weights: NDArray[np.float64] | None,
    ) -> Rows:
        """Leave out the rows of weight zero: they are no rows, and their scores no scores."""
        if weights is not None and not weights.all():
            kept = np.flatnonzero(weights)
            scores, positive, weights = scores[kept], positive[kept], weights[kept]
        return cls(scores, positive, weights)

    @classmethod
    def pooled(cls, parts: Sequence[Rows]) -> Rows:
        """All rows together."""
        if len(parts) == 1:
            return parts[0]
        weights = [part.weights for part in parts if part.weights is not None]
        return cls(
            np.concatenate([part.scores for part in parts]),
            np.concatenate([part.positive for part in parts]),
            np.concatenate(weights) if weights else None,
        )

    def ranking(self) -> Ranking:
        """How many of each class stand at each distinct score."""
        counts = ScoreCounts.from_predictions(
            self.positive, self.scores, pos_label=True, sample_weight=self.weights
        )
        return counts.rankings[0]


def response_name(estimator: Any, response_method: Any) -> str:
    """The method that gives scores."""
    if response_method == "auto":
        found = [name for name in CENTERS if hasattr(estimator, name)]
        if not found:
            raise ValueError(
                "estimator must have predict_proba or decision_function, since it is their "
                f"threshold that is moved; got {estimator!r}."
            )
        return found[0]
    if not isinstance(response_method, str) or response_method not in CENTERS:
        raise ValueError(
            f"response_method must be one of {['auto', *CENTERS]}; got {response_method!r}."
        )
    if not hasattr(estimator, response_method):
        raise ValueError(
            f"estimator must have {response_method}, as response_method says; got {estimator!r}."
        )
    return response_method


def two_classes(wrapper: Any, y: Any, *, fitted: bool) -> tuple[np.ndarray, NDArray[np.intp]]:
    """The two classes in sorted order (a fitted estimator's own), and each row's place."""
    require_y(wrapper, y)
    classes = wrapper.estimator.classes_ if fitted else classes_to_expect(wrapper, y)
    require_two(classes)
    return classes, encode(y, classes, name="y")


def require_two(classes: np.ndarray) -> None:
    """Raise where there are not two classes."""
    if len(classes) != 2:
        raise ValueError(
            "Only binary classification is supported. A threshold tells two classes apart, and "
            f"there are {len(classes)}: {classes.tolist()[:20]}."
        )


def require_both(positive: NDArray[np.bool_], weights: Any, who: str) -> None:
    """Raise where the rows that count are all of one class."""
    counted = positive if weights is None else positive[weights > 0]
    if counted.all() or not counted.any():
        which = "positive" if len(counted) and counted[0] else "negative"
        raise ValueError(
            f"{who} must hold at least two classes; got one class only, the {which} one."
        )


def positive_scores(estimator: Any, X: Any, method: str, pos_label: Any) -> NDArray[np.float64]:
    """The score of the positive class, float64, higher means more probably positive.

    Raises
    ------
    ValueError
        Where the estimator gives no score per row and class, or NaN.
    """
    values = np.asarray(getattr(estimator, method)(X))
    place = [k for k, c in enumerate(estimator.classes_) if same_label(c, pos_label)]
    if method == "predict_proba":
        shape = (len(values), len(estimator.classes_))
        if values.shape != shape:
            raise ValueError(
                f"estimator must give a probability for each class, shape {shape}; got an array "
                f"of shape {values.shape}."
            )
        # A training fold without positives gives a model to which they are impossible.
        scores = values[:, place[0]] if place else np.zeros(len(values))
    else:
        if values.ndim != 1 or len(estimator.classes_) != 2:
            raise ValueError(
                "estimator must give one decision value per row, of two classes; got an array of "
                f"shape {values.shape} for the classes {estimator.classes_.tolist()}."
            )
        scores = values if place == [1] else -values
    scores = np.ascontiguousarray(scores, dtype=np.float64)
    missing = np.isnan(scores)
    if missing.any():
        raise ValueError(
            f"estimator gives scores that are NaN in {int(missing.sum())} of {len(scores)} rows."
        )
    return scores
