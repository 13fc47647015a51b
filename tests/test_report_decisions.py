"""The report's costs, thresholds and constants against brute force; what it must not claim."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.metrics import f1_score, log_loss, roc_auc_score
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.metrics import expected_cost_loss
from skmetrics_ext.report import DecisionReport
from skmetrics_ext.report._pictures import draw_thresholds

COST = CostMatrix.binary(false_negative=20, pos_label="ill", neg_label="well")


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(1)
    ill = rng.random(120) < 0.3
    score = np.clip(0.3 * ill + 0.7 * rng.random(120), 0, 1)
    return np.where(ill, "ill", "well"), score


def labelled(report, part):
    (found,) = [number for _, number in report.numbers if part in number.label]
    return found


def said(report):
    return " ".join(repr(report).split())


def of_frame(truth, score, **options):
    frame = pl.DataFrame({"y": truth, "s": score})
    return DecisionReport.from_frame(frame, y_true="y", y_score="s", **options)


@pytest.mark.parametrize("made", [DecisionReport.from_predictions, of_frame])
@pytest.mark.parametrize(
    ("positive", "cost"),
    [
        ("ill", COST),
        ("well", COST),
        ("well", CostMatrix([[0, 1], [20, 0]], labels=["ill", "well"])),
        ("ill", CostMatrix([[0, 1], [20, 0]], labels=["ill", "well"])),
    ],
)
def test_the_threshold_of_the_costs_is_of_the_class_that_is_scored(made, positive, cost, rows):
    truth, score = rows
    if positive == "well":
        score = 1 - score
    options = {"cost_matrix": cost, "pos_label": positive}
    if made is of_frame:
        report = made(truth, score, **options)
    else:
        report = made(truth, None, score, **options)
    cut = 1 / 21 if positive == "ill" else 20 / 21
    answers = np.where(score >= cut, positive, "well" if positive == "ill" else "ill")
    expected = expected_cost_loss(truth, answers, cost_matrix=cost)
    found = labelled(report, "at the threshold of the costs")
    assert found.label == f"at the threshold of the costs, {cut:.3g}"
    np.testing.assert_allclose(found.value, expected)


def test_the_picture_marks_the_threshold_of_the_class_that_is_scored(rows):
    truth, score = rows
    report = DecisionReport.from_predictions(
        truth, None, 1 - score, cost_matrix=COST, pos_label="well"
    )
    (axes, *_) = draw_thresholds(report._evidence).axes
    assert any(text.get_text() == "by the costs 0.952" for text in axes.texts)


def test_to_refer_everybody_can_be_the_cheapest_constant(rows):
    truth, score = rows
    costs = COST.with_action("refer", cost=0.1)
    answers = np.where(score > 0.6, "ill", np.where(score < 0.2, "well", "refer"))
    for y_pred, y_score in ((answers, None), (None, score)):
        report = DecisionReport.from_predictions(truth, y_pred, y_score, cost_matrix=costs)
        found = labelled(report, "the cheapest constant answer")
        assert found.label.startswith("always 'refer'")
        np.testing.assert_allclose(found.value, 0.1)
    frame = pl.DataFrame({"y": truth, "a": answers})
    report = DecisionReport.from_frame(frame, y_true="y", y_pred="a", cost_matrix=costs)
    np.testing.assert_allclose(labelled(report, "the cheapest constant").value, 0.1)


def test_declined_answers_need_their_cost(rows):
    truth, score = rows
    answers = np.where(score > 0.6, "ill", "refer")
    report = DecisionReport.from_predictions(truth, answers, actions=["refer"])
    assert "an answer that is no class has none to assume" in said(report)
    assert "What mistakes cost" not in [section.title for section in report.sections]
    with pytest.raises(ValueError, match=r"those of the counts \['refer'\]"):
        DecisionReport.from_predictions(truth, answers, actions=["refer"], cost_matrix=COST)


def test_the_cross_fitted_cost_is_paid_on_rows_that_chose_nothing(rows):
    truth, score = rows[0], np.round(rows[1], 1)  # some stand at the threshold
    weights = np.arange(120) % 3 + 0.5
    cv = StratifiedKFold(4, shuffle=True, random_state=5)
    report = DecisionReport.from_predictions(
        truth, None, score, cost_matrix=COST, sample_weight=weights, cv=cv
    )
    answers, cuts = np.empty(120, dtype="U4"), []
    for train, test in cv.split(score, truth):
        tried = [*np.unique(score[train]), np.inf]
        costs = [
            expected_cost_loss(
                truth[train],
                np.where(score[train] >= cut, "ill", "well"),
                cost_matrix=COST,
                sample_weight=weights[train],
            )
            for cut in tried
        ]
        # Between two scores of the training rows all cuts cost the same: theirs is the choice.
        (low, high) = (tried[int(np.argmin(costs)) - 1], tried[int(np.argmin(costs))])
        cuts.append((low, high))
        chosen = report._evidence.fold_thresholds[len(cuts) - 1]
        assert low < chosen <= high
        answers[test] = np.where(score[test] >= chosen, "ill", "well")
    expected = expected_cost_loss(truth, answers, cost_matrix=COST, sample_weight=weights)
    np.testing.assert_allclose(labelled(report, "cross-fitted over 4 folds").value, expected)


@pytest.mark.parametrize(
    "options",
    [
        {"clusters": np.arange(120) % 2},
        {"clusters": np.zeros(120)},
        {"sample_weight": np.r_[np.ones(60), np.zeros(60)]},
    ],
)
def test_folds_are_as_many_as_there_is_room_for(options, rows):
    truth, score = rows
    report = DecisionReport.from_predictions(truth, None, score, cost_matrix=COST, **options)
    assert ("in-sample, optimistic" in said(report)) == (not report._evidence.fold_thresholds)


def test_no_threshold_is_chosen_on_one_class(rows):
    truth, score = rows
    report = DecisionReport.from_predictions(truth, None, score, cost_matrix=COST, clusters=truth)
    assert "in-sample, optimistic" in said(report)
    best = report._evidence.required_scores.best_cost(COST).value
    found = labelled(report, "in-sample, optimistic")
    np.testing.assert_allclose(found.value, best)
    assert found.low < best < found.high


def test_each_row_is_tested_once(rows):
    truth, score = rows
    options = {"cost_matrix": COST, "cv": ShuffleSplit(2, random_state=0)}
    with pytest.raises(ValueError, match=r"cv must test each row exactly once.*0 to"):
        DecisionReport.from_predictions(truth, None, score, **options)
    folds = DecisionReport.from_predictions(truth, None, score, cost_matrix=COST, cv=KFold(3))
    assert len(folds._evidence.fold_thresholds) == 3


def test_a_threshold_that_nobody_reaches_is_said(rows):
    truth, score = rows
    cost = CostMatrix([[0, 1], [2, 3]], labels=["well", "ill"])  # "ill" never pays
    report = DecisionReport.from_predictions(truth, None, score, cost_matrix=cost)
    assert "folds: above all scores)" in said(report)
    assert "at the threshold of the costs" not in said(report)
    assert "inf" not in said(report)


def test_rates_of_no_rows_are_undefined_not_zero(rows):
    truth, score = rows
    report = DecisionReport.from_predictions(truth, None, score, cost_matrix=COST, by=truth)
    assert np.isnan(labelled(report, "recall of 'ill' in 'well'").value)
    assert "undefined (0/0)" in said(report)
    assert "[undefined" not in said(report)


def test_a_precision_of_no_alarms_is_undefined(rows):
    truth, score = rows
    report = DecisionReport.from_predictions(truth, None, score / 3, pos_label="ill")
    (found,) = [n for _, n in report.numbers if n.label == "precision of 'ill'"]
    assert np.isnan(found.value)


def test_a_score_of_exactly_a_half_is_positive():
    report = DecisionReport.from_predictions([1, 0, 1, 0], None, [0.5, 0.5, 0.4, 0.1])
    assert report._evidence.required_counts.w.tolist() == [[1, 1], [1, 1]]


@pytest.mark.parametrize("positive", ["ill", "well"])
def test_the_worst_mistakes_are_those_of_the_positive_class(positive, rows):
    truth, score = rows
    score = score if positive == "ill" else 1 - score
    report = DecisionReport.from_predictions(truth, None, score, pos_label=positive)
    wrong = (score > 0.5) != (truth == positive)
    sure = np.where(wrong, np.abs(score - 0.5), -1)
    expected = np.argsort(-sure, kind="stable")[: min(10, int(wrong.sum()))]
    assert report._evidence.worst.position.tolist() == expected.tolist()


def test_scores_are_weighted_as_their_rows_are(rows):
    truth, score = rows
    weights = np.where(truth == "ill", 3.0, 0.5) * (1 + score)
    report = DecisionReport.from_predictions(
        truth, None, score, pos_label="ill", sample_weight=weights
    )
    found = {number.label: number.value for _, number in report.numbers}
    ill = truth == "ill"
    share = np.average(ill, weights=weights)
    np.testing.assert_allclose(found["log loss"], log_loss(ill, score, sample_weight=weights))
    stated = log_loss(ill, np.full(120, share), sample_weight=weights)
    np.testing.assert_allclose(found["log loss, knowing nothing"], stated)
    np.testing.assert_allclose(found["mean score"], np.average(score, weights=weights))


def test_both_columns_of_a_mean_of_classes_treat_absent_ones_alike():
    rng = np.random.default_rng(0)
    truth, answer = rng.choice(["low", "mid"], (2, 80))
    labels = ["low", "mid", "high", "top"]
    report = DecisionReport.from_predictions(truth, answer, labels=labels)
    common = max(["low", "mid"], key=list(truth).count)
    options = {"labels": labels, "average": "macro", "zero_division": 0}
    found = {number.label: number.value for _, number in report.numbers}
    np.testing.assert_allclose(found["F1"], f1_score(truth, answer, **options))
    always = f1_score(truth, [common] * 80, **options)
    np.testing.assert_allclose(found[f"F1, always {common!r}"], always)
    assert "No row is 'high' or 'top'" in said(report)


# -- sentences that must be true ---------------------------------------------------------------


def test_scores_know_no_clusters_and_the_report_says_so(rows):
    truth, score = rows
    clusters = np.arange(120) // 2
    with_scores = DecisionReport.from_predictions(
        truth, None, score, cost_matrix=COST, clusters=clusters
    )
    assert "Scores are counted without the clusters" in said(with_scores)
    answers = np.where(score > 0.5, "ill", "well")
    alone = DecisionReport.from_predictions(truth, answers, clusters=clusters)
    assert "clusters" not in said(alone)
    ranking = DecisionReport.from_predictions(truth, None, score * 9, pos_label="ill")
    assert "Intervals of a ranking take rows as independent" in said(ranking)


def test_few_heavy_rows_do_not_make_probabilities_off():
    # The mean score misses the share by 0.06: 3 standard errors of 1000 rows, not of 100.
    truth = np.r_[np.ones(300, int), np.zeros(700, int)]
    weights = np.where(np.arange(1000) % 10 == 0, 1000.0, 1e-6)
    score = np.full(1000, 0.36)
    off = "as probabilities they are off"
    assert off in said(DecisionReport.from_predictions(truth, None, score))
    weighted = DecisionReport.from_predictions(truth, None, score, sample_weight=weights)
    assert off not in said(weighted)


def test_precision_elsewhere_is_that_of_bayes_with_weights(rows):
    truth, score = rows
    weights = np.arange(120) % 4 + 0.5
    report = DecisionReport.from_predictions(
        truth, None, score, cost_matrix=COST, sample_weight=weights
    )
    ill, flagged = truth == "ill", score >= 0.5
    share = np.average(ill, weights=weights)
    recall = np.average(flagged[ill], weights=weights[ill])
    alarms = np.average(flagged[~ill], weights=weights[~ill])

    def precision(p):
        return 100 * p * recall / (p * recall + (1 - p) * alarms)

    assert (
        f"Precision is {precision(share):.1f} % where {100 * share:.1f} % are 'ill'; where "
        f"{10 * share:.1f} % are, the same answers would have a precision of "
        f"{precision(share / 10):.1f} %."
    ) in said(report)


@pytest.mark.parametrize("n", [1, 2, 20])
def test_one_class_alone(n):
    ranking = DecisionReport.from_predictions([0] * n, None, np.arange(n) + 2.0)
    assert "All rows are 0" in said(ranking)
    assert f"{n} row{'s' if n > 1 else ''} of 1 class" in said(ranking)
    assert "of 1 classes" not in said(ranking)
    words = DecisionReport.from_predictions(["well"] * n, None, [0.1] * n, cost_matrix=COST)
    assert f"{n} row{'s' if n > 1 else ''} of 2 classes; 'ill' is the positive one" in said(words)
    assert "Accuracy misleads" not in said(words)


def test_the_order_of_the_labels_changes_no_number(rows):
    truth, score = rows

    def numbers(**options):
        report = DecisionReport.from_predictions(truth, None, score, cost_matrix=COST, **options)
        return {number.label: str(number) for _, number in report.numbers}

    assert numbers(labels=["ill", "well"]) == numbers(labels=["well", "ill"]) == numbers()


def test_rows_that_answers_and_scores_miss_are_told_apart(rows):
    truth, score = rows
    frame = pd.DataFrame({"y": truth, "a": truth, "s": score})
    frame.loc[:4, "s"] = np.nan
    report = DecisionReport.from_frame(
        frame, y_true="y", y_pred="a", y_score="s", pos_label="ill", missing="drop"
    )
    assert "5 rows with missing values were left out. The ranking is about 115 rows" in said(report)


def test_no_costs_are_assumed_where_nothing_is_decided(rows):
    truth, score = rows
    report = DecisionReport.from_predictions(truth, None, score * 9, pos_label="ill")
    assert "cost the same" not in said(report)
    assert "What mistakes cost" not in [section.title for section in report.sections]


def test_the_cut_between_bins_is_said(rows):
    truth, score = rows
    report = of_frame(truth, score, cost_matrix=COST, bins=7)
    cut = score[score >= 3 / 7].min()
    assert f"decided by score >= {cut:.6g}, the end of a bin that is nearest to 0.5" in said(report)
    wide = of_frame(truth, score, cost_matrix=COST, bins=10)
    assert "the end of a bin" not in said(wide).split("at the threshold of the costs")[0]


@pytest.mark.parametrize("factor", [1, 9])  # probabilities, and scores that only rank
def test_subgroups_are_ranked_by_themselves(factor, rows):
    truth, score = rows
    group = np.where(np.arange(120) < 25, "few", "many")
    report = DecisionReport.from_predictions(truth, None, score * factor, pos_label="ill", by=group)
    for name in ("few", "many"):
        some = group == name
        found = labelled(report, f"area under the ROC curve in {name!r}")
        np.testing.assert_allclose(found.value, roc_auc_score(truth[some] == "ill", score[some]))
    assert "fewer than 30 rows say little: 'few' (25)." in said(report)
