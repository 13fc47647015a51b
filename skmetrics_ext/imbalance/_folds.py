"""The splits on whose held-out rows corrections are fitted."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from sklearn import get_config
from sklearn.model_selection import StratifiedKFold
from sklearn.utils.metadata_routing import process_routing
from sklearn.utils.validation import has_fit_parameter

from skmetrics_ext.imbalance._rows import Rows, select_rows

__all__ = ["draw_splits", "lacking", "part_groups", "too_few_for"]

Split = tuple[np.ndarray, np.ndarray]


def part_groups(
    wrapper: Any, splitter: Any, sample_weight: Any, params: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What goes to ``splitter.split``, and what is left for the estimator.

    Without metadata routing ``groups`` go to a splitter that uses them, and to an estimator that
    takes them or where the splitter does not; with it on, to whoever requests them.
    """
    if get_config()["enable_metadata_routing"]:
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        routed = process_routing(wrapper, "fit", **weights, **params)
        return dict(routed.splitter.split) if "splitter" in routed else {}, params
    if params.get("groups") is None or not _uses_groups(splitter):
        return {}, params
    groups = {"groups": params["groups"]}
    estimator = wrapper.estimator
    # A search, or a tuned threshold, hands them on to a splitter of its own.
    splits = hasattr(estimator, "refit") and hasattr(estimator, "cv")
    if splits or has_fit_parameter(estimator, "groups"):
        return groups, params
    return groups, {name: value for name, value in params.items() if name != "groups"}


def _uses_groups(splitter: Any) -> bool:
    if not hasattr(splitter, "get_metadata_routing"):
        return True
    return splitter.get_metadata_routing().split.requests.get("groups") is True


def too_few_for(splitter: Any, y: np.ndarray) -> str:
    """Why a stratified splitter cannot put each class into every fold; '' where it can."""
    if not isinstance(splitter, StratifiedKFold):
        return ""
    labels, counts = np.unique(y, return_counts=True)
    k = int(counts.argmin())
    if counts[k] >= splitter.n_splits:
        return ""
    return (
        f"class {labels.tolist()[k]!r} has {counts[k]} row(s), and cv has {splitter.n_splits} folds"
    )


def draw_splits(
    cv: Any, splitter: Any, rows: Rows, kept: np.ndarray, n_given: int, params: dict[str, Any]
) -> list[Split]:
    """Indices into ``rows`` of training and of held-out rows.

    ``rows`` are the rows ``kept`` of the ``n_given`` that `fit` was given. A splitter draws
    among those kept; splits that come as a list are in terms of all rows given.
    """
    if cv is None or isinstance(cv, Integral) or hasattr(cv, "split"):
        params = select_rows(params, n_given, kept) if len(kept) < n_given else params
        return [(train, test) for train, test in splitter.split(rows.X, rows.y, **params)]
    position = np.full(n_given, -1)
    position[kept] = np.arange(len(kept))
    splits = []
    for parts in splitter.split():
        # A mask of booleans picks the same as the numbers of its rows.
        train, test = (position[np.asarray(part)] for part in parts)
        splits.append((train[train >= 0], test[test >= 0]))
    return splits


def lacking(splits: list[Split], codes: np.ndarray, classes: np.ndarray, needed: int) -> str:
    """Why classifiers fitted on these splits would not do; '' where they do.

    Each class must have ``needed`` rows in every training fold, and one that is held out.
    """
    n_held_out = np.zeros(len(classes), dtype=int)
    for k, (train, test) in enumerate(splits):
        counts = np.bincount(codes[train], minlength=len(classes))
        poorest = int(counts.argmin())
        if counts[poorest] < needed:
            return (
                f"training fold number {k} has {counts[poorest]} row(s) of class "
                f"{classes.tolist()[poorest]!r}"
            )
        n_held_out += np.bincount(codes[test], minlength=len(classes))
    if (n_held_out == 0).any():
        return f"class {classes[n_held_out == 0].tolist()[0]!r} is in no held-out fold"
    return ""
