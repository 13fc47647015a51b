"""What the methods of ScoreCounts are asked, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from skmetrics_ext.counts._estimate import Estimate
from skmetrics_ext.counts._score_best_cost import BestCost
from skmetrics_ext.counts._score_ranking import Ranking
from skmetrics_ext.counts._warn import warn_undefined_metric
from skmetrics_ext.intervals._interval import check_level

__all__ = [
    "level",
    "object_counts",
    "required_objects",
    "required_max_fpr",
    "required_recall_levels",
    "required_thresholds",
    "warn_undefined",
]

_NEEDS = {
    "average_precision": "rows of the positive class",
    "best_cost": "rows with weight",
    "interpolated_average_precision": "objects to find",
}


def level(confidence_level: float | None) -> float | None:
    """The two-sided z of a confidence level; None where no interval is wanted."""
    return None if confidence_level is None else check_level(confidence_level)


def required_max_fpr(max_fpr: Any) -> float:
    """A false positive rate above 0, at most 1."""
    if isinstance(max_fpr, bool) or not isinstance(max_fpr, (int, float, np.number)):
        raise ValueError(f"max_fpr must be a number above 0, at most 1; got {max_fpr!r}.")
    if not 0 < max_fpr <= 1:
        raise ValueError(f"max_fpr must be above 0 and at most 1; got {max_fpr!r}.")
    return float(max_fpr)


def required_recall_levels(recall_levels: Any) -> int:
    """A whole number of recalls, 2 or more."""
    whole = isinstance(recall_levels, (int, np.integer)) and not isinstance(recall_levels, bool)
    if not whole or recall_levels < 2:
        raise ValueError(f"recall_levels must be a whole number, 2 or more; got {recall_levels!r}.")
    return int(recall_levels)


def required_thresholds(thresholds: Any) -> np.ndarray:
    """Thresholds as float64 (T,), without NaN."""
    try:
        cuts = np.atleast_1d(np.asarray(thresholds, dtype=np.float64))
    except (TypeError, ValueError):
        raise ValueError(f"thresholds must hold numbers; got {thresholds!r}.") from None
    if cuts.ndim != 1 or len(cuts) == 0:
        raise ValueError(f"thresholds must be one-dimensional, not empty; got shape {cuts.shape}.")
    if np.isnan(cuts).any():
        raise ValueError(f"thresholds must not be NaN; got {cuts.tolist()}.")
    return cuts


def object_counts(
    n_positives: Any, rankings: Sequence[Ranking], groups: Sequence[Any] | None
) -> dict[Any, float]:
    """The objects of each subgroup (key None without subgroups): at least the scored ones."""
    if n_positives is None:
        return {}
    if isinstance(n_positives, Mapping):
        if groups is None:
            raise ValueError("n_positives names subgroups, and there are none: pass a number.")
        if set(n_positives) != set(groups):
            raise ValueError(
                f"n_positives must name every subgroup of {list(groups)} and no other; it names "
                f"{list(n_positives)}."
            )
        objects = dict(n_positives)
    elif groups is not None:
        raise ValueError(
            f"n_positives must say how many for each subgroup, {{group: number}}; got "
            f"{n_positives!r} for the subgroups {list(groups)}."
        )
    else:
        objects = {None: n_positives}
    for ranking, group in zip(rankings, groups or (None,), strict=True):
        scored = float(ranking.w[1].sum())
        objects[group] = required_objects(objects[group], scored, group)
    return objects


def required_objects(number: Any, scored: float, group: Any) -> float:
    """A number of objects, at least the positives that have a score."""
    inside = "" if group is None else f" in {group!r}"
    if isinstance(number, bool) or not isinstance(number, (int, float, np.number)):
        raise ValueError(f"n_positives must be a number{inside}; got {number!r}.")
    # Sums of weights may differ by rounding.
    if not scored * (1 - 1e-12) <= number < np.inf:
        raise ValueError(
            f"n_positives must count at least the positives that have a score, "
            f"{scored:g}{inside}; got {number!r}."
        )
    return max(float(number), scored)


def warn_undefined(name: str, estimates: Sequence[Estimate | BestCost]) -> None:
    """Warn where a value is NaN, naming the subgroups."""
    undefined = [e.group for e in estimates if np.isnan(e.value)]
    if not undefined:
        return
    where = "" if undefined == [None] else f" in the subgroups {undefined}"
    warn_undefined_metric(
        f"{name} needs {_NEEDS.get(name, 'rows of both classes')}{where}: undefined, NaN."
    )
