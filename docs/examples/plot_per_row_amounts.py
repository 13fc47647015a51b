"""
Costs that differ from row to row
=================================

A fraud missed costs its amount, a check costs 20 whether or not it finds one: each row has its own
threshold, 20 / amount. The costs are read from the columns of X, so that a search, a scorer and
``predict`` all have them, and they are never averaged.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.decision import CostThresholdClassifier
from skmetrics_ext.metrics import cost_scorer

rng = np.random.default_rng(0)
n = 4000
X = pd.DataFrame({"signal": rng.normal(size=n), "amount": rng.lognormal(4, 1, n)})
y = np.where(rng.random(n) < 1 / (1 + np.exp(4 - 2 * X["signal"])), "fraud", "legit")
cost = CostMatrix.per_row(
    false_negative="amount",
    false_positive=20,
    true_positive=20,
    pos_label="fraud",
    neg_label="legit",
)
print(cost)


def on_signal():
    """A model of the signal alone; the wrapper around it sees the amounts as well."""
    return make_pipeline(make_column_transformer(("passthrough", ["signal"])), LogisticRegression())


model = CostThresholdClassifier(on_signal(), cost_matrix=cost).fit(X, y)
flagged = model.predict(X) == "fraud"
p = model.predict_proba(X)[:, list(model.classes_).index("fraud")]
# The rule, row by row: the expected loss of letting it pass is more than the check costs.
assert np.array_equal(flagged, p * X["amount"] >= 20)

# %%
# What it costs on held-out rows, beside one threshold for all.
scorer = cost_scorer(cost)
one_for_all = CostThresholdClassifier(
    on_signal(),
    cost_matrix=CostMatrix.binary(
        false_negative=X["amount"].mean(),
        false_positive=20,
        true_positive=20,
        pos_label="fraud",
        neg_label="legit",
    ),
)
each = -cross_val_score(
    CostThresholdClassifier(on_signal(), cost_matrix=cost), X, y, scoring=scorer
).mean()
average = -cross_val_score(one_for_all, X, y, scoring=scorer).mean()
print(f"a threshold for each row: {each:.2f} a row; one for the mean amount: {average:.2f}")
assert each < average

# %%
fig, ax = plt.subplots(figsize=(6, 4), layout="constrained")
ax.scatter(X["amount"][~flagged], p[~flagged], s=6, color="#0072B2", label="let pass")
ax.scatter(X["amount"][flagged], p[flagged], s=6, color="#D55E00", marker="^", label="checked")
amounts = np.geomspace(21, X["amount"].max(), 100)
ax.plot(amounts, 20 / amounts, "k--", label="20 / amount")
ax.set(xscale="log", yscale="log", xlabel="amount", ylabel="probability of fraud")
fig.legend(loc="outside lower center", ncols=3)
