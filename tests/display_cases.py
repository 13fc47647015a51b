"""What the tests of the pictures draw: every display in its situations, plain and hard ones."""

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression

from skmetrics_ext import display
from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.counts import ConfusionCounts, Estimate, PairedCounts, ScoreCounts

LONG = "a name that is much too long for any cell of a table and goes on"
KINDS = [
    "T-shirt or top",
    "trousers",
    "pullover with a hood",
    "dress",
    "coat",
    "sandal",
    "shirt",
    "trainers",
    "bag",
    "ankle boot, waterproof",
]


def rows(n=300, *, share=0.3, shift=-1.2, seed=0):
    """Truths (bool) and probabilities that rank well and are not calibrated."""
    rng = np.random.default_rng(seed)
    y = rng.random(n) < share
    score = 1 / (1 + np.exp(-(rng.normal(size=n) + 2.2 * y + shift)))
    return y, score


def words(y, positive="malignant", negative="benign"):
    return np.where(y, positive, negative)


Y, SCORE = rows()
WORDS = words(Y)
ANSWERS = words(SCORE >= 0.5)
RARE_Y, RARE_SCORE = rows(20_000, share=0.005, shift=-7)
CONFIDENCE = np.maximum(SCORE, 1 - SCORE)
MALIGNANT = {"pos_label": "malignant"}
FRAME = pd.DataFrame({"x": SCORE, "noise": np.random.default_rng(1).normal(size=len(Y))})
MODEL = LogisticRegression().fit(FRAME, WORDS)


def costs(false_negative, **more):
    return CostMatrix.binary(false_negative=false_negative, pos_label="malignant", **more)


def of_many_classes(n_classes, labels=None, n=20_000):
    rng = np.random.default_rng(2)
    y = rng.integers(0, n_classes, n)
    answer = np.where(rng.random(n) < 0.8, y, rng.integers(0, n_classes, n))
    if labels is None:
        return ConfusionCounts.from_predictions(y, answer)
    names = np.array(labels)
    return ConfusionCounts.from_predictions(names[y], names[answer], labels=labels)


# The constructor calls that every display has, on the same rows; `ax` is added by the tests.
FROM_PREDICTIONS = {
    "ConfusionCountsDisplay": ((WORDS, ANSWERS), {}),
    "ThresholdDisplay": ((WORDS, SCORE), MALIGNANT),
    "CostCurveDisplay": ((WORDS, SCORE), MALIGNANT),
    "DecisionCurveDisplay": ((WORDS, SCORE), MALIGNANT),
    "PredictiveValueDisplay": ((WORDS, ANSWERS), MALIGNANT),
    "RiskCoverageDisplay": ((WORDS, ANSWERS, CONFIDENCE), {}),
    "CalibrationCountsDisplay": ((WORDS, SCORE), MALIGNANT),
    "IntervalDisplay": ((WORDS, ANSWERS), MALIGNANT),
}
OF_SCORES = ["ThresholdDisplay", "CostCurveDisplay", "DecisionCurveDisplay"]
OF_SCORES += ["CalibrationCountsDisplay"]
OF_LABELS = ["ConfusionCountsDisplay", "PredictiveValueDisplay", "IntervalDisplay"]

UNDEFINED = Estimate("precision", np.nan, 40, low=np.nan, high=np.nan, confidence_level=0.95)
ENDLESS = Estimate("positive_likelihood_ratio", 8.0, 40, low=3.4, high=np.inf, pos_label=1)


def two_models(cls, **options):
    first = cls.from_predictions(WORDS, SCORE, **MALIGNANT, name="logistic regression", **options)
    noisy = np.clip(SCORE + np.random.default_rng(3).normal(size=len(SCORE)) / 5, 0, 1)
    return cls.from_predictions(
        WORDS, noisy, **MALIGNANT, name="a forest of very many trees", ax=first.ax_
    )


SITUATIONS = {
    "table of two": lambda: display.ConfusionCountsDisplay.from_predictions(WORDS, ANSWERS),
    "table of ten": lambda: display.ConfusionCountsDisplay.from_counts(of_many_classes(10)),
    "table of ten long names": lambda: display.ConfusionCountsDisplay.from_counts(
        of_many_classes(10, KINDS)
    ),
    "table of ten, many rows": lambda: display.ConfusionCountsDisplay.from_counts(
        ConfusionCounts.from_matrix(of_many_classes(10).n * 100 + 7, labels=KINDS)
    ),
    "table with an absent class": lambda: display.ConfusionCountsDisplay.from_predictions(
        [LONG, "b"] * 20, ["b", "b"] * 20, labels=[LONG, "b", "never seen"]
    ),
    "table of a rare class": lambda: display.ConfusionCountsDisplay.from_counts(
        ConfusionCounts.from_matrix([[9_998_000, 1000], [3, 7]], labels=["legit", "fraud"])
    ),
    "table with weights and an action": lambda: display.ConfusionCountsDisplay.from_predictions(
        ["low", "mid", "high"] * 20,
        ["low", "mid", "refer"] * 10 + ["mid", "mid", "high"] * 10,
        labels=["low", "mid", "high"],
        actions=["refer"],
        sample_weight=np.random.default_rng(4).random(60),
    ),
    "thresholds, metrics": lambda: display.ThresholdDisplay.from_predictions(
        WORDS,
        SCORE,
        **MALIGNANT,
        metric=["precision", "recall", "f1"],
        threshold=0.52,
        threshold_interval=(0.41, 0.6),
    ),
    "thresholds, tiny cost": lambda: display.ThresholdDisplay.from_predictions(
        WORDS,
        SCORE,
        **MALIGNANT,
        cost_matrix=costs(100),
        threshold=0.01,
        threshold_interval=(0.004, 0.05),
    ),
    "thresholds, tiny cost, even axis": lambda: display.ThresholdDisplay.from_predictions(
        WORDS,
        SCORE,
        **MALIGNANT,
        cost_matrix=costs(100),
        threshold=0.01,
        threshold_interval=(0.004, 0.05),
        xscale="linear",
    ),
    "thresholds, all alike": lambda: display.ThresholdDisplay.from_predictions(
        WORDS,
        SCORE,
        **MALIGNANT,
        cost_matrix=costs(1.02),
        threshold=0.505,
        threshold_interval=(0.1, np.inf),
    ),
    "thresholds at the right": lambda: display.ThresholdDisplay.from_predictions(
        WORDS,
        SCORE,
        **MALIGNANT,
        cost_matrix=costs(1 / 30),
        threshold=0.97,
        xscale="linear",
    ),
    "thresholds, rare": lambda: display.ThresholdDisplay.from_predictions(
        RARE_Y, RARE_SCORE, cost_matrix=CostMatrix.binary(false_negative=5000), threshold=3e-4
    ),
    "thresholds, decision function": lambda: display.ThresholdDisplay.from_predictions(
        Y, np.log(SCORE / (1 - SCORE)), metric="matthews_corrcoef", threshold=np.inf
    ),
    "thresholds, dear mistakes": lambda: display.ThresholdDisplay.from_predictions(
        WORDS, SCORE, **MALIGNANT, cost_matrix=costs(2_500_000, false_positive=120_000)
    ),
    "thresholds, long name": lambda: display.ThresholdDisplay.from_predictions(
        words(Y, LONG), SCORE, pos_label=LONG
    ),
    "cost curve": lambda: display.CostCurveDisplay.from_predictions(
        WORDS, SCORE, **MALIGNANT, cost_matrix=costs(100)
    ),
    "cost curve of proportions": lambda: display.CostCurveDisplay.from_predictions(
        WORDS,
        SCORE,
        **MALIGNANT,
        cost_matrix=costs(100),
        space="cost_proportion",
        threshold_lines=True,
    ),
    "cost curves of two": lambda: two_models(display.CostCurveDisplay, cost_matrix=costs(2)),
    "cost curve, rare": lambda: display.CostCurveDisplay.from_predictions(
        RARE_Y, RARE_SCORE, cost_matrix=CostMatrix.binary(false_negative=200)
    ),
    "decision curve": lambda: display.DecisionCurveDisplay.from_predictions(
        WORDS, SCORE, **MALIGNANT, cost_matrix=costs(9)
    ),
    "decision curves of two": lambda: two_models(display.DecisionCurveDisplay),
    "decision curve, rare": lambda: display.DecisionCurveDisplay.from_predictions(
        RARE_Y, RARE_SCORE, cost_matrix=CostMatrix.binary(false_negative=500)
    ),
    "predictive values": lambda: display.PredictiveValueDisplay.from_predictions(
        WORDS, ANSWERS, **MALIGNANT
    ),
    "predictive values, rare": lambda: display.PredictiveValueDisplay.from_counts(
        ConfusionCounts.from_cells(tp=3, fp=40, fn=1, tn=200_000)
    ),
    "predictive values, none positive": lambda: display.PredictiveValueDisplay.from_counts(
        ConfusionCounts.from_cells(tp=0, fp=0, fn=5, tn=40), xscale="linear"
    ),
    "risk and coverage": lambda: display.RiskCoverageDisplay.from_predictions(
        WORDS, ANSWERS, CONFIDENCE
    ),
    "risk and coverage of two": lambda: display.RiskCoverageDisplay.from_predictions(
        WORDS,
        ANSWERS,
        np.random.default_rng(5).random(len(WORDS)),
        name="no idea",
        ax=display.RiskCoverageDisplay.from_predictions(WORDS, ANSWERS, CONFIDENCE).ax_,
    ),
    "risk without a mistake": lambda: display.RiskCoverageDisplay.from_predictions(
        WORDS, WORDS, CONFIDENCE
    ),
    "calibration": lambda: display.CalibrationCountsDisplay.from_predictions(
        WORDS, SCORE, **MALIGNANT
    ),
    "calibration in twenty bins": lambda: display.CalibrationCountsDisplay.from_predictions(
        Y, SCORE, bins=20
    ),
    "calibration in narrow bins": lambda: display.CalibrationCountsDisplay.from_predictions(
        Y, SCORE, bins=[0, *np.quantile(SCORE, np.arange(1, 40) / 40), 1]
    ),
    "calibration, rare": lambda: display.CalibrationCountsDisplay.from_predictions(
        RARE_Y, RARE_SCORE, bins=[0, *np.quantile(RARE_SCORE, np.arange(1, 10) / 10), 1]
    ),
    "calibration in one bin": lambda: display.CalibrationCountsDisplay.from_predictions(
        RARE_Y, RARE_SCORE
    ),
    "intervals": lambda: display.IntervalDisplay.from_predictions(WORDS, ANSWERS, **MALIGNANT),
    "intervals of classes": lambda: display.IntervalDisplay.from_counts(
        of_many_classes(10, KINDS), ["recall"]
    ),
    "intervals without ends": lambda: display.IntervalDisplay.from_estimates(
        [ENDLESS, UNDEFINED], reference=1.0
    ),
    "intervals, none defined": lambda: display.IntervalDisplay.from_estimates([UNDEFINED]),
    "intervals of differences": lambda: display.IntervalDisplay.from_estimates(
        [
            PairedCounts.from_predictions(Y, SCORE > 0.5, SCORE > 0.4).difference(name)
            for name in ("recall", "specificity")
        ],
        reference=0,
    ),
}


def score_counts(**more):
    return ScoreCounts.from_predictions(WORDS, SCORE, **MALIGNANT, **more)
