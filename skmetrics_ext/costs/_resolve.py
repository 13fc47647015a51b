"""Whatever was passed as cost_matrix, for exactly the classes at hand."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skmetrics_ext._labels import label_array
from skmetrics_ext.costs._arrays import one_per_mistake, sorted_labels
from skmetrics_ext.costs._matrix import CostMatrix

__all__ = ["resolve_cost_matrix"]


def resolve_cost_matrix(
    cost_matrix: Any, classes: ArrayLike, *, labels: ArrayLike | None = None
) -> CostMatrix:
    """The costs of exactly these classes, whatever way ``cost_matrix`` was said.

    Parameters
    ----------
    cost_matrix : None, array-like of shape (K, K), or CostMatrix
        None: one per mistake. An array (or a `CostMatrix` without labels) is c[i, j], the cost
        of answer i when the truth is j, in the order of ``labels``.
    classes : array-like
        The classes at hand, in the order wanted. They may be some of those that have a cost (a
        training fold may lack a class): the rows and columns of the others are left out.
    labels : array-like of shape (K,), default=None
        The order of the array's rows and columns. None: sorted classes.

    Returns
    -------
    CostMatrix
        Its ``labels`` are ``classes``; ``to_array()`` is (A, K), the rows the classes and then
        the other actions. With two classes ``pos_label`` is the positive one: that of
        `CostMatrix.binary`, else the last of the labels as they were said.

    Raises
    ------
    ValueError
        Where the array is not square and finite or does not fit the classes, a class has no
        cost, the two sets of labels differ, no decision changes the cost, or the classes are
        words and nothing says which row is which.
    TypeError
        Where ``cost_matrix`` is a mapping or a callable.

    Examples
    --------
    >>> from skmetrics_ext.costs import resolve_cost_matrix
    >>> cost = resolve_cost_matrix(
    ...     [[0, 100], [1, 0]], ["fraud", "legit"], labels=["legit", "fraud"]
    ... )
    >>> cost.to_array().tolist()
    [[0.0, 1.0], [100.0, 0.0]]
    >>> cost.pos_label
    'fraud'
    """
    at_hand = label_array(classes, name="classes")
    if labels is None and isinstance(cost_matrix, CostMatrix):
        own = cost_matrix.labels
        if own is not None and own.tolist() == at_hand.tolist():
            _refuse_indifferent(cost_matrix.to_array())
            return cost_matrix
    said = None if labels is None else label_array(labels, name="labels")
    if cost_matrix is None:
        everyone = sorted_labels(at_hand) if said is None else said
        return CostMatrix(one_per_mistake(len(everyone)), everyone)._aligned(at_hand)
    matrix = cost_matrix if isinstance(cost_matrix, CostMatrix) else CostMatrix(cost_matrix)
    _refuse_indifferent(matrix.to_array())
    return matrix._aligned(at_hand, said)


def _refuse_indifferent(costs: np.ndarray) -> None:
    if len(costs) > 1 and not np.ptp(costs, axis=0).any():
        raise ValueError(
            "cost_matrix must hold a decision that changes the cost; every column of "
            f"{costs.tolist()} is constant, so that all answers cost the same whatever the truth."
        )
