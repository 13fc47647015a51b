"""
How many penguins is one percent?
=================================

Five folds of some 53 penguins: one penguin is two percentage points. The sex is told from four
measures by the five nearest neighbours, and 242 of 264 are right. The standard error of that
share is 1.7 points, so that the second decimal of an accuracy here says little, and a third
nothing.
"""

import numpy as np
from sklearn.model_selection import StratifiedKFold, cross_val_predict, train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skmetrics_ext.counts import ConfusionCounts
from skmetrics_ext.datasets import load_penguins
from skmetrics_ext.display import IntervalDisplay

penguins = load_penguins(as_frame=True).frame
train, _ = train_test_split(penguins, test_size=0.2, random_state=42, stratify=penguins["species"])
train = train.dropna(subset=["bill_length_mm", "sex"])
measures = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]
X, y = train[measures], train["sex"].astype(str)
folds = StratifiedKFold(5, shuffle=True, random_state=42)
neighbours = make_pipeline(StandardScaler(), KNeighborsClassifier(5))
proba = cross_val_predict(neighbours, X, y, cv=folds, method="predict_proba").round(1)
answer = np.where(proba[:, 1] >= 0.5, "male", "female")

counts = ConfusionCounts.from_predictions(y, answer)
assert counts.n.tolist() == [[118, 12], [10, 124]]
accuracy = counts.estimate("accuracy")
print(accuracy)
assert round(accuracy.se, 3) == 0.017

# %%
# The folds: counts, not percentages, show that the differences between them are a penguin or
# three.
fold = np.empty(len(y), dtype=int)
for number, (_, test) in enumerate(folds.split(X, y)):
    fold[test] = number
by_fold = ConfusionCounts.from_predictions(y, answer, by=fold).estimate("accuracy")
print([f"{e.numerator:.0f}/{e.denominator:.0f}" for e in by_fold])
assert [int(e.numerator) for e in by_fold] == [50, 48, 50, 47, 47]
assert [int(e.denominator) for e in by_fold] == [53, 53, 53, 53, 52]
IntervalDisplay.from_estimates(
    [*by_fold, accuracy], names=[*(f"fold {k + 1}" for k in range(5)), "all 264"]
)
