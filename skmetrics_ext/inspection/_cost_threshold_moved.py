"""What the same ranking would have cost at another threshold, chosen on other rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit
from sklearn.model_selection import check_cv

from skmetrics_ext.counts import ScoreCounts
from skmetrics_ext.decision._threshold_search import Term, best_cut, values_at
from skmetrics_ext.inspection._cost_rows import CostedRows, Rated
from skmetrics_ext.tables import bind, get_metric

__all__ = ["Folds", "Moved", "draw_folds", "move_threshold"]

Floats = NDArray[np.float64]
Folds = list[tuple[NDArray[np.intp], NDArray[np.intp]]]
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Moved:
    """What was paid per row, the threshold of each fold, and why there is none.

    The thresholds are probabilities; where costs differ by row they are what the odds of every
    row's own threshold are multiplied with.
    """

    paid: Floats | None
    thresholds: Floats
    n_moved: int
    reason: str | None = None


def move_threshold(rows: CostedRows, folds: Folds) -> Moved:
    """Choose the cheapest threshold on all folds but one, and pay on that one; for each fold."""
    reason = _why_not(rows)
    if reason is not None or rows.positive is None:
        return Moved(None, np.empty(0), 0, reason)
    scores, center, movable = _scores(rows, rows.positive)
    if not movable.any():
        reason = "in no row both mistakes cost more than the right answers"
        return Moved(None, np.empty(0), 0, reason)
    positive, negative = rows.of_actions[:, rows.positive], rows.of_actions[:, 1 - rows.positive]
    # What a row adds to the cost if its cheaper answer is not given: to pay least is to be right
    # most often, with rows that weigh so much.
    cheaper, weights = positive < negative, rows.rated.weights * np.abs(positive - negative)
    answers, thresholds = rows.answers.copy(), []
    for train, test in folds:
        some = train[movable[train] & (weights[train] > 0)]
        threshold = _cheapest(scores[some], cheaper[some], weights[some], center)
        thresholds.append(np.inf if np.isnan(threshold) else threshold)
        if threshold == center:
            continue
        held = test[movable[test]]
        above = scores[held] >= threshold
        answers[held] = np.where(above, rows.positive, 1 - rows.positive)
    paid = rows.of_actions[np.arange(len(answers)), answers]
    found = np.array(thresholds)
    return Moved(
        paid,
        np.exp(found) if rows.costs.ndim == 3 else found,
        int(((answers != rows.answers) & (rows.rated.weights > 0)).sum()),
    )


def draw_folds(rated: Rated, cv: Any) -> Folds:
    """The folds, drawn once: a generator can be read once only, and a shuffle is another each time.

    Raises
    ------
    ValueError
        Where some row is not tested once.
    """
    splitter = check_cv(cv, rated.truth, classifier=True)
    n = len(rated.truth)
    everyone = np.arange(n)
    folds = [
        (everyone[train], everyone[test]) for train, test in splitter.split(rated.X, rated.truth)
    ]
    tested = np.zeros(n, dtype=np.intp)
    for _, test in folds:
        tested += np.bincount(test, minlength=n)
    if (tested != 1).any():
        row = int(np.flatnonzero(tested != 1)[0])
        raise ValueError(
            f"cv must test each row once, so that every cost is paid once; row {row} is tested "
            f"{tested[row]} times by {cv!r}."
        )
    return folds


def _why_not(rows: CostedRows) -> str | None:
    """Why there is no threshold to move, or None."""
    k = len(rows.rated.classes)
    if k != 2:
        return f"with {k} classes there is no one threshold to move"
    if len(rows.actions) > 2:
        return (
            f"with {rows.actions.tolist()[2:]} beside the two classes there is more than one "
            "threshold to move"
        )
    if rows.costs.ndim == 2 and np.isnan(rows.threshold):
        return "these costs come to no threshold (a wrong answer costs no more than a right one)"
    return None


def _scores(rows: CostedRows, positive: int) -> tuple[Floats, float, NDArray[np.bool_]]:
    """What is compared with a threshold, the threshold that the costs come to, and which rows
    have one.

    Where costs differ by row so do thresholds, and all are moved alike on the scale of log odds.
    """
    p = rows.rated.probabilities[:, positive]
    if rows.costs.ndim == 2:
        return p, rows.threshold, np.ones(len(p), dtype=bool)
    negative = 1 - positive
    c = rows.costs
    false_alarm = c[:, positive, negative] - c[:, negative, negative]
    miss = c[:, negative, positive] - c[:, positive, positive]
    movable = (false_alarm > 0) & (miss > 0)
    scores = np.zeros(len(p))
    with np.errstate(divide="ignore"):
        scores[movable] = logit(p[movable]) - np.log(false_alarm[movable]) + np.log(miss[movable])
    return scores, 0.0, movable


def _cheapest(scores: Floats, cheaper: NDArray[np.bool_], weights: Floats, center: float) -> float:
    """The threshold where least is lost; the one that the costs come to where it is as good."""
    if not len(scores):
        return center
    counts = ScoreCounts.from_predictions(cheaper, scores, pos_label=True, sample_weight=weights)
    term = Term(bind(get_metric("accuracy")), False, np.nan, "accuracy")
    cut = best_cut(counts.rankings[0], term, 1, center=center)
    at_center = values_at(counts.rankings[0], term, np.array([center]))[0]
    return center if at_center >= cut.value - _ROUNDING else cut.threshold
