"""One-line recipes: ordinary objects, put together in the order that is right."""

from __future__ import annotations

from typing import Any

from imblearn.pipeline import Pipeline as ResamplingPipeline
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from skmetrics_ext.decision import CostThresholdClassifier
from skmetrics_ext.imbalance._learning import flat_steps
from skmetrics_ext.imbalance._resampled import ResampledClassifier
from skmetrics_ext.imbalance._samplers import has_samplers, is_sampler

__all__ = ["resampled_recipe", "threshold_recipe", "weighted_recipe"]


def threshold_recipe(
    estimator: Any, *, preprocessing: Any = None, cost_matrix: Any = None
) -> CostThresholdClassifier:
    """Leave rows and probabilities as they are, and decide by cost: the first lever to try.

    Parameters
    ----------
    estimator : estimator
        A classifier with `predict_proba`. A pipeline that resamples, and an imbalanced-learn
        pipeline with one inside, go into a
        :class:`~skmetrics_ext.imbalance.ResampledClassifier`, as in `resampled_recipe`.
    preprocessing : transformer, default=None
        What comes before: a scaler, a ColumnTransformer, a Pipeline of transformers. None:
        nothing.
    cost_matrix : CostMatrix, array-like, callable or None, default=None
        The costs, as :class:`~skmetrics_ext.decision.CostThresholdClassifier` takes them. None:
        one per mistake.

    Returns
    -------
    CostThresholdClassifier
        Around a :class:`~sklearn.pipeline.Pipeline` with the steps 'preprocessing' (left out
        where it is None) and 'classifier'.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.preprocessing import StandardScaler
    >>> from skmetrics_ext.imbalance import threshold_recipe
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> recipe = threshold_recipe(
    ...     LogisticRegression(), preprocessing=StandardScaler(), cost_matrix=[[0, 1], [100, 0]]
    ... )
    >>> [name for name, step in recipe.estimator.steps]
    ['preprocessing', 'classifier']
    >>> recipe.fit(X, y).predict(X[:3])
    array([0, 0, 0])
    """
    before, sampler, classifier = _parts(preprocessing, None, estimator)
    if sampler is not None:
        classifier = ResampledClassifier(classifier, sampler=sampler)
    return _assembled(before, classifier, cost_matrix)


def weighted_recipe(
    estimator: Any, *, preprocessing: Any = None, cost_matrix: Any = None
) -> CostThresholdClassifier:
    """Weigh the classes alike in training, correct the probabilities, decide by cost.

    Class weights make a classifier look harder at the rare class, and distort its probabilities
    just as resampling does. Corrected, they may stand before costs without counting twice.

    Parameters
    ----------
    estimator : estimator
        A classifier with `predict_proba` and `class_weight`, or a pipeline that ends with one. A
        clone of it is set to ``class_weight="balanced"`` where it has none.
    preprocessing : transformer, default=None
        As in `threshold_recipe`.
    cost_matrix : CostMatrix, array-like, callable or None, default=None
        As in `threshold_recipe`.

    Returns
    -------
    CostThresholdClassifier
        Around a :class:`~sklearn.pipeline.Pipeline` with the steps 'preprocessing' (left out
        where it is None) and 'classifier', a
        :class:`~skmetrics_ext.imbalance.ResampledClassifier` without a sampler.

    Raises
    ------
    ValueError
        If the classifier has no `class_weight`.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from skmetrics_ext.imbalance import weighted_recipe
    >>> recipe = weighted_recipe(LogisticRegression(), cost_matrix=[[0, 10], [1, 0]])
    >>> recipe.estimator.named_steps["classifier"].estimator
    LogisticRegression(class_weight='balanced')
    """
    before, sampler, classifier = _parts(preprocessing, None, estimator)
    classifier = clone(classifier)
    last = flat_steps(classifier)[-1][1]
    if not hasattr(last, "get_params") or "class_weight" not in last.get_params(deep=False):
        raise ValueError(
            f"estimator must have class_weight; {last!r} has none. resampled_recipe with "
            "RandomOverSampler() does the same to any classifier."
        )
    if last.class_weight is None:
        last.set_params(class_weight="balanced")
    return _assembled(before, ResampledClassifier(classifier, sampler=sampler), cost_matrix)


def resampled_recipe(
    estimator: Any, *, preprocessing: Any = None, sampler: Any, cost_matrix: Any = None
) -> CostThresholdClassifier:
    """Resample inside the training fold, correct the probabilities, decide by cost.

    The order is what is easily got wrong. The sampler comes after the preprocessing and within
    `fit` alone, so no validation fold ever holds a resampled row; the probabilities are put back
    to the shares before resampling; the decision is outermost, so costs that depend on the row
    see the raw columns.

    Parameters
    ----------
    estimator : estimator
        A classifier with `predict_proba`. A pipeline that resamples is taken apart: what comes
        before its first sampler joins the preprocessing.
    preprocessing : transformer, default=None
        What comes before the sampler: a scaler, a ColumnTransformer, a Pipeline of transformers.
        None: nothing. Samplers in it move into the classifier, with all that follows them.
    sampler : sampler or None
        An object with `fit_resample`, as in imbalanced-learn. None: those of the pipelines.
    cost_matrix : CostMatrix, array-like, callable or None, default=None
        The costs, as :class:`~skmetrics_ext.decision.CostThresholdClassifier` takes them. None:
        one per mistake.

    Returns
    -------
    CostThresholdClassifier
        Around a :class:`~sklearn.pipeline.Pipeline` with the steps 'preprocessing' (left out
        where it is None) and 'classifier', a
        :class:`~skmetrics_ext.imbalance.ResampledClassifier`. In a grid the parameters are named
        as in ``estimator__classifier__sampler__random_state``.

    Examples
    --------
    >>> from imblearn.under_sampling import RandomUnderSampler
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.preprocessing import StandardScaler
    >>> from skmetrics_ext.imbalance import resampled_recipe
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> recipe = resampled_recipe(
    ...     LogisticRegression(),
    ...     preprocessing=StandardScaler(),
    ...     sampler=RandomUnderSampler(random_state=0),
    ...     cost_matrix=[[0, 1], [100, 0]],
    ... )
    >>> [name for name, step in recipe.estimator.steps]
    ['preprocessing', 'classifier']
    >>> recipe.fit(X, y).predict(X[:3])
    array([0, 0, 0])
    """
    before, sampler, classifier = _parts(preprocessing, sampler, estimator)
    return _assembled(before, ResampledClassifier(classifier, sampler=sampler), cost_matrix)


def _assembled(before: Any, classifier: Any, cost_matrix: Any) -> CostThresholdClassifier:
    steps = [] if before is None else [("preprocessing", before)]
    steps.append(("classifier", classifier))
    return CostThresholdClassifier(Pipeline(steps), cost_matrix=cost_matrix)


def _parts(preprocessing: Any, sampler: Any, estimator: Any) -> tuple[Any, Any, Any]:
    """What comes before the first sampler, that sampler, and all that follows it."""
    if not has_samplers(preprocessing) and not has_samplers(estimator):
        return preprocessing, sampler, estimator
    steps = [] if preprocessing is None else _named(preprocessing, "preprocessing")
    if sampler is not None:
        steps.append(("sampler", sampler))
    steps += _named(estimator, "classifier")
    first = next(k for k, (_, step) in enumerate(steps) if is_sampler(step))
    before = [(name, step) for name, step in steps[:first]]
    after = steps[first + 1 :]
    return (
        _one_or_pipeline(before, Pipeline) if before else None,
        steps[first][1],
        _one_or_pipeline(after, ResamplingPipeline),
    )


def _named(estimator: Any, name: str) -> list[tuple[str, Any]]:
    return [("-".join(path) or name, step) for path, step in flat_steps(estimator)]


def _one_or_pipeline(steps: list[tuple[str, Any]], pipeline: Any) -> Any:
    if len(steps) == 1:
        return steps[0][1]
    seen: dict[str, int] = {}
    named = []
    for name, step in steps:
        seen[name] = seen.get(name, 0) + 1
        named.append((name if seen[name] == 1 else f"{name}-{seen[name]}", step))
    return pipeline(named)
