"""Columns that separate the classes: said, and never said where they do not."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linprog
from sklearn.exceptions import ConvergenceWarning

from skmetrics_ext.ordinal import CumulativeLinkClassifier
from skmetrics_ext.ordinal._links import LINKS

RNG = np.random.default_rng(0)
N = 500
X = RNG.normal(size=(N, 3))
LATENT = 2 * X[:, 0] + RNG.logistic(size=N)
Y = np.searchsorted([-1, 1, 3], LATENT)

every_link = pytest.mark.parametrize("link", LINKS)


def with_flag(rows):
    """The third column: 1 in some rows, 0 in the others."""
    flagged = X.copy()
    flagged[:, 2] = 0
    flagged[rows, 2] = 1
    return flagged


def swapped():
    """Classes in a row but for the two rows next to a threshold."""
    y = np.searchsorted([-1, 1], X[:, 0])
    pair = np.argsort(np.abs(X[:, 0] + 1))[:2]
    y[pair] = y[pair[::-1]]
    return X[:, :1], y


def tails():
    heavy = RNG.standard_cauchy((N, 2)) ** 3
    return heavy, np.searchsorted([-1, 1], heavy[:, 0] / 10 + RNG.logistic(size=N))


COMPLETE = {
    "two columns": (X, np.searchsorted([-1, 1, 1.5], X[:, 0] - X[:, 1])),
    "two classes": (X, (X[:, 0] > 0).astype(int)),
    "fewer rows than columns": (X[:3], np.array([0, 2, 1])),
}
SHARED = np.repeat([0.0, 0.5, 1.0], 20)[:, None]
QUASI = {
    "a flag of the top class": (with_flag(np.flatnonzero(Y == 3)[::3]), Y),
    "a row of the lowest class": (with_flag(np.flatnonzero(Y == 0)[:1]), Y),
    "a value that two share": (SHARED, np.repeat([0, 1], 30)),
    "a value that two of three share": (
        np.concatenate([SHARED, np.full((9, 1), 2.0)]),
        np.concatenate([np.repeat([0, 1], 30), np.full(9, 2)]),
    ),
}
NOT_SEPARATED = {
    "a row of a middle class": (with_flag(np.flatnonzero(Y == 1)[:1]), Y),
    "a strong signal": (X, np.searchsorted([-20, 0, 30], 20 * X[:, 0] + RNG.logistic(size=N))),
    "two rows the wrong way round": swapped(),
    "heavy tails": tails(),
    "a column twice": (np.column_stack([X, X[:, 0]]), Y),
    "constant columns": (np.column_stack([X, np.ones(N), np.zeros(N)]), Y),
}


def cases(table):
    return pytest.mark.parametrize(("X", "y"), table.values(), ids=table)


@every_link
@cases(COMPLETE)
def test_complete_separation_is_said_early(link, X, y):
    with pytest.warns(
        ConvergenceWarning, match=r"completely separated by the columns \['x0'.*Set alpha above 0"
    ) as caught:
        model = CumulativeLinkClassifier(link, alpha=0).fit(X, y)
    assert "quasi" not in str(caught[0].message)
    assert caught[0].filename == __file__
    assert model.n_iter_ <= 15
    assert model.score(X, y) > 0.99
    with pytest.raises(ValueError, match="completely separated: there are no standard errors"):
        model.summary()


@every_link
@cases(QUASI)
def test_quasi_complete_separation_is_said_early(link, X, y):
    with pytest.warns(ConvergenceWarning, match="quasi-completely separated by the columns"):
        model = CumulativeLinkClassifier(link, alpha=0).fit(X, y)
    assert model.n_iter_ <= 30
    assert np.isfinite(model.predict_proba(X)).all()


def test_the_columns_are_named():
    frame = pd.DataFrame(QUASI["a flag of the top class"][0], columns=["age", "dose", "flag"])
    with pytest.warns(ConvergenceWarning, match=r"separated by the columns \['flag'\]:"):
        CumulativeLinkClassifier(alpha=0).fit(frame, Y)


@every_link
@cases(COMPLETE | QUASI)
def test_a_penalty_makes_the_fit_finite(link, X, y):
    model = CumulativeLinkClassifier(link).fit(X, y)
    assert np.abs(model.coef_).max() < 20
    assert model.n_iter_ < 20


@every_link
@pytest.mark.parametrize("alpha", [1e-6, 1e-12])
def test_a_hair_of_a_penalty_is_enough(link, alpha):
    # Newton's steps are as long each time, while the curvature falls: none may be kept.
    model = CumulativeLinkClassifier(link, alpha=alpha).fit(X, np.searchsorted([-1, 1], X[:, 0]))
    assert model.n_iter_ < 60


@every_link
@cases(NOT_SEPARATED)
def test_no_false_alarm(link, X, y):
    model = CumulativeLinkClassifier(link, alpha=0).fit(X, y)
    assert model.summary().converged


def separated(X, y):
    """Linear programming (Konis 2007): the most that any direction gains without a row's loss."""
    n, top = len(X), y.max()
    rooms = []
    for i in range(n):
        for cut, sign in ((y[i], 1), (y[i] - 1, -1)):
            if 0 <= cut < top:
                rooms.append(sign * np.concatenate([-X[i], np.eye(top)[cut]]))
    rooms = np.array(rooms)
    found = linprog(-rooms.sum(axis=0), A_ub=-rooms, b_ub=np.zeros(len(rooms)), bounds=(-1, 1))
    return -found.fun > 1e-7


# The last two are so far out at the start that everything is flat.
@pytest.mark.parametrize("seed", [*range(60), 491, 722])
def test_linear_programming_agrees(seed):
    rng = np.random.default_rng(seed)
    n, p, k = (int(rng.integers(*ends)) for ends in ((8, 100), (1, 5), (2, 5)))
    X = [rng.normal(size=(n, p)), rng.integers(0, 3, (n, p)), rng.random((n, p)) < 0.2][seed % 3]
    X = X.astype(float)
    latent = X @ rng.normal(size=p) * rng.choice([0.5, 3, 10]) + rng.logistic(size=n)
    cuts = np.sort(rng.choice(latent, k - 1, replace=False))
    y = np.unique(np.searchsorted(cuts, latent, side="right"), return_inverse=True)[1]
    if len(np.unique(y)) == 1:
        y[0] = 1 - y[0]
    model = CumulativeLinkClassifier(list(LINKS)[seed % 5], alpha=0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(X, y)
    said = ["separated" in str(w.message) for w in caught]
    assert said == ([True] if separated(X, y) else [])
