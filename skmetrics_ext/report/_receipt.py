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

__all__ = ["read_evidence", "written"]

_FORMAT = "skmetrics_ext.report.DecisionReport"
_VERSION = 1


def written(evidence: Evidence, numbers: list[tuple[str, Number]]) -> str:
    """Everything that the numbers come from, and the numbers with their calls."""
    body = {
        "format": _FORMAT,
        "version": _VERSION,
        "evidence": {
            "counts": _json_of(evidence.counts),
            "scores": _json_of(evidence.scores),
            "cross_fitted": _json_of(evidence.cross_fitted),
            "cost_matrix": _costs(evidence.cost_matrix),
            "declared": evidence.declared,
            "labels": list(evidence.labels),
            "pos_label": evidence.pos_label,
            "decided_by": evidence.decided_by,
            "ordered": evidence.ordered,
            "fold_thresholds": [_number(v) for v in evidence.fold_thresholds],
            "worst": _worst(evidence.worst),
            "confidence_level": evidence.confidence_level,
        },
        "numbers": [
            {
                "section": section,
                "label": number.label,
                "call": str(number.call),
                "value": _number(number.value),
                "low": _number(number.low),
                "high": _number(number.high),
                "counts": number.counts,
            }
            for section, number in numbers
        ],
    }
    return json.dumps(body, ensure_ascii=False)


def read_evidence(text: str) -> Evidence:
    """The evidence that a receipt holds."""
    try:
        body = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"text must be the JSON of a report; it is no JSON: {error}.") from None
    if not isinstance(body, dict) or body.get("format") != _FORMAT:
        raise ValueError(f"text must be the JSON of a report (format {_FORMAT!r}); it is not one.")
    if body.get("version") != _VERSION:
        raise ValueError(f"this receipt has version {body.get('version')!r}; {_VERSION} is known.")
    found: Mapping[str, Any] = body["evidence"]
    return Evidence(
        counts=_counts_of(found["counts"]),
        scores=None
        if found["scores"] is None
        else ScoreCounts.from_json(json.dumps(found["scores"])),
        cost_matrix=_costs_of(found["cost_matrix"]),
        declared=found["declared"],
        labels=tuple(found["labels"]),
        pos_label=found["pos_label"],
        decided_by=found["decided_by"],
        ordered=found["ordered"],
        cross_fitted=_counts_of(found["cross_fitted"]),
        fold_thresholds=tuple(_read(v) for v in found["fold_thresholds"]),
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


def _number(value: float | None) -> Any:
    """Numbers that JSON has no sign for are words."""
    if value is None or np.isfinite(value):
        return None if value is None else float(value)
    return repr(float(value))


def _read(value: Any) -> float:
    return float(value)
