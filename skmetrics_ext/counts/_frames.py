"""Columns to a frame of the reader's own library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import narwhals.stable.v2 as nw

__all__ = ["to_frame"]

_BACKENDS = ("pandas", "polars", "pyarrow")


def to_frame(columns: Mapping[str, Sequence[Any]], backend: str) -> Any:
    """A pandas, polars or pyarrow table of the columns; a column of mixed labels becomes text."""
    if backend not in _BACKENDS:
        raise ValueError(f"backend must be one of {list(_BACKENDS)}; got {backend!r}.")
    try:
        library = import_module(backend)
    except ImportError:
        raise ImportError(
            f"to_frame(backend={backend!r}) needs {backend}, which is not installed: "
            f"python -m pip install {backend}"
        ) from None
    plain = {name: _one_kind(list(values)) for name, values in columns.items()}
    return nw.from_dict(plain, backend=library).to_native()


def _one_kind(values: list[Any]) -> list[Any]:
    kinds = {type(v) for v in values if v is not None}
    if len(kinds) <= 1 or kinds <= {int, float}:
        return values
    return [None if v is None else str(v) for v in values]
