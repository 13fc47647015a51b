"""Costs from the columns of PyArrow tables, apart because pyarrow asks for its own numpy."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from skmetrics_ext.costs import CostMatrix

COST = CostMatrix.per_row(false_negative="amount", false_positive=50)


@pytest.mark.parametrize(
    "X",
    [
        pa.table({"amount": [20.0, 900.0], "other": ["x", "y"]}),
        pa.table({"amount": [20, 900]}),
        pd.DataFrame({"amount": pd.array([20.0, 900.0], dtype="float64[pyarrow]")}),
    ],
)
def test_columns_of_arrow(X):
    np.testing.assert_array_equal(COST(X), [[[0, 20], [50, 0]], [[0, 900], [50, 0]]])


def test_nulls_of_arrow_are_named_by_row():
    with pytest.raises(ValueError, match=r"column 'amount'\) must be finite.*in row 1"):
        COST(pa.table({"amount": [20.0, None]}))
