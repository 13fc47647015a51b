"""Metrics of ``(y_true, y_score)`` that scikit-learn lacks."""

from __future__ import annotations

from typing import Any

from skmetrics_ext.counts import ScoreCounts

__all__ = ["gini_score", "interpolated_average_precision_score"]


def gini_score(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None
) -> float:
    """How much better than chance the scores rank positives above negatives: 2 AUC - 1.

    Somers' D of the score and the truth, in credit scoring the accuracy ratio. Range -1 to 1,
    higher is better; 0 is what scores that know nothing get.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        Two classes.
    y_score : array-like of shape (n_rows,)
        Higher means more probably positive.
    pos_label : object, default=None
        The positive class. 1 and True are taken beside 0, -1 and False; with other labels it
        must be named.
    sample_weight : array-like of shape (n_rows,), default=None

    Returns
    -------
    float
        NaN, with an UndefinedMetricWarning, where a class has no rows.

    Raises
    ------
    ValueError
        Where scores are NaN, or ``y_true`` has more than two classes.

    See Also
    --------
    skmetrics_ext.counts.ScoreCounts.gini : The same with its interval.

    References
    ----------
    Somers, R. H. (1962), https://doi.org/10.2307/2090408.

    Examples
    --------
    As a scorer:
    ``make_scorer(gini_score, response_method=("decision_function", "predict_proba"))``.

    >>> from skmetrics_ext.metrics import gini_score
    >>> gini_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.5
    """
    counts = ScoreCounts.from_predictions(
        y_true, y_score, pos_label=pos_label, sample_weight=sample_weight
    )
    return float(counts.gini(confidence_level=None))


def interpolated_average_precision_score(
    y_true: Any,
    y_score: Any,
    *,
    pos_label: Any = None,
    sample_weight: Any = None,
    recall_levels: int = 101,
    n_positives: float | None = None,
) -> float:
    """The mean of the best precision at each of evenly spaced recalls or more.

    Average precision as object detection reports it: 101 levels as COCO's evaluation. Range 0
    to 1, higher is better. Rows of equal score are taken together, in which COCO's evaluation
    goes by the order of the rows.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        Two classes; in detection, whether a detection matches an object.
    y_score : array-like of shape (n_rows,)
        Higher means more probably positive.
    pos_label : object, default=None
        The positive class. 1 and True are taken beside 0, -1 and False; with other labels it
        must be named.
    sample_weight : array-like of shape (n_rows,), default=None
    recall_levels : int, default=101
        From 0 to 1, both included; at least 2.
    n_positives : float, default=None
        All objects, those included that have no score; by default the positive rows.

    Returns
    -------
    float
        NaN, with an UndefinedMetricWarning, where there are no positives.

    Raises
    ------
    ValueError
        Where scores are NaN, ``y_true`` has more than two classes, or ``n_positives`` is less
        than the positives that have a score.

    See Also
    --------
    skmetrics_ext.counts.ScoreCounts.interpolated_average_precision : With its interval.
    skmetrics_ext.counts.mean_interpolated_average_precision : The mean over classes.

    References
    ----------
    Lin, T.-Y. et al. (2014), https://doi.org/10.1007/978-3-319-10602-1_48.

    Examples
    --------
    >>> from skmetrics_ext.metrics import interpolated_average_precision_score
    >>> round(interpolated_average_precision_score([1, 0, 1], [0.9, 0.8, 0.7]), 4)
    0.835
    """
    counts = ScoreCounts.from_predictions(
        y_true, y_score, pos_label=pos_label, sample_weight=sample_weight
    )
    return float(
        counts.interpolated_average_precision(
            recall_levels=recall_levels, n_positives=n_positives, confidence_level=None
        )
    )
