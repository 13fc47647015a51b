"""
SMOTE before the split
======================

Neighbours of the test rows are made up from the test rows and put into the training rows. A
forest then looks nearly perfect; on rows that nobody touched it is not. The detector sees it in
the table. Rows that were only copied can still be scored honestly, by ``safe_splits``; made-up
ones cannot.
"""

from textwrap import fill

import matplotlib.pyplot as plt
import numpy as np
from imblearn.over_sampling import SMOTE, RandomOverSampler
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import average_precision_score
from sklearn.model_selection import StratifiedKFold, cross_val_score

from skmetrics_ext.imbalance import ResampledClassifier, find_resampling_leakage, safe_splits

X, y = make_classification(
    n_samples=3000, n_features=10, n_informative=5, weights=[0.966], flip_y=0.01, random_state=0
)
forest = RandomForestClassifier(50, min_samples_leaf=2, random_state=0)
folds = StratifiedKFold(3, shuffle=True, random_state=0)

X_made, y_made = SMOTE(random_state=0).fit_resample(X, y)
before = cross_val_score(forest, X_made, y_made, cv=folds, scoring="average_precision").mean()
inside = cross_val_score(
    ResampledClassifier(forest, sampler=SMOTE(random_state=0), correction="none"),
    X,
    y,
    cv=folds,
    scoring="average_precision",
).mean()
print(f"average precision: SMOTE before the split {before:.2f}, inside the folds {inside:.2f}")
assert before > 0.97 > 0.9 > inside

# %%
# The table itself gives it away.
findings = find_resampling_leakage(X_made, y_made, random_state=0)
print(*(fill(str(finding), 90) for finding in findings))
assert [finding.kind for finding in findings] == ["synthetic rows"]
assert len(find_resampling_leakage(X, y, random_state=0)) == 0

# %%
# A table with copied rows can be scored honestly: copies stay in one fold, and count once in all,
# by their weights.
X_copied, y_copied = RandomOverSampler(random_state=0).fit_resample(X, y)
naive = cross_val_score(forest, X_copied, y_copied, cv=folds, scoring="average_precision").mean()
safe = safe_splits(X_copied, y_copied, n_splits=3, random_state=0)
print(safe)
scores = []
for train, test in safe.split():
    fitted = clone(forest).fit(X_copied[train], y_copied[train])
    p = fitted.predict_proba(X_copied[test])[:, 1]
    weight = safe.sample_weight[test]
    scores.append(average_precision_score(y_copied[test], p, sample_weight=weight))
honest = np.mean(scores)
print(f"copies: split as they are {naive:.2f}, by safe_splits {honest:.2f}")
assert naive > 0.97 > 0.9 > honest

# %%
names = ["SMOTE before the split", "SMOTE inside the folds", "copies before", "copies, safe_splits"]
fig, ax = plt.subplots(figsize=(6, 3), layout="constrained")
ax.barh(names, [before, inside, naive, honest], color=["#D55E00", "#0072B2"] * 2)
ax.set(xlabel="average precision", xlim=(0, 1))
ax.invert_yaxis()
