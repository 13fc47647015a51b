"""The receipt of a report: its evidence as JSON, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from skmetrics_ext.costs import CostMatrix, resolve_cost_matrix
from skmetrics_ext.counts import ConfusionCounts, ScoreCounts
from skmetrics_ext.inspection import WorstErrors
from skmetrics_ext.report._calls import Number
from skmetrics_ext.report._evidence import Evidence
from skmetrics_ext.report._seal import FORMAT, finite_or_word, sealed, shown_numbers

__all__ = ["read_evidence", "written"]


def written(evidence: Evidence, numbers: list[tuple[str, Number]], title: str) -> str:
    """Everything that the numbers come from, and the numbers with their calls."""
    kept = {
        "counts": _json_of(evidence.counts),
        "scores": _json_of(evidence.scores),
        "cross_fitted": _json_of(evidence.cross_fitted),
        "cost_matrix": _costs(evidence.cost_matrix),
        "costs_from": evidence.costs_from,
        "labels": list(evidence.labels),
        "pos_label": evidence.pos_label,
        "decided_by": evidence.decided_by,
        "ordered": evidence.ordered,
        "fold_thresholds": [finite_or_word(v) for v in evidence.fold_thresholds],
        "worst": _worst(evidence.worst),
        "confidence_level": evidence.confidence_level,
    }
    return sealed(FORMAT, title=title, evidence=kept, numbers=shown_numbers(numbers))


def read_evidence(found: Mapping[str, Any]) -> Evidence:
    """The evidence that a receipt holds."""
    scores = found["scores"]
    return Evidence(
        counts=_counts_of(found["counts"]),
        scores=None if scores is None else ScoreCounts.from_json(json.dumps(scores)),
        cost_matrix=_costs_of(found["cost_matrix"]),
        costs_from=found["costs_from"],
        labels=tuple(found["labels"]),
        pos_label=found["pos_label"],
        decided_by=found["decided_by"],
        ordered=found["ordered"],
        cross_fitted=_counts_of(found["cross_fitted"]),
        fold_thresholds=tuple(float(v) for v in found["fold_thresholds"]),
        worst=_worst_of(found["worst"]),
        confidence_level=found["confidence_level"],
    )


# ---------------------------------------------------------------------------------------------


def _json_of(piece: ConfusionCounts | ScoreCounts | None) -> Any:
    return None if piece is None else json.loads(piece.to_json())


def _counts_of(receipt: Any) -> ConfusionCounts | None:
    return None if receipt is None else ConfusionCounts.from_json(json.dumps(receipt))


def _costs(costs: CostMatrix | None) -> Any:
    if costs is None:
        return None
    labels = costs.labels
    assert labels is not None
    return {
        "labels": labels.tolist(),
        "costs": costs.to_array().tolist(),
        "actions": costs.extra_actions,
        "pos_label": costs.pos_label if len(labels) == 2 else None,
    }


def _costs_of(found: Any) -> CostMatrix | None:
    if found is None:
        return None
    labels, table = found["labels"], found["costs"]
    positive = found["pos_label"]
    if len(labels) == 2 and positive == labels[0]:
        (tp, fp), (fn, tn) = table[0], table[1]
        costs = CostMatrix.binary(
            true_positive=tp,
            false_positive=fp,
            false_negative=fn,
            true_negative=tn,
            pos_label=labels[0],
            neg_label=labels[1],
        )
    else:
        costs = CostMatrix(table[: len(labels)], labels)
    for action, row in zip(found["actions"], table[len(labels) :], strict=True):
        costs = costs.with_action(action, cost=row)
    return resolve_cost_matrix(costs, labels)


def _worst(worst: WorstErrors | None) -> Any:
    if worst is None:
        return None
    columns = {name: column.tolist() for name, column in worst.columns().items()}
    return {**columns, "n_errors": worst.n_errors, "n_samples": worst.n_samples}


def _worst_of(found: Any) -> WorstErrors | None:
    if found is None:
        return None
    names = [f.name for f in fields(WorstErrors)]
    columns: dict[str, Any] = {
        k: np.asarray(found[k]) if isinstance(found[k], list) else found[k] for k in names
    }
    return WorstErrors(**columns)
