"""A regressor's predictions of rows that it has not learnt from."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.base import clone
from sklearn.model_selection import check_cv
from sklearn.utils.metadata_routing import process_routing

from skmetrics_ext._sklearn import params_of_rows, safe_indexing
from skmetrics_ext.decision._fit_params import inner_fit_params

__all__ = ["latent_of", "out_of_fold", "regressor_params", "splits_of"]

Floats = NDArray[np.float64]
Split = tuple[Any, Any]


def regressor_params(
    wrapper: Any, sample_weight: Any, params: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The keyword arguments for ``regressor.fit`` and for ``cv.split``."""
    if get_config()["enable_metadata_routing"]:
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        routed = process_routing(wrapper, "fit", **weights, **params)
        return dict(routed.regressor.fit), dict(routed.splitter.split)
    of_split = {"groups": params["groups"]} if "groups" in params else {}
    others = {key: value for key, value in params.items() if key != "groups"}
    return inner_fit_params(wrapper, wrapper.regressor, sample_weight, others), of_split


def splits_of(cv: Any, X: Any, ranks: NDArray[np.intp], params: dict[str, Any]) -> list[Split]:
    """The splits; each row is held out once.

    Raises
    ------
    ValueError
        Where it is not, `cv` is none of those, or no class is large enough for so many folds.
    """
    folds = 5 if cv is None else cv
    whole = isinstance(folds, (int, np.integer))
    if isinstance(folds, (str, float)) or (whole and folds < 2):
        raise ValueError(
            "cv must be a number of folds, 2 or more, a splitter, or an iterable of (train, test) "
            f"indices; got {cv!r}. A regressor that is fitted already is passed as "
            "FrozenEstimator(regressor)."
        )
    largest = int(np.bincount(ranks).max())
    if whole and folds > largest:
        raise ValueError(
            f"cv={folds} stratified folds need a class of at least {folds} rows; the largest has "
            f"{largest}. Pass fewer folds, or a splitter such as KFold({folds})."
        )
    splits = list(check_cv(cv, y=ranks, classifier=True).split(X, ranks, **params))
    held_out = np.zeros(len(ranks), dtype=np.intp)
    for _, test in splits:
        np.add.at(held_out, test, 1)
    if (held_out != 1).any():
        row = int(np.flatnonzero(held_out != 1)[0])
        raise ValueError(
            "cv must hold out each row once, since cuts are chosen on the out-of-fold "
            f"predictions of all rows; row {row} is held out {held_out[row]} times by cv={cv!r}."
        )
    return splits


def out_of_fold(
    regressor: Any, X: Any, target: Floats, splits: list[Split], fit_params: dict[str, Any]
) -> Floats:
    """For each row the prediction of a regressor fitted without its fold."""
    latent = np.empty(len(target))
    for train, test in splits:
        params = params_of_rows(X, fit_params, indices=train)
        fitted = clone(regressor).fit(safe_indexing(X, train), target[train], **params)
        latent[test] = latent_of(fitted, safe_indexing(X, test))
    return latent


def latent_of(regressor: Any, X: Any) -> Floats:
    """The regressor's predictions as float64, one number per row.

    Raises
    ------
    ValueError
        Where it gives another shape, or NaN.
    """
    values = np.asarray(regressor.predict(X), dtype=np.float64)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise ValueError(
            f"regressor must predict one number per row; {regressor!r} gives an array of shape "
            f"{values.shape}."
        )
    missing = int(np.isnan(values).sum())
    if missing:
        raise ValueError(
            f"regressor must predict a number for each row; {missing} of {len(values)} "
            f"predictions of {regressor!r} are NaN."
        )
    return values
