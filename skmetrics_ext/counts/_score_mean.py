"""The mean over classes of the interpolated average precision: detection's headline number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from skmetrics_ext.counts._estimate import Estimate
from skmetrics_ext.counts._score_checks import (
    level,
    object_counts,
    required_objects,
    required_recall_levels,
)
from skmetrics_ext.counts._score_precision import interpolated_average_precision, share_interval
from skmetrics_ext.counts._scores import ScoreCounts
from skmetrics_ext.counts._warn import warn_undefined_metric

__all__ = ["mean_interpolated_average_precision"]


def mean_interpolated_average_precision(
    counts: ScoreCounts,
    *,
    recall_levels: int = 101,
    n_positives: Mapping[Any, float] | None = None,
    confidence_level: float | None = 0.95,
) -> Estimate:
    """The mean over classes of the interpolated average precision: detection's mAP.

    Parameters
    ----------
    counts : ScoreCounts with subgroups
        ``by=`` the class that each detection is of; positive where it matches an object.
    recall_levels : int, default=101
        As in `ScoreCounts.interpolated_average_precision`.
    n_positives : mapping {class: number}, default=None
        All objects of each class, those without a detection included. A class of which there
        is no detection counts with 0. By default the positive rows.
    confidence_level : float or None, default=0.95

    Returns
    -------
    Estimate
        ``average="macro"``; range 0 to 1, higher is better. Its standard error takes the
        classes as independent. Classes without objects are left out, with an
        UndefinedMetricWarning, as COCO's evaluation leaves them out; NaN where none is left.

    Raises
    ------
    ValueError
        Where the counts have no subgroups, or ``n_positives`` leaves out one of them.

    Examples
    --------
    >>> from skmetrics_ext.counts import ScoreCounts, mean_interpolated_average_precision
    >>> detections = ScoreCounts.from_predictions(
    ...     [1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5], by=["car", "car", "car", "dog", "dog"]
    ... )
    >>> objects = {"car": 2, "dog": 1, "cat": 3}
    >>> mean = mean_interpolated_average_precision(detections, n_positives=objects)
    >>> print(round(mean.value, 3))
    0.612
    """
    levels, z = required_recall_levels(recall_levels), level(confidence_level)
    if counts.groups is None:
        raise ValueError(
            "counts must have the classes as subgroups: ScoreCounts.from_predictions(..., by=)."
        )
    objects: dict[Any, float] = {}
    if n_positives is not None:
        if not isinstance(n_positives, Mapping):
            raise ValueError(
                f"n_positives must be a mapping {{class: number}}; got {n_positives!r}."
            )
        undetected = {
            k: required_objects(v, 0.0, k) for k, v in n_positives.items() if k not in counts.groups
        }
        scored = {k: v for k, v in n_positives.items() if k in counts.groups}
        objects = {**object_counts(scored, counts.rankings, counts.groups), **undetected}
    values, variances, rows, skipped = [], [], 0.0, []
    for ranking, group in zip(counts.rankings, counts.groups, strict=True):
        one = interpolated_average_precision(ranking, levels, objects.get(group), None)
        if np.isnan(one.value):
            skipped.append(group)
            continue
        values.append(one.value)
        variances.append(one.se**2)
        rows += ranking.of_class(1)[1]
    for group, number in objects.items():
        if group in counts.groups:
            continue
        if number > 0:
            values.append(0.0)
        else:
            skipped.append(group)
    if skipped:
        warn_undefined_metric(
            f"interpolated_average_precision needs objects to find; the classes {skipped} have "
            "none and are left out of the mean."
        )
    mean = float(np.mean(values)) if values else np.nan
    shown = z is not None
    variance = sum(variances) / len(values) ** 2 if values else np.nan
    interval = share_interval(mean, variance, max(rows, 1.0), z)
    return Estimate(
        metric="interpolated_average_precision",
        value=mean,
        n=sum(int(ranking.n.sum()) for ranking in counts.rankings),
        low=interval.low if shown else None,
        high=interval.high if shown else None,
        se=interval.se if shown else None,
        confidence_level=confidence_level,
        method=interval.method if shown else None,
        average="macro",
    )
