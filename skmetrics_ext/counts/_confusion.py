"""ConfusionCounts: what happened, as a table of true class x answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from skmetrics_ext._labels import decide_pos_label, frame_labels, label_array, same_label
from skmetrics_ext.counts._answers import Answers
from skmetrics_ext.counts._batches_counts import FromBatches
from skmetrics_ext.counts._frames import to_frame
from skmetrics_ext.counts._frozen import FrozenArrays
from skmetrics_ext.counts._merge import AddsUp, merged, require_same
from skmetrics_ext.counts._priors import as_priors
from skmetrics_ext.counts._receipt import read, written
from skmetrics_ext.counts._reshape import against_the_rest, all_groups, always, one_group
from skmetrics_ext.counts._tabulate import ClusterCells, count_rows
from skmetrics_ext.counts._text import cells, table_html, table_text
from skmetrics_ext.counts._whole import whole_table

__all__ = ["ConfusionCounts"]


@dataclass(frozen=True, eq=False, repr=False)
class ConfusionCounts(FrozenArrays, AddsUp, FromBatches, Answers):
    """What happened: how many rows of each true class got which answer.

    Make one by `from_predictions`, `from_frame`, `from_batches`, `from_matrix` or `from_cells`.
    It is immutable, adds up, and answers every label metric of the package by `estimate`.

    Attributes
    ----------
    n, w, w2 : ndarray of shape (K, A) or (G, K, A)
        Rows, sums of weights and sums of squared weights; the truth in the rows, the answer
        in the columns. A is K unless there are actions beyond the classes.
    labels : ndarray of shape (K,)
        The classes, in the order of the table.
    actions : ndarray of shape (A,)
        The answers: the classes first, then the others.
    ordered : bool
        Whether the order of ``labels`` means something: numbers, an ordered dtype, or labels
        that were named.
    groups : tuple or None
        The subgroups along the leading axis.
    priors : ndarray of shape (K,) or None
        Class shares that metrics are computed for, instead of the data's own.
    pos_label : object or None
        The positive class, where it is known without being named again.
    dropped : int
        Rows with missing values that were left out on request.
    clusters : object or None
        What each cluster has in each cell, where rows are in clusters; intervals use it.
    amount : ndarray or None
        Sums of weight times amount in each cell, shaped as ``w``: of `from_frame`'s ``cost``.
    declared : mapping or None
        The metric and parameters written in a receipt, for ``estimate(**counts.declared)``.

    Examples
    --------
    >>> from skmetrics_ext.counts import ConfusionCounts
    >>> truth, answer = ["ill", "ill", "well", "well"], ["ill", "well", "well", "well"]
    >>> counts = ConfusionCounts.from_predictions(truth, answer)
    >>> counts
    ConfusionCounts: 4 rows (truth down, answer across)
          ill  well
    ill     1     1
    well    0     2
    >>> print(counts.estimate("recall", pos_label="ill"))
    recall of 'ill' 0.500 [0.095, 0.905] (1/2, Wilson; prevalence 0.50)
    >>> (counts + counts).n.tolist()
    [[2, 2], [0, 4]]
    """

    n: np.ndarray
    w: np.ndarray
    w2: np.ndarray
    labels: np.ndarray
    actions: np.ndarray
    ordered: bool
    groups: tuple[Any, ...] | None = None
    priors: np.ndarray | None = None
    pos_label: Any = None
    dropped: int = 0
    clusters: ClusterCells | None = None
    declared: Mapping[str, Any] | None = None
    amount: np.ndarray | None = None

    # -----------------------------------------------------------------------------------------
    # making them

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        labels: Any = None,
        actions: Any = None,
        sample_weight: Any = None,
        by: Any = None,
        clusters: Any = None,
    ) -> ConfusionCounts:
        """Count the rows of each true class and answer.

        Parameters
        ----------
        y_true, y_pred : array-like of shape (n_rows,)
            Lists, numpy, pandas, polars or pyarrow; words, whole numbers or bools.
        labels : array-like of shape (K,), default=None
            The classes, in their order; they must cover the data. By default all categories
            of an ordered dtype, else the classes seen, sorted.
        actions : array-like, default=None
            Answers that are no class, such as "refer".
        sample_weight : array-like of shape (n_rows,), default=None
        by : array-like of shape (n_rows,), default=None
            A subgroup for each row: one table each.
        clusters : array-like of shape (n_rows,), default=None
            What rows belong together (a patient with several rows).

        Returns
        -------
        ConfusionCounts

        Raises
        ------
        ValueError, TypeError
            Where columns are empty, of different lengths, with missing values, continuous, or
            hold a label outside ``labels``.

        Examples
        --------
        >>> from skmetrics_ext.counts import ConfusionCounts
        >>> ConfusionCounts.from_predictions(["b", "a", "a", "b"], ["b", "a", "b", "b"])
        ConfusionCounts: 4 rows (truth down, answer across)
           a  b
        a  1  1
        b  0  2
        """
        tables = count_rows(
            y_true,
            y_pred,
            labels=labels,
            actions=actions,
            sample_weight=sample_weight,
            by=by,
            clusters=clusters,
        )
        classes = tables.classes
        return cls(
            tables.n,
            tables.w,
            tables.w2,
            classes.labels,
            classes.actions,
            classes.ordered,
            groups=tables.groups,
            clusters=tables.clusters,
        )

    @classmethod
    def from_matrix(cls, table: Any, *, labels: Any = None, rows: str = "true") -> ConfusionCounts:
        """Take a printed table of counts.

        Parameters
        ----------
        table : array-like of shape (K, K)
            Whole numbers, not negative; what a float nearly says is rounded.
        labels : array-like of shape (K,), default=None
            The classes in the order of the table; by default 0 to K-1.
        rows : {"true", "predicted"}, default="true"
            What the rows are. scikit-learn prints the truth there.

        Examples
        --------
        >>> from skmetrics_ext.counts import ConfusionCounts
        >>> counts = ConfusionCounts.from_matrix([[8, 2], [3, 7]])
        >>> round(float(counts.estimate("weighted_kappa", weights=None)), 3)
        0.5
        """
        if rows not in ("true", "predicted"):
            raise ValueError(f"rows must be 'true' or 'predicted'; got {rows!r}.")
        labels = frame_labels(table, labels, "table")
        n = whole_table(table)
        names = label_array(np.arange(len(n)) if labels is None else labels)
        if n.shape != (len(names), len(names)):
            raise ValueError(
                f"table must be square with one row and column per class, shape "
                f"({len(names)}, {len(names)}); got shape {n.shape}."
            )
        n = n.T.copy() if rows == "predicted" else n
        w = n.astype(np.float64)
        return cls(n, w, w, names, names, ordered=True)

    @classmethod
    def from_cells(cls, *, tp: int, fp: int, fn: int, tn: int) -> ConfusionCounts:
        """Take a paper's four numbers; the classes are 0 and 1, and 1 is positive.

        Examples
        --------
        >>> from skmetrics_ext.counts import ConfusionCounts
        >>> print(ConfusionCounts.from_cells(tp=7, fp=2, fn=3, tn=8).estimate("precision"))
        precision of 1 0.778 [0.453, 0.937] (7/9, Wilson; prevalence 0.50)
        """
        return cls.from_matrix([[tn, fp], [fn, tp]])

    # -----------------------------------------------------------------------------------------
    # tables to tables

    def __add__(self, other: ConfusionCounts) -> ConfusionCounts:
        if not isinstance(other, ConfusionCounts):
            return NotImplemented
        require_same("labels", self.labels.tolist(), other.labels.tolist())
        require_same("actions", self.actions.tolist(), other.actions.tolist())
        require_same("positive class", self.pos_label, other.pos_label)
        require_same("priors", _listed(self.priors), _listed(other.priors))
        require_same("use of clusters", self.clusters is None, other.clusters is None)
        require_same("use of subgroups", self.groups is None, other.groups is None)
        require_same("use of amounts", self.amount is None, other.amount is None)
        fields = merged(self, other)
        return replace(
            self,
            ordered=self.ordered and other.ordered,
            dropped=self.dropped + other.dropped,
            **fields,
        )

    def __getitem__(self, group: Any) -> ConfusionCounts:
        for place, name in enumerate(self.groups or ()):
            if same_label(name, group):
                return replace(self, **one_group(self, place))
        raise KeyError(f"no subgroup {group!r}; the subgroups are {list(self.groups or ())}")

    def total(self) -> ConfusionCounts:
        """The counts over all subgroups."""
        return self if self.groups is None else replace(self, **all_groups(self))

    def binary(self, pos_label: Any) -> ConfusionCounts:
        """One class against the rest: a (2, 2) table, the negative class first.

        The result knows its positive class, so that ``estimate`` need not be told again.

        Examples
        --------
        >>> from skmetrics_ext.counts import ConfusionCounts
        >>> counts = ConfusionCounts.from_matrix([[50, 8, 2], [6, 70, 14], [3, 9, 38]])
        >>> counts.binary(2)
        ConfusionCounts: 200 rows (truth down, answer across)
               not 2   2
        not 2    134  16
        2         12  38
        """
        if self.priors is not None:
            raise ValueError(
                "binary() after at_priors() would mix the classes of the rest at the data's own "
                "shares; pass pos_label to estimate() instead."
            )
        pos = decide_pos_label(self.labels, pos_label)
        return replace(self, **against_the_rest(self, pos))

    def constant(self, answer: Any) -> ConfusionCounts:
        """The same rows, had every one of them been given this answer.

        What a model must beat: its accuracy is the share of that class.

        Parameters
        ----------
        answer : label
            One of ``actions``.

        Examples
        --------
        >>> from skmetrics_ext.counts import ConfusionCounts
        >>> counts = ConfusionCounts.from_cells(tp=1, fp=4, fn=4, tn=91)
        >>> print(counts.estimate("accuracy"))
        accuracy 0.920 [0.850, 0.959] (92/100, Wilson)
        >>> print(counts.constant(0).estimate("accuracy"))
        accuracy 0.950 [0.888, 0.978] (95/100, Wilson)
        """
        return replace(self, **always(self, answer))

    def at_priors(self, priors: Any) -> ConfusionCounts:
        """The same answers for a population with other class shares.

        The tables stay as counted; metrics see ``w / row sum * prior``. That holds as far as
        each class looks the same in the other population.

        Parameters
        ----------
        priors : mapping {label: share} or array-like of shape (K,)
            In the order of ``labels``; they sum to 1.

        Examples
        --------
        >>> from skmetrics_ext.counts import ConfusionCounts
        >>> counts = ConfusionCounts.from_cells(tp=70, fp=20, fn=30, tn=80)
        >>> rare = counts.at_priors({0: 0.99, 1: 0.01})
        >>> round(float(rare.estimate("precision")), 3)
        0.034
        """
        shares = as_priors(priors, self.labels, self.w, self.groups)
        return replace(self, priors=shares)

    # -----------------------------------------------------------------------------------------
    # out of the house

    def to_frame(self, backend: str = "pandas") -> Any:
        """One row per cell: group (with subgroups), truth, answer, n, w, w2 (and amount).

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default="pandas"
        """
        return to_frame(cells(self), backend)

    def to_json(self, *, metric: str | None = None, cost_matrix: Any = None, **params: Any) -> str:
        """A receipt: the labels, the tables, and what was declared about them.

        ``ConfusionCounts.from_json`` reads it back, and everything can be recomputed from it.
        A checksum tells whether somebody edited it.

        Parameters
        ----------
        metric : str, default=None
            The metric that was declared before looking.
        cost_matrix : CostMatrix or array-like, default=None
            The costs that were declared.
        **params
            The metric's other parameters: ``pos_label``, ``average``, ``weights``, ...

        Examples
        --------
        >>> from skmetrics_ext.counts import ConfusionCounts
        >>> counts = ConfusionCounts.from_cells(tp=7, fp=2, fn=3, tn=8)
        >>> again = ConfusionCounts.from_json(counts.to_json(metric="recall"))
        >>> again == counts
        True
        >>> print(again.estimate(**again.declared))
        recall of 1 0.700 [0.397, 0.892] (7/10, Wilson; prevalence 0.50)
        """
        return written(self, metric, cost_matrix, params)

    @classmethod
    def from_json(cls, text: str) -> ConfusionCounts:
        """Read a receipt of `to_json`; one that was edited by hand is an error."""
        return cls(**read(text))

    # -----------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ConfusionCounts):
            return NotImplemented
        return (
            all(
                np.array_equal(getattr(self, name), getattr(other, name))
                for name in ("n", "w", "w2", "labels", "actions")
            )
            and self.groups == other.groups
            and _listed(self.amount) == _listed(other.amount)
            and self.pos_label == other.pos_label
            and _listed(self.priors) == _listed(other.priors)
        )

    __hash__ = None  # type: ignore[assignment]  # mutable arrays inside, as numpy's own

    def __repr__(self) -> str:
        return table_text(self)

    def _repr_html_(self) -> str:
        return table_html(self)


def _listed(array: np.ndarray | None) -> Any:
    return None if array is None else array.tolist()
