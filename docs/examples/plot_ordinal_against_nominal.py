"""
Ordinal against nominal
=======================

Party identification in 1996, from strong Democrat to strong Republican: seven classes in a row. A
model that knows the order has one line of coefficients where logistic regression has seven, and
its answers are a little nearer to the truth. And five age bands: the model that is always off by
one has an accuracy of 0, the wild one of 0.2.
"""

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skmetrics_ext.counts import PairedCounts
from skmetrics_ext.datasets import load_anes96
from skmetrics_ext.display import IntervalDisplay
from skmetrics_ext.metrics import (
    classwise_mean_absolute_error,
    ordinal_report,
    weighted_kappa_score,
)
from skmetrics_ext.ordinal import CumulativeLinkClassifier

X, y = load_anes96(return_X_y=True)
folds = StratifiedKFold(5, shuffle=True, random_state=0)
nominal = make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000))
ordinal = make_pipeline(StandardScaler(), CumulativeLinkClassifier())
answers = {
    name: cross_val_predict(model, X, y, cv=folds)
    for name, model in {"nominal": nominal, "ordinal": ordinal}.items()
}
print(ordinal_report(y, answers["ordinal"]))

# %%
# Each by itself: the intervals overlap, which says nothing yet, since the rows are the same.
reports = {name: ordinal_report(y, answer) for name, answer in answers.items()}
IntervalDisplay.from_estimates(
    [report.kappa_quadratic for report in reports.values()],
    names=[f"quadratic kappa, {name}" for name in reports],
)

# %%
# The difference on the same rows.
both = PairedCounts.from_predictions(y, answers["ordinal"], answers["nominal"])
difference = both.difference("weighted_kappa")
print(difference)
kappas = {name: weighted_kappa_score(y, answer) for name, answer in answers.items()}
print({name: round(kappa, 3) for name, kappa in kappas.items()})
assert np.isclose(difference.value, kappas["ordinal"] - kappas["nominal"])
errors = {name: report.mean_absolute_error.value for name, report in reports.items()}
print({name: round(error, 3) for name, error in errors.items()})
assert errors["ordinal"] < errors["nominal"]

# %%
# The age bands.
truth = np.repeat(np.arange(5), 20)
off_by_one = np.where(truth < 4, truth + 1, 3)
wild = np.where(np.arange(100) % 5 == 0, truth, np.where(truth < 2, 4, 0))
assert np.mean(off_by_one == truth) == 0.0
assert np.mean(wild == truth) == 0.2
assert weighted_kappa_score(truth, off_by_one) > 0.5 > 0 > weighted_kappa_score(truth, wild)
assert classwise_mean_absolute_error(truth, off_by_one) == 1.0
