"""Counts of fewer groups or fewer classes, as the fields that change."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from skmetrics_ext.counts._confusion import ConfusionCounts

__all__ = ["against_the_rest", "all_groups", "one_group"]


def one_group(counts: ConfusionCounts, place: int) -> dict[str, Any]:
    """The tables of one subgroup."""
    fields: dict[str, Any] = {t: getattr(counts, t)[place] for t in ("n", "w", "w2")}
    clusters = counts.clusters
    if clusters is not None:
        group, cell = np.divmod(clusters.cell, counts.n[0].size)
        inside = group == place
        clusters = replace(
            clusters, cluster=clusters.cluster[inside], cell=cell[inside], w=clusters.w[inside]
        )
    return {**fields, "groups": None, "clusters": clusters}


def all_groups(counts: ConfusionCounts) -> dict[str, Any]:
    """The tables summed over the subgroups."""
    fields: dict[str, Any] = {t: getattr(counts, t).sum(0) for t in ("n", "w", "w2")}
    clusters = counts.clusters
    if clusters is not None:
        clusters = replace(clusters, cell=clusters.cell % counts.n[0].size)
    return {**fields, "groups": None, "clusters": clusters}


def against_the_rest(counts: ConfusionCounts, pos: int) -> dict[str, Any]:
    """(2, 2) tables, the negative class first; actions beyond the classes stay."""
    labels, actions = counts.labels.tolist(), counts.actions.tolist()
    rest = labels[1 - pos] if len(labels) == 2 else f"not {labels[pos]}"
    extra = len(actions) - len(labels)
    row = (np.arange(len(labels)) == pos).astype(np.intp)
    column = np.concatenate([row, 2 + np.arange(extra)])
    into, across = np.eye(2, dtype=np.int64)[row], np.eye(2 + extra, dtype=np.int64)[column]
    fields: dict[str, Any] = {t: into.T @ getattr(counts, t) @ across for t in ("n", "w", "w2")}
    clusters = counts.clusters
    if clusters is not None:
        group, cell = np.divmod(clusters.cell, len(labels) * len(actions))
        truth, answer = np.divmod(cell, len(actions))
        cell = (group * 2 + row[truth]) * (2 + extra) + column[answer]
        clusters = replace(clusters, cell=cell)
    return {
        **fields,
        "labels": _objects([rest, labels[pos]]),
        "actions": _objects([rest, labels[pos], *actions[len(labels) :]]),
        "ordered": True,
        "pos_label": labels[pos],
        "clusters": clusters,
    }


def _objects(values: list[Any]) -> np.ndarray:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
