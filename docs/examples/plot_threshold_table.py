"""
The threshold table
===================

Of the five nearest penguins so many are male: from how many on do we say "male"? Each answer to
that is a row of this table, and the choice between the rows is a choice between mistakes.
"""

from sklearn.model_selection import StratifiedKFold, cross_val_predict, train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skmetrics_ext.counts import ScoreCounts
from skmetrics_ext.datasets import load_penguins
from skmetrics_ext.display import ThresholdDisplay

penguins = load_penguins(as_frame=True).frame
train, _ = train_test_split(penguins, test_size=0.2, random_state=42, stratify=penguins["species"])
train = train.dropna(subset=["bill_length_mm", "sex"])
measures = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]
X, y = train[measures], train["sex"].astype(str)
neighbours = make_pipeline(StandardScaler(), KNeighborsClassifier(5))
folds = StratifiedKFold(5, shuffle=True, random_state=42)
share = cross_val_predict(neighbours, X, y, cv=folds, method="predict_proba")[:, 1].round(1)

# How many of the five are male, of the females and of the males.
votes = {sex: [int(((share == k / 5) & (y == sex)).sum()) for k in range(6)] for sex in set(y)}
print(votes)
assert votes == {"female": [80, 29, 9, 10, 1, 1], "male": [1, 3, 6, 16, 25, 83]}

# %%
# The table.
scores = ScoreCounts.from_predictions(y, share, pos_label="male")
table = scores.threshold_table([0.1, 0.3, 0.5, 0.7, 0.9])
print(table)

published = {
    "said_positive": [183, 151, 136, 110, 84],
    "false_alarms": [50, 21, 12, 2, 1],
    "missed": [1, 4, 10, 26, 51],
    "precision": [0.727, 0.861, 0.912, 0.982, 0.988],
    "recall": [0.993, 0.970, 0.925, 0.806, 0.619],
    "accuracy": [0.807, 0.905, 0.917, 0.894, 0.803],
}
for name, values in published.items():
    assert getattr(table, name).round(3).tolist() == values, name

# %%
# The same as a picture.
ThresholdDisplay.from_predictions(y, share, pos_label="male", metric=["precision", "recall"])

# %%
# The area under the ROC curve is 0.97.
print(scores.roc_auc())
assert round(scores.roc_auc().value, 2) == 0.97
