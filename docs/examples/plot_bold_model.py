"""
The bold model
==============

Twenty patients, five answered wrongly, and every probability stated as 0.99 or 0.01. Three
quarters right is what accuracy says; the log loss is worse than that of a coin. The mistakes to
open first are the sure ones.
"""

import numpy as np
from sklearn.metrics import brier_score_loss, log_loss

from skmetrics_ext.counts import ConfusionCounts, ScoreCounts
from skmetrics_ext.display import CalibrationCountsDisplay
from skmetrics_ext.inspection import worst_errors

truth = np.repeat([0, 1], 10)
answer = truth.copy()
answer[[0, 1, 10, 11, 12]] ^= 1
bold = np.where(answer == 1, 0.99, 0.01)

accuracy = ConfusionCounts.from_predictions(truth, answer).estimate("accuracy")
print(accuracy)
assert accuracy.value == 0.75
assert round(log_loss(truth, bold), 3) == 1.159
assert round(brier_score_loss(truth, bold), 3) == 0.245
coin = log_loss(truth, np.full(20, 0.5))
print(f"log loss {log_loss(truth, bold):.3f}; a coin's {coin:.3f}")
assert log_loss(truth, bold) > coin

# %%
# The Brier score in its parts: the reliability is what calibration would repair.
print(ScoreCounts.from_predictions(truth, bold).brier_score())
CalibrationCountsDisplay.from_predictions(truth, bold)

# %%
# The rows.
print(worst_errors(truth, bold, n=5))
