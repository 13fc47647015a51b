"""Kappa's two standard errors, other class shares, and what the margins allow."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog
from sklearn.exceptions import UndefinedMetricWarning

from skmetrics_ext.counts import (
    ConfusionCounts,
    kappa_by_priors,
    kappa_context,
    kappa_test,
)
from skmetrics_ext.counts._margins import least_disagreement

DATA = Path(__file__).parent / "data"
PUBLISHED = json.loads((DATA / "kappa_standard_errors.json").read_text())["tables"]
ORDINAL = json.loads((DATA / "ordinal_metrics.json").read_text())
PARADOX = json.loads((DATA / "published_numbers.json").read_text())["kappa_paradox"]
TABLE_A = json.loads((DATA / "intervals.json").read_text())["A"]
OWN = np.array([[0, 1, 3.0], [2, 0, 1], [5, 1, 0]])
FLEISS = ConfusionCounts.from_matrix([[106, 10, 4], [22, 28, 10], [2, 12, 6]])


def by_hand(table, v):
    """Kappa, se and null se as Fleiss, Cohen and Everitt wrote them, with disagreements."""
    n = np.sum(table)
    p = np.asarray(table) / n
    r, c = p.sum(1), p.sum(0)
    observed, expected = (p * v).sum(), (np.outer(r, c) * v).sum()
    of_margins = (v @ c)[:, None] + (r @ v)[None, :]
    d = -v / expected + observed / expected**2 * of_margins
    null = -v / expected + of_margins / expected
    chance = np.outer(r, c)
    return (
        1 - observed / expected,
        np.sqrt(((p * d**2).sum() - (p * d).sum() ** 2) / n),
        np.sqrt(((chance * null**2).sum() - (chance * null).sum() ** 2) / n),
    )


# ---------------------------------------------------------------------------------------------
# standard errors


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_standard_errors(name):
    entry = PUBLISHED[name]
    counts = ConfusionCounts.from_matrix(entry["table"])
    disagreement = 1 - np.array(entry["agreement_weights"])
    result = kappa_test(counts, weights=disagreement)
    assert result.kappa == float(result) == pytest.approx(entry["kappa"], rel=1e-12)
    assert result.se == pytest.approx(entry["se"], rel=1e-10)
    assert result.null_se == pytest.approx(entry["se_null"], rel=1e-10)
    assert result.z == pytest.approx(entry["kappa"] / entry["se_null"])
    assert counts.estimate("weighted_kappa", weights=disagreement).se == result.se


@pytest.mark.parametrize("name", ["None", "linear", "quadratic"])
def test_five_ordered_classes(name):
    expected = ORDINAL["unweighted"]
    counts = ConfusionCounts.from_predictions(ORDINAL["y_true"], ORDINAL["y_pred"])
    result = kappa_test(counts, weights=None if name == "None" else name)
    assert result.kappa == pytest.approx(expected[f"kappa_{name}"], rel=1e-12)
    assert result.se == pytest.approx(expected[f"se_{name}"], rel=1e-10)
    assert result.null_se == pytest.approx(expected[f"se0_{name}"], rel=1e-10)
    assert result.n == 30


@pytest.mark.parametrize(
    ("key", "weights"),
    [("kappa", None), ("kappa_linear", "linear"), ("kappa_quadratic", "quadratic")],
)
def test_table_a(key, weights):
    value, se = TABLE_A["value_se"][key]
    result = kappa_test(ConfusionCounts.from_matrix(TABLE_A["table_rows_true"]), weights=weights)
    assert result.kappa == pytest.approx(value, abs=5e-7)
    assert result.se == pytest.approx(se, abs=5e-7)


@given(st.lists(st.integers(1, 40), min_size=9, max_size=9), st.integers(0, 1000))
def test_any_matrix_as_the_formula_says(cells, seed):
    table = np.reshape(cells, (3, 3))
    v = np.random.default_rng(seed).integers(1, 9, (3, 3)) * (1.0 - np.eye(3))
    result = kappa_test(ConfusionCounts.from_matrix(table), weights=v)
    expected = by_hand(table, v)
    assert [result.kappa, result.se, result.null_se] == pytest.approx(expected, abs=1e-9)


def test_an_asymmetric_matrix_has_the_truth_in_the_rows():
    table = np.array(PUBLISHED["Cohen68_asym"]["table"])
    v = 1 - np.array(PUBLISHED["Cohen68_asym"]["agreement_weights"])
    there = kappa_test(ConfusionCounts.from_matrix(table), weights=v)
    turned = kappa_test(ConfusionCounts.from_matrix(table, rows="predicted"), weights=v.T)
    wrong = kappa_test(ConfusionCounts.from_matrix(table), weights=v.T)
    for field in ("kappa", "se", "null_se"):
        assert getattr(turned, field) == pytest.approx(getattr(there, field))
        assert abs(getattr(wrong, field) - getattr(there, field)) > 1e-3


@pytest.mark.parametrize("weights", [None, "linear", "quadratic", OWN], ids=str)
@pytest.mark.parametrize("reason", ["none", "truth", "answer", "noise", "truth and answer"])
def test_null_standard_error_by_simulation(weights, reason):
    """Truth and answer drawn apart: kappa varies as null_se says, also for weighted rows."""
    rng = np.random.default_rng(11)
    n, draws = 400, 250
    of_class, other = np.array([1.0, 2, 6]), np.array([5.0, 1, 2])
    kappas, errors = [], []
    for _ in range(draws):
        truth = rng.choice(3, n, p=[0.5, 0.3, 0.2])
        answer = rng.choice(3, n, p=[0.4, 0.35, 0.25])
        weight = {
            "none": None,
            "truth": of_class[truth],
            "answer": of_class[answer],
            "noise": rng.gamma(0.5, size=n),
            "truth and answer": of_class[truth] * other[answer],
        }[reason]
        counts = ConfusionCounts.from_predictions(
            truth, answer, labels=range(3), sample_weight=weight
        )
        result = kappa_test(counts, weights=weights)
        kappas.append(result.kappa)
        errors.append(result.null_se)
    # 250 draws know a standard deviation to 4.5 %.
    assert np.std(kappas) == pytest.approx(np.mean(errors), rel=0.14)


@pytest.mark.parametrize("factor", [1e-5, 7.0])
def test_the_scale_of_the_weights_does_not_matter(factor, rng):
    truth, answer = rng.integers(0, 3, (2, 200))
    weight = rng.gamma(2, size=200)
    one, other = [
        kappa_test(ConfusionCounts.from_predictions(truth, answer, sample_weight=w))
        for w in (weight, factor * weight)
    ]
    for field in ("kappa", "se", "null_se", "p_value"):
        assert getattr(other, field) == pytest.approx(getattr(one, field))


def test_weights_as_counts_would_be_too_sure(rng):
    truth, answer = rng.integers(0, 3, (2, 500))
    weighted = ConfusionCounts.from_predictions(
        truth, answer, sample_weight=rng.gamma(0.5, size=500) * 2
    )
    plain = ConfusionCounts.from_predictions(truth, answer)
    assert kappa_test(weighted).null_se > 1.4 * kappa_test(plain).null_se


@pytest.mark.parametrize(
    "table", [[[5, 0, 0], [7, 0, 0], [2, 0, 0]], [[3, 4, 1], [0, 0, 0], [0, 0, 0]]]
)
@pytest.mark.parametrize("weights", [None, "linear", "quadratic", OWN], ids=str)
def test_one_class_of_truths_or_of_answers(table, weights):
    with pytest.warns(UndefinedMetricWarning, match="nothing to test"):
        result = kappa_test(ConfusionCounts.from_matrix(table), weights=weights)
    assert result.kappa == pytest.approx(0, abs=1e-12)
    assert result.null_se == 0
    assert np.isnan([result.z, result.p_value]).all()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_undefined_kappa():
    result = kappa_test(ConfusionCounts.from_matrix([[5, 0], [0, 0]]))
    assert np.isnan([result.kappa, result.z, result.p_value]).all()


def test_test_says_both():
    assert str(kappa_test(FLEISS)) == (
        "weighted kappa (quadratic) 0.567 (se 0.056); if it were 0: se 0.071, z = 8.04, "
        "p = 9.26e-16 (200 rows)"
    )
    assert str(kappa_test(FLEISS, weights=None)).startswith("kappa 0.429 ")
    assert str(kappa_test(FLEISS, weights=OWN)).startswith("weighted kappa (own weights) ")
    assert kappa_test(FLEISS, weights=OWN) == kappa_test(FLEISS, weights=OWN.copy())


def test_what_is_refused():
    rows = [0, 1, 1, 0], [0, 1, 0, 0]
    clustered = ConfusionCounts.from_predictions(*rows, clusters=[0, 0, 1, 1])
    with pytest.raises(ValueError, match="takes rows as independent, and these are in clusters"):
        kappa_test(clustered)
    grouped = ConfusionCounts.from_predictions(*rows, by=["x", "y", "y", "x"])
    for function in (kappa_test, kappa_context, lambda c: kappa_by_priors(c, [0.5, 0.5])):
        with pytest.raises(ValueError, match=r"counts must be one table.*\['x', 'y'\]"):
            function(grouped)
    for function in (kappa_test, kappa_context):
        with pytest.raises(ValueError, match="weights must be 'quadratic'"):
            function(FLEISS, weights="cubic")
    words = ConfusionCounts.from_predictions(["a", "b", "c"], ["a", "b", "b"])
    with pytest.raises(ValueError, match="depends on the order"):
        kappa_test(words)
    assert kappa_context(words, weights=None).kappa == pytest.approx(0.5)


# ---------------------------------------------------------------------------------------------
# other class shares


def errors_by_one_class(rows=1000):
    """The published mechanism: a fifth of the answers move by one class; at an end half stay."""
    return np.array([[0.9, 0.1, 0], [0.1, 0.8, 0.1], [0, 0.1, 0.9]]) * rows


def test_published_paradox():
    priors = np.array(PARADOX["priors"])
    priors[0] = 1 / 3
    result = kappa_by_priors(ConfusionCounts.from_matrix(errors_by_one_class()), priors)
    assert [round(float(k), 2) for k in result] == PARADOX["quadratic_kappa"]
    assert [float(a) for a in result.accuracy] == pytest.approx(PARADOX["accuracy"], abs=0.005)
    np.testing.assert_allclose(result.priors, priors)
    assert len(result) == 3
    assert result[2].value == result.kappa[2].value
    assert all(k.low < k.value < k.high for k in result)


@pytest.mark.parametrize("weights", [None, "linear", OWN], ids=str)
def test_each_is_the_estimate_at_those_priors(weights):
    result = kappa_by_priors(FLEISS, [{0: 0.2, 1: 0.5, 2: 0.3}, [0.6, 0.3, 0.1]], weights=weights)
    # The last are the data's own.
    assert float(result[1]) == pytest.approx(float(kappa_test(FLEISS, weights=weights)))
    expected = FLEISS.at_priors([0.2, 0.5, 0.3]).estimate("weighted_kappa", weights=weights)
    assert result[0] == expected


def test_one_population_alone():
    for priors in ([0.2, 0.5, 0.3], {2: 0.3, 0: 0.2, 1: 0.5}, np.array([[0.2, 0.5, 0.3]])):
        result = kappa_by_priors(FLEISS, priors)
        assert len(result) == 1
        np.testing.assert_allclose(result.priors, [[0.2, 0.5, 0.3]])


def test_table_of_populations():
    lines = str(kappa_by_priors(FLEISS, [[0.2, 0.5, 0.3]])).split("\n")
    assert lines[0] == "weighted kappa (quadratic) at class shares of 0, 1, 2"
    assert lines[1].endswith(", accuracy 0.500 [0.413, 0.586]")
    many = ConfusionCounts.from_predictions(range(12), range(12))
    assert ", ...: kappa 1.000" in str(kappa_by_priors(many, np.full(12, 1 / 12)))


@pytest.mark.parametrize(
    ("priors", "match"),
    [
        ([[0.5, 0.5, 0.5]], "priors must sum to 1"),
        ([[0.5, 0.5]], r"shape \(3,\)"),
        ([{0: 0.5, 7: 0.5}], r"priors names \[7\]"),
        ([], "at least one population"),
    ],
)
def test_bad_priors(priors, match):
    with pytest.raises(ValueError, match=match):
        kappa_by_priors(FLEISS, priors)


# ---------------------------------------------------------------------------------------------
# what the margins allow


def by_linear_programming(r, c, v):
    k = len(r)
    sums = np.zeros((2 * k, k, k))
    for i in range(k):
        sums[i, i, :] = 1
        sums[k + i, :, i] = 1
    found = linprog(v.ravel(), A_eq=sums.reshape(2 * k, -1)[:-1], b_eq=np.concatenate([r, c])[:-1])
    return found.fun


@given(
    st.integers(2, 6).flatmap(
        lambda k: st.tuples(*[st.lists(st.integers(0, 20), min_size=k, max_size=k)] * 2)
    ),
    st.sampled_from([None, "linear", "quadratic"]),
)
def test_no_pairing_agrees_better(margins, weights):
    if not all(map(any, margins)):
        return
    r, c = [np.array(m) / sum(m) for m in margins]
    k = len(r)
    distance = np.abs(np.subtract.outer(np.arange(k), np.arange(k)))
    v = {None: distance > 0, "linear": distance, "quadratic": distance**2}[weights].astype(float)
    table = least_disagreement(r, c, weights)
    np.testing.assert_allclose(table.sum(1), r, atol=1e-12)
    np.testing.assert_allclose(table.sum(0), c, atol=1e-12)
    assert (table >= 0).all()
    assert (table * v).sum() == pytest.approx(by_linear_programming(r, c, v), abs=1e-9)
    # The same matrix by value instead of by name.
    again = least_disagreement(r, c, v)
    assert (again * v).sum() == pytest.approx((table * v).sum(), abs=1e-9)


@given(*[st.lists(st.integers(0, 20), min_size=3, max_size=3).filter(any)] * 2)
def test_a_matrix_of_ones_own_has_the_truth_in_the_rows(in_truth, in_answer):
    around = np.array([[0, 1, 9.0], [4, 0, 1], [1, 2, 0]])
    r, c = [np.array(m) / sum(m) for m in (in_truth, in_answer)]
    table = least_disagreement(r, c, around)
    np.testing.assert_allclose([table.sum(1), table.sum(0)], [r, c], atol=1e-9)
    assert (table * around).sum() == pytest.approx(by_linear_programming(r, c, around), abs=1e-9)


def test_nominal_kappa_has_the_textbook_maximum():
    p = FLEISS.w / 200
    r, c = p.sum(1), p.sum(0)
    chance = (r * c).sum()
    expected = (np.minimum(r, c).sum() - chance) / (1 - chance)
    assert kappa_context(FLEISS, weights=None).largest == pytest.approx(expected)


@given(st.lists(st.integers(1, 30), min_size=9, max_size=9))
def test_the_largest_is_not_smaller(cells):
    counts = ConfusionCounts.from_matrix(np.reshape(cells, (3, 3)))
    for weights in (None, "linear", "quadratic", OWN):
        context = kappa_context(counts, weights=weights)
        assert context.kappa <= context.largest + 1e-9
        assert context.largest <= 1 + 1e-12


@given(st.lists(st.integers(1, 50), min_size=4, max_size=4))
def test_byrt_bishop_and_carlin(cells):
    """Kappa of two classes from PABAK, the prevalence index and the bias index."""
    tn, fp, fn, tp = cells
    counts = ConfusionCounts.from_cells(tp=tp, fp=fp, fn=fn, tn=tn)
    context = kappa_context(counts, weights=None)
    pi, bi, pabak = context.prevalence_index, context.bias_index, context.pabak
    assert pi == pytest.approx((tp - tn) / sum(cells))
    assert bi == pytest.approx((fp - fn) / sum(cells))
    assert pabak == pytest.approx(2 * (tp + tn) / sum(cells) - 1)
    expected = (pabak - pi**2 + bi**2) / (1 - pi**2 + bi**2)
    assert context.kappa == pytest.approx(expected, abs=1e-12)


def test_more_than_two_classes():
    context = kappa_context(FLEISS, weights=None)
    assert context.observed_agreement == pytest.approx(0.7)
    assert context.pabak == pytest.approx((3 * 0.7 - 1) / 2)
    assert context.prevalence_index is context.bias_index is context.pos_label is None
    # Kappa is PABAK where truth and answers use all classes alike.
    even = ConfusionCounts.from_matrix([[7, 2, 1], [1, 7, 2], [2, 1, 7]])
    context = kappa_context(even, weights=None)
    assert context.kappa == pytest.approx(context.pabak)
    assert context.largest == pytest.approx(1)


def test_context_at_other_class_shares():
    counts = ConfusionCounts.from_cells(tp=70, fp=20, fn=30, tn=80)
    rare = kappa_context(counts.at_priors([0.9, 0.1]), weights=None)
    as_counted = kappa_context(
        ConfusionCounts.from_cells(tp=70, fp=180, fn=30, tn=720), weights=None
    )
    for field in ("kappa", "largest", "pabak", "prevalence_index", "bias_index"):
        assert getattr(rare, field) == pytest.approx(getattr(as_counted, field))


def test_which_class_is_positive_turns_the_signs():
    words = ConfusionCounts.from_predictions(["ill", "well", "well"], ["ill", "ill", "well"])
    plain = kappa_context(words)
    turned = kappa_context(words.binary("ill"))
    named = kappa_context(words.binary("well"))
    assert (plain.pos_label, turned.pos_label, named.pos_label) == ("well", "ill", "well")
    assert plain.bias_index == named.bias_index == -turned.bias_index == pytest.approx(-1 / 3)
    assert str(turned).split("\n")[2] == ("prevalence index +0.000, bias index +0.333 (of 'ill')")


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_context_of_one_class():
    context = kappa_context(ConfusionCounts.from_matrix([[5]]))
    assert np.isnan([context.kappa, context.largest, context.pabak]).all()
    assert context.observed_agreement == 1
