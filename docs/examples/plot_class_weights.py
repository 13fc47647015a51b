"""
Class weights distort probabilities
===================================

3.9 % are positive. With balanced class weights the mean probability is 25 %, and drawing rare rows
again and again until the classes are even does the same. The ranking is hardly touched: what the
weights do is to move the threshold, and that can be had without them.
"""

import matplotlib.pyplot as plt
import numpy as np
from imblearn.over_sampling import RandomOverSampler
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from skmetrics_ext.imbalance import ResampledClassifier

X, y = make_classification(
    n_samples=5000, n_features=10, n_informative=5, weights=[0.966], flip_y=0.01, random_state=0
)
common, rare = np.flatnonzero(y == 0), np.flatnonzero(y == 1)
rows = np.r_[common, np.random.default_rng(0).choice(rare, common.size)]
corrected = ResampledClassifier(LogisticRegression(), sampler=RandomOverSampler(random_state=0))
models = {
    "plain": LogisticRegression().fit(X, y),
    "class_weight='balanced'": LogisticRegression(class_weight="balanced").fit(X, y),
    "rare rows copied": LogisticRegression().fit(X[rows], y[rows]),
    "rare rows copied, corrected": corrected.fit(X, y),
}
probabilities = {name: model.predict_proba(X)[:, 1] for name, model in models.items()}
means = {name: float(p.mean()) for name, p in probabilities.items()}
print({name: round(mean, 3) for name, mean in means.items()})
assert round(y.mean(), 3) == 0.039
published = {"plain": 0.039, "class_weight='balanced'": 0.252, "rare rows copied": 0.253}
for name, mean in published.items():
    assert round(means[name], 3) == mean, name
assert abs(means["rare rows copied, corrected"] - y.mean()) < 0.002

# %%
# As rankings they are as good as each other.
areas = {name: roc_auc_score(y, p) for name, p in probabilities.items()}
print({name: round(area, 3) for name, area in areas.items()})
assert max(areas.values()) - min(areas.values()) < 0.02

# %%
fig, ax = plt.subplots(figsize=(6, 3), layout="constrained")
ax.barh(list(means), list(means.values()), color="#0072B2")
ax.axvline(y.mean(), color="#D55E00", linestyle="--", label="share of positives in the data")
ax.set(xlabel="mean probability of the positive class")
ax.invert_yaxis()
ax.legend(loc="lower right")
