"""
The kappa paradox
=================

The same model, the same kind of mistake: in a fifth of the cases it slips by one class, up or down
as a coin falls, and where there is no further class it stays. Where the three classes are equally
frequent quadratic kappa is 0.9, where one of them is 98 % it is 0.47, and accuracy has hardly
moved. Kappa belongs to a model *and* a population; compare it within one population only.
"""

import numpy as np

from skmetrics_ext.counts import ConfusionCounts, kappa_by_priors, kappa_context
from skmetrics_ext.display import ConfusionCountsDisplay

slips = np.array([[0.9, 0.1, 0.0], [0.1, 0.8, 0.1], [0.0, 0.1, 0.9]])
labels = ["mild", "moderate", "severe"]
published = [
    ([1 / 3] * 3, 0.9, 0.87),
    ([0.9, 0.05, 0.05], 0.8, 0.895),
    ([0.98, 0.01, 0.01], 0.47, 0.9),
]
for priors, kappa, accuracy in published:
    table = (np.array(priors)[:, None] * slips * 30_000).round()
    counts = ConfusionCounts.from_matrix(table, labels=labels)
    found = counts.estimate("weighted_kappa"), counts.estimate("accuracy")
    print(*found, sep="\n")
    assert round(found[0].value, 2) == kappa
    assert round(found[1].value, 3 if accuracy == 0.895 else 2) == accuracy
ConfusionCountsDisplay.from_counts(counts)

# %%
# What this model's kappa would be in the other two populations, from the table of the last.
elsewhere = kappa_by_priors(counts, [[1 / 3, 1 / 3, 1 / 3], [0.9, 0.05, 0.05]])
print(elsewhere)
assert [round(e.value, 2) for e in elsewhere.kappa] == [0.9, 0.8]

# %%
# And how much of kappa the margins allow at all.
print(kappa_context(counts))
