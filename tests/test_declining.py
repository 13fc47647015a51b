"""Rows that are declined: counts of them, metrics with and without them, risk against coverage."""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn import metrics as sk
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.model_selection import StratifiedKFold, cross_val_predict, train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.counts import ConfusionCounts
from skmetrics_ext.datasets import load_penguins
from skmetrics_ext.decision import CostThresholdClassifier
from skmetrics_ext.metrics import (
    area_under_risk_coverage_loss,
    coverage_score,
    risk_coverage_curve,
    selective_accuracy_score,
)
from skmetrics_ext.tables import get_metric, metric_names

PUBLISHED = json.loads(
    (Path(__file__).parent / "data" / "published_numbers.json").read_text("utf-8")
)["penguins"]["sex_by_five_neighbours"]

# What each metric is to (2, 3) counts [[tn, fp, declined], [fn, tp, declined]], as said in the
# documentation: a declined row was not found, and is part of no answer.
BINARY = {
    "recall": lambda t: t[1, 1] / t[1].sum(),
    "specificity": lambda t: t[0, 0] / t[0].sum(),
    "precision": lambda t: t[1, 1] / t[:, 1].sum(),
    "negative_predictive_value": lambda t: t[0, 0] / t[:, 0].sum(),
    "predicted_positive_rate": lambda t: t[:, 1].sum() / t.sum(),
    "f1": lambda t: 2 / (t[:, 1].sum() / t[1, 1] + t[1].sum() / t[1, 1]),
    "fbeta": lambda t: 1 / (0.2 * t[:, 1].sum() / t[1, 1] + 0.8 * t[1].sum() / t[1, 1]),
    "jaccard": lambda t: t[1, 1] / (t[:, 1].sum() + t[1].sum() - t[1, 1]),
    "youden": lambda t: t[1, 1] / t[1].sum() + t[0, 0] / t[0].sum() - 1,
    "positive_likelihood_ratio": lambda t: (t[1, 1] / t[1].sum()) / (t[0, 1] / t[0].sum()),
    "negative_likelihood_ratio": lambda t: (t[1, 0] / t[1].sum()) / (t[0, 0] / t[0].sum()),
}
PARAMS = {"fbeta": {"beta": 2.0}}
OTHERS = {
    "accuracy": lambda t: np.trace(t) / t.sum(),
    "balanced_accuracy": lambda t: np.mean(np.diagonal(t) / t.sum(1)),
    "geometric_mean": lambda t: np.prod(np.diagonal(t) / t.sum(1)) ** (1 / len(t)),
    "one_off_accuracy": lambda t: (
        sum(t[i, j] for i in range(len(t)) for j in range(len(t)) if abs(i - j) <= 1) / t.sum()
    ),
}
PRICED = {"expected_cost", "cost_savings"}
NOWHERE = {"weighted_kappa", "classwise_mean_absolute_error"}


def rows_of(seed, n_classes, n=60):
    rng = np.random.default_rng(seed)
    y_true = np.concatenate([np.arange(n_classes), rng.integers(n_classes, size=n)])
    y_pred = np.where(
        rng.random(len(y_true)) < 0.6, y_true, rng.integers(n_classes, size=len(y_true))
    )
    y_pred[:n_classes] = np.roll(np.arange(n_classes), 1)
    y_pred[n_classes : 2 * n_classes] = y_true[n_classes : 2 * n_classes] = np.arange(n_classes)
    y_pred[rng.random(len(y_true)) < 0.2] = -1
    return y_true, y_pred, rng.integers(1, 5, size=len(y_true)) / 2


def count(y_true, y_pred, **options):
    return ConfusionCounts.from_predictions(y_true, y_pred, actions=[-1], **options)


def one_against_rest(table, k):
    """The (2, 3) table of class k by a loop over the cells."""
    found = np.zeros((2, 3))
    for i, row in enumerate(table):
        for j, rows in enumerate(row):
            found[int(i == k), 2 if j == len(table) else int(j == k)] += rows
    return found


# ---------------------------------------------------------------------------------------------
# on="all"


def test_every_metric_is_classified():
    assert sorted([*BINARY, *OTHERS, *PRICED, *NOWHERE, "matthews_corrcoef"]) == metric_names()
    for name in metric_names():
        expected = "priced" if name in PRICED else "nowhere" if name in NOWHERE else "wrong"
        assert get_metric(name).declined == expected


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", BINARY)
def test_all_of_two_classes(name, seed):
    y_true, y_pred, weight = rows_of(seed, 2)
    counts = count(y_true, y_pred, sample_weight=weight)
    assert counts.w[:, 2].all()
    for pos in (0, 1):
        estimate = counts.estimate(name, on="all", pos_label=pos, **PARAMS.get(name, {}))
        table = one_against_rest(counts.w, pos)
        assert float(estimate) == pytest.approx(BINARY[name](table), rel=1e-12)
        assert estimate.low < float(estimate) < estimate.high
        if estimate.numerator is not None:
            assert estimate.numerator / estimate.denominator == pytest.approx(float(estimate))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", BINARY)
def test_all_of_more_classes(name, seed):
    y_true, y_pred, weight = rows_of(seed, 4, n=300)
    counts = count(y_true, y_pred, sample_weight=weight)
    params = PARAMS.get(name, {})
    tables = [one_against_rest(counts.w, k) for k in range(4)]
    each = [BINARY[name](t) for t in tables]
    found = counts.estimate(name, on="all", average=None, **params)
    assert [float(e) for e in found] == pytest.approx(each, rel=1e-12)
    in_truth = counts.w.sum(1)
    for average, expected in {
        "macro": np.mean(each),
        "weighted": np.average(each, weights=in_truth),
        "micro": BINARY[name](np.sum(tables, axis=0)),
    }.items():
        estimate = counts.estimate(name, on="all", average=average, **params)
        assert float(estimate) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_all_of_whole_tables(n_classes, seed):
    y_true, y_pred, weight = rows_of(seed, n_classes)
    counts = count(y_true, y_pred, sample_weight=weight)
    for name, formula in OTHERS.items():
        found = float(counts.estimate(name, on="all", confidence_level=None))
        assert found == pytest.approx(formula(counts.w), rel=1e-12)
    # A class that is answered and never true is how scikit-learn sees a declined row.
    assert float(counts.estimate("matthews_corrcoef", on="all")) == pytest.approx(
        sk.matthews_corrcoef(y_true, y_pred, sample_weight=weight), rel=1e-12
    )
    assert float(counts.estimate("weighted_kappa", weights=None, on="all")) == pytest.approx(
        sk.cohen_kappa_score(y_true, y_pred, sample_weight=weight), rel=1e-12
    )


def test_recall_falls_and_precision_does_not():
    counts = count([1, 1, 1, 1, 0, 0, 0, 0], [1, 1, -1, 0, 0, 0, -1, 1])
    assert str(counts.estimate("recall", on="all", confidence_level=None)) == (
        "recall of 1 0.500 (2/4, 2 declined as wrong; prevalence 0.50)"
    )
    assert str(counts.estimate("recall", on="answered", confidence_level=None)) == (
        "recall of 1 0.667 (2/3 answered, 2 declined; prevalence 0.50)"
    )
    for on in ("all", "answered"):
        assert float(counts.estimate("precision", on=on)) == pytest.approx(2 / 3)


def test_several_actions_are_all_declined():
    y_true, y_pred = [0, 0, 1, 1, 1], [0, -1, -2, 1, -2]
    counts = ConfusionCounts.from_predictions(y_true, y_pred, actions=[-1, -2])
    assert counts.estimate("recall", on="all").denominator == 3
    assert float(counts.estimate("accuracy", on="all")) == pytest.approx(2 / 5)
    assert float(counts.estimate("accuracy", on="answered")) == 1.0
    for pos, expected in ((0, 1 / 2), (1, 1 / 3)):
        assert float(counts.estimate("recall", on="all", pos_label=pos)) == pytest.approx(expected)


def test_classes_without_rows_are_no_trouble():
    """A fold of negatives only, and a class that is never true."""
    counts = count([0, 0, 0], [0, -1, 0])
    assert float(counts.estimate("predicted_positive_rate", on="all")) == 0.0
    assert float(counts.estimate("specificity", on="all")) == pytest.approx(2 / 3)
    counts = count([0, 0, 2, 2], [0, -1, 2, 1], labels=[0, 1, 2])
    with pytest.warns(UndefinedMetricWarning, match="no row has in truth"):
        assert float(counts.estimate("balanced_accuracy", on="all")) == pytest.approx(0.5)


def test_at_other_priors():
    """Of 100 ill 80 found and 10 declined, of 100 well 90 cleared and 4 declined; 1 in 10 ill."""
    y_true = [1] * 100 + [0] * 100
    y_pred = [1] * 80 + [-1] * 10 + [0] * 10 + [0] * 90 + [-1] * 4 + [1] * 6
    counts = count(y_true, y_pred)
    rare = {"prevalence": 0.1, "on": "all", "confidence_level": None}
    assert float(counts.estimate("precision", **rare)) == pytest.approx(0.08 / (0.08 + 0.054))
    assert float(counts.estimate("accuracy", **rare)) == pytest.approx(0.1 * 0.8 + 0.9 * 0.9)
    assert float(counts.at_priors([0.9, 0.1]).estimate("accuracy", on="all")) == pytest.approx(0.89)
    with pytest.raises(ValueError, match="on='answered' cannot be asked at other priors"):
        counts.estimate("precision", prevalence=0.1, on="answered")
    with pytest.raises(ValueError, match="on='answered' cannot be asked at other priors"):
        counts.at_priors([0.9, 0.1]).estimate("precision", on="answered")


def test_an_alarm_without_false_ones_is_bounded_from_below():
    counts = count([1] * 20 + [0] * 20, [1] * 15 + [-1] * 5 + [0] * 18 + [-1] * 2)
    with pytest.warns(UndefinedMetricWarning, match="positive_likelihood_ratio"):
        estimate = counts.estimate("positive_likelihood_ratio", on="all")
    assert np.isnan(float(estimate))
    assert 1 < estimate.low < estimate.high == np.inf


# ---------------------------------------------------------------------------------------------
# on="answered"


def ask(counts, name, **options):
    binary = "binary" in get_metric(name).averages
    several = {"average": "macro"} if binary and len(counts.labels) > 2 else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        return counts.estimate(name, **several, **options)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("name", metric_names())
def test_answered_is_what_the_answered_rows_alone_give(name, n_classes):
    y_true, y_pred, weight = rows_of(7, n_classes)
    clusters, kept = np.arange(len(y_true)) // 3, y_pred != -1
    for more in ({}, {"sample_weight": weight}, {"clusters": clusters}):
        counts = count(y_true, y_pred, labels=range(n_classes), **more)
        options = {key: value[kept] for key, value in more.items()}
        alone = ConfusionCounts.from_predictions(
            y_true[kept], y_pred[kept], labels=range(n_classes), **options
        )
        found, expected = ask(counts, name, on="answered"), ask(alone, name)
        assert (found.on, found.declined) == ("answered", int((~kept).sum()))
        same = {**vars(found), "on": None, "declined": None}
        assert same == pytest.approx(vars(expected), nan_ok=True)


def test_costs_of_the_answered_rows():
    cost = CostMatrix.binary(false_negative=10, pos_label=1, neg_label=0).with_action(-1, cost=3)
    counts = count([0, 0, 1, 1, 1], [0, 1, 0, -1, 1])
    for on in (None, "all"):
        estimate = counts.estimate("expected_cost", cost_matrix=cost, on=on)
        assert float(estimate) == pytest.approx((1 + 10 + 3) / 5)
        assert estimate.on is None
    answered = counts.estimate("expected_cost", cost_matrix=cost, on="answered")
    assert float(answered) == pytest.approx(11 / 4)
    assert answered.counts == "4 rows answered, 1 declined"
    assert float(
        counts.estimate("cost_savings", cost_matrix=cost.to_array(), on="answered")
    ) == pytest.approx((2 - 11) / 2)


def test_subgroups():
    y_true, y_pred = [0, 1, 1, 0, 1, 1], [0, 1, -1, 0, 0, 1]
    counts = count(y_true, y_pred, by=list("aaabbb"))
    answered = counts.estimate("accuracy", on="answered")
    assert [e.counts for e in answered] == ["2/2 answered, 1 declined", "2/3"]
    wrong = counts.estimate("accuracy", on="all")
    assert [e.counts for e in wrong] == ["2/3, 1 declined as wrong", "2/3"]
    assert counts.difference("a", "b", "accuracy", on="answered").value == pytest.approx(1 / 3)
    with pytest.raises(ValueError, match="every row was declined in subgroup 'b'"):
        count([0, 1, 1], [0, 1, -1], by=list("aab")).estimate("accuracy", on="answered")
    with pytest.raises(ValueError, match="every row was declined, so that none is left"):
        count([0, 1, 1], [-1, -1, -1]).estimate("accuracy", on="answered")


# ---------------------------------------------------------------------------------------------
# on=None, and what is shown


def test_nobody_decides_for_the_user():
    counts = ConfusionCounts.from_predictions(
        ["a", "b", "b"], ["a", "b", "refer"], actions=["refer"]
    )
    for name in sorted({*BINARY, *OTHERS, *NOWHERE}):
        with pytest.raises(
            ValueError,
            match=r"1 of 3 rows were answered \['refer'\].*"
            "on='answered' leaves them out, on='all' counts them as wrong",
        ):
            counts.estimate(name)
    with pytest.raises(ValueError, match="on='answered' leaves them out"):
        counts.report()


@pytest.mark.parametrize("on", ["Answered", "wrong", True, 1, ["all"]])
def test_other_words_are_refused(on):
    with pytest.raises(ValueError, match=r"on must be None or one of \['answered', 'all'\]; got"):
        count([0, 1], [0, 1]).estimate("accuracy", on=on)


@pytest.mark.parametrize(
    ("name", "options", "advice"),
    [
        ("weighted_kappa", {}, "Use on='answered', or weights=None"),
        ("weighted_kappa", {"weights": "linear"}, "Use on='answered', or weights=None"),
        ("classwise_mean_absolute_error", {}, "Use on='answered'; what"),
    ],
)
def test_distances_are_not_made_up(name, options, advice):
    counts = count([0, 1, 2, 2], [0, 1, 2, -1])
    with pytest.raises(ValueError, match=rf"\[-1\] are at no distance from any class. {advice}"):
        counts.estimate(name, on="all", **options)
    assert float(counts.estimate(name, on="answered", **options)) in (0.0, 1.0)


def test_where_nobody_was_declined_there_is_nothing_to_decide():
    y_true, y_pred = [0, 1, 1, 0, 2], [0, 1, 0, 0, 2]
    counts, plain = count(y_true, y_pred), ConfusionCounts.from_predictions(y_true, y_pred)
    for name in sorted({*BINARY, *OTHERS, *NOWHERE}):
        for on in (None, "all", "answered"):
            assert vars(ask(counts, name, on=on)) == pytest.approx(
                vars(ask(plain, name)), nan_ok=True
            )
    assert float(plain.estimate("accuracy", on="all")) == 0.8


def test_the_report_and_the_table_say_how_many():
    counts = count([0, 0, 0, 1, 1, 1, 1, 1], [0, 0, 1, 1, -1, 1, 1, -1])
    assert repr(counts).splitlines() == [
        "ConfusionCounts: 8 rows (truth down, answer across)",
        "2 of 8 rows declined (25.0 %)",
        "   0  1  -1",
        "0  2  1   0",
        "1  0  3   2",
    ]
    assert "<p>2 of 8 rows declined (25.0 %)</p>" in counts._repr_html_()
    assert "declined" not in repr(ConfusionCounts.from_cells(tp=1, fp=1, fn=1, tn=1))
    weighted = count([0, 1], [0, -1], sample_weight=[1.0, 3.0])
    assert "1 of 2 rows declined (50.0 %), 75.0 % of the weight" in repr(weighted)
    report = counts.report(["accuracy", "recall"], on="answered", confidence_level=None)
    assert str(report).splitlines() == [
        "accuracy 0.833 (5/6 answered, 2 declined)",
        "recall of 1 1.000 (3/3 answered, 2 declined; prevalence 0.50)",
    ]
    assert "5/6 answered, 2 declined" in report._repr_html_()
    assert report.to_frame()["declined"].tolist() == [2, 2]
    assert len(counts.report(on="all")) == len(counts.report(on="answered")) == 8


# ---------------------------------------------------------------------------------------------
# the published case


@pytest.fixture(scope="module")
def penguins():
    """Rows with a known sex among four fifths of the penguins: measurements and sex."""
    data, species = load_penguins(return_X_y=True)
    data, _ = train_test_split(data, test_size=0.2, random_state=42, stratify=species)
    known = [isinstance(row[5], str) for row in data]
    data = data[known]
    return data[:, 1:5].astype(float), data[:, 5].astype(str)


# One mistake costs 1: an answer that 4 of 5 neighbours give costs 0.2 on average, one that 3 give
# 0.4. Whatever declining costs in between, it is declined when fewer than 4 agree.
@pytest.mark.parametrize("cost", [0.21, 0.3, 0.39])
def test_published_penguins_decline_when_fewer_than_four_of_five_agree(penguins, cost):
    X, y = penguins
    assert len(y) == 264
    lab = CostMatrix.binary(pos_label="male", neg_label="female").with_action("lab", cost=cost)
    neighbours = make_pipeline(StandardScaler(), KNeighborsClassifier(5))
    folds = StratifiedKFold(5, shuffle=True, random_state=42)
    classifier = CostThresholdClassifier(neighbours, cost_matrix=lab)
    answers = cross_val_predict(classifier, X, y, cv=folds)

    published = PUBLISHED["decline_when_fewer_than_4_of_5_agree"]
    counts = ConfusionCounts.from_predictions(y, answers, actions=["lab"])
    accuracy = counts.estimate("accuracy", on="answered")
    assert accuracy.n == accuracy.denominator == published["answered"] == 223
    assert accuracy.n - accuracy.numerator == published["wrong"] == 6
    assert accuracy.declined == published["declined"] == 41
    assert round(float(accuracy), 2) == published["accuracy"]
    assert "41 of 264 rows declined (15.5 %)" in repr(counts)
    assert coverage_score(y, answers, actions=["lab"]) == 223 / 264
    assert round(1 - 223 / 264, 2) == published["share_declined"]
    assert selective_accuracy_score(y, answers, actions=["lab"]) == 217 / 223
    assert counts.estimate("accuracy", on="all").numerator == 217
    paid = counts.estimate("expected_cost", cost_matrix=lab)
    assert float(paid) == pytest.approx((6 + 41 * cost) / 264)

    # The same from the votes alone, by their agreement.
    votes = cross_val_predict(neighbours, X, y, cv=folds, method="predict_proba").round(1)
    assert np.array_equal(classifier.fit(X, y).classes_, ["female", "male"])
    curve = risk_coverage_curve(y, classifier.classes_[votes.argmax(1)], votes.max(1))
    assert curve.thresholds.tolist() == [1.0, 0.8, 0.6]
    assert curve.coverage.tolist() == pytest.approx([165 / 264, 223 / 264, 1.0])
    assert curve.risk[1] == pytest.approx(6 / 223)
    assert curve.risk[2] == pytest.approx(22 / 264)


# ---------------------------------------------------------------------------------------------
# functions


@given(arrays(np.int8, st.integers(1, 30), elements=st.integers(0, 5)), st.integers(0, 99))
def test_the_curve_is_what_loops_give(levels, seed):
    rng = np.random.default_rng(seed)
    n = len(levels)
    y_true, y_pred = rng.integers(3, size=n), rng.integers(3, size=n)
    weight = rng.integers(1, 4, size=n).astype(float)
    curve = risk_coverage_curve(y_true, y_pred, levels / 4, sample_weight=weight)
    expected = []
    for threshold in sorted(set(levels / 4), reverse=True):
        rows = [r for r in range(n) if levels[r] / 4 >= threshold]
        answered = sum(weight[r] for r in rows)
        wrong = sum(weight[r] for r in rows if y_true[r] != y_pred[r])
        expected.append((threshold, answered / weight.sum(), wrong / answered))
    found = np.column_stack([curve.thresholds, curve.coverage, curve.risk])
    assert found == pytest.approx(np.array(expected), abs=1e-12)
    risk = {t: r for t, _, r in expected}
    by_row = sum(weight[r] * risk[levels[r] / 4] for r in range(n)) / weight.sum()
    area = area_under_risk_coverage_loss(y_true, y_pred, levels / 4, sample_weight=weight)
    assert area == curve.area == pytest.approx(by_row, abs=1e-12)


@given(st.integers(1, 60), st.integers(0, 99))
def test_the_area_of_a_perfect_confidence(n, seed):
    """All right rows before all wrong ones: the mean of max(0, i - right) / i."""
    rng = np.random.default_rng(seed)
    right = int(rng.integers(n + 1))
    confidence = -np.arange(n, dtype=float)
    y_pred = np.r_[np.zeros(right), np.ones(n - right)].astype(int)
    expected = np.mean([max(0, i - right) / i for i in range(1, n + 1)])
    order = rng.permutation(n)
    found = area_under_risk_coverage_loss(np.zeros(n, int), y_pred[order], confidence[order])
    assert found == pytest.approx(expected, abs=1e-12)


def test_rows_that_weigh_nothing_are_no_rows():
    y, answers, confidence = [0, 1, 1, 0], [1, 1, 0, 0], [0.9, 0.8, 0.7, 0.6]
    weighted = risk_coverage_curve(y, answers, confidence, sample_weight=[0, 1, 1, 1])
    plain = risk_coverage_curve(y[1:], answers[1:], confidence[1:])
    for name, column in plain.columns().items():
        assert weighted.columns()[name].tolist() == column.tolist()


def test_words_infinite_scores_and_text():
    curve = risk_coverage_curve(["a", "b", "b"], ["a", "b", "c"], [np.inf, 1.0, -np.inf])
    assert curve.thresholds.tolist() == [np.inf, 1.0, -np.inf]
    assert curve.risk.tolist() == pytest.approx([0, 0, 1 / 3])
    assert repr(curve) == (
        "RiskCoverageCurve: 3 rows at 3 distinct confidences; 0.333 are wrong when all are "
        "answered, and 0.111 over all coverages (the area)"
    )
    assert curve._repr_html_() == f"<p>{curve!r}</p>"
    assert repr(risk_coverage_curve([1], [1], [0.5])).startswith(
        "RiskCoverageCurve: 1 row at 1 con"
    )


def test_coverage_and_accuracy_of_the_answered():
    y_true, y_pred = ["a", "b", "b", "a"], ["a", "refer", "a", "refer"]
    weight = [1.0, 2.0, 3.0, 4.0]
    for options in ({"actions": ["refer"]}, {"actions": ["a", "b", "refer"], "labels": ["a", "b"]}):
        assert coverage_score(y_true, y_pred, **options) == 0.5
        assert coverage_score(y_true, y_pred, sample_weight=weight, **options) == 0.4
        assert selective_accuracy_score(y_true, y_pred, **options) == 0.5
        assert selective_accuracy_score(y_true, y_pred, sample_weight=weight, **options) == 0.25
    assert coverage_score([0, 1], [0, 0]) == coverage_score([0, 1], [2, 0], labels=[0, 1, 2]) == 1.0
    assert coverage_score([0, 1], [-1, -1], actions=[-1]) == 0.0


def test_they_are_scorers(penguins):
    X, y = penguins
    lab = CostMatrix.binary(pos_label="male", neg_label="female").with_action("lab", cost=0.3)
    classifier = CostThresholdClassifier(
        make_pipeline(StandardScaler(), KNeighborsClassifier(5)), cost_matrix=lab
    ).fit(X, y)
    answers = classifier.predict(X)
    scorer = sk.make_scorer(coverage_score, actions=["lab"])
    assert scorer(classifier, X, y) == 1 - classifier.declined(X).mean()
    assert scorer(classifier, X, y) == coverage_score(
        y, answers, actions=classifier.actions_, labels=classifier.classes_
    )


@pytest.mark.parametrize("function", [coverage_score, selective_accuracy_score])
def test_bad_input(function):
    with pytest.raises(ValueError, match=r"y_pred holds \['refer'\], which no row has.*actions="):
        function(["a", "b"], ["a", "refer"])
    with pytest.raises(ValueError, match=r"y_pred holds labels that are not among .*\[7\]"):
        function([0, 1], [0, 7], actions=[-1], labels=[0, 1])
    with pytest.raises(ValueError, match="name the classes by labels"):
        function([0, 1], [0, 1], actions=[0])
    with pytest.raises(ValueError, match="same number of rows"):
        function([0, 1], [0, -1, 1], actions=[-1])
    with pytest.raises(ValueError, match="is empty"):
        function([], [])


def test_bad_input_of_the_accuracy_and_the_curve():
    with pytest.raises(ValueError, match="every row was declined"):
        selective_accuracy_score([0, 1], [-1, -1], actions=[-1])
    for function in (risk_coverage_curve, area_under_risk_coverage_loss):
        with pytest.raises(ValueError, match="y_true has 2, y_pred has 3"):
            function([0, 1], [0, 1, 1], [0.5, 0.5])
        with pytest.raises(ValueError, match=r"one score per row, shape \(2,\); got shape \(3,\)"):
            function([0, 1], [0, 1], [0.5, 0.5, 0.4])
        with pytest.raises(ValueError, match="1 of 2 scores are NaN"):
            function([0, 1], [0, 1], [0.5, np.nan])
        with pytest.raises(ValueError, match="labels of the same type"):
            function([0, 1], ["0", "1"], [0.5, 0.4])
