"""From rows to the evidence of a report."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from skmetrics_ext._labels import decide_pos_label, require_order, same_label
from skmetrics_ext.costs import CostMatrix, resolve_cost_matrix
from skmetrics_ext.counts import ConfusionCounts, ScoreCounts
from skmetrics_ext.inspection import worst_errors
from skmetrics_ext.intervals._interval import check_level
from skmetrics_ext.report._cross_fitted import cross_fitted
from skmetrics_ext.report._evidence import Evidence, nearest_cut

__all__ = [
    "check_costs",
    "check_threshold",
    "decided",
    "evidence_of",
    "extra_actions",
    "finished",
    "pos_label_of",
    "refuse_costs",
    "refuse_threshold",
]

_WORST = 10
_NOBODY = "nobody yet: scores outside [0, 1] need a threshold to become answers"


def evidence_of(
    y_true: Any,
    y_pred: Any,
    y_score: Any,
    *,
    cost_matrix: Any,
    labels: Any,
    actions: Any,
    pos_label: Any,
    by: Any,
    sample_weight: Any,
    clusters: Any,
    threshold: float | None,
    ordered: bool,
    cv: Any,
    random_state: Any,
    confidence_level: float,
) -> Evidence:
    """Count everything that can be counted of the rows, and let them go."""
    check_level(confidence_level)
    check_costs(cost_matrix)
    check_threshold(threshold)
    actions = extra_actions(actions, cost_matrix)
    labels = _both_classes(y_true, labels, cost_matrix)
    rows = {"sample_weight": sample_weight, "by": by}
    truth_alone = ConfusionCounts.from_predictions(y_true, y_true, labels=labels)
    classes = truth_alone.labels
    if ordered:
        require_order(classes, truth_alone.ordered, "a report on ordered classes")
    scores = score = proba = None
    positive = pos_label_of(classes, pos_label, cost_matrix)
    if y_score is not None:
        score, proba = _score_column(y_score, classes, positive)
        if score is not None:
            if positive is None:
                decide_pos_label(classes, pos_label)  # says which classes there are
            scores = ScoreCounts.from_predictions(y_true, score, pos_label=positive, **rows)
    decided_by = "the answers given"
    if y_pred is None:
        y_pred, decided_by = _decisions(
            score if scores else None, proba, classes, positive, threshold
        )
    elif threshold is not None:
        refuse_threshold(threshold)
    counts = None
    if y_pred is None and cost_matrix is not None and scores is not None:
        refuse_costs(scores)
    if y_pred is not None:
        counts = ConfusionCounts.from_predictions(
            y_true, y_pred, labels=labels, actions=actions, clusters=clusters, **rows
        )
        classes = counts.labels
        positive = pos_label_of(classes, pos_label, cost_matrix)
    evidence = finished(
        counts,
        scores,
        cost_matrix,
        classes=classes,
        positive=positive,
        decided_by=decided_by,
        ordered=ordered,
        confidence_level=confidence_level,
    )
    if score is not None and evidence.cost_matrix is not None and evidence.are_probabilities:
        evidence = cross_fitted(evidence, y_true, score, sample_weight, clusters, cv, random_state)
    if proba is not None and len(classes) == proba.shape[1]:
        worst = worst_errors(y_true, proba, labels=classes, n=_WORST)
        evidence = replace(evidence, worst=worst)
    return evidence


def finished(
    counts: ConfusionCounts | None,
    scores: ScoreCounts | None,
    cost_matrix: Any,
    *,
    classes: np.ndarray,
    positive: Any,
    decided_by: str,
    ordered: bool,
    confidence_level: float,
) -> Evidence:
    """The evidence without what single rows are needed for."""
    costs = None
    # Where nobody named costs there must be answers, all of them classes, to assume some for.
    assumed = counts is not None and len(counts.actions) == len(classes)
    if len(classes) > 1 and (assumed or cost_matrix is not None):
        costs = resolve_cost_matrix(cost_matrix, classes)
    if counts is not None and costs is not None:
        # Costs that do not fit the answers are an error here, not where the report is read.
        counts.total().estimate("expected_cost", cost_matrix=costs, confidence_level=None)
    return Evidence(
        counts=counts,
        scores=scores,
        cost_matrix=costs,
        costs_from="nobody" if cost_matrix is None else "caller",
        labels=tuple(classes.tolist()),
        pos_label=positive,
        decided_by=decided_by,
        ordered=ordered,
        cross_fitted=None,
        fold_thresholds=(),
        worst=None,
        confidence_level=confidence_level,
    )


def check_costs(cost_matrix: Any) -> None:
    """Refuse costs that differ by row."""
    if callable(cost_matrix):
        raise ValueError(
            "cost_matrix must be the same for all rows in a report; got the callable "
            f"{cost_matrix!r}. What single rows cost is told by metrics.expected_cost_loss with "
            "cost_matrix(X), and by inspection.cost_breakdown."
        )


def check_threshold(threshold: Any) -> None:
    """Refuse what no score can be compared with."""
    if threshold is None:
        return
    try:
        good = not isinstance(threshold, str) and float(threshold) == threshold
    except (TypeError, ValueError):
        good = False
    if not good:
        raise ValueError(f"threshold must be a number, and not NaN; got {threshold!r}.")


def refuse_threshold(threshold: Any) -> None:
    """Raise where a threshold is named for answers that are given already."""
    raise ValueError(
        f"threshold={threshold!r} turns scores into answers, and y_pred has answers already: "
        "pass one of the two."
    )


def extra_actions(actions: Any, cost_matrix: Any) -> Any:
    """The answers that are no class: those named, else those that have a cost."""
    if actions is None and isinstance(cost_matrix, CostMatrix):
        return cost_matrix.extra_actions or None
    return actions


def _both_classes(y_true: Any, labels: Any, cost_matrix: Any) -> Any:
    """Rows of one class only: the costs know the other."""
    own = cost_matrix.labels if isinstance(cost_matrix, CostMatrix) else None
    if labels is not None or own is None or len(own) != 2:
        return labels
    seen = ConfusionCounts.from_predictions(y_true, y_true).labels.tolist()
    alone = len(seen) == 1 and any(same_label(seen[0], label) for label in own.tolist())
    return own if alone else None


def refuse_costs(scores: ScoreCounts) -> None:
    """Raise where costs are to be weighed by scores that are no probabilities."""
    low = min(float(ranking.low.min()) for ranking in scores.rankings)
    high = max(float(ranking.high.max()) for ranking in scores.rankings)
    raise ValueError(
        f"cost_matrix needs answers or probabilities, and the scores lie from {low:.6g} to "
        f"{high:.6g}, outside [0, 1]: they rank, and no threshold follows from the costs. Pass "
        "y_pred, or threshold=, or calibrate the scores; without costs the ranking is reported."
    )


def pos_label_of(classes: np.ndarray, pos_label: Any, cost_matrix: Any) -> Any:
    """The positive class: named, that of the costs, or plain by 1 and True; None where unknown."""
    if len(classes) > 2:
        if pos_label is None:
            return None
        return classes.tolist()[decide_pos_label(classes, pos_label)]
    if pos_label is None and isinstance(cost_matrix, CostMatrix):
        own = cost_matrix.pos_label
        if own is not None and any(same_label(own, label) for label in classes.tolist()):
            pos_label = own
    if pos_label is None and not _is_plain(classes):
        return None
    return classes.tolist()[decide_pos_label(classes, pos_label)]


def _is_plain(classes: np.ndarray) -> bool:
    values = set(classes.tolist())
    return values <= {0, 1} or values <= {-1, 1}


def _score_column(
    y_score: Any, classes: np.ndarray, positive: Any
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """The positive class's scores, and the probabilities of all classes; None where none."""
    table = _numbers(y_score)
    if table.ndim == 1 or (table.ndim == 2 and table.shape[1] == 1):
        score = table.reshape(len(table))
        inside = len(score) > 0 and score.min() >= 0 and score.max() <= 1
        if positive is None or not inside or len(classes) != 2:
            return score, None
        second = same_label(classes.tolist()[1], positive)
        both = [1 - score, score] if second else [score, 1 - score]
        return score, np.column_stack(both)
    if table.ndim != 2 or table.shape[1] != len(classes):
        raise ValueError(
            f"y_score must have one column, or one for each of the {len(classes)} classes "
            f"{classes.tolist()[:20]} in that order; got an array of shape {table.shape}."
        )
    if len(classes) == 2 and positive is not None:
        return table[:, int(same_label(classes.tolist()[1], positive))], table
    return None, table


def _numbers(y_score: Any) -> np.ndarray:
    try:
        return np.asarray(y_score, dtype=np.float64)
    except (TypeError, ValueError):
        pass
    raise ValueError(
        f"y_score must hold numbers, none of them missing; got {type(y_score).__name__} of "
        f"{getattr(y_score, 'dtype', 'objects')}."
    )


def _decisions(
    score: np.ndarray | None,
    proba: np.ndarray | None,
    classes: np.ndarray,
    positive: Any,
    threshold: float | None,
) -> tuple[np.ndarray | None, str]:
    """What the scores answer today, and in words how; None where they answer nothing."""
    if score is None and proba is None:
        raise ValueError("a report needs y_pred, y_score or both; got neither.")
    if score is None and proba is not None:
        if threshold is not None:
            raise ValueError(
                f"threshold={threshold!r} is for the scores of a positive class, and none is known "
                f"of {classes.tolist()[:20]}: two classes need pos_label, more have no threshold."
            )
        return classes[proba.argmax(axis=1)], "the most probable class"
    assert score is not None
    if threshold is None:
        if score.min() < 0 or score.max() > 1:
            return None, _NOBODY
        threshold = 0.5
    names = classes.tolist()
    others = [label for label in names if not same_label(label, positive)]
    negative = others[0] if others else positive
    picked = np.where(score >= threshold, 1, 0)
    pair = np.empty(2, dtype=object)
    pair[:] = [negative, positive]
    return pair[picked], f"score >= {threshold:.6g}"


def decided(scores: ScoreCounts, threshold: float | None) -> tuple[ConfusionCounts | None, str]:
    """Today's answers from counted scores: at 0.5 where they can be probabilities."""
    if threshold is None:
        low = min(float(r.low.min()) for r in scores.rankings)
        high = max(float(r.high.max()) for r in scores.rankings)
        if low < 0 or high > 1:
            return None, _NOBODY
        threshold = 0.5
    cut = nearest_cut(scores, threshold)
    said = f"score >= {cut:.6g}"
    if cut != threshold:
        said += f", the end of a bin that is nearest to {threshold:.6g}"
    return scores.at_threshold(cut), said
