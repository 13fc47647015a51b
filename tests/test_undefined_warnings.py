"""A warning of an undefined value points at the line that asked for the value."""

import inspect
import warnings

import pytest
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import make_scorer

from skmetrics_ext.counts import (
    ConfusionCounts,
    PairedCounts,
    ScoreCounts,
    kappa_context,
    kappa_test,
    mean_interpolated_average_precision,
    paired_roc_auc,
)
from skmetrics_ext.metrics import (
    classwise_mean_absolute_error,
    cost_savings_score,
    gini_score,
    interpolated_average_precision_score,
    negative_predictive_value_score,
    weighted_kappa_score,
)

ALL_0 = [0, 0, 0]
COUNTS = ConfusionCounts.from_predictions(ALL_0, ALL_0, labels=[0, 1])
GROUPS = ConfusionCounts.from_predictions(
    [0, 0, 1, 1], [0, 0, 0, 1], labels=[0, 1], by=list("aabb")
)
PAIRS = PairedCounts.from_predictions(ALL_0, ALL_0, ALL_0, labels=[0, 1])
SCORES = ScoreCounts.from_predictions(ALL_0, [0.1, 0.2, 0.3], pos_label=1)
BY = ScoreCounts.from_predictions([0, 0, 1, 1], [0.1, 0.2, 0.3, 0.4], by=list("aabb"))

ASKED = {
    "estimate": lambda: COUNTS.estimate("recall"),
    "report": lambda: COUNTS.report(["recall"]),
    "groups": lambda: GROUPS.difference("a", "b", "recall"),
    "pairs": lambda: PAIRS.difference("recall"),
    "skipped class": lambda: classwise_mean_absolute_error([0, 0], [0, 2], labels=[0, 1, 2]),
    "metric": lambda: negative_predictive_value_score([1, 1], [1, 1], labels=[0, 1]),
    "kappa": lambda: weighted_kappa_score(ALL_0, ALL_0),
    "kappa test": lambda: kappa_test(COUNTS),
    "kappa context": lambda: kappa_context(COUNTS),
    "savings": lambda: cost_savings_score(ALL_0, ALL_0, labels=[0, 1]),
    "area": lambda: SCORES.roc_auc(),
    "average precision": lambda: SCORES.average_precision(),
    "score": lambda: gini_score(ALL_0, [0.1, 0.2, 0.3]),
    "precision": lambda: interpolated_average_precision_score(ALL_0, [0.1, 0.2, 0.3]),
    "mean": lambda: mean_interpolated_average_precision(BY),
    "areas": lambda: paired_roc_auc(ALL_0, [1, 2, 3], [1, 3, 2]),
}


@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_it_points_at_whoever_asked(ask):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        ask()
    undefined = [w for w in seen if issubclass(w.category, UndefinedMetricWarning)]
    assert undefined
    for warning in undefined:
        assert (warning.filename, warning.lineno) == (__file__, inspect.getsourcelines(ask)[1])


def test_from_within_another_library_it_points_there():
    always_1 = DummyClassifier().fit([[0], [1]], [1, 1])
    scorer = make_scorer(negative_predictive_value_score, labels=[0, 1])
    with pytest.warns(UndefinedMetricWarning) as seen:
        scorer(always_1, [[0], [1]], [1, 1])
    assert seen[0].filename.endswith("_scorer.py")
