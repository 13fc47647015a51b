"""What objects carry beside their numbers (names, masks, actions) is used, never dropped."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.counts import ConfusionCounts, ScoreCounts, kappa_by_priors
from skmetrics_ext.decision import CostThresholdClassifier, PriorCorrectedClassifier
from skmetrics_ext.metrics import (
    expected_cost_loss,
    get_metric_scorer,
    interpolated_average_precision_score,
    weighted_kappa_score,
)

COUNTS = ConfusionCounts.from_predictions(["n"] * 90 + ["p"] * 10, ["n"] * 80 + ["p"] * 20)
SHARES = pd.Series(["p"] * 700 + ["n"] * 300).value_counts(normalize=True)


def test_priors_of_a_series_go_by_its_index() -> None:
    assert SHARES.index.tolist() == ["p", "n"]  # sorted by frequency, not by label
    assert COUNTS.at_priors(SHARES).priors.tolist() == pytest.approx([0.3, 0.7])
    numbers = ConfusionCounts.from_matrix([[8, 2], [3, 7]])
    by_index = kappa_by_priors(numbers, [pd.Series({1: 0.1, 0: 0.9})])
    assert float(by_index[0]) == float(kappa_by_priors(numbers, [[0.9, 0.1]])[0])


def test_priors_that_are_no_numbers() -> None:
    with pytest.raises(ValueError, match="priors must hold a number for each class; got 'x'"):
        COUNTS.at_priors("x")


def test_a_crosstab_keeps_its_names() -> None:
    truth, answer = pd.Series(["n", "n", "p"]), pd.Series(["n", "p", "p"])
    table = pd.crosstab(truth, answer)
    assert ConfusionCounts.from_matrix(table).labels.tolist() == ["n", "p"]
    with pytest.raises(ValueError, match=r"columns are named \['p', 'n'\], which is not the order"):
        ConfusionCounts.from_matrix(table[["p", "n"]], labels=["n", "p"])
    with pytest.raises(ValueError, match=r"rows are named \['p', 'n'\]"):
        ConfusionCounts.from_matrix(table.loc[["p", "n"]])
    assert ConfusionCounts.from_matrix(pd.DataFrame([[1, 2], [3, 4]])).labels.tolist() == [0, 1]
    with pytest.raises(ValueError, match=r"columns are named \['p', 'n'\]"):
        ConfusionCounts.from_matrix(pl.DataFrame({"p": [1, 2], "n": [3, 4]}), labels=["n", "p"])


@pytest.mark.parametrize(
    "make", [CostMatrix, CostMatrix.from_confusion_layout, CostMatrix.from_gains]
)
def test_frames_of_costs_keep_their_names(make: type[CostMatrix]) -> None:
    frame = pd.DataFrame([[0, 1], [5, 0]], index=["n", "p"], columns=["n", "p"])
    assert make(frame) == make(frame.to_numpy(), labels=["n", "p"])
    with pytest.raises(ValueError, match="is a frame whose columns are named"):
        make(frame[["p", "n"]], labels=["n", "p"])
    with pytest.raises(ValueError, match="is a frame whose rows are named"):
        make(frame[["p", "n"]])


def test_frames_of_costs_in_estimate() -> None:
    frame = pd.DataFrame([[0, 1], [5, 0]], index=["n", "p"], columns=["n", "p"])
    expected = float(COUNTS.estimate("expected_cost", cost_matrix=CostMatrix(frame)))
    assert float(COUNTS.estimate("expected_cost", cost_matrix=frame)) == expected
    with pytest.raises(ValueError, match="cost_matrix is a frame whose columns are named"):
        COUNTS.estimate("expected_cost", cost_matrix=frame.loc[["p", "n"], ["p", "n"]])
    with pytest.raises(ValueError, match=r"cost_matrix must be a CostMatrix or a rectangular.*'x'"):
        COUNTS.estimate("expected_cost", cost_matrix="x")


def test_masked_values_are_missing_ones() -> None:
    masked = np.ma.array([0, 1, 1, 0], mask=[0, 0, 1, 0])
    whole = np.ma.array([0, 1, 1, 0])
    for count in (
        lambda y: ConfusionCounts.from_predictions(y, [0, 1, 0, 1]),
        lambda y: ConfusionCounts.from_predictions([0, 1, 0, 1], [0, 1, 0, 1], by=y),
        lambda y: ConfusionCounts.from_predictions([0, 1, 0, 1], [0, 1, 0, 1], sample_weight=y),
        lambda y: ScoreCounts.from_predictions([0, 1, 0, 1], y),
    ):
        count(whole)
        with pytest.raises(ValueError, match=r"1 missing value \(NaN or None\)"):
            count(masked)


def test_more_rows_than_there_are_integers() -> None:
    with pytest.raises(ValueError, match=r"fewer than 2\*\*53 rows"):
        ConfusionCounts.from_cells(tp=10**19, fp=1, fn=1, tn=10**19)


def test_interpolated_average_precision_knows_no_unit_of_weight() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    score = np.round(rng.random(200) + 0.3 * y, 1)
    w = rng.integers(0, 3, 200).astype(float)
    values = [
        interpolated_average_precision_score(y, score, sample_weight=w * k)
        for k in (1, 2, 3.7, 0.1, 1 / 3)
    ]
    assert values == pytest.approx([values[0]] * 5, abs=1e-12)


def test_days_are_labels_too() -> None:
    days = np.array(["2020-01-01", "2020-01-02"], dtype="M8[D]")
    assert ConfusionCounts.from_predictions(days, days).n.tolist() == [[1, 0], [0, 1]]
    assert ConfusionCounts.from_predictions(days.astype("M8[ns]"), days).n.trace() == 2
    with pytest.raises(ValueError, match="finer than a microsecond"):
        ConfusionCounts.from_predictions(days.astype("M8[ns]") + 1, days)


def test_a_receipt_of_words_recomputes_its_costs() -> None:
    counts = ConfusionCounts.from_predictions(list("abr"), list("aar"), actions=None)
    cost = CostMatrix.from_dict(
        {(p, t): 1 + 3 * (t == "b") for p in "abr" for t in "abr" if p != t}, labels=list("rba")
    )
    again = ConfusionCounts.from_json(counts.to_json(metric="expected_cost", cost_matrix=cost))
    expected = expected_cost_loss(list("abr"), list("aar"), cost_matrix=cost)
    assert float(again.estimate(**again.declared)) == expected
    assert ConfusionCounts.from_json(again.to_json()).declared == again.declared
    with pytest.raises(ValueError, match="unknown metric 'foo'"):
        counts.to_json(metric="foo")


def test_scorers_know_that_to_decline_is_no_class() -> None:
    X, y = make_classification(900, 8, n_informative=5, n_classes=3, random_state=1)
    cost = CostMatrix(1 - np.eye(3), labels=[0, 1, 2]).with_action(-1, cost=0.4)
    model = CostThresholdClassifier(LogisticRegression(), cost_matrix=cost).fit(X, y)
    searched = GridSearchCV(model, {"estimator__C": [1.0]}, cv=2, scoring="accuracy").fit(X, y)
    counts = ConfusionCounts.from_predictions(y, model.predict(X), actions=[-1])
    for on in ("answered", "all"):
        for name, params in [("recall", {"average": "macro"}), ("geometric_mean", {})]:
            expected = float(counts.estimate(name, on=on, **params))
            for estimator in (model, searched):
                assert get_metric_scorer(name, on=on, **params)(estimator, X, y) == expected
        with pytest.raises(ValueError, match="on must be None or one of"):
            get_metric_scorer("accuracy", on="some")(model, X, y)
    for name in ("one_off_accuracy", "weighted_kappa", "classwise_mean_absolute_error"):
        with pytest.raises(ValueError, match=r"the answers \[-1\] are no class.*on='answered'"):
            get_metric_scorer(name)(model, X, y)
    costs = get_metric_scorer("expected_cost", cost_matrix=cost)(model, X, y)
    assert costs == -float(counts.estimate("expected_cost", cost_matrix=cost))


def test_kappa_of_masked_labels() -> None:
    with pytest.raises(ValueError, match="y_true has 1 missing value"):
        weighted_kappa_score(np.ma.array([0, 1], mask=[1, 0]), [0, 1])


def test_class_weights_are_not_taken_for_the_shares_of_y() -> None:
    X, y = make_classification(400, weights=[0.9], random_state=0)
    weighted = LogisticRegression(class_weight="balanced")
    with pytest.raises(ValueError, match="training_priors"):
        PriorCorrectedClassifier(weighted, target_priors={0: 0.5, 1: 0.5}).fit(X, y)
    alike = LogisticRegression(class_weight={0: 1, 1: 1})  # changes nothing: nothing to say
    PriorCorrectedClassifier(alike, target_priors={0: 0.5, 1: 0.5}).fit(X, y)
    CostThresholdClassifier(alike, cost_matrix=CostMatrix.binary(false_negative=5)).fit(X, y)


def test_estimates_format_and_round_as_numbers() -> None:
    estimate = ConfusionCounts.from_cells(tp=2, fp=0, fn=1, tn=0).estimate("recall")
    assert (f"{estimate:.2f}", round(estimate, 1)) == ("0.67", 0.7)
    assert f"{estimate}" == str(estimate)


@pytest.mark.parametrize("weight", [1e-300, 1e300])
def test_weights_that_cannot_be_squared(weight: float) -> None:
    with pytest.raises(ValueError, match="sample_weight must be of a size that can be squared"):
        ConfusionCounts.from_predictions([0, 1], [0, 1], sample_weight=[weight] * 2)


@pytest.mark.parametrize("n_resamples", [0, 1.5, True])
def test_bad_resamples(n_resamples: object) -> None:
    with pytest.raises(ValueError, match="n_resamples must be a whole number, 2 or more"):
        COUNTS.estimate("accuracy", method="bootstrap", n_resamples=n_resamples)
