"""
Class weights distort probabilities
===================================

3.9 % are positive. With balanced class weights the mean probability is 25 %, and copying rare
rows does the same. The ranking is hardly touched: what was won by the weights was a threshold,
and that can be had without them.
"""

import matplotlib.pyplot as plt
from imblearn.over_sampling import RandomOverSampler
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression

from skmetrics_ext.imbalance import ResampledClassifier

X, y = make_classification(
    n_samples=5000, n_features=10, n_informative=5, weights=[0.966], flip_y=0.01, random_state=0
)
models = {
    "plain": LogisticRegression(),
    "class_weight='balanced'": LogisticRegression(class_weight="balanced"),
    "rare rows copied": ResampledClassifier(
        LogisticRegression(), sampler=RandomOverSampler(random_state=0), correction="none"
    ),
    "rare rows copied, corrected": ResampledClassifier(
        LogisticRegression(), sampler=RandomOverSampler(random_state=0)
    ),
}
means = {name: model.fit(X, y).predict_proba(X)[:, 1].mean() for name, model in models.items()}
print({name: round(float(mean), 3) for name, mean in means.items()})
published = {"plain": 0.039, "class_weight='balanced'": 0.252, "rare rows copied": 0.253}
for name, mean in published.items():
    # Which rows are copied is drawn: the third digit is not the same for every draw.
    assert abs(means[name] - mean) < (0.004 if "copied" in name else 0.0006), name
assert abs(means["rare rows copied, corrected"] - y.mean()) < 0.002

# %%
fig, ax = plt.subplots(figsize=(6, 3), layout="constrained")
ax.barh(list(means), list(means.values()), color="#0072B2")
ax.axvline(y.mean(), color="#D55E00", linestyle="--", label="share of positives in the data")
ax.set(xlabel="mean probability of the positive class")
ax.invert_yaxis()
ax.legend(loc="lower right")
