"""
Declining to answer
===================

Of five neighbours three are male and two are female: must the model answer? Answering all 264
penguins it is wrong on 22. If it declines where fewer than four of the five agree, 41 get no
answer, and of the 223 that get one 6 are wrong.
"""

import numpy as np
from sklearn.model_selection import StratifiedKFold, cross_val_predict, train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skmetrics_ext.counts import ConfusionCounts
from skmetrics_ext.datasets import load_penguins
from skmetrics_ext.display import RiskCoverageDisplay

penguins = load_penguins(as_frame=True).frame
train, _ = train_test_split(penguins, test_size=0.2, random_state=42, stratify=penguins["species"])
train = train.dropna(subset=["bill_length_mm", "sex"])
measures = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]
X, y = train[measures], train["sex"].astype(str)
neighbours = make_pipeline(StandardScaler(), KNeighborsClassifier(5))
folds = StratifiedKFold(5, shuffle=True, random_state=42)
proba = cross_val_predict(neighbours, X, y, cv=folds, method="predict_proba").round(1)

most, likelier = proba.max(axis=1), np.where(proba[:, 1] >= 0.5, "male", "female")
assert (likelier != y).sum() == 22
answer = np.where(most < 0.8, "declined", likelier)
counts = ConfusionCounts.from_predictions(y, answer, actions=["declined"])
print(counts)

# %%
# Two honest ways to count a declined row: not at all, or as wrong.
answered = counts.estimate("accuracy", on="answered")
print(answered)
print(counts.estimate("accuracy", on="all"))
assert answered.declined == 41
assert (answered.denominator, answered.denominator - answered.numerator) == (223, 6)
assert round(answered.value, 2) == 0.97
assert round(answered.declined / 264, 2) == 0.16

# %%
# All trade-offs between answering much and answering right.
RiskCoverageDisplay.from_predictions(y, likelier, most)

# %%
# Whether declining pays is a matter of costs: to decline is an action with a price, and
# :class:`~skmetrics_ext.decision.CostThresholdClassifier` takes it where it is the cheapest.
