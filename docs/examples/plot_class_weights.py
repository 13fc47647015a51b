"""
Class weights distort probabilities
===================================

3.9 % are positive. With balanced class weights the mean probability is 25 %, and copying rare
rows does the same. The ranking is hardly touched: what was won by the weights was a threshold,
and that can be had without them.
"""

import matplotlib.pyplot as plt
import numpy as np
from imblearn.over_sampling import RandomOverSampler
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression

from skmetrics_ext.imbalance import ResampledClassifier

X, y = make_classification(
    n_samples=5000, n_features=10, n_informative=5, weights=[0.966], flip_y=0.01, random_state=0
)
rare = y == 1
copies = np.where(rare, round((~rare).sum() / rare.sum()), 1)
X_copied, y_copied = np.repeat(X, copies, axis=0), np.repeat(y, copies)
corrected = ResampledClassifier(LogisticRegression(), sampler=RandomOverSampler(random_state=0))
models = {
    "plain": LogisticRegression().fit(X, y),
    "class_weight='balanced'": LogisticRegression(class_weight="balanced").fit(X, y),
    "rare rows copied": LogisticRegression().fit(X_copied, y_copied),
    "rare rows copied, corrected": corrected.fit(X, y),
}
means = {name: float(model.predict_proba(X)[:, 1].mean()) for name, model in models.items()}
print({name: round(mean, 3) for name, mean in means.items()})
published = {"plain": 0.039, "class_weight='balanced'": 0.252, "rare rows copied": 0.253}
for name, mean in published.items():
    # Whole copies cannot balance the classes to the last row.
    assert abs(means[name] - mean) < (0.0015 if "copied" in name else 0.0005), name
assert abs(means["rare rows copied, corrected"] - y.mean()) < 0.002

# %%
fig, ax = plt.subplots(figsize=(6, 3), layout="constrained")
ax.barh(list(means), list(means.values()), color="#0072B2")
ax.axvline(y.mean(), color="#D55E00", linestyle="--", label="share of positives in the data")
ax.set(xlabel="mean probability of the positive class")
ax.invert_yaxis()
ax.legend(loc="lower right")
