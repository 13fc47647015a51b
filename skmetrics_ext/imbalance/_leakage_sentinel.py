"""Sentinel: a whole protocol, run on labels that nothing can predict."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from skmetrics_ext.imbalance._leakage_findings import Finding
from skmetrics_ext.imbalance._leakage_table import Classes

__all__ = ["find_by_shuffled_labels"]

_LEAST_DISTANCE = 0.1
_STANDARD_ERRORS = 4


def find_by_shuffled_labels(
    protocol: Callable[[Any, Any], Any], X: Any, y: Any, classes: Classes, rng: np.random.Generator
) -> list[Finding]:
    """Run the protocol on shuffled labels: an AUC away from 1/2 was read off the test rows."""
    if len(classes.labels) != 2:
        raise ValueError(
            "protocol needs two classes in y, since it answers with one ROC AUC; got "
            f"{len(classes.labels)}: {classes.labels.tolist()}."
        )
    auc = _as_auc(protocol(X, _shuffled(y, rng)))
    n0, n1 = np.bincount(classes.codes).tolist()
    standard_error = float(np.sqrt((n1 + n0 + 1) / (12 * n1 * n0)))
    if abs(auc - 0.5) <= max(_LEAST_DISTANCE, _STANDARD_ERRORS * standard_error):
        return []
    away = abs(auc - 0.5) / standard_error
    known = "its test rows are known from training."
    mend = (
        "Resample, select and scale inside the training fold: pass the protocol's whole "
        "pipeline to cross_validate, with ResampledClassifier for the sampler."
    )
    if auc < 0.5:
        # Without its own row a training set has fewer of that row's class.
        known = f"either {known[:-1]}, or its folds differ in their shares of the classes."
        mend += (
            " Scores pooled over the folds of leave-one-out, or of other folds that are not "
            "stratified, fall below 0.5 by themselves: take the mean of the folds' AUC."
        )
    return [
        Finding(
            kind="shuffled labels",
            evidence={"auc": auc, "standard_error": standard_error, "rows": (n0, n1)},
            sentence=(
                f"the protocol reaches an AUC of {auc:.3f} on shuffled labels, where nothing can "
                f"be learnt ({away:.1f} standard errors from 0.5): {known}"
            ),
            mend=mend,
        )
    ]


def _as_auc(answer: Any) -> float:
    try:
        auc = float(answer) if np.ndim(answer) == 0 else np.nan
    except (TypeError, ValueError):
        auc = np.nan
    if not 0 <= auc <= 1:
        raise ValueError(f"protocol must return a ROC AUC, a number in [0, 1]; got {answer!r}.")
    return auc


def _shuffled(y: Any, rng: np.random.Generator) -> Any:
    """The labels in another order, as a series with the same index where y is one."""
    if hasattr(y, "iloc") and hasattr(y, "index"):
        order = rng.permutation(len(y))
        return y.iloc[order].set_axis(y.index)
    labels = np.asarray(y)
    return labels[rng.permutation(len(labels))]
