"""``report``: a file's columns as a `DecisionReport`."""

from __future__ import annotations

from typing import Any

from skmetrics_ext._cli._read import BadDataError, Source
from skmetrics_ext._cli._values import (
    as_label,
    costs_from_file,
    costs_of_two,
    labels_in_order,
    labels_of,
)
from skmetrics_ext.report import DecisionReport

__all__ = ["named_costs", "positive_of", "report_of"]

# Scores of files that do not fit into memory are counted so finely.
_BINS = 1000


def report_of(
    source: Source,
    *,
    truth: str,
    pred: str | None,
    score: str | None,
    positive: str | None,
    costs: tuple[tuple[str, float], ...],
    cost_matrix: str | None,
    order: str | None,
    by: str | None,
    weight: str | None,
    cluster: str | None,
    threshold: float | None,
    bins: int | None,
    missing: str,
    level: float,
) -> DecisionReport:
    """The report; rows are read where they are few, else counted by Polars as they stream by."""
    source.require(truth=truth, pred=pred, by=by, cluster=cluster)
    source.require_numbers(score=score, weight=weight)
    title = f"Decision report: {source.name}"
    if _is_number(source, truth):
        useless = {
            "score": score,
            "positive": positive,
            "cost": costs or None,
            "cost-matrix": cost_matrix,
            "order": order,
            "by": by,
            "cluster": cluster,
            "threshold": threshold,
            "bins": bins,
        }
        _refuse_of_numbers(truth, pred, useless)
        assert pred is not None
        source.require_numbers(pred=pred)
        rows = source.rows([truth, pred, *([weight] if weight else [])])
        if rows.null_count().sum_horizontal().item():
            raise BadDataError("rows with missing values: leave them out of the file first.")
        weights = None if weight is None else rows[weight].to_numpy()
        return DecisionReport.from_predictions(
            rows[truth].to_numpy(),
            rows[pred].to_numpy(),
            sample_weight=weights,
            target="numbers",
            confidence_level=level,
            title=title,
        )
    labels = labels_in_order(order, source, truth)
    ordered = order is not None or str(source.columns[truth].base_type()) == "Enum"
    pos_label = positive_of(source, truth, positive, needed=score is not None or bool(costs))
    matrix = named_costs(source, truth, costs, cost_matrix, pos_label, labels)
    common: dict[str, Any] = {
        "cost_matrix": matrix,
        "labels": labels,
        "pos_label": pos_label,
        "threshold": threshold,
        "confidence_level": level,
        "title": title,
    }
    if not source.small or bins is not None or missing == "drop":
        return DecisionReport.from_frame(
            source.frame,
            y_true=truth,
            y_pred=pred,
            y_score=score,
            by=by,
            sample_weight=weight,
            clusters=cluster,
            bins=bins if source.small or bins is not None or score is None else _BINS,
            missing=missing,
            ordered=ordered and pred is not None,
            **common,
        )
    named = {"y_true": truth, "y_pred": pred, "y_score": score, "by": by}
    named |= {"sample_weight": weight, "clusters": cluster}
    rows = source.rows([column for column in named.values() if column is not None])
    columns = {name: rows[column] for name, column in named.items() if column is not None}
    target = "ordered" if order is not None else "auto"
    return DecisionReport.from_predictions(
        columns.pop("y_true"),
        columns.pop("y_pred", None),
        columns.pop("y_score", None),
        target=target,
        **columns,
        **common,
    )


def _refuse_of_numbers(truth: str, pred: str | None, given: dict[str, Any]) -> None:
    """Raise where numbers have no predictions, or options that only classes have."""
    useless = [f"--{name}" for name, value in given.items() if value is not None]
    if useless:
        raise BadDataError(
            f"--truth {truth}: the column holds numbers that are not whole, and a report on "
            f"numbers has no use for {', '.join(useless)}."
        )
    if pred is None:
        raise BadDataError(
            f"--truth {truth}: the column holds numbers that are not whole, and a report on "
            "numbers needs --pred, the predicted ones."
        )


def positive_of(source: Source, truth: str, positive: str | None, *, needed: bool) -> Any:
    """The positive class as a label; of words it must be named where it is needed."""
    if positive is None and not needed:
        return None
    labels = labels_of(source, truth)
    if positive is not None:
        label = as_label(positive, source, truth)
        if label not in labels and len(labels) <= 20:
            raise BadDataError(
                f"--positive {positive}: the column {truth!r} holds no such label; its labels are "
                f"{', '.join(map(repr, labels))}."
            )
        return label
    if set(labels) <= {0, 1} or set(labels) <= {-1, 1}:
        return None
    if len(labels) == 2:
        raise BadDataError(
            f"name the positive class by --positive: the labels of {truth!r} are "
            f"{', '.join(map(repr, labels))}."
        )
    return None


def named_costs(
    source: Source,
    truth: str,
    costs: tuple[tuple[str, float], ...],
    cost_matrix: str | None,
    positive: Any,
    labels: list[Any] | None,
) -> Any:
    """The costs of --cost or of a file; None where none were named."""
    if costs and cost_matrix is not None:
        raise BadDataError("name costs by --cost or by --cost-matrix, not by both.")
    if cost_matrix is not None:
        return costs_from_file(cost_matrix, source, truth, labels)
    if not costs:
        return None
    found = labels_of(source, truth)
    if len(found) > 2:
        raise BadDataError(
            f"--cost is for two classes, and {truth!r} holds {len(found)}"
            f"{'' if len(found) <= 20 else ' or more'}: name costs by --cost-matrix."
        )
    if positive is None:
        positive = True if str(source.columns[truth]) == "Boolean" else 1
    others = [label for label in found if label != positive]
    return costs_of_two(costs, positive, others[0] if others else None)


def _is_number(source: Source, column: str) -> bool:
    """Whether a column holds numbers of which some are not whole."""
    if not source.columns[column].is_float():
        return False
    import polars as pl

    value = pl.col(column)
    broken = source.frame.select((value != value.floor()).any()).collect().item()
    return bool(broken)
