"""The AUC of two scores of the same rows: DeLong's paired comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import norm

from skmetrics_ext._labels import group_column
from skmetrics_ext.counts._score_columns import score_array, truth
from skmetrics_ext.counts._score_ranking import Ranking, rank
from skmetrics_ext.counts._score_roc import area_to, class_factors
from skmetrics_ext.counts._tabulate import check_sample_weight
from skmetrics_ext.counts._warn import warn_undefined_metric
from skmetrics_ext.intervals._interval import check_level

__all__ = ["PairedAUC", "paired_roc_auc"]

_NEAR = 1e-12


@dataclass(frozen=True)
class PairedAUC:
    """How much better score A ranks than score B, on the same rows.

    Attributes
    ----------
    difference : float
        ``auc_a - auc_b``; ``float(result)`` is the same.
    low, high : float
        Its interval at ``confidence_level``.
    se : float
        Its standard error, which knows that the two scores go together.
    z, p_value : float
        The two-sided test of no difference.
    auc_a, auc_b, se_a, se_b : float
        Each score by itself.
    n_positives, n_negatives : int
        Rows of each class.
    confidence_level : float
    pos_label : object

    Examples
    --------
    >>> from skmetrics_ext.counts import paired_roc_auc
    >>> auc = paired_roc_auc([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6], [2, 1, 5, 3, 4, 6])
    >>> round(auc.auc_a, 3), round(auc.auc_b, 3), round(auc.difference, 3)
    (0.889, 0.778, 0.111)
    """

    difference: float
    low: float
    high: float
    se: float
    z: float
    p_value: float
    auc_a: float
    auc_b: float
    se_a: float
    se_b: float
    n_positives: int
    n_negatives: int
    confidence_level: float
    pos_label: Any = None

    def __float__(self) -> float:
        return self.difference

    def __str__(self) -> str:
        return (
            f"roc_auc of {self.pos_label!r}, A - B: {self.difference:+.3f} [{self.low:+.3f}, "
            f"{self.high:+.3f}] ({self.auc_a:.3f} - {self.auc_b:.3f}; {self.n_positives} "
            f"positives, {self.n_negatives} negatives, DeLong; p = {self.p_value:.3g})"
        )


def paired_roc_auc(
    y_true: Any,
    y_score_a: Any,
    y_score_b: Any,
    *,
    pos_label: Any = None,
    sample_weight: Any = None,
    confidence_level: float = 0.95,
) -> PairedAUC:
    """Compare the AUC of two scores of the same rows, by DeLong's paired test.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        Two classes.
    y_score_a, y_score_b : array-like of shape (n_rows,)
        Higher means more probably positive; each on a scale of its own.
    pos_label : object, default=None
        The positive class. 1 and True are taken beside 0, -1 and False; with other labels it
        must be named.
    sample_weight : array-like of shape (n_rows,), default=None
    confidence_level : float, default=0.95

    Returns
    -------
    PairedAUC
        All NaN, with an UndefinedMetricWarning, where a class has no rows.

    Raises
    ------
    ValueError
        As `ScoreCounts.from_predictions` does.

    Notes
    -----
    Where the placements of all rows differ alike (the two rank the same, or both perfectly)
    DeLong's variance is 0. The interval then allows for as large a share of rows, on which
    the two differ as much as they can, as Wilson's interval allows for when none of so many
    was seen; z is NaN, and p_value 1 where there is no difference, else NaN.

    References
    ----------
    DeLong, E. R., DeLong, D. M. and Clarke-Pearson, D. L. (1988), https://doi.org/10.2307/2531595.

    Examples
    --------
    >>> from skmetrics_ext.counts import paired_roc_auc
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> print(paired_roc_auc(y, [1, 2, 3, 6, 4, 5, 7, 8], [1, 5, 3, 6, 4, 2, 7, 8]))
    ... # doctest: +NORMALIZE_WHITESPACE
    roc_auc of 1, A - B: +0.188 [-0.144, +0.519] (0.875 - 0.688; 4 positives, 4 negatives, DeLong;
    p = 0.268)
    """
    positive, (_, pos) = truth(group_column(y_true, name="y_true"), pos_label)
    z = check_level(confidence_level)
    scores = [
        score_array(values, len(positive), name=name)
        for name, values in (("y_score_a", y_score_a), ("y_score_b", y_score_b))
    ]
    weights = np.ones(len(positive))
    if sample_weight is not None:
        weights = check_sample_weight(sample_weight, len(positive))
    about: dict[str, Any] = {
        "n_positives": int(positive.sum()),
        "n_negatives": int((~positive).sum()),
        "confidence_level": confidence_level,
        "pos_label": pos,
    }
    rankings = [rank(values, positive, weights, None) for values in scores]
    if not rankings[0].w.any(axis=1).all():
        warn_undefined_metric("paired_roc_auc needs rows of both classes: undefined, NaN.")
        return PairedAUC(*[np.nan] * 10, **about)  # type: ignore[arg-type]  # ten floats
    areas, placements = zip(
        *(
            _placements(ranking, values, positive)
            for ranking, values in zip(rankings, scores, strict=True)
        ),
        strict=True,
    )
    factors = class_factors(rankings[0])[positive.astype(np.intp)] * weights**2

    def error(slopes: np.ndarray) -> float:
        return float(np.sqrt((factors * slopes**2).sum()))

    difference, se = areas[0] - areas[1], error(placements[0] - placements[1])
    if se > _NEAR:
        half, statistic = z * se, difference / se
        p_value = float(2 * norm.sf(abs(statistic)))
    else:
        rows = min(rankings[0].of_class(0)[1], rankings[0].of_class(1)[1])
        half, statistic = z**2 / (rows + z**2), np.nan
        p_value = 1.0 if abs(difference) < _NEAR else np.nan
    return PairedAUC(
        difference,
        max(difference - half, -1.0),
        min(difference + half, 1.0),
        se,
        statistic,
        p_value,
        *areas,
        *map(error, placements),
        **about,
    )


def _placements(
    ranking: Ranking, scores: np.ndarray, positive: np.ndarray
) -> tuple[float, np.ndarray]:
    """The area, and each row's placement among the other class less the mean placement."""
    area = area_to(ranking, 1.0)
    place = np.searchsorted(ranking.low, scores)
    return area.value, area.slopes[positive.astype(np.intp), place]
