"""From the answers on all held-out rows to a row of estimates for each lever."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counts import ConfusionCounts, Estimate, ScoreCounts
from skmetrics_ext.counts._score_precision import share_interval
from skmetrics_ext.imbalance._compare_fold import Answer, Table, Task
from skmetrics_ext.imbalance._compare_result import LeverRow
from skmetrics_ext.intervals import FoldComparison, compare_folds, delta_limits
from skmetrics_ext.intervals._interval import check_level

__all__ = ["NAMES", "REFERENCE", "rows_of"]

REFERENCE = "plain_cost"
# In the order of the levers that people should try; one of the first wins a tie.
NAMES = {
    "constant": "constant answer",
    "plain_half": "plain, at 0.5",
    "plain_cost": "plain, by cost",
    "calibrated_cost": "calibrated, by cost",
    "weighted_cost": "weighted, costs twice",
    "weighted_corrected": "weighted, corrected",
    "resampled_cost": "resampled, costs twice",
    "resampled_corrected": "resampled, corrected",
    "exact": "exact threshold",
}
_TWICE = ("weighted_cost", "resampled_cost")

Folds = Sequence[dict[str, Answer]]
Splits = Sequence[tuple[np.ndarray, np.ndarray]]
Floats = NDArray[np.float64]


def rows_of(
    task: Task, table: Table, folds: Folds, splits: Splits, confidence_level: float
) -> tuple[LeverRow, ...]:
    """The rows of a comparison, in the order of `NAMES`."""
    levers = [lever for lever in NAMES if lever in folds[0]]
    table = replace(table, X=np.arange(len(table.codes)))  # what is counted needs no columns
    held_out = [table.take(test) for _, test in splits]
    # Test rows over training rows, of an average fold.
    share = sum(len(test) for _, test in splits) / sum(len(train) for train, _ in splits)
    costs = {
        lever: np.array(
            [
                _mean_cost(task, fold[lever], rows)
                for fold, rows in zip(folds, held_out, strict=True)
            ]
        )
        for lever in levers
    }
    rows = _joined(held_out)
    answers = {lever: _pooled([fold[lever] for fold in folds]) for lever in levers}
    counts = {lever: _counts(task, rows, answers[lever]) for lever in levers}
    totals = {lever: _cost(task, counts[lever], confidence_level) for lever in levers}
    best = min(levers, key=lambda lever: totals[lever].value)

    def against(lever: str, other: str) -> FoldComparison | None:
        if lever == other:
            return None
        with warnings.catch_warnings():
            # Two levers may well answer alike; NaN limits say so.
            warnings.simplefilter("ignore", UserWarning)
            return compare_folds(
                costs[lever], costs[other], share, confidence_level=confidence_level
            )

    return tuple(
        LeverRow(
            lever=lever,
            name=NAMES[lever],
            counts_twice=lever in _TWICE,
            cost=totals[lever],
            difference=against(lever, REFERENCE),
            behind_best=against(lever, best),
            cost_by_fold=tuple(costs[lever].tolist()),
            counts=counts[lever],
            **_estimates(task, rows, answers[lever], counts[lever], confidence_level),
        )
        for lever in levers
    )


def _mean_cost(task: Task, answer: Answer, rows: Table) -> float:
    weights = rows.weight()
    return float(weights @ task.costs.to_array()[answer.code, rows.codes] / weights.sum())


def _joined(parts: Sequence[Table]) -> Table:
    weights = [part.weights for part in parts if part.weights is not None]
    return Table(
        None,
        np.concatenate([part.labels for part in parts]),
        np.concatenate([part.codes for part in parts]),
        np.concatenate(weights) if weights else None,
        None,
    )


def _pooled(answers: Sequence[Answer]) -> Answer:
    return Answer(
        np.concatenate([answer.probability for answer in answers]),
        np.concatenate([answer.code for answer in answers]),
        all(answer.ranks for answer in answers),
    )


def _counts(task: Task, rows: Table, answer: Answer) -> ConfusionCounts:
    return ConfusionCounts.from_predictions(
        rows.labels,
        task.classes[answer.code],
        labels=task.classes,
        sample_weight=rows.weights,
    )


def _cost(task: Task, counts: ConfusionCounts, confidence_level: float) -> Estimate:
    return counts.estimate(
        "expected_cost", cost_matrix=task.costs, confidence_level=confidence_level
    )


def _estimates(
    task: Task, rows: Table, answer: Answer, counts: ConfusionCounts, level: float
) -> dict[str, Any]:
    pos_label = task.classes.tolist()[task.positive]
    p, truth = answer.probability, rows.codes == task.positive
    ranked = _scores(rows, p if answer.ranks else np.zeros(len(p)), pos_label)
    rates = {
        name: counts.estimate(
            name, pos_label=pos_label, zero_division=np.nan, confidence_level=level
        )
        for name in ("recall", "precision")
    }
    about = {"pos_label": pos_label, "confidence_level": level, "n": len(p)}
    about["prevalence"] = float(rows.weight() @ truth / rows.weight().sum())
    return {
        **rates,
        "average_precision": ranked.average_precision(confidence_level=level),
        "roc_auc": ranked.roc_auc(confidence_level=level),
        "brier_score": _scores(rows, p, pos_label).brier_score(confidence_level=level),
        "log_loss": _log_loss(p, truth, rows.weight(), about),
        "mean_probability": _mean_probability(p, rows.weight(), about),
    }


def _scores(rows: Table, p: Floats, pos_label: Any) -> ScoreCounts:
    return ScoreCounts.from_predictions(
        rows.labels, p, pos_label=pos_label, sample_weight=rows.weights
    )


def _log_loss(p: Floats, truth: NDArray[np.bool_], weights: Floats, about: Any) -> Estimate:
    eps = np.finfo(np.float64).eps  # where scikit-learn's log_loss clips as well
    losses = -np.log(np.clip(np.where(truth, p, 1 - p), eps, 1 - eps))
    value, variance = _moments(losses, weights)
    se = float(np.sqrt(variance))
    low, high = delta_limits(value, se, check_level(about["confidence_level"]), 0.0, np.inf)
    return Estimate(
        metric="log_loss", value=value, low=low, high=high, se=se, method="delta", **about
    )


def _mean_probability(p: Floats, weights: Floats, about: Any) -> Estimate:
    value, variance = _moments(p, weights)
    effective = float(weights.sum() ** 2 / (weights @ weights))
    interval = share_interval(value, variance, effective, check_level(about["confidence_level"]))
    return Estimate(
        metric="mean_probability",
        value=value,
        low=interval.low,
        high=interval.high,
        se=interval.se,
        method=interval.method,
        **about,
    )


def _moments(values: Floats, weights: Floats) -> tuple[float, float]:
    """The weighted mean and its variance."""
    total = weights.sum()
    mean = float(weights @ values / total)
    return mean, float(weights**2 @ (values - mean) ** 2 / total**2)
