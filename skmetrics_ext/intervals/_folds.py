"""Two models on the same folds of a cross-validation."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import t as student

from skmetrics_ext.intervals._interval import check_level

__all__ = ["FoldComparison", "compare_folds"]


@dataclass(frozen=True)
class FoldComparison:
    """The mean difference of two models' scores over the same folds, A - B.

    Attributes
    ----------
    difference : float
    se : float
        Corrected for the training rows that the folds share.
    low, high : float
    confidence_level : float
    t, df, p_value : float, int, float
        The test of no difference, two-sided, with ``df`` degrees of freedom.
    n_folds : int
    test_over_train : float

    Examples
    --------
    >>> from skmetrics_ext.intervals import compare_folds
    >>> a, b = [0.81, 0.84, 0.79, 0.85, 0.83], [0.80, 0.81, 0.80, 0.81, 0.80]
    >>> found = compare_folds(a, b, test_over_train=1 / 4)
    >>> round(found.difference, 3), round(found.p_value, 2), found.df
    (0.02, 0.21, 4)
    """

    difference: float
    se: float
    low: float
    high: float
    confidence_level: float
    t: float
    df: int
    p_value: float
    n_folds: int
    test_over_train: float

    def __float__(self) -> float:
        return self.difference

    def __str__(self) -> str:
        return (
            f"difference A - B of the mean score {self.difference:+.3f} "
            f"[{self.low:+.3f}, {self.high:+.3f}] (t = {self.t:.2f} with {self.df} degrees of "
            f"freedom, p = {self.p_value:.3g}; {self.n_folds} folds, corrected for shared "
            "training rows)"
        )


def compare_folds(
    scores_a: Any, scores_b: Any, test_over_train: float, *, confidence_level: float = 0.95
) -> FoldComparison:
    """Is model A better than model B, judged by their scores on the same folds?

    Folds share training rows, so that their scores are not independent and the plain paired
    t test finds differences that are not there. The variance is enlarged by the share of test
    to training rows (Nadeau and Bengio 2003).

    Parameters
    ----------
    scores_a, scores_b : array-like of shape (n_folds,)
        The scores of both models on the same folds in the same order; repetitions of a
        cross-validation one after the other. As ``cross_val_score`` gives them.
    test_over_train : float
        Test rows over training rows of a fold: 1 / (k - 1) in a k-fold cross-validation.
    confidence_level : float, default=0.95

    Returns
    -------
    FoldComparison
        Where all differences are the same there is no variance to judge by: se is 0, and the
        limits, t and p_value are NaN, with a UserWarning.

    Raises
    ------
    ValueError
        Scores of different lengths, not finite, or of fewer than two folds; a share that is
        not positive; a level outside (0, 1).

    References
    ----------
    Nadeau and Bengio (2003), "Inference for the generalization error",
    https://doi.org/10.1023/A:1024068626366

    Examples
    --------
    >>> from skmetrics_ext.intervals import compare_folds
    >>> a, b = [0.81, 0.84, 0.79, 0.85, 0.83], [0.80, 0.81, 0.80, 0.81, 0.80]
    >>> print(compare_folds(a, b, test_over_train=1 / 4))
    difference A - B of the mean score +0.020 [-0.017, +0.057] (t = 1.49 with 4 degrees of \
freedom, p = 0.21; 5 folds, corrected for shared training rows)
    """
    check_level(confidence_level)
    a, b = _checked_scores(scores_a, scores_b)
    share = _checked_share(test_over_train)
    differences = a - b
    n_folds, mean = len(differences), float(differences.mean())
    # Scores that differ by the same amount on every fold differ by a rounding error or two.
    same = np.ptp(differences) <= 8 * np.finfo(float).eps * max(abs(a).max(), abs(b).max())
    se = 0.0 if same else math.sqrt((1 / n_folds + share) * differences.var(ddof=1))
    low = high = t = p_value = math.nan
    if same:
        warnings.warn(
            f"the scores differ by {mean:g} on each of the {n_folds} folds: there is no variance "
            "to judge the difference by, and low, high, t and p_value are NaN.",
            UserWarning,
            stacklevel=2,
        )
    else:
        t = mean / se
        p_value = float(2 * student.sf(abs(t), n_folds - 1))
        step = se * float(student.ppf(0.5 + confidence_level / 2, n_folds - 1))
        low, high = mean - step, mean + step
    return FoldComparison(
        mean, se, low, high, confidence_level, t, n_folds - 1, p_value, n_folds, share
    )


def _checked_scores(scores_a: Any, scores_b: Any) -> tuple[np.ndarray, np.ndarray]:
    arrays = []
    for name, scores in (("scores_a", scores_a), ("scores_b", scores_b)):
        try:
            array = np.asarray(scores, dtype=np.float64)
        except (TypeError, ValueError):
            raise ValueError(f"{name} must hold numbers; got {scores!r}.") from None
        if array.ndim != 1 or len(array) < 2:
            raise ValueError(
                f"{name} must be one-dimensional with one score per fold, two folds or more; got "
                f"shape {array.shape}."
            )
        if not np.isfinite(array).all():
            raise ValueError(f"{name} must be finite; got {array.tolist()}.")
        arrays.append(array)
    if len(arrays[0]) != len(arrays[1]):
        raise ValueError(
            "scores_a and scores_b must be from the same folds; got "
            f"{len(arrays[0])} and {len(arrays[1])} scores."
        )
    return arrays[0], arrays[1]


def _checked_share(share: Any) -> float:
    number = isinstance(share, (int, float, np.number)) and not isinstance(share, bool)
    if not number or not 0 < share < np.inf:
        raise ValueError(
            "test_over_train must be a positive number, the test rows over the training rows of "
            f"a fold (1 / (k - 1) with k folds); got {share!r}."
        )
    return float(share)
