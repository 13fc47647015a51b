"""``threshold``: where to cut a column of scores."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.frozen import FrozenEstimator

from skmetrics_ext._cli._read import BadDataError, Source
from skmetrics_ext._cli._report import named_costs, positive_of
from skmetrics_ext.counts import ScoreCounts
from skmetrics_ext.decision import ExactThresholdClassifierCV
from skmetrics_ext.metrics import cost_scorer

__all__ = ["threshold_of"]

_BINS = 1000
_AROUND = (0.25, 0.5, 0.8, 1.0, 1.25, 2.0, 4.0)


class _AsGiven(ClassifierMixin, BaseEstimator):
    """Scores of the positive class that are there already, as a classifier that has them."""

    def __init__(self, pos_label: Any = 1) -> None:
        self.pos_label = pos_label

    def fit(self, X: Any, y: Any) -> _AsGiven:
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        # A classifier's scores are those of its last class, whichever is the positive one.
        score = np.asarray(X)[:, 0]
        return score if self.classes_.tolist()[-1] == self.pos_label else -score

    def predict(self, X: Any) -> np.ndarray:
        return self.classes_[(self.decision_function(X) >= 0).astype(int)]


def threshold_of(
    source: Source,
    *,
    truth: str,
    score: str,
    weight: str | None,
    positive: str | None,
    costs: tuple[tuple[str, float], ...],
    cost_matrix: str | None,
    max_flagged: float | None,
    min_precision: float | None,
    min_recall: float | None,
    missing: str,
    level: float,
) -> str:
    """The answer as text."""
    source.require(truth=truth)
    source.require_numbers(score=score, weight=weight)
    pos_label = positive_of(source, truth, positive, needed=True)
    matrix = named_costs(source, truth, costs, cost_matrix, pos_label, None)
    constraint = _constraint(max_flagged, min_precision, min_recall)
    scores = ScoreCounts.from_frame(
        source.frame,
        y_true=truth,
        y_score=score,
        pos_label=pos_label,
        sample_weight=weight,
        bins=None if source.small else _BINS,
        missing=missing,
    )
    lines = [repr(scores), ""]
    lines.append(str(matrix) if matrix is not None else "No costs named: one per mistake.")
    lines.append("")
    if source.small and missing == "raise":
        best, said = _searched(source, truth, score, weight, scores, matrix, constraint, level)
    elif constraint is not None:
        raise BadDataError("a limit is searched for in files that fit into memory, without drops.")
    else:
        found = scores.best_cost(matrix)
        best = found.threshold
        said = [f"{found}", "Chosen on these rows: new ones will cost somewhat more."]
    lines += [*said, "", repr(scores.threshold_table(_around(scores, best)))]
    return "\n".join(lines)


def _constraint(
    max_flagged: float | None, min_precision: float | None, min_recall: float | None
) -> tuple[str, str, float] | None:
    if max_flagged is not None:
        return ("predicted_positive_rate", "<=", max_flagged)
    if min_precision is not None:
        return ("precision", ">=", min_precision)
    return None if min_recall is None else ("recall", ">=", min_recall)


def _searched(
    source: Source,
    truth: str,
    score: str,
    weight: str | None,
    scores: ScoreCounts,
    matrix: Any,
    constraint: tuple[str, str, float] | None,
    level: float,
) -> tuple[float, list[str]]:
    """The best of all cuts under the limit, with the interval of drawing the rows again."""
    columns = [truth, score, *([] if weight is None else [weight])]
    rows = source.rows(columns)
    y, X = rows[truth].to_numpy(), rows[score].to_numpy().astype(float)[:, None]
    weights = {} if weight is None else {"sample_weight": rows[weight].to_numpy()}
    search = ExactThresholdClassifierCV(
        FrozenEstimator(_AsGiven(scores.labels[1]).fit(X, y)),
        scoring=cost_scorer(matrix),
        constraint=constraint,
        pos_label=scores.labels[1],
        cv="prefit",
        refit=False,
        random_state=0,
    ).fit(X, y, **weights)
    low, high = search.threshold_interval(confidence_level=level)
    best = float(search.best_threshold_)
    limit = "" if constraint is None else f" with {constraint[0]} {constraint[1]} {constraint[2]:g}"
    return best, [
        f"Cheapest threshold{limit}: {best:.4g} [{low:.4g}, {high:.4g}] "
        f"({100 * level:g} % interval), {-search.best_score_:.4g} per row.",
        "Chosen on these rows: new ones will cost somewhat more.",
    ]


def _around(scores: ScoreCounts, best: float) -> list[float]:
    """Thresholds around the best one; of scores in bins those between the bins."""
    (ranking,) = scores.rankings
    if not np.isfinite(best):
        best = float(ranking.high[-1])
    wished = {best * factor for factor in _AROUND} | {0.5}
    if ranking.low[0] < 0 or ranking.high[-1] > 1:
        wished = set(np.quantile(ranking.low, [0.5, 0.75, 0.9, 0.95, 0.99]).tolist()) | {best}
    within = sorted(t for t in wished if ranking.low[0] <= t <= ranking.high[-1])
    places = np.unique(np.searchsorted(ranking.low, within))
    places = places[places < len(ranking.low)]
    return ranking.low[places].tolist()
