"""Where a report comes from: predictions, a fitted estimator, or a frame of any engine."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import is_regressor
from sklearn.utils.validation import check_is_fitted

from skmetrics_ext._labels import require_order
from skmetrics_ext.counts import ConfusionCounts, ScoreCounts
from skmetrics_ext.intervals._interval import check_level
from skmetrics_ext.report._evidence import Evidence
from skmetrics_ext.report._from_estimator import costs_of, estimator_options, scores_of
from skmetrics_ext.report._gather import (
    check_costs,
    check_threshold,
    decided,
    evidence_of,
    extra_actions,
    finished,
    pos_label_of,
    refuse_costs,
    refuse_threshold,
)
from skmetrics_ext.report._numeric import NumericEvidence, numeric_evidence

__all__ = ["FromAnywhere"]

_TARGETS = ("auto", "classes", "ordered", "numbers")


class FromAnywhere:
    """The three ways to make a report."""

    def __init__(
        self, evidence: Evidence | NumericEvidence, title: str = "Decision report"
    ) -> None:
        self._evidence = evidence
        self.title = title

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any = None,
        y_score: Any = None,
        *,
        cost_matrix: Any = None,
        labels: Any = None,
        actions: Any = None,
        pos_label: Any = None,
        by: Any = None,
        sample_weight: Any = None,
        clusters: Any = None,
        threshold: float | None = None,
        target: str = "auto",
        cv: Any = 5,
        random_state: Any = 0,
        confidence_level: float = 0.95,
        title: str = "Decision report",
    ) -> Self:
        """A report on answers, on scores, or on both.

        Parameters
        ----------
        y_true : array-like of shape (n_rows,)
            True labels, or true numbers.
        y_pred : array-like of shape (n_rows,), default=None
            The answers. None: those of the scores at ``threshold``.
        y_score : array-like of shape (n_rows,) or (n_rows, K), default=None
            Two classes: the score of the positive one, a probability where all are within
            [0, 1]. Or a column of probabilities for each class, in the order of the labels.
        cost_matrix : CostMatrix or array-like of shape (K, K), default=None
            c[i, j], the cost of answer i when the truth is j, in your currency per row. None:
            one per mistake, and the report says that nobody declared it.
        labels : array-like of shape (K,), default=None
            The classes, in order.
        actions : array-like, default=None
            Answers that are no class, such as "refer".
        pos_label : object, default=None
            The positive class of two: named, that of ``cost_matrix``, or 1 and True beside 0,
            -1 and False. Without one there are no scores to speak of.
        by : array-like of shape (n_rows,), default=None
            A subgroup for each row.
        sample_weight : array-like of shape (n_rows,), default=None
        clusters : array-like of shape (n_rows,), default=None
            What rows belong together.
        threshold : float, default=None
            From which score on the answer is positive today; 0.5 where scores are within
            [0, 1].
        target : {"auto", "classes", "ordered", "numbers"}, default="auto"
            "ordered" adds what is said of ordered classes; "numbers" reports errors of
            numbers. "auto": numbers where the truth is not whole; ordered where a dtype is.
        cv : int or splitter, default=5
            The folds over which the best threshold is chosen and paid for.
        random_state : int, default=0
            Shuffles those folds.
        confidence_level : float, default=0.95
        title : str, default="Decision report"

        Returns
        -------
        DecisionReport

        Raises
        ------
        ValueError
            Where neither answers nor scores are given; labels, costs or scores do not fit; the
            positive class is not known and scores need one; a report on numbers is given what
            only classes have.
        """
        _check_target(target)
        kind = _kind_of(y_true, target)
        if kind == "numbers":
            _refuse_of_numbers(
                y_score=y_score,
                cost_matrix=cost_matrix,
                labels=labels,
                actions=actions,
                pos_label=pos_label,
                by=by,
                clusters=clusters,
                threshold=threshold,
            )
            numeric = numeric_evidence(y_true, y_pred, sample_weight, confidence_level)
            return cls(numeric, title)
        evidence = evidence_of(
            y_true,
            y_pred,
            y_score,
            cost_matrix=cost_matrix,
            labels=labels,
            actions=actions,
            pos_label=pos_label,
            by=by,
            sample_weight=sample_weight,
            clusters=clusters,
            threshold=threshold,
            ordered=kind == "ordered",
            cv=cv,
            random_state=random_state,
            confidence_level=confidence_level,
        )
        return cls(evidence, title)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, cost_matrix: Any = None, **options: Any
    ) -> Self:
        """A report on what a fitted estimator answers on rows that it has not seen.

        Parameters
        ----------
        estimator : fitted classifier or regressor
            Its `predict` is what is reported on. Scores are those of `predict_proba`, else of
            `decision_function`. An ordinal model brings its ``class_order_``, a
            `CostThresholdClassifier` its costs, also within a pipeline or a search.
        X : array-like, sparse matrix or frame of shape (n_rows, n_features)
            Rows that the estimator was not fitted on.
        y : array-like of shape (n_rows,)
        cost_matrix : CostMatrix or array-like, default=None
        **options
            As for `from_predictions`.

        Returns
        -------
        DecisionReport
        """
        check_is_fitted(estimator)
        answers = estimator.predict(X)
        if is_regressor(estimator):
            options["target"] = "numbers"
            return cls.from_predictions(y, answers, cost_matrix=cost_matrix, **options)
        costs, costs_from = costs_of(estimator, cost_matrix)
        options = estimator_options(estimator, options)
        score = scores_of(estimator, X, options["labels"], options.get("pos_label"), costs)
        found = cls.from_predictions(y, answers, score, cost_matrix=costs, **options)
        if costs_from == "caller" or not isinstance(found._evidence, Evidence):
            return found
        told = replace(found._evidence, costs_from=costs_from)
        if costs_from == "rows":
            told = replace(told, cost_matrix=None, cross_fitted=None, fold_thresholds=())
        return cls(told, found.title)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        y_true: str,
        y_pred: str | None = None,
        y_score: str | None = None,
        cost_matrix: Any = None,
        labels: Any = None,
        actions: Any = None,
        pos_label: Any = None,
        by: str | None = None,
        sample_weight: str | None = None,
        clusters: str | None = None,
        threshold: float | None = None,
        bins: Any = None,
        missing: str = "raise",
        ordered: bool = False,
        confidence_level: float = 0.95,
        title: str = "Decision report",
    ) -> Self:
        """A report on columns of a frame of any engine, which counts them itself.

        No row is fetched, so that rows are not opened and thresholds are not cross-fitted: the
        best one is in-sample, and the report says so.

        Parameters
        ----------
        frame : any frame that narwhals knows, eager or lazy
            pandas, Polars, PyArrow, DuckDB, Dask, PySpark.
        y_true, y_pred, y_score, by, sample_weight, clusters : str
            Names of columns.
        bins : int or array-like, default=None
            Counts scores in bins (see `ScoreCounts.from_frame`); the report prints what that
            leaves open.
        missing : {"raise", "drop"}, default="raise"
        ordered : bool, default=False
            Whether to add what is said of ordered classes.
        cost_matrix, labels, actions, pos_label, threshold, confidence_level, title
            As for `from_predictions`.

        Returns
        -------
        DecisionReport
        """
        check_level(confidence_level)
        check_costs(cost_matrix)
        check_threshold(threshold)
        if y_pred is not None and threshold is not None:
            refuse_threshold(threshold)
        if y_pred is None and y_score is None:
            raise ValueError("a report needs y_pred, y_score or both; got neither.")
        columns: dict[str, Any] = {"by": by, "sample_weight": sample_weight, "missing": missing}
        actions = extra_actions(actions, cost_matrix)
        counts = scores = None
        positive = pos_label
        if y_pred is not None:
            counts = ConfusionCounts.from_frame(
                frame,
                y_true=y_true,
                y_pred=y_pred,
                labels=labels,
                actions=actions,
                clusters=clusters,
                **columns,
            )
            if ordered:
                require_order(counts.labels, counts.ordered, "a report on ordered classes")
            positive = pos_label_of(counts.labels, pos_label, cost_matrix)
        else:
            _refuse_of_scores(actions=actions, clusters=clusters, labels=labels, ordered=ordered)
        if y_score is not None:
            own = getattr(cost_matrix, "pos_label", None) if positive is None else positive
            scores = ScoreCounts.from_frame(
                frame, y_true=y_true, y_score=y_score, pos_label=own, bins=bins, **columns
            )
            positive = scores.labels[1]
        decided_by = "the answers given"
        if counts is None and scores is not None:
            counts, decided_by = decided(scores, threshold)
            if counts is None and cost_matrix is not None:
                refuse_costs(scores)
        classes = counts.labels if counts is not None else np.array(scores.labels)  # type: ignore[union-attr]  # one of the two is there
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
        return cls(evidence, title)


def _check_target(target: str) -> None:
    if target not in _TARGETS:
        raise ValueError(f"target must be one of {list(_TARGETS)}; got {target!r}.")


def _kind_of(y_true: Any, target: str) -> str:
    """What the truth holds: classes, ordered classes or numbers."""
    if target != "auto":
        return target
    dtype = getattr(y_true, "dtype", None)
    values = np.asarray(y_true)
    if values.dtype.kind == "f" and np.isfinite(values).all() and (values % 1 != 0).any():
        return "numbers"
    ordered = getattr(dtype, "ordered", False) or type(dtype).__name__ == "Enum"
    return "ordered" if ordered else "classes"


def _refuse_of_numbers(**given: Any) -> None:
    """Raise where a report on numbers is given what it would leave out silently."""
    useless = [name for name, value in given.items() if value is not None]
    if useless:
        raise ValueError(
            f"a report on numbers has no use for {', '.join(useless)}: y_true holds numbers that "
            "are not whole, or target='numbers' was named. It takes y_pred and sample_weight."
        )


def _refuse_of_scores(**given: Any) -> None:
    """Raise where a frame's scores alone are given what only answers have."""
    useless = [name for name, value in given.items() if value is not None and value is not False]
    if useless:
        raise ValueError(
            f"from_frame needs y_pred for {', '.join(useless)}: scores are counted by two classes, "
            "without clusters. from_predictions takes them with scores alone."
        )
