"""What the best threshold costs on rows that it was not chosen on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold, check_cv

from skmetrics_ext._labels import encode, same_label
from skmetrics_ext.counts import ConfusionCounts, ScoreCounts
from skmetrics_ext.report._evidence import Evidence

__all__ = ["cross_fitted"]


def cross_fitted(
    evidence: Evidence,
    y_true: Any,
    score: np.ndarray,
    sample_weight: Any,
    clusters: Any,
    cv: Any,
    random_state: Any,
) -> Evidence:
    """The decisions at the cheapest threshold of all other folds, fold by fold.

    As it came where the rows do not suffice: the best threshold is then in-sample.
    """
    costs = evidence.cost_matrix
    if len(evidence.labels) != 2 or costs is None or costs.extra_actions:
        return evidence
    classes = np.array(evidence.labels)
    codes = encode(y_true, classes)
    place = int(same_label(evidence.labels[1], evidence.pos_label))
    weights = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    counted = np.ones(len(codes), dtype=bool) if weights is None else weights > 0
    groups = None if clusters is None else np.asarray(clusters)
    folds = _folds(cv, codes, counted, groups, random_state)
    answered = np.zeros(len(codes), dtype=bool)
    thresholds = []
    for train, test in folds:
        if len(np.unique(codes[train][counted[train]])) < 2:
            return evidence
        some = ScoreCounts.from_predictions(
            classes[codes[train]],
            score[train],
            pos_label=evidence.pos_label,
            sample_weight=None if weights is None else weights[train],
        )
        cut = some.best_cost(costs).threshold
        thresholds.append(float(cut))
        answered[test] = score[test] >= cut
    if not thresholds:
        return evidence
    counts = ConfusionCounts.from_predictions(
        classes[codes],
        classes[np.where(answered, place, 1 - place)],
        labels=classes,
        sample_weight=sample_weight,
        clusters=clusters,
    )
    return replace(evidence, cross_fitted=counts, fold_thresholds=tuple(thresholds))


def _folds(
    cv: Any, codes: np.ndarray, counted: np.ndarray, groups: Any, random_state: Any
) -> Sequence[tuple[np.ndarray, np.ndarray]]:
    """Every row in the test rows of one fold; none where the rows are too few to split."""
    if isinstance(cv, int):
        most = [int(np.bincount(codes[counted], minlength=2).min())]
        if groups is not None:
            most.append(len(np.unique(groups)))
        if cv > 1 and min(most) < 2:
            return []
        kind = StratifiedKFold if groups is None else StratifiedGroupKFold
        splits = min(cv, *most) if cv > 1 else cv
        cv = kind(splits, shuffle=True, random_state=random_state)
    splitter = check_cv(cv, codes, classifier=True)
    folds = [
        (train, test)
        for train, test in splitter.split(codes[:, None], codes, groups)
        if len(test)  # few clusters can leave a fold empty
    ]
    tested = np.bincount(np.concatenate([test for _, test in folds]), minlength=len(codes))
    if not (tested == 1).all():
        raise ValueError(
            "cv must test each row exactly once, so that the cost is that of all rows; got "
            f"{cv!r}, which tests rows from {tested.min()} to {tested.max()} times."
        )
    return folds
