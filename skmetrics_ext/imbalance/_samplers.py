"""Samplers made ready for the rows they get: random states, and neighbours that are there."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp
from imblearn.over_sampling import SMOTE
from imblearn.utils import check_sampling_strategy
from sklearn.base import clone
from sklearn.pipeline import Pipeline

__all__ = [
    "Notes",
    "has_samplers",
    "is_sampler",
    "needs_neighbours",
    "resample",
    "samplers_of",
]

_LARGEST_SEED = np.iinfo(np.int32).max
_NEIGHBOURS = ("k_neighbors", "n_neighbors")


@dataclass
class Notes:
    """What is to be said once, though it happened in many folds."""

    clipped: dict[str, tuple[int, int]] = field(default_factory=dict)
    fractional: dict[str, tuple[int, str]] = field(default_factory=dict)

    def sayings(self) -> list[str]:
        """One sentence for all neighbours, and one for the fractional dummies of a sampler."""
        sayings = []
        if self.clipped:
            each = [
                f"{name}={asked} became {taken}" for name, (asked, taken) in self.clipped.items()
            ]
            sayings.append(
                "There are fewer rows of a class in a training fold than the sampler looks for "
                f"neighbours among: {', '.join(each)} there. Fewer neighbours, or a smaller cv, "
                "keep what you asked for."
            )
        for sampler, (n_columns, column) in self.fractional.items():
            sayings.append(
                f"{sampler} made values other than 0 and 1 in {n_columns} column(s) that hold "
                f"only 0 and 1, such as {column}: a category cannot be one by half. Resample "
                "before the encoding, with SMOTENC(categorical_features=...) or SMOTEN."
            )
        return sayings


def is_sampler(step: Any) -> bool:
    """Whether it changes the rows, as imbalanced-learn's do."""
    return hasattr(step, "fit_resample") and not isinstance(step, Pipeline)


def has_samplers(estimator: Any) -> bool:
    """Whether there is a sampler among the steps, also those of pipelines within."""
    return isinstance(estimator, Pipeline) and any(
        is_sampler(step) or has_samplers(step) for _, step in estimator.steps
    )


def samplers_of(sampler: Any, estimator: Any) -> list[Any]:
    """The sampler, and those in the steps of a pipeline."""
    found = [] if sampler is None else [sampler]
    if isinstance(estimator, Pipeline):
        for _, step in estimator.steps:
            found += samplers_of(step if is_sampler(step) else None, step)
    return found


def needs_neighbours(sampler: Any) -> bool:
    """Whether a single row of a class is too few for it."""
    return any(name.rpartition("__")[2] in _NEIGHBOURS for name in _params(sampler, deep=True))


def resample(
    sampler: Any, X: Any, y: np.ndarray, notes: Notes, rng: np.random.RandomState | None
) -> tuple[Any, Any, np.ndarray]:
    """A clone of the sampler, fitted, and the rows it gives.

    ``rng`` seeds whatever random state is None in it; None leaves them.
    """
    # Objects that merely have fit_resample are copied.
    sampler = clone(sampler, safe=False)
    if rng is not None:
        _seed(sampler, rng)
    _clip(sampler, y, notes)
    X_resampled, y_resampled = sampler.fit_resample(X, y)
    if not hasattr(sampler, "sample_indices_") or getattr(sampler, "shrinkage", None) is not None:
        _look_for_fractions(sampler, X, X_resampled, notes)
    return sampler, X_resampled, np.asarray(y_resampled)


def _params(sampler: Any, *, deep: bool) -> dict[str, Any]:
    return sampler.get_params(deep=deep) if hasattr(sampler, "get_params") else {}


def _seed(sampler: Any, rng: np.random.RandomState) -> None:
    params = _params(sampler, deep=True)
    unset = {
        name: int(rng.randint(_LARGEST_SEED))
        for name in sorted(params)
        if name.rpartition("__")[2] == "random_state" and params[name] is None
    }
    if unset:
        sampler.set_params(**unset)


def _clip(sampler: Any, y: np.ndarray, notes: Notes) -> None:
    """Ask for no more neighbours than there are rows to be neighbours."""
    params = _params(sampler, deep=False)
    for inner in params.values():
        if is_sampler(inner):
            _clip(inner, y, notes)
    if "smote" in params and params["smote"] is None:
        smote = SMOTE(
            sampling_strategy=params["sampling_strategy"], random_state=params["random_state"]
        )
        _clip(smote, y, notes)
        if smote.k_neighbors != SMOTE().k_neighbors:
            sampler.set_params(smote=smote)
    others = _rows_to_look_among(sampler, y)
    if others is None:
        return
    for name in _NEIGHBOURS:
        value = params.get(name)
        if value is None:
            continue
        # A neighbours object counts the row itself among its neighbours, a number does not.
        path, most = name, others
        if hasattr(value, "kneighbors"):
            path, most = f"{name}__n_neighbors", others + 1
        asked = _params(sampler, deep=True).get(path)
        most = max(most, 1)
        if isinstance(asked, (int, np.integer)) and asked > most:
            sampler.set_params(**{path: most})
            key = f"{path} of {type(sampler).__name__}"
            # The one furthest from what was asked for stands for all.
            before = notes.clipped.get(key, (int(asked), most))[1]
            notes.clipped[key] = (int(asked), min(most, before))


def _rows_to_look_among(sampler: Any, y: np.ndarray) -> int | None:
    """How many other rows the poorest class concerned has; None where all classes are one."""
    kind = getattr(sampler, "_sampling_type", None)
    if kind not in ("over-sampling", "under-sampling"):
        return None
    labels, counts = np.unique(y, return_counts=True)
    if kind == "under-sampling":  # NearMiss: neighbours among the rarest class, not itself
        return int(counts.min())
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the sampler itself says it once more
            targets = check_sampling_strategy(sampler.sampling_strategy, y, kind)
    except (ValueError, KeyError, TypeError):
        return None  # the sampler itself says it better
    concerned = [
        count
        for label, count in zip(labels.tolist(), counts.tolist(), strict=True)
        if targets.get(label, 0) > 0
    ]
    return min(concerned) - 1 if concerned else None


def _look_for_fractions(sampler: Any, X: Any, X_resampled: Any, notes: Notes) -> None:
    key = type(sampler).__name__
    try:
        before, after = _not_dummies(X), _not_dummies(X_resampled)
    except (TypeError, ValueError):
        return  # words and such: no dummies
    columns = np.flatnonzero(~before & after)
    if len(columns) > notes.fractional.get(key, (0, ""))[0]:
        names = getattr(X, "columns", None)
        first = int(columns[0])
        column = f"number {first}" if names is None else repr(list(names)[first])
        notes.fractional[key] = (len(columns), column)


def _not_dummies(X: Any) -> np.ndarray:
    """For each column, whether it holds anything but 0 and 1."""
    if sp.issparse(X):
        entries: Any = sp.coo_array(X)  # type: ignore[call-overload]  # X is of any format
        found = np.zeros(entries.shape[1], dtype=bool)
        found[entries.col[(entries.data != 0) & (entries.data != 1)]] = True
        return found
    if hasattr(X, "columns") and hasattr(X, "dtypes"):
        # Column by column: a frame of words and numbers would become one of objects.
        return np.array([_holds_else(X[name]) for name in X.columns], dtype=bool)
    array = np.asarray(X)
    if array.ndim != 2:
        raise ValueError("not a table")
    return ((array != 0) & (array != 1)).any(axis=0)


def _holds_else(column: Any) -> bool:
    array = np.asarray(column)
    return bool(((array != 0) & (array != 1)).any())
