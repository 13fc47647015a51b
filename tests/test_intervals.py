"""Intervals against published values, other programs and finite differences."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest
from sklearn.exceptions import UndefinedMetricWarning

from skmetrics_ext.counts import ConfusionCounts
from skmetrics_ext.intervals import ByCluster, Spread, gradient, intervals
from skmetrics_ext.tables import BoundMetric, bind, get_metric, metric_names

# Computed with statsmodels 0.15.0 (Wilson, Clopper-Pearson); delta-method values checked against
# a multinomial bootstrap: see "origin" in the file.
REFERENCE = json.loads((Path(__file__).parent / "data" / "intervals.json").read_text())
A = ConfusionCounts.from_matrix(REFERENCE["A"]["table_rows_true"])
TN, FP, FN, TP = REFERENCE["B"]["tn_fp_fn_tp"]
B = ConfusionCounts.from_cells(tp=TP, fp=FP, fn=FN, tn=TN)


FEW = settings(max_examples=20)


@cache
def bounds(k: int) -> list[BoundMetric]:
    """Every registered metric with every average, for tables of k classes."""
    found = []
    for name in metric_names():
        metric = get_metric(name)
        params: dict[str, Any] = {}
        if "cost_matrix" in metric.defaults:
            costs = 1.0 + np.arange(k * k).reshape(k, k) % 7
            np.fill_diagonal(costs, 0.0)
            params["cost_matrix"] = costs
        for average in metric.averages or (None,):
            found.append(bind(metric, average=average, pos=k - 1, params=params))
    return found


def name_of(bound: BoundMetric) -> str:
    return f"{bound.metric.name}-{bound.average}"


VALUE_SE = {
    "accuracy": ("accuracy", {}),
    "macro_precision": ("precision", {"average": "macro"}),
    "macro_recall": ("recall", {"average": "macro"}),
    "macro_f1": ("f1", {"average": "macro"}),
    "weighted_f1": ("f1", {"average": "weighted"}),
    "geometric_mean": ("geometric_mean", {}),
    "mcc": ("matthews_corrcoef", {}),
    "kappa": ("weighted_kappa", {"weights": None}),
    "kappa_linear": ("weighted_kappa", {"weights": "linear"}),
    "kappa_quadratic": ("weighted_kappa", {}),
    "one_off_accuracy": ("one_off_accuracy", {}),
}


@pytest.mark.parametrize("key", VALUE_SE)
def test_standard_errors_of_table_a(key: str) -> None:
    metric, options = VALUE_SE[key]
    estimate = A.estimate(metric, **options)
    value, se = REFERENCE["A"]["value_se"][key]
    assert estimate.value == pytest.approx(value, abs=6e-7)
    assert estimate.se == pytest.approx(se, abs=6e-7)


def test_every_standard_error_of_the_reference_is_tested() -> None:
    assert set(VALUE_SE) == set(REFERENCE["A"]["value_se"])


def test_standard_errors_of_costs_in_both_layouts() -> None:
    facts = REFERENCE["A"]["expected_cost"]
    rows = {
        "read_as_c_ij_rows_the_prediction": np.array(facts["matrix"]),
        "read_in_confusion_layout_rows_the_truth": np.array(facts["matrix"]).T,
    }
    for key, matrix in rows.items():
        estimate = A.estimate("expected_cost", cost_matrix=matrix)
        assert [estimate.value, estimate.se] == pytest.approx(facts[key], abs=6e-7)


def test_accuracy_at_other_priors() -> None:
    estimate = A.at_priors([0.9, 0.07, 0.03]).estimate("accuracy")
    expected = REFERENCE["A"]["accuracy_at_prior_0.9_0.07_0.03"]
    assert [estimate.value, estimate.se] == pytest.approx(expected, abs=6e-7)
    assert estimate.numerator is None  # 0.827 is no count over a count any more


@pytest.mark.parametrize(
    ("key", "metric", "method"),
    [
        ("sensitivity_wilson", "recall", "auto"),
        ("sensitivity_wilson", "recall", "wilson"),
        ("sensitivity_clopper_pearson", "recall", "clopper-pearson"),
        ("specificity_wilson", "specificity", "auto"),
        ("f1_wilson_through_jaccard", "f1", "auto"),
    ],
)
def test_limits_of_table_b(key: str, metric: str, method: str) -> None:
    estimate = B.estimate(metric, method=method)
    assert [estimate.low, estimate.high] == pytest.approx(REFERENCE["B"][key], abs=6e-7)


@pytest.mark.parametrize(
    ("key", "metric"),
    [("f1", "f1"), ("mcc", "matthews_corrcoef"), ("balanced_accuracy", "balanced_accuracy")],
)
def test_standard_errors_of_table_b(key: str, metric: str) -> None:
    estimate = B.estimate(metric)
    assert [estimate.value, estimate.se] == pytest.approx(REFERENCE["B"][key], abs=6e-7)


@pytest.mark.parametrize(
    ("key", "metric", "options"),
    [
        ("ppv_at_0.01", "precision", {"prevalence": 0.01}),
        ("npv_at_0.1", "negative_predictive_value", {"prevalence": 0.1}),
        ("lr_plus", "positive_likelihood_ratio", {}),
        ("lr_minus", "negative_likelihood_ratio", {}),
    ],
)
def test_logit_and_log_intervals(key: str, metric: str, options: dict[str, Any]) -> None:
    estimate = B.estimate(metric, method="delta", **options)
    found = [estimate.value, estimate.low, estimate.high]
    assert found == pytest.approx(REFERENCE["B"][key], rel=2e-5)
    if options:  # predictive values at a stated prevalence: also what "auto" gives
        auto = B.estimate(metric, **options)
        assert (auto.low, auto.high, auto.method) == (estimate.low, estimate.high, "logit")


def test_predictive_values_of_a_table_with_an_empty_cell() -> None:
    counts = ConfusionCounts.from_cells(tp=9, fp=0, fn=1, tn=20)
    estimate = counts.estimate("precision", prevalence=0.1)
    assert estimate.value == 1.0
    assert 0 < estimate.low < estimate.high == 1.0


def test_weights_are_no_counts() -> None:
    facts = REFERENCE["B"]["weighted"]
    weights = np.random.default_rng(1).gamma(2, 1, 1000)
    truth, answer = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], [TN, FP, FN, TP], axis=0).T
    counts = ConfusionCounts.from_predictions(truth, answer, sample_weight=weights)
    f1 = counts.estimate("f1")
    assert [f1.value, f1.se] == pytest.approx(facts["f1"], abs=6e-7)
    assert f1.se != pytest.approx(facts["wrong_if_weights_are_taken_as_counts"], rel=0.1)
    recall = counts.estimate("recall")
    assert recall.value == pytest.approx(facts["recall"], abs=6e-7)
    assert [recall.low, recall.high] == pytest.approx(facts["recall_wilson"], abs=6e-7)
    assert recall.value * (1 - recall.value) / recall.se**2 == pytest.approx(85.16, abs=0.005)


def test_macro_f1_standard_error_is_the_right_one() -> None:
    # One package prints 0.04613 for this table.
    assert A.estimate("f1", average="macro").se == pytest.approx(0.029178, abs=6e-7)


@given(st.integers(0, 60), st.integers(1, 60), st.sampled_from([0.8, 0.95, 0.99]))
def test_proportions_equal_scipy(right: int, wrong: int, level: float) -> None:
    counts = ConfusionCounts.from_cells(tp=right, fn=wrong, fp=0, tn=0)
    for method, peer in (("wilson", "wilson"), ("clopper-pearson", "exact")):
        estimate = counts.estimate("recall", method=method, confidence_level=level)
        expected = binomtest(right, right + wrong).proportion_ci(level, method=peer)
        assert [estimate.low, estimate.high] == pytest.approx(list(expected), abs=1e-12)


@pytest.mark.parametrize("k", [2, 5])
@pytest.mark.parametrize("zeros", [False, True])
def test_derivatives_equal_finite_differences(k: int, zeros: bool) -> None:
    rng = np.random.default_rng(k)
    table = rng.integers(1, 30, (k, k)).astype(float)
    if zeros:
        table[0, 1:] = 0.0
        table[1:, 0] = 0.0
    for bound in bounds(k):
        if bound.average in ("binary",) and k > 2:
            continue
        slopes = gradient(bound, table)
        for cell in np.ndindex(k, k):
            step = np.zeros((k, k))
            step[cell] = 1e-5
            up = bound(table + step)
            # From an empty cell there is only one way to go.
            down = bound(table - step) if table[cell] else bound(table)
            rise = (up - down) / (2e-5 if table[cell] else 1e-5)
            finite = np.abs(rise) < 1e6  # beyond: a class leaves 0/0, or a root at zero
            np.testing.assert_allclose(
                slopes[..., cell[0], cell[1]][finite],
                rise[finite],
                rtol=2e-4,
                atol=2e-6,
                err_msg=f"{name_of(bound)} {cell}",
            )


def test_derivatives_of_fifty_classes() -> None:
    rng = np.random.default_rng(50)
    table = rng.integers(0, 5, (50, 50)) + 20.0 * np.eye(50)
    direction = rng.normal(size=(50, 50)) * (table > 0)
    for bound in bounds(50):
        if bound.average == "binary":
            continue
        slopes = gradient(bound, table)
        rise = (bound(table + 1e-6 * direction) - bound(table - 1e-6 * direction)) / 2e-6
        np.testing.assert_allclose(
            (slopes * direction).sum((-2, -1)), rise, rtol=1e-4, atol=1e-6, err_msg=name_of(bound)
        )


def test_delta_agrees_with_a_bootstrap_of_weighted_rows() -> None:
    rng = np.random.default_rng(0)
    k, n = 3, 600
    truth = rng.choice(k, n, p=[0.5, 0.3, 0.2])
    answer = np.where(rng.random(n) < 0.75, truth, rng.choice(k, n))
    weights = rng.gamma(2, 1, n)
    counts = ConfusionCounts.from_predictions(truth, answer, sample_weight=weights)
    tables = np.zeros((2000, k, k))
    for b in range(len(tables)):
        rows = rng.integers(0, n, n)
        np.add.at(tables[b], (truth[rows], answer[rows]), weights[rows])
    for bound in bounds(k):
        if bound.average in ("binary", None) and bound.metric.averages:
            continue
        se = intervals(bound, counts.n, Spread(counts.w, counts.w2))[0].se
        # Likelihood ratios have a heavy tail, which the standard error of no method sees.
        rel = 0.25 if "likelihood" in bound.metric.name else 0.1
        assert se == pytest.approx(bound(tables).std(), rel=rel), name_of(bound)


def test_clusters_count_as_what_they_are() -> None:
    # Every row stands there four times: the standard error must not shrink.
    truth, answer = [1, 1, 1, 0, 0] * 8, [1, 0, 1, 0, 1] * 8
    once = ConfusionCounts.from_predictions(truth, answer)
    four = ConfusionCounts.from_predictions(
        np.repeat(truth, 4), np.repeat(answer, 4), clusters=np.repeat(np.arange(40), 4)
    )
    for metric in ("recall", "f1", "matthews_corrcoef", "balanced_accuracy"):
        a, b = once.estimate(metric), four.estimate(metric)
        assert a.value == pytest.approx(b.value)
        assert [b.se, b.low, b.high] == pytest.approx([a.se, a.low, a.high], rel=1e-9), metric


def test_clusters_that_are_all_right_rest_on_their_own_number() -> None:
    counts = ConfusionCounts.from_predictions(
        [1] * 12, [1] * 12, labels=[0, 1], clusters=np.repeat(range(3), 4)
    )
    three = ConfusionCounts.from_cells(tp=3, fn=0, fp=0, tn=0)
    assert counts.estimate("recall").low == pytest.approx(three.estimate("recall").low)


@pytest.mark.parametrize("metric", metric_names())
def test_five_rows_all_right_get_a_real_interval(metric: str) -> None:
    counts = ConfusionCounts.from_predictions([0, 0, 1, 1, 1], [0, 0, 1, 1, 1])
    options: dict[str, Any] = {}
    if "cost_matrix" in get_metric(metric).defaults:
        options["cost_matrix"] = [[0, 10], [1, 0]]
    if metric == "positive_likelihood_ratio":  # no false positive: at least so much
        with pytest.warns(UndefinedMetricWarning, match="positive_likelihood_ratio is undefined"):
            estimate = counts.estimate(metric)
        assert np.isnan(estimate.value)
        assert 0 < estimate.low < estimate.high == np.inf
    else:
        estimate = counts.estimate(metric, **options)
        assert estimate.low < estimate.high
        assert estimate.low <= estimate.value <= estimate.high


@FEW
@given(st.lists(st.integers(0, 12), min_size=9, max_size=9).filter(any), st.integers(0, 2**31))
def test_the_interval_holds_the_value_within_the_range(cells: list[int], seed: int) -> None:
    n = np.array(cells).reshape(3, 3)
    w = n * np.random.default_rng(seed).uniform(0.2, 3.0, (3, 3))
    w2 = w**2 / np.maximum(n, 1) * 1.1
    for bound in bounds(3):
        low, high = bound.metric.range_of(3, bound.params)
        for interval in intervals(bound, n, Spread(w, w2)):
            if np.isnan(interval.value):
                assert np.isnan(interval.low) or bound.metric.name == "positive_likelihood_ratio"
                continue
            assert interval.low - 1e-12 <= interval.value <= interval.high + 1e-12, name_of(bound)
            assert low - 1e-12 <= interval.low < interval.high <= high + 1e-12, name_of(bound)


@FEW
@given(st.lists(st.integers(1, 12), min_size=9, max_size=9), st.integers(2, 9))
def test_more_rows_of_the_same_are_surer(cells: list[int], times: int) -> None:
    few = np.array(cells, dtype=float).reshape(3, 3)
    for bound in bounds(3):
        one = intervals(bound, few, Spread(few, few))
        more = intervals(bound, few * times, Spread(few * times, few * times))
        for a, b in zip(one, more, strict=True):
            whole = (a.low, a.high) == bound.metric.range_of(3, bound.params)
            if np.isfinite(a.high) and np.isfinite(a.low) and not whole:
                assert b.high - b.low < a.high - a.low, name_of(bound)


@FEW
@given(st.lists(st.integers(0, 12), min_size=9, max_size=9).filter(any), st.floats(1e-3, 1e3))
def test_the_scale_of_the_weights_means_nothing(cells: list[int], scale: float) -> None:
    n = np.array(cells, dtype=float).reshape(3, 3)
    for bound in bounds(3):
        plain = intervals(bound, n, Spread(n, n))
        scaled = intervals(bound, n, Spread(n * scale, n * scale**2))
        for a, b in zip(plain, scaled, strict=True):
            np.testing.assert_allclose(
                [a.value, a.se, a.low, a.high],
                [b.value, b.se, b.low, b.high],
                rtol=1e-7,
                atol=1e-9,
                err_msg=name_of(bound),
            )


def test_bootstrap_agrees_with_the_others_and_is_seeded() -> None:
    for options in ({}, {"by": np.repeat(["a", "b"], 500)}):
        weights = np.random.default_rng(1).gamma(2, 1, 1000)
        truth, answer = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], [TN, FP, FN, TP], axis=0).T
        counts = ConfusionCounts.from_predictions(
            truth, answer, sample_weight=weights, **options
        ).total()
        drawn = counts.estimate("f1", method="bootstrap", random_state=0)
        assert drawn == counts.estimate("f1", method="bootstrap", random_state=0)
        auto = counts.estimate("f1")
        assert [drawn.low, drawn.high] == pytest.approx([auto.low, auto.high], abs=0.012)


def test_bootstrap_of_clusters() -> None:
    rng = np.random.default_rng(3)
    who = np.repeat(np.arange(80), 5)
    skill = rng.beta(6, 2, 80)[who]
    truth = rng.integers(0, 2, 400)
    answer = np.where(rng.random(400) < skill, truth, 1 - truth)
    counts = ConfusionCounts.from_predictions(truth, answer, clusters=who)
    rows = ConfusionCounts.from_predictions(truth, answer)
    drawn = counts.estimate("accuracy", method="bootstrap", random_state=0)
    wilson = counts.estimate("accuracy")
    assert [drawn.low, drawn.high] == pytest.approx([wilson.low, wilson.high], abs=0.01)
    assert wilson.se > 1.15 * rows.estimate("accuracy").se


@pytest.mark.parametrize("method", ["delta", "bootstrap"])
def test_no_variance_is_said(method: str) -> None:
    counts = ConfusionCounts.from_cells(tp=5, fn=0, fp=0, tn=5)
    with pytest.warns(UserWarning, match="no variance.*method='auto'"):
        estimate = counts.estimate("recall", method=method, random_state=0)
    assert estimate.value == 1.0
    assert np.isnan([estimate.low, estimate.high]).all()


def test_undefined_values_have_no_interval_even_when_replaced() -> None:
    counts = ConfusionCounts.from_predictions([0, 0, 1], [0, 0, 0])
    estimate = counts.estimate("precision", zero_division=1.0)
    assert estimate.value == 1.0
    assert np.isnan([estimate.low, estimate.high, estimate.se]).all()


def test_a_metric_is_cheap_from_the_table() -> None:
    assert A.estimate("f1", average="macro", confidence_level=None).low is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"confidence_level": 1.0}, r"confidence_level must be .* between 0 and 1.*got 1\.0"),
        ({"confidence_level": 0}, r"confidence_level must be .* between 0 and 1.*got 0"),
        ({"confidence_level": "95"}, r"confidence_level must be .*got '95'"),
        ({"method": "wald"}, r"method must be one of \['auto', .*got 'wald'"),
        ({"prevalence": 1.5}, r"prevalence must be a share between 0 and 1.*got 1\.5"),
    ],
)
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        B.estimate("recall", **options)


@pytest.mark.parametrize("method", ["wilson", "clopper-pearson"])
def test_methods_for_proportions_only(method: str) -> None:
    with pytest.raises(ValueError, match=f"method='{method}' is for proportions.*'mat"):
        B.estimate("matthews_corrcoef", method=method)
    with pytest.raises(ValueError, match="which 'precision' is not at other priors"):
        B.estimate("precision", method=method, prevalence=0.1)


def test_clopper_pearson_wants_plain_counts() -> None:
    counts = ConfusionCounts.from_predictions([0, 1, 1], [0, 1, 0], sample_weight=[1, 2, 0.5])
    with pytest.raises(ValueError, match="'clopper-pearson' needs plain counts"):
        counts.estimate("recall", method="clopper-pearson")


def test_prevalence_and_priors_exclude_each_other() -> None:
    with pytest.raises(ValueError, match="prevalence and at_priors"):
        B.at_priors([0.5, 0.5]).estimate("precision", prevalence=0.1)


def test_spread_of_clusters_equals_the_loop() -> None:
    rng = np.random.default_rng(5)
    cluster, cell, weight = rng.integers(0, 7, 30), rng.integers(0, 4, 30), rng.random(30)
    slopes = rng.normal(size=(3, 2, 2))
    w = np.bincount(cell, weight, minlength=4).reshape(2, 2)
    spread = Spread(w, np.zeros((2, 2)), ByCluster(cluster, cell, weight))
    for value, slope in zip(spread.variance(slopes), slopes, strict=True):
        per = [
            sum(weight[i] * slope.ravel()[cell[i]] for i in range(30) if cluster[i] == c)
            for c in range(7)
        ]
        assert value == pytest.approx(sum(x * x for x in per))
