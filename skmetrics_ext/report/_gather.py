"""From rows to the evidence of a report."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold, check_cv

from skmetrics_ext._labels import decide_pos_label, encode, require_order, same_label
from skmetrics_ext.costs import CostMatrix, resolve_cost_matrix
from skmetrics_ext.counts import ConfusionCounts, ScoreCounts
from skmetrics_ext.inspection import worst_errors
from skmetrics_ext.intervals._interval import check_level
from skmetrics_ext.report._evidence import Evidence

__all__ = ["evidence_of", "finished", "pos_label_of", "refuse_costs"]

_WORST = 10


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
    if callable(cost_matrix):
        raise ValueError(
            "cost_matrix must be the same for all rows in a report; got the callable "
            f"{cost_matrix!r}. What single rows cost is told by metrics.expected_cost_loss with "
            "cost_matrix(X), and by inspection.cost_breakdown."
        )
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
        raise ValueError(
            f"threshold={threshold!r} turns scores into answers, and y_pred has answers already: "
            "pass one of the two."
        )
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
        evidence = _cross_fitted(evidence, y_true, score, sample_weight, clusters, cv, random_state)
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
    if len(classes) > 1:
        costs = resolve_cost_matrix(cost_matrix, classes)
    return Evidence(
        counts=counts,
        scores=scores,
        cost_matrix=costs,
        declared=cost_matrix is not None,
        labels=tuple(classes.tolist()),
        pos_label=positive,
        decided_by=decided_by,
        ordered=ordered,
        cross_fitted=None,
        fold_thresholds=(),
        worst=None,
        confidence_level=confidence_level,
    )


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
        if pos_label is not None:
            decide_pos_label(classes, pos_label)
        return pos_label
    if pos_label is None and isinstance(cost_matrix, CostMatrix) and cost_matrix.labels is not None:
        own = cost_matrix.pos_label
        if any(same_label(own, label) for label in classes.tolist()):
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
    table = np.asarray(y_score)
    if table.ndim == 1 or table.shape[1] == 1:
        score = table.reshape(len(table)).astype(np.float64)
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
    proba = table.astype(np.float64)
    if len(classes) == 2 and positive is not None:
        return proba[:, int(same_label(classes.tolist()[1], positive))], proba
    return None, proba


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
            raise ValueError(f"threshold={threshold!r} is for two classes; got {len(classes)}.")
        return classes[proba.argmax(axis=1)], "the most probable class"
    assert score is not None
    if threshold is None:
        if score.min() < 0 or score.max() > 1:
            return None, "nobody yet: scores outside [0, 1] need a threshold to become answers"
        threshold = 0.5
    names = classes.tolist()
    others = [label for label in names if not same_label(label, positive)]
    negative = others[0] if others else positive
    picked = np.where(score >= threshold, 1, 0)
    pair = np.empty(2, dtype=object)
    pair[:] = [negative, positive]
    return pair[picked], f"score >= {threshold:g}"


def _cross_fitted(
    evidence: Evidence,
    y_true: Any,
    score: np.ndarray,
    sample_weight: Any,
    clusters: Any,
    cv: Any,
    random_state: Any,
) -> Evidence:
    """The decisions at the cheapest threshold of all other folds, fold by fold."""
    classes = np.array(evidence.labels)
    codes = encode(y_true, classes)
    positive = codes == int(same_label(evidence.labels[1], evidence.pos_label))
    poorest = min(np.bincount(positive, minlength=2))
    if len(evidence.labels) != 2 or evidence.cost_matrix is None or poorest < 2:
        return evidence
    if evidence.cost_matrix.extra_actions:
        return evidence
    if isinstance(cv, int):
        splits = min(cv, int(poorest))
        kind = StratifiedKFold if clusters is None else StratifiedGroupKFold
        cv = kind(splits, shuffle=True, random_state=random_state)
    splitter = check_cv(cv, codes, classifier=True)
    weights = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    costs = evidence.cost_matrix
    answered = np.zeros(len(codes), dtype=bool)
    thresholds = []
    for train, test in splitter.split(codes[:, None], codes, clusters):
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
    place = int(same_label(evidence.labels[1], evidence.pos_label))
    answers = classes[np.where(answered, place, 1 - place)]
    counts = ConfusionCounts.from_predictions(
        classes[codes], answers, labels=classes, sample_weight=sample_weight, clusters=clusters
    )
    return replace(evidence, cross_fitted=counts, fold_thresholds=tuple(thresholds))
