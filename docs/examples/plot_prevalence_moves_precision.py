"""
Prevalence moves precision
==========================

A test that finds 70 % of the ill and clears 80 % of the healthy, used on 10,000 people: where
every second is ill, four of five alarms are right; where one in a hundred is, one in thirty.
Recall and specificity stay, and precision does not: it belongs to the test *and* the population.
"""

from skmetrics_ext.counts import ConfusionCounts
from skmetrics_ext.display import PredictiveValueDisplay

published = [
    (0.5, 3500, 1000, 0.778, 0.727, 0.75),
    (0.1, 700, 1800, 0.28, 0.96, 0.79),
    (0.01, 70, 1980, 0.034, 0.996, 0.799),
]
people = 10_000
for prevalence, tp, fp, precision, npv, accuracy in published:
    ill = round(people * prevalence)
    counts = ConfusionCounts.from_cells(tp=tp, fn=ill - tp, fp=fp, tn=people - ill - fp)
    found = [
        counts.estimate(name) for name in ("precision", "negative_predictive_value", "accuracy")
    ]
    print(*found, sep="\n")
    assert [round(e.value, 3) for e in found] == [precision, npv, accuracy]

# %%
# One study is enough: what it found at its own prevalence is moved to another by Bayes' formula,
# with an interval.
study = ConfusionCounts.from_cells(tp=70, fn=30, fp=20, tn=80)
for prevalence, _, _, precision, *_ in published:
    moved = study.estimate("precision", prevalence=prevalence)
    print(moved)
    assert round(moved.value, 3) == precision

PredictiveValueDisplay.from_counts(study)
