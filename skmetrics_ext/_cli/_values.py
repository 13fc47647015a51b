"""Words of the command line as labels of the data, and costs from them."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from skmetrics_ext._cli._read import BadDataError, Source
from skmetrics_ext.costs import CostMatrix

__all__ = ["as_label", "costs_from_file", "costs_of_two", "labels_in_order", "labels_of"]

_TRUE = {"true": True, "false": False}
_OUTCOMES = {
    "fp": "false_positive",
    "fn": "false_negative",
    "tp": "true_positive",
    "tn": "true_negative",
}


def as_label(word: str, source: Source, column: str) -> Any:
    """A word as a value of the column: a number where it holds numbers."""
    dtype = source.columns[column]
    try:
        if dtype.is_integer():
            return int(word)
        if dtype.is_float():
            return float(word)
        if str(dtype) == "Boolean":
            return _TRUE[word.lower()]
    except (ValueError, KeyError):
        raise BadDataError(
            f"{word!r} is no value of the column {column!r}, which holds {dtype} values."
        ) from None
    return word


def labels_in_order(order: str | None, source: Source, column: str) -> list[Any] | None:
    """The words of --order as labels."""
    if order is None:
        return None
    words = [word.strip() for word in order.split(",")]
    if "" in words:
        raise BadDataError(f"--order {order!r} must name every class, between commas.")
    return [as_label(word, source, column) for word in words]


def labels_of(source: Source, column: str, most: int = 20) -> list[Any]:
    """The distinct labels of a column, sorted; of many the first few."""
    found = source.frame.select(column).unique().collect()[column].drop_nulls().head(most + 1)
    labels = [label for label in found.to_list() if label == label]
    return sorted(labels, key=lambda label: (str(type(label)), label))


def costs_of_two(costs: Sequence[tuple[str, float]], positive: Any, negative: Any) -> CostMatrix:
    """``fp=1 fn=100`` as a CostMatrix; mistakes that are not named cost 1, right answers 0."""
    named = {_OUTCOMES[outcome]: amount for outcome, amount in costs}
    return CostMatrix.binary(**named, pos_label=positive, neg_label=negative)


def costs_from_file(
    path: str, source: Source, column: str, labels: Sequence[Any] | None
) -> CostMatrix:
    """A CSV with the header ``predicted,true,cost`` as a CostMatrix."""
    if not Path(path).is_file():
        raise BadDataError(f"--cost-matrix {path}: there is no such file.")
    pairs: dict[tuple[Any, Any], float] = {}
    for number, (said, true, cost) in _lines_of_costs(path):
        pair = as_label(said, source, column), as_label(true, source, column)
        if pair in pairs:
            raise BadDataError(f"--cost-matrix {path}: line {number} names {pair} again.")
        try:
            pairs[pair] = float(cost)
        except ValueError:
            raise BadDataError(
                f"--cost-matrix {path}: the cost in line {number} is no number: {cost!r}."
            ) from None
    try:
        return CostMatrix.from_dict(pairs, labels=labels)
    except ValueError as error:
        raise BadDataError(f"--cost-matrix {path}: {error}") from None


def _lines_of_costs(path: str) -> Iterator[tuple[int, tuple[str, str, str]]]:
    """The cells of each line by the header, with the line's number."""
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            if sorted(reader.fieldnames or ()) != ["cost", "predicted", "true"]:
                raise BadDataError(
                    f"--cost-matrix {path}: its header must be predicted,true,cost; got "
                    f"{','.join(reader.fieldnames or ()) or 'nothing'}."
                )
            for row in reader:
                if None in row or None in row.values():
                    raise BadDataError(
                        f"--cost-matrix {path}: line {reader.line_num} must hold three cells, as "
                        "the header says."
                    )
                yield reader.line_num, (row["predicted"], row["true"], row["cost"])
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadDataError(f"--cost-matrix {path} cannot be read: {error}.") from None
