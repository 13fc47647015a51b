"""From counts to estimates: bind the metric, evaluate it, and find its intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from skmetrics_ext._labels import decide_pos_label
from skmetrics_ext.counts._declined import declined_rows, settled
from skmetrics_ext.counts._estimate import Estimate, Estimates, settings_of
from skmetrics_ext.counts._evaluate import Evaluation, bind_to_labels, evaluate
from skmetrics_ext.intervals import ByCluster, Interval, Spread, intervals
from skmetrics_ext.intervals._interval import check_level
from skmetrics_ext.tables import BoundMetric

if TYPE_CHECKING:
    from skmetrics_ext.counts._confusion import ConfusionCounts

__all__ = ["estimate", "spreads"]


def estimate(
    counts: ConfusionCounts,
    metric: str,
    *,
    confidence_level: float | None,
    method: str,
    pos_label: Any,
    average: str | None,
    prevalence: float | None,
    zero_division: Any,
    replace_undefined_by: float,
    n_resamples: int,
    random_state: Any,
    on: str | None,
    params: Mapping[str, Any],
) -> Estimate | Estimates:
    """See `ConfusionCounts.estimate`."""
    if confidence_level is not None:
        check_level(confidence_level)
    pos_label = counts.pos_label if pos_label is None else pos_label
    at_priors = prevalence is not None or counts.priors is not None
    everyone, counts = counts, settled(counts, metric, on, at_priors=at_priors)
    priors = counts.priors
    if prevalence is not None:
        priors = _at_prevalence(counts, prevalence, pos_label)
    bound = bind_to_labels(
        metric,
        counts.labels,
        everyone.actions if "cost_matrix" in params else counts.actions,
        ordered=counts.ordered,
        pos_label=pos_label,
        average=average,
        zero_division=zero_division,
        priors=priors,
        params=params,
        on=on,
    )
    if params.get("cost_matrix") is not None:
        costs = bound.params["cost_matrix"][: len(counts.actions)]
        bound = replace(bound, params={**bound.params, "cost_matrix": costs})
    evaluation = evaluate(
        bound, counts.w, zero_division=zero_division, replace_undefined_by=replace_undefined_by
    )
    found: list[list[Interval]] | None = None
    if confidence_level is not None:
        found = [
            intervals(
                bound,
                n,
                spread,
                confidence_level=confidence_level,
                method=method,
                n_resamples=n_resamples,
                random_state=random_state,
            )
            for n, spread in zip(_stacked(counts.n), spreads(counts), strict=True)
        ]
    estimates = _estimates(counts, evaluation, found, confidence_level)
    left_out = counts.actions.size < everyone.actions.size
    if on is not None and (left_out or bound.metric.declined != "priced"):
        estimates = _told(estimates, everyone, on)
    several = counts.groups is not None or bound.per_class
    return Estimates(estimates) if several else estimates[0]


def _told(estimates: list[Estimate], counts: ConfusionCounts, on: str) -> list[Estimate]:
    """The estimates with what became of the declined rows, where there were any."""
    declined = np.atleast_1d(declined_rows(counts))
    each = np.repeat(declined, len(estimates) // len(declined)).tolist()
    return [
        replace(estimate, on=on, declined=rows) if rows else estimate
        for estimate, rows in zip(estimates, each, strict=True)
    ]


def spreads(counts: ConfusionCounts) -> list[Spread]:
    """The tables of each subgroup, with what their cells vary by."""
    w, w2 = _stacked(counts.w), _stacked(counts.w2)
    if counts.clusters is None:
        return [Spread(a, b) for a, b in zip(w, w2, strict=True)]
    group, cell = np.divmod(counts.clusters.cell, w[0].size)
    found = []
    for g, (table, squares) in enumerate(zip(w, w2, strict=True)):
        inside = group == g
        clusters = ByCluster(
            counts.clusters.cluster[inside], cell[inside], counts.clusters.w[inside]
        )
        found.append(Spread(table, squares, clusters))
    return found


def _stacked(tables: np.ndarray) -> np.ndarray:
    return tables if tables.ndim == 3 else tables[None]


def _at_prevalence(counts: ConfusionCounts, prevalence: float, pos_label: Any) -> np.ndarray:
    """The priors where the positive class has this share, the others as among themselves."""
    if not isinstance(prevalence, (int, float, np.number)) or not 0 < prevalence < 1:
        raise ValueError(
            f"prevalence must be a share between 0 and 1, both excluded; got {prevalence!r}."
        )
    if counts.priors is not None:
        raise ValueError("prevalence and at_priors() both state the class shares: use one of them.")
    pos = decide_pos_label(counts.labels, pos_label)
    in_truth = counts.total().w.sum(-1)
    rest = in_truth.copy()
    rest[pos] = 0.0
    others = rest / rest.sum() if rest.sum() > 0 else np.zeros(len(rest))
    shares = others * (1 - prevalence)
    shares[pos] = prevalence
    return counts.at_priors(shares).priors  # type: ignore[return-value]  # set by at_priors


def _estimates(
    counts: ConfusionCounts,
    evaluation: Evaluation,
    found: list[list[Interval]] | None,
    confidence_level: float | None,
) -> list[Estimate]:
    bound = evaluation.bound
    groups = counts.groups if counts.groups is not None else (None,)
    labels = counts.labels.tolist()
    values = evaluation.value.reshape(len(groups), -1)
    parts = _parts(bound, counts.w, values.shape)
    shares = _shares(_stacked(counts.w), bound.priors)
    classes = list(range(len(labels))) if bound.per_class else [bound.pos]
    estimates = []
    for g, group in enumerate(groups):
        for v, c in enumerate(classes):
            about = c if bound.per_class or not bound.metric.symmetric else None
            about = None if about is not None and about < 0 else about
            interval = None if found is None else found[g][v]
            estimates.append(
                Estimate(
                    metric=bound.metric.name,
                    value=float(values[g, v]),
                    n=int(_stacked(counts.n)[g].sum()),
                    low=None if interval is None else interval.low,
                    high=None if interval is None else interval.high,
                    se=None if interval is None else interval.se,
                    confidence_level=confidence_level,
                    method=None if interval is None else interval.method,
                    numerator=None if parts is None else float(parts[0][g, v]),
                    denominator=None if parts is None else float(parts[1][g, v]),
                    pos_label=None if about is None else labels[about],
                    average=bound.average,
                    prevalence=None if about is None else float(shares[g, about]),
                    group=group,
                    settings=settings_of(bound),
                )
            )
    return estimates


def _parts(
    bound: BoundMetric, w: np.ndarray, shape: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray] | None:
    """The counts as counted; none where other priors make the value another than their ratio."""
    if bound.priors is not None and not bound.within_one_class(w.shape[-2]):
        return None
    plain = BoundMetric(bound.metric, bound.average, bound.pos, math.nan, bound.params)
    parts = plain.parts(w)
    return None if parts is None else (parts[0].reshape(shape), parts[1].reshape(shape))


def _shares(w: np.ndarray, priors: np.ndarray | None) -> np.ndarray:
    """The share of each class among the true labels (G, K), or the priors stated."""
    in_truth = w.sum(-1)
    if priors is not None:
        return np.broadcast_to(priors, in_truth.shape)
    total = in_truth.sum(-1, keepdims=True)
    return in_truth / np.where(total == 0, 1.0, total)
