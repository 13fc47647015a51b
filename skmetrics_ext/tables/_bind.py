"""A metric with everything fixed: a function of tables, lifted to K classes and averaged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from skmetrics_ext.tables._layout import at_priors, one_against_rest
from skmetrics_ext.tables._registry import Metric, divide, get_metric

__all__ = ["BoundMetric", "bind"]


@dataclass(frozen=True)
class BoundMetric:
    """A metric with everything fixed: a function of tables. Made by `bind`.

    ``bound(tables)`` gives the raw values of tables (..., K, A), NaN where they are undefined,
    of shape (...); for ``average=None`` it is (..., K), one for each class.

    Attributes
    ----------
    metric : Metric
    average : str or None
    pos : int or None
        The place of the positive class in the table, counted from 0.
    replacement : float
        What takes the place of an undefined class before an average is taken.
    params : mapping
        The parameters of the metric.
    priors : ndarray of shape (K,) or None
        Class shares that it is computed for, instead of the table's own.

    Examples
    --------
    >>> import numpy as np
    >>> from skmetrics_ext.tables import bind, get_metric
    >>> kappa = bind(get_metric("weighted_kappa"), params={"weights": None})
    >>> kappa(np.array([[[80, 20], [20, 80]], [[90, 10], [10, 90]]])).round(2)
    array([0.6, 0.8])
    """

    metric: Metric
    average: str | None
    pos: int | None
    replacement: float
    params: Mapping[str, Any] = field(default_factory=dict)
    priors: np.ndarray | None = None

    def __call__(self, tables: np.ndarray) -> np.ndarray:
        if self.priors is not None:
            tables = at_priors(tables, self.priors)
        if self.average == "binary":
            return self.metric.formula(self.binary_tables(tables), **self.params)
        if self.metric.kind == "per_class":
            return _average_of_classes(self.metric.formula(tables, **self.params), self.average)
        if not self.metric.averages or self.average == "multiclass":
            return self.metric.formula(tables, **self.params)
        each = one_against_rest(tables)
        if self.average == "micro":
            return self.metric.formula(each.sum(-3), **self.params)
        values = self.metric.formula(each, **self.params)
        if self.average is None:
            return values
        values = np.where(np.isnan(values.real), self.replacement, values)
        weights = tables.sum(-1) if self.average == "weighted" else np.ones(values.shape)
        return _weighted_mean(values, weights)

    @property
    def per_class(self) -> bool:
        """Whether the answer has one value per class (average=None)."""
        return bool(self.metric.averages) and self.average is None

    def parts(self, tables: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Numerator and denominator, where the value is one count over another."""
        if self.metric.parts is None or self.average in {"macro", "weighted"}:
            return None
        if self.priors is not None:
            tables = at_priors(tables, self.priors)
        if self.average == "binary":
            return self.metric.parts(self.binary_tables(tables), **self.params)
        if not self.metric.averages:
            return self.metric.parts(tables, **self.params)
        each = one_against_rest(tables)
        return self.metric.parts(each.sum(-3) if self.average == "micro" else each, **self.params)

    def within_one_class(self, n_classes: int) -> bool:
        """Whether all is counted within one true class, so that class priors change nothing."""
        within = self.metric.within
        return within == "positive" or (within == "negative" and n_classes == 2)

    def as_proportion(self, n_classes: int) -> tuple[BoundMetric, Callable[[float], float]] | None:
        """The proportion that this value is, or is an increasing function of; else None.

        At other priors only what is counted within one true class stays a proportion, and they
        do not change it.
        """
        if self.average in {"macro", "weighted"} or self.metric.kind == "per_class":
            return None
        if self.priors is not None and not self.within_one_class(n_classes):
            return None
        if self.metric.parts is not None:
            return replace(self, priors=None), _identity
        through = self.metric.through
        if through is None or (self.metric.name == "fbeta" and self.params["beta"] != 1):
            return None
        name, forward = through
        return bind(get_metric(name), average=self.average, pos=self.pos), forward

    def undefined(self, tables: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Where ``values = bound(tables)``, or a class that they average, are undefined."""
        if self.average in {"macro", "weighted"} and self.metric.kind != "per_class":
            alone = BoundMetric(self.metric, None, None, np.nan, self.params, self.priors)
            return np.isnan(alone(tables)).any(-1)
        return np.isnan(values)

    def binary_tables(self, tables: np.ndarray) -> np.ndarray:
        """(..., K, A) as (..., 2, 2): the positive class against the rest, negative first.

        Where there are answers that are no class they come last, in (..., 2, 3) or more.
        """
        if tables.shape[-2] == 2:
            if self.pos != 0:
                return tables
            both = tables[..., ::-1, 1::-1]
            return (
                both if tables.shape[-1] == 2 else np.concatenate([both, tables[..., ::-1, 2:]], -1)
            )
        if self.pos is None or self.pos < 0:
            # The data knows one class, and it is the negative one (or no class is positive).
            tables = _with_empty_class(tables)
        each = one_against_rest(tables)
        return each[..., self.pos if self.pos is not None else -1, :, :]


def bind(
    metric: Metric,
    *,
    average: str | None = None,
    pos: int | None = None,
    replacement: float = 0.0,
    params: Mapping[str, Any] | None = None,
    priors: np.ndarray | None = None,
) -> BoundMetric:
    """Fix the parameters of a metric, its average and its positive class.

    Parameters
    ----------
    metric : Metric
    average : str or None, default=None
        One of those that the metric takes, if it takes any.
    pos : int or None, default=None
        For ``average="binary"``: the place of the positive class in the table, counted from 0.
    replacement : float, default=0.0
        What takes the place of an undefined class before an average is taken.
    params : mapping or None, default=None
        Parameters that are not the metric's defaults.
    priors : ndarray of shape (K,) or None, default=None
        Class shares to compute it for, instead of the table's own.

    Returns
    -------
    BoundMetric

    Raises
    ------
    ValueError
        Where the metric does not take that average.
    TypeError
        Where it has no parameter of that name.

    Examples
    --------
    >>> import numpy as np
    >>> from skmetrics_ext.tables import bind, get_metric
    >>> table = np.array([[5, 1, 0], [2, 6, 1], [0, 1, 4]])
    >>> bind(get_metric("recall"), average=None)(table).round(3)
    array([0.833, 0.667, 0.8  ])
    >>> round(float(bind(get_metric("recall"), average="macro")(table)), 3)
    0.767
    """
    if metric.averages and average not in metric.averages:
        raise ValueError(
            f"average={average!r} is not one of {list(metric.averages)}, which "
            f"{metric.name!r} takes."
        )
    params = {**metric.defaults, **(params or {})}
    unknown = set(params) - set(metric.defaults)
    if unknown:
        raise TypeError(
            f"{metric.name!r} has no parameter {sorted(unknown)}; it takes "
            f"{sorted(metric.defaults) or 'none'}."
        )
    return BoundMetric(metric, average, pos, replacement, params, priors)


def _identity(value: float) -> float:
    return value


def _with_empty_class(tables: np.ndarray) -> np.ndarray:
    n_classes = tables.shape[-2]
    # Its column stands behind those of the classes, before any answers that are no class.
    tables = np.insert(tables, n_classes, 0.0, axis=-1)
    return np.insert(tables, n_classes, 0.0, axis=-2)


def _average_of_classes(values: np.ndarray, average: str | None) -> np.ndarray:
    if average is None:
        return values
    defined = ~np.isnan(values.real)
    if average == "max":
        best = np.where(defined, values.real, -np.inf).argmax(-1)[..., None]
        return np.take_along_axis(values, best, -1)[..., 0]
    return _weighted_mean(values, defined.astype(float))


def _weighted_mean(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The mean of the values that are defined; all weights zero: the plain mean of those."""
    defined = ~np.isnan(values.real)
    weights = np.where(defined, weights, 0.0)
    nothing = (weights.real.sum(-1) == 0)[..., None]
    weights = np.where(nothing, defined.astype(float), weights)
    values = np.where(defined, values, 0.0)
    return divide((values * weights).sum(-1), weights.sum(-1))
