"""Scorers: every registered metric, and costs, for GridSearchCV and its like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from skmetrics_ext._sklearn import BaseScorer
from skmetrics_ext.costs import evaluate_cost_function
from skmetrics_ext.counts._tabulate import count_rows
from skmetrics_ext.metrics._costs import expected_cost_loss, pay
from skmetrics_ext.metrics._inside import extra_actions, from_inside
from skmetrics_ext.metrics._label_metric import label_metric
from skmetrics_ext.tables import Metric, bind, get_metric

__all__ = ["MetricScorer", "cost_scorer", "get_metric_scorer"]

_COMMON = (
    "labels",
    "pos_label",
    "average",
    "zero_division",
    "replace_undefined_by",
    "on",
)


class _MetricFunction:
    """A registered metric as ``function(y_true, y_pred, *, sample_weight=None, **params)``.

    A class and not a closure, since scorers are pickled to the workers of a grid search.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.__name__ = get_metric(name).public_name

    def __call__(
        self, y_true: Any, y_pred: Any, *, sample_weight: Any = None, **params: Any
    ) -> Any:
        return label_metric(self.name, y_true, y_pred, sample_weight=sample_weight, **params)


class MetricScorer(BaseScorer):
    """A scorer of a registered metric: higher is better, losses are negated."""

    def __init__(self, metric: Metric, params: dict[str, Any]) -> None:
        sign = 1 if metric.greater_is_better else -1
        super().__init__(_MetricFunction(metric.name), sign, params, "predict")
        self.name = metric.name  # and not the metric, whose formulas cannot all be pickled

    def _score(
        self, method_caller: Callable[..., Any], estimator: Any, X: Any, y_true: Any, **kwargs: Any
    ) -> float:
        self._warn_overlap(
            message="There is an overlap between set kwargs of this scorer and passed metadata.",
            kwargs=kwargs,
        )
        y_pred = method_caller(estimator, "predict", X)
        params = {**self._kwargs, **kwargs}
        if params.get("labels") is None:
            order = (
                from_inside(estimator, "class_order_") if get_metric(self.name).ordinal else None
            )
            if order is not None:
                params["labels"] = order
            else:
                params["known"] = getattr(estimator, "classes_", None)
        params.setdefault("actions", extra_actions(estimator))
        return self._sign * self._score_func(y_true, y_pred, **params)

    def __repr__(self) -> str:
        params = "".join(f", {key}={value!r}" for key, value in self._kwargs.items())
        negated = "" if self._sign > 0 else ", negated: higher is better"
        return f"get_metric_scorer({self.name!r}{params}){negated}"


class _RowCostScorer(BaseScorer):
    """Minus the mean cost per row, the costs being a function of the rows scored."""

    def __init__(self, cost_function: Callable[[Any], Any], labels: Any) -> None:
        super().__init__(
            expected_cost_loss, -1, {"cost_matrix": cost_function, "labels": labels}, "predict"
        )

    def _score(
        self, method_caller: Callable[..., Any], estimator: Any, X: Any, y_true: Any, **kwargs: Any
    ) -> float:
        y_pred = method_caller(estimator, "predict", X)
        function, labels = self._kwargs["cost_matrix"], self._kwargs["labels"]
        own = getattr(function, "labels", None) if labels is None else labels
        classes = count_rows(
            y_true,
            y_pred,
            labels=own,
            known=getattr(estimator, "classes_", None),
            actions=getattr(function, "extra_actions", None),
        ).classes.labels
        costs, actions = evaluate_cost_function(function, X, classes, labels=labels)
        return self._sign * pay(y_true, y_pred, costs, classes, actions, **kwargs).mean()

    def __repr__(self) -> str:
        labels = self._kwargs["labels"]
        named = "" if labels is None else f", labels={labels!r}"
        return f"cost_scorer({self._kwargs['cost_matrix']!r}{named}), negated: higher is better"


def get_metric_scorer(name: str, **params: Any) -> BaseScorer:
    """A scikit-learn scorer for any registered metric: ``scoring=get_metric_scorer("youden")``.

    Parameters
    ----------
    name : str
        A registered name; a wrong one is answered with the list of all.
    **params
        ``labels``, ``pos_label``, ``average``, ``zero_division``, ``replace_undefined_by``,
        ``on`` (what becomes of rows that the estimator declined: see
        `ConfusionCounts.estimate`), and the metric's own: ``beta``, ``weights``,
        ``tolerance``, ``cost_matrix``.

    Returns
    -------
    scorer
        ``scorer(estimator, X, y, sample_weight=None)``; higher is better: losses are negated,
        and its repr says so. ``estimator.classes_`` only adds classes that a fold lacks; the
        order of ordinal metrics comes from ``labels`` or from the estimator's
        ``class_order_``, and words without an order raise.

    Raises
    ------
    ValueError
        An unknown name.
    TypeError
        A parameter that the metric does not have.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.model_selection import cross_val_score
    >>> from skmetrics_ext.metrics import get_metric_scorer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> scorer = get_metric_scorer("specificity", pos_label=0)
    >>> cross_val_score(DummyClassifier(), X, y, scoring=scorer, cv=3).tolist()
    [1.0, 1.0, 1.0]
    >>> get_metric_scorer("expected_cost", labels=[0, 1])
    get_metric_scorer('expected_cost', labels=[0, 1]), negated: higher is better
    """
    metric = get_metric(name)
    own = {key: value for key, value in params.items() if key not in _COMMON}
    bind(metric, average=metric.averages[0] if metric.averages else None, params=own)
    if params.get("average", "auto") is None:
        raise ValueError(f"average=None gives one value per class; a scorer of {name!r} needs one.")
    return MetricScorer(metric, params)


def cost_scorer(cost_matrix: Any, *, labels: Any = None) -> BaseScorer:
    """A scorer that answers minus the cost per row: ``GridSearchCV(..., scoring=cost_scorer(c))``.

    Parameters
    ----------
    cost_matrix : CostMatrix, array-like of shape (K, K), or callable
        c[i, j], the cost of answering i when the truth is j. A callable is called with the rows
        that are scored, ``f(X_test) -> (n, K, K)``: `CostMatrix.per_row` makes one. It sees the
        X that the scored estimator sees.
    labels : array-like of shape (K,), default=None
        The order of the matrix; required on words, unless the costs have labels of their own.

    Returns
    -------
    scorer
        Higher is better: the mean cost in its currency per row, negated.

    Examples
    --------
    >>> from skmetrics_ext.costs import CostMatrix
    >>> from skmetrics_ext.metrics import cost_scorer
    >>> cost_scorer(CostMatrix.binary(false_negative=100, false_positive=1))
    ... # doctest: +ELLIPSIS
    get_metric_scorer('expected_cost', cost_matrix=CostMatrix.binary(...), negated: higher is better
    """
    if callable(cost_matrix):
        return _RowCostScorer(cost_matrix, labels)
    params = {"cost_matrix": cost_matrix}
    if labels is not None:
        params["labels"] = labels
    return MetricScorer(get_metric("expected_cost"), params)
