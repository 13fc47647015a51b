"""The difference of two models on the same rows, and McNemar's test."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from metric_cases import CASES, for_classes, order_matters
from sklearn.exceptions import UndefinedMetricWarning

from skmetrics_ext.counts import ConfusionCounts, PairedCounts
from skmetrics_ext.intervals import Spread, paired_differences
from skmetrics_ext.tables import bind, get_metric, metric_names

REFERENCE = json.loads((Path(__file__).parent / "data" / "intervals.json").read_text())["paired"]
PAPER = PairedCounts.from_tables(
    {0: REFERENCE["T_truth0_rows_a_cols_b"], 1: REFERENCE["T_truth1_rows_a_cols_b"]}
)
TWO = st.lists(st.integers(0, 30), min_size=8, max_size=8).filter(any)
SMOOTH = ("accuracy", "f1", "matthews_corrcoef", "weighted_kappa", "balanced_accuracy")


def of_cells(cells, k=2):
    tables = np.reshape(cells, (k, k, k))
    return PairedCounts.from_tables({i: tables[i] for i in range(k)})


def swapped(paired):
    return PairedCounts.from_tables({i: t.T for i, t in enumerate(paired.n)})


def quietly(paired, metric, **options):
    return paired.difference(metric, zero_division=0.0, **options)


# ---------------------------------------------------------------------------------------------
# values


@pytest.mark.parametrize(("metric", "key"), [("accuracy", "delta_accuracy"), ("f1", "delta_f1")])
def test_reference(metric, key):
    value, se = REFERENCE[key]
    result = PAPER.difference(metric)
    assert result.value == pytest.approx(value, abs=5e-7)
    assert result.se == pytest.approx(se, abs=5e-7)
    assert result.low < result.value < result.high
    # With a thousand rows two more hardly matter.
    assert (result.high - result.low) / 2 == pytest.approx(1.959964 * se, rel=0.01)


@given(TWO, st.floats(0.5, 0.99))
def test_accuracy_has_the_textbook_variance(cells, level):
    paired = of_cells(cells)
    test, n = paired.mcnemar(), int(paired.n.sum())
    difference = (test.b - test.c) / n
    result = paired.difference("accuracy", confidence_level=level)
    assert result.value == pytest.approx(difference, abs=1e-15)
    assert result.se == pytest.approx(
        np.sqrt(max(test.b + test.c - n * difference**2, 0)) / n, abs=1e-9
    )
    assert result.n == n
    assert result.confidence_level == level


@given(TWO)
def test_two_more_rows_shape_the_limits(cells):
    """A quarter of a row in each of the eight cells; in four of them one model alone is right."""
    paired = of_cells(cells)
    if not paired.n.sum((1, 2)).all():
        return
    test, n = paired.mcnemar(), int(paired.n.sum()) + 2
    centre = (test.b - test.c) / n
    half = 1.959963984540054 * np.sqrt(test.b + test.c + 1 - n * centre**2) / n
    result = paired.difference("accuracy")
    expected = [min(centre - half, result.value), max(centre + half, result.value)]
    assert [result.low, result.high] == pytest.approx(np.clip(expected, -1, 1))


@pytest.mark.parametrize("name", metric_names())
@pytest.mark.parametrize("k", [2, 3])
def test_every_metric_has_a_difference(name, k, rng):
    truth = rng.integers(0, k, 400)
    a, b = [np.where(rng.random(400) < p, truth, rng.integers(0, k, 400)) for p in (0.6, 0.3)]
    paired = PairedCounts.from_predictions(truth, a, b)
    average = "auto" if k == 2 or not get_metric(name).averages else get_metric(name).averages[-2]
    for params in CASES[name].params:
        params = for_classes(params, k)
        if name == "one_off_accuracy" and params.get("tolerance", 1) >= k - 1:
            continue  # every answer is right
        result = paired.difference(name, average=average, **params)
        options = {"average": average, "confidence_level": None, **params}
        alone = [float(counts.estimate(name, **options)) for counts in (paired.a, paired.b)]
        assert [result.value_a, result.value_b] == pytest.approx(alone, rel=1e-12)
        assert result.value == result.value_a - result.value_b
        assert 0 < result.se < np.inf
        assert result.low < result.value < result.high


def test_per_class_is_a_list():
    result = PAPER.difference("recall", average=None)
    assert [d.pos_label for d in result] == [0, 1]
    assert result[1].value == PAPER.difference("recall").value
    assert str(result).split("\n")[1] == repr(result).split("\n")[1] == str(result[1])


@pytest.mark.parametrize("metric", SMOOTH)
@pytest.mark.parametrize("weighted", [False, True])
def test_se_equals_the_row_bootstrap(metric, weighted):
    rng = np.random.default_rng(1)
    n, draws = 400, 1500
    truth = (rng.random(n) < 0.4).astype(int)
    a = np.where(rng.random(n) < 0.8, truth, 1 - truth)
    b = np.where(rng.random(n) < 0.6, a, (rng.random(n) < 0.5).astype(int))
    weight = rng.gamma(2, size=n) if weighted else np.ones(n)
    paired = PairedCounts.from_predictions(truth, a, b, sample_weight=weight if weighted else None)
    cell = truth * 4 + a * 2 + b
    rows = rng.integers(0, n, (draws, n))
    tables = np.stack([np.bincount(cell[r], weight[r], minlength=8) for r in rows])
    tables = tables.reshape(draws, 2, 2, 2)
    entry = get_metric(metric)
    function = bind(entry, average="binary" if "binary" in entry.averages else None, pos=1)
    values = function(tables.sum(3)) - function(tables.sum(2))
    result = paired.difference(metric)
    # 1500 draws know a standard deviation to 1.8 %; the rest is the delta method's curvature.
    assert values.std() == pytest.approx(result.se, rel=0.07)


def test_weights_are_no_counts(rng):
    truth, a, b = rng.integers(0, 2, (3, 300))
    weight = rng.gamma(2, size=300) * 0.7
    once = PairedCounts.from_predictions(truth, a, b, sample_weight=weight)
    as_counts = Spread(once.w.reshape(2, 4), once.w.reshape(2, 4))
    wrong = paired_differences(bind(get_metric("accuracy")), as_counts)[0].se
    assert once.difference("accuracy").se > 1.1 * wrong


def test_clusters():
    rng = np.random.default_rng(3)
    truth, a, b = rng.integers(0, 2, (3, 60))
    alone = PairedCounts.from_predictions(truth, a, b, clusters=np.arange(60))
    rows = PairedCounts.from_predictions(truth, a, b)
    for metric in SMOOTH:
        one, other = alone.difference(metric), rows.difference(metric)
        assert [one.se, one.low, one.high] == pytest.approx([other.se, other.low, other.high])
    # Every row four times, in clusters of its copies: nothing more is known than before.
    copies = PairedCounts.from_predictions(
        *(np.repeat(y, 4) for y in (truth, a, b)), clusters=np.repeat(np.arange(60), 4)
    )
    for metric in SMOOTH:
        one, other = copies.difference(metric), rows.difference(metric)
        assert [one.se, one.low, one.high] == pytest.approx([other.se, other.low, other.high])


# ---------------------------------------------------------------------------------------------
# properties


@given(TWO, st.sampled_from(SMOOTH))
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_b_against_a_is_the_mirror_image(cells, metric):
    paired = of_cells(cells)
    there, back = quietly(paired, metric), quietly(swapped(paired), metric)
    assert there.value == -back.value
    numbers = [[there.se, there.low, there.high], [back.se, -back.high, -back.low]]
    np.testing.assert_allclose(*numbers, rtol=1e-9, atol=1e-12)


@given(st.lists(st.integers(0, 30), min_size=4, max_size=4).filter(any), st.sampled_from(SMOOTH))
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_a_model_against_itself(cells, metric):
    tables = np.zeros((2, 2, 2), dtype=int)
    tables[:, 0, 0], tables[:, 1, 1] = cells[:2], cells[2:]
    result = quietly(of_cells(tables), metric)
    if np.isnan(result.low):
        assert np.isnan(result.se)
        return
    assert result.value == 0
    assert result.se == 0
    assert result.low < 0 < result.high
    assert result.low == pytest.approx(-result.high)


@given(TWO, st.sampled_from(SMOOTH))
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_limits_hold_the_value_and_stay_in_reach(cells, metric):
    result = quietly(of_cells(cells), metric)
    if np.isnan(result.low):
        assert np.isnan(result.high)
        return
    low, high = get_metric(metric).range_of(2, {})
    assert low - high <= result.low <= result.value <= result.high <= high - low
    assert result.low < result.high
    wider = quietly(of_cells(cells), metric, confidence_level=0.999)
    assert wider.low <= result.low < result.high <= wider.high


def test_one_always_right_and_the_other_always_wrong():
    paired = PairedCounts.from_tables({0: [[0, 20], [0, 0]], 1: [[0, 0], [20, 0]]})
    for pair, sign in ((paired, 1), (swapped(paired), -1)):
        result = pair.difference("accuracy")
        assert result.value == max(result.low, result.high, key=abs) == sign
        assert 0.8 < min(abs(result.low), abs(result.high)) < 1
        # At a low level the two rows more pull the limits past the value: it is let in.
        low_level = pair.difference("accuracy", confidence_level=0.3)
        assert low_level.low <= low_level.value <= low_level.high


@pytest.mark.parametrize("name", metric_names())
@pytest.mark.parametrize("order", [[2, 0, 1], [2, 1, 0]])
def test_names_of_classes_do_not_matter(name, order, rng):
    for params in CASES[name].params:
        params = for_classes(params, 3)
        if any(isinstance(v, np.ndarray) for v in params.values()):
            continue
        if order_matters(name, params) and order != [2, 1, 0]:
            continue
        average = "macro" if get_metric(name).averages else "auto"
        truth = rng.integers(0, 3, 300)
        a, b = [np.where(rng.random(300) < 0.5, truth, rng.integers(0, 3, 300)) for _ in "ab"]
        place = np.argsort(order)
        one = PairedCounts.from_predictions(truth, a, b)
        other = PairedCounts.from_predictions(place[truth], place[a], place[b])
        expected = one.difference(name, average=average, **params)
        result = other.difference(name, average=average, **params)
        for field in ("value", "se", "low", "high"):
            assert getattr(result, field) == pytest.approx(getattr(expected, field), abs=1e-12)


@pytest.mark.parametrize("metric", SMOOTH)
@pytest.mark.parametrize("factor", [1e-6, 3.0, 1e6])
def test_the_scale_of_the_weights_does_not_matter(metric, factor, rng):
    truth, a, b = rng.integers(0, 2, (3, 100))
    weight = rng.gamma(2, size=100)
    one, other = [
        PairedCounts.from_predictions(truth, a, b, sample_weight=w).difference(metric)
        for w in (weight, factor * weight)
    ]
    for field in ("value", "se", "low", "high"):
        assert getattr(other, field) == pytest.approx(getattr(one, field), rel=1e-9)


def test_more_rows_are_narrower():
    for metric in SMOOTH:
        few, many = [PairedCounts.from_tables(dict(enumerate(PAPER.n * f))) for f in (1, 10)]
        few, many = few.difference(metric), many.difference(metric)
        assert few.high - few.low > 3 * (many.high - many.low)


def test_a_class_without_rows_changes_nothing():
    tables = {i: np.zeros((3, 3), dtype=int) for i in range(3)}
    for i in range(2):
        tables[i][:2, :2] = PAPER.n[i]
    wider, plain = PairedCounts.from_tables(tables), PAPER
    one, other = wider.difference("balanced_accuracy"), plain.difference("balanced_accuracy")
    assert one.value == pytest.approx(other.value)
    assert one.se == pytest.approx(other.se)


# Both models drawn with a common part; the last pair differs by much, the first by little.
POPULATIONS = {
    "0.95 against 0.90": ((0.95, 0.95), (0.9, 0.9), 0.4, 0.5),
    "0.1 positive": ((0.7, 0.9), (0.6, 0.93), 0.1, 0.3),
    "much better": ((0.9, 0.95), (0.6, 0.7), 0.3, 0.5),
}


def population(of_a, of_b, prevalence, common):
    """Shares (2, 2, 2); (sensitivity, specificity) of each, right together more than by chance."""
    table = np.zeros((2, 2, 2))
    for truth, share in enumerate((1 - prevalence, prevalence)):
        p, q = [abs(1 - truth - rates[1 - truth]) for rates in (of_a, of_b)]
        both = common * min(p, q) + (1 - common) * p * q
        table[truth] = share * np.array([[1 - p - q + both, q - both], [p - both, both]])
    return table


@pytest.mark.parametrize("case", POPULATIONS)
@pytest.mark.parametrize("metric", ["accuracy", "f1"])
@pytest.mark.parametrize(("n", "least", "most"), [(60, 0.92, 0.99), (500, 0.93, 0.98)])
def test_coverage(case, metric, n, least, most):
    table = population(*POPULATIONS[case])
    entry = get_metric(metric)
    bound = bind(entry, average="binary" if entry.averages else None, pos=1)
    true = bound(table.sum(2)) - bound(table.sum(1))
    draws = 600
    hits = undefined = 0
    for drawn in np.random.default_rng(5).multinomial(n, table.ravel(), size=draws):
        w = drawn.reshape(2, 4).astype(float)
        (found,) = paired_differences(bound, Spread(w, w))
        undefined += np.isnan(found.value)
        hits += found.low <= true <= found.high
    assert undefined <= 0.02 * draws
    # 600 draws know a share of 95 % to 0.9 %.
    assert least - 0.01 <= hits / (draws - undefined) <= most + 0.005


# ---------------------------------------------------------------------------------------------
# undefined, text, bad input


def test_undefined_values_have_no_interval():
    paired = PairedCounts.from_predictions([0, 0, 1], [0, 0, 0], [0, 1, 1])
    with pytest.warns(UndefinedMetricWarning, match="precision is undefined"):
        result = paired.difference("precision")
    assert result.value == -0.5
    assert np.isnan([result.se, result.low, result.high]).all()
    with pytest.warns(UndefinedMetricWarning, match="positive_likelihood_ratio is undefined"):
        result = paired.difference("positive_likelihood_ratio")
    assert np.isnan(result.value)


def test_where_no_answer_can_matter_the_whole_range_is_open():
    # One class and one answer: no other table is possible.
    paired = PairedCounts.from_predictions([0], [0], [0], labels=[0])
    result = paired.difference("accuracy")
    assert (result.value, result.low, result.high) == (0, -1, 1)


def test_text():
    assert str(PAPER.difference("accuracy")) == (
        "accuracy, A - B: +0.012 [-0.005, +0.029] (0.930 - 0.918; 1000 rows)"
    )
    assert str(PAPER.difference("f1", average="macro")).startswith("macro f1, A - B: +0.0")
    assert float(PAPER.difference("accuracy")) == pytest.approx(0.012)


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        ({"metric": "f2"}, ValueError, "unknown metric 'f2'"),
        ({"metric": "f1", "pos_label": 7}, ValueError, "pos_label=7 is not a class"),
        ({"metric": "f1", "confidence_level": 95}, ValueError, "confidence_level must be"),
        ({"metric": "f1", "confidence_level": None}, ValueError, "confidence_level must be"),
        ({"metric": "f1", "beta": 2}, TypeError, "no parameter"),
        ({"metric": "accuracy", "average": "macro"}, ValueError, "takes no average"),
    ],
)
def test_bad_input(call, error, match):
    with pytest.raises(error, match=match):
        PAPER.difference(**call)


def test_words_need_a_positive_class_and_an_order():
    columns = ["ill", "well", "ill"], ["ill", "ill", "well"], ["well", "well", "ill"]
    paired = PairedCounts.from_predictions(*columns)
    with pytest.raises(ValueError, match="pos_label must name the positive class"):
        paired.difference("recall")
    assert paired.difference("recall", pos_label="ill").pos_label == "ill"
    three = PairedCounts.from_predictions(["a", "b", "c"], ["a", "b", "c"], ["a", "a", "a"])
    with pytest.raises(ValueError, match="depends on the order"):
        three.difference("weighted_kappa")


# ---------------------------------------------------------------------------------------------
# McNemar


@pytest.mark.parametrize(("method", "key"), [("exact", "exact_p"), ("mid-p", "mid_p")])
def test_mcnemar_reference(method, key):
    result = PAPER.mcnemar(method)
    expected = REFERENCE["mcnemar"]
    assert (result.b, result.c, result.n) == (expected["b"], expected["c"], 1000)
    assert result.p_value == pytest.approx(expected[key], abs=5e-7)
    assert result.method == method


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_by_hand(b, c):
    paired = PairedCounts.from_tables({0: [[3, b], [c, 0]], 1: [[0, 0], [0, 5]]})
    chances = np.array([1.0])
    for _ in range(b + c):
        chances = np.convolve(chances, [0.5, 0.5])
    equal = np.isclose(chances, chances[b], rtol=1e-9, atol=0)
    rarer, at = chances[(chances < chances[b]) & ~equal].sum(), chances[equal].sum()
    assert paired.mcnemar().p_value == pytest.approx(rarer + at)
    # The outcomes as likely as the one seen count half; b = c is its own mirror image.
    halved = rarer + at / 2 if b != c else 1.0
    assert paired.mcnemar("mid-p").p_value == pytest.approx(halved)


def test_mcnemar_counts_right_and_wrong_in_any_number_of_classes():
    truth, a, b = [0, 1, 2, 2, 1, 0], [0, 1, 2, 0, 2, 1], [1, 1, 0, 1, 1, 2]
    result = PairedCounts.from_predictions(truth, a, b).mcnemar()
    assert (result.b, result.c) == (2, 1)


def test_mcnemar_where_the_models_never_differ():
    result = PairedCounts.from_predictions([0, 1], [0, 0], [0, 0]).mcnemar("mid-p")
    assert (result.b, result.c, result.p_value) == (0, 0, 1.0)


def test_mcnemar_refuses_what_it_cannot_know():
    columns = [0, 1, 1], [0, 1, 0], [1, 1, 1]
    with pytest.raises(ValueError, match="a weighted row is no whole row"):
        PairedCounts.from_predictions(*columns, sample_weight=[1, 2, 1]).mcnemar()
    with pytest.raises(ValueError, match="rows of one cluster are not independent"):
        PairedCounts.from_predictions(*columns, clusters=[0, 0, 1]).mcnemar()
    with pytest.raises(ValueError, match="method must be 'exact' or 'mid-p'; got 'chi2'"):
        PAPER.mcnemar("chi2")
    assert not hasattr(ConfusionCounts, "mcnemar")
