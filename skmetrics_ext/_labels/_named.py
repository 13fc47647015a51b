"""Names that a frame or a series carries: used, or refused where they contradict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

__all__ = ["frame_labels", "named_shares", "shares_by_label"]


def named_shares(shares: Any, name: str) -> Mapping[Any, Any] | None:
    """What is named by labels: a mapping, or a pandas Series with an index of its own.

    ``y.value_counts(normalize=True)`` is sorted by the counts: its values in their order would
    give the classes each other's shares.
    """
    if isinstance(shares, Mapping):
        return shares
    if not nw.dependencies.is_pandas_series(shares):
        return None
    index = shares.index.tolist()
    if index == list(range(len(index))):
        return None
    if len(set(index)) < len(index):
        raise ValueError(f"{name} must name each class once; its index is {index}.")
    return dict(zip(index, shares.tolist(), strict=True))


def shares_by_label(shares: Any, labels: list[Any], name: str) -> Any:
    """Shares in the order of ``labels`` where they are named; else as they are, not checked.

    Raises
    ------
    ValueError
        Where a label has no share, or a share is of another label.
    """
    named = named_shares(shares, name)
    if named is None:
        return shares
    unknown = [label for label in named if label not in labels]
    if unknown:
        raise ValueError(f"{name} names {unknown}, which are no classes of {labels}.")
    absent = [label for label in labels if label not in named]
    if absent:
        raise ValueError(f"{name} must name every class of {labels}; {absent} is missing.")
    return [named[label] for label in labels]


def frame_labels(table: Any, labels: Any, name: str) -> Any:
    """The labels of a square table: as said, else as a frame's rows and columns name them.

    Raises
    ------
    ValueError
        Where the names of rows, columns and ``labels`` differ, also in their order: what is
        where would have to be guessed.
    """
    said = None if labels is None else np.asarray(labels).tolist()
    for side, names in _names_of(table):
        if names is None:
            continue
        if said is None:
            said = names
        elif names != said:
            raise ValueError(
                f"{name} is a frame whose {side} are named {names}, which is not the order "
                f"{said}. Give rows, columns and labels the same order, or pass the bare numbers "
                "with labels=[...]."
            )
    return labels if labels is not None else said


def _names_of(table: Any) -> list[tuple[str, list[Any] | None]]:
    if nw.dependencies.is_pandas_dataframe(table):
        named = [("columns", table.columns.tolist()), ("rows", table.index.tolist())]
        return [(side, None if v == list(range(len(v))) else v) for side, v in named]
    frame = nw.from_native(table, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        unnamed = [f"column_{k}" for k in range(len(frame.columns))]
        return [("columns", None if frame.columns == unnamed else list(frame.columns))]
    return []
