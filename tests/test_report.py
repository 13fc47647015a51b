"""The decision report: every number is the call that makes it, from the receipt as well."""

import json
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import make_classification
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import (
    average_precision_score,
    log_loss,
    mean_absolute_error,
    r2_score,
    recall_score,
    roc_auc_score,
    root_mean_squared_error,
)

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.decision import CostThresholdClassifier
from skmetrics_ext.metrics import expected_cost_loss, weighted_kappa_score
from skmetrics_ext.report import DecisionReport

COST_AB = CostMatrix.binary(false_negative=5, pos_label="a", neg_label="b")
COST = CostMatrix.binary(false_negative=20, pos_label="ill", neg_label="well")


@pytest.fixture(scope="module")
def rows():
    X, y = make_classification(600, n_informative=4, weights=[0.85], random_state=0)
    score = LogisticRegression().fit(X[:300], y[:300]).predict_proba(X[300:])[:, 1]
    truth = np.where(y[300:] == 1, "ill", "well")
    return truth, score, np.arange(300) % 3


def made(kind, rows):
    truth, score, group = rows
    if kind == "scores, costs, subgroups":
        return DecisionReport.from_predictions(truth, None, score, cost_matrix=COST, by=group)
    if kind == "answers":
        return DecisionReport.from_predictions(truth, np.where(score > 0.3, "ill", "well"))
    if kind == "weights and clusters":
        return DecisionReport.from_predictions(
            truth,
            np.where(score > 0.3, "ill", "well"),
            score,
            pos_label="ill",
            sample_weight=group + 1.5,
            clusters=np.arange(300) // 2,
        )
    if kind == "scores that only rank":
        return DecisionReport.from_predictions(truth, None, score * 10 - 3, pos_label="ill")
    if kind == "declined":
        answer = np.where(score > 0.6, "ill", np.where(score < 0.2, "well", "refer"))
        return DecisionReport.from_predictions(
            truth, answer, cost_matrix=COST.with_action("refer", cost=1), actions=["refer"]
        )
    if kind == "ordered":
        stars = np.digitize(score, [0.1, 0.4, 0.7])
        said = np.clip(stars + (np.arange(300) % 5 == 0), 0, 3)
        return DecisionReport.from_predictions(stars, said, target="ordered")
    if kind == "binned":
        frame = pl.LazyFrame({"y": truth, "p": score, "g": group})
        return DecisionReport.from_frame(
            frame, y_true="y", y_score="p", by="g", cost_matrix=COST, bins=50
        )
    if kind == "one class":
        return DecisionReport.from_predictions(
            np.zeros(20, int), np.zeros(20, int), np.full(20, 0.1)
        )
    assert kind == "positive first"
    return DecisionReport.from_predictions(
        np.where(truth == "ill", 0, 1),
        None,
        score,
        cost_matrix=CostMatrix.binary(false_negative=7, false_positive=2, pos_label=0),
    )


KINDS = [
    "scores, costs, subgroups",
    "answers",
    "weights and clusters",
    "scores that only rank",
    "declined",
    "ordered",
    "binned",
    "one class",
    "positive first",
]


@pytest.mark.parametrize("kind", KINDS)
def test_every_number_is_its_call_from_the_receipt(kind, rows):
    report = made(kind, rows)
    receipt = report.to_json()
    again = DecisionReport.from_json(receipt)
    assert repr(again) == repr(report)
    names = dict(again._evidence.namespace())
    numbers = json.loads(receipt)["numbers"]
    assert len(numbers) == len(report.numbers) > 0
    for number in numbers:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UndefinedMetricWarning)
            found = eval(number["call"], names)
        for name in ("low", "high"):
            limit = getattr(found, name, None)
            if number[name] is None:
                assert limit is None
            else:
                np.testing.assert_allclose(limit, float(number[name]), rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(
            float(found), float(number["value"]), rtol=1e-12, atol=1e-12, err_msg=number["call"]
        )


@pytest.mark.parametrize("kind", KINDS)
def test_text_is_at_most_a_hundred_wide(kind, rows):
    for line in repr(made(kind, rows)).splitlines():
        assert len(line) <= 100, line


def by_label(report):
    return {number.label: number for _, number in report.numbers}


def test_numbers_are_those_of_scikit_learn(rows):
    truth, score, _ = rows
    report = made("scores, costs, subgroups", rows)
    found = by_label(report)
    said = np.where(score >= 0.5, "ill", "well")
    assert found["recall of 'ill'"].value == recall_score(truth, said, pos_label="ill")
    positive = truth == "ill"
    auc = found["area under the ROC curve"].value
    np.testing.assert_allclose(auc, roc_auc_score(positive, score))
    ap = found["average precision"].value
    np.testing.assert_allclose(ap, average_precision_score(positive, score))
    np.testing.assert_allclose(found["log loss"].value, log_loss(positive, score))
    share = positive.mean()
    entropy = -share * np.log(share) - (1 - share) * np.log(1 - share)
    np.testing.assert_allclose(found["log loss, knowing nothing"].value, entropy)
    today = found["today (score >= 0.5)"].value
    np.testing.assert_allclose(today, expected_cost_loss(truth, said, cost_matrix=COST))
    at = np.where(score >= 1 / 21, "ill", "well")
    cheap = found["at the threshold of the costs, 0.0476"].value
    np.testing.assert_allclose(cheap, expected_cost_loss(truth, at, cost_matrix=COST))
    always = found["always 'ill', the cheapest constant answer"]
    np.testing.assert_allclose(always.value, (~positive).mean())
    np.testing.assert_allclose(found["share of 'ill'"].value, share)


def test_the_best_threshold_is_cross_fitted(rows):
    report = made("scores, costs, subgroups", rows)
    (fitted,) = [n for _, n in report.numbers if "cross-fitted over 5 folds" in n.label]
    # Never less than the in-sample optimum, which saw the rows it is paid on.
    best = report._evidence.all_scores.best_cost(COST).value
    assert best <= fitted.value
    assert "in-sample, optimistic" not in repr(report)
    assert "in-sample, optimistic" in repr(made("binned", rows))


def test_bins_say_what_they_leave_open(rows):
    text = repr(made("binned", rows))
    assert "off by at most" in text
    assert "the best threshold among the scores themselves costs at most" in text


def test_ordered_measures(rows):
    report = made("ordered", rows)
    stars = np.digitize(rows[1], [0.1, 0.4, 0.7])
    said = np.clip(stars + (np.arange(300) % 5 == 0), 0, 3)
    found = by_label(report)
    kappa = found["kappa, quadratic weights"].value
    np.testing.assert_allclose(kappa, weighted_kappa_score(stars, said))
    mae = found["mean absolute error, in classes"].value
    np.testing.assert_allclose(mae, np.abs(stars - said).mean())
    assert "compare it within one population" in repr(report)


def test_an_ordered_dtype_is_noticed():
    sizes = ["small", "medium", "large"]
    truth = pd.Series(pd.Categorical(sizes * 4, categories=sizes, ordered=True))
    report = DecisionReport.from_predictions(truth, truth)
    assert "kappa, quadratic weights" in by_label(report)


def test_numbers_as_targets():
    rng = np.random.default_rng(0)
    truth = rng.normal(size=200)
    said = truth + rng.normal(scale=0.5, size=200)
    report = DecisionReport.from_predictions(truth, said)
    found = by_label(report)
    assert found["mean absolute error"].value == mean_absolute_error(truth, said)
    rmse = root_mean_squared_error(truth, said)
    np.testing.assert_allclose(found["root mean squared error"].value, rmse)
    assert found["R2"].value == r2_score(truth, said)
    assert found["R2"].low < found["R2"].value < found["R2"].high
    assert found["R2, constant"].value == 0.0
    assert repr(DecisionReport.from_json(report.to_json())) == repr(report)
    model = Ridge().fit(said[:, None], truth)
    assert "mean absolute error" in by_label(
        DecisionReport.from_estimator(model, said[:, None], truth)
    )


def test_weights_of_numbers():
    truth, said = np.array([0.5, 1.5, 2.5, 9.5]), np.array([0.5, 1.0, 2.0, 9.0])
    weights = np.array([1.0, 2.0, 1.0, 4.0])
    found = by_label(DecisionReport.from_predictions(truth, said, sample_weight=weights))
    expected = mean_absolute_error(truth, said, sample_weight=weights)
    np.testing.assert_allclose(found["mean absolute error"].value, expected)


def test_an_estimator_brings_its_costs(rows):
    X, y = make_classification(400, weights=[0.8], random_state=1)
    cost = CostMatrix.binary(false_negative=9)
    model = CostThresholdClassifier(LogisticRegression(), cost_matrix=cost).fit(X[:200], y[:200])
    report = DecisionReport.from_estimator(model, X[200:], y[200:])
    today = by_label(report)["today (the answers given)"].value
    expected = expected_cost_loss(y[200:], model.predict(X[200:]), cost_matrix=cost)
    np.testing.assert_allclose(today, expected)
    assert "predicting 0 when the truth is 1 costs 9" in repr(report)


def test_an_estimator_without_probabilities_ranks_only(rows):
    from sklearn.svm import LinearSVC

    X, y = make_classification(200, random_state=0)
    report = DecisionReport.from_estimator(LinearSVC().fit(X, y), X, y)
    found = by_label(report)
    assert "area under the ROC curve" in found
    assert "Brier score" not in found
    assert "they rank, and say nothing of costs or calibration" in " ".join(repr(report).split())


def test_a_frame_and_its_columns_say_the_same(rows):
    truth, score, group = rows
    answer = np.where(score > 0.3, "ill", "well")
    frame = pd.DataFrame({"y": truth, "a": answer, "g": group})
    of_frame = DecisionReport.from_frame(frame, y_true="y", y_pred="a", by="g", cost_matrix=COST)
    of_rows = DecisionReport.from_predictions(truth, answer, by=group, cost_matrix=COST)
    assert [(n.label, str(n)) for _, n in of_frame.numbers] == [
        (n.label, str(n)) for _, n in of_rows.numbers
    ]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({}, "always answering 'well' is right in"),
        ({"cost_matrix": None, "pos_label": "ill"}, "No costs were declared"),
        ({"flip": True}, "are the classes reversed"),
        ({"shift": True}, "as probabilities they are off"),
        ({"head": 40}, "rows are 'ill': everything about finding that class is uncertain"),
        ({"by": np.r_[np.zeros(295), np.ones(5)]}, "fewer than 30 rows say little: 1.0 (5)"),
    ],
)
def test_warnings_in_plain_words(change, words, rows):
    truth, score, _ = rows
    options = {"cost_matrix": COST} | {
        k: v for k, v in change.items() if k in ("cost_matrix", "by", "pos_label")
    }
    if "flip" in change:
        score = 1 - score
    if "shift" in change:
        score = np.sqrt(score)
    if "head" in change:
        truth, score = truth[: change["head"]], score[: change["head"]]
    report = DecisionReport.from_predictions(truth, None, score, **options)
    assert words in " ".join(repr(report).split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"y_pred": None}, "needs y_pred, y_score or both; got neither"),
        ({"y_pred": None, "y_score": [0.1, 0.9, 0.2]}, "pos_label must name the positive class"),
        ({"target": "class"}, r"target must be one of \['auto'.*got 'class'"),
        ({"threshold": 0.5}, "pass one of the two"),
        ({"cost_matrix": lambda X: X}, "must be the same for all rows in a report"),
        ({"confidence_level": 2}, "confidence_level must be"),
        ({"y_score": np.ones((3, 5))}, r"one column, or one for each of the 2 classes"),
        ({"labels": ["a"]}, "not among"),
        ({"target": "numbers"}, "y_true must hold numbers"),
        ({"cost_matrix": [[0, 1], [5, 0]]}, "labels"),
        (
            {"y_pred": None, "y_score": [-1, 2, 0], "pos_label": "a", "cost_matrix": COST_AB},
            r"scores lie from -1 to 2, outside \[0, 1\]",
        ),
    ],
)
def test_mistakes_are_named(arguments, message):
    given = {"y_true": ["a", "b", "a"], "y_pred": ["a", "b", "b"]} | arguments
    with pytest.raises(ValueError, match=message):
        DecisionReport.from_predictions(**given)


def test_words_are_no_order_by_themselves():
    with pytest.raises(ValueError, match="alphabetical order would silently"):
        DecisionReport.from_predictions(["a", "b", "c"], ["a", "b", "c"], target="ordered")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "it is no JSON"),
        ("[]", "it is not one"),
        (
            '{"format": "skmetrics_ext.report.DecisionReport", "version": 9}',
            "version 9; 1 is known",
        ),
    ],
)
def test_no_receipt(text, message):
    with pytest.raises(ValueError, match=message):
        DecisionReport.from_json(text)


def test_an_edited_receipt_is_refused(rows):
    body = json.loads(made("answers", rows).to_json())
    body["evidence"]["counts"]["w"] = [[1.0, 2.0], [3.0, 4.0]]
    with pytest.raises(ValueError, match="checksum"):
        DecisionReport.from_json(json.dumps(body))


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_to_frame(backend, rows):
    report = made("answers", rows)
    frame = report.to_frame(backend)
    assert frame.shape[0] == len(report.numbers)


def test_save(tmp_path, rows):
    report = made("answers", rows)
    for name in ("a.json", "a.txt", "a.html"):
        report.save(tmp_path / name)
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == repr(report)
    assert DecisionReport.from_json((tmp_path / "a.json").read_text(encoding="utf-8"))
    with pytest.raises(ValueError, match=r"path must end in \.html, \.json, \.txt.*a\.pdf"):
        report.save("a.pdf")


def test_html_escapes_everything_and_asks_for_nothing(rows):
    hostile = "<script>alert(1)</script>"
    truth = np.where(rows[0] == "ill", hostile, "well")
    report = DecisionReport.from_predictions(
        truth, None, rows[1], pos_label=hostile, by=[hostile] * 300, title=hostile
    )
    page = report.to_html()
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    body = page.split("<body>")[1]
    assert page.count("<svg") == 4
    for outside in ('src="http', 'href="http', "url(http", "@import", '<link rel="style'):
        assert outside not in body
    ids = [part.split('"')[0] for part in page.split(' id="')[1:]]
    assert len(ids) == len(set(ids))
    assert report._repr_html_() in page


def test_without_matplotlib_the_page_says_so(rows, monkeypatch):
    monkeypatch.setattr("skmetrics_ext.report._pictures.find_spec", lambda name: None)
    page = made("answers", rows).to_html()
    assert "<svg" not in page
    assert "Pictures need matplotlib" in page


def test_without_jinja2_the_error_names_the_extra(rows, monkeypatch):
    monkeypatch.setattr("skmetrics_ext.report._html.find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"skmetrics-ext\[cli\]"):
        made("answers", rows).to_html()
