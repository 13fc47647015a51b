"""Counts as a JSON receipt with a checksum, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from skmetrics_ext._labels import label_array
from skmetrics_ext.counts._seal import sealed, unsealed
from skmetrics_ext.counts._tabulate import ClusterCells
from skmetrics_ext.tables import get_metric

if TYPE_CHECKING:
    from skmetrics_ext.counts._confusion import ConfusionCounts

__all__ = ["read", "written"]

_KIND = "skmetrics_ext.ConfusionCounts"


def written(
    counts: ConfusionCounts, metric: str | None, cost_matrix: Any, params: Mapping[str, Any]
) -> str:
    """The receipt; labels must be words, numbers or bools."""
    declared = dict(counts.declared or {})
    if metric is not None:
        declared["metric"] = get_metric(metric).name
    if cost_matrix is not None:
        declared["cost_matrix"] = _costs_written(cost_matrix, counts.labels)
    elif isinstance(declared.get("cost_matrix"), DeclaredCosts):
        declared["cost_matrix"] = _costs_written(declared["cost_matrix"], counts.labels)
    declared |= {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in params.items()}
    clusters = counts.clusters
    body = {
        "labels": counts.labels.tolist(),
        "actions": counts.actions.tolist(),
        "ordered": bool(counts.ordered),
        "groups": None if counts.groups is None else list(counts.groups),
        "n": counts.n.tolist(),
        "w": counts.w.tolist(),
        "w2": counts.w2.tolist(),
        "priors": None if counts.priors is None else counts.priors.tolist(),
        "pos_label": counts.pos_label,
        "dropped": counts.dropped,
        "clusters": None
        if clusters is None
        else {
            "names": list(clusters.names),
            "cluster": clusters.cluster.tolist(),
            "cell": clusters.cell.tolist(),
            "w": clusters.w.tolist(),
        },
        "declared": declared or None,
    }
    if counts.amount is not None:
        body["amount"] = counts.amount.tolist()
    return sealed(_KIND, body, indent=1)


def read(text: str) -> dict[str, Any]:
    """The fields of the counts that the receipt tells of."""
    body = unsealed(text, _KIND)
    clusters = body["clusters"]
    return {
        "n": np.array(body["n"], dtype=np.int64),
        "w": np.array(body["w"], dtype=np.float64),
        "w2": np.array(body["w2"], dtype=np.float64),
        "labels": _labels(body["labels"], body["pos_label"]),
        "actions": _labels(body["actions"], body["pos_label"]),
        "ordered": body["ordered"],
        "groups": None if body["groups"] is None else tuple(body["groups"]),
        "priors": None if body["priors"] is None else np.array(body["priors"]),
        "pos_label": body["pos_label"],
        "dropped": body["dropped"],
        "clusters": None
        if clusters is None
        else ClusterCells(
            tuple(clusters["names"]),
            np.array(clusters["cluster"], dtype=np.intp),
            np.array(clusters["cell"], dtype=np.intp),
            np.array(clusters["w"], dtype=np.float64),
        ),
        "declared": _declared(body["declared"]),
        "amount": None if "amount" not in body else np.array(body["amount"], dtype=np.float64),
    }


@dataclass(frozen=True)
class DeclaredCosts:
    """Costs from a receipt, c[i, j] by name: what `ConfusionCounts.estimate` asks of them."""

    names: tuple[Any, ...]
    extra_actions: tuple[Any, ...]
    costs: tuple[tuple[float, ...], ...]
    pos_label: Any = None

    @property
    def labels(self) -> np.ndarray:
        """The classes, in the order of the columns."""
        return _labels(list(self.names), None)

    def to_array(self, labels: Any = None) -> np.ndarray:
        """The costs in the order of ``labels``, then of the other actions."""
        array = np.array(self.costs)
        if labels is None:
            return array
        columns = [self.names.index(label) for label in np.asarray(labels).tolist()]
        return array[[*columns, *range(len(self.names), len(array))]][:, columns]


def _costs_written(costs: Any, labels: np.ndarray) -> Any:
    """Named costs with their names, an array as it is."""
    if not hasattr(costs, "to_array"):
        return np.asarray(costs, dtype=np.float64).tolist()
    named = costs.labels is not None or costs.pos_label is not None
    return {
        "labels": labels.tolist(),
        "actions": list(costs.extra_actions),
        "costs": costs.to_array(labels if named else None).tolist(),
    }


def _declared(declared: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    costs = None if declared is None else declared.get("cost_matrix")
    if declared is None or not isinstance(costs, dict):
        return declared
    rows = tuple(tuple(row) for row in costs["costs"])
    known = DeclaredCosts(tuple(costs["labels"]), tuple(costs["actions"]), rows)
    return {**declared, "cost_matrix": known}


def _labels(values: list[Any], pos_label: Any) -> np.ndarray:
    if len({isinstance(v, str) for v in values}) < 2:
        return label_array(values)
    mixed = np.empty(len(values), dtype=object)  # one class and "not" it, or an action's name
    mixed[:] = values
    return mixed
