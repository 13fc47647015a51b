"""One line that evaluates back to an equal cost matrix: it stands in the repr of pipelines."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["matrix_repr"]


def matrix_repr(
    costs: np.ndarray,
    labels: np.ndarray | None,
    pos_label: Any,
    extras: tuple[Any, ...],
    power: float | None,
    *,
    order: list[int] | None,
) -> str:
    """The shortest call that makes it; ``order`` says which of two classes is negative."""
    n_classes = costs.shape[1]
    columns = list(range(n_classes)) if order is None else order
    ordered = costs[np.ix_([*columns, *range(n_classes, len(costs))], columns)]
    names = None if labels is None else labels[columns].tolist()
    if n_classes == 2 and (names is not None or pos_label is not None):
        text = _binary(ordered, names, pos_label)
    elif power is not None:
        text = f"CostMatrix.ordinal({names!r}, power={_number(power)})"
    else:
        said = "" if names is None else f", labels={names!r}"
        text = f"CostMatrix({_rows(ordered[:n_classes])}{said})"
    return text + "".join(
        f".with_action({extra!r}, cost={_cost(row)})"
        for extra, row in zip(extras, ordered[n_classes:], strict=True)
    )


def _binary(costs: np.ndarray, names: list[Any] | None, pos_label: Any) -> str:
    parts = [
        f"false_positive={_number(costs[1, 0])}",
        f"false_negative={_number(costs[0, 1])}",
    ]
    if costs[1, 1] != 0:
        parts.append(f"true_positive={_number(costs[1, 1])}")
    if costs[0, 0] != 0:
        parts.append(f"true_negative={_number(costs[0, 0])}")
    parts.append(f"pos_label={(pos_label if names is None else names[1])!r}")
    if names is not None:
        parts.append(f"neg_label={names[0]!r}")
    return f"CostMatrix.binary({', '.join(parts)})"


def _number(value: float) -> str:
    """Exactly the same number when evaluated, without a decimal point where it needs none."""
    number = float(value)
    return str(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number)


def _cost(row: np.ndarray) -> str:
    return _number(row[0]) if np.ptp(row) == 0 else f"[{', '.join(map(_number, row))}]"


def _rows(costs: np.ndarray) -> str:
    return f"[{', '.join('[' + ', '.join(map(_number, row)) + ']' for row in costs)}]"
