"""Rows and what belongs to them: targets, weights and other metadata that follow a sampler."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import assert_all_finite, column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from skmetrics_ext._labels import group_column
from skmetrics_ext._sklearn import safe_indexing

__all__ = [
    "Rows",
    "follow_sampler",
    "select_rows",
    "validated_target",
    "validated_weights",
    "weights_among",
]


@dataclass(frozen=True)
class Rows:
    """Rows, their labels, and the fit parameters that go with them."""

    X: Any
    y: np.ndarray
    params: dict[str, Any]

    def take(self, index: np.ndarray) -> Rows:
        """The rows of ``index``, with what belongs to them."""
        n = len(self.y)
        X = safe_indexing(self.X, index)
        return Rows(X, self.y[index], select_rows(self.params, n, index))


def validated_target(y: Any) -> np.ndarray:
    """The target as a one-dimensional array of class labels, none of them missing."""
    if y is None:
        raise ValueError("ResampledClassifier requires y to be passed, but the target y is None.")
    shape: tuple[int, ...] = getattr(y, "shape", ())
    if len(shape) == 2 and shape[1] > 1:
        # imbalanced-learn's own words, which its checks look for.
        raise ValueError(
            "Multilabel and multioutput targets are not supported. y must be one-dimensional; "
            f"got an array of shape {shape}."
        )
    kind = getattr(getattr(y, "dtype", None), "kind", None)
    if kind not in ("f", "c"):
        # Before numpy sees it: ["a", nan] would become the words 'a' and 'nan'.
        group_column(y, name="y")
    labels = column_or_1d(y, warn=True)
    if kind == "f":
        group_column(labels, name="y", key=True)
        assert_all_finite(labels, input_name="y")
    check_classification_targets(labels)
    return labels


def validated_weights(sample_weight: Any, n_samples: int) -> np.ndarray:
    """Weights as floats: one per row, finite, not negative, not all zero."""
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.shape != (n_samples,):
        raise ValueError(
            f"sample_weight must hold one number per row, {n_samples} in all; got an array of "
            f"shape {weights.shape}."
        )
    wrong = ~np.isfinite(weights) | (weights < 0)
    if wrong.any():
        raise ValueError(
            "sample_weight must hold finite numbers that are not negative; got "
            f"{weights[wrong][0]}."
        )
    if not weights.any():
        raise ValueError(
            "sample_weight must not be zero for every row: there is no row to learn from."
        )
    return weights


def weights_among(fit_params: dict[str, Any], n_samples: int) -> np.ndarray | None:
    """The row weights that reach the estimator (its last step, in a pipeline), or None."""
    given = [
        value
        for name, value in fit_params.items()
        if (name == "sample_weight" or name.endswith("__sample_weight")) and value is not None
    ]
    return validated_weights(given[-1], n_samples) if given else None


def select_rows(params: dict[str, Any], n_samples: int, index: np.ndarray) -> dict[str, Any]:
    """Fit parameters for the rows of ``index``; those that are not per row stay as they are."""
    return {
        name: safe_indexing(value, index) if _is_per_row(value, n_samples) else value
        for name, value in params.items()
    }


def follow_sampler(
    params: dict[str, Any], sampler: Any, y: np.ndarray, y_resampled: np.ndarray
) -> dict[str, Any]:
    """Fit parameters for the rows that a fitted sampler gave.

    A sampler that picks rows says which (``sample_indices_``), and each row keeps what belongs
    to it. A sampler that makes rows does not say which rows a new one came from, so only what is
    the same for all rows can be given to a new one.

    Raises
    ------
    ValueError
        If a parameter differs between rows and the sampler makes rows, or if
        ``sample_indices_`` does not describe the rows that the sampler gave.
    """
    index = getattr(sampler, "sample_indices_", None)
    if index is not None:
        index = np.asarray(index)
        if len(index) != len(y_resampled) or not np.array_equal(y[index], y_resampled):
            raise ValueError(
                f"sampler={sampler!r} states in sample_indices_ rows that are not those it "
                "returned, so nothing that belongs to a row can follow it."
            )
        return select_rows(params, len(y), index)
    return {
        name: _same_for_all(name, value, sampler, len(y_resampled))
        if _is_per_row(value, len(y))
        else value
        for name, value in params.items()
    }


def _same_for_all(name: str, value: Any, sampler: Any, n_resampled: int) -> np.ndarray:
    array = np.asarray(value)
    differs = array != array[0]
    if np.any(differs):
        raise ValueError(
            f"{name} must be equal for all rows with sampler={sampler!r}: it makes new rows and "
            "has no sample_indices_ to say which rows they came from, so they would get no "
            f"{name} or a wrong one; got {array[0]} and {array[differs][0]}. Use a sampler that "
            "picks rows, such as RandomOverSampler or RandomUnderSampler."
        )
    return np.repeat(array[:1], n_resampled, axis=0)


def _is_per_row(value: Any, n_samples: int) -> bool:
    if isinstance(value, (str, bytes, dict)):
        return False
    shape = getattr(value, "shape", None)
    if shape is not None:
        return len(shape) > 0 and shape[0] == n_samples
    return hasattr(value, "__len__") and len(value) == n_samples
