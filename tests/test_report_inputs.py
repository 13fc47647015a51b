"""Where a report comes from: columns of any kind, estimators within estimators, refusals."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.multioutput import MultiOutputClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.decision import CostThresholdClassifier
from skmetrics_ext.ordinal import CumulativeLinkClassifier
from skmetrics_ext.report import DecisionReport

X, Y = make_classification(300, weights=[0.8], random_state=1)
COST = CostMatrix.binary(false_negative=9)
ILL = np.where(Y == 1, "ill", "well")
SCORE = 1 / (1 + np.exp(-X[:, 0]))


def said(report):
    return " ".join(repr(report).split())


@pytest.mark.parametrize(
    "column",
    [
        list,
        pd.Series,
        pd.Categorical,
        lambda v: pd.Series(v, dtype="string"),
        lambda v: pd.Series(v, index=range(len(v), 0, -1)),
        lambda v: np.array(v, dtype=object),
        pl.Series,
        lambda v: pa.array(v.tolist()),
    ],
)
def test_columns_of_any_kind(column):
    expected = DecisionReport.from_predictions(ILL, None, SCORE, pos_label="ill", by=ILL)
    report = DecisionReport.from_predictions(
        column(ILL), None, SCORE, pos_label="ill", by=column(ILL)
    )
    assert repr(report) == repr(expected)


@pytest.mark.parametrize(
    ("truth", "positive"),
    [
        (Y.astype(bool), None),
        (2 * Y - 1, None),
        (Y.astype(float), None),
        (Y + 1, 2),
        (pd.Series(Y, dtype="Int64"), None),
        (pd.Series(Y == 1, dtype="boolean"), None),
        (pl.Series(ILL, dtype=pl.Enum(["well", "ill"])), "ill"),
    ],
)
def test_two_classes_of_any_type_give_the_same_numbers(truth, positive):
    expected = DecisionReport.from_predictions(Y, None, SCORE, target="classes")
    report = DecisionReport.from_predictions(
        truth, None, pd.Series(SCORE, dtype="Float64"), pos_label=positive, target="classes"
    )
    assert [str(n) for _, n in report.numbers] == [str(n) for _, n in expected.numbers]


def test_costs_name_the_positive_class_though_not_the_other():
    cost = CostMatrix.binary(false_negative=3, pos_label="ill")
    report = DecisionReport.from_predictions(ILL, None, SCORE, cost_matrix=cost)
    assert "'ill' is the positive one" in said(report)


# -- estimators --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrap",
    [
        lambda model: model,
        lambda model: make_pipeline(StandardScaler(), model),
        lambda model: GridSearchCV(
            make_pipeline(StandardScaler(), model), {"standardscaler__with_mean": [True, False]}
        ),
    ],
    ids=["plain", "pipeline", "search"],
)
def test_costs_and_orders_are_found_within(wrap):
    model = wrap(CostThresholdClassifier(LogisticRegression(), cost_matrix=COST)).fit(X, Y)
    text = said(DecisionReport.from_estimator(model, X, Y))
    assert "As the estimator was told, per row: - predicting 0 when the truth is 1 costs 9" in text
    assert "No costs were declared" not in text
    other = DecisionReport.from_estimator(model, X, Y, cost_matrix=[[0, 3], [1, 0]])
    assert "As declared, per row: - predicting 0 when the truth is 1 costs 3" in said(other)
    stars = np.array(["bad", "fair", "good"])[np.digitize(X[:, 0], [-1, 1])]
    order = ["good", "bad", "fair"]  # not that of the alphabet
    ordinal = wrap(CumulativeLinkClassifier(class_order=order)).fit(X, stars)
    report = DecisionReport.from_estimator(ordinal, X, stars)
    assert "Ordered classes" in [section.title for section in report.sections]
    assert list(report._evidence.labels) == order
    columns = ordinal.predict_proba(X).argmax(axis=1)
    wrong = int((ordinal.classes_[columns] != stars).sum())
    assert report._evidence.worst.n_errors == wrong


def test_declined_answers_are_found_within():
    costs = COST.with_action(-1, cost=0.5)
    model = make_pipeline(
        StandardScaler(), CostThresholdClassifier(LogisticRegression(), cost_matrix=costs)
    ).fit(X, Y)
    text = said(DecisionReport.from_estimator(model, X, Y))
    assert "answering -1 costs 0.5" in text


def test_costs_that_differ_by_row_are_not_replaced_by_others():
    costs = CostMatrix.per_row(false_negative=lambda X: 10 * np.abs(X[:, 0]), pos_label=1)
    model = CostThresholdClassifier(LogisticRegression(), cost_matrix=costs).fit(X, Y)
    report = DecisionReport.from_estimator(model, X, Y)
    text = said(report)
    assert "The costs of the estimator differ by row" in text
    assert "What mistakes cost" not in [section.title for section in report.sections]
    assert "No costs were declared" not in text
    assert repr(DecisionReport.from_json(report.to_json())) == repr(report)


def test_decision_values_need_a_positive_class_to_rank_by():
    model = LinearSVC().fit(X, ILL)
    titles = [s.title for s in DecisionReport.from_estimator(model, X, ILL).sections]
    assert "The scores as a ranking" not in titles
    areas = []
    for positive in ("ill", "well"):
        report = DecisionReport.from_estimator(model, X, ILL, pos_label=positive)
        areas += [n.value for _, n in report.numbers if n.label == "area under the ROC curve"]
    assert areas[0] == areas[1] > 0.9


def test_options_that_are_none_are_not_there():
    model = LogisticRegression().fit(X, ILL)
    report = DecisionReport.from_estimator(model, X, ILL, labels=None, actions=None)
    assert repr(report) == repr(DecisionReport.from_estimator(model, X, ILL))


@pytest.mark.parametrize(
    ("model", "y", "options", "message"),
    [
        (LogisticRegression(), ILL, {"labels": ["ill"]}, "not among"),
        (LogisticRegression(), Y, {"threshold": 0.3}, "pass one of the two"),
        (Ridge(), X[:, 0] + 0.3, {"cost_matrix": COST}, "no use for cost_matrix"),
        (MultiOutputClassifier(LogisticRegression()), np.c_[Y, Y], {}, "one label per row"),
    ],
)
def test_mistakes_with_estimators(model, y, options, message):
    with pytest.raises(ValueError, match=message):
        DecisionReport.from_estimator(model.fit(X, y), X, y, **options)


# -- refusals ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"y_score": ILL}, "y_score must hold numbers"),
        ({"y_score": 3.0}, "y_score must have one column"),
        ({"y_score": SCORE, "threshold": float("nan")}, "threshold must be a number.*nan"),
        ({"y_score": SCORE, "threshold": "half"}, "threshold must be a number.*'half'"),
        ({"y_score": np.c_[SCORE, SCORE], "threshold": 0.3, "pos_label": None}, "need pos_label"),
    ],
)
def test_scores_and_thresholds_are_numbers(options, message):
    options = {"pos_label": "ill"} | options
    with pytest.raises(ValueError, match=message):
        DecisionReport.from_predictions(ILL, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"by": ILL, "clusters": Y}, "no use for by, clusters: y_true holds numbers"),
        ({"cost_matrix": COST}, "no use for cost_matrix"),
        ({"y_score": SCORE}, "no use for y_score"),
        ({"confidence_level": 95}, "confidence_level must be"),
    ],
)
def test_numbers_have_no_classes(options, message):
    with pytest.raises(ValueError, match=message):
        DecisionReport.from_predictions(SCORE, SCORE, **options)


def test_rows_without_weight_do_not_count_in_the_bootstrap():
    truth, answer = X[:40, 0], X[:40, 1]
    weights = (np.arange(40) < 12).astype(float)
    report = DecisionReport.from_predictions(truth, answer, sample_weight=weights)
    alone = DecisionReport.from_predictions(truth[:12], answer[:12], sample_weight=weights[:12])
    for (_, a), (_, b) in zip(report.numbers, alone.numbers, strict=True):
        np.testing.assert_allclose((a.value, a.low or 0), (b.value, b.low or 0))
    two = DecisionReport.from_predictions(truth, answer, sample_weight=np.arange(40) < 2)
    assert two.numbers[0][1].low is None


def test_the_constants_are_the_best_there_are():
    truth = np.array([0.5, 1.5, 2.5, 9.5, 30.0])
    weights = np.array([1.0, 2.0, 1.0, 0.5, 3.0])
    report = DecisionReport.from_predictions(truth, truth + 1, sample_weight=weights)
    found = {number.label: number.value for _, number in report.numbers}
    tried = np.linspace(0, 31, 3101)[:, None]
    absolute = np.average(np.abs(truth - tried), axis=1, weights=weights).min()
    squared = np.average((truth - tried) ** 2, axis=1, weights=weights).min()
    np.testing.assert_allclose(found["mean absolute error, constant"], absolute)
    np.testing.assert_allclose(
        found["root mean squared error, constant"], np.sqrt(squared), rtol=1e-6
    )


def test_a_constant_truth_has_no_interval_for_r2():
    report = DecisionReport.from_predictions(np.full(9, 0.5), X[:9, 0])
    (r2,) = [number for _, number in report.numbers if number.label == "R2"]
    assert r2.low is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"y_pred": "a", "threshold": 0.5}, "pass one of the two"),
        ({"y_score": "s", "clusters": "g"}, "from_frame needs y_pred for clusters"),
        ({"y_score": "s", "labels": ["well", "ill"]}, "from_frame needs y_pred for labels"),
        ({"y_pred": "a", "confidence_level": 5}, "confidence_level must be"),
        ({"y_pred": "k", "y_true": "k", "ordered": True}, "a report on ordered classes depends"),
        (
            {
                "y_score": "s",
                "cost_matrix": CostMatrix.per_row(false_negative="g", pos_label="ill"),
            },
            "must be the same for all rows",
        ),
        ({"y_score": "s", "cost_matrix": COST}, "pos_label|labels"),
        ({}, "got neither"),
    ],
)
def test_frames_ignore_nothing_silently(options, message):
    frame = pl.DataFrame({"y": ILL, "a": ILL, "s": SCORE, "g": Y, "k": np.array(list("abc") * 100)})
    with pytest.raises(ValueError, match=message):
        DecisionReport.from_frame(frame, **({"y_true": "y", "pos_label": None} | options))
