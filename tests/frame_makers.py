"""The same rows as a frame of each library of the test extra; every maker takes an Arrow table."""

import pandas as pd
import polars as pl


def pandas_frame(table):
    """numpy's types: a missing number is NaN, a missing word None or NaN."""
    return table.to_pandas()


_NULLABLE = {
    "bool": pd.BooleanDtype(),
    "int8": pd.Int8Dtype(),
    "int32": pd.Int32Dtype(),
    "int64": pd.Int64Dtype(),
    "float": pd.Float32Dtype(),
    "double": pd.Float64Dtype(),
    "string": pd.StringDtype(),
}


def nullable_frame(table):
    """pandas' own nullable types, else Arrow's: whatever is missing is NA."""
    return table.to_pandas(types_mapper=lambda t: _NULLABLE.get(str(t), pd.ArrowDtype(t)))


def arrow_backed_frame(table):
    """pandas on Arrow's types."""
    return table.to_pandas(types_mapper=pd.ArrowDtype)


def polars_frame(table):
    return pl.from_arrow(table)


def polars_lazy_frame(table):
    return pl.from_arrow(table).lazy()


def arrow_table(table):
    return table


MAKERS = {
    "pandas": pandas_frame,
    "pandas nullable": nullable_frame,
    "pandas on arrow": arrow_backed_frame,
    "polars": polars_frame,
    "polars lazy": polars_lazy_frame,
    "pyarrow": arrow_table,
}
