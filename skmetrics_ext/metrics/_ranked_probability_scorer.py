"""A scorer of ranked probabilities: it knows which column of a model is which class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from skmetrics_ext._labels import decide_classes, encode, group_column, label_array, require_order
from skmetrics_ext._sklearn import BaseScorer
from skmetrics_ext.metrics._inside import from_inside
from skmetrics_ext.metrics._ranked_probability import ranked_probability_loss

__all__ = ["ranked_probability_scorer"]


class _RankedProbabilityScorer(BaseScorer):
    """Minus the ranked probability loss, the columns put in the order of the classes."""

    def __init__(self, labels: Any, normalize: bool) -> None:
        super().__init__(
            ranked_probability_loss,
            -1,
            {"labels": labels, "normalize": normalize},
            "predict_proba",
        )

    def _score(
        self, method_caller: Callable[..., Any], estimator: Any, X: Any, y_true: Any, **kwargs: Any
    ) -> float:
        self._warn_overlap(
            message="There is an overlap between set kwargs of this scorer and passed metadata.",
            kwargs=kwargs,
        )
        params = {**self._kwargs, **kwargs}
        proba = np.asarray(method_caller(estimator, "predict_proba", X))
        if proba.ndim == 1:  # of two classes scikit-learn hands on the last one only
            proba = np.column_stack([1 - proba, proba])
        params["labels"] = order = _order(estimator, y_true, params["labels"])
        columns = encode(estimator.classes_, order, name="classes_ of the estimator")
        table = np.zeros((len(proba), len(order)))
        table[:, columns] = proba
        return self._sign * self._score_func(y_true, table, **params)

    def __repr__(self) -> str:
        params = (
            [f"labels={self._kwargs['labels']!r}"] if self._kwargs["labels"] is not None else []
        )
        params += ["normalize=True"] if self._kwargs["normalize"] else []
        return f"ranked_probability_scorer({', '.join(params)}), negated: higher is better"


def ranked_probability_scorer(*, labels: Any = None, normalize: bool = False) -> BaseScorer:
    """A scorer that answers minus the ranked probability loss of ``predict_proba``.

    Parameters
    ----------
    labels : array-like of shape (K,), default=None
        The classes from lowest to highest. By default the estimator's ``class_order_``, also
        inside a pipeline or a search; else an ordered Categorical or Enum brings the order, and
        numbers sort by value.
    normalize : bool, default=False
        True: divided by K - 1.

    Returns
    -------
    scorer
        ``scorer(estimator, X, y, sample_weight=None)``; higher is better, from -(K - 1), or -1
        with ``normalize=True``, to 0. The columns of ``predict_proba`` are taken by
        ``classes_``; classes of the order that the estimator has not seen have probability 0.
        Three or more words without an order raise, and so does a label outside it.

    See Also
    --------
    ranked_probability_loss : The same as a function.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import cross_val_score
    >>> from skmetrics_ext.datasets import load_anes96
    >>> from skmetrics_ext.metrics import ranked_probability_scorer
    >>> X, y = load_anes96(return_X_y=True)
    >>> model = LogisticRegression(max_iter=5000)
    >>> scores = cross_val_score(model, X[:, 2:5], y, cv=3, scoring=ranked_probability_scorer())
    >>> scores.round(2).tolist()
    [-0.83, -0.82, -0.78]
    """
    if labels is not None and len(label_array(labels)) < 2:
        raise ValueError(f"labels must name at least two classes; got {labels!r}.")
    return _RankedProbabilityScorer(labels, normalize)


def _order(estimator: Any, y_true: Any, labels: Any) -> np.ndarray:
    """The classes from lowest to highest: declared, the estimator's, the dtype's, or numbers."""
    declared = labels if labels is not None else from_inside(estimator, "class_order_")
    if declared is not None:
        return label_array(declared)
    truth = group_column(y_true, name="y_true")
    seen = truth.seen()
    classes = decide_classes(truth, truth, seen, seen, known=estimator.classes_)
    require_order(classes.labels, classes.ordered, "ranked_probability_scorer")
    return classes.labels
