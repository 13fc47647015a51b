"""Declining to answer: how many rows are answered, and how right those answers are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from skmetrics_ext._labels import decide_classes, group_column
from skmetrics_ext.counts import ConfusionCounts, ScoreCounts

__all__ = [
    "RiskCoverageCurve",
    "area_under_risk_coverage_loss",
    "coverage_score",
    "risk_coverage_curve",
    "selective_accuracy_score",
]


def coverage_score(
    y_true: Any, y_pred: Any, *, actions: Any = None, labels: Any = None, sample_weight: Any = None
) -> float:
    """What share of the rows was answered, and not declined?

    Higher is better, from 0 to 1, at equal accuracy of the answers: see
    `selective_accuracy_score`.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        True labels.
    y_pred : array-like of shape (n_rows,)
        Answers: labels, or `actions`.
    actions : array-like, default=None
        The answers that are no class, such as ["refer"]: rows with one of them are declined.
    labels : array-like of shape (K,), default=None
        The classes; they must cover the data.
    sample_weight : array-like of shape (n_rows,), default=None

    Returns
    -------
    float

    Raises
    ------
    ValueError
        Where `y_pred` holds a value that no row has in truth, and neither `actions` nor `labels`
        says whether that is a class; or a label outside `labels` and `actions`.

    References
    ----------
    El-Yaniv, R. and Wiener, Y. (2010). On the foundations of noise-free selective
    classification. Journal of Machine Learning Research 11, 1605-1641.
    https://www.jmlr.org/papers/v11/el-yaniv10a.html

    Examples
    --------
    >>> from skmetrics_ext.metrics import coverage_score
    >>> coverage_score([0, 0, 1, 1], [0, -1, 1, 0], actions=[-1])
    0.75
    """
    counts = _counted(y_true, y_pred, actions, labels, sample_weight)
    return float(counts.w[:, : len(counts.labels)].sum() / counts.w.sum())


def selective_accuracy_score(
    y_true: Any, y_pred: Any, *, actions: Any = None, labels: Any = None, sample_weight: Any = None
) -> float:
    """Of the rows that were answered, what share was answered right?

    Higher is better, from 0 to 1, at equal `coverage_score`: a classifier that answers only the
    easy rows is right on nearly all of them.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        True labels.
    y_pred : array-like of shape (n_rows,)
        Answers: labels, or `actions`.
    actions : array-like, default=None
        The answers that are no class, such as ["refer"]: rows with one of them are left out.
    labels : array-like of shape (K,), default=None
        The classes; they must cover the data.
    sample_weight : array-like of shape (n_rows,), default=None

    Returns
    -------
    float

    Raises
    ------
    ValueError
        Where every row was declined; where `y_pred` holds a value that no row has in truth, and
        neither `actions` nor `labels` says whether that is a class; or a label outside them.

    See Also
    --------
    skmetrics_ext.counts.ConfusionCounts.estimate : With ``on="answered"`` any metric of the rows
        answered, with its interval.

    References
    ----------
    El-Yaniv, R. and Wiener, Y. (2010). On the foundations of noise-free selective
    classification. Journal of Machine Learning Research 11, 1605-1641.
    https://www.jmlr.org/papers/v11/el-yaniv10a.html

    Examples
    --------
    >>> from skmetrics_ext.metrics import selective_accuracy_score
    >>> selective_accuracy_score([0, 0, 1, 1], [0, -1, 1, 0], actions=[-1])
    0.6666666666666666
    """
    counts = _counted(y_true, y_pred, actions, labels, sample_weight)
    return float(counts.estimate("accuracy", on="answered", confidence_level=None))


@dataclass(frozen=True, repr=False, eq=False)
class RiskCoverageCurve:
    """What is answered and what is wrong of it, for each confidence to answer from.

    Attributes
    ----------
    thresholds : ndarray of shape (T,)
        Each distinct confidence, from the highest down: rows of it or more are answered.
    coverage : ndarray of shape (T,)
        The share of rows answered; the last is 1.
    risk : ndarray of shape (T,)
        The share of those that are answered wrong; lower is better. The last is the error rate.
    n : int
        The rows.

    Examples
    --------
    >>> from skmetrics_ext.metrics import risk_coverage_curve
    >>> curve = risk_coverage_curve([0, 0, 1, 1], [0, 1, 1, 1], [0.9, 0.6, 0.9, 0.7])
    >>> curve.coverage.tolist(), curve.risk.tolist()
    ([0.5, 0.75, 1.0], [0.0, 0.0, 0.25])
    >>> curve.area
    0.0625
    """

    thresholds: np.ndarray
    coverage: np.ndarray
    risk: np.ndarray
    n: int

    @property
    def area(self) -> float:
        """See `area_under_risk_coverage_loss`."""
        return float(self.risk @ np.diff(self.coverage, prepend=0.0))

    def columns(self) -> Mapping[str, np.ndarray]:
        """The columns by name, each of the length of the curve."""
        return {name: getattr(self, name) for name in ("thresholds", "coverage", "risk")}

    def __repr__(self) -> str:
        rows = "1 row" if self.n == 1 else f"{self.n} rows"
        many = len(self.thresholds)
        levels = "1 confidence" if many == 1 else f"{many} distinct confidences"
        return (
            f"RiskCoverageCurve: {rows} at {levels}; {self.risk[-1]:.3f} are wrong when all are "
            f"answered, and {self.area:.3f} over all coverages (the area)"
        )

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self))}</p>"


def risk_coverage_curve(
    y_true: Any, y_pred: Any, confidence: Any, *, sample_weight: Any = None
) -> RiskCoverageCurve:
    """If only the surest rows are answered, how wrong are those answers?

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        True labels.
    y_pred : array-like of shape (n_rows,)
        What would be answered: labels, none of them declined.
    confidence : array-like of shape (n_rows,)
        Any number that is higher where the answer is surer, such as
        ``predict_proba(X).max(axis=1)``. Rows of equal confidence are answered together or not
        at all.
    sample_weight : array-like of shape (n_rows,), default=None

    Returns
    -------
    RiskCoverageCurve
        Arrays ``thresholds``, ``coverage`` and ``risk``, from the surest rows to all rows, and
        ``area``.

    Raises
    ------
    ValueError
        Where columns differ in length, are empty or have missing values.

    References
    ----------
    Geifman, Y. and El-Yaniv, R. (2017). Selective classification for deep neural networks.
    Advances in Neural Information Processing Systems 30. https://arxiv.org/abs/1705.08500

    Examples
    --------
    >>> from skmetrics_ext.metrics import risk_coverage_curve
    >>> curve = risk_coverage_curve([0, 0, 1, 1], [0, 1, 1, 1], [0.9, 0.6, 0.9, 0.7])
    >>> curve.thresholds.tolist(), curve.coverage.tolist(), curve.risk.tolist()
    ([0.9, 0.7, 0.6], [0.5, 0.75, 1.0], [0.0, 0.0, 0.25])
    >>> curve
    RiskCoverageCurve: 4 rows at 3 distinct confidences; 0.250 are wrong when all are answered, \
and 0.062 over all coverages (the area)
    """
    # Rows answered right are the positives, confidence the score: those answered are the rows
    # "predicted positive", and the share of them that is right is precision.
    right = _right(y_true, y_pred)
    counts = ScoreCounts.from_predictions(
        right, confidence, pos_label=True, sample_weight=sample_weight
    )
    thresholds, values = counts.metric_curve(["precision", "predicted_positive_rate"])
    # Nobody is answered at the first threshold; where nothing weighs, nothing is known.
    some = values["predicted_positive_rate"] > 0
    return RiskCoverageCurve(
        thresholds[some],
        values["predicted_positive_rate"][some],
        1.0 - values["precision"][some],
        len(right),
    )


def area_under_risk_coverage_loss(
    y_true: Any, y_pred: Any, confidence: Any, *, sample_weight: Any = None
) -> float:
    """How wrong are the answers, on average over how many of the surest rows are answered?

    The mean, over all rows, of the risk when just the rows of that row's confidence or more are
    answered: the area under the steps of `risk_coverage_curve`. Lower is better, from 0 to 1:
    0 where all answers are right, the error rate where the confidence is the same for all rows.
    It mixes how right the answers are with how well the confidence ranks them, so compare it
    between confidences for the same answers.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_rows,)
        True labels and answers.
    confidence : array-like of shape (n_rows,)
        Higher where the answer is surer. Rows of equal confidence are not split.
    sample_weight : array-like of shape (n_rows,), default=None

    Returns
    -------
    float

    Raises
    ------
    ValueError
        Where columns differ in length, are empty or have missing values.

    References
    ----------
    Geifman, Y., Uziel, G. and El-Yaniv, R. (2019). Bias-reduced uncertainty estimation for deep
    neural classifiers. ICLR. https://arxiv.org/abs/1805.08206

    Examples
    --------
    >>> from skmetrics_ext.metrics import area_under_risk_coverage_loss
    >>> area_under_risk_coverage_loss([0, 0, 1, 1], [0, 1, 1, 1], [0.9, 0.6, 0.9, 0.7])
    0.0625
    >>> area_under_risk_coverage_loss([0, 0, 1, 1], [0, 1, 1, 1], [0.5, 0.5, 0.5, 0.5])
    0.25
    """
    return risk_coverage_curve(y_true, y_pred, confidence, sample_weight=sample_weight).area


def _counted(
    y_true: Any, y_pred: Any, actions: Any, labels: Any, sample_weight: Any
) -> ConfusionCounts:
    if actions is None and labels is None:
        _refuse_unsaid(y_true, y_pred)
    return ConfusionCounts.from_predictions(
        y_true, y_pred, labels=labels, actions=actions, sample_weight=sample_weight
    )


def _refuse_unsaid(y_true: Any, y_pred: Any) -> None:
    """An answer that no row has in truth may be a class or a way to decline: nobody can tell."""
    truth, answer = group_column(y_true, name="y_true"), group_column(y_pred, name="y_pred")
    classes = truth.values[truth.seen()].tolist()
    unknown = [v for v in answer.values[answer.seen()].tolist() if v not in classes]
    if unknown:
        raise ValueError(
            f"y_pred holds {unknown}, which no row has in truth. Say whether that is a way to "
            f"decline, as in actions={unknown}, or a class, by labels=[...]."
        )


def _right(y_true: Any, y_pred: Any) -> np.ndarray:
    """Which rows are answered right, whatever the labels are."""
    truth, answer = group_column(y_true, name="y_true"), group_column(y_pred, name="y_pred")
    if len(truth) != len(answer):
        raise ValueError(
            f"y_true and y_pred must have the same number of rows; y_true has {len(truth)}, "
            f"y_pred has {len(answer)}."
        )
    classes = decide_classes(truth, answer, truth.seen(), answer.seen())
    of_truth = classes.true_index[truth.codes.astype(np.intp) - truth.offset]
    return of_truth == classes.pred_index[answer.codes.astype(np.intp) - answer.offset]
