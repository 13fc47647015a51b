"""
Thresholds from costs, and from gains
=====================================

A missed case costs 100 and a false alarm 1: answer "positive" from 1 % on. With Elkan's
c[answer, truth] the threshold is ``(c10 - c00) / ((c10 - c00) + (c01 - c11))``; gains are costs
with the other sign.
"""

import numpy as np
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.decision import CostThresholdClassifier
from skmetrics_ext.display import ThresholdDisplay
from skmetrics_ext.metrics import expected_cost_loss

cost = CostMatrix.binary(false_negative=100, false_positive=1)
print(cost)
assert round(float(cost.threshold), 8) == 0.00990099

# %%
# A campaign: a call costs 2, and one to somebody who buys brings 50. Said as gains, the same
# formula has the threshold 2 / 50.
gains = CostMatrix.from_gains([[0, 0], [-2, 48]], labels=[0, 1])
print(gains)
assert np.isclose(float(gains.threshold), 2 / 50)

# %%
# On rows that the model has not seen, the threshold that follows from the costs is near the
# cheapest one.
X, y = make_classification(8000, n_informative=4, weights=[0.9], random_state=1)
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)
cost = CostMatrix.binary(false_negative=20, false_positive=1)
model = CostThresholdClassifier(LogisticRegression(), cost_matrix=cost).fit(X_train, y_train)
p = model.predict_proba(X_test)[:, 1]
ThresholdDisplay.from_predictions(y_test, p, cost_matrix=cost)

at_half = expected_cost_loss(y_test, (p >= 0.5).astype(int), cost_matrix=cost)
by_cost = expected_cost_loss(y_test, model.predict(X_test), cost_matrix=cost)
print(f"at 0.5: {at_half:.3f} a row, at {model.threshold_:.3f}: {by_cost:.3f}")
assert by_cost < at_half
