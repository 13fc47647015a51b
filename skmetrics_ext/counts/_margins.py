"""The answers that agree best with the truth, given how often each class occurs in both."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import linprog

__all__ = ["least_disagreement"]


def least_disagreement(in_truth: np.ndarray, in_answer: np.ndarray, weights: Any) -> np.ndarray:
    """A table (K, K) with these margins whose mean disagreement is the least there can be.

    Parameters
    ----------
    in_truth, in_answer : ndarray of shape (K,)
        Shares; each sums to 1.
    weights : {"quadratic", "linear", None} or ndarray of shape (K, K)
        The disagreement of truth i and answer j. By name it is a convex function of the
        distance, for which pairing in order is best (Hoffman 1963); a matrix is a transport
        problem.
    """
    if isinstance(weights, np.ndarray):
        return _transported(in_truth, in_answer, weights)
    if isinstance(weights, str):
        return _in_order(in_truth, in_answer)
    agreed = np.minimum(in_truth, in_answer)
    # What is left over has no class in common: any pairing of it disagrees alike.
    return np.diag(agreed) + _in_order(in_truth - agreed, in_answer - agreed)


def _in_order(in_truth: np.ndarray, in_answer: np.ndarray) -> np.ndarray:
    """The lowest truths with the lowest answers: the shares that both intervals have in common."""
    truth, answer = [np.concatenate([[0.0], np.cumsum(m)]) for m in (in_truth, in_answer)]
    answer[-1] = truth[-1]
    upper = np.minimum(truth[1:, None], answer[None, 1:])
    lower = np.maximum(truth[:-1, None], answer[None, :-1])
    return np.maximum(upper - lower, 0.0)


def _transported(in_truth: np.ndarray, in_answer: np.ndarray, weights: np.ndarray) -> np.ndarray:
    k = len(in_truth)
    sums = np.vstack([np.kron(np.eye(k), np.ones(k)), np.kron(np.ones(k), np.eye(k))])
    margins = np.concatenate([in_truth, in_answer])
    # One of the sums follows from the others, and rounding would make them contradict.
    found = linprog(weights.ravel(), A_eq=sums[:-1], b_eq=margins[:-1], method="highs")
    return np.maximum(np.asarray(found.x), 0.0).reshape(k, k)
