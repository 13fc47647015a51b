"""The decision of least risk, as pure functions of costs and probabilities.

Costs are c[i, j], the cost of action i when the truth is j: (A, K) for all rows, or (n, A, K)
row by row. The first K actions are the classes. Nothing here knows a label.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["Rule", "choose_rule", "conditional_risk", "decide"]

_EPS = float(np.finfo(np.float64).eps)
# Two risks this close, in units of the largest regret, differ by rounding only: p = a / (a + b)
# itself is off by half an ulp, and so is each of the two products that are compared.
_TIE = 4 * _EPS
# Where p and the threshold are further apart than this, the comparison of risks and that of p
# with the threshold cannot differ, since a + b is at least the largest regret.
_BAND = 8 * _EPS

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Rule:
    """How rows are decided.

    Attributes
    ----------
    name : {"threshold", "reversed", "always", "argmin"}
        "threshold": positive from a probability on. "reversed": positive up to a probability.
        "always": one action costs no more than any other, whatever the truth.
        "argmin": the least risk, in all other cases.
    threshold : float
        The probability from which on the answer is positive; NaN unless name is "threshold".
    positive : int or None
        The position of the positive class where there are two, else None.
    action : int or None
        The position of the action that dominates, where name is "always".
    """

    name: Literal["threshold", "reversed", "always", "argmin"]
    threshold: float
    positive: int | None
    action: int | None = None


def choose_rule(costs: Floats, positive: int | None, threshold: float) -> Rule:
    """The rule that costs come to, where ``threshold`` is NaN unless one decides."""
    if not np.isnan(threshold):
        return Rule("threshold", threshold, positive)
    if costs.ndim == 3:
        return Rule("argmin", threshold, positive)
    no_dearer = np.flatnonzero((costs == costs.min(axis=0)).all(axis=1))
    if len(no_dearer):
        return Rule("always", threshold, positive, int(no_dearer[0]))
    # What is left of two classes and two actions: each right answer costs more than the wrong.
    return Rule("reversed" if costs.shape == (2, 2) else "argmin", threshold, positive)


def conditional_risk(costs: Floats, probabilities: Floats) -> Floats:
    """sum_j c[i, j] p_j for each row and action: (n, A).

    By einsum on C-ordered arrays, since a row's risk must not depend on the rows beside it:
    BLAS sums in an order that depends on the batch, and einsum on the memory layout (the
    probabilities of gradient boosting come F-ordered).
    """
    subscripts = "ak,nk->na" if costs.ndim == 2 else "nak,nk->na"
    costs, probabilities = np.ascontiguousarray(costs), np.ascontiguousarray(probabilities)
    return np.einsum(subscripts, costs, probabilities)


def decide(costs: Floats, probabilities: Floats, rule: Rule) -> NDArray[np.signedinteger]:
    """The action of least risk for each row, a number below A.

    Parameters
    ----------
    costs : ndarray of shape (A, K) or (n, A, K)
    probabilities : ndarray of shape (n, K)
    rule : Rule
        What `choose_rule` said of the same costs.

    Returns
    -------
    actions : ndarray of shape (n,)
        Ties go to the positive class where there are two classes, else to the first action.
    """
    if rule.name != "threshold" or rule.positive is None:
        return _least_risk(costs, probabilities, rule.positive)
    p = probabilities[:, rule.positive]
    above, nearly = p > rule.threshold + _BAND, p >= rule.threshold - _BAND
    # Bytes that are 0 or 1, not places: a million of them are written eight times as fast.
    actions = (above if rule.positive == 1 else ~above).view(np.int8)
    if np.count_nonzero(above) != np.count_nonzero(nearly):
        close = np.flatnonzero(above != nearly)
        actions[close] = _least_risk(costs, probabilities[close], rule.positive)
    return actions


def _least_risk(costs: Floats, probabilities: Floats, positive: int | None) -> NDArray[np.intp]:
    # Regrets, not costs: what a column adds to all actions cannot change a decision, and large
    # costs that all actions share would drown the differences.
    regrets = costs - costs.min(axis=-2, keepdims=True)
    risk = conditional_risk(regrets, probabilities)
    slack = _TIE * regrets.max(axis=(-2, -1))
    tied = risk - risk.min(axis=1, keepdims=True) <= np.reshape(slack, (-1, 1))
    actions = tied.argmax(axis=1)
    if positive is not None:
        actions[tied[:, positive]] = positive
    return actions
