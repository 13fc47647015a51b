"""Scores taken as probabilities: the Brier score and calibration."""

from __future__ import annotations

from typing import Any

import numpy as np

from skmetrics_ext.counts._score_bins import bin_of, check_bin_number
from skmetrics_ext.counts._score_precision import share_interval
from skmetrics_ext.counts._score_ranking import Ranking
from skmetrics_ext.counts._score_tables import BrierScore, CalibrationTable
from skmetrics_ext.intervals._scales import wilson_limits

__all__ = ["as_edges", "brier_score", "calibration_table", "require_probabilities"]


def require_probabilities(ranking: Ranking, what: str) -> None:
    """Refuse scores outside [0, 1], and those of which only the bin is known."""
    outside = (ranking.low < 0) | (ranking.high > 1)
    if outside.any():
        raise ValueError(
            f"{what} needs probabilities, scores between 0 and 1; "
            f"{int(ranking.n[:, outside].sum())} of {int(ranking.n.sum())} are outside, such as "
            f"{ranking.low[outside][0]}."
        )
    if (ranking.low != ranking.high).any():
        raise ValueError(
            f"{what} needs the scores themselves, and these were counted in bins: count without "
            "bins."
        )


def as_edges(bins: Any) -> int | np.ndarray:
    """A number of equal bins, or increasing inner and outer ends from 0 to 1."""
    if np.ndim(bins) == 0:
        if bins is None:
            raise ValueError("bins must be a whole number, 1 or more, or the ends; got None.")
        check_bin_number(bins)
        return int(bins)
    edges = np.asarray(bins, dtype=np.float64)
    if edges.ndim != 1 or len(edges) < 2 or not (np.diff(edges) > 0).all():
        raise ValueError(f"bins must be a number of bins or increasing ends; got {bins!r}.")
    if edges[0] != 0 or edges[-1] != 1:
        raise ValueError(f"bins must begin at 0 and end at 1; got {edges.tolist()}.")
    return edges


def _places(ranking: Ranking, bins: int | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The bin of each score, and the ends of the bins."""
    if isinstance(bins, int):
        return bin_of(ranking.low, bins), np.arange(bins + 1) / bins
    return np.searchsorted(bins[1:-1], ranking.low, side="right"), bins


def calibration_table(
    ranking: Ranking, bins: int | np.ndarray, z: float | None, **about: Any
) -> CalibrationTable:
    """Counts, mean score and share of positives of each bin that has rows of any weight."""
    place, edges = _places(ranking, bins)
    size = len(edges) - 1

    def total(values: np.ndarray) -> np.ndarray:
        return np.bincount(place, values, minlength=size)

    weight, positives = total(ranking.w.sum(0)), total(ranking.w[1])
    filled = np.flatnonzero(weight > 0)
    weight, positives = weight[filled], positives[filled]
    n = total(ranking.n.sum(0)).astype(np.int64)[filled]
    mean = total(ranking.low * ranking.w.sum(0))[filled] / weight
    share = positives / weight
    negative, positive = (total(row)[filled] for row in ranking.w2)
    variance = (positive * (1 - share) ** 2 + negative * share**2) / weight**2
    inside = (share > 0) & (share < 1)
    rows = np.where(
        inside,
        share * (1 - share) / np.where(inside, variance, 1.0),
        weight**2 / (negative + positive),
    )
    limits = np.full((2, len(filled)), np.nan)
    if z is not None:
        for k, (p, m) in enumerate(zip(share.tolist(), rows.tolist(), strict=True)):
            limits[:, k] = wilson_limits(p, m, z)
    return CalibrationTable(
        edges[filled], edges[filled + 1], n, weight, positives, mean, share, *limits, **about
    )


def brier_score(
    ranking: Ranking, bins: int | np.ndarray | None, z: float | None, **about: Any
) -> BrierScore:
    """The Brier score with Murphy's decomposition over the distinct scores or over bins."""
    w, weight = ranking.w, float(ranking.w.sum())
    losses = np.stack([ranking.low**2, (1 - ranking.low) ** 2])
    value = float((w * losses).sum() / weight)
    squares = float(ranking.w2.sum())
    variance = float((ranking.w2 * (losses - value) ** 2).sum()) / weight**2
    interval = share_interval(value, variance, weight**2 / squares, z)
    place = np.arange(len(ranking.low)) if bins is None else _places(ranking, bins)[0]
    of_bin, positives = np.bincount(place, w.sum(0)), np.bincount(place, w[1])
    filled = of_bin > 0
    divisor = np.where(filled, of_bin, 1.0)
    said, happened = np.bincount(place, w.sum(0) * ranking.low) / divisor, positives / divisor
    prevalence = float(w[1].sum()) / weight
    reliability = float((of_bin * (said - happened) ** 2).sum() / weight)
    resolution = float((of_bin * (happened - prevalence) ** 2).sum() / weight)
    uncertainty = prevalence * (1 - prevalence)
    # The variance within the bins, less twice the covariance of score and outcome there.
    apart = ranking.low - said[place]
    within = float((w.sum(0) * apart**2 - 2 * w[1] * apart).sum() / weight)
    within = 0.0 if bins is None else within  # rounding
    return BrierScore(
        value,
        None if z is None else interval.low,
        None if z is None else interval.high,
        None if z is None else interval.se,
        reliability,
        resolution,
        uncertainty,
        within,
        int(ranking.n.sum()),
        method=None if z is None else interval.method,
        **about,
    )
