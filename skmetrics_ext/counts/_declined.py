"""Rows that were declined: answered by an action that is no class, such as "refer"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from skmetrics_ext.counts._reshape import summed
from skmetrics_ext.tables import Metric, get_metric

if TYPE_CHECKING:
    from skmetrics_ext.counts._confusion import ConfusionCounts

__all__ = ["check_on", "declined_rows", "declined_text", "refuse_declined", "settled"]

_CHOICES = ("answered", "all")


def check_on(on: Any) -> None:
    """Refuse what is not one of the choices."""
    if on is not None and not (isinstance(on, str) and on in _CHOICES):
        raise ValueError(f"on must be None or one of {list(_CHOICES)}; got {on!r}.")


def declined_rows(counts: ConfusionCounts) -> np.ndarray:
    """How many rows of each subgroup, or of all, have an answer that is no class."""
    return np.asarray(counts.n[..., len(counts.labels) :].sum((-2, -1)))


def declined_text(counts: ConfusionCounts) -> str:
    """How many rows were declined and which share of all that is; "" without such an action."""
    if len(counts.actions) == len(counts.labels):
        return ""
    rows, total = int(declined_rows(counts).sum()), int(counts.n.sum())
    text = f"{rows} of {total} rows declined ({100 * rows / max(total, 1):.1f} %)"
    weight = float(counts.w[..., len(counts.labels) :].sum())
    if weight == rows:
        return text
    return f"{text}, {100 * weight / float(counts.w.sum()):.1f} % of the weight"


def settled(
    counts: ConfusionCounts, metric: str, on: str | None, *, at_priors: bool = False
) -> ConfusionCounts:
    """The counts that a metric is asked of: all of them, or those of the rows answered.

    Where no row was declined, what was not used is left out. Costs know what declining is worth,
    and see all rows unless ``on="answered"``.

    Raises
    ------
    ValueError
        Where rows were declined and nobody says what becomes of them.
    """
    check_on(on)
    if len(counts.actions) == len(counts.labels):
        return counts
    priced = get_metric(metric).declined == "priced"
    declined = int(declined_rows(counts).sum())
    if not declined:
        return counts if priced else answered(counts)
    if on == "answered":
        _check_answered(counts, at_priors)
        return answered(counts)
    if on is None and not priced:
        raise ValueError(_undecided(counts, metric, declined))
    return counts


def answered(counts: ConfusionCounts) -> ConfusionCounts:
    """The same counts without the rows that were declined."""
    k, a = len(counts.labels), len(counts.actions)
    clusters = counts.clusters
    if clusters is not None:
        row, answer = np.divmod(clusters.cell, a)
        kept = answer < k
        clusters = replace(
            clusters,
            cluster=clusters.cluster[kept],
            cell=(row * k + answer)[kept],
            w=clusters.w[kept],
        )
    tables: dict[str, Any] = {name: t[..., :k] for name, t in summed(counts).items()}
    return replace(counts, **tables, actions=counts.labels, clusters=clusters)


def refuse_declined(
    metric: Metric,
    labels: np.ndarray,
    actions: np.ndarray,
    on: str | None,
    params: Mapping[str, Any],
) -> None:
    """Refuse a metric that has no value for answers that are no class."""
    if metric.declined == "priced":
        return
    extra = actions.tolist()[len(labels) :]
    if on != "all":
        raise ValueError(
            f"{metric.name!r} compares answers with classes, but the answers {extra} are no class. "
            "Say what becomes of those rows: on='answered' leaves them out, on='all' counts them "
            "as wrong. What they cost is told by expected_cost and cost_savings."
        )
    if metric.declined == "nowhere" and params.get("weights", "quadratic") is not None:
        raise ValueError(
            f"on='all' counts declined rows as wrong, but {metric.name!r} asks how far off an "
            f"answer is, and {extra} are at no distance from any class. Use on='answered'"
            f"{', or weights=None' if 'weights' in metric.defaults else ''}; what declining costs "
            "is told by expected_cost."
        )


def _check_answered(counts: ConfusionCounts, at_priors: bool) -> None:
    if at_priors:
        raise ValueError(
            "on='answered' cannot be asked at other priors: those are shares of all rows, and the "
            "rows answered have others, which depend on how many of each class are declined."
        )
    k = len(counts.labels)
    per_table = np.atleast_1d(counts.w[..., :k].sum((-2, -1)))
    for place in np.flatnonzero(per_table == 0):
        where = "" if counts.groups is None else f" in subgroup {counts.groups[place]!r}"
        raise ValueError(f"on='answered': every row was declined{where}, so that none is left.")


def _undecided(counts: ConfusionCounts, metric: str, declined: int) -> str:
    extra = counts.actions.tolist()[len(counts.labels) :]
    return (
        f"{metric!r} compares answers with classes, but {declined} of {int(counts.n.sum())} rows "
        f"were answered {extra}, which {'is' if len(extra) == 1 else 'are'} no class. Say what "
        "becomes of them: on='answered' leaves them out, on='all' counts them as wrong. What "
        "they cost is told by expected_cost and cost_savings."
    )
