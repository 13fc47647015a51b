"""
Is the score a probability?
===========================

Of the rows of which a model says "positive with 80 %", 80 % should be positive. The calibration
table counts them. With class weights the ranking stays, and the numbers are no probabilities any
more.
"""

import numpy as np
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score

from skmetrics_ext.counts import ScoreCounts
from skmetrics_ext.display import CalibrationCountsDisplay

X, y = make_classification(
    n_samples=5000, n_features=10, n_informative=5, weights=[0.966], flip_y=0.01, random_state=0
)
plain = LogisticRegression().fit(X, y).predict_proba(X)[:, 1]
balanced = LogisticRegression(class_weight="balanced").fit(X, y).predict_proba(X)[:, 1]

print(ScoreCounts.from_predictions(y, balanced).calibration_table(5))
CalibrationCountsDisplay.from_predictions(y, balanced)

# %%
# Without the weights.
CalibrationCountsDisplay.from_predictions(y, plain)

# %%
# The ranking is as good, the probabilities are not: their mean is 0.25 where 3.9 % are positive.
print(f"AUC {roc_auc_score(y, plain):.3f} and {roc_auc_score(y, balanced):.3f}")
print(f"Brier {brier_score_loss(y, plain):.3f} and {brier_score_loss(y, balanced):.3f}")
assert abs(roc_auc_score(y, plain) - roc_auc_score(y, balanced)) < 0.01
assert round(y.mean(), 3) == 0.039
assert round(plain.mean(), 3) == 0.039
assert round(balanced.mean(), 3) == 0.252
assert brier_score_loss(y, plain) < brier_score_loss(y, balanced)

# %%
# What a single row adds: the log loss of a bold mistake has no limit, its Brier score ends at 1.
for p, truth, logarithmic, squared in [
    (0.95, 1, 0.051, 0.0025),
    (0.75, 0, 1.386, 0.5625),
    (0.2, 1, 1.609, 0.64),
]:
    assert round(log_loss([truth], [[1 - p, p]], labels=[0, 1]), 3) == logarithmic
    assert np.isclose((truth - p) ** 2, squared)
