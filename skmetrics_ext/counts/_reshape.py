"""Counts of fewer groups or fewer classes, as the fields that change."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from skmetrics_ext._labels import same_label

if TYPE_CHECKING:
    from skmetrics_ext.counts._confusion import ConfusionCounts

__all__ = ["against_the_rest", "all_groups", "always", "one_group", "summed"]


def summed(counts: ConfusionCounts) -> dict[str, np.ndarray]:
    """The tables that add up cell by cell: n, w, w2, and the amounts where there are some."""
    tables = {"n": counts.n, "w": counts.w, "w2": counts.w2}
    if counts.amount is not None:
        tables["amount"] = counts.amount
    return tables


def one_group(counts: ConfusionCounts, place: int) -> dict[str, Any]:
    """The tables of one subgroup."""
    fields: dict[str, Any] = {name: table[place] for name, table in summed(counts).items()}
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
    fields: dict[str, Any] = {name: table.sum(0) for name, table in summed(counts).items()}
    clusters = counts.clusters
    if clusters is not None:
        clusters = replace(clusters, cell=clusters.cell % counts.n[0].size)
    return {**fields, "groups": None, "clusters": clusters}


def always(counts: ConfusionCounts, answer: Any) -> dict[str, Any]:
    """The tables with every row in the column of one answer."""
    actions = counts.actions.tolist()
    place = next((k for k, action in enumerate(actions) if same_label(action, answer)), None)
    if place is None:
        raise ValueError(f"answer must be one of {actions}; got {answer!r}.")
    fields: dict[str, Any] = {}
    for name, table in summed(counts).items():
        fields[name] = np.zeros_like(table)
        fields[name][..., place] = table.sum(-1)
    clusters = counts.clusters
    if clusters is not None:
        truth = clusters.cell // len(actions)  # of all subgroups, one after the other
        clusters = replace(clusters, cell=truth * len(actions) + place)
    return {**fields, "clusters": clusters}


def against_the_rest(counts: ConfusionCounts, pos: int) -> dict[str, Any]:
    """(2, 2) tables, the negative class first; actions beyond the classes stay."""
    labels, actions = counts.labels.tolist(), counts.actions.tolist()
    rest = labels[1 - pos] if len(labels) == 2 else f"not {labels[pos]}"
    extra = len(actions) - len(labels)
    row = (np.arange(len(labels)) == pos).astype(np.intp)
    column = np.concatenate([row, 2 + np.arange(extra)])
    into, across = np.eye(2, dtype=np.int64)[row], np.eye(2 + extra, dtype=np.int64)[column]
    fields: dict[str, Any] = {
        name: into.T @ table @ across for name, table in summed(counts).items()
    }
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
