"""
The lazy model
==============

One in a hundred is ill, and the model always says "healthy". It is right 99 times in a hundred,
and finds nobody. Accuracy praises it; recall, balanced accuracy, MCC and kappa do not.
"""

from skmetrics_ext.counts import ConfusionCounts
from skmetrics_ext.display import ConfusionCountsDisplay

lazy = ConfusionCounts.from_matrix([[99, 0], [1, 0]], labels=["healthy", "ill"])
ConfusionCountsDisplay.from_counts(lazy)

# %%
# The numbers, each with its counts and its interval.
names = ["accuracy", "recall", "balanced_accuracy", "matthews_corrcoef"]
report = lazy.report(names, pos_label="ill")
print(report)

assert [float(e) for e in report] == [0.99, 0.0, 0.5, 0.0]
assert lazy.estimate("weighted_kappa", weights=None).value == 0.0

# %%
# Three classes of 94, 3 and 3 rows, always the frequent one: micro and weighted averages are as
# blind as accuracy is, the macro average is not.
frequent = ConfusionCounts.from_matrix([[94, 0, 0], [3, 0, 0], [3, 0, 0]], labels=["a", "b", "c"])
print(frequent.estimate("accuracy"))
assert frequent.estimate("accuracy").value == 0.94
for average, published in [("micro", 0.94), ("weighted", 0.911), ("macro", 0.323)]:
    f1 = frequent.estimate("f1", average=average, zero_division=0.0)
    print(f1)
    assert round(f1.value, 3) == published

# %%
# And one that is not quite as lazy: 10,000 people, one in a hundred ill, half of the ill are
# found.
half = ConfusionCounts.from_cells(tp=50, fn=50, fp=100, tn=9800)
for name, published in [
    ("accuracy", 0.985),
    ("balanced_accuracy", 0.745),
    ("matthews_corrcoef", 0.401),
]:
    estimate = half.estimate(name)
    print(estimate)
    assert round(estimate.value, 3) == published
assert round(half.estimate("weighted_kappa", weights=None).value, 3) == 0.393
