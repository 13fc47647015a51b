"""Clean tables: nothing was resampled, so nothing may be found.

This corpus was fixed before the limits of the detector were chosen.
"""

import numpy as np
import pytest
from scipy.stats import qmc
from sklearn import datasets
from sklearn.decomposition import PCA
from sklearn.impute import KNNImputer
from sklearn.preprocessing import (
    KBinsDiscretizer,
    OneHotEncoder,
    PolynomialFeatures,
    SplineTransformer,
    StandardScaler,
)

from skmetrics_ext.datasets import load_anes96, load_penguins
from skmetrics_ext.imbalance import find_resampling_leakage


def made(n=2000, d=10, seed=0, **settings):
    settings = {"n_informative": min(d, 5), "n_redundant": 0, "weights": [0.9], **settings}
    return datasets.make_classification(
        n, d, n_clusters_per_class=1, flip_y=0.02, random_state=seed, **settings
    )


def rounded(decimals, d, n=2000, scaled=False):
    X, y = made(n, d, seed=decimals)
    X = X.round(decimals)
    return (StandardScaler().fit_transform(X) if scaled else X), y


def whole_numbers(levels, d, n=3000):
    rng = np.random.default_rng(levels)
    X = rng.integers(0, levels, (n, d))
    return X, (X[:, 0] + rng.normal(0, levels, n) > 1.6 * levels).astype(int)


def one_hot(n=1500):
    X, y = whole_numbers(6, 5, n)
    return OneHotEncoder(sparse_output=False).fit_transform(X), y


def mixed(decimals):
    """A few columns measured to some decimals beside discrete ones, as in most real tables."""
    X, y = made(1500, 4, seed=5)
    codes, _ = whole_numbers(4, 3, 1500)
    return np.c_[X[:, :2].round(decimals), codes], y


def one_variable(degree):
    """All columns follow from one variable: rows of one piece lie on one line."""
    rng = np.random.default_rng(1)
    t = rng.normal(size=(1500, 1))
    y = (t[:, 0] + rng.normal(0, 0.5, 1500) > 1.3).astype(int)
    return SplineTransformer(4, degree=degree).fit_transform(t), y


def units():
    """One temperature in three units."""
    rng = np.random.default_rng(2)
    t = rng.normal(15, 8, 1200)
    return np.c_[t, 1.8 * t + 32, t + 273.15], (t + rng.normal(0, 5, 1200) > 28).astype(int)


def one_class_on_a_line():
    rng = np.random.default_rng(3)
    t = rng.random(200)
    X = np.r_[rng.random((1000, 3)), np.c_[t, 0.3 + 0.2 * t, 0.9 - 0.5 * t]]
    return X, np.r_[np.zeros(1000, int), np.ones(200, int)]


def latin_hypercube(d, scaled):
    X = np.argsort(np.random.default_rng(4).random((d, 2000)), axis=1).T / 2000
    y = (X[:, 0] + X[:, 1] > 1.6).astype(int)
    return (StandardScaler().fit_transform(X) if scaled else X), y


def low_discrepancy():
    X = qmc.Sobol(4, scramble=False).random(1024)
    return X, (X[:, 0] > 0.85).astype(int)


def lattice():
    axis = np.linspace(0, 1, 12)
    X = np.array(np.meshgrid(axis, axis, axis)).reshape(3, -1).T
    return X, (X.sum(axis=1) > 2.3).astype(int)


def random_walk():
    rng = np.random.default_rng(6)
    X = rng.normal(size=(2000, 5)).cumsum(axis=0)
    return X, (np.diff(X[:, 0], append=0) > 1.4).astype(int)


def smooth_curve():
    """Readings of a slow machine, far more often than it changes."""
    t = np.linspace(0, 60, 4000)
    X = np.c_[np.sin(t), np.cos(1.3 * t), np.sin(0.7 * t + 1), t / 60]
    return X, (X[:, 0] > 0.9).astype(int)


def natural_duplicates():
    """A log in which any row may stand twice, whatever its class."""
    X, y = made(2000, 6, seed=7)
    rng = np.random.default_rng(7)
    again = rng.choice(2000, 200, replace=False)
    return np.r_[X, X[again]], np.r_[y, y[again]]


def imputed():
    X, y = made(1200, 6, seed=8)
    X[np.random.default_rng(8).random(X.shape) < 0.1] = np.nan
    return KNNImputer(n_neighbors=2).fit_transform(X), y


def missing():
    X, y = made(1200, 6, seed=9)
    X[np.random.default_rng(9).random(X.shape) < 0.1] = np.nan
    return X, y


def penguins():
    return load_penguins(return_X_y=True, as_frame=True)


def anes96():
    return load_anes96(return_X_y=True, as_frame=True)


def cancer(change=None):
    X, y = datasets.load_breast_cancer(return_X_y=True)
    return (X if change is None else change(X)), y


def digits_zero():
    X, y = datasets.load_digits(return_X_y=True)
    return X, (y == 0).astype(int)


def diabetes_tail(**settings):
    X, y = datasets.load_diabetes(return_X_y=True, **settings)
    return X, (y > 250).astype(int)


CLEAN = {
    "iris": lambda: datasets.load_iris(return_X_y=True),
    "wine": lambda: datasets.load_wine(return_X_y=True),
    "breast cancer": cancer,
    "breast cancer, scaled": lambda: cancer(StandardScaler().fit_transform),
    "breast cancer, float32": lambda: cancer(np.float32),
    "breast cancer, components": lambda: cancer(PCA(5).fit_transform),
    "breast cancer, products": lambda: cancer(
        lambda X: PolynomialFeatures(2).fit_transform(X[:, :6])
    ),
    "breast cancer, binned": lambda: cancer(
        KBinsDiscretizer(8, encode="ordinal", strategy="uniform").fit_transform
    ),
    "digits": lambda: datasets.load_digits(return_X_y=True),
    "digits, one against the rest": digits_zero,
    "diabetes, tail": diabetes_tail,
    "diabetes, tail, unscaled": lambda: diabetes_tail(scaled=False),
    "penguins": penguins,
    "anes96": anes96,
    "made, d=2": lambda: made(d=2, n_informative=2),
    "made, d=3": lambda: made(d=3, n_informative=3, n=6000),
    "made, d=3, float32": lambda: (lambda X, y: (X.astype(np.float32), y))(
        *made(d=3, n_informative=3, n=6000)
    ),
    "made, d=30": lambda: made(d=30),
    "made, linear combinations": lambda: made(d=6, n_informative=2, n_redundant=4),
    "made, linear combinations, float32": lambda: (lambda X, y: (X.astype(np.float32), y))(
        *made(d=6, n_informative=2, n_redundant=4)
    ),
    "three classes": lambda: made(d=5, n_classes=3, weights=[0.8, 0.15]),
    "moons": lambda: datasets.make_moons(1500, noise=0.2, random_state=0),
    "circles without noise": lambda: datasets.make_circles(1500, random_state=0),
    "hastie": lambda: datasets.make_hastie_10_2(3000, random_state=0),
    "quantiles": lambda: datasets.make_gaussian_quantiles(
        n_samples=2000, n_features=3, random_state=0
    ),
    "rounded to 1 decimal, d=3": lambda: rounded(1, 3),
    "rounded to 2 decimals, d=3": lambda: rounded(2, 3),
    "rounded to 3 decimals, d=3": lambda: rounded(3, 3),
    "rounded to 3 decimals, d=3, 8000 rows": lambda: rounded(3, 3, n=8000),
    "rounded to 4 decimals, d=3, scaled": lambda: rounded(4, 3, scaled=True),
    "rounded to 2 decimals, d=10": lambda: rounded(2, 10),
    "mixed, 2 decimals": lambda: mixed(2),
    "mixed, 4 decimals": lambda: mixed(4),
    "mixed, all decimals": lambda: mixed(16),
    "whole numbers, 5 levels": lambda: whole_numbers(5, 4),
    "whole numbers, 100 levels": lambda: whole_numbers(100, 4),
    "whole numbers, 100000 levels": lambda: whole_numbers(100_000, 3),
    "one-hot": one_hot,
    "one variable, pieces of lines": lambda: one_variable(1),
    "one variable, smooth pieces": lambda: one_variable(3),
    "one variable, three units": units,
    "one class on a line": one_class_on_a_line,
    "latin hypercube": lambda: latin_hypercube(3, False),
    "latin hypercube, scaled": lambda: latin_hypercube(3, True),
    "low discrepancy": low_discrepancy,
    "lattice": lattice,
    "random walk": random_walk,
    "smooth curve": smooth_curve,
    "natural duplicates": natural_duplicates,
    "imputed": imputed,
    "missing values": missing,
}


@pytest.mark.parametrize("name", CLEAN)
def test_nothing_is_found_in_a_clean_table(name):
    X, y = CLEAN[name]()
    findings = find_resampling_leakage(X, y, random_state=0)
    assert findings == [], str(findings)
