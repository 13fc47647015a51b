"""What the wrapped estimator's fit is given, with metadata routing on and off."""

from __future__ import annotations

from typing import Any

from sklearn import get_config
from sklearn.pipeline import Pipeline
from sklearn.utils.metadata_routing import process_routing
from sklearn.utils.validation import has_fit_parameter

__all__ = ["inner_fit_params"]


def inner_fit_params(
    wrapper: Any, estimator: Any, sample_weight: Any, params: dict[str, Any]
) -> dict[str, Any]:
    """The keyword arguments for ``estimator.fit`` inside ``wrapper.fit``.

    Parameters
    ----------
    wrapper : estimator
        The one that is being fitted, a `ClassifierWrapper`.
    estimator : estimator
        The one inside.
    sample_weight : array-like of shape (n_samples,) or None
        None is not passed on.
    params : dict
        All other metadata.

    Raises
    ------
    ValueError
        Without routing, where no step of a Pipeline accepts weights, or one of them resamples.
    """
    weights = {} if sample_weight is None else {"sample_weight": sample_weight}
    if get_config()["enable_metadata_routing"]:
        return dict(process_routing(wrapper, "fit", **weights, **params)[wrapper._inside].fit)
    if weights and isinstance(estimator, Pipeline):
        names = _weight_names(estimator)
        if not names:
            raise ValueError(
                f"sample_weight cannot be used: no step of estimator={estimator!r} accepts it "
                "in fit."
            )
        weights = dict.fromkeys(names, sample_weight)
    return {**weights, **params}


def _weight_names(pipeline: Pipeline) -> list[str]:
    """``<step>__sample_weight`` for every step that accepts it, also in nested pipelines."""
    names = []
    for name, step in pipeline.steps:
        if isinstance(step, Pipeline):
            names += [f"{name}__{inner}" for inner in _weight_names(step)]
        elif hasattr(step, "fit_resample"):
            raise ValueError(
                f"sample_weight cannot pass the sampler in step {name!r}: the rows after it are "
                "not those that the weights belong to. ResampledClassifier keeps them together."
            )
        elif hasattr(step, "fit") and has_fit_parameter(step, "sample_weight"):
            names.append(f"{name}__sample_weight")
    return names
