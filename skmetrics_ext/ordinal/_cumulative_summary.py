"""What a fitted cumulative model says of its coefficients, as a table."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh
from scipy.stats import norm

from skmetrics_ext.counts._frames import to_frame
from skmetrics_ext.intervals._interval import check_level
from skmetrics_ext.ordinal._cumulative_newton import Optimum
from skmetrics_ext.ordinal._cumulative_rows import SortedRows
from skmetrics_ext.ordinal._cumulative_text import aligned, as_html, number_text, p_text

__all__ = ["CumulativeLinkSummary", "Information", "SummaryRow"]

Array = NDArray[np.float64]

# Below this share of the largest, a direction holds no information.
_EMPTY = 1e-11
_NAN = float("nan")


@dataclass(frozen=True)
class Information:
    """What `fit` keeps so that standard errors can be told without the rows.

    Attributes
    ----------
    matrix : ndarray of shape (p + K - 1, p + K - 1)
        Minus the second derivatives of the log-likelihood, in standardised columns.
    centre, scale : ndarray of shape (p,)
    varying : ndarray of bool of shape (n_features,)
        Columns that do not vary have no place in the matrix.
    log_likelihood, largest_gradient : float
    n_samples : int
    sum_of_weights : float
    converged : bool
    separation : str or None
    """

    matrix: Array
    centre: Array
    scale: Array
    varying: NDArray[np.bool_]
    log_likelihood: float
    largest_gradient: float
    n_samples: int
    sum_of_weights: float
    converged: bool
    separation: str | None

    @classmethod
    def of(cls, rows: SortedRows, optimum: Optimum) -> Information:
        """Of a fit without a penalty."""
        point = optimum.point
        return cls(
            matrix=point.curvature,
            centre=rows.centre,
            scale=rows.scale,
            varying=rows.varying,
            log_likelihood=-point.value,
            largest_gradient=float(np.abs(point.gradient).max()),
            n_samples=rows.n_rows,
            sum_of_weights=float(rows.class_weights().sum()),
            converged=optimum.converged,
            separation=None if optimum.separation is None else optimum.separation.kind,
        )

    def standard_errors(self) -> tuple[Array, Array, int]:
        """Of the coefficients and the thresholds, NaN where rows do not tell them; the rank."""
        p, size = len(self.scale), len(self.matrix)
        back = np.eye(size)
        back[:p, :p] /= self.scale[:, None]
        back[p:, :p] = self.centre / self.scale
        unit = np.sqrt(np.diag(self.matrix))
        values, vectors = eigh(self.matrix / np.outer(unit, unit), check_finite=False)
        full = values > _EMPTY * values[-1]
        loadings = (back / unit) @ vectors
        variances = (loadings[:, full] ** 2 / values[full]).sum(axis=1)
        unknown = (loadings[:, ~full] ** 2).sum(axis=1) > 1e-8 * (loadings**2).sum(axis=1)
        found = np.where(unknown, np.nan, np.sqrt(variances))
        coef = np.full(len(self.varying), np.nan)
        coef[self.varying] = found[:p]
        return coef, found[p:], int(full.sum())


@dataclass(frozen=True)
class SummaryRow:
    """One coefficient or threshold.

    Attributes
    ----------
    name : str
        The feature; or the two classes that the threshold lies between, ``"low | high"``.
    kind : {"coefficient", "threshold"}
    estimate, se : float
        ``se`` is NaN where the rows do not tell the estimate: a column that does not vary, or is
        a combination of others.
    z, p_value : float
        Of the hypothesis that a coefficient is 0, two-sided. NaN for thresholds, for which 0 is
        no special place.
    low, high : float
        Confidence limits (Wald).
    """

    name: str
    kind: Literal["coefficient", "threshold"]
    estimate: float
    se: float
    z: float
    p_value: float
    low: float
    high: float


@dataclass(frozen=True, repr=False)
class CumulativeLinkSummary:
    """Coefficients and thresholds of a cumulative model with their standard errors.

    Attributes
    ----------
    rows : tuple of SummaryRow
        The coefficients, then the thresholds.
    link : str
    log_likelihood : float
        Weighted, natural logarithm.
    n_samples : int
        Rows that were used.
    sum_of_weights : float
    n_parameters : int
        Without columns that are constant or combinations of others.
    n_iter : int
    largest_gradient : float
        The largest slope of the log-likelihood in any parameter, in standardised columns: how
        far from 0 the optimum still is.
    converged : bool
    confidence_level : float

    Examples
    --------
    >>> import numpy as np
    >>> from skmetrics_ext.ordinal import CumulativeLinkClassifier
    >>> X, y = np.arange(12.0)[:, None], [1, 1, 2, 1, 2, 1, 2, 3, 2, 3, 3, 3]
    >>> summary = CumulativeLinkClassifier(alpha=0).fit(X, y).summary()
    >>> [row.name for row in summary.rows]
    ['x0', '1 | 2', '2 | 3']
    >>> round(summary["x0"].estimate, 2), round(summary["x0"].p_value, 3), round(summary.aic, 1)
    (0.86, 0.017, 20.1)
    """

    rows: tuple[SummaryRow, ...]
    link: str
    log_likelihood: float
    n_samples: int
    sum_of_weights: float
    n_parameters: int
    n_iter: int
    largest_gradient: float
    converged: bool
    confidence_level: float

    @classmethod
    def of(
        cls,
        information: Information,
        coefs: list[tuple[str, float]],
        thresholds: list[tuple[str, float]],
        *,
        link: str,
        n_iter: int,
        confidence_level: float,
    ) -> CumulativeLinkSummary:
        z = check_level(confidence_level)
        coef_errors, threshold_errors, n_parameters = information.standard_errors()
        rows = [
            SummaryRow(
                name, "coefficient", value, se, value / se, _p(value / se), *_wald(value, se, z)
            )
            for (name, value), se in zip(coefs, coef_errors.tolist(), strict=True)
        ] + [
            SummaryRow(name, "threshold", value, se, _NAN, _NAN, *_wald(value, se, z))
            for (name, value), se in zip(thresholds, threshold_errors.tolist(), strict=True)
        ]
        return cls(
            rows=tuple(rows),
            link=link,
            log_likelihood=information.log_likelihood,
            n_samples=information.n_samples,
            sum_of_weights=information.sum_of_weights,
            n_parameters=n_parameters,
            n_iter=n_iter,
            largest_gradient=information.largest_gradient,
            converged=information.converged,
            confidence_level=confidence_level,
        )

    def __getitem__(self, name: str) -> SummaryRow:
        for row in self.rows:
            if row.name == name:
                return row
        raise KeyError(f"no row {name!r}; there are {[row.name for row in self.rows]}")

    @property
    def aic(self) -> float:
        """Akaike's criterion, to choose between links or columns: lower is better."""
        return 2 * self.n_parameters - 2 * self.log_likelihood

    def columns(self) -> dict[str, list[Any]]:
        """The table as columns: name, kind, estimate, se, z, p_value, low, high.

        Returns
        -------
        columns : dict of list
        """
        return {name: [getattr(r, name) for r in self.rows] for name in SummaryRow.__annotations__}

    def to_frame(self, backend: str = "pandas") -> Any:
        """One row per coefficient and threshold, as a pandas, polars or pyarrow table.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default="pandas"
        """
        return to_frame(self.columns(), backend)

    def __repr__(self) -> str:
        return "\n".join([*self._head(), "", *aligned(self._table()), *self._notes()])

    def _repr_html_(self) -> str:
        return as_html(self._head(), self._table(), self._notes())

    def _head(self) -> list[str]:
        weight = self.sum_of_weights
        weighted = "" if weight == self.n_samples else f" of weight {weight:g}"
        return [
            f"P(y <= k) = F(threshold_k - x.coef), {self.link} link, maximum likelihood",
            f"{self.n_samples} rows{weighted}; log-likelihood {self.log_likelihood:.3f}, AIC "
            f"{self.aic:.1f}",
            f"{self.n_iter} iterations; largest gradient {self.largest_gradient:.1e}",
        ]

    def _table(self) -> list[list[str]]:
        level = f"{100 * self.confidence_level:g} % limits"
        table = [["", "estimate", "std. error", "z", "p", level]]
        for row in self.rows:
            numbers = [number_text(row.estimate), number_text(row.se)]
            tested = ["", ""] if isnan(row.z) else [f"{row.z:.2f}", p_text(row.p_value)]
            limits = "" if isnan(row.se) else f"[{number_text(row.low)}, {number_text(row.high)}]"
            table.append([row.name, *numbers, *tested, limits])
        return table

    def _notes(self) -> list[str]:
        notes = []
        if not self.converged:
            notes.append("Not converged: max_iter was reached, and the numbers are not final.")
        if any(isnan(row.se) for row in self.rows):
            notes.append("No standard error: the column is constant, or a combination of others.")
        return notes


# ---------------------------------------------------------------------------------------------


def _p(z: float) -> float:
    return 2 * float(norm.sf(abs(z)))


def _wald(value: float, se: float, z: float) -> tuple[float, float]:
    return value - z * se, value + z * se
