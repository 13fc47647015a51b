"""What the curves draw: thresholds, costs, decisions, risk against coverage."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import same_color
from sklearn.datasets import load_iris
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.counts import ScoreCounts
from skmetrics_ext.decision import CostThresholdClassifier, ExactThresholdClassifierCV
from skmetrics_ext.display import (
    CostCurveDisplay,
    DecisionCurveDisplay,
    RiskCoverageDisplay,
    ThresholdDisplay,
)
from skmetrics_ext.display._cost_curve import brier_curve, cost_lines, lower_envelope
from skmetrics_ext.display._net_benefit import net_benefit
from skmetrics_ext.metrics import (
    area_under_risk_coverage_loss,
    coverage_score,
    expected_cost_loss,
    risk_coverage_curve,
    selective_accuracy_score,
)
from tests.display_cases import (
    ANSWERS,
    CONFIDENCE,
    FRAME,
    MALIGNANT,
    RARE_SCORE,
    RARE_Y,
    SCORE,
    WORDS,
    Y,
    costs,
    score_counts,
)

mpl.use("Agg")


def height_at(line, x):
    """The height of a line of steps that end at their x (drawstyle "steps-pre")."""
    assert line.get_drawstyle() == "steps-pre"
    xs, ys = line.get_data()
    assert (np.diff(xs) >= 0).all()
    return ys[np.searchsorted(xs, x, side="left")]


# ---------------------------------------------------------------------------------------------
# thresholds


def test_each_metric_is_drawn_as_it_is_counted():
    names = ["precision", "recall", "f1"]
    shown = ThresholdDisplay.from_predictions(WORDS, SCORE, **MALIGNANT, metric=names)
    thresholds, values = score_counts().metric_curve(names)
    assert list(shown.lines_) == names
    np.testing.assert_array_equal(shown.thresholds, thresholds)
    for name in names:
        np.testing.assert_array_equal(shown.values[name], values[name])
        x, y = shown.lines_[name].get_data()
        # From the left end to the right: all answered positive first, none last.
        np.testing.assert_array_equal(x[1:-1], thresholds[:0:-1])
        np.testing.assert_array_equal(y, [values[name][-1], *values[name][::-1]])
        assert (x[0], x[-1]) == shown.ax_.get_xlim() == (0, 1)
    assert [t.get_text() for t in shown.ax_.get_legend().get_texts()] == [
        *names,
        "a score of 'benign'",
        "a score of 'malignant'",
    ]


@pytest.mark.parametrize("at", [0.02, 0.3, 0.5, 0.77, 0.999])
def test_the_height_at_a_threshold_is_the_cost_of_its_answers(at):
    matrix = costs(7, false_positive=2)
    shown = ThresholdDisplay.from_predictions(
        WORDS, SCORE, **MALIGNANT, cost_matrix=matrix, xscale="linear"
    )
    answers = np.where(at <= SCORE, "malignant", "benign")
    paid = expected_cost_loss(WORDS, answers, cost_matrix=matrix)
    assert height_at(shown.lines_["expected_cost"], at) == pytest.approx(paid, abs=1e-12)
    assert shown.ax_.get_ylabel() == "mean cost per row"


@pytest.mark.parametrize(
    "matrix",
    [
        costs(4),
        costs(4, neg_label="benign"),
        CostMatrix.from_dict({("benign", "malignant"): 4, ("malignant", "benign"): 1}),
        # The positive class of the costs is the other one: the threshold is turned around.
        CostMatrix.binary(false_positive=4, pos_label="benign"),
    ],
)
def test_the_threshold_of_the_costs_is_that_of_the_positive_class(matrix):
    shown = ThresholdDisplay.from_predictions(WORDS, SCORE, **MALIGNANT, cost_matrix=matrix)
    assert shown.cost_threshold == pytest.approx(0.2)
    assert shown.marks_["cost"].get_xdata()[0] == shown.cost_threshold
    assert shown.mark_texts_["cost"].get_text() == "by the costs 0.2"


def test_an_array_of_costs_has_the_order_of_the_labels():
    array, options = [[0, 4], [1, 0]], {**MALIGNANT, "labels": ["benign", "malignant"]}
    shown = ThresholdDisplay.from_predictions(WORDS, SCORE, cost_matrix=array, **options)
    assert shown.cost_threshold == pytest.approx(0.2)
    options["labels"] = ["malignant", "benign"]
    shown = ThresholdDisplay.from_predictions(WORDS, SCORE, cost_matrix=array, **options)
    assert shown.cost_threshold == pytest.approx(0.8)
    with pytest.raises(ValueError, match=r"nothing says which row .* Say the order"):
        ThresholdDisplay.from_predictions(WORDS, SCORE, **MALIGNANT, cost_matrix=array)


def test_costs_without_a_threshold_have_no_mark():
    reversed_costs = CostMatrix.binary(true_positive=9, pos_label="malignant")
    shown = ThresholdDisplay.from_predictions(WORDS, SCORE, **MALIGNANT, cost_matrix=reversed_costs)
    assert shown.cost_threshold is None
    assert set(shown.marks_) == {"default"}


def test_three_marks_and_their_names():
    shown = ThresholdDisplay.from_predictions(
        WORDS,
        SCORE,
        **MALIGNANT,
        cost_matrix=costs(100),
        threshold=0.01,
        threshold_interval=(0.004, np.inf),
    )
    at = {name: line.get_xdata()[0] for name, line in shown.marks_.items()}
    assert at == {"default": 0.5, "cost": 1 / 101, "chosen": 0.01}
    assert {name: text.get_text() for name, text in shown.mark_texts_.items()} == {
        "default": "default 0.5",
        "cost": "by the costs 0.0099",
        "chosen": "chosen 0.01 [0.004, ∞]",
    }
    assert len({line.get_linestyle() for line in shown.marks_.values()}) == 3
    assert shown.ax_.get_xscale() == "logit"
    box = shown.interval_.get_extents().transformed(shown.ax_.transData.inverted())
    assert box.x0 == pytest.approx(0.004)
    assert box.x1 == pytest.approx(shown.ax_.get_xlim()[1])


def test_a_threshold_that_answers_all_rows_alike_is_marked_at_the_end():
    for threshold, end in ((np.inf, 1), (-np.inf, 0), (np.nan, 1)):
        shown = ThresholdDisplay.from_predictions(Y, SCORE, threshold=threshold)
        assert shown.marks_["chosen"].get_xdata()[0] == shown.ax_.get_xlim()[end]


def test_the_rug_shows_each_score_of_both_classes():
    shown = ThresholdDisplay.from_predictions(Y, SCORE)
    negatives, positives = shown.rug_
    np.testing.assert_array_equal(negatives.get_xdata(), np.sort(SCORE[~Y]))
    np.testing.assert_array_equal(positives.get_xdata(), np.sort(SCORE[Y]))
    assert len(set(negatives.get_ydata()) | set(positives.get_ydata())) == 2
    assert shown.plot(rug=False).rug_ is None


def test_a_rug_of_many_rows_shows_their_quantiles():
    shown = ThresholdDisplay.from_predictions(RARE_Y, RARE_SCORE)
    negatives, positives = (line.get_xdata() for line in shown.rug_)
    assert len(positives) == RARE_Y.sum()
    expected = np.quantile(RARE_SCORE[~RARE_Y], (np.arange(400) + 0.5) / 400, method="inverted_cdf")
    np.testing.assert_allclose(negatives, expected, rtol=2e-3)


def test_any_score_that_ranks_can_be_drawn():
    score = np.log(SCORE / (1 - SCORE))
    score[:2] = -np.inf, np.inf
    shown = ThresholdDisplay.from_predictions(
        WORDS, score, **MALIGNANT, cost_matrix=costs(4), threshold=0.3
    )
    assert shown.cost_threshold is None  # it is a probability, and these are none
    assert set(shown.marks_) == {"chosen"}
    assert np.isfinite(shown.lines_["expected_cost"].get_xdata()).all()
    with pytest.raises(ValueError, match="xscale='logit' needs probabilities"):
        shown.plot(xscale="logit")


def test_scores_of_zero_and_one_are_drawn_on_a_logit_axis():
    score = np.round(SCORE, 1)
    assert {0.0, 1.0} <= set(score)
    shown = ThresholdDisplay.from_predictions(Y, score, xscale="logit")
    shown.figure_.canvas.draw()
    low, high = shown.ax_.get_xlim()
    assert 0 < low < high < 1
    negatives, positives = shown.rug_
    assert negatives.get_xdata()[0] == low  # the scores of 0
    assert positives.get_xdata()[-1] == high


@pytest.mark.parametrize("y", [["ill"] * 4, ["well"] * 4])
def test_one_class_alone_can_be_drawn(y):
    matrix = CostMatrix.binary(false_negative=3, pos_label="ill", neg_label="well")
    shown = ThresholdDisplay.from_predictions(
        y, [0.1, 0.4, 0.4, 0.9], pos_label="ill", cost_matrix=matrix
    )
    said, cost = ("well", 3) if y[0] == "ill" else ("ill", 1)
    paid = expected_cost_loss(y, [said] * 4, cost_matrix=matrix, labels=["ill", "well"])
    assert shown.values["expected_cost"].max() == paid == cost


def test_the_class_that_no_row_has_must_be_known_for_costs():
    matrix = CostMatrix.binary(false_negative=3, pos_label="ill")
    with pytest.raises(ValueError, match=r"holds only 'ill'.*name both by labels"):
        ThresholdDisplay.from_predictions(
            ["ill"] * 3, [0.1, 0.2, 0.3], pos_label="ill", cost_matrix=matrix
        )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metric": "f2"}, "unknown metric 'f2'"),
        ({"metric": []}, "metric must name at least one metric"),
        ({"metric": ["f1", "expected_cost"], "cost_matrix": costs(2)}, "must not mix"),
        ({"metric": "fbeta", "metric_params": {"gamma": 2}}, "gamma"),
        ({"threshold": "high"}, "threshold must be a number; got 'high'"),
        ({"threshold": True}, "threshold must be a number; got True"),
        ({"threshold_interval": (0, 1)}, "threshold_interval needs the threshold"),
        ({"threshold": 0.5, "threshold_interval": (1, 0)}, "two numbers, low and high"),
        ({"threshold": 0.5, "threshold_interval": 3}, "two numbers, low and high"),
        ({"cost_matrix": [[0, 1, 2]] * 3}, "cost_matrix"),
        ({"cost_matrix": costs(2).with_action("refer", cost=1)}, "has two answers"),
        ({"cost_matrix": CostMatrix.per_row(pos_label="malignant")}, "cost_matrix"),
        ({"cost_matrix": costs(2), "labels": ["a", "b"]}, "pos_label='malignant'"),
    ],
)
def test_what_a_threshold_display_refuses(options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        ThresholdDisplay.from_predictions(WORDS, SCORE, **MALIGNANT, **options)
    assert not plt.get_fignums()


def test_other_starting_points_than_a_half():
    counts = score_counts()
    shown = ThresholdDisplay.from_counts(counts, default_threshold=0.3)
    assert shown.marks_["default"].get_xdata()[0] == 0.3
    assert not ThresholdDisplay.from_counts(counts, default_threshold=None).marks_
    with pytest.raises(ValueError, match="default_threshold must be a number, 'auto' or None"):
        ThresholdDisplay.from_counts(counts, default_threshold="half")


def exact(model=None, **more):
    model = LogisticRegression() if model is None else model
    options = {"scoring": "f1", **MALIGNANT, "random_state": 0, **more}
    return ExactThresholdClassifierCV(model, **options).fit(FRAME, WORDS)


def test_the_chosen_threshold_and_its_interval_are_those_of_the_classifier():
    model = exact()
    shown = ThresholdDisplay.from_estimator(model, FRAME, WORDS, metric="f1", confidence_level=0.9)
    assert shown.marks_["chosen"].get_xdata()[0] == model.best_threshold_
    assert shown.threshold_interval == model.threshold_interval(0.9)
    assert shown.counts.labels == ("benign", "malignant")
    shown = ThresholdDisplay.from_estimator(model, FRAME, WORDS, threshold=0.3)
    assert (shown.threshold, shown.threshold_interval) == (0.3, None)
    for inside in (make_pipeline(StandardScaler(), exact()), FrozenEstimator(model)):
        if not isinstance(inside, FrozenEstimator):
            inside.fit(FRAME, WORDS)
        found = ThresholdDisplay.from_estimator(inside, FRAME, WORDS)
        assert found.threshold is not None
        assert found.counts.labels == ("benign", "malignant")


def test_a_threshold_chosen_on_a_decision_function_is_drawn_on_it():
    model = exact(LinearSVC(), response_method="decision_function")
    shown = ThresholdDisplay.from_estimator(model, FRAME, WORDS)
    values = model.estimator_.decision_function(FRAME)
    np.testing.assert_array_equal(np.sort(shown.thresholds[1:]), np.unique(values))
    assert shown.marks_["default"].get_xdata()[0] == 0
    assert shown.marks_["chosen"].get_xdata()[0] == model.best_threshold_


def test_a_threshold_on_other_scores_or_of_the_other_class_is_not_marked():
    model = exact()
    other = ThresholdDisplay.from_estimator(model, FRAME, WORDS, pos_label="benign")
    assert "chosen" not in other.marks_
    model = exact(response_method="decision_function")
    shown = ThresholdDisplay.from_estimator(model, FRAME, WORDS, response_method="predict_proba")
    assert "chosen" not in shown.marks_


@pytest.mark.parametrize("display", [ThresholdDisplay, CostCurveDisplay, DecisionCurveDisplay])
def test_the_costs_of_a_classifier_are_used(display):
    model = CostThresholdClassifier(LogisticRegression(), cost_matrix=costs(9))
    model.fit(FRAME, WORDS)
    shown = display.from_estimator(model, FRAME, WORDS)
    implied = getattr(shown, "cost_threshold", getattr(shown, "cost_proportion", None))
    assert implied == pytest.approx(model.threshold_) == pytest.approx(0.1)
    shown = display.from_estimator(model, FRAME, WORDS, cost_matrix=costs(3))
    implied = getattr(shown, "cost_threshold", getattr(shown, "cost_proportion", None))
    assert implied == pytest.approx(0.25)


@pytest.mark.parametrize("display", [ThresholdDisplay, CostCurveDisplay, DecisionCurveDisplay])
def test_costs_that_differ_by_row_are_no_mark(display):
    per_row = CostMatrix.per_row(false_negative="x", pos_label="malignant", neg_label="benign")
    model = CostThresholdClassifier(LogisticRegression(), cost_matrix=per_row).fit(FRAME, WORDS)
    shown = display.from_estimator(model, FRAME, WORDS)
    assert getattr(shown, "cost_threshold", getattr(shown, "cost_proportion", None)) is None


# ---------------------------------------------------------------------------------------------
# cost curves


@pytest.mark.parametrize("space", ["probability_cost", "cost_proportion"])
def test_the_cost_curve_draws_its_envelope_its_lines_and_both_constants(space):
    shown = CostCurveDisplay.from_predictions(
        WORDS, SCORE, **MALIGNANT, space=space, threshold_lines=True
    )
    lines = cost_lines(score_counts())
    at_zero, at_one = lines.ends(space)
    envelope = lower_envelope(at_zero, at_one)
    np.testing.assert_array_equal(shown.envelope_line_.get_data(), envelope)
    for line, place in ((shown.always_positive_line_, -1), (shown.always_negative_line_, 0)):
        np.testing.assert_array_equal(line.get_xdata(), [0, 1])
        np.testing.assert_array_equal(line.get_ydata(), [at_zero[place], at_one[place]])
    segments = np.array(shown.threshold_lines_.get_segments())
    assert len(segments) <= 60
    np.testing.assert_array_equal(segments[:, :, 0], [[0, 1]] * len(segments))
    drawn = {tuple(ends) for ends in segments[:, :, 1].tolist()}
    assert drawn <= set(zip(at_zero.tolist(), at_one.tolist(), strict=True))
    for x, y in segments.reshape(-1, 2):
        assert y >= np.interp(x, *envelope) - 1e-12


def test_always_positive_and_always_negative_are_drummond_and_holtes():
    shown = CostCurveDisplay.from_predictions(WORDS, SCORE, **MALIGNANT)
    np.testing.assert_array_equal(shown.always_positive_line_.get_ydata(), [1, 0])
    np.testing.assert_array_equal(shown.always_negative_line_.get_ydata(), [0, 1])
    bottom, top = shown.ax_.get_ylim()
    assert bottom == 0
    assert 0.5 < top < 0.7  # where the two meet is in the picture
    shown = CostCurveDisplay.from_predictions(WORDS, SCORE, **MALIGNANT, space="cost_proportion")
    meet = 2 * Y.mean() * (1 - Y.mean())
    assert meet < shown.ax_.get_ylim()[1] < 1.4 * meet


def test_the_brier_curve_is_drawn_with_its_area():
    shown = CostCurveDisplay.from_predictions(WORDS, SCORE, **MALIGNANT, space="cost_proportion")
    counts = score_counts()
    np.testing.assert_array_equal(shown.brier_line_.get_data(), brier_curve(counts))
    assert shown.brier_score == float(counts.brier_score())
    assert "area: Brier 0.103" in shown.brier_line_.get_label()


def test_the_brier_curve_touches_lines_of_thresholds_in_probability_cost():
    shown = CostCurveDisplay.from_predictions(WORDS, SCORE, **MALIGNANT)
    x, y = shown.brier_line_.get_data()
    at_zero, at_one = cost_lines(score_counts()).ends("probability_cost")
    lines = at_zero[:, None] + (at_one - at_zero)[:, None] * x
    assert (np.abs(lines - y).min(axis=0) < 1e-12).all()
    assert (y >= np.interp(x, *shown.envelope) - 1e-12).all()


def test_the_brier_curve_is_drawn_of_probabilities_only():
    shown = CostCurveDisplay.from_predictions(Y, SCORE * 3)
    assert shown.brier_line_ is None
    assert shown.plot(brier=False).brier_line_ is None
    with pytest.raises(ValueError, match="brier=True needs probabilities"):
        shown.plot(brier=True)
    assert CostCurveDisplay.from_predictions(Y, SCORE, brier=False).brier_line_ is None
    binned = CostCurveDisplay.from_counts(ScoreCounts.from_predictions(Y, SCORE, bins=9))
    assert binned.brier_line_ is None


def test_the_costs_are_marked_at_the_prevalence_of_the_data():
    shown = CostCurveDisplay.from_predictions(WORDS, SCORE, **MALIGNANT, cost_matrix=costs(3))
    p = Y.mean()
    place = 3 * p / (3 * p + 1 - p)
    assert shown.mark_.get_xdata()[0] == pytest.approx(place)
    assert shown.mark_text_.get_text() == f"these costs at prevalence 25.3%: {place:.3f}"
    shown = CostCurveDisplay.from_predictions(
        WORDS, SCORE, **MALIGNANT, cost_matrix=costs(3), space="cost_proportion"
    )
    assert shown.mark_.get_xdata()[0] == 0.25
    assert CostCurveDisplay.from_predictions(WORDS, SCORE, **MALIGNANT).mark_ is None


def test_what_a_cost_curve_refuses():
    with pytest.raises(ValueError, match=r"space must be one of \['probability_cost', 'cost_"):
        CostCurveDisplay.from_predictions(Y, SCORE, space="roc")
    with pytest.raises(ValueError, match="y_true must hold rows of both classes"):
        CostCurveDisplay.from_predictions([1, 1], [0.2, 0.4])


# ---------------------------------------------------------------------------------------------
# decision curves


def test_the_decision_curve_draws_net_benefit_and_both_constants():
    thresholds = [0.3, 0.05, 0.6]
    shown = DecisionCurveDisplay.from_predictions(
        WORDS, SCORE, **MALIGNANT, thresholds=thresholds, cost_matrix=costs(4)
    )
    found = net_benefit(score_counts(), np.sort(thresholds))
    np.testing.assert_array_equal(shown.line_.get_data(), [np.sort(thresholds), found.model])
    np.testing.assert_array_equal(shown.all_line_.get_ydata(), found.treat_all)
    np.testing.assert_array_equal(shown.none_line_.get_data(), [[0.05, 0.6], [0, 0]])
    assert shown.mark_.get_xdata()[0] == shown.cost_threshold == pytest.approx(0.2)
    styles = {line.get_linestyle() for line in shown.ax_.get_lines()[:3]}
    assert len(styles) >= 2
    bottom, top = shown.ax_.get_ylim()
    assert bottom < 0 < shown.prevalence < top


def test_a_rare_class_has_a_logit_axis():
    shown = DecisionCurveDisplay.from_predictions(RARE_Y, RARE_SCORE)
    assert shown.ax_.get_xscale() == "logit"
    assert shown.thresholds[0] < RARE_Y.mean() / 5
    assert shown.plot(xscale="linear").ax_.get_xscale() == "linear"


def test_what_a_decision_curve_refuses():
    with pytest.raises(ValueError, match="Net benefit needs probabilities"):
        DecisionCurveDisplay.from_predictions(Y, 3 * SCORE)
    with pytest.raises(ValueError, match="thresholds must be between 0 and 1"):
        DecisionCurveDisplay.from_predictions(Y, SCORE, thresholds=[0, 0.5])
    with pytest.raises(ValueError, match="thresholds must hold numbers"):
        DecisionCurveDisplay.from_predictions(Y, SCORE, thresholds=["low"])
    with pytest.raises(ValueError, match="estimator must have predict_proba"):
        DecisionCurveDisplay.from_estimator(LinearSVC().fit(FRAME, Y), FRAME, Y)


# ---------------------------------------------------------------------------------------------
# risk and coverage


def test_risk_against_coverage_is_drawn_in_steps_whose_area_is_the_loss():
    shown = RiskCoverageDisplay.from_predictions(WORDS, ANSWERS, CONFIDENCE)
    curve = risk_coverage_curve(WORDS, ANSWERS, CONFIDENCE)
    x, y = shown.line_.get_data()
    np.testing.assert_array_equal(x, [0, *curve.coverage])
    np.testing.assert_array_equal(y, [curve.risk[0], *curve.risk])
    assert height_at(shown.line_, 0.5) == curve.risk[np.searchsorted(curve.coverage, 0.5)]
    loss = area_under_risk_coverage_loss(WORDS, ANSWERS, CONFIDENCE)
    assert (np.diff(x) * y[1:]).sum() == pytest.approx(loss)
    assert f"(area {loss:.3g})" in shown.line_.get_label()
    error = np.mean(WORDS != ANSWERS)
    np.testing.assert_allclose(shown.error_line_.get_ydata(), [error, error])
    assert shown.point_ is None


def test_the_surest_row_may_be_wrong():
    shown = RiskCoverageDisplay.from_predictions([0, 0, 1], [1, 0, 1], [0.9, 0.8, 0.7])
    np.testing.assert_allclose(shown.line_.get_xdata(), [0, 1 / 3, 2 / 3, 1])
    np.testing.assert_allclose(shown.line_.get_ydata(), [1, 1, 1 / 2, 1 / 3])
    assert height_at(shown.line_, 0.1) == 1


def test_a_name_that_begins_with_an_underscore_is_in_the_legend():
    shown = RiskCoverageDisplay.from_predictions(WORDS, ANSWERS, CONFIDENCE, name="_model")
    assert any("_model" in text.get_text() for text in shown.ax_.get_legend().get_texts())


def test_the_confidence_is_the_probability_of_the_answer():
    model = CostThresholdClassifier(LogisticRegression(), cost_matrix=costs(9)).fit(FRAME, WORDS)
    shown = RiskCoverageDisplay.from_estimator(model, FRAME, WORDS)
    answers, probability = model.predict(FRAME), model.predict_proba(FRAME)[:, 1]
    confidence = np.where(answers == "malignant", probability, 1 - probability)
    curve = risk_coverage_curve(WORDS, answers, confidence)
    np.testing.assert_array_equal(shown.curve.risk, curve.risk)


def test_what_a_classifier_declines_by_itself_is_marked():
    X, y = load_iris(return_X_y=True)
    X = X[:, :1]
    matrix = CostMatrix(10 * (1 - np.eye(3)), labels=[0, 1, 2]).with_action(-1, cost=3)
    model = CostThresholdClassifier(LogisticRegression(), cost_matrix=matrix).fit(X, y)
    shown = RiskCoverageDisplay.from_estimator(model, X, y)
    answers = model.predict(X)
    coverage = coverage_score(y, answers, actions=[-1])
    risk = 1 - selective_accuracy_score(y, answers, actions=[-1])
    assert 0 < coverage < 1
    np.testing.assert_array_equal(shown.point_.get_data(), [[coverage], [risk]])
    # Equal costs of mistakes decline the least sure rows, so that the point is on the curve.
    assert height_at(shown.line_, coverage) == pytest.approx(risk)
    assert same_color(shown.point_.get_color(), shown.line_.get_color())


def test_what_risk_and_coverage_refuse():
    curve = risk_coverage_curve(WORDS, ANSWERS, CONFIDENCE)
    with pytest.raises(ValueError, match="curve must be a RiskCoverageCurve"):
        RiskCoverageDisplay([0.1, 0.2])
    for answered in ((0.5,), (0.5, 2), 3):
        with pytest.raises(ValueError, match="answered must be two shares between 0 and 1"):
            RiskCoverageDisplay(curve, answered=answered)
    with pytest.raises(ValueError, match="estimator must have predict_proba"):
        RiskCoverageDisplay.from_estimator(LinearSVC().fit(FRAME, Y), FRAME, Y)
    model = LogisticRegression().fit(FRAME, Y)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        RiskCoverageDisplay.from_estimator(model, FRAME, pd.Series(Y[:-1]))
