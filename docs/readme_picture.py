"""Draws the README's picture: ``python docs/readme_picture.py``."""

from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.display import ThresholdDisplay

FILE = Path(__file__).parent / "_static" / "cost_against_threshold.png"


def draw(ax=None):
    """The cost per tumour at every threshold, on held-out rows; 0 is malignant in this data."""
    X, y = load_breast_cancer(return_X_y=True)
    model = make_pipeline(StandardScaler(), LogisticRegression())
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    malignant = cross_val_predict(model, X, y, cv=folds, method="predict_proba")[:, 0]
    truth = np.where(y == 0, "malignant", "benign")
    cost = CostMatrix.binary(
        false_negative=100, false_positive=1, pos_label="malignant", neg_label="benign"
    )
    return ThresholdDisplay.from_predictions(
        truth, malignant, cost_matrix=cost, pos_label="malignant", ax=ax
    )


if __name__ == "__main__":
    mpl.use("Agg")
    _, ax = plt.subplots(figsize=(7, 3.6), layout="constrained")
    display = draw(ax)
    # Where something happens: beyond, nearly all are answered alike.
    display.ax_.set(
        xlabel="threshold: 'malignant' from this probability on",
        ylabel="cost per tumour",
        xlim=(0.0005, 0.95),
        ylim=(-1, 6),
        yticks=range(7),
    )
    display.figure_.savefig(FILE, dpi=110)
