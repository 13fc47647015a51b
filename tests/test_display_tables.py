"""What the tables draw: counts, predictive values, calibration, intervals."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.counts import ConfusionCounts, PairedCounts, ScoreCounts
from skmetrics_ext.decision import CostThresholdClassifier
from skmetrics_ext.display import (
    CalibrationCountsDisplay,
    ConfusionCountsDisplay,
    IntervalDisplay,
    PredictiveValueDisplay,
)
from tests.display_cases import (
    ANSWERS,
    ENDLESS,
    FRAME,
    KINDS,
    MALIGNANT,
    RARE_SCORE,
    RARE_Y,
    SCORE,
    UNDEFINED,
    WORDS,
    Y,
    of_many_classes,
    score_counts,
)

mpl.use("Agg")


def names(axis):
    return [text.get_text() for text in axis.get_ticklabels()]


# ---------------------------------------------------------------------------------------------
# the table


def cells(shown):
    return [[text.get_text().split("\n") for text in row] for row in shown.text_]


@settings(max_examples=20)
@given(st.lists(st.integers(0, 500), min_size=9, max_size=9).filter(any))
def test_each_cell_holds_its_count_and_its_share_of_the_row(values):
    table = np.array(values).reshape(3, 3)
    shown = ConfusionCountsDisplay.from_counts(
        ConfusionCounts.from_matrix(table), ax=Figure().subplots()
    )
    for i, row in enumerate(cells(shown)):
        for j, (count, share) in enumerate(row):
            assert int(count) == table[i, j]
            if table[i].sum() == 0:
                assert share == "–"
                assert np.isnan(shown.shares[i, j])
                continue
            exact = 100 * table[i, j] / table[i].sum()
            assert shown.shares[i, j] == pytest.approx(exact / 100)
            if share[0] in "<>":
                assert 0 < exact < 0.1 if share == "<0.1%" else 99.9 < exact < 100
            else:
                assert abs(float(share.rstrip("%")) - exact) <= 0.05 + 1e-9
            assert shown.text_[i, j].get_position() == (j, i)


def test_the_truth_is_down_and_the_answer_across():
    shown = ConfusionCountsDisplay.from_predictions(["a", "a", "a", "b"], ["b", "b", "a", "b"])
    assert [[count for count, _ in row] for row in cells(shown)] == [["1", "2"], ["0", "1"]]
    assert names(shown.ax_.yaxis) == ["a\n(3)", "b\n(1)"]
    assert names(shown.ax_.xaxis) == ["a", "b"]
    assert shown.ax_.get_ylabel() == "truth (rows)"
    assert shown.ax_.get_xlabel() == "answer"
    # The first class is at the top and at the left, as scikit-learn has it.
    assert shown.ax_.get_ylim() == (1.5, -0.5)
    assert shown.ax_.get_xlim() == (-0.5, 1.5)


ORDER = ["low", "medium", "high"]


@pytest.mark.parametrize(
    ("make", "options"),
    [
        (list, {"labels": ORDER}),
        (lambda y: pd.Series(pd.Categorical(y, categories=ORDER, ordered=True)), {}),
        (lambda y: pl.Series(y, dtype=pl.Enum(ORDER)), {}),
    ],
    ids=["named", "Categorical", "Enum"],
)
def test_the_order_of_ordered_classes_is_kept(make, options):
    truth, answer = ["high", "low", "medium"], ["high", "low", "high"]
    shown = ConfusionCountsDisplay.from_predictions(make(truth), make(answer), **options)
    assert names(shown.ax_.xaxis) == ORDER
    assert [name.split("\n")[0] for name in names(shown.ax_.yaxis)] == ORDER


def test_the_order_that_an_estimator_knows_is_kept():
    model = LogisticRegression().fit([[0], [1], [2]], ["low", "medium", "high"])
    model.class_order_ = np.array(ORDER)
    shown = ConfusionCountsDisplay.from_estimator(model, [[0], [1], [2]], ORDER)
    assert names(shown.ax_.xaxis) == ORDER


def test_right_answers_mistakes_and_declined_rows_have_colours_of_their_own():
    matrix = CostMatrix(10 * (1 - np.eye(2)), labels=["benign", "malignant"])
    model = CostThresholdClassifier(
        LogisticRegression(), cost_matrix=matrix.with_action("refer", cost=2)
    ).fit(FRAME, WORDS)
    shown = ConfusionCountsDisplay.from_estimator(model, FRAME, WORDS)
    assert names(shown.ax_.xaxis) == ["benign", "malignant", "refer"]
    assert shown.counts.n[:, 2].all()
    colors = np.asarray(shown.im_.get_array())
    assert colors.shape == (2, 3, 3)
    for i, j in np.ndindex(2, 3):
        red, green, blue = colors[i, j]
        if j == 2:
            assert red == pytest.approx(green) == pytest.approx(blue)
        else:
            assert (blue > red) == (i == j)


def test_the_darker_the_greater_the_share_of_the_row():
    table = [[1000, 0, 0], [1, 2, 7], [30, 0, 70]]
    shown = ConfusionCountsDisplay.from_counts(ConfusionCounts.from_matrix(table))
    light = np.asarray(shown.im_.get_array()).sum(axis=2)
    wrong = ~np.eye(3, dtype=bool)
    by_share = np.argsort(shown.shares[wrong])
    assert (np.diff(light[wrong][by_share]) <= 1e-12).all()
    assert light[2, 1] == 3  # nothing there: white
    assert shown.text_[0, 0].get_color() == "white"
    assert shown.text_[2, 1].get_color() == "black"


def test_weights_are_shown_as_sums():
    shown = ConfusionCountsDisplay.from_predictions(
        ["a", "a", "b"], ["a", "b", "b"], sample_weight=[0.25, 0.5, 1234.5678]
    )
    assert [[count for count, _ in row] for row in cells(shown)] == [["0.25", "0.5"], ["0", "1235"]]
    assert shown.ax_.get_ylabel() == "truth (sum of weights)"


def test_too_many_classes_are_shown_by_their_colours():
    shown = ConfusionCountsDisplay.from_counts(of_many_classes(30))
    assert shown.text_ is None
    assert shown.im_.get_array().shape == (30, 30, 3)
    assert ConfusionCountsDisplay.from_counts(of_many_classes(25)).text_.shape == (25, 25)


def test_the_texts_can_be_styled():
    counts = ConfusionCounts.from_matrix([[3, 1], [0, 2]])
    shown = ConfusionCountsDisplay(counts).plot(text_kw={"fontsize": 7, "color": "red"})
    assert {text.get_fontsize() for text in shown.text_.ravel()} == {7}
    assert {text.get_color() for text in shown.text_.ravel()} == {"red"}


# ---------------------------------------------------------------------------------------------
# predictive values


def test_predictive_values_are_drawn_with_their_bands():
    counts = ConfusionCounts.from_predictions(WORDS, ANSWERS)
    grid = [0.01, 0.3, 0.9]
    shown = PredictiveValueDisplay.from_counts(
        counts, prevalences=grid[::-1], **MALIGNANT, confidence_level=0.8
    )
    for metric in ("precision", "negative_predictive_value"):
        asked = {**MALIGNANT, "confidence_level": 0.8}
        found = [counts.estimate(metric, prevalence=p, **asked) for p in grid]
        x, y = shown.lines_[metric].get_data()
        np.testing.assert_array_equal(x, grid)
        np.testing.assert_array_equal(y, [e.value for e in found])
        band = shown.bands_[metric].get_paths()[0].vertices
        for p, e in zip(grid, found, strict=True):
            heights = np.unique(band[band[:, 0] == p, 1])
            np.testing.assert_allclose(heights, [e.low, e.high])
        here = counts.estimate(metric, **asked)
        assert shown.here[metric] == here
        point, _, (bar,) = shown.points_[metric].lines
        np.testing.assert_array_equal(point.get_data(), [[Y.mean()], [here.value]])
        ends = bar.get_segments()[0][:, 1]
        np.testing.assert_allclose(ends, [here.low, here.high])
    assert shown.mark_.get_xdata()[0] == shown.prevalence == pytest.approx(Y.mean())
    assert shown.mark_text_.get_text() == "these data 25.3%"
    assert shown.lines_["precision"].get_linestyle() != (
        shown.lines_["negative_predictive_value"].get_linestyle()
    )


def test_one_class_of_many_against_the_rest():
    counts = of_many_classes(3)
    shown = PredictiveValueDisplay.from_counts(counts, pos_label=2, prevalences=[0.1])
    assert (
        shown.values["precision"][0]
        == counts.estimate("precision", pos_label=2, prevalence=0.1).value
    )
    with pytest.raises(ValueError, match="average='binary'"):
        PredictiveValueDisplay.from_counts(counts)


def test_what_becomes_of_declined_rows_must_be_said():
    columns = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, -1, 0]
    with pytest.raises(ValueError, match="Say what becomes of them"):
        PredictiveValueDisplay.from_predictions(*columns, actions=[-1])
    shown = PredictiveValueDisplay.from_predictions(*columns, actions=[-1], on="all")
    assert shown.here["precision"].declined == 1
    with pytest.raises(ValueError, match="on='answered' cannot be asked at other priors"):
        PredictiveValueDisplay.from_predictions(*columns, actions=[-1], on="answered")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prevalences": [0, 0.5]}, "prevalences must be numbers between 0 and 1"),
        ({"prevalences": []}, "prevalences must be numbers between 0 and 1"),
        ({"prevalences": ["rare"]}, "prevalences must be numbers between 0 and 1"),
        ({"confidence_level": None}, "confidence_level must be a number"),
        ({"confidence_level": 95}, "confidence_level"),
        ({"on": "some"}, "on must be None or one of"),
    ],
)
def test_what_a_predictive_value_display_refuses(options, message):
    counts = ConfusionCounts.from_cells(tp=8, fp=2, fn=3, tn=9)
    with pytest.raises(ValueError, match=message):
        PredictiveValueDisplay.from_counts(counts, **options)
    with pytest.raises(ValueError, match="counts must have no priors of their own"):
        PredictiveValueDisplay.from_counts(counts.at_priors([0.9, 0.1]))
    with pytest.raises(ValueError, match="has no rows"):
        PredictiveValueDisplay.from_counts(ConfusionCounts.from_cells(tp=0, fp=2, fn=0, tn=9))
    assert not plt.get_fignums()


# ---------------------------------------------------------------------------------------------
# calibration


def test_calibration_draws_the_table_with_its_bars():
    shown = CalibrationCountsDisplay.from_predictions(
        WORDS, SCORE, **MALIGNANT, bins=7, confidence_level=0.9
    )
    table = score_counts().calibration_table(7, confidence_level=0.9)
    for name, column in table.columns().items():
        np.testing.assert_array_equal(shown.table.columns()[name], column)
    np.testing.assert_array_equal(shown.line_.get_data(), [table.mean_score, table.share])
    _, _, (bars,) = shown.points_.lines
    ends = np.array([segment[:, 1] for segment in bars.get_segments()])
    np.testing.assert_allclose(ends, np.stack([table.low, table.high], axis=1), atol=1e-12)
    assert [bar.get_height() for bar in shown.bars_] == table.n.tolist()
    np.testing.assert_allclose([bar.get_x() for bar in shown.bars_], table.lower)
    np.testing.assert_allclose([b.get_x() + b.get_width() for b in shown.bars_], table.upper)
    assert [text.get_text() for text in shown.bar_texts_] == [str(n) for n in table.n.tolist()]
    np.testing.assert_array_equal(*shown.identity_.get_data())
    assert shown.bar_ax_.get_xlim() == shown.ax_.get_xlim()
    # The bars stay in the strip below the shares.
    strip = shown.ax_.transAxes.inverted().transform(shown.ax_.transData.transform((0.5, 0)))[1]
    assert strip > 0.24


def test_calibration_of_a_rare_class_has_logit_axes():
    edges = [0, *np.quantile(RARE_SCORE, np.arange(1, 10) / 10), 1]
    shown = CalibrationCountsDisplay.from_predictions(RARE_Y, RARE_SCORE, bins=edges)
    table = shown.table
    assert shown.ax_.get_xscale() == shown.ax_.get_yscale() == "logit"
    x, y = shown.line_.get_data()
    np.testing.assert_array_equal(x, table.mean_score)
    some = table.share > 0
    assert not some.all()
    np.testing.assert_array_equal(y[some], table.share[some])
    assert [mark.get_marker() for mark in shown.ends_] == ["v"] * int((~some).sum())
    assert [mark.get_xdata()[0] for mark in shown.ends_] == table.mean_score[~some].tolist()
    assert shown.plot(scale="linear").ends_ == []


def test_bars_of_weighted_data_are_rows():
    shown = CalibrationCountsDisplay.from_predictions(Y, SCORE, sample_weight=np.full(len(Y), 2.5))
    table = ScoreCounts.from_predictions(Y, SCORE).calibration_table()
    assert [bar.get_height() for bar in shown.bars_] == table.n.tolist()


def test_calibration_without_intervals():
    shown = CalibrationCountsDisplay.from_predictions(Y, SCORE, confidence_level=None)
    assert shown.points_.lines[2] == ()
    assert "interval" not in shown.ax_.get_legend().get_texts()[-1].get_text()


def test_what_calibration_refuses():
    with pytest.raises(ValueError, match="calibration_table needs probabilities"):
        CalibrationCountsDisplay.from_predictions(Y, SCORE * 2)
    with pytest.raises(ValueError, match="bins must be a whole number"):
        CalibrationCountsDisplay.from_predictions(Y, SCORE, bins=0)
    with pytest.raises(ValueError, match="table must be a CalibrationTable of one group"):
        CalibrationCountsDisplay(score_counts(by=Y).calibration_table())
    with pytest.raises(ValueError, match=r"scale must be one of \['auto', 'linear', 'logit'\]"):
        CalibrationCountsDisplay(score_counts().calibration_table()).plot(scale="log")
    with pytest.raises(ValueError, match="estimator must have predict_proba"):
        CalibrationCountsDisplay.from_estimator(LinearSVC().fit(FRAME, Y), FRAME, Y)


# ---------------------------------------------------------------------------------------------
# intervals


def test_each_estimate_has_a_row_with_its_point_and_its_interval():
    counts = ConfusionCounts.from_predictions(WORDS, ANSWERS)
    shown = IntervalDisplay.from_counts(counts, **MALIGNANT)
    report = counts.report(**MALIGNANT)
    x, rows = shown.points_.get_data()
    np.testing.assert_array_equal(x, [e.value for e in report])
    np.testing.assert_array_equal(rows, np.arange(len(report)))
    for row, (segment, e) in enumerate(zip(shown.intervals_.get_segments(), report, strict=True)):
        np.testing.assert_allclose(segment, [[e.low, row], [e.high, row]])
    for text, e in zip(names(shown.ax_.yaxis), report, strict=True):
        name, said = text.rsplit("\n", 1)
        assert name.replace("\n", " ") == e.name
        assert said == f"{e.value:.3f} {e.limits} ({e.counts})"
    # The first is at the top.
    assert shown.ax_.get_ylim() == (len(report) - 0.5, -0.5)
    assert shown.ax_.get_xlabel() == "value with its 95 % interval"


def test_undefined_values_and_intervals_without_an_end():
    shown = IntervalDisplay.from_estimates([ENDLESS, UNDEFINED], reference=1.0)
    assert names(shown.ax_.yaxis) == [
        "positive_likelihood_ratio of 1\n8.000 [3.400, ∞] (40 rows)",
        "precision\nundefined (40 rows)",
    ]
    (segment,) = shown.intervals_.get_segments()
    right = shown.ax_.get_xlim()[1]
    np.testing.assert_allclose(segment, [[3.4, 0], [right, 0]])
    (arrow,) = shown.arrows_
    assert arrow.get_marker() == ">"
    np.testing.assert_array_equal(arrow.get_data(), [[right], [0]])
    np.testing.assert_array_equal(shown.reference_.get_xdata(), [1.0, 1.0])
    assert np.isnan(shown.values).tolist() == [False, True]


def test_differences_have_signs_and_no_counts():
    counts = PairedCounts.from_predictions(Y, SCORE > 0.5, SCORE > 0.4)
    d = counts.difference("specificity")
    assert d.low > 0
    shown = IntervalDisplay.from_estimates(d, reference=0)
    said = f"specificity of True, A - B\n+{d.value:.3f} [+{d.low:.3f}, +{d.high:.3f}]"
    assert names(shown.ax_.yaxis) == [said]


def test_subgroups_and_other_estimates():
    by = np.where(np.arange(len(WORDS)) % 2, "left", "right")
    shown = IntervalDisplay.from_predictions(WORDS, ANSWERS, **MALIGNANT, metrics=["recall"], by=by)
    assert shown.names == ["recall of 'malignant' in 'left'", "recall of 'malignant' in 'right'"]
    auc = ScoreCounts.from_predictions(Y, SCORE).roc_auc()
    shown = IntervalDisplay.from_estimates(auc, names=["area"])
    assert names(shown.ax_.yaxis)[0].startswith("area\n0.9")
    without = ConfusionCounts.from_predictions(Y, SCORE > 0.5).report(confidence_level=None)
    shown = IntervalDisplay.from_estimates(without)
    assert shown.ax_.get_xlabel() == "value"
    assert len(shown.intervals_.get_segments()) == 0


def test_words_without_an_order_have_no_kappa():
    y = np.array(KINDS)[np.arange(30) % 3]
    with pytest.raises(ValueError, match=r"Pass labels=\['T-shirt or top', .* rearranged"):
        IntervalDisplay.from_predictions(y, y, metrics=["weighted_kappa"])
    shown = IntervalDisplay.from_predictions(y, y, metrics=["weighted_kappa"], labels=KINDS[:3])
    assert shown.values[0] == 1


@pytest.mark.parametrize(
    ("estimates", "options", "message"),
    [
        ([], {}, "estimates must be an Estimate or several"),
        ("recall", {}, "estimates must be an Estimate or several"),
        ([0.5], {}, "estimates must be an Estimate or several.*got 0.5"),
        ([ENDLESS], {"names": ["a", "b"]}, "names must name each of the 1 estimates"),
        ([ENDLESS], {"names": "a"}, "names must name each of the 1 estimates"),
        ([ENDLESS], {"reference": "0.5"}, "reference must be a number or None; got '0.5'"),
    ],
)
def test_what_an_interval_display_refuses(estimates, options, message):
    with pytest.raises(ValueError, match=message):
        IntervalDisplay.from_estimates(estimates, **options)


def test_axes_that_are_too_low_show_the_names_alone():
    counts = ConfusionCounts.from_predictions(WORDS, ANSWERS)
    ax = Figure(figsize=(4, 1.2)).subplots()
    shown = IntervalDisplay.from_counts(counts, ["recall", "accuracy", "f1"], **MALIGNANT, ax=ax)
    assert names(ax.yaxis) == ["recall of 'malignant'", "accuracy", "f1 of 'malignant'"]
    assert "\n" in names(shown.plot().ax_.yaxis)[0]
