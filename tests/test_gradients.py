"""The short ways to a metric's derivatives against the general one, cell by cell."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from skmetrics_ext.intervals import gradient
from skmetrics_ext.intervals._exact_slopes import exact_slopes
from skmetrics_ext.intervals._interval import _denominator
from skmetrics_ext.tables import BoundMetric, bind, get_metric, metric_names

CLASSES = (2, 3, 5)
# Nothing short is registered for these: the mean distances of each class.
GENERAL = {"classwise_mean_absolute_error"}


def parameters_of(name: str, k: int) -> list[dict[str, Any]]:
    rng = np.random.default_rng(k)
    skew = rng.integers(1, 9, (k, k)) * (1.0 - np.eye(k))
    return {
        "weighted_kappa": [{"weights": w} for w in ("quadratic", "linear", None, skew)],
        "expected_cost": [{}, {"cost_matrix": skew - 2.0 * np.eye(k)}],
        "cost_savings": [{}, {"cost_matrix": skew}],
        "fbeta": [{"beta": beta} for beta in (0.0, 0.5, 2.0, np.inf)],
        "one_off_accuracy": [{"tolerance": t} for t in (0, 1, 2)],
    }.get(name, [{}])


def bounds_of(name: str, k: int) -> Iterator[BoundMetric]:
    metric = get_metric(name)
    for params in parameters_of(name, k):
        for average in metric.averages or (None,):
            for replacement in (0.0, 1.0, np.nan) if average in ("macro", "weighted") else (0.0,):
                for pos in (0, k - 1, -1, None) if average == "binary" else (None,):
                    yield bind(
                        metric, average=average, pos=pos, replacement=replacement, params=params
                    )


def tables_of(k: int) -> Iterator[tuple[str, np.ndarray]]:
    rng = np.random.default_rng(10 + k)
    full = rng.integers(1, 20, (k, k)).astype(float)
    yield "full", full
    for share in (0.3, 0.6, 0.8):
        for _ in range(3):
            yield f"{share} of the cells empty", full * (rng.random((k, k)) > share)
    yield "weights", rng.gamma(1.0, 1.0, (k, k)) * (rng.random((k, k)) > 0.4)
    yield "the scale of weights", 1e-6 * full
    for place in (0, k - 1):
        for absent in ("truth", "answer", "both"):
            table = full.copy()
            if absent != "answer":
                table[place] = 0.0
            if absent != "truth":
                table[:, place] = 0.0
            yield f"class {place} absent: {absent}", table
    yield "all right", np.diag(np.arange(1.0, k + 1))
    yield "all wrong", full * (1.0 - np.eye(k))
    yield "one cell", np.diag([3.0] + [0.0] * (k - 1))
    yield "one answer", full * (np.arange(k) == 0)
    yield "one truth", full * (np.arange(k) == 0)[:, None]
    yield "nothing", np.zeros((k, k))


def against_rest_by_masks(tables: np.ndarray) -> np.ndarray:
    """`one_against_rest` as sums over the cells themselves, which are exactly 0 of empty ones.

    The package's sets a tn without rows to the constant 0, and so hides its derivative, which
    no variance needs since those cells are empty.
    """
    mine = np.eye(tables.shape[-1])
    side = np.stack([1.0 - mine, mine], 1)
    return np.einsum("...ij,kai,kbj->...kab", tables, side, side)


@pytest.fixture
def counted_by_masks(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the general way; the short one sums as the package does."""
    monkeypatch.setattr("skmetrics_ext.tables._bind.one_against_rest", against_rest_by_masks)


def assert_same(bound: BoundMetric, table: np.ndarray, about: str) -> None:
    """To 1e-12 of the largest derivative, or of what one more row changes of a share.

    Where the value is undefined the squared step can leave the general one with anything; and
    a root at zero has no derivative.
    """
    values = bound(table)
    compared = ~np.isnan(values)
    if bound.metric.name == "geometric_mean" and bound.average == "multiclass":
        compared &= values > 0
    found = gradient(bound, table)
    expected = gradient(lambda tables: bound(tables), table)  # a function has no short way
    assert found.shape == expected.shape
    found, expected = found[compared], expected[compared]
    largest = np.abs(expected).max(initial=0.0) + 1 / max(table.sum(), 1e-9)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12 * largest, err_msg=about)


@pytest.mark.usefixtures("counted_by_masks")
@pytest.mark.parametrize("k", CLASSES)
@pytest.mark.parametrize("name", metric_names())
def test_short_ways_equal_the_general_one(name: str, k: int) -> None:
    for bound in bounds_of(name, k):
        for kind, table in tables_of(k):
            about = f"{name} {bound.average} pos {bound.pos} {bound.params} {kind}"
            assert_same(bound, table, about)


@pytest.mark.usefixtures("counted_by_masks")
@pytest.mark.parametrize("k", CLASSES)
@pytest.mark.parametrize("name", [n for n in metric_names() if get_metric(n).is_proportion])
def test_slopes_of_denominators(name: str, k: int) -> None:
    for bound in bounds_of(name, k):
        if bound.average in ("macro", "weighted"):
            continue
        denominator = _denominator(bound)
        for kind, table in tables_of(k):
            np.testing.assert_array_equal(denominator(table), bound.parts(table)[1])
            assert_same(denominator, table, f"{name} {bound.average} {kind}")


def test_undefined_alike() -> None:
    # One absent class: 0 where a division has no answer, NaN where a logarithm has none.
    table = np.array([[5.0, 1, 0], [2, 4, 0], [0, 0, 0]])
    for name in metric_names():
        for bound in bounds_of(name, 3):
            found = gradient(bound, table)
            general = gradient(lambda tables, bound=bound: bound(tables), table)
            np.testing.assert_array_equal(np.isnan(found), np.isnan(general), err_msg=name)
            assert np.isfinite(found[~np.isnan(found)]).all()


@pytest.mark.parametrize("name", sorted(set(metric_names()) - GENERAL))
def test_there_is_a_short_way(name: str) -> None:
    table = np.full((3, 3), 2.0)
    for bound in bounds_of(name, 3):
        if bound.average != "binary" or bound.pos in (0, 2):
            assert exact_slopes(bound, table) is not None, (name, bound.average)


@pytest.mark.parametrize("name", metric_names())
def test_no_short_way_at_other_priors_or_with_answers_that_are_no_class(name: str) -> None:
    metric = get_metric(name)
    for average in metric.averages or (None,):
        at = bind(metric, average=average, pos=1, priors=np.array([0.2, 0.3, 0.5]))
        assert exact_slopes(at, np.full((3, 3), 2.0)) is None
        plain = bind(metric, average=average, pos=1)
        assert exact_slopes(plain, np.full((3, 4), 2.0)) is None


def test_slope_of_a_true_negative_that_is_not_there() -> None:
    # tn / (tn + fp) at tn = 0 and fp = 5 rises by 1/5; the class's own cells decide it alone.
    slopes = gradient(bind(get_metric("specificity"), average=None), np.array([[0.0, 5.0], [3, 4]]))
    assert slopes[1].tolist() == [[0.2, 0.0], [0.0, 0.0]]


def test_two_hundred_classes_by_hand() -> None:
    rng = np.random.default_rng(0)
    table = rng.integers(1, 5, (200, 200)).astype(float)
    rows = table.sum(1)
    recalls = np.diag(table) / rows
    expected = (np.eye(200) - recalls[:, None]) / rows[:, None] / 200
    for bound in (
        bind(get_metric("recall"), average="macro"),
        bind(get_metric("balanced_accuracy")),
    ):
        np.testing.assert_allclose(gradient(bound, table), expected, rtol=1e-12, atol=0)
