"""
A good AUC with rare positives
==============================

One in a hundred is positive. The ROC AUC is 0.91, which sounds like a good model; the average
precision is 0.46: take a positive at random and flag all that scores as high, and on average less
than half of it is right. Both are true: they answer different questions.
"""

from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import PrecisionRecallDisplay
from sklearn.model_selection import train_test_split

from skmetrics_ext.counts import ScoreCounts

X, y = make_classification(n_samples=20_000, weights=[0.99], flip_y=0, random_state=0)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, stratify=y, random_state=0)
model = LogisticRegression(max_iter=1000).fit(X_train, y_train)
score = model.predict_proba(X_test)[:, 1]
counts = ScoreCounts.from_predictions(y_test, score)
print(counts.roc_auc())
print(counts.average_precision())
assert y_test.sum() == 100
assert round(counts.roc_auc().value, 3) == 0.911
assert round(counts.average_precision().value, 3) == 0.462

# %%
# scikit-learn draws the curve; there is no second one here.
display = PrecisionRecallDisplay.from_predictions(y_test, score, plot_chance_level=True)
display.ax_.legend(loc="upper right")
