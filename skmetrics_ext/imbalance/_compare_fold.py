"""What each lever answers on the held-out rows of one fold; what levers share is fitted once."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

from skmetrics_ext._sklearn import safe_indexing
from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.decision import ExactThresholdClassifierCV
from skmetrics_ext.decision._rule import choose_rule, decide
from skmetrics_ext.imbalance._compare_stand_ins import Replayed
from skmetrics_ext.imbalance._corrections import Scored, fit_sigmoid
from skmetrics_ext.imbalance._folds import lacking
from skmetrics_ext.imbalance._resampled import ResampledClassifier
from skmetrics_ext.metrics import cost_scorer

__all__ = ["Answer", "FoldAnswers", "Table", "Task", "answers_of_fold"]

# As many as ResampledClassifier takes by default.
_INNER_FOLDS = 5


@dataclass(frozen=True)
class Task:
    """What is compared: the estimators of the three ways to fit (None: left out), and the costs.

    ``classes`` are sorted, ``positive`` is the place of the positive one; ``costs`` are in the
    order of ``classes``.
    """

    plain: Any
    weighted: Any
    resampled: Any
    costs: CostMatrix
    classes: np.ndarray
    positive: int


@dataclass(frozen=True)
class Table:
    """All rows; ``labels`` is y as an array, ``codes`` its places among the classes."""

    X: Any
    labels: np.ndarray
    codes: np.ndarray
    weights: np.ndarray | None
    groups: np.ndarray | None

    def take(self, index: np.ndarray) -> Table:
        """The rows of ``index``."""
        return Table(
            safe_indexing(self.X, index),
            self.labels[index],
            self.codes[index],
            None if self.weights is None else self.weights[index],
            None if self.groups is None else self.groups[index],
        )

    def weight(self) -> np.ndarray:
        """The weight of each row, 1 where none were given."""
        return np.ones(len(self.codes)) if self.weights is None else self.weights


@dataclass(frozen=True)
class Answer:
    """Of each held-out row: the probability of the positive class, and the code answered.

    ``ranks`` is False where the probability is the same for all rows of a fold, and a difference
    between folds would look like a ranking.
    """

    probability: np.ndarray
    code: np.ndarray
    ranks: bool = True


@dataclass(frozen=True)
class FoldAnswers:
    """Each lever's answers, and what was warned of while its models were fitted."""

    answers: dict[str, Answer]
    warned: list[tuple[str, type[Warning], str]] = field(default_factory=list)


def answers_of_fold(
    task: Task, table: Table, train: np.ndarray, test: np.ndarray, seed: int | None
) -> FoldAnswers:
    """Fit every lever on the training rows, and answer on the others.

    Raises
    ------
    ValueError
        If the training rows do not hold both classes, or their own folds do not.
    """
    rows, held_out = table.take(train), table.take(test).X
    inner = _inner_splits(rows, task.classes)
    answers = {"constant": _constant(task, rows, len(test))}
    warned: list[tuple[str, type[Warning], str]] = []
    with _noting("plain", warned):
        answers |= _plain(task, rows, held_out, inner)
    for way, estimator in (("weighted", task.weighted), ("resampled", task.resampled)):
        if estimator is None:
            continue
        with _noting(way, warned):
            # One fit on all training rows for both rows of the comparison, so that they differ
            # by the correction alone.
            model = ResampledClassifier(
                clone(estimator), cv=inner, ensemble=False, random_state=seed
            ).fit(rows.X, rows.labels, sample_weight=rows.weights)
            distorted = _probabilities(model.estimator_, held_out, task.classes)
            corrected = _probabilities(model, held_out, task.classes)
        answers[f"{way}_cost"] = _by_cost(task, distorted)
        answers[f"{way}_corrected"] = _by_cost(task, corrected)
    return FoldAnswers(answers, warned)


def _constant(task: Task, rows: Table, n: int) -> Answer:
    """The cheapest answer to all, by the class shares of the training rows."""
    shares = np.bincount(rows.codes, rows.weights, minlength=2) / rows.weight().sum()
    code = int((task.costs.to_array() @ shares).argmin())
    return Answer(np.full(n, shares[task.positive]), np.full(n, code), ranks=False)


def _plain(task: Task, rows: Table, held_out: Any, inner: list[Any]) -> dict[str, Answer]:
    """All levers that leave the training rows as they are: one fit, and one for each inner fold."""
    proba = _probabilities(_fitted(task, rows), held_out, task.classes)
    out_of_fold = np.empty((len(rows.codes), 2))
    for train, test in inner:
        model = _fitted(task, rows.take(train))
        out_of_fold[test] = _probabilities(model, safe_indexing(rows.X, test), task.classes)
    shares = np.bincount(rows.codes, rows.weights, minlength=2) / rows.weight().sum()
    calibrated = fit_sigmoid(Scored(out_of_fold, rows.codes, rows.weight()), shares)(proba)
    positive = proba[:, task.positive]
    above = positive >= 0.5
    return {
        "plain_half": Answer(positive, np.where(above, task.positive, 1 - task.positive)),
        "plain_cost": _by_cost(task, proba),
        "calibrated_cost": _by_cost(task, calibrated),
        "exact": _exact(task, rows, out_of_fold, proba),
    }


def _exact(task: Task, rows: Table, out_of_fold: np.ndarray, proba: np.ndarray) -> Answer:
    """The best threshold on the held-out scores inside the training rows."""
    n_train = len(out_of_fold)
    replayed = Replayed(np.concatenate([out_of_fold, proba]), task.classes)
    numbers = np.arange(n_train + len(proba))[:, None]
    search = ExactThresholdClassifierCV(
        replayed,
        scoring=cost_scorer(task.costs),
        pos_label=task.classes.tolist()[task.positive],
        cv="prefit",
        refit=False,
    ).fit(numbers[:n_train], rows.labels, sample_weight=rows.weights)
    # The class of a row, by its place: labels may be words of any dtype.
    is_last = search.predict(numbers[n_train:]) == task.classes[1]
    return Answer(proba[:, task.positive], is_last.astype(int))


def _by_cost(task: Task, proba: np.ndarray) -> Answer:
    """The answer of least expected cost, as CostThresholdClassifier decides."""
    costs = task.costs.to_array()
    rule = choose_rule(costs, task.positive, task.costs.threshold)
    return Answer(proba[:, task.positive], decide(costs, proba, rule))


def _fitted(task: Task, rows: Table) -> Any:
    # ResampledClassifier knows how weights reach the steps of a pipeline, with routing and without.
    model = ResampledClassifier(clone(task.plain), correction="none", ensemble=False)
    return model.fit(rows.X, rows.labels, sample_weight=rows.weights)


def _probabilities(model: Any, X: Any, classes: np.ndarray) -> np.ndarray:
    if not np.array_equal(model.classes_, classes):
        raise ValueError(
            f"estimator must learn both classes of y, {classes.tolist()}, in every fold; one knows "
            f"{np.asarray(model.classes_).tolist()}."
        )
    return np.asarray(model.predict_proba(X), dtype=np.float64)


def _inner_splits(rows: Table, classes: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """The folds inside the training rows, the same for every lever."""
    poorest = np.bincount(rows.codes, minlength=2).min()
    n_splits = int(min(_INNER_FOLDS, poorest))
    if rows.groups is not None:
        n_splits = min(n_splits, len(np.unique(rows.groups)))
    why = f"{poorest} row(s) of one class"
    if n_splits >= 2:
        splitter = StratifiedKFold if rows.groups is None else StratifiedGroupKFold
        number = np.zeros((len(rows.codes), 1))
        splits = list(splitter(n_splits).split(number, rows.codes, rows.groups))
        why = lacking(splits, rows.codes, classes, 1)
        if not why:
            return splits
    raise ValueError(
        "cv must leave enough training rows of both classes for folds within them, on which "
        f"levers are calibrated and thresholds searched; in one fold there are too few: {why}."
    )


@contextmanager
def _noting(way: str, warned: list[tuple[str, type[Warning], str]]) -> Iterator[None]:
    """Gather warnings: each would come once a fold, and from other processes never."""
    if threading.current_thread() is not threading.main_thread():
        # Threads share what is done with warnings: two that gather at once would leave the
        # program without any. They warn at once, fold by fold.
        yield
        return
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    warned += [(way, each.category, str(each.message)) for each in caught]
