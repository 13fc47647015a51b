"""One-line recipes: ordinary objects, put together in the order that is right."""

from __future__ import annotations

from typing import Any

from sklearn.pipeline import Pipeline

from skmetrics_ext.decision import CostThresholdClassifier
from skmetrics_ext.imbalance._resampled import ResampledClassifier

__all__ = ["resampled_recipe"]


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
        A classifier with `predict_proba`.
    preprocessing : transformer, default=None
        What comes before the sampler: a scaler, a ColumnTransformer, a Pipeline of transformers.
        None: nothing.
    sampler : sampler
        An object with `fit_resample`, as in imbalanced-learn.
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
    steps = [] if preprocessing is None else [("preprocessing", preprocessing)]
    steps.append(("classifier", ResampledClassifier(estimator, sampler=sampler)))
    return CostThresholdClassifier(Pipeline(steps), cost_matrix=cost_matrix)
