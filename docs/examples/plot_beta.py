"""
Beta moves the operating point
==============================

F-beta weighs recall beta times as much as precision, and so it moves the threshold that is best:
the dearer a miss, the lower. Not reproducible is a published example, the best thresholds 0.45,
0.35 and 0.20 for F0.5, F1 and F2 on twenty patients: their scores were not printed. The data here
are our own, and show the same effect.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression

from skmetrics_ext.counts import ScoreCounts
from skmetrics_ext.decision import ExactThresholdClassifierCV
from skmetrics_ext.metrics import get_metric_scorer

X, y = make_classification(2000, n_informative=4, weights=[0.8], flip_y=0.1, random_state=3)
model = LogisticRegression().fit(X, y)
counts = ScoreCounts.from_predictions(y, model.predict_proba(X)[:, 1])

fig, ax = plt.subplots(figsize=(6, 4))
best = []
for beta, style in [(0.5, "-"), (1, "--"), (2, ":")]:
    thresholds, values = counts.metric_curve("fbeta", beta=beta)
    ax.plot(thresholds[1:], values[1:], style, label=f"F{beta:g}")
    best.append(thresholds[1:][np.nanargmax(values[1:])])
    ax.plot(best[-1], np.nanmax(values[1:]), "ko", markersize=4)
ax.set(xlabel="threshold", ylabel="F-beta", xlim=(0, 1))
ax.legend(title="best cut: dot")
print({beta: round(float(cut), 3) for beta, cut in zip((0.5, 1, 2), best, strict=True)})
assert best[0] > best[1] > best[2]

# %%
# The search finds the same cuts.
for beta, cut in zip((0.5, 1, 2), best, strict=True):
    search = ExactThresholdClassifierCV(
        model, scoring=get_metric_scorer("fbeta", beta=beta), cv="prefit", refit=False
    ).fit(X, y)
    at_cut = counts.threshold_table([cut, search.best_threshold_])
    assert at_cut.said_positive[0] == at_cut.said_positive[1]
