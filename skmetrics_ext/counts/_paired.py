"""PairedCounts: what two models answered on the same rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import Any, NoReturn

import numpy as np

from skmetrics_ext._labels import label_array
from skmetrics_ext.counts._confusion import ConfusionCounts
from skmetrics_ext.counts._from_frame import PairedFromFrame
from skmetrics_ext.counts._frozen import FrozenArrays
from skmetrics_ext.counts._merge import AddsUp, merged_clusters, require_same
from skmetrics_ext.counts._paired_difference import Difference, Differences, difference
from skmetrics_ext.counts._paired_mcnemar import McNemar, mcnemar
from skmetrics_ext.counts._tabulate import ClusterCells, count_paired_rows
from skmetrics_ext.counts._text import dropped_text, grid, row_count
from skmetrics_ext.counts._whole import whole_table
from skmetrics_ext.intervals._gradient import is_unweighted

__all__ = ["PairedCounts"]


@dataclass(frozen=True, eq=False, repr=False)
class PairedCounts(FrozenArrays, AddsUp, PairedFromFrame):
    """What two models answered on the same rows: how many rows of each truth got which pair.

    Two models that are both 90 % right may differ on no row or on a fifth of them, and only
    the pairs tell. Make one by `from_predictions`, `from_frame` or `from_tables`. It is
    immutable, adds up, and answers the difference A - B of every label metric of the package.

    Attributes
    ----------
    n, w, w2 : ndarray of shape (K, A, A)
        Rows, sums of weights and sums of squared weights at [truth, answer of A, answer of B].
        A is K unless there are actions beyond the classes.
    labels : ndarray of shape (K,)
        The classes, in the order of the table.
    actions : ndarray of shape (A,)
        The answers: the classes first, then the others.
    ordered : bool
        Whether the order of ``labels`` means something.
    clusters : object or None
        What each cluster has in each cell, where rows are in clusters; intervals use it.
    dropped : int
        Rows with missing values that were left out on request.

    Examples
    --------
    >>> from skmetrics_ext.counts import PairedCounts
    >>> truth = [0, 0, 0, 1, 1, 1]
    >>> paired = PairedCounts.from_predictions(truth, [0, 0, 1, 1, 1, 1], [0, 1, 1, 0, 1, 1])
    >>> print(paired.difference("accuracy"))
    accuracy, A - B: +0.333 [-0.137, +0.637] (0.833 - 0.500; 6 rows)
    >>> print(paired.mcnemar())
    McNemar (exact): only A right 2, only B right 0 of 6 rows, p = 0.5
    """

    n: np.ndarray
    w: np.ndarray
    w2: np.ndarray
    labels: np.ndarray
    actions: np.ndarray
    ordered: bool
    clusters: ClusterCells | None = None
    dropped: int = 0

    # -----------------------------------------------------------------------------------------
    # making them

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred_a: Any,
        y_pred_b: Any,
        *,
        labels: Any = None,
        actions: Any = None,
        sample_weight: Any = None,
        clusters: Any = None,
    ) -> PairedCounts:
        """Count the rows of each true class and pair of answers.

        Parameters
        ----------
        y_true, y_pred_a, y_pred_b : array-like of shape (n_rows,)
            The truth and the answers of models A and B, row by row the same rows.
        labels : array-like of shape (K,), default=None
            The classes, in their order; they must cover the data. By default all categories
            of an ordered dtype, else the classes seen, sorted.
        actions : array-like, default=None
            Answers that are no class, such as "refer".
        sample_weight : array-like of shape (n_rows,), default=None
        clusters : array-like of shape (n_rows,), default=None
            What rows belong together (a patient with several rows).

        Returns
        -------
        PairedCounts

        Raises
        ------
        ValueError, TypeError
            Where columns are empty, of different lengths, with missing values, continuous, or
            hold a label outside ``labels``.

        Examples
        --------
        >>> from skmetrics_ext.counts import PairedCounts
        >>> truth = [0, 0, 0, 1, 1, 1]
        >>> PairedCounts.from_predictions(truth, [0, 0, 1, 1, 1, 1], [0, 1, 1, 0, 1, 1])
        PairedCounts: 6 rows (A's answer down, B's across)
        truth 0:
           0  1
        0  1  1
        1  0  1
        truth 1:
           0  1
        0  0  0
        1  1  2
        """
        tables = count_paired_rows(
            y_true,
            y_pred_a,
            y_pred_b,
            labels=labels,
            actions=actions,
            sample_weight=sample_weight,
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
            tables.clusters,
        )

    @classmethod
    def from_tables(cls, tables: Mapping[Any, Any]) -> PairedCounts:
        """Take printed tables: for each true class, A's answers down and B's across.

        Parameters
        ----------
        tables : mapping {label: array-like of shape (K, K)}
            Whole numbers, not negative. The order of the mapping is the order of the classes,
            in every table.

        Examples
        --------
        >>> from skmetrics_ext.counts import PairedCounts
        >>> paired = PairedCounts.from_tables(
        ...     {0: [[820, 30], [25, 25]], 1: [[12, 8], [15, 65]]}
        ... )
        >>> print(paired.mcnemar())
        McNemar (exact): only A right 45, only B right 33 of 1000 rows, p = 0.213
        """
        if not isinstance(tables, Mapping):
            raise ValueError(
                "tables must map each true class to a table of A's answers by B's, as in "
                f"{{0: [[5, 1], [2, 0]], 1: [[0, 1], [2, 7]]}}; got {type(tables).__name__}. "
                "A table per model does not tell on which rows they differ."
            )
        labels = label_array(list(tables))
        k = len(labels)
        stacked = np.stack([_of_one_class(label, table, k) for label, table in tables.items()])
        n = whole_table(stacked.reshape(k * k, k)).reshape(k, k, k)
        w = n.astype(np.float64)
        return cls(n, w, w, labels, labels, ordered=True)

    @classmethod
    def from_counts(cls, counts_a: ConfusionCounts, counts_b: ConfusionCounts) -> NoReturn:
        """Refuse two separate tables, and say what they leave open.

        Raises
        ------
        ValueError
            Always: the rows on which one model is right and the other wrong cannot be known
            from a table per model. The message says between what numbers they lie.

        Examples
        --------
        >>> from skmetrics_ext.counts import ConfusionCounts, PairedCounts
        >>> a = ConfusionCounts.from_cells(tp=80, fp=50, fn=20, tn=850)
        >>> b = ConfusionCounts.from_cells(tp=73, fp=55, fn=27, tn=845)
        >>> PairedCounts.from_counts(a, b)
        Traceback (most recent call last):
            ...
        ValueError: two separate tables do not tell on which rows A was right and B wrong: that \
could be any number of rows from 12 to 82, and the difference and its test depend on it. Count \
the answers of both on the same rows, by PairedCounts.from_predictions(y_true, y_pred_a, y_pred_b).
        """
        for name, counts in (("counts_a", counts_a), ("counts_b", counts_b)):
            if not isinstance(counts, ConfusionCounts):
                raise TypeError(f"{name} must be ConfusionCounts; got {type(counts).__name__}.")
        require_same("labels", counts_a.labels.tolist(), counts_b.labels.tolist())
        raise ValueError(
            "two separate tables do not tell on which rows A was right and B wrong: that could be "
            f"{_only_a_right(counts_a.total().n, counts_b.total().n)}, and the difference and its "
            "test depend on it. Count the answers of both on the same rows, by "
            "PairedCounts.from_predictions(y_true, y_pred_a, y_pred_b)."
        )

    # -----------------------------------------------------------------------------------------
    # tables to tables

    @property
    def a(self) -> ConfusionCounts:
        """The counts of model A alone."""
        return self._alone(0)

    @property
    def b(self) -> ConfusionCounts:
        """The counts of model B alone."""
        return self._alone(1)

    def _alone(self, model: int) -> ConfusionCounts:
        clusters = self.clusters
        if clusters is not None:
            place = np.unravel_index(clusters.cell, self.n.shape)
            shape = len(self.labels), len(self.actions)
            cell = np.ravel_multi_index((place[0], place[1 + model]), shape)
            clusters = replace(clusters, cell=cell)
        n, w, w2 = [table.sum(2 - model) for table in (self.n, self.w, self.w2)]
        return ConfusionCounts(
            n,
            w,
            w2,
            self.labels,
            self.actions,
            self.ordered,
            clusters=clusters,
            dropped=self.dropped,
        )

    def __add__(self, other: PairedCounts) -> PairedCounts:
        if not isinstance(other, PairedCounts):
            return NotImplemented
        require_same("labels", self.labels.tolist(), other.labels.tolist())
        require_same("actions", self.actions.tolist(), other.actions.tolist())
        require_same("use of clusters", self.clusters is None, other.clusters is None)
        one_group = np.zeros(1, dtype=np.intp)
        return replace(
            self,
            n=self.n + other.n,
            w=self.w + other.w,
            w2=self.w2 + other.w2,
            ordered=self.ordered and other.ordered,
            clusters=merged_clusters(self.clusters, other.clusters, one_group, self.n.size),
            dropped=self.dropped + other.dropped,
        )

    # -----------------------------------------------------------------------------------------
    # numbers

    def difference(
        self,
        metric: str,
        *,
        confidence_level: float = 0.95,
        pos_label: Any = None,
        average: str | None = "auto",
        zero_division: Any = "warn",
        replace_undefined_by: float = np.nan,
        **params: Any,
    ) -> Difference | Differences:
        """How much higher is a metric for A than for B, and how sure is that?

        Parameters
        ----------
        metric : str
            A registered name, such as "recall" or "weighted_kappa".
        confidence_level : float, default=0.95
        pos_label, average, zero_division, replace_undefined_by, **params
            As in `ConfusionCounts.estimate`.

        Returns
        -------
        Difference, or a list of them
            A - B, in the metric's own units: below zero, A's value is the lower one. A list
            (one per class) with ``average=None``.

        Notes
        -----
        The standard error is the delta method's on the table as counted: what both models
        share on a row cancels. The interval is centred on the table with two more rows spread
        over its cells, so that models that never differed still get a width, and it contains
        the value; on a handful of rows that differ it is wider than the level asks for. The
        rows (or ``clusters``) are taken as independent.

        Examples
        --------
        >>> from skmetrics_ext.counts import PairedCounts
        >>> paired = PairedCounts.from_tables(
        ...     {0: [[820, 30], [25, 25]], 1: [[12, 8], [15, 65]]}
        ... )
        >>> print(paired.difference("f1"))
        f1 of 1, A - B: +0.055 [-0.014, +0.124] (0.696 - 0.640; 1000 rows)
        """
        return difference(
            self,
            metric,
            confidence_level=confidence_level,
            pos_label=pos_label,
            average=average,
            zero_division=zero_division,
            replace_undefined_by=replace_undefined_by,
            params=params,
        )

    def mcnemar(self, method: str = "exact") -> McNemar:
        """Is one model right more often than the other, or are they even where they differ?

        Parameters
        ----------
        method : {"exact", "mid-p"}, default="exact"
            "exact" is the binomial test, which holds its level and is careful; "mid-p" counts
            half of the outcome seen and is closer to its level on few rows.

        Returns
        -------
        McNemar

        Raises
        ------
        ValueError
            Weighted rows or rows in clusters: the test counts independent rows.

        References
        ----------
        McNemar (1947), https://doi.org/10.1007/BF02295996; Fagerland, Lydersen and Laake
        (2013), https://doi.org/10.1186/1471-2288-13-91

        Examples
        --------
        >>> from skmetrics_ext.counts import PairedCounts
        >>> paired = PairedCounts.from_tables({0: [[20, 1], [6, 3]], 1: [[2, 2], [0, 9]]})
        >>> print(paired.mcnemar("mid-p"))
        McNemar (mid-p): only A right 1, only B right 8 of 43 rows, p = 0.0215
        """
        why = None
        if not is_unweighted(self.n, self.w, self.w2):
            why = "a weighted row is no whole row"
        elif self.clusters is not None:
            why = "rows of one cluster are not independent"
        if why is not None:
            raise ValueError(
                f"McNemar's test counts independent rows, and {why}: its p-value would be wrong. "
                "Use difference('accuracy'), whose interval is right here."
            )
        in_truth = np.arange(len(self.labels))
        both = int(self.n[in_truth, in_truth, in_truth].sum())
        right_a = int(self.n[in_truth, in_truth].sum())
        right_b = int(self.n[in_truth, :, in_truth].sum())
        return mcnemar(right_a - both, right_b - both, int(self.n.sum()), method)

    # -----------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PairedCounts):
            return NotImplemented
        return all(
            np.array_equal(getattr(self, name), getattr(other, name))
            for name in ("n", "w", "w2", "labels", "actions")
        )

    __hash__ = None  # type: ignore[assignment]  # mutable arrays inside, as numpy's own

    def __repr__(self) -> str:
        weighted = not is_unweighted(self.n, self.w, self.w2)
        lines = [
            f"PairedCounts: {row_count(int(self.n.sum()))}"
            f"{', sums of weights' if weighted else ''} (A's answer down, B's across)"
        ]
        if self.dropped:
            lines.append(dropped_text(self.dropped))
        tables = self.w if weighted else self.n
        for label, table in zip(self.labels.tolist(), tables, strict=True):
            lines += [f"truth {label!r}:", *grid(table, self.actions, self.actions)]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(repr(self))}</pre>"


def _of_one_class(label: Any, table: Any, k: int) -> np.ndarray:
    array = np.asarray(table)
    if array.shape != (k, k):
        raise ValueError(
            f"the table of {label!r} must have one row and one column per class, shape ({k}, {k}); "
            f"got shape {array.shape}."
        )
    return array


def _only_a_right(of_a: np.ndarray, of_b: np.ndarray) -> str:
    """Between what numbers the rows lie that A has right and B wrong, given both tables."""
    in_truth = of_a.sum(-1)
    if not np.array_equal(in_truth, of_b.sum(-1)):
        return "anything, since they are not even of the same rows (their true classes differ)"
    right_a, right_b = np.diagonal(of_a), np.diagonal(of_b)
    fewest = int(np.maximum(right_a - right_b, 0).sum())
    most = int(np.minimum(right_a, in_truth - right_b).sum())
    return f"any number of rows from {fewest} to {most}"
