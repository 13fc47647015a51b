"""Reports, differences between subgroups, frames and receipts."""

import json
import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from sklearn.exceptions import UndefinedMetricWarning

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.counts import ConfusionCounts, Estimate
from skmetrics_ext.intervals import wilson_limits

B = ConfusionCounts.from_cells(tp=80, fp=50, fn=20, tn=850)


def by_group() -> ConfusionCounts:
    truth = [1, 1, 1, 0, 0, 1, 0, 0]
    answer = [1, 0, 1, 0, 1, 1, 0, 0]
    return ConfusionCounts.from_predictions(
        truth, answer, by=["u", "u", "u", "u", "u", "v", "v", "v"]
    )


def test_a_report_is_one_estimate_per_metric() -> None:
    report = B.report()
    for estimate in report:
        assert estimate == B.estimate(estimate.metric)
    assert [e.metric for e in report][:2] == ["accuracy", "recall"]
    assert str(report).count("\n") == len(report) - 1


def test_a_report_per_subgroup_and_metric() -> None:
    report = by_group().report(["recall", "accuracy"])
    assert [(e.metric, e.group) for e in report] == [
        ("recall", "u"),
        ("recall", "v"),
        ("accuracy", "u"),
        ("accuracy", "v"),
    ]
    assert report[1].counts == "1/1"


def test_a_report_on_words_shows_both_classes_where_none_is_positive() -> None:
    counts = ConfusionCounts.from_predictions(["yes", "no", "yes"], ["yes", "no", "no"])
    shown = [(e.metric, e.pos_label) for e in counts.report(["recall", "accuracy"])]
    assert shown == [("recall", "no"), ("recall", "yes"), ("accuracy", None)]
    assert [e.pos_label for e in counts.report(["recall"], pos_label="yes")] == ["yes"]
    assert [e.pos_label for e in counts.binary("yes").report(["recall"])] == ["yes"]


def test_a_report_of_three_classes_in_order_has_kappa() -> None:
    counts = ConfusionCounts.from_matrix([[50, 8, 2], [6, 70, 14], [3, 9, 38]])
    assert "weighted_kappa" in {e.metric for e in counts.report()}
    words = ConfusionCounts.from_predictions(["a", "b", "c"], ["a", "b", "c"])
    assert "weighted_kappa" not in {e.metric for e in words.report()}


def test_a_report_without_intervals() -> None:
    assert all(e.low is None and e.se is None for e in B.report(confidence_level=None))
    assert str(B.estimate("recall", confidence_level=None)) == (
        "recall of 1 0.800 (80/100; prevalence 0.10)"
    )


def test_a_subgroup_without_positives_does_not_silence_the_others() -> None:
    counts = ConfusionCounts.from_predictions([1, 1, 0, 0], [1, 0, 0, 0], by=["u", "u", "u", "v"])
    with pytest.warns(UndefinedMetricWarning, match="recall is undefined.*set to 0.0"):
        found = counts.estimate("recall")
    assert [e.value for e in found] == [0.5, 0.0]
    assert found[0].low == pytest.approx(wilson_limits(0.5, 2, 1.959963984540054)[0])
    assert np.isnan(found[1].low)


# Newcombe (1998), table II, method 10, contrasts (a), (b), (c) and (g).
@pytest.mark.parametrize(
    ("a", "m", "b", "n", "low", "high"),
    [
        (56, 70, 48, 80, 0.0524, 0.3339),
        (9, 10, 3, 10, 0.1705, 0.8090),
        (6, 7, 2, 7, 0.0582, 0.8062),
        (10, 10, 0, 20, 0.6791, 1.0000),
    ],
)
def test_differences_of_proportions_are_newcombes(
    a: int, m: int, b: int, n: int, low: float, high: float
) -> None:
    answer = [1] * a + [0] * (m - a) + [1] * b + [0] * (n - b)
    counts = ConfusionCounts.from_predictions(
        [1] * (m + n), answer, labels=[0, 1], by=["a"] * m + ["b"] * n
    )
    found = counts.difference("a", "b", "recall")
    assert [found.low, found.high] == pytest.approx([low, high], abs=5.1e-5)
    assert found.value == pytest.approx(a / m - b / n)
    assert found.se == pytest.approx(np.sqrt(a * (m - a) / m**3 + b * (n - b) / n**3), abs=1e-12)


def test_differences_turn_round_with_the_groups() -> None:
    counts = by_group()
    for metric in ("accuracy", "matthews_corrcoef", "f1"):
        there, back = counts.difference("u", "v", metric), counts.difference("v", "u", metric)
        assert [there.value, there.low, there.high] == pytest.approx(
            [-back.value, -back.high, -back.low]
        )
        assert there.low < there.value < there.high


@pytest.mark.parametrize(
    ("groups", "options", "message"),
    [
        (("u", "w"), {}, r"no subgroup 'w'; the subgroups are \['u', 'v'\]"),
        (("u", "u"), {}, "must be two subgroups; both are 'u'"),
        (("u", "v"), {"average": None}, "average=None gives one value per class"),
    ],
)
def test_bad_differences(groups: tuple[str, str], options: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, KeyError), match=message):
        by_group().difference(*groups, "recall", **options)


def test_differences_need_subgroups() -> None:
    with pytest.raises(ValueError, match="count with by="):
        B.difference(0, 1, "recall")


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_frames(backend: str) -> None:
    frame = by_group().report(["recall", "accuracy"]).to_frame(backend)
    assert type(frame).__module__.split(".")[0] == backend
    assert frame.shape[0] == 4
    columns = frame.column_names if backend == "pyarrow" else list(frame.columns)
    assert columns[:5] == ["metric", "value", "n", "low", "high"]
    cells = by_group().to_frame(backend)
    names = cells.column_names if backend == "pyarrow" else list(cells.columns)
    assert names == ["group", "truth", "answer", "n", "w", "w2"]
    total = sum(cells["n"].to_pylist()) if backend == "pyarrow" else cells["n"].sum()
    assert total == 8


def test_a_frame_of_an_unknown_library() -> None:
    with pytest.raises(ValueError, match=r"backend must be one of \['pandas'.*got 'R'"):
        B.to_frame("R")


def test_mixed_labels_become_text_in_a_frame() -> None:
    frame = ConfusionCounts.from_matrix(np.eye(3, dtype=int)).binary(2).to_frame("polars")
    assert frame["truth"].to_list() == ["not 2", "not 2", "2", "2"]


RECEIPTS = {
    "plain": B,
    "words": ConfusionCounts.from_predictions(["a", "b"], ["a", "a"], sample_weight=[0.1, 0.7]),
    "groups": by_group(),
    "priors": B.at_priors([0.7, 0.3]),
    "binary": ConfusionCounts.from_matrix(np.eye(3, dtype=int)).binary(2),
    "declined": ConfusionCounts.from_predictions(["a", "b"], ["a", "r"], actions=["r"]),
    "bools": ConfusionCounts.from_predictions([True, False], [True, True]),
    "clusters": ConfusionCounts.from_predictions([0, 1, 1], [0, 1, 0], clusters=["p", "q", "q"]),
}


@pytest.mark.parametrize("name", RECEIPTS)
def test_receipts_come_back_as_they_were(name: str) -> None:
    counts = RECEIPTS[name]
    again = ConfusionCounts.from_json(counts.to_json())
    assert again == counts
    assert again.ordered == counts.ordered
    assert type(again.labels.tolist()[0]) is type(counts.labels.tolist()[0])
    if len(counts.actions) == len(counts.labels):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UndefinedMetricWarning)
            assert str(again.report()) == str(counts.report())


def test_a_receipt_tells_what_was_declared() -> None:
    cost = CostMatrix.binary(false_negative=100, false_positive=1, pos_label=1, neg_label=0)
    text = B.to_json(metric="expected_cost", cost_matrix=cost)
    again = ConfusionCounts.from_json(text)
    assert again.declared is not None
    assert again.declared["metric"] == "expected_cost"
    assert again.declared["cost_matrix"].to_array([1, 0]).tolist() == [[0.0, 1.0], [100.0, 0.0]]
    assert float(again.estimate(**again.declared)) == cost.mean_cost(B) == 2.05
    assert ConfusionCounts.from_json(again.to_json()).declared == again.declared


def test_a_receipt_edited_by_hand_is_refused() -> None:
    body = json.loads(B.to_json())
    body["n"][1][1] = 90
    with pytest.raises(ValueError, match="edited after it was written: its checksum"):
        ConfusionCounts.from_json(json.dumps(body))
    body = json.loads(B.to_json())
    del body["checksum"]
    with pytest.raises(ValueError, match="its checksum does not fit"):
        ConfusionCounts.from_json(json.dumps(body))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no json", "it is not JSON"),
        ("[]", "no receipt of ConfusionCounts"),
        ('{"kind": "skmetrics_ext.ConfusionCounts", "version": 99}', "version 99"),
    ],
)
def test_what_is_no_receipt(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ConfusionCounts.from_json(text)


def test_labels_that_json_cannot_hold() -> None:
    day = np.datetime64("2020-01-01")
    counts = ConfusionCounts.from_predictions([0, 1], [0, 1], by=np.array([day, day + 1]))
    with pytest.raises(TypeError, match="words, numbers and bools only"):
        counts.to_json()


def test_html_is_escaped() -> None:
    evil = "<script>alert(1)</script>"
    counts = ConfusionCounts.from_predictions([evil, "b"], [evil, evil], by=[evil, evil])
    for html in (counts._repr_html_(), counts.report(["recall"])._repr_html_()):
        assert "<script>" not in html
        assert "&lt;script&gt;" in html
        assert html.startswith(("<p>", "<table>"))


def test_estimates_are_plain_numbers_too() -> None:
    estimate = B.estimate("recall")
    assert isinstance(estimate, Estimate)
    assert float(estimate) == 0.8
    assert pickle.loads(pickle.dumps(estimate)) == estimate
    assert "80/100" in estimate._repr_html_()


def test_priors_of_the_published_table() -> None:
    # 10,000 people, sensitivity 0.7, specificity 0.8: precision, npv and accuracy by prevalence.
    counts = ConfusionCounts.from_cells(tp=700, fn=300, fp=200, tn=800)
    for prevalence, precision, npv, accuracy in [
        (0.5, 0.778, 0.727, 0.75),
        (0.1, 0.28, 0.96, 0.79),
        (0.01, 0.034, 0.996, 0.799),
    ]:
        at = counts.at_priors([1 - prevalence, prevalence])
        assert float(at.estimate("precision")) == pytest.approx(precision, abs=5e-4)
        assert float(at.estimate("negative_predictive_value")) == pytest.approx(npv, abs=5e-4)
        assert float(at.estimate("accuracy")) == pytest.approx(accuracy, abs=5e-4)
        stated = counts.estimate("precision", prevalence=prevalence)
        assert stated == at.estimate("precision")
        assert stated.prevalence == prevalence
        recall = counts.estimate("recall", prevalence=prevalence)
        assert (recall.low, recall.high) == pytest.approx(
            (counts.estimate("recall").low, counts.estimate("recall").high)
        )
        assert recall.counts == "700/1000"


def test_prevalence_keeps_the_other_classes_among_themselves() -> None:
    counts = ConfusionCounts.from_matrix([[50, 8, 2], [6, 70, 14], [3, 9, 38]])
    stated = counts.estimate("precision", pos_label=2, prevalence=0.1)
    priors = [0.9 * 60 / 150, 0.9 * 90 / 150, 0.1]
    assert stated.value == pytest.approx(
        float(counts.at_priors(priors).estimate("precision", pos_label=2))
    )
