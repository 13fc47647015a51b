"""What the search for synthetic rows rests on: grids, and a class to compare with."""

import tracemalloc

import numpy as np
import pytest

from skmetrics_ext.imbalance import find_resampling_leakage
from skmetrics_ext.imbalance._leakage_lines import between, independent_columns, is_grid
from skmetrics_ext.imbalance._leakage_synthetic import PRECISIONS

EXACT, COARSE = PRECISIONS


@pytest.mark.parametrize("decimals", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("scale", [1, 0.37, 1e6, 1e-9])
def test_rounded_values_are_a_grid_in_any_unit(decimals, scale, rng):
    assert is_grid(rng.normal(size=500).round(decimals) * scale + scale)


@pytest.mark.parametrize("decimals", [0, 1])
def test_float32_makes_steps_uneven_and_a_grid_is_one_still(decimals, rng):
    values = (rng.normal(size=500).round(decimals) * 0.37).astype(np.float32)
    assert is_grid(values.astype(float))


def test_values_of_a_grid_that_were_computed_in_two_ways_are_one_still(rng):
    levels = rng.integers(0, 50, size=500)
    assert is_grid(np.r_[levels * 0.1, levels / 10, levels * 0.1 + 1e-14])


def test_steps_without_a_common_width_are_no_grid():
    assert is_grid(np.array([0, 2, 5, 11]) * 0.1)
    golden = (1 + 5**0.5) / 2
    assert not is_grid(np.array([0, 1, 1 + golden]))


def test_one_value_is_a_grid():
    assert is_grid(np.full(5, 0.1))


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


def test_of_many_columns_a_part_is_enough(rng):
    columns = independent_columns(rng.normal(size=(200, 120)), rng)
    assert len(columns) == len(set(columns.tolist())) == 50


@pytest.mark.parametrize(("dtype", "noise", "n"), [(np.float32, 0, 2), (float, 1e-3, 3)])
def test_what_float32_makes_of_a_linear_combination_is_one_still(dtype, noise, n, rng):
    X = rng.normal(size=(100, 2))
    third = X @ [1, 2] + noise * rng.normal(size=100)
    assert len(independent_columns(np.c_[X, third].astype(dtype).astype(float), rng)) == n


@pytest.mark.parametrize("jitter", [0, 1e-3])
def test_rows_of_a_design_were_not_made_from_each_other(jitter, rng):
    # Each level stands once in a column, and many rows are exactly between two others.
    design = np.argsort(rng.random((2, 200)), axis=1).T / 200
    design += jitter * rng.random(design.shape)
    measured = rng.random((600, 2))
    X = np.c_[np.r_[measured, design], np.ones(800)]
    assert find_resampling_leakage(X, np.repeat([0, 1], [600, 200]), random_state=0) == []


@pytest.mark.parametrize(("on_a_line", "found"), [(False, 1), (True, 0)])
def test_a_class_that_fills_a_line_is_nothing_to_compare_with(on_a_line, found, rng):
    rows = rng.normal(size=(100, 3))
    made = rows[:50] + rng.random((50, 1)) * (rows[50:] - rows[:50])
    other = rng.normal(size=(300, 1)) * [1, 2, 3] if on_a_line else rng.normal(size=(300, 3))
    y = np.repeat([0, 1], [150, 300])
    assert len(find_resampling_leakage(np.r_[rows, made, other], y, random_state=0)) == found


def made_in_class_1(n_pairs, rng, columns=3):
    """Rows of which the last ``n_pairs`` were made, each from two of those before."""
    rows = rng.normal(size=(2 * n_pairs, columns))
    return np.r_[
        rows, rows[:n_pairs] + rng.random((n_pairs, 1)) * (rows[n_pairs:] - rows[:n_pairs])
    ]


def test_a_class_with_columns_that_say_the_same_still_has_something_to_say(rng):
    # Degrees in two units, in both classes: of six columns five count.
    X = np.r_[rng.normal(size=(300, 5)), made_in_class_1(50, rng, columns=5)]
    X = np.c_[X, 1.8 * X[:, 0] + 32]
    (finding,) = find_resampling_leakage(X, np.repeat([0, 1], [300, 150]), random_state=0)
    assert finding.evidence["rows_between_two_others"] == 50


def test_a_class_of_two_rows_is_nothing_to_compare_with(rng):
    # In class 0 a row or two in a hundred are between others for some other reason.
    some = np.r_[rng.normal(size=(291, 3)), made_in_class_1(3, rng)]
    X = np.r_[some, made_in_class_1(100, rng), rng.normal(size=(2, 3))]
    y = np.repeat([0, 1, 2], [300, 300, 2])
    (finding,) = find_resampling_leakage(X, y, random_state=0)
    assert finding.evidence["rows_between_two_others"] == 100
    assert finding.evidence["class_of_lowest_rate"] == 0
    assert finding.evidence["rows_in_class_of_lowest_rate"] == 3


def n_found(classes):
    y = np.repeat(range(len(classes)), [len(rows) for rows in classes])
    return len(find_resampling_leakage(np.concatenate(classes), y, random_state=0))


@pytest.mark.parametrize(("n_made", "n_others", "found"), [(4, 1000, 0), (5, 1000, 1), (5, 9, 0)])
def test_few_rows_prove_nothing(n_made, n_others, found, rng):
    # 5 of 15 and none of 9 could be chance: C(15, 5) / C(24, 5) = 0.07.
    assert n_found([rng.normal(size=(n_others, 3)), made_in_class_1(n_made, rng)]) == found


@pytest.mark.parametrize(("n_natural", "found"), [(9, 1), (12, 0)])
def test_a_class_stands_out_by_ten_times(n_natural, found, rng):
    # A third of class 1, and 9 or 12 of the 300 rows of class 0: 11 or 8 times as often.
    natural = np.r_[rng.normal(size=(300 - 3 * n_natural, 3)), made_in_class_1(n_natural, rng)]
    assert n_found([natural, made_in_class_1(100, rng)]) == found


def test_of_a_very_long_class_a_part_is_looked_at(rng, monkeypatch):
    monkeypatch.setattr("skmetrics_ext.imbalance._leakage_synthetic.MOST_PARTNERS", 300)
    X = np.r_[rng.normal(size=(400, 3)), made_in_class_1(120, rng)]
    (finding,) = find_resampling_leakage(X, np.repeat([0, 1], [400, 360]), random_state=0)
    assert finding.evidence["rows_examined"] == 300
    assert finding.evidence["rows_examined_in_class_of_lowest_rate"] == 300
    for s, a, b in finding.evidence["example_rows"]:
        length = np.linalg.norm(X[s] - X[a]) + np.linalg.norm(X[s] - X[b])
        assert length == pytest.approx(np.linalg.norm(X[a] - X[b]), rel=1e-12)


def test_rates_are_of_the_rows_that_were_examined(rng):
    X = np.r_[rng.normal(size=(300, 3)), made_in_class_1(800, rng)]
    (finding,) = find_resampling_leakage(X, np.repeat([0, 1], [300, 2400]), random_state=0)
    # Two million pairs of rows in a class.
    assert finding.evidence["rows_examined"] == 2_000_000 // 2400
    assert finding.evidence["rows_examined_in_class_of_lowest_rate"] == 300
    rate = finding.evidence["rows_between_two_others"] / finding.evidence["rows_examined"]
    assert rate == pytest.approx(1 / 3, abs=0.05)


# -- rows between two others --------------------------------------------------------------------

N_PAIRS = 60


def pairs_and_rows_at(share, d=3, seed=3):
    """Rows 0 to 59 and 60 to 119 in pairs; rows 120 on are so far from the first to the second."""
    base = np.random.default_rng(seed).normal(size=(2 * N_PAIRS, d))
    first, second = base[:N_PAIRS], base[N_PAIRS:]
    return np.r_[base, first + share * (second - first)]


def rows_between(values, alone=None, precision=EXACT):
    alone = np.ones(values.shape, dtype=bool) if alone is None else alone
    _, triples = between(values, alone, PRECISIONS, np.random.default_rng(0))
    return triples[PRECISIONS.index(precision)]


@pytest.mark.parametrize("share", [0.01, 0.3, 0.5, 0.99])
def test_a_row_between_two_others_is_found_with_them(share):
    triples = rows_between(pairs_and_rows_at(share))
    k = np.arange(N_PAIRS)
    assert triples[:, 0].tolist() == (2 * N_PAIRS + k).tolist()
    np.testing.assert_array_equal(np.sort(triples[:, 1:], axis=1), np.c_[k, N_PAIRS + k])


@pytest.mark.parametrize(("share", "middle"), [(1.5, N_PAIRS), (-0.5, 0)])
def test_of_three_rows_on_a_line_only_the_middle_one_is_between(share, middle):
    found = rows_between(pairs_and_rows_at(share))[:, 0]
    assert found.tolist() == list(range(middle, middle + N_PAIRS))


@pytest.mark.parametrize(
    ("share", "found"), [(1e-10, 0), (1 - 1e-10, 0), (1e-6, 60), (1 - 1e-6, 60)]
)
def test_a_row_on_top_of_another_is_between_nothing(share, found):
    # So near that any third row is in line with them; a little further it can be told.
    assert len(rows_between(pairs_and_rows_at(share))) == found


def test_a_row_on_top_of_another_as_far_as_float32_tells():
    values = pairs_and_rows_at(1e-4)
    assert len(rows_between(values, precision=COARSE)) == 0


@pytest.mark.parametrize("share", [0.02, 0.98])
def test_float32_shows_rows_that_are_near_one_of_the_two(share):
    values = pairs_and_rows_at(share).astype(np.float32).astype(float)
    assert len(rows_between(values)) == 0
    # Steps of less than 0.003 standard deviations are too short.
    assert len(rows_between(values, precision=COARSE)) > 0.75 * N_PAIRS


@pytest.mark.parametrize(("error", "found"), [(1e-12, N_PAIRS), (1e-9, 0)])
def test_exact_is_exact(error, found, rng):
    values = pairs_and_rows_at(0.4)
    values[2 * N_PAIRS :] += error * rng.choice([-1, 1], size=(N_PAIRS, 3))
    assert len(rows_between(values)) == found


def test_all_columns_must_agree():
    values = pairs_and_rows_at(0.4, d=5)
    values[2 * N_PAIRS :, 2] += 1e-6
    assert len(rows_between(values)) == 0


@pytest.mark.parametrize("offset", [1e4, 1e8])
def test_numbers_far_from_zero_are_rounded_more(offset):
    # The same table in a column of years or of account numbers: floats there are coarser.
    base = pairs_and_rows_at(0.5)[: 2 * N_PAIRS] + offset
    made = base[:N_PAIRS] + 0.4 * (base[N_PAIRS:] - base[:N_PAIRS])
    assert len(rows_between(np.r_[base, made])) == N_PAIRS


def test_only_values_of_its_own_speak_for_a_row():
    # A value that another row has as well was not made; those of its parents may be shared.
    values = pairs_and_rows_at(0.4)
    alone = np.ones(values.shape, dtype=bool)
    alone[: 2 * N_PAIRS] = False
    assert len(rows_between(values, alone)) == N_PAIRS
    alone[2 * N_PAIRS :, 1] = False
    assert len(rows_between(values, alone)) == N_PAIRS
    alone[2 * N_PAIRS :, 0] = False
    assert len(rows_between(values, alone)) == 0


def test_each_row_is_counted_once():
    # Two rows of the same pair are also between one of it and the other made row.
    base = np.random.default_rng(4).normal(size=(2 * N_PAIRS, 3))
    first, step = base[:N_PAIRS], base[N_PAIRS:] - base[:N_PAIRS]
    found = rows_between(np.r_[base, first + 0.3 * step, first + 0.6 * step])[:, 0]
    assert found.tolist() == list(range(2 * N_PAIRS, 4 * N_PAIRS))


def test_rows_that_nearly_fill_a_line_need_little_memory(rng):
    t = rng.normal(size=(1400, 1))
    values = t + 1e-5 * rng.normal(size=(1400, 30))
    tracemalloc.start()
    rows_between(values)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5e7
