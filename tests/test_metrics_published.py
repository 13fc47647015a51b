"""Numbers that stand in print or that another program computed; each file says where from."""

import json
from pathlib import Path

import numpy as np
import pytest

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.counts import ConfusionCounts
from skmetrics_ext.metrics import (
    classwise_mean_absolute_error,
    expected_cost_loss,
    one_off_accuracy_score,
    weighted_kappa_score,
)


def load(name):
    return json.loads((Path(__file__).parent / "data" / f"{name}.json").read_text())


PRINTED = load("published_numbers")
RANKS = load("ordinal_metrics")
INTERVALS = load("intervals")
KAPPAS = load("kappa_standard_errors")["tables"]
PENGUINS = PRINTED["penguins"]
SEX = PENGUINS["sex_by_five_neighbours"]


def printed(number):
    """A number to the digits that were printed, two at least."""
    digits = max(len(repr(number).partition(".")[2]), 2)
    return pytest.approx(number, abs=0.5000001 * 10**-digits)


def check(counts, **expected):
    """``macro_f1`` is the macro average of f1; ``kappa`` is the unweighted one."""
    for name, number in expected.items():
        average, _, rest = name.partition("_")
        if name == "kappa":
            value = counts.estimate("weighted_kappa", weights=None)
        elif average in ("macro", "weighted", "micro"):
            value = counts.estimate(rest, average=average)
        else:
            value = counts.estimate({"mcc": "matthews_corrcoef"}.get(name, name))
        assert float(value) == printed(number), name


def only(entry, *names):
    return {name: entry[name] for name in names}


# The lazy models leave a precision undefined, which is what they are printed for.
lazy = pytest.mark.filterwarnings("ignore:f1 is undefined")


@lazy
def test_lazy_models():
    entry = PRINTED["lazy_model"]
    check(
        ConfusionCounts.from_matrix(entry["table_rows_true"]),
        **only(entry, "accuracy", "recall", "balanced_accuracy", "mcc", "kappa"),
    )
    entry = PRINTED["lazy_model_2"]
    tp, fn, fp, tn = entry["tp_fn_fp_tn"]
    check(
        ConfusionCounts.from_cells(tp=tp, fn=fn, fp=fp, tn=tn),
        **only(entry, "accuracy", "balanced_accuracy", "mcc", "kappa"),
    )
    entry = PRINTED["majority_94_3_3"]
    check(
        ConfusionCounts.from_matrix([[94, 0, 0], [3, 0, 0], [3, 0, 0]]),
        **only(entry, "accuracy", "micro_f1", "weighted_f1", "macro_f1"),
    )


def test_twenty_patients():
    entry = PRINTED["twenty_patients"]
    counts = ConfusionCounts.from_matrix(entry["table_rows_true"])
    check(counts, **only(entry, "f1", "accuracy", "balanced_accuracy", "mcc", "kappa"))
    assert float(counts.estimate("fbeta", beta=0.5)) == printed(entry["f_half"])
    assert float(counts.estimate("fbeta", beta=2)) == printed(entry["f2"])


def test_triage():
    entry = PRINTED["triage_200"]
    counts = ConfusionCounts.from_matrix(entry["table_rows_true"], labels=entry["labels"])
    check(counts, **only(entry, "macro_f1", "weighted_f1", "micro_f1"))
    per_class = counts.estimate("f1", average=None)
    assert [float(e) for e in per_class] == [printed(v) for v in entry["f1"]]
    assert [e.pos_label for e in per_class] == entry["labels"]


@pytest.mark.parametrize("row", PRINTED["radars"]["rows"])
def test_radars(row):
    counts = ConfusionCounts.from_cells(tp=row["tp"], fp=row["fp"], fn=row["fn"], tn=0)
    check(counts, precision=row["precision"], recall=row["recall"])


@pytest.mark.parametrize("row", PRINTED["prevalence_moves_precision"]["rows"])
def test_prevalence_moves_precision(row):
    """Sensitivity 0.7 and specificity 0.8 whatever the prevalence: one table at other priors."""
    entry = PRINTED["prevalence_moves_precision"]
    known = ConfusionCounts.from_cells(tp=70, fn=30, fp=20, tn=80)
    counts = known.at_priors([1 - row["prevalence"], row["prevalence"]])
    check(
        counts,
        precision=row["precision"],
        negative_predictive_value=row["npv"],
        accuracy=row["accuracy"],
    )
    check(counts, recall=entry["sensitivity"], specificity=entry["specificity"])
    flagged = float(counts.estimate("predicted_positive_rate")) * entry["people"]
    assert flagged == pytest.approx(row["TP"] + row["FP"])
    assert float(counts.estimate("precision")) * flagged == pytest.approx(row["TP"])


def test_kappa_paradox():
    """One mechanism of errors in three populations: accuracy rises while kappa falls."""
    entry = PRINTED["kappa_paradox"]
    mechanism = ConfusionCounts.from_matrix([[90, 10, 0], [10, 80, 10], [0, 10, 90]])
    for priors, kappa, accuracy in zip(
        entry["priors"], entry["quadratic_kappa"], entry["accuracy"], strict=True
    ):
        counts = mechanism.at_priors(np.array(priors) / sum(priors))
        assert float(counts.estimate("weighted_kappa")) == printed(kappa)
        assert float(counts.estimate("accuracy")) == printed(accuracy)


def test_age_bands():
    """Accuracy prefers the model that answers the farthest band; the distance does not."""
    truth = np.repeat(np.arange(5), 5)
    off_by_one = np.where(truth < 4, truth + 1, truth - 1)
    farthest = np.where(truth < 2, 4, 0)
    farthest[::5] = truth[::5]
    accuracy = PRINTED["age_bands"]["accuracy"]
    for name, answer in (("A", off_by_one), ("B", farthest)):
        counts = ConfusionCounts.from_predictions(truth, answer)
        assert float(counts.estimate("accuracy")) == printed(accuracy[name])
    assert one_off_accuracy_score(truth, off_by_one) == 1.0
    assert weighted_kappa_score(truth, off_by_one) > weighted_kappa_score(truth, farthest)


def test_island_rule():
    entry = PENGUINS["island_rule"]
    counts = ConfusionCounts.from_matrix(
        entry["confusion_rows_true"], labels=["Adelie", "Chinstrap", "Gentoo"]
    )
    check(counts, **only(entry, "accuracy", "balanced_accuracy", "macro_f1", "mcc"))
    estimate = counts.estimate("accuracy")
    assert (estimate.numerator, estimate.denominator) == (entry["right"], entry["of"])


@lazy
def test_always_one_class():
    truths = np.array(PENGUINS["island_rule"]["confusion_rows_true"]).sum(1)
    table = np.zeros((3, 3))
    table[:, 0] = truths
    entry = PENGUINS["always_adelie"]
    check(
        ConfusionCounts.from_matrix(table),
        **only(entry, "accuracy", "balanced_accuracy", "macro_f1", "mcc"),
    )
    entry, (female, male) = PENGUINS["always_male"], np.sum(SEX["confusion_rows_true"], axis=1)
    counts = ConfusionCounts.from_cells(tp=male, fp=female, fn=0, tn=0)
    check(counts, precision=entry["precision"], recall=entry["recall"], f1=entry["f1_male"])
    assert float(counts.estimate("f1", pos_label=0)) == entry["f1_female"]


def test_chinstrap_on_dream():
    entry = PENGUINS["chinstrap_on_dream"]
    counts = ConfusionCounts.from_matrix(entry["table_rows_true_negative_first"])
    check(counts, **only(entry, "accuracy", "precision", "recall", "f1"))
    assert float(counts.estimate("f1", pos_label=0)) == printed(entry["f1_of_the_other_class"])
    assert float(counts.estimate("fbeta", beta=2)) == printed(entry["f2"])
    assert float(counts.estimate("fbeta", beta=0.5)) == printed(entry["f_half"])


@pytest.mark.parametrize("row", SEX["threshold_table"])
def test_every_threshold_of_the_neighbours(row):
    votes = SEX["votes"]
    said_male = np.array(votes["share"]) >= row["threshold"]
    female, male = (np.array(votes[sex]) for sex in ("female", "male"))
    tp, fp = male[said_male].sum(), female[said_male].sum()
    assert (tp + fp, fp) == (row["said_male"], row["false_alarms"])
    counts = ConfusionCounts.from_cells(tp=tp, fp=fp, fn=row["missed"], tn=female.sum() - fp)
    check(counts, **only(row, "precision", "recall", "accuracy"))


def test_declining_where_the_neighbours_disagree():
    """Fewer than 4 of 5 agree: refer. A referral is an answer like any other, at its price."""
    entry, votes = SEX["decline_when_fewer_than_4_of_5_agree"], SEX["votes"]
    answers = ["female", "female", "refer", "refer", "male", "male"]
    truth = np.repeat(["female", "male"], [130, 134])
    said = np.concatenate([np.repeat(answers, votes[sex]) for sex in ("female", "male")])
    counts = ConfusionCounts.from_predictions(truth, said, actions=["refer"])
    assert counts.n[:, 2].sum() == entry["declined"]
    assert counts.n[:, :2].sum() == entry["answered"]
    assert counts.n[0, 1] + counts.n[1, 0] == entry["wrong"]
    cost = CostMatrix([[0, 1], [1, 0]], labels=["female", "male"])
    wrong = counts.estimate("expected_cost", cost_matrix=cost.with_action("refer", cost=0))
    assert float(wrong) == pytest.approx(entry["wrong"] / 264)
    referred = CostMatrix([[0, 0], [0, 0]], labels=["female", "male"]).with_action("refer", cost=1)
    share = counts.estimate("expected_cost", cost_matrix=referred)
    assert float(share) == printed(entry["share_declined"])


@pytest.mark.parametrize("weighted", [False, True])
def test_ordinal_metrics_of_skordinal_and_scikit_learn(weighted):
    y_true, y_pred = RANKS["y_true"], RANKS["y_pred"]
    weights = {"sample_weight": RANKS["sample_weight"] if weighted else None}
    expected = RANKS["weighted" if weighted else "unweighted"]
    near = pytest.approx
    assert ConfusionCounts.from_predictions(y_true, y_pred).n.tolist() == RANKS["confusion"]
    for tolerance in (1, 2):
        value = one_off_accuracy_score(y_true, y_pred, tolerance=tolerance, **weights)
        assert value == near(expected[f"within_{tolerance}"], rel=1e-12)
    for average in ("macro", "max"):
        value = classwise_mean_absolute_error(y_true, y_pred, average=average, **weights)
        assert value == near(expected[f"{average}_mae"], rel=1e-12)
    for name in (None, "linear", "quadratic"):
        value = weighted_kappa_score(y_true, y_pred, weights=name, **weights)
        assert value == near(expected[f"kappa_{name}"], rel=1e-12)
    # The truth stands in the rows of this matrix, as it does in weights= and not in costs.
    custom = RANKS["custom_cost"]
    value = weighted_kappa_score(y_true, y_pred, weights=custom, **weights)
    assert value == near(expected["kappa_custom_cost"], rel=1e-12)
    cost = CostMatrix.from_confusion_layout(custom)
    value = expected_cost_loss(y_true, y_pred, cost_matrix=cost, **weights)
    assert value == near(expected["mean_custom_cost"], rel=1e-12)
    distance = CostMatrix.ordinal(range(5), power=1)
    value = expected_cost_loss(y_true, y_pred, cost_matrix=distance, **weights)
    assert value * 4 == near(expected["mae"], rel=1e-12)
    counts = ConfusionCounts.from_predictions(y_true, y_pred, **weights)
    assert float(counts.estimate("accuracy")) == near(expected["accuracy"], rel=1e-12)


@pytest.mark.parametrize("name", KAPPAS)
def test_kappas_of_fleiss_cohen_everitt(name):
    """Fleiss, Cohen & Everitt (1969) and Cohen (1968), by statsmodels 0.15.0."""
    entry = KAPPAS[name]
    counts = ConfusionCounts.from_matrix(entry["table"])
    kappa = counts.estimate("weighted_kappa", weights=1 - np.array(entry["agreement_weights"]))
    assert float(kappa) == pytest.approx(entry["kappa"], rel=1e-12)


@pytest.mark.parametrize(
    ("key", "metric", "how"),
    [
        ("accuracy", "accuracy", {}),
        ("macro_precision", "precision", {"average": "macro"}),
        ("macro_recall", "recall", {"average": "macro"}),
        ("macro_recall", "balanced_accuracy", {}),
        ("macro_f1", "f1", {"average": "macro"}),
        ("weighted_f1", "f1", {"average": "weighted"}),
        ("geometric_mean", "geometric_mean", {}),
        ("mcc", "matthews_corrcoef", {}),
        ("kappa", "weighted_kappa", {"weights": None}),
        ("kappa_linear", "weighted_kappa", {"weights": "linear"}),
        ("kappa_quadratic", "weighted_kappa", {}),
        ("one_off_accuracy", "one_off_accuracy", {}),
    ],
)
def test_three_classes(key, metric, how):
    counts = ConfusionCounts.from_matrix(INTERVALS["A"]["table_rows_true"])
    value = float(counts.estimate(metric, **how))
    assert value == pytest.approx(INTERVALS["A"]["value_se"][key][0], abs=1e-6)


def test_three_classes_cost_and_priors():
    entry = INTERVALS["A"]
    counts = ConfusionCounts.from_matrix(entry["table_rows_true"])
    matrix = entry["expected_cost"]["matrix"]
    for cost, key in (
        (matrix, "read_as_c_ij_rows_the_prediction"),
        (CostMatrix(matrix), "read_as_c_ij_rows_the_prediction"),
        (CostMatrix.from_confusion_layout(matrix), "read_in_confusion_layout_rows_the_truth"),
    ):
        value = float(counts.estimate("expected_cost", cost_matrix=cost))
        assert value == pytest.approx(entry["expected_cost"][key][0], abs=1e-9)
    at_priors = counts.at_priors([0.9, 0.07, 0.03])
    expected = entry["accuracy_at_prior_0.9_0.07_0.03"][0]
    assert float(at_priors.estimate("accuracy")) == pytest.approx(expected, abs=1e-6)


def test_two_classes():
    entry = INTERVALS["B"]
    tn, fp, fn, tp = entry["tn_fp_fn_tp"]
    counts = ConfusionCounts.from_cells(tn=tn, fp=fp, fn=fn, tp=tp)
    for metric, number in (
        ("f1", entry["f1"][0]),
        ("matthews_corrcoef", entry["mcc"][0]),
        ("balanced_accuracy", entry["balanced_accuracy"][0]),
        ("positive_likelihood_ratio", entry["lr_plus"][0]),
        ("negative_likelihood_ratio", entry["lr_minus"][0]),
    ):
        assert float(counts.estimate(metric)) == pytest.approx(number, abs=1e-6), metric
    rare, some = counts.at_priors([0.99, 0.01]), counts.at_priors({1: 0.1, 0: 0.9})
    ppv, npv = entry["ppv_at_0.01"][0], entry["npv_at_0.1"][0]
    assert float(rare.estimate("precision")) == pytest.approx(ppv, abs=1e-6)
    assert float(some.estimate("negative_predictive_value")) == pytest.approx(npv, abs=1e-6)


def test_two_classes_with_weights():
    entry = INTERVALS["B"]["weighted"]
    weights = np.random.default_rng(1).gamma(2, 1, 1000)
    sizes = INTERVALS["B"]["tn_fp_fn_tp"]
    y_true, y_pred = np.repeat([0, 0, 1, 1], sizes), np.repeat([0, 1, 0, 1], sizes)
    counts = ConfusionCounts.from_predictions(y_true, y_pred, sample_weight=weights)
    assert float(counts.estimate("f1")) == pytest.approx(entry["f1"][0], abs=1e-6)
    assert float(counts.estimate("recall")) == pytest.approx(entry["recall"], abs=1e-6)
    assert counts.w2.sum() == pytest.approx((weights**2).sum())
