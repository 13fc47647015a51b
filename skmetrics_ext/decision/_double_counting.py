"""What already leans towards the rare class, so that costs on top of it count twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import StackingClassifier
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC, NuSVC

__all__ = ["Distortion", "DoubleCountingWarning", "distorts_priors", "find_distortions", "told"]

# Parameters that weigh classes, and the values at which they do not; the first is scikit-learn's
# and LightGBM's, the others are those of XGBoost, LightGBM and CatBoost.
_WEIGHTS: dict[str, tuple[Any, ...]] = {
    "class_weight": (None,),
    "scale_pos_weight": (None, 1),
    "is_unbalance": (None, False),
    "class_weights": (None,),
    "auto_class_weights": (None, "None"),
}


class DoubleCountingWarning(UserWarning):
    """Costs are weighed by probabilities that already lean towards the dear class.

    With ``class_weight``, or rows resampled without a correction, a classifier believes in other
    class shares than those of the data. Deciding by costs on top of that counts the same thing
    twice. The message says what to do.

    Examples
    --------
    >>> import warnings
    >>> from sklearn.linear_model import LogisticRegression
    >>> from skmetrics_ext.costs import CostMatrix
    >>> from skmetrics_ext.decision import CostThresholdClassifier, DoubleCountingWarning
    >>> leaning = LogisticRegression(class_weight="balanced")
    >>> model = CostThresholdClassifier(leaning, cost_matrix=CostMatrix.binary(false_negative=5))
    >>> with warnings.catch_warnings(record=True) as seen:
    ...     warnings.simplefilter("always")
    ...     model = model.fit([[0], [1], [2], [3]], [0, 0, 1, 1])
    >>> [warning.category is DoubleCountingWarning for warning in seen]
    [True]
    """


@dataclass(frozen=True)
class Distortion:
    """One thing inside an estimator that makes its probabilities not those of the data."""

    kind: Literal["weights", "rows"]
    what: str


def find_distortions(estimator: Any) -> list[Distortion]:
    """All that distorts the probabilities of an estimator and is not corrected around it.

    Looks through pipelines, searches and whatever else holds estimators as parameters. A
    `CalibratedClassifierCV` corrects all inside it; a `PriorCorrectedClassifier` does where it
    is told both priors, and whatever says so by ``_corrects_priors`` (`ResampledClassifier`).
    """
    return list(dict.fromkeys(_walk(estimator)))


def distorts_priors(estimator: Any) -> bool:
    """Whether the classifier learns from resampled rows, and nothing corrects for it."""
    return any(found.kind == "rows" for found in _walk(estimator))


def told(found: list[Distortion]) -> str:
    """What was found, and what to do about it."""
    text = [f"{' and '.join(f.what for f in found)}, and cost_matrix counts the same once more."]
    text.append("What costs least on such probabilities does not cost least on the data.")
    kinds = {f.kind for f in found}
    if "weights" in kinds:
        text.append("Take the class weights out and leave the matter to cost_matrix.")
    if "rows" in kinds:
        text.append(
            "Resample within ResampledClassifier, which corrects for it unless correction='none'."
        )
    text.append(
        "Or let it stay and put the probabilities right: CalibratedClassifierCV around it, or "
        "PriorCorrectedClassifier with target_priors and training_priors."
    )
    return " ".join(text)


def _walk(estimator: Any) -> Iterator[Distortion]:
    # The probabilities of support vectors are fitted on rows without their class weights.
    if isinstance(estimator, (CalibratedClassifierCV, SVC, NuSVC)):
        return
    if hasattr(estimator, "best_estimator_"):  # a search that chose among class weights
        yield from _walk(estimator.best_estimator_)
        return
    params = _params(estimator)
    # By its parameters, since it asks `distorts_priors` itself and cannot be imported here.
    corrects = {"target_priors", "training_priors"} <= set(params)
    if corrects and params["target_priors"] is not None and params["training_priors"] is not None:
        return
    if getattr(estimator, "_corrects_priors", False):
        return
    if getattr(estimator, "_distorts_priors", False) and not corrects:
        name = type(estimator).__name__
        yield Distortion("rows", f"{name} gives probabilities for resampled classes")
        return
    yield from _own(estimator, params)
    for child in _children(estimator, params):
        yield from _walk(child)


def _own(estimator: Any, params: dict[str, Any]) -> Iterator[Distortion]:
    """What an estimator does by itself, apart from those inside it."""
    name = type(estimator).__name__
    for key, harmless in _WEIGHTS.items():
        value = params.get(key)
        # A dict or an array cannot be looked up in a tuple safely; neither is harmless.
        plain = value is None or isinstance(value, (bool, int, float, str))
        if not (plain and (value is None or value in harmless)) and not _all_alike(value):
            yield Distortion("weights", f"{key}={value!r} of {name} makes some mistakes dearer")
    if "sampling_strategy" in params and hasattr(estimator, "predict_proba"):
        yield Distortion("rows", f"{name} gives probabilities for resampled classes")
    if isinstance(estimator, Pipeline):
        for step, each in estimator.steps:
            if hasattr(each, "fit_resample"):
                yield Distortion(
                    "rows",
                    f"{type(each).__name__} in step {step!r} makes probabilities those for "
                    "resampled classes",
                )


def _all_alike(weights: Any) -> bool:
    """Whether a weight for each class, by label or in a list, weighs none more than another."""
    values = list(weights.values()) if isinstance(weights, dict) else weights
    return (
        isinstance(values, (list, tuple))
        and bool(values)
        and values.count(values[0]) == len(values)
    )


def _children(estimator: Any, params: dict[str, Any]) -> Iterator[Any]:
    """The estimators whose probabilities become those of this one."""
    if isinstance(estimator, Pipeline):
        yield estimator.steps[-1][1]
        return
    if isinstance(estimator, StackingClassifier):
        # The last one learns from the answers of the others on rows as they are: it corrects them.
        params = {"final_estimator": params["final_estimator"]}
    for value in params.values():
        for each in value if isinstance(value, (list, tuple)) else [value]:
            for part in each if isinstance(each, tuple) else [each]:
                if _predicts(part):
                    yield part


def _predicts(value: Any) -> bool:
    if isinstance(value, type) or hasattr(value, "fit_resample"):
        return False
    return hasattr(value, "fit") and (hasattr(value, "predict_proba") or hasattr(value, "predict"))


def _params(estimator: Any) -> dict[str, Any]:
    if isinstance(estimator, type) or not hasattr(estimator, "get_params"):
        return {}
    return estimator.get_params(deep=False)
