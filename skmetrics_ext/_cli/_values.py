"""Words of the command line as labels of the data, and costs from them."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from skmetrics_ext._cli._read import BadDataError, Source
from skmetrics_ext.costs import CostMatrix

__all__ = ["as_label", "costs_from_file", "costs_of_two", "labels_of"]

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


def labels_of(source: Source, column: str, most: int = 20) -> list[Any]:
    """The distinct labels of a column, sorted; of many the first few."""
    found = source.frame.select(column).unique().collect()[column].head(most + 1)
    return sorted((v for v in found.to_list() if v is not None), key=lambda v: (str(type(v)), v))


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
    with Path(path).open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        if sorted(reader.fieldnames or ()) != ["cost", "predicted", "true"]:
            raise BadDataError(
                f"--cost-matrix {path}: its header must be predicted,true,cost; got "
                f"{','.join(reader.fieldnames or ()) or 'nothing'}."
            )
        pairs: dict[tuple[Any, Any], float] = {}
        for number, row in enumerate(reader, 2):
            pair = as_label(row["predicted"], source, column), as_label(row["true"], source, column)
            if pair in pairs:
                raise BadDataError(f"--cost-matrix {path}: line {number} names {pair} again.")
            try:
                pairs[pair] = float(row["cost"])
            except (TypeError, ValueError):
                raise BadDataError(
                    f"--cost-matrix {path}: the cost in line {number} is no number: "
                    f"{row['cost']!r}."
                ) from None
    try:
        return CostMatrix.from_dict(pairs, labels=labels)
    except ValueError as error:
        raise BadDataError(f"--cost-matrix {path}: {error}") from None
