"""Ordered classes: how far off the answers are."""

from __future__ import annotations

from typing import Any

from skmetrics_ext.metrics._label_metric import label_metric

__all__ = ["classwise_mean_absolute_error", "one_off_accuracy_score"]


def one_off_accuracy_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    tolerance: int = 1,
    sample_weight: Any = None,
) -> float:
    """What share of the answers is right or next to right?

    Higher is better, from 0 to 1. The tolerance is arbitrary: with few classes "one off" is
    most of the scale, and a model that always answers the middle class scores well. Show it
    beside a metric that charges for distance (`weighted_kappa_score`).

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_rows,)
        Labels whose order is known: see `weighted_kappa_score`.
    labels : array-like of shape (K,), default=None
        The classes from lowest to highest.
    tolerance : int, default=1
        How many classes off still counts as right.
    sample_weight : array-like of shape (n_rows,), default=None

    Returns
    -------
    float

    Raises
    ------
    ValueError
        Three or more words without an order; a label outside ``labels``.

    References
    ----------
    Gaudette and Japkowicz (2009), "Evaluation methods for ordinal classification",
    https://doi.org/10.1007/978-3-642-01818-3_25

    Examples
    --------
    >>> from skmetrics_ext.metrics import one_off_accuracy_score
    >>> one_off_accuracy_score([0, 0, 1, 1], [0, 2, 1, 2])
    0.75
    """
    return label_metric(
        "one_off_accuracy",
        y_true,
        y_pred,
        labels=labels,
        sample_weight=sample_weight,
        tolerance=tolerance,
    )


def classwise_mean_absolute_error(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    average: str | None = "macro",
    sample_weight: Any = None,
) -> Any:
    """How many classes off is the answer, in each true class and on their mean?

    Lower is better; from 0 to K - 1. Each true class weighs the same, however rare it is.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_rows,)
        Labels whose order is known: see `weighted_kappa_score`.
    labels : array-like of shape (K,), default=None
        The classes from lowest to highest.
    average : {"macro", "max", None}, default="macro"
        The mean over the classes that have rows, the worst of them, or one value per class
        (NaN for a class without rows).
    sample_weight : array-like of shape (n_rows,), default=None

    Returns
    -------
    float, or ndarray of shape (K,) for average=None

    Raises
    ------
    ValueError
        Three or more words without an order; a label outside ``labels``.

    Warns
    -----
    UndefinedMetricWarning
        Where a class was answered that no row has in truth.

    References
    ----------
    Baccianella, Esuli and Sebastiani (2009), "Evaluation measures for ordinal regression",
    https://doi.org/10.1109/ISDA.2009.230

    Examples
    --------
    >>> from skmetrics_ext.metrics import classwise_mean_absolute_error
    >>> classwise_mean_absolute_error([0, 0, 1, 2], [0, 1, 1, 0], average=None)
    array([0.5, 0. , 2. ])
    """
    return label_metric(
        "classwise_mean_absolute_error",
        y_true,
        y_pred,
        labels=labels,
        sample_weight=sample_weight,
        average=average,
    )
