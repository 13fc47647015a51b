"""
SMOTE before the split
======================

Neighbours of the test rows are made up from the test rows and put into the training rows. A
forest then looks nearly perfect; on rows that nobody touched it is not. The detector sees it in
the table, and `safe_splits` scores copied rows honestly.
"""

from imblearn.over_sampling import SMOTE, RandomOverSampler
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
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
for finding in find_resampling_leakage(X_made, y_made):
    print(finding)
assert [f.kind for f in find_resampling_leakage(X_made, y_made)] == ["synthetic rows"]
assert len(find_resampling_leakage(X, y)) == 0

# %%
# A table with copied rows can be scored honestly: copies stay in one fold, and count once in all.
X_copied, y_copied = RandomOverSampler(random_state=0).fit_resample(X, y)
naive = cross_val_score(forest, X_copied, y_copied, cv=folds, scoring="average_precision").mean()
safe = safe_splits(X_copied, y_copied)
print(f"naive {naive:.2f}")
print(safe)
assert naive > 0.97
