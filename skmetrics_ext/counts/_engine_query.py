"""What is asked of an engine: the columns, made ready to be summed, and their group-by."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw

from skmetrics_ext.counts._engine_frame import Source

__all__ = ["Derived", "Question"]


@dataclass(frozen=True)
class Derived:
    """A key computed from a column of numbers (as Float64): the bin of a score, say.

    ``by`` maps the narwhals expression of the column to that of the key. Where the column is
    null or NaN the key must be so too: that is how a missing value is seen.
    """

    column: str
    by: Callable[[nw.Expr], nw.Expr]


@dataclass(frozen=True)
class Question:
    """The parameters of `grouped` that say what is wanted; columns get names of our own."""

    keys: Mapping[str, str | Derived]
    labels: Collection[str]
    sample_weight: str | None
    sums: Mapping[str, str]
    extremes: Mapping[str, str]

    @property
    def weighted(self) -> bool:
        """Whether there is more to sum than rows."""
        return self.sample_weight is not None or bool(self.sums)

    @property
    def key_names(self) -> dict[str, str]:
        """The name in the query of each key."""
        return {parameter: f"key_{k}" for k, parameter in enumerate(self.keys)}

    @property
    def sum_names(self) -> dict[str, str]:
        """The name in the query of each column to sum."""
        return {parameter: f"sum_{k}" for k, parameter in enumerate(self.sums)}

    def column(self, parameter: str) -> str:
        """The user's name of the column behind a parameter."""
        key = self.keys.get(parameter) or self.sums.get(parameter) or self.sample_weight
        return key.column if isinstance(key, Derived) else str(key)

    def said(self, parameters: Collection[str]) -> str:
        """Parameters with their columns, for a message."""
        return ", ".join(f"{p} ({self.column(p)!r})" for p in parameters)

    def needed(self, source: Source) -> list[nw.Expr]:
        """The columns that are asked for, which must be there and of the right types."""
        needed = []
        for parameter, key in self.keys.items():
            if isinstance(key, Derived):
                expression = key.by(source.number(key.column, parameter))
            else:
                expression = source.column(key, parameter)
            needed.append(expression.alias(self.key_names[parameter]))
        if self.sample_weight is not None:
            needed.append(source.number(self.sample_weight, "sample_weight").alias("w"))
        for parameter, name in self.sum_names.items():
            needed.append(source.number(self.sums[parameter], parameter).alias(name))
        for k, (parameter, column) in enumerate(self.extremes.items()):
            needed.append(source.number(column, parameter).alias(f"of_{k}"))
        return needed

    def selected(self, source: Source) -> nw.LazyFrame[Any]:
        """The columns that are needed: keys, then weight, weight squared and sums."""
        frame = source.frame.select(*self.needed(source))
        if not self.weighted:
            return frame
        if self.sample_weight is None:
            frame = frame.with_columns(nw.lit(1.0).alias("w"))
        measures = ["w", *self.sum_names.values()]
        extremes = [f"of_{k}" for k in range(len(self.extremes))]
        whole = self.sample_weight is not None and source.is_whole(self.sample_weight)
        if self.sums or extremes or not whole:
            # A row is usable as a whole or not at all: out of every sum and extreme, or in all.
            finite = [nw.col(name).is_finite() for name in measures]
            usable = nw.all_horizontal(*finite, ignore_nulls=False)
            measured = [*measures, *extremes]
            frame = frame.with_columns(nw.when(usable).then(nw.col(m)).alias(m) for m in measured)
        times = [(nw.col("w") * nw.col(m)).alias("w2" if m == "w" else m) for m in measures]
        return frame.with_columns(*times)

    def grouped(self, selected: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
        """One row per combination of keys, null keys kept."""
        aggregates = [nw.len().alias("rows")]
        if self.weighted:
            weight = nw.col("w")
            aggregates += [weight.count().alias("usable"), weight.min().alias("lowest")]
            aggregates += [nw.col(m).sum() for m in ("w", "w2", *self.sum_names.values())]
        for k in range(len(self.extremes)):
            values = nw.col(f"of_{k}")
            aggregates += [values.min().alias(f"least_{k}"), values.max().alias(f"greatest_{k}")]
        return selected.group_by(*self.key_names.values()).agg(*aggregates)
