"""The mistakes that a classifier was most sure of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from skmetrics_ext._labels import Column, decide_pos_label, encode, group_column, label_array
from skmetrics_ext.counts._frames import to_frame
from skmetrics_ext.counts._score_columns import check_probabilities, score_array
from skmetrics_ext.decision._probabilities import probability_rows

__all__ = ["WorstErrors", "worst_errors"]

_HEADS = {
    "position": "position",
    "true": "true",
    "predicted": "predicted",
    "proba_predicted": "P(predicted)",
    "proba_true": "P(true)",
}


@dataclass(frozen=True, eq=False, repr=False)
class WorstErrors:
    """Mistakes, the most confident first; prints as a table.

    Attributes
    ----------
    position : ndarray of int of shape (m,)
        Positions of the rows, from 0: ``X[errors.position]`` or ``X.iloc[errors.position]``.
    true, predicted : ndarray of shape (m,)
        The true label, and the most probable one.
    proba_predicted, proba_true : ndarray of shape (m,)
        The probability that the classifier gave to each of the two, in [0, 1].
    n_errors : int
        All mistakes, also those that are not shown.
    n_samples : int
        All rows.

    Examples
    --------
    >>> from skmetrics_ext.inspection import worst_errors
    >>> probabilities = [[0.9, 0.1], [0.8, 0.2], [0.4, 0.6], [0, 1]]
    >>> errors = worst_errors(["cat", "dog", "cat", "dog"], probabilities)
    >>> errors.position.tolist(), errors.predicted.tolist(), errors.proba_predicted.tolist()
    ([1, 2], ['cat', 'dog'], [0.8, 0.6])
    """

    position: np.ndarray
    true: np.ndarray
    predicted: np.ndarray
    proba_predicted: np.ndarray
    proba_true: np.ndarray
    n_errors: int
    n_samples: int

    def __len__(self) -> int:
        return len(self.position)

    def columns(self) -> dict[str, np.ndarray]:
        """The columns by name, each of the length of the table.

        Returns
        -------
        columns : dict of ndarray of shape (m,)
        """
        return {name: getattr(self, name) for name in _HEADS}

    def to_frame(self, backend: str = "pandas") -> Any:
        """One row per mistake, as a pandas, polars or pyarrow table.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default="pandas"

        Returns
        -------
        frame : pandas.DataFrame, polars.DataFrame or pyarrow.Table

        Raises
        ------
        ValueError
            Where `backend` is none of these.
        ImportError
            Where it is not installed.
        """
        return to_frame({name: c.tolist() for name, c in self.columns().items()}, backend)

    def __repr__(self) -> str:
        if not len(self):
            return self._title()
        cells = [
            [head, *column] for head, column in zip(_HEADS.values(), self._cells(), strict=True)
        ]
        widths = [max(map(len, column)) for column in cells]
        lines = [
            "  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True))
            for row in zip(*cells, strict=True)
        ]
        return "\n".join([self._title(), *lines])

    def _repr_html_(self) -> str:
        title = f"<p>{escape(self._title())}</p>"
        if not len(self):
            return title
        head = "".join(f"<th>{escape(h)}</th>" for h in _HEADS.values())
        rows = "".join(
            f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>"
            for row in zip(*self._cells(), strict=True)
        )
        return f"{title}<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"

    def _title(self) -> str:
        rows = "1 row" if self.n_samples == 1 else f"{self.n_samples} rows"
        if not self.n_errors:
            return f"no mistakes in {rows}"
        mistakes = "1 mistake" if self.n_errors == 1 else f"{self.n_errors} mistakes"
        shown = "" if len(self) == self.n_errors else f"{len(self)} of "
        return f"{shown}{mistakes} in {rows}, the most confident first"

    def _cells(self) -> Iterator[list[str]]:
        for name, column in self.columns().items():
            yield [*map(_probability if name.startswith("proba") else str, column.tolist())]


def worst_errors(
    y_true: Any, y_proba: Any, *, labels: Any = None, pos_label: Any = None, n: int = 20
) -> WorstErrors:
    """The mistakes to open first: those that the classifier was most sure of.

    A confident mistake is a wrong label, a broken row or something that the model has never
    seen; an unsure one is only hard. The most probable class is taken for the answer (of those
    that tie the first, as scikit-learn's classifiers do), whatever a threshold or costs would
    make of it.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels: a list, or a numpy, pandas, polars or pyarrow column.
    y_proba : array-like of shape (n_samples, K) or (n_samples,)
        The answer of `predict_proba`, each row of sum 1; or for two classes the probability of
        the positive one, in [0, 1].
    labels : array-like of shape (K,) or None, default=None
        The classes in the order of the columns, ``estimator.classes_``. None: the labels of
        `y_true`, sorted (words by alphabet), since that is how scikit-learn's classifiers keep
        their classes; an error where they are not as many as the columns.
    pos_label : label or None, default=None
        The class that `y_proba` of shape (n_samples,) is for. None: 1 or True, where the other
        class is 0, -1 or False; else it must be named.
    n : int, default=20
        Most mistakes to answer with.

    Returns
    -------
    WorstErrors
        At most `n` rows by the probability of the wrong answer, the highest first; of equal ones
        the one with less left for the true class, then in the order of the rows.

    Raises
    ------
    ValueError
        Where `y_proba` has not the shape described, holds NaN, infinite values or no
        probabilities, or rows whose sum is not 1 (within 0.001); `labels` does not cover
        `y_true` or has not one label per column; `pos_label` is no class, must be named, or
        is named beside a column for each class; `n` is no positive whole number.

    See Also
    --------
    rows_in_cell : All rows of one kind of mistake.

    Examples
    --------
    >>> from skmetrics_ext.inspection import worst_errors
    >>> worst_errors(["cat", "dog", "cat", "dog"], [[0.9, 0.1], [0.8, 0.2], [0.4, 0.6], [0, 1]])
    2 mistakes in 4 rows, the most confident first
    position  true  predicted  P(predicted)  P(true)
           1   dog        cat         0.800    0.200
           2   cat        dog         0.600    0.400
    """
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 1:
        raise ValueError(f"n must be a whole number, 1 or more; got {n!r}.")
    column = group_column(y_true, name="y_true")
    if np.ndim(y_proba) == 1:
        classes = _two_classes(column, labels)
        p = _both_columns(y_proba, len(column), decide_pos_label(classes, pos_label))
    else:
        if pos_label is not None:
            raise ValueError(
                f"pos_label={pos_label!r} is for y_proba of shape (n_samples,); with a column for "
                "each class, labels says which is which."
            )
        p = probability_rows(y_proba)
        classes = _classes_of_columns(column, labels, p)
    return _worst(encode(y_true, classes), p, classes, int(n))


def _two_classes(column: Column, labels: Any) -> np.ndarray:
    classes = _observed(column) if labels is None else label_array(labels)
    if len(classes) != 2:
        raise ValueError(
            "y_proba of shape (n_samples,) is for two classes; "
            f"{'y_true holds' if labels is None else 'labels names'} {len(classes)}: "
            f"{classes[:20].tolist()}. Name both by labels=[negative, positive], or pass a column "
            "for each class."
        )
    return classes


def _both_columns(y_proba: Any, n_samples: int, positive: int) -> np.ndarray:
    scores = score_array(y_proba, n_samples, name="y_proba")
    check_probabilities(scores, "y_proba must hold probabilities, between 0 and 1")
    others = 1 - scores
    return np.column_stack([others, scores] if positive else [scores, others])


def _classes_of_columns(column: Column, labels: Any, p: np.ndarray) -> np.ndarray:
    if len(p) != len(column):
        raise ValueError(
            f"y_true and y_proba must have the same number of rows; y_true has {len(column)}, "
            f"y_proba has {len(p)}."
        )
    classes = _observed(column) if labels is None else label_array(labels)
    if len(classes) != p.shape[1]:
        raise ValueError(
            f"labels must name the class of each of the {p.shape[1]} columns of y_proba; "
            f"{'y_true holds' if labels is None else 'it names'} {len(classes)}: "
            f"{classes[:20].tolist()}. Pass labels=estimator.classes_."
        )
    return classes


def _observed(column: Column) -> np.ndarray:
    return label_array(np.sort(column.values[column.seen()]), name="y_true")


def _worst(codes: np.ndarray, p: np.ndarray, classes: np.ndarray, n: int) -> WorstErrors:
    answers = p.argmax(axis=1)
    wrong = np.flatnonzero(answers != codes)
    said, left = p[wrong, answers[wrong]], p[wrong, codes[wrong]]
    order = np.lexsort((wrong, left, -said))[:n]
    position = wrong[order]
    return WorstErrors(
        position,
        classes[codes[position]],
        classes[answers[position]],
        said[order],
        left[order],
        n_errors=len(wrong),
        n_samples=len(p),
    )


def _probability(value: float) -> str:
    return f"{value:.3f}" if value >= 0.001 or value == 0 else f"{value:.3g}"
