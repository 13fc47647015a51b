"""
Four levers
===========

Change the metric, move the threshold, weight the classes, resample: the same folds, the same
model, and what each costs. Here moving the threshold does all that the others do, and leaves the
probabilities as they are.
"""

from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.display import IntervalDisplay
from skmetrics_ext.imbalance import compare_levers

X, y = make_classification(
    n_samples=5000, n_features=10, n_informative=5, weights=[0.966], flip_y=0.01, random_state=0
)
cost = CostMatrix.binary(false_negative=20, false_positive=1)
levers = compare_levers(LogisticRegression(), X, y, cost_matrix=cost, random_state=0)
print(levers)

# %%
rows = list(levers.rows)
IntervalDisplay.from_estimates([row.cost for row in rows], names=[row.name for row in rows])
assert levers["plain_cost"].cost.value < levers["plain_half"].cost.value
assert levers["weighted_corrected"].cost.value < levers["weighted_cost"].cost.value
assert levers["plain_cost"].cost.value < levers["weighted_corrected"].cost.value
assert levers["plain_cost"].cost.value < levers["resampled_corrected"].cost.value
