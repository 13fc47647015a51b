"""What `ResampledClassifier.fit` refuses before anything is fitted."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.model_selection import check_cv
from sklearn.utils import check_random_state

from skmetrics_ext.decision._before_fit import is_frozen

__all__ = [
    "CORRECTIONS",
    "check_estimator",
    "check_options",
    "check_two_classes",
    "validated_cv",
]

CORRECTIONS = ("auto", "prior", "shift", "sigmoid", "isotonic", "none")


def check_estimator(estimator: Any, sampler: Any) -> None:
    """Raise where there are no probabilities, or nothing that could be resampled."""
    if not hasattr(estimator, "predict_proba"):
        raise ValueError(
            "estimator must have predict_proba: ResampledClassifier answers with the most "
            f"probable class after its probabilities are put back; got {estimator!r}. Wrap it, "
            "as in CalibratedClassifierCV(estimator), or choose one that has probabilities."
        )
    if sampler is None:
        return
    if isinstance(sampler, type) or not hasattr(sampler, "fit_resample"):
        raise ValueError(
            "sampler must be None or an object with fit_resample, such as "
            f"imblearn.over_sampling.RandomOverSampler(); got {sampler!r}."
        )
    if is_frozen(estimator):
        raise ValueError(
            f"sampler={sampler!r} cannot be used around a FrozenEstimator: it does not learn from "
            "the resampled rows, so there would be nothing to put back. Pass sampler=None, or "
            "the estimator unfrozen."
        )


def check_options(correction: Any, ensemble: Any, random_state: Any) -> None:
    """Raise where a parameter is none of the values that it can have."""
    if isinstance(correction, str) and correction.startswith("temperature"):
        raise ValueError(
            f"correction={correction!r} is not offered: temperature scaling has no intercept. It "
            "makes probabilities sharper or flatter about 1 / n_classes and cannot move their "
            "mean back to the class shares. correction='sigmoid' has the slope and an intercept "
            f"per class; got one that is not among {list(CORRECTIONS)}."
        )
    if not isinstance(correction, str) or correction not in CORRECTIONS:
        raise ValueError(f"correction must be one of {list(CORRECTIONS)}; got {correction!r}.")
    if not isinstance(ensemble, (bool, np.bool_)):
        raise ValueError(f"ensemble must be True or False; got {ensemble!r}.")
    try:
        check_random_state(random_state)
    except ValueError:
        raise ValueError(
            f"random_state must be None, an int or a RandomState; got {random_state!r}."
        ) from None


def validated_cv(cv: Any, y: np.ndarray) -> Any:
    """The splitter, made once: a generator of splits can be read once only."""
    return check_cv(cv, y, classifier=True)


def check_two_classes(y: np.ndarray, who: str) -> None:
    """Raise where there is nothing to tell apart."""
    classes = np.unique(y)
    if len(classes) < 2:
        raise ValueError(
            f"{who} one class only, {classes.tolist()}: at least two are needed to tell them apart."
        )
