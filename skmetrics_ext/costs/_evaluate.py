"""Costs of each row of X for the classes at hand, from any callable."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skmetrics_ext._labels import are_words, label_array
from skmetrics_ext.costs._align import Priced, align
from skmetrics_ext.costs._arrays import Floats, numeric_array, sorted_labels
from skmetrics_ext.costs._per_row import PerRowCosts, n_rows

__all__ = ["evaluate_cost_function"]


def evaluate_cost_function(
    function: Callable[[Any], Any],
    X: Any,
    classes: ArrayLike,
    *,
    labels: ArrayLike | None = None,
) -> tuple[Floats, np.ndarray]:
    """The costs of each row of X, in the order of the classes at hand; never averaged.

    Parameters
    ----------
    function : callable
        ``function(X)`` gives (n, K, K): c[r, i, j], the cost of answer i when the truth of row r
        is j, in the order of ``labels``. Only `CostMatrix.per_row` has more actions.
    X : array-like, sparse matrix or frame of n rows
    classes : array-like
        The classes at hand, in the order wanted; they may be some of ``labels``.
    labels : array-like of shape (K,), default=None
        The order of the function's rows and columns. None: that of a `PerRowCosts`, else sorted
        classes, which is refused for words.

    Returns
    -------
    costs : ndarray of shape (n, A, K)
        In the unit of the costs, per row.
    actions : ndarray of shape (A,)
        The classes, then the other actions.

    Raises
    ------
    ValueError
        Where the shape is wrong, a cost is not finite (with the row), a class has no cost, or
        the order of words would have to be guessed.
    TypeError
        Where ``function`` is not callable.

    Examples
    --------
    >>> import numpy as np
    >>> from skmetrics_ext.costs import evaluate_cost_function
    >>> def by_amount(X):
    ...     costs = np.zeros((len(X), 2, 2))
    ...     costs[:, 0, 1] = X[:, 0]  # a missed fraud costs its amount
    ...     costs[:, 1, 0] = 50
    ...     return costs
    >>> costs, actions = evaluate_cost_function(
    ...     by_amount, np.array([[900.0]]), ["fraud", "legit"], labels=["legit", "fraud"]
    ... )
    >>> costs.tolist()
    [[[0.0, 50.0], [900.0, 0.0]]]
    """
    if not callable(function):
        raise TypeError(f"the cost function must be a callable of X; got {function!r}.")
    at_hand = label_array(classes, name="classes")
    said = None if labels is None else label_array(labels, name="labels")
    if isinstance(function, PerRowCosts):
        extras = tuple(name for name, _ in function.extras)
        priced = Priced(2, function.labels, function.pos_label, extras, True, "cost_matrix")
    else:
        said = _order(at_hand, said)
        priced = Priced(len(said), None, None, (), True, "cost_matrix")
    found = align(priced, at_hand, said)
    costs = numeric_array(function(X), name="the cost function's result")
    n_actions = priced.n_classes + len(priced.extras)
    _check_shape(costs, (n_rows(X), n_actions, priced.n_classes), priced.labels, said)
    _check_finite(costs)
    return costs[:, found.rows[:, None], found.columns], found.actions


def _order(classes: np.ndarray, labels: np.ndarray | None) -> np.ndarray:
    if labels is None and are_words(classes):
        raise ValueError(
            f"the classes {classes.tolist()} are words, and nothing says which row and column of "
            f"the cost function's result is which: pass their order, as in labels="
            f"{classes.tolist()!r}, or use CostMatrix.per_row(..., pos_label=, neg_label=)."
        )
    return sorted_labels(classes) if labels is None else labels


def _check_shape(
    costs: Floats, expected: tuple[int, int, int], own: np.ndarray | None, said: np.ndarray | None
) -> None:
    if costs.shape != expected:
        labels = own if said is None else said
        order = "" if labels is None else f" in the order of {labels.tolist()}"
        raise ValueError(
            "the cost function must give (rows of X, answers, classes) = "
            f"{expected}{order}; got shape {costs.shape}. Pass labels=[...] where it names more "
            "classes than the data hold."
        )


def _check_finite(costs: Floats) -> None:
    bad = np.flatnonzero(~np.isfinite(costs).all(axis=(1, 2)))
    if len(bad):
        raise ValueError(
            "the cost function must give finite costs; "
            f"row {bad[0]} (the first row is 0) holds {costs[bad[0]].tolist()}, and {len(bad)} "
            "such rows in all."
        )
