"""What every registered metric must keep, over the registry: see `metric_cases`."""

from itertools import product

import metric_cases
import numpy as np
import pytest
from metric_cases import CASES, IDS, VARIANTS, bound, one_by_one, order_matters, permuted

from skmetrics_ext.tables import get_metric, metric_names

# Every (2, 2) table of counts up to 4, and many (3, 3) ones, half of their cells empty.
SMALL = {
    2: np.array(list(product(range(5), repeat=4)), dtype=float).reshape(-1, 2, 2)[1:],
    3: np.random.default_rng(0).choice([0.0, 0, 0, 1, 2, 9], size=(3000, 3, 3)),
}
each_variant = pytest.mark.parametrize(("name", "k", "average", "params"), VARIANTS, ids=IDS)


def stack(k, *, size=7, seed=0):
    """Tables with positive cells, and one with each emptied row and column behind them."""
    tables = np.random.default_rng(seed).integers(1, 30, size=(size, k, k)).astype(float)
    emptied = np.repeat(tables[:1], 2 * k, axis=0)
    for i in range(k):
        emptied[i, i] = 0
        emptied[k + i, :, i] = 0
    return np.concatenate([tables, emptied])


def test_every_registered_metric_has_its_line_of_test_data():
    assert sorted(CASES) == metric_names()


def test_a_metric_without_its_line_is_found(monkeypatch):
    monkeypatch.delitem(metric_cases.CASES, "recall")
    with pytest.raises(AssertionError, match="recall"):
        test_every_registered_metric_has_its_line_of_test_data()


@pytest.mark.parametrize("name", CASES)
def test_registry_says_what_the_line_says(name):
    metric, case = get_metric(name), CASES[name]
    assert case.binary == (metric.kind == "binary")
    assert case.symmetric == metric.symmetric
    assert case.ordinal == metric.ordinal
    assert case.proportion == metric.is_proportion
    assert case.loss != metric.greater_is_better
    assert set().union(*case.params) <= set(metric.defaults)
    assert set(metric.defaults) <= set().union(*case.params)


@each_variant
def test_equals_the_closed_form(name, k, average, params):
    tables = stack(k)
    values = bound(name, average, params)(tables)
    expected = [one_by_one(name, table, average, params) for table in tables]
    np.testing.assert_allclose(values, expected, rtol=1e-12, atol=1e-12)


@each_variant
def test_a_stack_equals_one_by_one(name, k, average, params):
    function, tables = bound(name, average, params), stack(k, size=24 - 2 * k)
    deep = tables.reshape(2, 3, 4, k, k)
    alone = np.array([function(table) for table in tables])
    np.testing.assert_array_equal(function(tables), alone)
    np.testing.assert_array_equal(function(deep), alone.reshape(2, 3, 4, *alone.shape[1:]))


@each_variant
@pytest.mark.parametrize("factor", [1 / 3, 1e-7, 1e9 / 7])
def test_scaling_the_weights_changes_nothing(name, k, average, params, factor):
    function, tables = bound(name, average, params), SMALL[k]
    np.testing.assert_allclose(function(tables * factor), function(tables), rtol=1e-9, atol=1e-9)


@each_variant
def test_names_of_classes_do_not_matter(name, k, average, params):
    if average == "binary" or order_matters(name, params):
        order = np.arange(k)[::-1]  # distances stay when the scale is turned around
    else:
        order = np.random.default_rng(0).permutation(k)
    if average == "binary" and not CASES[name].symmetric:
        order = np.arange(k)
    tables = stack(k)
    values = bound(name, average, params)(tables)
    renamed = bound(name, average, permuted(params, order))(tables[:, order][:, :, order])
    expected = values[:, order] if average is None and values.ndim == 2 else values
    np.testing.assert_allclose(renamed, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if not case.symmetric])
def test_a_metric_that_is_not_symmetric_changes_with_the_positive_class(name):
    table = np.array([[50.0, 10.0], [5.0, 20.0]])
    average = get_metric(name).averages[0]
    assert abs(bound(name, average, {})(table) - bound(name, average, {})(table[::-1, ::-1])) > 0.01


@each_variant
def test_values_lie_in_the_range(name, k, average, params):
    low, high = get_metric(name).range_of(k, params)
    values = bound(name, average, params)(SMALL[k])
    defined = values[~np.isnan(values)]
    assert len(defined) > 0
    assert (defined >= low - 1e-12).all()
    assert (defined <= high + 1e-12).all()


@each_variant
def test_perfect_answers_are_the_best_ones(name, k, average, params):
    case, tables = CASES[name], stack(k)
    low, high = get_metric(name).range_of(k, params)
    best = bound(name, average, params)(np.diag(np.arange(3.0, 3 + k)))
    if case.perfect is None:
        return
    if not any(isinstance(v, np.ndarray) for v in params.values()):
        assert best == pytest.approx(low if case.loss else high)
    np.testing.assert_allclose(best, case.perfect, atol=1e-12)
    others = bound(name, average, params)(tables)
    sign = -1 if case.loss else 1
    assert (sign * others[~np.isnan(others)] <= sign * case.perfect + 1e-12).all()


@each_variant
def test_numerator_over_denominator_is_the_value(name, k, average, params):
    function, tables = bound(name, average, params), stack(k)
    parts = function.parts(tables)
    if not CASES[name].proportion or average in ("macro", "weighted"):
        assert parts is None
        return
    numerator, denominator = parts
    assert (numerator <= denominator).all()
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(numerator / denominator, function(tables))


@each_variant
def test_complex_step_equals_finite_differences(name, k, average, params):
    rng = np.random.default_rng(0)
    tables = rng.uniform(2, 30, size=(5, k, k))
    direction = rng.normal(size=(k, k))
    for priors in (None, np.arange(1.0, k + 1) / np.arange(1.0, k + 1).sum()):
        function = bound(name, average, params, priors=priors)
        by_step = function(tables + 1e-30j * direction).imag / 1e-30
        ahead, behind = (function(tables + h * direction) for h in (1e-4, -1e-4))
        np.testing.assert_allclose(by_step, (ahead - behind) / 2e-4, rtol=1e-5, atol=1e-8)


@each_variant
def test_a_complex_step_leaves_the_value_where_it_is_defined(name, k, average, params):
    """Branches look at real parts. Only cells that hold rows are stepped: none other varies."""
    function, tables = bound(name, average, params), SMALL[k]
    real, stepped = function(tables), function(tables + 1e-30j * (tables > 0)).real
    defined = ~np.isnan(real)
    np.testing.assert_allclose(stepped[defined], real[defined], rtol=1e-12, atol=1e-12)


def test_a_name_that_is_not_registered_lists_those_that_are():
    with pytest.raises(ValueError, match=r"unknown metric 'recal'.*'recall'"):
        get_metric("recal")
    with pytest.raises(ValueError, match="unknown metric None"):
        get_metric(None)


def test_a_parameter_or_average_that_the_metric_lacks():
    with pytest.raises(TypeError, match=r"'recall' has no parameter \['beta'\]; it takes none"):
        bound("recall", "binary", {"beta": 2})
    with pytest.raises(ValueError, match=r"average='max' is not one of \['binary', 'macro'"):
        bound("recall", "max", {})


def test_many_classes_do_not_underflow_in_the_geometric_mean():
    """The recalls are 1e-4: their product, 1e-1200, is zero in floats."""
    k = 300
    table = np.full((k, k), (1 - 1e-4) / (k - 1))
    np.fill_diagonal(table, 1e-4)
    assert float(bound("geometric_mean", "multiclass", {})(table)) == pytest.approx(1e-4)


def test_matthews_corrcoef_of_many_rows_does_not_overflow():
    """Each margin is n / 2 and 90 % are right: covariance over deviations is 0.8."""
    table = np.array([[0.45, 0.05], [0.05, 0.45]]) * 4e12
    assert float(bound("matthews_corrcoef", None, {})(table)) == pytest.approx(0.8)


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("axis", [-1, -2])
def test_matthews_corrcoef_of_a_constant_is_undefined_whatever_the_weights(k, axis):
    """Its variance is a difference of squares, which floats need not bring to zero."""
    tables = np.zeros((200, k, k))
    filled = np.random.default_rng(0).random((200, k))
    np.moveaxis(tables, axis, -1)[..., 0] = filled
    assert np.isnan(bound("matthews_corrcoef", None, {})(tables)).all()
