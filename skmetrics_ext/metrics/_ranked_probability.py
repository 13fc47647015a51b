"""Ranked probability loss: how far off are the probabilities of ordered classes?"""

from __future__ import annotations

from ast import literal_eval
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from skmetrics_ext._labels import (
    Column,
    are_words,
    decide_classes,
    group_column,
    label_array,
    refuse_masked,
    require_order,
)
from skmetrics_ext.counts._tabulate import check_sample_weight

__all__ = ["ranked_probability_loss"]

# Probabilities that were printed with a few digits are still probabilities; scores are not.
_SUM_TOLERANCE = 1e-3


def ranked_probability_loss(
    y_true: Any,
    y_proba: Any,
    *,
    labels: Any = None,
    normalize: bool = False,
    sample_weight: Any = None,
) -> float:
    """How far off are the probabilities, when a near miss is better than a far one?

    The squared error of the probability of "at most class k", summed over the K - 1 cuts
    between the classes, on average over rows. Lower is better; from 0 to K - 1, or to 1 with
    ``normalize=True``. A proper score: nothing is gained by other probabilities than those
    believed. For two classes it is the Brier score; for a sure answer, with probability 1 on
    one class, the number of classes that it is off.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        Labels. Numbers sort by value, an ordered Categorical or Enum brings its order; three or
        more words without an order are an error.
    y_proba : array-like or frame of shape (n_rows, K)
        The probability of each class, in the order of `labels`. The columns of
        ``predict_proba`` are in the order of ``classes_``, which are sorted: for words take
        ``pd.DataFrame(model.predict_proba(X), columns=model.classes_)``, since a frame whose
        columns name the classes is read by name.
    labels : array-like of shape (K,), default=None
        The classes from lowest to highest; classes that no row has count as cuts.
    normalize : bool, default=False
        True: divided by K - 1, the mean over the cuts.
    sample_weight : array-like of shape (n_rows,), default=None

    Returns
    -------
    float

    Raises
    ------
    ValueError
        Words without an order; a label outside `labels`; more or fewer columns than classes; a
        row that holds a number outside [0, 1], or does not sum to 1 (within 0.001); negative
        weights.

    See Also
    --------
    ranked_probability_scorer : The same for `cross_validate` and searches; it knows what
        the columns of a model are.

    References
    ----------
    Epstein (1969), "A scoring system for probability forecasts of ranked categories",
    https://doi.org/10.1175/1520-0450(1969)008<0985:ASSFPF>2.0.CO;2

    Examples
    --------
    >>> from skmetrics_ext.metrics import ranked_probability_loss
    >>> proba = [[0.0, 1.0, 0.0], [0.5, 0.25, 0.25]]
    >>> ranked_probability_loss(["low", "high"], proba, labels=["low", "medium", "high"])
    0.90625
    >>> ranked_probability_loss([0, 2], proba, labels=[0, 1, 2], normalize=True)
    0.453125
    """
    truth = group_column(y_true, name="y_true")
    names = _names(y_proba, truth, labels)
    p = _probabilities(y_proba)
    if len(p) != len(truth):
        raise ValueError(
            f"y_true and y_proba must have the same number of rows; y_true has {len(truth)}, "
            f"y_proba has {len(p)}."
        )
    weights = None if sample_weight is None else check_sample_weight(sample_weight, len(truth))
    classes, rank_of_value, columns = _classes(truth, names, labels, p.shape[1])
    ranks = rank_of_value[truth.codes.astype(np.intp, copy=False) - truth.offset]
    at_most = np.cumsum(p[:, columns[:-1]], axis=1)
    happened = ranks[:, None] <= np.arange(len(classes) - 1)
    losses = ((at_most - happened) ** 2).sum(axis=1)
    loss = losses.mean() if weights is None else weights @ losses / weights.sum()
    return float(loss / (len(classes) - 1)) if normalize else float(loss)


# ---------------------------------------------------------------------------------------------


def _classes(
    truth: Column, names: list[Any] | None, labels: Any, n_columns: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The classes in their order, the rank of each value of y_true, and each class's column."""
    header = truth
    if names is not None:
        header = group_column(_read_as(names, truth, labels), name="the header of y_proba")
    decided = decide_classes(
        truth,
        header,
        truth.seen(),
        header.seen(),
        labels=labels,
        names=("y_true", "the header of y_proba"),
    )
    classes = decided.labels
    require_order(classes, decided.ordered, "ranked_probability_loss")
    if len(classes) < 2:
        raise ValueError(
            f"y_true must be of at least two classes; got {classes.tolist()} only. Name all of "
            "them by labels=[...] where the rows are of one class."
        )
    if n_columns != len(classes):
        shown = f"{n_columns} columns" if names is None else f"the columns {names}"
        raise ValueError(
            f"y_proba must have one column for each class, and the classes are "
            f"{classes.tolist()}; got {shown}. Name all classes by labels=[...], those included "
            "that no row has."
        )
    if names is not None:
        of_row = header.codes.astype(np.intp, copy=False) - header.offset
        return classes, decided.true_index, np.argsort(decided.pred_index[of_row])
    if labels is None and are_words(classes) and classes.tolist() != sorted(classes.tolist()):
        raise ValueError(
            f"y_true brings the order {classes.tolist()}, and the columns of y_proba have no "
            "names: those of predict_proba are in the order of classes_, which are sorted. Pass "
            "labels=[...] where they are from lowest to highest, or a frame whose columns are "
            "named, pd.DataFrame(proba, columns=model.classes_)."
        )
    return classes, decided.true_index, np.arange(len(classes))


def _names(y_proba: Any, truth: Column, labels: Any) -> list[Any] | None:
    """What a frame calls its columns; None where they are only numbered."""
    if nw.dependencies.is_pandas_dataframe(y_proba):
        names = y_proba.columns.tolist()
        if names == list(range(len(names))) and not _are_labels(names, truth, labels):
            return None
    else:
        frame = nw.from_native(y_proba, eager_only=True, pass_through=True)
        if not isinstance(frame, nw.DataFrame):
            return None
        names = list(frame.columns)
        if names == [f"column_{k}" for k in range(len(names))]:
            return None
    if len(set(names)) < len(names):
        raise ValueError(f"y_proba must name each class once; its columns are {names}.")
    return names


def _are_labels(names: list[Any], truth: Column, labels: Any) -> bool:
    """Whether 0, 1, 2, ... name classes, and are not what pandas calls columns without a name."""
    if labels is None:
        return set(truth.values[truth.seen()].tolist()) <= set(names)
    said = label_array(labels).tolist()
    if said != names and set(said) == set(names):
        raise ValueError(
            f"y_proba is a frame whose columns are called {names}, and labels={said} is another "
            "order: whether they are numbered or named would have to be guessed. Pass "
            "y_proba.to_numpy() in the order of labels."
        )
    return False  # as many names as labels in the same order, or nothing to do with them


def _read_as(names: list[Any], truth: Column, labels: Any) -> list[Any]:
    """Names as labels: some frames have words for names only, also where classes are numbers."""
    known = truth.values[truth.seen()] if labels is None else label_array(labels)
    if any(isinstance(label, str) for label in known.tolist()):
        return names
    return [_unquoted(name) if isinstance(name, str) else name for name in names]


def _unquoted(name: str) -> Any:
    try:
        value = literal_eval(name)
    except (ValueError, SyntaxError):
        return name
    return value if isinstance(value, (bool, int, float)) else name


def _probabilities(y_proba: Any) -> np.ndarray:
    """Probabilities as float64 of shape (n_rows, K), each row a distribution."""
    p = _numbers(y_proba)
    if p.ndim != 2:
        raise ValueError(
            "y_proba must have one row per case and one column per class; got an array of shape "
            f"{p.shape}. Of two classes pass both columns of predict_proba."
        )
    outside = ~((p >= 0) & (p <= 1 + _SUM_TOLERANCE))  # NaN is outside as well
    if outside.any():
        row, column = np.argwhere(outside)[0].tolist()
        raise ValueError(
            f"y_proba must hold probabilities, in [0, 1]; {int(outside.any(axis=1).sum())} of "
            f"{len(p)} rows do not, such as row {row}, which holds {p[row, column]}."
        )
    sums = p.sum(axis=1)
    off = np.abs(sums - 1) > _SUM_TOLERANCE
    if off.any():
        row = int(np.flatnonzero(off)[0])
        raise ValueError(
            f"y_proba must sum to 1 in each row; {int(off.sum())} of {len(p)} rows do not, such "
            f"as row {row}, which sums to {sums[row]:.6g}."
        )
    return p


def _numbers(y_proba: Any) -> np.ndarray:
    if isinstance(y_proba, np.ndarray):
        y_proba = refuse_masked(y_proba, "y_proba")
    frame = nw.from_native(y_proba, eager_only=True, pass_through=True)
    table = frame.to_numpy() if isinstance(frame, nw.DataFrame) else y_proba
    try:
        array = np.asarray(table)
        if array.dtype.kind not in "biuf":
            array = array.astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError(
            f"y_proba must be a table of numbers, one row per case; got {type(y_proba).__name__}."
        ) from None
    return array.astype(np.float64, copy=False)
