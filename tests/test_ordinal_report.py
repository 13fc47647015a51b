"""The report on ordered classes: published values, baselines, what it says, what it refuses."""

import json
import re
import warnings
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import (
    accuracy_score,
    cohen_kappa_score,
    mean_absolute_error,
)

from skmetrics_ext.counts import ConfusionCounts, kappa_by_priors
from skmetrics_ext.metrics import (
    OrdinalReport,
    classwise_mean_absolute_error,
    ordinal_report,
)

PUBLISHED = json.loads((Path(__file__).parent / "data" / "ordinal_metrics.json").read_text())
Y_TRUE, Y_PRED = PUBLISHED["y_true"], PUBLISHED["y_pred"]
SIZES = ["small", "medium", "large"]
WORDS = np.array(["<a>", "<b>", "<c>", "<d>", "<e>"])
# Names here and in the published file.
SAME = {
    "accuracy": "accuracy",
    "one_off_accuracy": "within_1",
    "mean_absolute_error": "mae",
    "macro_mean_absolute_error": "macro_mae",
    "max_mean_absolute_error": "max_mae",
    "kappa_linear": "kappa_linear",
    "kappa_quadratic": "kappa_quadratic",
}


@pytest.fixture(scope="module")
def report():
    return ordinal_report(Y_TRUE, Y_PRED)


# ---------------------------------------------------------------------------------------------
# the values


@pytest.mark.parametrize("kind", ["unweighted", "weighted"])
def test_published(kind):
    weight = PUBLISHED["sample_weight"] if kind == "weighted" else None
    report = ordinal_report(Y_TRUE, Y_PRED, sample_weight=weight)
    for name, published in SAME.items():
        value = float(getattr(report, name))
        assert value == pytest.approx(PUBLISHED[kind][published], rel=1e-12), name
    if kind == "unweighted":
        for name in ("linear", "quadratic"):
            se = getattr(report, f"kappa_{name}").se
            assert se == pytest.approx(PUBLISHED[kind][f"se_{name}"], rel=1e-9)


@st.composite
def labelled(draw):
    K, n = draw(st.integers(2, 6)), draw(st.integers(2, 30))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return rng.integers(0, K, n), rng.integers(0, K, n), rng.integers(1, 4, n).astype(float)


@settings(max_examples=40)
@given(labelled())
def test_scikit_learn_agrees(case):
    truth, answer, weight = case
    labels = range(6)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report = ordinal_report(
            truth, answer, labels=labels, sample_weight=weight, confidence_level=None
        )
    assert float(report.accuracy) == pytest.approx(
        accuracy_score(truth, answer, sample_weight=weight)
    )
    mae = mean_absolute_error(truth, answer, sample_weight=weight)
    assert float(report.mean_absolute_error) == pytest.approx(mae)
    if len(set(truth.tolist())) == 1:
        return
    for name in ("linear", "quadratic"):
        kappa = cohen_kappa_score(
            truth, answer, labels=list(labels), weights=name, sample_weight=weight
        )
        assert float(getattr(report, f"kappa_{name}")) == pytest.approx(kappa, abs=1e-12)


@settings(max_examples=40)
@given(labelled())
def test_the_baselines_are_the_best_that_know_nothing(case):
    truth, answer, weight = case
    report = ordinal_report(
        truth, answer, labels=range(6), sample_weight=weight, confidence_level=None
    )
    classes = sorted(set(truth.tolist()))
    errors = [
        mean_absolute_error(truth, np.full(len(truth), c), sample_weight=weight) for c in classes
    ]
    right = [np.average(truth == c, weights=weight) for c in classes]
    assert float(report.constant.mean_absolute_error) == pytest.approx(min(errors))
    assert report.constant_label == classes[int(np.argmin(np.round(errors, 9)))]
    assert float(report.majority.accuracy) == pytest.approx(max(right))
    assert report.majority_label == classes[int(np.argmax(np.round(right, 9)))]


def test_the_majority_is_scikit_learns_dummy():
    dummy = DummyClassifier().fit(np.zeros((30, 1)), Y_TRUE)
    answer = dummy.predict(np.zeros((30, 1)))
    report = ordinal_report(Y_TRUE, Y_PRED)
    assert report.majority_label == answer[0]
    as_given = ordinal_report(Y_TRUE, answer, labels=range(5), confidence_level=None)
    assert [float(e) for _, e in report.majority] == [float(e) for _, e in as_given]
    assert float(report.majority.kappa_quadratic) == 0.0
    # Every class is missed by its distance from the constant, the classes weighing alike.
    macro = np.abs(np.arange(5) - answer[0]).mean()
    assert float(report.majority.macro_mean_absolute_error) == pytest.approx(macro)


def test_the_constant_is_the_lowest_median():
    report = ordinal_report([0, 0, 4, 4], [0, 0, 4, 4])
    assert report.constant_label == 0
    assert ordinal_report([0, 1, 1, 4, 4], [0, 0, 0, 4, 4]).constant_label == 1
    # Halves that differ by rounding: 0.1 + 0.2 is more than 0.3.
    report = ordinal_report([4, 4, 0], [4, 4, 0], labels=range(5), sample_weight=[0.1, 0.2, 0.3])
    assert report.constant_label == 0
    assert report.majority_label in (0, 4)
    skewed = ordinal_report([0] * 5 + [1, 1, 2, 2, 2, 3], [0] * 11)
    assert (skewed.constant_label, skewed.majority_label) == (1, 0)


def test_kappa_at_uniform_priors(report):
    counts = ConfusionCounts.from_predictions(Y_TRUE, Y_PRED)
    expected = kappa_by_priors(counts, [0.2] * 5)[0]
    assert report.kappa_uniform == expected
    # The same table with the rows of a class ten times over is the same at uniform priors.
    weight = np.where(np.array(Y_TRUE) == 2, 10.0, 1.0)
    other = ordinal_report(Y_TRUE, Y_PRED, sample_weight=weight)
    assert float(other.kappa_uniform) == pytest.approx(expected.value, rel=1e-12)
    assert float(other.kappa_quadratic) != pytest.approx(float(report.kappa_quadratic), abs=0.05)


def test_absent_classes_between_count_and_have_no_share():
    truth, answer = [0, 1, 5, 5], [1, 1, 0, 5]
    named = ordinal_report(truth, answer, labels=range(6))
    seen = ordinal_report(truth, answer)
    assert float(named.mean_absolute_error) == (1 + 0 + 5 + 0) / 4
    assert float(seen.mean_absolute_error) == (1 + 0 + 2 + 0) / 4
    assert float(named.max_mean_absolute_error) == 2.5
    uniform = cohen_kappa_score(
        truth, answer, labels=list(range(6)), weights="quadratic", sample_weight=[2, 2, 1, 1]
    )
    assert float(named.kappa_uniform) == pytest.approx(uniform)
    assert "never true" not in str(named)
    assert "which are those of the classes that have rows" in str(named).replace("\n  ", " ")


def test_a_class_answered_but_never_true_is_no_crash():
    report = ordinal_report([0, 0, 2, 2], [0, 1, 2, 2])
    assert float(report.macro_mean_absolute_error) == 0.25
    assert "leave out [1], answered but never true" in str(report)
    with pytest.warns(UndefinedMetricWarning, match="it is left out of the mean"):
        alone = classwise_mean_absolute_error([0, 0, 2, 2], [0, 1, 2, 2])
    assert alone == 0.25


@pytest.mark.parametrize(("answer", "kappa"), [([1, 1, 1], np.nan), ([0, 1, 1], 0.0)])
def test_one_class_in_truth(answer, kappa):
    report = ordinal_report([1, 1, 1], answer, labels=[0, 1])
    np.testing.assert_equal(report.kappa_quadratic.value, kappa)
    assert "All rows are 1 in truth" in str(report)
    assert float(report.majority.accuracy) == 1.0
    lines = str(report).split("\n")
    assert re.split(r"  +", lines[2])[-1] == "always 1 (least MAE, most common)"
    assert "most common" not in lines[2].replace("(least MAE, most common)", "")
    shown = "NaN" if np.isnan(kappa) else "0.000 ["
    assert re.split(r"  +", lines[3])[1].startswith(shown)
    assert "nan" not in str(report)


def test_clusters_widen_the_intervals():
    truth, answer = np.repeat(Y_TRUE, 4), np.repeat(Y_PRED, 4)
    patient = np.repeat(np.arange(30), 4)
    once = ordinal_report(Y_TRUE, Y_PRED)
    told = ordinal_report(truth, answer, clusters=patient)
    for (name, one), (_, other) in zip(once, told, strict=True):
        assert other.value == pytest.approx(one.value), name
        assert other.se == pytest.approx(one.se, rel=1e-6), name
    assert ordinal_report(truth, answer).accuracy.se < told.accuracy.se / 1.9
    assert "take clusters as independent" in str(told)


@pytest.mark.parametrize("level", [0.8, 0.99])
def test_the_level_reaches_every_interval(level):
    report = ordinal_report(Y_TRUE, Y_PRED, confidence_level=level)
    narrow, wide = sorted([level, 0.95])
    other = ordinal_report(Y_TRUE, Y_PRED)
    first, second = (report, other) if narrow == level else (other, report)
    assert wide == second.confidence_level
    for (name, inner), (_, outer) in zip(first, second, strict=True):
        assert outer.low < inner.low <= inner.value <= inner.high < outer.high, name


def test_no_intervals():
    report = ordinal_report(Y_TRUE, Y_PRED, confidence_level=None)
    assert all(e.low is None and e.se is None for _, e in report)
    assert "[" not in str(report).split("\n\n")[1]
    assert "Intervals" not in str(report)


# ---------------------------------------------------------------------------------------------
# the order


def test_words_are_as_their_ranks(report):
    words = ordinal_report(WORDS[Y_TRUE], WORDS[Y_PRED], labels=WORDS)
    assert [float(e) for _, e in words] == [float(e) for _, e in report]
    assert words.constant_label == WORDS[report.constant_label]
    back = ordinal_report(WORDS[Y_TRUE], WORDS[Y_PRED], labels=WORDS[::-1])
    assert float(back.mean_absolute_error) == pytest.approx(float(report.mean_absolute_error))


def test_words_without_an_order_raise():
    with pytest.raises(ValueError, match=r"ordinal_report depends on the order of the classes"):
        ordinal_report(SIZES, SIZES)
    for y in (
        pd.Categorical(SIZES, categories=SIZES, ordered=True),
        pl.Series(SIZES, dtype=pl.Enum(SIZES)),
    ):
        assert ordinal_report(y, y).counts.labels.tolist() == SIZES
    unordered = pd.Categorical(SIZES, categories=SIZES)
    with pytest.raises(ValueError, match="depends on the order"):
        ordinal_report(unordered, unordered)


@pytest.mark.parametrize(
    ("truth", "answer", "options", "message"),
    [
        ([0, 1, 2], [0, 1, 1], {"labels": [0, 1]}, r"not among \[0, 1\]: \[2\]"),
        ([0, 1], [0, None], {}, "1 missing value"),
        ([0, 1], [0.5, 1], {}, "continuous"),
        ([0, 1], ["a", "b"], {}, "labels of the same type"),
        ([0, 1, 1], [0, 1], {}, "same number of rows"),
        ([], [], {}, "is empty"),
    ],
)
def test_an_error_is_an_error_also_the_other_way_round(truth, answer, options, message):
    for one, other in ((truth, answer), (answer, truth)):
        with pytest.raises(ValueError, match=message):
            ordinal_report(one, other, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sample_weight": [-1.0] * 30}, "sample_weight must not be negative"),
        ({"confidence_level": 95}, "confidence_level"),
        ({"clusters": [1, 2]}, "same number of rows"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(ValueError, match=message):
        ordinal_report(Y_TRUE, Y_PRED, **options)


# ---------------------------------------------------------------------------------------------
# how it shows


def test_the_text(report):
    head, table, notes = str(report).split("\n\n")
    assert head == "Ordered classes: 30 rows, 5 classes from 0 to 4"
    lines = table.split("\n")
    columns = ["these answers [95 %]", "counts", "always 2 (least MAE)", "always 1 (most common)"]
    for column in columns:
        assert column in lines[0]
    kappa = ["kappa, quadratic weights", "0.601 [0.168, 0.820]", "0.000", "0.000"]
    assert re.split(r"  +", lines[1]) == kappa
    near = ["one-off accuracy", "0.867 [0.703, 0.947]", "26/30", "0.633", "0.700"]
    assert re.split(r"  +", lines[4]) == near
    assert len(lines) == 9
    assert notes.count("\n- ") + 1 == len(report.caveats)
    assert all(line == line.rstrip() for line in str(report).split("\n"))
    assert all(caveat.endswith(".") and ". " not in caveat for caveat in report.caveats)
    assert repr(report) == str(report)
    # 21 of the 30 truths are 0, 1 or 2: 6, 8 and 7.
    assert "always answering 1 gets 0.700." in " ".join(notes.split())
    assert "the rarest class, 3 with 4 rows" in " ".join(notes.split())


def test_nothing_is_shown_as_minus_zero(report):
    rounded = replace(report.majority.kappa_uniform, value=-1e-17)
    other = replace(report, majority=replace(report.majority, kappa_uniform=rounded))
    assert str(other) == str(report)


def test_html_is_escaped():
    html = ordinal_report(WORDS[Y_TRUE], WORDS[Y_PRED], labels=WORDS)._repr_html_()
    assert not [word for word in WORDS if word in html]
    for shown in ("from &#x27;&lt;a&gt;", "always &#x27;&lt;c&gt;", "class, &#x27;&lt;d&gt;"):
        assert shown in html
    assert html.count("<tr>") == 1 + 8
    assert html.count("<li>") == 6


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_frames(report, backend):
    frame = report.to_frame(backend)
    columns = {
        name: frame[name].to_pylist() if backend == "pyarrow" else frame[name].to_list()
        for name in ("answers", "always", "measure", "value", "low", "numerator")
    }
    assert columns["answers"] == ["given"] * 8 + ["constant"] * 8 + ["majority"] * 8
    measures = [name for name, _ in report]
    assert columns["measure"] == measures * 3
    values = [e.value for part in (report, report.constant, report.majority) for _, e in part]
    assert columns["value"] == values
    assert columns["low"][:8] == [e.low for _, e in report]
    assert columns["always"][8:] == [2] * 8 + [1] * 8
    assert columns["numerator"][3:5] == [26.0, 16.0]


def test_it_is_frozen_and_keeps_its_counts(report):
    assert isinstance(report, OrdinalReport)
    with pytest.raises(FrozenInstanceError):
        report.accuracy = 1.0
    again = ConfusionCounts.from_json(report.counts.to_json())
    assert again == ConfusionCounts.from_predictions(Y_TRUE, Y_PRED)
    assert str(report.mean_absolute_error).startswith("mean_absolute_error 0.700 [")
    assert repr(report.constant).split("\n")[4] == "accuracy 0.233"
