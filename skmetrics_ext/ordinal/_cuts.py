"""A number is cut into ordered classes, where a criterion is best."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning

from skmetrics_ext._labels import are_words, decide_classes, group_column
from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.counts._score_columns import score_array
from skmetrics_ext.counts._tabulate import check_sample_weight
from skmetrics_ext.ordinal._cuts_criterion import read_criterion

__all__ = ["OptimalCuts", "optimal_cuts"]


class OptimalCuts(NamedTuple):
    """Where to cut a score, and how good that is on the rows it was chosen on.

    Attributes
    ----------
    cuts : ndarray of shape (n_classes - 1,)
        Rising, in units of the score; they may repeat, or be infinite.
    value : float
        The criterion at these cuts, on the rows they were chosen on: optimistic.

    Examples
    --------
    >>> import numpy as np
    >>> from skmetrics_ext.ordinal import optimal_cuts
    >>> found = optimal_cuts([1, 1, 2, 2, 3, 3], [1.4, 1.6, 1.7, 1.9, 2.1, 2.4])
    >>> found.cuts.round(2), found.value
    (array([1.65, 2.  ]), 1.0)
    >>> np.array([1, 2, 3])[np.searchsorted(found.cuts, [1.5, 1.8, 2.2], side="right")]
    array([1, 2, 3])
    """

    cuts: np.ndarray
    value: float


def optimal_cuts(
    y_true: Any,
    y_score: Any,
    *,
    labels: Any = None,
    criterion: Any = "quadratic_kappa",
    sample_weight: Any = None,
) -> OptimalCuts:
    """Where to cut a score into ordered classes, so that kappa or a cost is the best it can be?

    A regression predicts a severity of 1.7: is that 1, or 2? Not always the nearest: a cautious
    model never says 4, and kappa wants it to. These are the best of all cuts, not of those that
    a search happened to try.

    A row goes to the class whose place in the order is the number of cuts at or below its
    score: ``labels[np.searchsorted(cuts, y_score, side="right")]``.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        Labels: numbers sort by value, an ordered Categorical or Enum brings its order.
    y_score : array-like of shape (n_rows,)
        Finite numbers in any unit; higher means a higher class. Scores of rows that the model
        has not learnt from (out of fold), else the cuts fit its overfitting.
    labels : array-like of shape (n_classes,), default=None
        The classes from lowest to highest; required for words without an order, also for two.
        Classes that no row has count for the distances, and may be answered.
    criterion : str, CostMatrix or array-like of shape (n_classes, n_classes), \
default="quadratic_kappa"

        - "quadratic_kappa", "linear_kappa": the weighted kappa is the highest;
        - "absolute", "squared": the mean distance in classes, or its mean square, is the least;
        - a `CostMatrix`, or an array c[i, j], the cost of answering i where the truth is j, in
          the order of ``labels``: the mean cost is the least. ``1 - np.eye(n_classes)`` gives
          the highest accuracy.
    sample_weight : array-like of shape (n_rows,), default=None
        Not negative. Rows of weight zero are left out.

    Returns
    -------
    OptimalCuts
        A pair ``(cuts, value)``. ``cuts`` (n_classes - 1,) rise. They lie between distinct
        scores: at the midpoint, or at the upper one where no number is strictly between. They
        repeat where a class is answered nowhere; minus infinity where that is so of the lowest
        classes, infinity of the highest. Of cuts that are equally good, the lowest.

        ``value`` is the kappa (higher is better), or the mean cost per row (lower is better, in
        the unit of the costs; of "absolute" and "squared" in classes), of these answers. It is
        in-sample: the cuts were chosen on these very rows, so that other rows will do worse.

    Raises
    ------
    ValueError
        Where words have no order, a label is outside ``labels``, a score is missing or
        infinite, or ``criterion`` is none of those above (costs for each row, or of actions
        that are no class).

    Warns
    -----
    UndefinedMetricWarning
        Where kappa is undefined, all rows being of one class: it is answered everywhere, and
        ``value`` is NaN.

    See Also
    --------
    RegressionCutClassifier : Fits a regressor, and cuts its out-of-fold predictions.
    skmetrics_ext.metrics.weighted_kappa_score : Kappa, of these or any other answers.

    Notes
    -----
    A cost is a sum over rows, so that a dynamic program over the sorted distinct scores finds
    the best of all rising cuts, in time proportional to rows times classes after one sort.
    Kappa is one minus the ratio of two such sums, which a few rounds of the same program
    minimise exactly [1]_. Sums that differ by rounding only count as equal; sums and products
    of whole numbers are not rounded while they stay below 2**53.

    References
    ----------
    .. [1] Dinkelbach, W. (1967). On nonlinear fractional programming. Management Science 13(7),
       492-498. https://doi.org/10.1287/mnsc.13.7.492

    Examples
    --------
    >>> from skmetrics_ext.ordinal import optimal_cuts
    >>> stars = [1, 1, 2, 2, 3, 3]
    >>> predicted = [1.4, 1.6, 1.7, 1.9, 2.1, 2.4]
    >>> cuts, value = optimal_cuts(stars, predicted)
    >>> cuts.round(2), value
    (array([1.65, 2.  ]), 1.0)
    """
    column = group_column(y_true, name="y_true")
    seen = column.seen()
    known = criterion.labels if isinstance(criterion, CostMatrix) else None
    classes = decide_classes(
        column, column, seen, seen, labels=labels, known=known, names=("y_true", "y_true")
    )
    _require_order(classes.labels, classes.ordered)
    ranks = classes.true_index[column.codes.astype(np.intp) - column.offset]
    scores = score_array(y_score, len(ranks))
    infinite = int(np.isinf(scores).sum())
    if infinite:
        raise ValueError(
            f"y_score must be finite: {infinite} of {len(scores)} scores are infinite."
        )
    weights = None if sample_weight is None else check_sample_weight(sample_weight, len(ranks))
    measure = read_criterion(criterion, classes.labels)
    cuts, value = measure.best_cuts(scores, ranks, weights)
    if np.isnan(value):
        warnings.warn(
            f"{criterion} is undefined, since all rows are of one class, and its value is NaN; "
            "that class is answered everywhere.",
            UndefinedMetricWarning,
            stacklevel=2,
        )
    return OptimalCuts(cuts, value)


def _require_order(labels: np.ndarray, ordered: bool) -> None:
    """Two words are refused as well: a score cannot tell which of them is the higher one."""
    if not ordered and len(labels) > 1 and are_words(labels):
        shown = labels.tolist()[:20]
        raise ValueError(
            "labels must say which classes are lower and which are higher, since cuts go by "
            f"that: the words {shown} have no order (alphabetical order would silently give wrong "
            f"cuts). Pass labels={shown} rearranged from lowest to highest, or use an ordered "
            "Categorical (pandas) or Enum (polars)."
        )
