"""Agreement beyond chance."""

from __future__ import annotations

from typing import Any

import numpy as np

from skmetrics_ext.metrics._label_metric import label_metric

__all__ = ["weighted_kappa_score"]


def weighted_kappa_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    weights: Any = "quadratic",
    sample_weight: Any = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """How far do answers on ordered classes agree with the truth, beyond chance?

    One minus the ratio of the observed disagreement to the one expected if truth and answer
    had nothing to do with each other. Higher is better; 1 is perfect, 0 is chance.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_rows,)
        Labels: lists, numpy, pandas, polars or pyarrow. Numbers sort by value, an ordered
        Categorical or Enum brings its order; three or more words without an order are an error.
    labels : array-like of shape (K,), default=None
        The classes from lowest to highest; classes that no row has count for the distances.
    weights : {"quadratic", "linear", None} or array-like of shape (K, K), default="quadratic"
        The disagreement of truth i and answer j: the squared distance in classes, the
        distance, one per mistake (the order does not matter then), or a matrix of your own
        with zeros on the diagonal (agreement weights are 1 minus it).
    sample_weight : array-like of shape (n_rows,), default=None
    replace_undefined_by : float, default=nan
        What to answer, with an UndefinedMetricWarning, where chance allows no disagreement
        (a single class).

    Returns
    -------
    float
        At most 1.

    Raises
    ------
    ValueError
        Words without an order; a label outside ``labels``; a bad matrix of weights.

    Notes
    -----
    Kappa depends on how common the classes are: the same errors give another kappa in another
    population, so kappas of different populations are not comparable.

    References
    ----------
    Cohen (1968), "Weighted kappa: nominal scale agreement with provision for scaled
    disagreement or partial credit", https://doi.org/10.1037/h0026256

    Examples
    --------
    >>> from skmetrics_ext.metrics import weighted_kappa_score
    >>> sizes = ["small", "medium", "large"]
    >>> truth = ["small", "small", "medium", "large", "large"]
    >>> answer = ["small", "medium", "medium", "large", "medium"]
    >>> round(weighted_kappa_score(truth, answer, labels=sizes), 3)
    0.667
    """
    return label_metric(
        "weighted_kappa",
        y_true,
        y_pred,
        labels=labels,
        sample_weight=sample_weight,
        replace_undefined_by=replace_undefined_by,
        weights=weights,
    )
