"""How far what is counted in bins can be from what the scores themselves would give.

The tables at the cuts between bins are exact; only what lies within a bin is not known.
"""

from __future__ import annotations

import numpy as np

from skmetrics_ext.counts._score_ranking import Ranking

__all__ = ["area_error", "cost_error"]


def area_error(ranking: Ranking, max_fpr: float = 1.0) -> float:
    """How far the area under the ROC curve up to ``max_fpr`` can be from that of the scores.

    Within a bin the curve may take any way up through a rectangle, of which the area in bins
    takes the diagonal: half the product of the two classes' shares. Of a bin that ``max_fpr``
    cuts through only the part up to there counts. A bin with one distinct score adds nothing.
    NaN where a class has no weight.
    """
    totals = ranking.w.sum(axis=1, keepdims=True)
    if not totals.all():
        return np.nan
    width, height = ranking.w / totals
    above = np.cumsum(width[::-1])[::-1] - width
    reach = np.clip(max_fpr - above, 0.0, width)
    unknown = reach * (1 - reach / (2 * np.where(width > 0, width, 1.0)))
    return float((height * unknown)[_mixed(ranking)].sum())


def cost_error(ranking: Ranking, false_alarm: float, missed: float) -> float:
    """How much less than at the best cut between bins the mean cost can be at another cut.

    ``false_alarm`` and ``missed`` are regrets, per row: what the mistake costs more than the
    right answer. A cut within a bin saves at most the cheaper of having all its negatives
    answered positive and all its positives answered negative. Where one of the two answers is
    never dearer no cut is better than one end of the ranking. NaN without any weight.
    """
    total = ranking.w.sum()
    if total == 0:
        return np.nan
    if np.sign(false_alarm) != np.sign(missed):
        return 0.0
    negatives, positives = ranking.w
    savings = np.minimum(abs(false_alarm) * negatives, abs(missed) * positives)
    return float(savings[_mixed(ranking)].max(initial=0.0) / total)


def _mixed(ranking: Ranking) -> np.ndarray:
    """The bins of more than one distinct score."""
    return ranking.low != ranking.high
