"""
Kappa-optimal cuts against rounding
===================================

A regressor predicts 2.4 stars; which class is that? Rounding is one answer. The cuts that make
quadratic kappa greatest are another, and they can be found exactly: a dynamic program over the
sorted predictions, in each round of Dinkelbach's iteration.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.model_selection import KFold, cross_val_predict

from skmetrics_ext.datasets import load_anes96
from skmetrics_ext.metrics import weighted_kappa_score
from skmetrics_ext.ordinal import RegressionCutClassifier, optimal_cuts

X, y = load_anes96(return_X_y=True)
y = np.asarray(y)
regressor = HistGradientBoostingRegressor(max_iter=40, max_depth=3, random_state=0)
folds = KFold(5, shuffle=True, random_state=0)
predicted = cross_val_predict(regressor, X, y, cv=folds)

rounded = np.clip(np.rint(predicted), y.min(), y.max()).astype(int)
cuts, kappa = optimal_cuts(y, predicted)
cut = np.unique(y)[np.searchsorted(cuts, predicted, side="right")]
by_rounding = weighted_kappa_score(y, rounded, labels=np.unique(y))
print(f"rounded {by_rounding:.3f}, cut {kappa:.3f} (in-sample)")
assert np.isclose(kappa, weighted_kappa_score(y, cut, labels=np.unique(y)))
assert kappa >= by_rounding

# %%
fig, ax = plt.subplots(figsize=(6, 3.5), layout="constrained")
ax.hist(predicted, bins=60, color="#56B4E9")
for k, value in enumerate(cuts):
    ax.axvline(value, color="#D55E00", linestyle="--", label="cuts for kappa" if k == 0 else None)
for k, value in enumerate(np.arange(y.min() + 0.5, y.max())):
    ax.axvline(value, color="black", linestyle=":", label="halves" if k == 0 else None)
ax.set(xlabel="predicted party identification", ylabel="rows")
fig.legend(loc="outside lower center", ncols=2)

# %%
# On rows that the cuts have not seen the gain is what counts.
honest = {
    criterion: weighted_kappa_score(
        y,
        cross_val_predict(RegressionCutClassifier(regressor, criterion=criterion), X, y, cv=folds),
        labels=np.unique(y),
    )
    for criterion in ("round", "quadratic_kappa")
}
print({name: round(value, 3) for name, value in honest.items()})
assert honest["quadratic_kappa"] > honest["round"]
