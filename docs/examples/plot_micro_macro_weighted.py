"""
Micro, macro, weighted
======================

Triage of 200 patients into low, medium and high. Averages over classes answer different
questions: micro, "how often is a patient answered rightly?"; macro, "how well is a class served,
however rare?"; weighted, something between. And 20 patients: four averages of the same 20
answers.
"""

from skmetrics_ext.counts import ConfusionCounts
from skmetrics_ext.display import ConfusionCountsDisplay, IntervalDisplay

triage = ConfusionCounts.from_matrix(
    [[110, 9, 1], [8, 46, 6], [2, 8, 10]], labels=["low", "medium", "high"]
)
ConfusionCountsDisplay.from_counts(triage)

# %%
# One F1 per class, and three averages of them.
each = triage.estimate("f1", average=None)
averages = [triage.estimate("f1", average=name) for name in ("macro", "weighted", "micro")]
print(*each, *averages, sep="\n")
assert [round(e.value, 3) for e in each] == [0.917, 0.748, 0.541]
assert [round(e.value, 3) for e in averages] == [0.735, 0.828, 0.83]
IntervalDisplay.from_estimates([*each, *averages])

# %%
# Micro F1 is accuracy where every row gets one answer.
assert abs(averages[2].value - triage.estimate("accuracy").value) < 1e-12

# %%
# Twenty patients of two classes: none of these numbers is the truth, each is an answer to a
# question.
twenty = ConfusionCounts.from_matrix([[8, 2], [3, 7]], labels=[0, 1])
for name, params, published in [
    ("fbeta", {"beta": 0.5}, 0.761),
    ("f1", {}, 0.737),
    ("fbeta", {"beta": 2}, 0.714),
    ("accuracy", {}, 0.75),
    ("balanced_accuracy", {}, 0.75),
    ("matthews_corrcoef", {}, 0.503),
    ("weighted_kappa", {"weights": None}, 0.5),
]:
    estimate = twenty.estimate(name, **params)
    print(estimate)
    assert round(estimate.value, 3) == published
