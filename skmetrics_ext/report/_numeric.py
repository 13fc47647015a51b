"""A report on predicted numbers: scikit-learn's errors with bootstrap intervals by scipy."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import bootstrap
from sklearn.metrics import mean_absolute_error, mean_squared_error, r2_score

from skmetrics_ext.intervals._interval import check_level
from skmetrics_ext.report._blocks import Cell, Grid, Lines, Section, Text
from skmetrics_ext.report._calls import Call, Number, counted

__all__ = ["NumericEvidence", "numeric_evidence", "numeric_sections"]

Floats = NDArray[np.float64]
_RESAMPLES = 999
# BCa needs an answer without each row in turn.
_MOST_FOR_BCA = 2000
_SEED = 0


def _root_mean_squared_error(y_true: Floats, y_pred: Floats, sample_weight: Any = None) -> float:
    return float(np.sqrt(mean_squared_error(y_true, y_pred, sample_weight=sample_weight)))


_METRICS: Mapping[str, Callable[..., float]] = {
    "mean_absolute_error": mean_absolute_error,
    "root_mean_squared_error": _root_mean_squared_error,
    "r2_score": r2_score,
}


@dataclass(frozen=True)
class Interval:
    """A value with its limits, as `Number.of` reads them."""

    value: float
    low: float | None
    high: float | None
    counts: str
    method: str | None

    def __float__(self) -> float:
        return self.value


@dataclass(frozen=True, eq=False)
class NumericEvidence:
    """True and predicted numbers, row by row: no summary of them would do."""

    y_true: Floats
    y_pred: Floats
    sample_weight: Floats | None
    confidence_level: float

    def namespace(self) -> Mapping[str, Any]:
        """What calls use."""
        return {"numbers": self}

    def error(self, metric: str) -> Interval:
        """One of scikit-learn's functions, with its bootstrap interval."""
        function = _METRICS[metric]
        value = float(function(self.y_true, self.y_pred, sample_weight=self.sample_weight))
        rows = counted(len(self.y_true), "row")
        columns = [self.y_true, self.y_pred]
        if self.sample_weight is not None:
            # Rows without weight could be drawn alone, and there would be no error to compute.
            heavy = self.sample_weight > 0
            columns = [column[heavy] for column in (*columns, self.sample_weight)]
        if len(columns[0]) < 3 or np.ptp(columns[0] - columns[1]) == 0:
            return Interval(value, None, None, rows, None)
        method = "BCa" if len(columns[0]) <= _MOST_FOR_BCA else "percentile"
        resample: Any = bootstrap  # whose stubs know no tuple of columns
        with warnings.catch_warnings(), np.errstate(invalid="ignore", divide="ignore"):
            # Where all resamples agree scipy warns and answers NaN: there is no interval.
            warnings.simplefilter("ignore")
            found = resample(
                tuple(columns),
                lambda truth, said, *w: function(truth, said, sample_weight=(w or [None])[0]),
                paired=True,
                vectorized=False,
                n_resamples=_RESAMPLES,
                confidence_level=self.confidence_level,
                method=method,
                random_state=np.random.default_rng(_SEED),
            ).confidence_interval
        if not (np.isfinite(found.low) and np.isfinite(found.high)):
            return Interval(value, None, None, rows, None)
        return Interval(value, float(found.low), float(found.high), rows, f"bootstrap, {method}")

    def constant_error(self, metric: str) -> float:
        """The same of always answering the mean (the median for absolute errors)."""
        weights = self.sample_weight
        if metric == "mean_absolute_error":
            order = np.argsort(self.y_true)
            heavy = np.ones(len(order)) if weights is None else weights[order]
            place = np.searchsorted(np.cumsum(heavy), heavy.sum() / 2)
            constant = self.y_true[order][place]
        else:
            constant = np.average(self.y_true, weights=weights)
        said = np.full(len(self.y_true), constant)
        return float(_METRICS[metric](self.y_true, said, sample_weight=weights))


def numeric_evidence(
    y_true: Any, y_pred: Any, sample_weight: Any, confidence_level: float
) -> NumericEvidence:
    """Check the columns of a report on numbers."""
    check_level(confidence_level)
    if y_pred is None:
        raise ValueError("a report on numbers needs y_pred, the predicted numbers; got None.")
    truth, said = (_column(v, name) for v, name in ((y_true, "y_true"), (y_pred, "y_pred")))
    if len(truth) != len(said):
        raise ValueError(
            "y_true and y_pred must have the same number of rows; got "
            f"{len(truth)} and {len(said)}."
        )
    weights = None if sample_weight is None else _column(sample_weight, "sample_weight")
    if weights is not None and (
        len(weights) != len(truth) or weights.min() < 0 or not weights.any()
    ):
        raise ValueError(
            "sample_weight must hold one number per row, not negative and not all zero."
        )
    return NumericEvidence(truth, said, weights, confidence_level)


def _column(values: Any, name: str) -> Floats:
    try:
        column = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(
            f"{name} must hold numbers; got {getattr(values, 'dtype', type(values).__name__)}."
        ) from None
    if column.ndim != 1 or len(column) == 0:
        raise ValueError(
            f"{name} must be one-dimensional with at least one row; got the shape {column.shape}."
        )
    wrong = int((~np.isfinite(column)).sum())
    if wrong:
        raise ValueError(f"{name} has {wrong} missing or infinite values; leave out those rows.")
    return column


def numeric_sections(evidence: NumericEvidence) -> tuple[Section, ...]:
    """What can be said of predicted numbers."""
    truth, said = evidence.y_true, evidence.y_pred
    names = evidence.namespace()
    rows: list[tuple[Cell, ...]] = []
    for label, metric in (
        ("mean absolute error", "mean_absolute_error"),
        ("root mean squared error", "root_mean_squared_error"),
        ("R2", "r2_score"),
    ):
        number = Number.of(label, Call("numbers", "error", (metric,)), names)
        constant = Call("numbers", "constant_error", (metric,))
        rows.append((label, number, Number.of(f"{label}, constant", constant, names)))
    error = said - truth
    average = np.average(truth, weights=evidence.sample_weight)
    worst = np.argsort(-np.abs(error), kind="stable")[:10]
    opened = tuple(
        (str(row), f"{truth[row]:.6g}", f"{said[row]:.6g}", f"{error[row]:+.6g}")
        for row in worst.tolist()
    )
    mean = float(np.average(error, weights=evidence.sample_weight))
    return (
        Section(
            "Read this first",
            (
                Lines(
                    (
                        "Squares count one error of 100 as two of 50, and more: take the absolute "
                        "error where an error twice as large is twice as bad.",
                        f"Predictions are {abs(mean):.4g} too {'high' if mean > 0 else 'low'} on "
                        "average.",
                    )
                ),
            ),
        ),
        Section(
            "The data",
            (
                Text(
                    f"{counted(len(truth), 'row')}; true values from {truth.min():.6g} to "
                    f"{truth.max():.6g}, {average:.6g} on average."
                ),
            ),
        ),
        Section(
            "The errors",
            (
                Grid(
                    ("error", "these predictions", "a constant"),
                    tuple(rows),
                    "By scikit-learn, with bootstrap intervals by scipy. The constant is the "
                    "median for absolute errors, else the mean.",
                ),
            ),
        ),
        Section(
            "The mistakes to open first",
            (Grid(("row", "truth", "predicted", "error"), opened, "Positions from 0."),),
        ),
    )
