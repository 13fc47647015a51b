"""Whether one coefficient per column is enough for all thresholds: the score test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh
from scipy.stats import chi2

from skmetrics_ext.counts._frames import to_frame
from skmetrics_ext.ordinal._cumulative_likelihood import Objective
from skmetrics_ext.ordinal._cumulative_text import aligned, as_html, p_text

__all__ = ["ProportionalOddsRow", "ProportionalOddsTest", "score_test"]

Array = NDArray[np.float64]

# Below this share of the largest, a direction holds no information.
_EMPTY = 1e-12


@dataclass(frozen=True)
class ProportionalOddsRow:
    """The test of one column, or of all together.

    Attributes
    ----------
    name : str
        The feature, or ``"all"``.
    statistic : float
        Large where the column does not act alike on all thresholds; NaN where there is
        nothing to test: it is constant, or a combination of others.
    df : int
        Degrees of freedom: how many coefficients would be free.
    p_value : float
    """

    name: str
    statistic: float
    df: int
    p_value: float


@dataclass(frozen=True, repr=False)
class ProportionalOddsTest:
    """The score test of one coefficient per column against one for each threshold.

    Attributes
    ----------
    overall : ProportionalOddsRow
        All columns together.
    rows : tuple of ProportionalOddsRow
        Each column alone, the others acting alike on all thresholds. Testing many,
        the smallest p-value is small by chance: multiply it by their number.
    link : str
    n_samples : int

    Examples
    --------
    >>> import numpy as np
    >>> from skmetrics_ext.ordinal import CumulativeLinkClassifier
    >>> X, y = np.arange(12.0)[:, None], [1, 1, 2, 1, 2, 1, 2, 3, 2, 3, 3, 3]
    >>> test = CumulativeLinkClassifier().fit(X, y).test_proportional_odds(X, y)
    >>> test["x0"].df, round(test["x0"].p_value, 3)
    (1, 0.499)
    """

    overall: ProportionalOddsRow
    rows: tuple[ProportionalOddsRow, ...]
    link: str
    n_samples: int

    def __getitem__(self, name: str) -> ProportionalOddsRow:
        for row in (*self.rows, self.overall):
            if row.name == name:
                return row
        raise KeyError(f"no row {name!r}; there are {[r.name for r in self.rows]} and 'all'")

    def columns(self) -> dict[str, list[Any]]:
        """The table as columns: name, statistic, df, p_value; "all" first.

        Returns
        -------
        columns : dict of list
        """
        rows = (self.overall, *self.rows)
        return {name: [getattr(r, name) for r in rows] for name in self.overall.__annotations__}

    def to_frame(self, backend: str = "pandas") -> Any:
        """One row for all together and one per column, as a pandas, polars or pyarrow table.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default="pandas"
        """
        return to_frame(self.columns(), backend)

    def __repr__(self) -> str:
        return "\n".join([*self._head(), "", *aligned(self._table())])

    def _repr_html_(self) -> str:
        return as_html(self._head(), self._table(), [])

    def _head(self) -> list[str]:
        assumed = "proportional odds" if self.link == "logit" else "parallel thresholds"
        return [
            f"Score test of {assumed} ({self.link} link), {self.n_samples} rows",
            "A small p: the column does not act alike on all thresholds.",
        ]

    def _table(self) -> list[list[str]]:
        table = [["", "chi-squared", "df", "p"]]
        for row in (self.overall, *self.rows):
            value = "-" if np.isnan(row.statistic) else f"{row.statistic:.2f}"
            table.append([row.name, value, str(row.df), p_text(row.p_value)])
        return table


def score_test(objective: Objective, parameters: Array, names: list[str]) -> ProportionalOddsTest:
    """The test at the maximum of the likelihood with one coefficient per column."""
    score, information = _freed(objective, parameters)
    n_cuts, width = score.shape
    matrix = information.transpose(0, 2, 1, 3).reshape(2 * (n_cuts * width,))
    vector = score.ravel()
    _, common = _statistic(vector, matrix, _basis(n_cuts, width, []))

    def row(name: str, freed: list[int]) -> ProportionalOddsRow:
        value, rank = _statistic(vector, matrix, _basis(n_cuts, width, freed))
        df = rank - common
        if df == 0:
            return ProportionalOddsRow(name, float("nan"), 0, float("nan"))
        return ProportionalOddsRow(name, value, df, float(chi2.sf(value, df)))

    places = np.cumsum(objective.rows.varying)
    rows = [
        row(name, [int(place)] if varies else [])
        for name, varies, place in zip(names, objective.rows.varying, places, strict=True)
    ]
    overall = row("all", list(range(1, width)))
    n_samples = objective.rows.n_rows
    return ProportionalOddsTest(overall, tuple(rows), objective.link.name, n_samples)


# ---------------------------------------------------------------------------------------------


def _freed(objective: Objective, parameters: Array) -> tuple[Array, Array]:
    """Score and expected information where each threshold has coefficients of its own.

    Returns
    -------
    score : ndarray of shape (K - 1, 1 + p)
        For each threshold, the slope of the log-likelihood in it and in its coefficients.
    information : ndarray of shape (K - 1, K - 1, 1 + p, 1 + p)
        A row's class tells something of the two thresholds next to it only.
    """
    coef, ends = objective.split(parameters)
    n_cuts, width = len(ends) - 2, 1 + len(coef)
    score = np.zeros((n_cuts, width))
    information = np.zeros((n_cuts, n_cuts, width, width))
    for code, Z, weights in objective.rows.blocks():
        latent = coef @ Z
        across = np.vstack([np.ones_like(latent), -Z])
        for k in range(n_cuts + 1):
            terms = objective.link.terms(latent, ends[k], ends[k + 1])
            if k == code:
                for cut, slope in ((k, terms.up), (k - 1, -terms.low)):
                    if 0 <= cut < n_cuts:
                        score[cut] += across @ (slope if weights is None else slope * weights)
            root = np.exp(terms.log_p / 2)
            if weights is not None:
                root = root * np.sqrt(weights)
            up, low = root * terms.up, root * terms.low
            if k < n_cuts:
                information[k, k] += (across * up**2) @ across.T
            if k > 0:
                information[k - 1, k - 1] += (across * low**2) @ across.T
            if 0 < k < n_cuts:
                information[k, k - 1] -= (across * (up * low)) @ across.T
                information[k - 1, k] = information[k, k - 1].T
    return score, information


def _basis(n_cuts: int, width: int, freed: list[int]) -> Array:
    """The parameters of a model in which only some columns act apart on each threshold."""
    each = np.eye(n_cuts * width).reshape(n_cuts, width, -1)
    alike = [j for j in range(1, width) if j not in freed]
    return np.vstack([each[:, [0, *freed]].reshape(-1, n_cuts * width), each[:, alike].sum(axis=0)])


def _statistic(score: Array, information: Array, basis: Array) -> tuple[float, int]:
    """Rao's statistic among the parameters of the basis, and how many of them rows tell."""
    u, matrix = basis @ score, basis @ information @ basis.T
    values, vectors = eigh(matrix, check_finite=False)
    told = values > _EMPTY * values[-1]
    along = vectors[:, told].T @ u
    return float(along**2 @ (1 / values[told])), int(told.sum())
