"""The registry of label metrics: what a metric is, and the formula it has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

__all__ = ["Metric", "get_metric", "metric_names", "proportion", "register"]

Formula = Callable[..., np.ndarray]
Range = tuple[float, float]


@dataclass(frozen=True)
class Metric:
    """A label metric: a formula over tables ``(..., K, K)``, and what is known of it.

    Parameters
    ----------
    name : str
        scikit-learn's name, or the function's without ``_score`` or ``_loss``.
    formula : callable
        ``formula(tables, **params) -> values``: vectorised over the leading axes, of degree 0
        in the weights, NaN where undefined. Where ``kind`` is "per_class" it adds an axis K.
    kind : {"multiclass", "binary", "per_class"}
        What the formula reads: (K, K); (2, 2) with the negative class first, lifted to K
        classes one against the rest; or (K, K) with an answer per class.
    greater_is_better : bool
    range : (low, high) or callable (n_classes, params) -> (low, high)
    parts : callable or None
        For proportions: ``parts(tables, **params) -> (numerator, denominator)``.
    slopes : callable or None
        ``slopes(table, **params)``: the derivatives (K, K) of the formula with respect to the
        cells of one table (K, K), 0 or NaN where it is undefined; for proportions a pair, those
        of the numerator and of the denominator. Without it they are found cell by cell, in K^4.
    through : (name, callable) or None
        A proportion that it is an increasing function of, and the function: its interval is
        that of the proportion, carried over.
    within : {"positive", "negative", None}
        For proportions: the true class that all is counted within, if it is one.
    predictive : bool
        Whether it is a predictive value, which at priors of a population has a logit interval.
    symmetric : bool
        Whether the two classes may change places, so that no positive class is needed.
    ordinal : bool
        Whether the order of the classes matters.
    undefined : {"zero_division", "replace", "zero", "zero_warned", "nan_warned"}
        How an undefined value is replaced: by ``zero_division`` (default "warn": 0.0 with a
        warning), by ``replace_undefined_by`` (default NaN, with a warning), by 0.0 silently, or
        by 0.0 or NaN with a warning and no choice.
    averages : tuple
        The values of ``average`` that it takes, the default first; empty if it takes none.
    defaults : mapping
        Its parameters and their defaults.
    skips_absent : bool
        Whether classes without rows are left out of its mean.
    declined : {"wrong", "priced", "nowhere"}
        What an answer that is no class (tables (K, A) with A > K) is to the formula. "wrong": a
        row of its true class that was not found, and part of no answer. "priced": it has a cost
        of its own. "nowhere": the metric is about distances, and it has none (but for kappa
        with ``weights=None``).

    Examples
    --------
    >>> from skmetrics_ext.tables import get_metric
    >>> metric = get_metric("expected_cost")
    >>> metric.public_name, metric.greater_is_better, metric.is_proportion
    ('expected_cost_loss', False, False)
    >>> get_metric("recall").averages
    ('binary', 'macro', 'micro', 'weighted', None)
    """

    name: str
    formula: Formula
    kind: Literal["multiclass", "binary", "per_class"]
    greater_is_better: bool = True
    range: Range | Callable[[int, Mapping[str, Any]], Range] = (0.0, 1.0)
    parts: Callable[..., tuple[np.ndarray, np.ndarray]] | None = None
    slopes: Callable[..., Any] | None = None
    through: tuple[str, Callable[[float], float]] | None = None
    within: Literal["positive", "negative"] | None = None
    predictive: bool = False
    symmetric: bool = False
    ordinal: bool = False
    undefined: Literal["zero_division", "replace", "zero", "zero_warned", "nan_warned"] = (
        "zero_division"
    )
    averages: tuple[str | None, ...] = ()
    defaults: Mapping[str, Any] = field(default_factory=dict)
    skips_absent: bool = False
    declined: Literal["wrong", "priced", "nowhere"] = "wrong"

    @property
    def is_proportion(self) -> bool:
        """Whether it is a count divided by a count, both in units of rows."""
        return self.parts is not None

    @property
    def public_name(self) -> str:
        """The name as a score or an error, which tells the direction."""
        if self.name.endswith(("_error", "_corrcoef", "_ratio", "_rate", "_value")):
            return self.name
        return f"{self.name}_{'score' if self.greater_is_better else 'loss'}"

    def range_of(self, n_classes: int, params: Mapping[str, Any]) -> Range:
        """The lowest and the highest value it can take, with these parameters."""
        if callable(self.range):
            return self.range(n_classes, params)
        return self.range


_METRICS: dict[str, Metric] = {}
_BINARY_AVERAGES = ("binary", "macro", "micro", "weighted", None)


def register(name: str, kind: Literal["multiclass", "binary", "per_class"], **facts: Any) -> Any:
    """Register the decorated formula as a metric; the facts are the fields of `Metric`."""

    def decorate(formula: Formula) -> Formula:
        if name in _METRICS:
            raise ValueError(f"a metric named {name!r} is registered already.")
        if kind == "binary":
            facts.setdefault("averages", _BINARY_AVERAGES)
        _METRICS[name] = Metric(name=name, formula=formula, kind=kind, **facts)
        return formula

    return decorate


def proportion(name: str, kind: Literal["multiclass", "binary"], **facts: Any) -> Any:
    """Register a metric that is a count over a count; the decorated function answers both."""

    def decorate(parts: Callable[..., tuple[np.ndarray, np.ndarray]]) -> Any:
        def value(tables: np.ndarray, **params: Any) -> np.ndarray:
            return divide(*parts(tables, **params))

        value.__doc__ = parts.__doc__
        register(name, kind, parts=parts, **facts)(value)
        return parts

    return decorate


def get_metric(name: str) -> Metric:
    """The registered metric of a name.

    Parameters
    ----------
    name : str
        One of `metric_names`.

    Returns
    -------
    Metric

    Raises
    ------
    ValueError
        For an unknown name; the message lists them all.

    Examples
    --------
    >>> from skmetrics_ext.tables import get_metric
    >>> metric = get_metric("matthews_corrcoef")
    >>> metric.range, metric.symmetric
    ((-1.0, 1.0), True)
    """
    if not isinstance(name, str) or name not in _METRICS:
        raise ValueError(f"unknown metric {name!r}; the registered ones are {metric_names()}.")
    return _METRICS[name]


def metric_names() -> list[str]:
    """The names of all registered metrics, sorted.

    Returns
    -------
    list of str

    Examples
    --------
    >>> from skmetrics_ext.tables import metric_names
    >>> metric_names()[:3]
    ['accuracy', 'balanced_accuracy', 'classwise_mean_absolute_error']
    """
    return sorted(_METRICS)


def divide(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """numerator / denominator, NaN where the denominator is zero (judged on real parts)."""
    empty = denominator.real == 0
    if not empty.any():
        return numerator / denominator
    return np.where(empty, np.nan, numerator / np.where(empty, 1.0, denominator))
