"""What all displays have in common: how they are made, where they draw, what they refuse."""

import inspect
import subprocess
import sys

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import polars as pl
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression

from skmetrics_ext import display
from skmetrics_ext.counts import ConfusionCounts, ScoreCounts
from tests.display_cases import (
    ANSWERS,
    CONFIDENCE,
    FRAME,
    FROM_PREDICTIONS,
    MALIGNANT,
    MODEL,
    OF_LABELS,
    OF_SCORES,
    SCORE,
    WORDS,
    Y,
    score_counts,
)

mpl.use("Agg")

ALL = list(display.__all__)


def class_of(name):
    return getattr(display, name)


def from_predictions(which, /, *, ax=None, **more):
    args, options = FROM_PREDICTIONS[which]
    return class_of(which).from_predictions(*args, **{**options, **more}, ax=ax)


def from_estimator(name, *, ax=None, estimator=MODEL, **more):
    options = {} if name in ("ConfusionCountsDisplay", "RiskCoverageDisplay") else MALIGNANT
    return class_of(name).from_estimator(estimator, FRAME, WORDS, **{**options, **more}, ax=ax)


def from_counts(name, *, ax=None, **more):
    if name in OF_SCORES:
        return class_of(name).from_counts(score_counts(), ax=ax, **more)
    options = {} if name == "ConfusionCountsDisplay" else MALIGNANT
    counts = ConfusionCounts.from_predictions(WORDS, ANSWERS)
    return class_of(name).from_counts(counts, ax=ax, **{**options, **more})


WAYS = [(way, name) for way in (from_predictions, from_estimator) for name in ALL]
WAYS += [(from_counts, name) for name in ALL if name in OF_SCORES + OF_LABELS]


def drawn(shown):
    """All lines, bars, images and texts of the axes as plain data."""
    ax = shown.ax_
    return (
        [np.asarray(line.get_xydata(), dtype=float) for line in ax.get_lines()],
        [np.asarray(image.get_array(), dtype=float) for image in ax.get_images()],
        [text.get_text() for text in ax.findobj(Text)],
    )


def assert_same_picture(one, other):
    for a, b in zip(drawn(one)[:2], drawn(other)[:2], strict=True):
        assert len(a) == len(b)
        for left, right in zip(a, b, strict=True):
            np.testing.assert_array_equal(left, right)
    assert drawn(one)[2] == drawn(other)[2]


# ---------------------------------------------------------------------------------------------
# how they are made


def test_every_display_is_in_these_tests():
    assert set(FROM_PREDICTIONS) == set(ALL)
    assert set(OF_SCORES + OF_LABELS) | {"RiskCoverageDisplay"} == set(ALL)


@pytest.mark.parametrize("name", ALL)
def test_it_looks_like_a_display_of_scikit_learn(name):
    cls = class_of(name)
    for way in ("from_estimator", "from_predictions"):
        assert inspect.ismethod(getattr(cls, way))
        parameters = inspect.signature(getattr(cls, way)).parameters
        assert parameters["ax"].default is None
        named = [p for p in list(parameters.values())[3:] if p.name != "confidence"]
        assert all(p.kind is p.KEYWORD_ONLY for p in named)
    parameters = list(inspect.signature(cls.plot).parameters.values())
    assert parameters[1].name == "ax"
    assert parameters[1].default is None
    assert all(p.kind is p.KEYWORD_ONLY for p in parameters[2:])
    for member in (cls, cls.from_estimator, cls.from_predictions, cls.plot):
        assert "Parameters\n" in member.__doc__
    assert ">>> " in cls.__doc__


@pytest.mark.parametrize("name", ALL)
def test_every_attribute_of_the_docstring_is_there(name):
    shown = from_predictions(name)
    section = inspect.getdoc(type(shown)).split("Attributes\n----------\n")[1].split("\n\n")[0]
    lines = [line for line in section.split("\n") if not line.startswith(" ")]
    named = [word.strip() for line in lines for word in line.split(" : ")[0].split(",")]
    assert {"ax_", "figure_"} <= set(named)
    for attribute in named:
        assert hasattr(shown, attribute), attribute


@pytest.mark.parametrize(("way", "name"), WAYS)
def test_it_draws_into_the_axes_given_and_leaves_pyplot_alone(way, name):
    plt.figure()
    before, current = plt.get_fignums(), plt.gcf()
    ax = Figure(figsize=(6, 4)).subplots()
    shown = way(name, ax=ax)
    assert isinstance(shown, class_of(name))
    assert shown.ax_ is ax
    assert shown.figure_ is ax.figure
    assert ax.has_data()
    assert plt.get_fignums() == before
    assert plt.gcf() is current


@pytest.mark.parametrize(("way", "name"), WAYS)
def test_without_axes_it_makes_a_new_figure(way, name):
    with mpl.rc_context({"font.size": 9.5, "lines.linewidth": 1.25, "figure.dpi": 90}):
        before = dict(mpl.rcParams)
        shown = way(name)
        assert dict(mpl.rcParams) == before
    assert plt.get_fignums() == [shown.figure_.number]
    assert shown.ax_ in shown.figure_.axes


@pytest.mark.parametrize("name", ALL)
def test_plot_draws_again_and_returns_the_display(name):
    shown = from_predictions(name, ax=Figure(figsize=(6, 4)).subplots())
    first = drawn(shown)
    ax = Figure(figsize=(6, 4)).subplots()
    assert shown.plot(ax) is shown
    assert shown.ax_ is ax
    for a, b in zip(first[0], drawn(shown)[0], strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("make", [pd.Series, pl.Series, list], ids=["pandas", "polars", "list"])
@pytest.mark.parametrize("name", ALL)
def test_columns_of_any_library_give_the_same_picture(name, make):
    args, options = FROM_PREDICTIONS[name]
    other = class_of(name).from_predictions(*map(make, args), **options)
    assert_same_picture(other, from_predictions(name))


@pytest.mark.parametrize("name", ALL)
def test_estimator_and_predictions_give_the_same_picture(name):
    score = MODEL.predict_proba(FRAME)[:, 1]
    answer = MODEL.predict(FRAME)
    if name in OF_SCORES:
        options = {"name": "LogisticRegression"} if "Curve" in name else {}
        other = class_of(name).from_predictions(WORDS, score, **MALIGNANT, **options)
    elif name == "RiskCoverageDisplay":
        confidence = np.maximum(score, 1 - score)
        other = class_of(name).from_predictions(
            WORDS, answer, confidence, name="LogisticRegression"
        )
    else:
        options = {} if name == "ConfusionCountsDisplay" else MALIGNANT
        other = class_of(name).from_predictions(WORDS, answer, **options)
    assert_same_picture(from_estimator(name), other)


@pytest.mark.parametrize("name", [*OF_SCORES, "RiskCoverageDisplay"])
def test_whole_weights_are_rows_repeated(name, rng):
    args, options = FROM_PREDICTIONS[name]
    times = rng.integers(1, 4, len(WORDS))
    one = class_of(name).from_predictions(*args, **options, sample_weight=times)
    other = class_of(name).from_predictions(*(np.repeat(a, times) for a in args), **options)
    lines = zip(drawn(one)[0], drawn(other)[0], strict=True)
    for a, b in list(lines)[: 3 if name != "CalibrationCountsDisplay" else 2]:
        np.testing.assert_allclose(a, b, atol=1e-12)


@pytest.mark.parametrize("name", ALL)
def test_names_with_dollars_are_no_formulas(name):
    args, options = FROM_PREDICTIONS[name]
    odd = {"malignant": "<$50, $60>", "benign": "_$x^2$"}
    args = [np.array([odd.get(v, v) for v in a.tolist()]) for a in args]
    options = {**options, **({"pos_label": odd["malignant"]} if options else {})}
    shown = class_of(name).from_predictions(*args, **options)
    shown.figure_.canvas.draw()
    texts = [t for t in shown.figure_.findobj(Text) if "$" in t.get_text() and t.get_visible()]
    assert texts or name == "RiskCoverageDisplay"
    assert not any(t.get_parse_math() for t in texts)


# ---------------------------------------------------------------------------------------------
# what is refused


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("ax", ["no axes", 3])
def test_axes_must_be_axes(name, ax):
    with pytest.raises(ValueError, match="ax must be one matplotlib Axes, or None"):
        from_predictions(name, ax=ax)
    assert not plt.get_fignums()


@pytest.mark.parametrize("name", [*OF_SCORES, "PredictiveValueDisplay"])
def test_the_positive_word_must_be_named(name):
    args, _ = FROM_PREDICTIONS[name]
    with pytest.raises(ValueError, match="pos_label must name the positive class"):
        class_of(name).from_predictions(*args)
    with pytest.raises(ValueError, match="pos_label='ill' is not a class"):
        class_of(name).from_predictions(*args, pos_label="ill")
    with pytest.raises(ValueError, match="pos_label"):
        class_of(name).from_estimator(MODEL, FRAME, WORDS)


@pytest.mark.parametrize("name", OF_SCORES)
@pytest.mark.parametrize("labels", [[0, 1], [-1, 1], [False, True]])
def test_one_is_the_positive_class(name, labels):
    y = np.array(labels)[Y.astype(int)]
    shown = class_of(name).from_predictions(y, SCORE)
    other = from_predictions(name)
    for a, b in zip(drawn(shown)[0], drawn(other)[0], strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("name", ALL)
def test_the_estimator_must_be_a_fitted_classifier(name):
    for wrong in (LogisticRegression, "model"):
        with pytest.raises(ValueError, match="estimator must be a fitted classifier; got"):
            from_estimator(name, estimator=wrong)
    with pytest.raises(NotFittedError):
        from_estimator(name, estimator=LogisticRegression())
    regression = LinearRegression().fit(FRAME, Y)
    with pytest.raises(ValueError, match="estimator must be a classifier"):
        from_estimator(name, estimator=regression)


@pytest.mark.parametrize("name", OF_SCORES)
def test_scores_are_of_two_classes(name):
    three = np.array(["a", "b", "c"])[np.arange(len(FRAME)) % 3]
    model = LogisticRegression().fit(FRAME, three)
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        class_of(name).from_estimator(model, FRAME, three, pos_label="a")
    with pytest.raises(ValueError, match="y_true must have two classes"):
        class_of(name).from_predictions(three, SCORE, pos_label="a")


@pytest.mark.parametrize("name", [*OF_SCORES, "ConfusionCountsDisplay", "PredictiveValueDisplay"])
def test_subgroups_are_drawn_one_at_a_time(name):
    by = np.where(np.arange(len(WORDS)) % 2, "left", "right")
    if name in OF_SCORES:
        counts = score_counts(by=by)
    else:
        counts = ConfusionCounts.from_predictions(WORDS, ANSWERS, by=by)
    options = MALIGNANT if name == "PredictiveValueDisplay" else {}
    with pytest.raises(ValueError, match=r"subgroups \['left', 'right'\].*counts\['left'\]"):
        class_of(name).from_counts(counts, **options)
    class_of(name).from_counts(counts["left"], **options)


@pytest.mark.parametrize("name", [*OF_SCORES, *OF_LABELS])
def test_counts_must_be_counts(name):
    wrong, kind = ([[1, 2], [3, 4]], "ConfusionCounts")
    if name in OF_SCORES:
        wrong, kind = ConfusionCounts.from_matrix([[1, 2], [3, 4]]), "ScoreCounts"
    with pytest.raises(ValueError, match=f"counts must be a {kind}"):
        class_of(name).from_counts(wrong)


@pytest.mark.parametrize("name", ALL)
def test_columns_must_be_of_one_length(name):
    args, options = FROM_PREDICTIONS[name]
    with pytest.raises(ValueError, match=r"299|same number of rows"):
        class_of(name).from_predictions(args[0], *(a[:-1] for a in args[1:]), **options)
    with pytest.raises(ValueError, match="sample_weight"):
        class_of(name).from_predictions(*args, **options, sample_weight=[1.0])


@pytest.mark.parametrize("name", ["CostCurveDisplay", "DecisionCurveDisplay"])
def test_a_name_is_a_string(name):
    with pytest.raises(ValueError, match="name must be a string or None; got 3"):
        from_predictions(name, name=3)
    curve = from_predictions("RiskCoverageDisplay").curve
    with pytest.raises(ValueError, match="name must be a string or None; got 3"):
        display.RiskCoverageDisplay(curve, name=3)


@pytest.mark.parametrize(
    "name", ["ThresholdDisplay", "DecisionCurveDisplay", "PredictiveValueDisplay"]
)
def test_the_scale_is_one_of_three(name):
    with pytest.raises(ValueError, match=r"xscale must be one of \['auto', 'linear', 'logit'\]"):
        from_predictions(name, xscale="log")
    assert not plt.get_fignums()


# ---------------------------------------------------------------------------------------------
# matplotlib comes late, or not at all


def test_importing_displays_and_drawing_into_axes_imports_no_pyplot():
    code = (
        "import sys, skmetrics_ext.display as d; assert 'matplotlib' not in sys.modules\n"
        "from matplotlib.figure import Figure\n"
        "d.ConfusionCountsDisplay.from_predictions([0, 1], [0, 1], ax=Figure().subplots())\n"
        "d.ThresholdDisplay.from_predictions([0, 1], [0.2, 0.7], ax=Figure().subplots())\n"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(("way", "name"), WAYS)
def test_a_missing_matplotlib_names_the_extra(way, name, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=rf"{name}\.\w+ needs matplotlib.*skmetrics-ext\[plot\]"):
        way(name)


def test_curves_of_two_models_differ_in_colour_and_dashes_and_share_their_references():
    first = from_predictions("RiskCoverageDisplay", name="one")
    second = display.RiskCoverageDisplay.from_predictions(
        WORDS, ANSWERS, -CONFIDENCE, name="two", ax=first.ax_
    )
    assert first.line_.get_color() != second.line_.get_color()
    assert first.line_.get_linestyle() != second.line_.get_linestyle()
    assert first.error_line_ is second.error_line_
    assert len(first.ax_.get_lines()) == 3


def test_curves_of_scores_in_bins():
    counts = ScoreCounts.from_predictions(Y, SCORE, bins=50)
    for name in ("ThresholdDisplay", "CostCurveDisplay", "DecisionCurveDisplay"):
        shown = class_of(name).from_counts(counts)
        assert np.isfinite(shown.ax_.get_ylim()).all()
    with pytest.raises(ValueError, match="counted in bins"):
        display.CalibrationCountsDisplay.from_counts(counts)
