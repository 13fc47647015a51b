"""Counts add up: the same tables cell by cell, groups and clusters matched by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from skmetrics_ext.counts._reshape import summed
from skmetrics_ext.counts._tabulate import ClusterCells

if TYPE_CHECKING:
    from skmetrics_ext.counts._confusion import ConfusionCounts

__all__ = ["AddsUp", "merged", "merged_clusters", "require_same"]


class AddsUp:
    """Counts that ``sum`` adds up as ``+`` does."""

    def __radd__(self, other: object) -> Self:
        # The 0 that ``sum`` starts from is no count, and no other number is either.
        return self if type(other) is int and other == 0 else NotImplemented


def require_same(what: str, ours: Any, theirs: Any) -> None:
    """Refuse to add counts that differ, and name the difference."""
    if ours == theirs:
        return
    detail = f"{ours!r} against {theirs!r}"
    if isinstance(ours, list) and isinstance(theirs, list):
        only = [x for x in ours if x not in theirs], [x for x in theirs if x not in ours]
        if any(only):
            detail += f" (only left: {only[0]}, only right: {only[1]})"
    raise ValueError(f"counts add up only with the same {what}: {detail}.")


def merged(left: ConfusionCounts, right: ConfusionCounts) -> dict[str, Any]:
    """The tables, groups and clusters of the sum."""
    groups, where = _union(left.groups, right.groups)
    cells = len(left.labels) * len(left.actions)
    fields: dict[str, Any] = {"groups": groups}
    others = summed(right)
    for name, ours in summed(left).items():
        theirs = others[name]
        if groups is None:
            fields[name] = ours + theirs
            continue
        table = np.zeros((len(groups), *ours.shape[1:]), dtype=ours.dtype)
        table[: len(ours)] += ours
        table[where] += theirs
        fields[name] = table
    fields["clusters"] = merged_clusters(left.clusters, right.clusters, where, cells)
    return fields


def _union(
    left: tuple[Any, ...] | None, right: tuple[Any, ...] | None
) -> tuple[tuple[Any, ...] | None, np.ndarray]:
    """The names of both, the left ones first, and the places of the right ones."""
    if left is None or right is None:
        return None, np.zeros(1, dtype=np.intp)
    place = {name: k for k, name in enumerate(left)}
    for name in right:
        place.setdefault(name, len(place))
    return tuple(place), np.array([place[name] for name in right], dtype=np.intp)


def merged_clusters(
    left: ClusterCells | None, right: ClusterCells | None, where: np.ndarray, cells: int
) -> ClusterCells | None:
    """The clusters of both, matched by name; ``where`` the right ones' groups of cells go."""
    if left is None or right is None:
        return None
    names, place = _union(left.names, right.names)
    group, cell = np.divmod(right.cell, cells)
    cell = where[group] * cells + cell
    everything = [
        np.concatenate([left.cluster, place[right.cluster]]),
        np.concatenate([left.cell, cell]),
    ]
    pairs, inverse = np.unique(np.stack(everything), axis=1, return_inverse=True)
    w = np.bincount(inverse.ravel(), np.concatenate([left.w, right.w]))
    return ClusterCells(names or (), pairs[0], pairs[1], w)
