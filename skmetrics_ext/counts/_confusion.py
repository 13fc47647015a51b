"""ConfusionCounts: what happened, as a table of true class x answer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from skmetrics_ext._labels import decide_pos_label, label_array, same_label
from skmetrics_ext.counts._estimate import Estimate
from skmetrics_ext.counts._evaluate import Evaluation, bind_to_labels, evaluate
from skmetrics_ext.counts._merge import merged, require_same
from skmetrics_ext.counts._priors import as_priors
from skmetrics_ext.counts._tabulate import ClusterCells, count_rows
from skmetrics_ext.counts._text import table_text

__all__ = ["ConfusionCounts"]


@dataclass(frozen=True, eq=False, repr=False)
class ConfusionCounts:
    """What happened: how many rows of each true class got which answer.

    Make one by `from_predictions`, `from_matrix` or `from_cells`. It is immutable, adds up,
    and answers every label metric of the package by `estimate`.

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

    def __post_init__(self) -> None:
        for name in ("n", "w", "w2", "labels", "actions", "priors"):
            array = getattr(self, name)
            if array is not None:
                view = array.view()
                view.flags.writeable = False
                object.__setattr__(self, name, view)

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
        n = _whole_table(table)
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
        precision of 1 0.778 (7/9; prevalence 0.50)
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
        fields = merged(self, other)
        return replace(
            self,
            ordered=self.ordered and other.ordered,
            dropped=self.dropped + other.dropped,
            **fields,
        )

    def __getitem__(self, group: Any) -> ConfusionCounts:
        for g, name in enumerate(self.groups or ()):
            if same_label(name, group):
                cells = self.n[g].size
                inside = None
                if self.clusters is not None:
                    mine = self.clusters.cell // cells == g
                    inside = replace(
                        self.clusters,
                        cluster=self.clusters.cluster[mine],
                        cell=self.clusters.cell[mine] % cells,
                        w=self.clusters.w[mine],
                    )
                return replace(
                    self, n=self.n[g], w=self.w[g], w2=self.w2[g], groups=None, clusters=inside
                )
        raise KeyError(f"no subgroup {group!r}; the subgroups are {list(self.groups or ())}")

    def total(self) -> ConfusionCounts:
        """The counts over all subgroups."""
        if self.groups is None:
            return self
        clusters = self.clusters
        if clusters is not None:
            clusters = replace(clusters, cell=clusters.cell % self.n[0].size)
        return replace(
            self,
            n=self.n.sum(0),
            w=self.w.sum(0),
            w2=self.w2.sum(0),
            groups=None,
            clusters=clusters,
        )

    def binary(self, pos_label: Any) -> ConfusionCounts:
        """One class against the rest: a (2, 2) table, the negative class first.

        The result knows its positive class, so that ``estimate`` need not be told again.
        """
        if self.priors is not None:
            raise ValueError(
                "binary() after at_priors() would mix the classes of the rest at the data's own "
                "shares; pass pos_label to estimate() instead."
            )
        pos = decide_pos_label(self.labels, pos_label)
        label = self.labels.tolist()[pos]
        rest = self.labels.tolist()[1 - pos] if len(self.labels) == 2 else f"not {label}"
        into = np.zeros((len(self.labels), 2), dtype=np.int64)
        into[:, 0] = 1
        into[pos] = (0, 1)
        extra = len(self.actions) - len(self.labels)
        across = np.zeros((len(self.actions), 2 + extra), dtype=np.int64)
        across[: len(self.labels), :2] = into
        across[len(self.labels) :, 2:] = np.eye(extra, dtype=np.int64)
        names = np.empty(2, dtype=object)
        names[:] = [rest, label]
        actions = np.empty(2 + extra, dtype=object)
        actions[:] = [rest, label, *self.actions.tolist()[len(self.labels) :]]
        clusters = self.clusters
        if clusters is not None:
            group, cell = np.divmod(clusters.cell, len(self.actions) * len(self.labels))
            truth, answer = np.divmod(cell, len(self.actions))
            cell = (group * 2 + into.argmax(1)[truth]) * (2 + extra) + across.argmax(1)[answer]
            clusters = replace(clusters, cell=cell)
        return replace(
            self,
            n=into.T @ self.n @ across,
            w=into.T @ self.w @ across,
            w2=into.T @ self.w2 @ across,
            labels=names,
            actions=actions,
            ordered=True,
            pos_label=label,
            clusters=clusters,
        )

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
    # numbers

    def estimate(
        self,
        metric: str,
        *,
        pos_label: Any = None,
        average: str | None = "auto",
        zero_division: Any = "warn",
        replace_undefined_by: float = np.nan,
        **params: Any,
    ) -> Any:
        """The value of a registered metric, with the counts behind it.

        Parameters
        ----------
        metric : str
            A registered name, such as "recall" or "weighted_kappa".
        pos_label : object, default=None
            The positive class. 1 and True are taken beside 0, -1 and False; with other labels
            it must be named where the metric is not symmetric. With more than two classes it
            means that class against the rest.
        average : str or None, default="auto"
            "binary", "macro", "micro", "weighted", None (a list, one per class), or what else
            the metric takes; "auto" is the metric's own default.
        zero_division : {"warn", 0.0, 1.0, nan}, default="warn"
            For rates: what stands for a count divided by zero; "warn" is 0.0 with a warning.
        replace_undefined_by : float, default=nan
            The same for kappa and the likelihood ratios.
        **params
            The metric's own: ``beta``, ``weights``, ``tolerance``, ``cost_matrix``.

        Returns
        -------
        Estimate, or a list of them
            A list with subgroups (one per group) or ``average=None`` (one per class).

        Examples
        --------
        >>> from skmetrics_ext.counts import ConfusionCounts
        >>> counts = ConfusionCounts.from_matrix([[50, 8, 2], [6, 70, 14], [3, 9, 38]])
        >>> for estimate in counts.estimate("recall", average=None):
        ...     print(estimate)
        recall of 0 0.833 (50/60; prevalence 0.30)
        recall of 1 0.778 (70/90; prevalence 0.45)
        recall of 2 0.760 (38/50; prevalence 0.25)
        """
        bound = bind_to_labels(
            metric,
            self.labels,
            self.actions,
            ordered=self.ordered,
            pos_label=self.pos_label if pos_label is None else pos_label,
            average=average,
            zero_division=zero_division,
            priors=self.priors,
            params=params,
        )
        evaluation = evaluate(
            bound, self.w, zero_division=zero_division, replace_undefined_by=replace_undefined_by
        )
        return self._estimates(evaluation)

    def _estimates(self, evaluation: Evaluation) -> Any:
        bound = evaluation.bound
        stacked = self.groups is not None
        values = evaluation.value if stacked else evaluation.value[None]
        parts = bound.parts(self.w)
        groups = self.groups if self.groups is not None else (None,)
        n = self.n.sum((-2, -1)).reshape(len(groups))
        shares = self._shares().reshape(len(groups), len(self.labels))
        classes = list(range(len(self.labels))) if bound.per_class else [bound.pos]
        estimates = []
        for g, group in enumerate(groups):
            for c in classes:
                place = (g, c)[: values.ndim]
                numerator, denominator = (
                    [float(p.reshape(values.shape)[place]) for p in parts]
                    if parts is not None
                    else (None, None)
                )
                about = c if bound.per_class or not bound.metric.symmetric else None
                about = None if about is not None and about < 0 else about
                estimates.append(
                    Estimate(
                        metric=bound.metric.name,
                        value=float(values[place]),
                        n=int(n[g]),
                        numerator=numerator,
                        denominator=denominator,
                        pos_label=None if about is None else self.labels.tolist()[about],
                        average=bound.average,
                        prevalence=None if about is None else float(shares[g, about]),
                        group=group,
                    )
                )
        return estimates if stacked or bound.per_class else estimates[0]

    def _shares(self) -> np.ndarray:
        """The share of each class among the true labels, or the priors stated."""
        in_truth = self.w.sum(-1)
        if self.priors is not None:
            return np.broadcast_to(self.priors, in_truth.shape)
        total = in_truth.sum(-1, keepdims=True)
        return in_truth / np.where(total == 0, 1.0, total)

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
            and self.pos_label == other.pos_label
            and _listed(self.priors) == _listed(other.priors)
        )

    __hash__ = None  # type: ignore[assignment]  # mutable arrays inside, as numpy's own

    def __repr__(self) -> str:
        return table_text(self)


def _listed(array: np.ndarray | None) -> Any:
    return None if array is None else array.tolist()


def _whole_table(table: Any) -> np.ndarray:
    try:
        array = np.asarray(table, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"table must hold numbers; got {table!r}.") from None
    if array.ndim != 2 or array.size == 0:
        raise ValueError(f"table must be two-dimensional; got shape {array.shape}.")
    if not np.isfinite(array).all() or (array < 0).any():
        raise ValueError(f"table must hold counts, finite and not negative; got {table!r}.")
    whole = np.rint(array)
    if not np.allclose(array, whole, rtol=0, atol=1e-6):
        raise ValueError(f"table must hold whole numbers of rows; got {table!r}.")
    if not whole.any():
        raise ValueError("table must count at least one row; all its cells are zero.")
    return whole.astype(np.int64)
