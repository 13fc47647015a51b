"""Derivatives by the chain rule, where the general complex step would take K^4 numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from skmetrics_ext.tables import BoundMetric, one_against_rest

__all__ = ["STEP", "exact_slopes"]

STEP = 1e-30


def exact_slopes(bound: BoundMetric, table: np.ndarray) -> np.ndarray | None:
    """The derivatives of a metric at one table (K, K), if there is a short way to them.

    There is one where the formula has registered slopes, and where it is lifted to K classes:
    then it need only be stepped in the four cells of one class against the rest. None at other
    priors and with answers that are no class.
    """
    n_classes, n_answers = table.shape
    if bound.priors is not None or n_answers > n_classes or bound.metric.kind == "per_class":
        return None
    if not bound.metric.averages or bound.average == "multiclass":
        return _registered(bound, table)
    if bound.average != "binary":
        return _lifted(bound, table)
    if n_classes == 2 or bound.pos is None or bound.pos < 0:
        return None
    slopes = _stepped(bound, one_against_rest(table)[bound.pos])
    return _each_in_cells(slopes[None], np.array([bound.pos]), n_classes)[0]


def _registered(bound: BoundMetric, table: np.ndarray) -> np.ndarray | None:
    metric = bound.metric
    if metric.slopes is None:
        return None
    if metric.parts is None:
        return metric.slopes(table, **bound.params)
    numerator, denominator = metric.parts(table, **bound.params)
    if denominator == 0:
        return np.zeros(table.shape)
    of_numerator, of_denominator = metric.slopes(table, **bound.params)
    return (of_numerator - numerator / denominator * of_denominator) / denominator


def _lifted(bound: BoundMetric, table: np.ndarray) -> np.ndarray:
    """As in ``BoundMetric.__call__``: each class against the rest, then the average."""
    n_classes = len(table)
    each = one_against_rest(table)
    if bound.average == "micro":
        slopes = _stepped(bound, each.sum(0))
        return _sum_in_cells(np.broadcast_to(slopes, each.shape))
    slopes = _stepped(bound, each)
    if bound.average is None:
        return _each_in_cells(slopes, np.arange(n_classes), n_classes)
    values = bound.metric.formula(each, **bound.params)
    undefined = np.isnan(values)
    values = np.where(undefined, bound.replacement, values)
    slopes = np.where(undefined[:, None, None], 0.0, slopes)
    counted = ~np.isnan(values)
    weights = counted * (table.sum(-1) if bound.average == "weighted" else 1.0)
    vary = bound.average == "weighted" and weights.any()
    if not weights.any():
        weights = counted.astype(float)
    total = weights.sum()
    if total == 0:
        return np.zeros(table.shape)
    found = _sum_in_cells(slopes * (weights / total)[:, None, None])
    if vary:
        values = np.where(counted, values, 0.0)
        mean = (values * weights).sum() / total
        found += np.where(counted, (values - mean) / total, 0.0)[:, None]
    return found


def _stepped(bound: BoundMetric, tables: np.ndarray) -> np.ndarray:
    """The derivatives of the formula at tables (..., 2, 2), by a complex step in each cell."""
    formula: Callable[..., np.ndarray] = bound.metric.formula
    stack = np.broadcast_to(tables, (4, *tables.shape)).astype(np.complex128)
    for step, (truth, answer) in enumerate(np.ndindex(2, 2)):
        stack[step, ..., truth, answer] += 1j * STEP
    slopes = np.asarray(formula(stack, **bound.params)).imag / STEP
    return np.moveaxis(slopes, 0, -1).reshape(tables.shape)


def _each_in_cells(slopes: np.ndarray, classes: np.ndarray, n_classes: int) -> np.ndarray:
    """Slopes (C, 2, 2) of some classes against the rest, in the cells (C, K, K) they count."""
    places = np.arange(len(classes))
    found = np.empty((len(classes), n_classes, n_classes))
    found[:] = slopes[:, :1, :1]
    found[places, classes, :] = slopes[:, 1, :1]
    found[places, :, classes] = slopes[:, 0, 1:]
    found[places, classes, classes] = slopes[:, 1, 1]
    return found


def _sum_in_cells(slopes: np.ndarray) -> np.ndarray:
    """The sum over all classes of `_each_in_cells`, without writing out each."""
    (tn, fp), (fn, tp) = np.moveaxis(slopes, 0, -1)
    found = tn.sum() + (fn - tn)[:, None] + (fp - tn)
    np.fill_diagonal(found, tn.sum() - tn + tp)
    return found
