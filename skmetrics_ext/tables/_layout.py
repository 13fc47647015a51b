"""Tables to tables: one class against the rest, and other class priors."""

from __future__ import annotations

import numpy as np

__all__ = ["at_priors", "binary_cells", "not_found", "one_against_rest"]


def one_against_rest(tables: np.ndarray) -> np.ndarray:
    """(..., K, K) -> (..., K, 2, 2): each class as the positive one, negative first.

    Of tables (..., K, A) with answers that are no class (..., K, 2, 3): those come last, together.
    """
    n_classes = tables.shape[-2]
    if tables.shape[-1] > n_classes:
        declined = tables[..., n_classes:].sum(-1)
        others = declined.sum(-1)[..., None] - declined
        each = one_against_rest(tables[..., :n_classes])
        return np.concatenate([each, np.stack([others, declined], -1)[..., None]], -1)
    true_positive = np.diagonal(tables, axis1=-2, axis2=-1)
    in_truth = tables.sum(-1)
    in_answer = tables.sum(-2)
    total = tables.sum((-2, -1))[..., None]
    false_negative = in_truth - true_positive
    false_positive = in_answer - true_positive
    # Counted from the cells themselves: total - fp - fn - tp can leave -1e-17 where none is.
    true_negative = total - in_truth - false_positive
    # Only the real part: a complex step into an empty cell must still be seen.
    left_over = np.where(_no_true_negative(tables), true_negative.real, 0.0)
    true_negative = true_negative - left_over
    rows = [
        np.stack([true_negative, false_positive], -1),
        np.stack([false_negative, true_positive], -1),
    ]
    return np.stack(rows, -2)


def _no_true_negative(tables: np.ndarray) -> np.ndarray:
    """Whether no cell outside class k's row and column is filled, exactly."""
    filled = (tables.real != 0).astype(np.int64)
    of_row, of_column = filled.sum(-1), filled.sum(-2)
    crossing = np.diagonal(filled, axis1=-2, axis2=-1)
    return filled.sum((-2, -1))[..., None] == of_row + of_column - crossing


def binary_cells(
    tables: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The cells tn, fp, fn, tp of tables (..., 2, A), negative class first."""
    return tables[..., 0, 0], tables[..., 0, 1], tables[..., 1, 0], tables[..., 1, 1]


def not_found(tables: np.ndarray, truth: int) -> np.ndarray:
    """The rows of class ``truth`` of tables (..., 2, A) that were not answered so.

    They are fn (of the positives) or fp (of the negatives), and what was declined.
    """
    missed = tables[..., truth, 1 - truth]
    for answer in range(2, tables.shape[-1]):
        missed = missed + tables[..., truth, answer]
    return missed


def at_priors(tables: np.ndarray, priors: np.ndarray) -> np.ndarray:
    """The same answers for a population with other class shares: w / rowsum * prior.

    A class without rows stays without rows; whoever gives it a prior is told earlier.
    """
    in_truth = tables.sum(-1, keepdims=True)
    return tables / np.where(in_truth.real == 0, 1.0, in_truth) * priors[:, None]
