"""What the search for synthetic rows rests on: grids, and a class to compare with."""

import numpy as np
import pytest

from skmetrics_ext.imbalance import find_resampling_leakage
from skmetrics_ext.imbalance._leakage_lines import independent_columns, is_grid


@pytest.mark.parametrize("decimals", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("scale", [1, 0.37, 1e6])
def test_rounded_values_are_a_grid_in_any_unit(decimals, scale, rng):
    assert is_grid(rng.normal(size=500).round(decimals) * scale + scale)


@pytest.mark.parametrize("n", [10, 300, 5000])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_measured_values_are_not(n, dtype, rng):
    for _ in range(20):
        assert not is_grid(rng.normal(size=n).astype(dtype))


def test_a_few_made_values_break_a_grid(rng):
    values = rng.normal(size=500).round(2)
    values[:3] = values[3:6] + rng.random(3) * (values[6:9] - values[3:6])
    assert not is_grid(values)


def test_linear_combinations_do_not_count(rng):
    X = rng.normal(size=(100, 3))
    columns = independent_columns(np.c_[X, X @ [1, 2, 3], 5 * X[:, 0] + 1, np.ones(100)], rng)
    assert len(columns) == 3


@pytest.mark.parametrize(("on_a_line", "found"), [(False, 1), (True, 0)])
def test_a_class_that_fills_a_line_is_nothing_to_compare_with(on_a_line, found, rng):
    rows = rng.normal(size=(100, 3))
    made = rows[:50] + rng.random((50, 1)) * (rows[50:] - rows[:50])
    other = rng.normal(size=(300, 1)) * [1, 2, 3] if on_a_line else rng.normal(size=(300, 3))
    y = np.repeat([0, 1], [150, 300])
    assert len(find_resampling_leakage(np.r_[rows, made, other], y, random_state=0)) == found
