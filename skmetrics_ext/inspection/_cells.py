"""The rows behind one cell of a confusion table."""

from __future__ import annotations

from typing import Any

import numpy as np

from skmetrics_ext._labels import decide_classes, group_column, same_label

__all__ = ["rows_in_cell"]


def rows_in_cell(
    y_true: Any, y_pred: Any, *, true: Any, predicted: Any, labels: Any = None
) -> np.ndarray:
    """Which rows stand in one cell of the confusion table: "show me the missed cases".

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels: a list, or a numpy, pandas, polars or pyarrow column.
    y_pred : array-like of shape (n_samples,)
        Answers; also those that are no class, such as "refer".
    true : label
        The true label of the cell: its row in scikit-learn's table.
    predicted : label
        The answer of the cell: its column.
    labels : array-like of shape (K,) or None, default=None
        All labels there may be. None: those of `y_true` and `y_pred`, with all levels of an
        ordered dtype.

    Returns
    -------
    positions : ndarray of int of shape (n_rows_in_cell,)
        Positions from 0 in increasing order, whatever index the columns have: use ``X[positions]``
        or ``X.iloc[positions]``. Empty where the cell is.

    Raises
    ------
    ValueError
        Where `true` or `predicted` is no label (the message lists them), `labels` does not cover
        the data, the columns differ in length, are empty, or hold missing or continuous values.

    See Also
    --------
    worst_errors : The mistakes in the order of their confidence.
    skmetrics_ext.counts.ConfusionCounts : The number of rows in each cell.

    Examples
    --------
    >>> from skmetrics_ext.inspection import rows_in_cell
    >>> y_true = ["ill", "well", "ill", "well", "ill"]
    >>> y_pred = ["well", "well", "ill", "ill", "well"]
    >>> rows_in_cell(y_true, y_pred, true="ill", predicted="well")
    array([0, 4])
    """
    truth, answer = group_column(y_true, name="y_true"), group_column(y_pred, name="y_pred")
    if len(truth) != len(answer):
        raise ValueError(
            "y_true and y_pred must have the same number of rows; y_true has "
            f"{len(truth)}, y_pred has {len(answer)}."
        )
    classes = decide_classes(truth, answer, truth.seen(), answer.seen(), labels=labels)
    row = _place(true, classes.labels, "true")
    column = _place(predicted, classes.labels, "predicted")
    in_row = (classes.true_index == row)[truth.codes.astype(np.intp) - truth.offset]
    in_column = (classes.pred_index == column)[answer.codes.astype(np.intp) - answer.offset]
    return np.flatnonzero(in_row & in_column)


def _place(label: Any, labels: np.ndarray, name: str) -> int:
    values = labels.tolist()
    for place, value in enumerate(values):
        if same_label(value, label):
            return place
    shown = f"{values[:20]}{f' and {len(values) - 20} more' if len(values) > 20 else ''}"
    raise ValueError(f"{name}={label!r} is not a label; the labels are {shown}.")
