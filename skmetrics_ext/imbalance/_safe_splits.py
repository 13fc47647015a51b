"""safe_splits: an honest score for a table that was oversampled and cannot be had without."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold

from skmetrics_ext.imbalance._leakage_table import Classes, Table

__all__ = ["SafeSplits", "safe_splits"]


@dataclass(frozen=True, repr=False, eq=False)
class SafeSplits:
    """Folds that keep equal rows together, and the weights that count each of them once.

    Takes the place of a splitter: ``cross_validate(..., cv=safe)``.

    Attributes
    ----------
    groups : ndarray of shape (n_samples,), int
        Equal rows have the same number: for any other splitter that takes groups.
    sample_weight : ndarray of shape (n_samples,), float
        1 / how often the row stands in the table: for scoring (and fitting, where the shares
        before oversampling are wanted).
    folds : list of (train, test)
        Row numbers.

    Examples
    --------
    >>> from skmetrics_ext.imbalance import safe_splits
    >>> X = [[0.1], [0.2], [0.3], [0.4], [0.4], [0.4], [0.5]]
    >>> safe = safe_splits(X, [0, 0, 0, 1, 1, 1, 1], n_splits=2, random_state=0)
    >>> safe.groups.tolist()
    [0, 1, 2, 3, 3, 3, 4]
    >>> [test.tolist() for train, test in safe.split()]
    [[1, 2, 3, 4, 5], [0, 6]]
    """

    groups: np.ndarray
    sample_weight: np.ndarray
    folds: list[tuple[np.ndarray, np.ndarray]]

    def split(
        self, X: Any = None, y: Any = None, groups: Any = None
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """The folds; the arguments are there because splitters have them.

        Parameters
        ----------
        X : array-like, default=None
            Not looked at, but it must be as long as the table that was split.
        y, groups : array-like, default=None
            Not looked at.

        Yields
        ------
        train, test : ndarray
        """
        n = len(self.groups) if X is None else X.shape[0] if hasattr(X, "shape") else len(X)
        if n != len(self.groups):
            raise ValueError(
                f"X must be the table that was split, {len(self.groups)} rows; got {n} rows."
            )
        yield from self.folds

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """How many folds there are; the arguments are not looked at.

        Parameters
        ----------
        X, y, groups : array-like, default=None

        Returns
        -------
        int
        """
        return len(self.folds)

    def __repr__(self) -> str:
        rows, distinct = len(self.groups), int(self.groups.max()) + 1
        return f"SafeSplits: {rows} rows, {distinct} of them distinct, in {len(self.folds)} folds"


def safe_splits(X: Any, y: Any, *, n_splits: int = 5, random_state: Any = None) -> SafeSplits:
    """Score a table that somebody oversampled as if nobody had: copies stay together, count once.

    Rows that are equal in X form a group, which falls into one fold as a whole, and each has the
    weight 1 / size of the group. Folds are stratified by the distinct rows. Synthetic rows cannot
    be undone in this way (`find_resampling_leakage` finds them).

    Parameters
    ----------
    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
        The table, copies included.
    y : array-like of shape (n_samples,)
        Class labels. A group of several labels is stratified by that of its first row.
    n_splits : int, default=5
    random_state : int, RandomState instance or None, default=None
        How the groups are shuffled into folds.

    Returns
    -------
    SafeSplits
        A splitter with ``groups`` and ``sample_weight``. The score needs the weights: give the
        scorer and `cross_validate` them by metadata routing, or call the metric with them.

    Raises
    ------
    ValueError
        Where y holds one class only, or a class has fewer distinct rows than folds.

    See Also
    --------
    find_resampling_leakage : Whether a table holds copies.

    Notes
    -----
    In tables of few discrete columns equal rows are natural, and there the weights take away
    what should count: use ``groups`` alone.

    Examples
    --------
    >>> import numpy as np
    >>> from skmetrics_ext.imbalance import safe_splits
    >>> X = [[0.1], [0.2], [0.3], [0.4], [0.4], [0.4], [0.5]]
    >>> safe = safe_splits(X, [0, 0, 0, 1, 1, 1, 1], n_splits=2, random_state=0)
    >>> safe
    SafeSplits: 7 rows, 5 of them distinct, in 2 folds
    >>> safe.sample_weight.round(2)
    array([1.  , 1.  , 1.  , 0.33, 0.33, 0.33, 1.  ])
    """
    table = Table.read(X)
    classes = Classes.read(y, len(table.values))
    groups = table.row_of
    labels = classes.codes[table.first_rows]
    splitter = StratifiedKFold(n_splits, shuffle=True, random_state=random_state)
    rarest = int(np.bincount(labels, minlength=len(classes.labels)).min())
    if rarest < n_splits:
        raise ValueError(
            f"n_splits={n_splits} must not exceed the distinct rows of any class; the rarest has "
            f"{rarest}."
        )
    folds = []
    for _, test in splitter.split(np.zeros((len(labels), 1)), labels):
        in_test = np.isin(groups, test)
        folds.append((np.flatnonzero(~in_test), np.flatnonzero(in_test)))
    return SafeSplits(groups, 1 / np.bincount(groups)[groups], folds)
