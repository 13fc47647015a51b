"""Tables to tables: one class against the rest, and other class priors."""

from __future__ import annotations

import numpy as np

__all__ = ["at_priors", "binary_cells", "not_found", "one_against_rest"]


def one_against_rest(tables: np.ndarray) -> np.ndarray:
    """Each class as the positive one against all others together, the negative class first.

    Parameters
    ----------
    tables : ndarray of shape (..., K, A)
        The truth in the rows; A is K, or more where there are answers that are no class.

    Returns
    -------
    ndarray of shape (..., K, 2, 2)
        Or (..., K, 2, 3) where there are answers that are no class: they come last, together.

    Examples
    --------
    >>> import numpy as np
    >>> from skmetrics_ext.tables import one_against_rest
    >>> one_against_rest(np.array([[5, 1, 0], [2, 6, 1], [0, 1, 4]]))[0]
    array([[12.,  2.],
           [ 1.,  5.]])
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

    Parameters
    ----------
    tables : ndarray of shape (..., K, A)
        The truth in the rows. A class without rows stays without rows.
    priors : ndarray of shape (K,)
        The class shares.

    Returns
    -------
    ndarray of shape (..., K, A)

    Examples
    --------
    >>> import numpy as np
    >>> from skmetrics_ext.tables import at_priors
    >>> at_priors(np.array([[90.0, 10.0], [20.0, 80.0]]), np.array([0.9, 0.1])).round(2)
    array([[0.81, 0.09],
           [0.02, 0.08]])
    """
    in_truth = tables.sum(-1, keepdims=True)
    return tables / np.where(in_truth.real == 0, 1.0, in_truth) * priors[:, None]
