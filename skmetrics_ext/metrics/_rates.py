"""Rates that scikit-learn lacks."""

from __future__ import annotations

from typing import Any

from skmetrics_ext.metrics._label_metric import label_metric

__all__ = ["negative_predictive_value_score"]


def negative_predictive_value_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = None,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    """When the answer is "all clear", how often is that right?

    tn / (tn + fn): the share of true negatives among the rows answered negative. Higher is
    better, from 0 to 1. It depends on the prevalence: where the positive class is rare, it is
    near 1 for any answer.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_rows,)
    labels : array-like of shape (K,), default=None
        The classes; they must cover the data.
    pos_label : object, default=None
        The positive class: 1 or True where the labels are {0, 1}, {-1, 1} or bools; with other
        labels it must be named.
    average : {"binary", "macro", "micro", "weighted", None}, default="binary"
        With more than two classes: each class against the rest, averaged.
    sample_weight : array-like of shape (n_rows,), default=None
    zero_division : {"warn", 0.0, 1.0, nan}, default="warn"
        What to answer where no row was answered negative; "warn" is 0.0 with a warning.

    Returns
    -------
    float, or ndarray of shape (K,) for average=None

    Raises
    ------
    ValueError
        More than two classes with average="binary"; ``pos_label`` needed or no class.

    References
    ----------
    Altman and Bland (1994), "Diagnostic tests 2: predictive values",
    https://doi.org/10.1136/bmj.309.6947.102

    Examples
    --------
    >>> from skmetrics_ext.metrics import negative_predictive_value_score
    >>> negative_predictive_value_score([0, 0, 0, 1, 1], [0, 0, 1, 0, 1])
    0.6666666666666666
    """
    return label_metric(
        "negative_predictive_value",
        y_true,
        y_pred,
        labels=labels,
        sample_weight=sample_weight,
        pos_label=pos_label,
        average=average,
        zero_division=zero_division,
    )
