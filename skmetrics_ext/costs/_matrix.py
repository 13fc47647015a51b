"""CostMatrix: what each outcome costs, said in a way that cannot be turned around."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from skmetrics_ext._labels import frame_labels, label_array
from skmetrics_ext.costs._arrays import (
    Floats,
    action_array,
    action_name,
    finite_number,
    numeric_array,
    square_array,
)
from skmetrics_ext.costs._per_row import PerRowCosts
from skmetrics_ext.costs._said import binary_array, binary_labels, pairs_array, rank_distances
from skmetrics_ext.costs._table import CostTable

__all__ = ["CostMatrix"]


class _Counts(Protocol):
    @property
    def w(self) -> Any: ...
    @property
    def priors(self) -> Any: ...
    @property
    def labels(self) -> Any: ...
    @property
    def actions(self) -> Any: ...


class CostMatrix(CostTable):
    """What each answer costs, by the truth: c[i, j], the cost of answer i when the truth is j.

    Costs are per row, in the user's own unit (a currency, hours, lives); a negative cost is a
    gain, lower is better. Immutable, picklable, compared by ``==`` label by label.

    Mind the layout: here the ANSWER is in the rows, as in Elkan (2001). scikit-learn's
    confusion matrix has the truth in the rows; for that layout there is
    `from_confusion_layout`. `binary` and `from_dict` need no layout at all.

    Parameters
    ----------
    cost_matrix : array-like of shape (K, K)
        c[i, j] as above, in the order of ``labels``.
    labels : array-like of shape (K,), default=None
        The classes, in the order of the rows and columns. None: the sorted classes of the data,
        which is refused for words unless renaming the classes would change nothing.

    Attributes
    ----------
    labels : ndarray of shape (K,) or None
        The classes; None while they are not known.
    actions : ndarray of shape (A,) or None
        What may be answered: the classes, then the actions added by `with_action`.
    pos_label : label or None
        The positive class of two: the one named in `binary`, else the last of ``labels``.
    threshold : float
        The probability of the positive class from which it is the cheaper answer.

    Raises
    ------
    ValueError
        Where the array is not two-dimensional, square and finite, or does not fit ``labels``.

    References
    ----------
    Elkan, C. (2001). The foundations of cost-sensitive learning. Proceedings of IJCAI 17,
    973-978. https://dl.acm.org/doi/10.5555/1642194.1642224

    Examples
    --------
    In scikit-learn's breast cancer data 0 is malignant, so names are safer than numbers:

    >>> from skmetrics_ext.costs import CostMatrix
    >>> cost = CostMatrix.binary(
    ...     false_negative=100, false_positive=1, pos_label="malignant", neg_label="benign"
    ... )
    >>> print(cost)
    predicting 'benign' when the truth is 'malignant' costs 100
    predicting 'malignant' when the truth is 'benign' costs 1
    a right answer costs 0
    so answer 'malignant' where its probability is at least 0.99 %
    >>> cost.threshold == 1 / 101
    True
    >>> cost.to_array(["malignant", "benign"]).tolist()
    [[0.0, 1.0], [100.0, 0.0]]
    """

    __slots__ = ()

    def __init__(self, cost_matrix: ArrayLike, labels: ArrayLike | None = None) -> None:
        labels = frame_labels(cost_matrix, labels, "cost_matrix")
        costs = square_array(cost_matrix, name="cost_matrix")
        self._store(costs, None if labels is None else _fitting(labels, len(costs)))

    # -- the ways to say it -------------------------------------------------------------------

    @classmethod
    def binary(
        cls,
        *,
        false_positive: float = 1,
        false_negative: float = 1,
        true_positive: float = 0,
        true_negative: float = 0,
        pos_label: Any = 1,
        neg_label: Any = None,
    ) -> CostMatrix:
        """Two classes by their four outcomes, so that nobody has to recall a layout.

        Parameters
        ----------
        false_positive, false_negative, true_positive, true_negative : float
            The cost of each outcome, per row; negative: a gain.
        pos_label : label, default=1
            The class that "positive" means.
        neg_label : label, default=None
            The other class. None: found in the data.

        Examples
        --------
        >>> from skmetrics_ext.costs import CostMatrix
        >>> print(CostMatrix.binary(false_negative=4))
        predicting the other class when the truth is 1 costs 4
        predicting 1 when the truth is the other class costs 1
        a right answer costs 0
        so answer 1 where its probability is at least 20 %
        """
        positive, labels = binary_labels(pos_label, neg_label)
        costs = binary_array(
            true_negative=finite_number(true_negative, name="true_negative"),
            false_negative=finite_number(false_negative, name="false_negative"),
            false_positive=finite_number(false_positive, name="false_positive"),
            true_positive=finite_number(true_positive, name="true_positive"),
        )
        return cls._of(costs, labels, positive)

    @classmethod
    def from_confusion_layout(
        cls, cost_matrix: ArrayLike, labels: ArrayLike | None = None
    ) -> CostMatrix:
        """From an array with the TRUTH in the rows, as scikit-learn prints confusion tables.

        Examples
        --------
        >>> from skmetrics_ext.costs import CostMatrix
        >>> CostMatrix.from_confusion_layout([[0, 1], [100, 0]], labels=["benign", "malignant"])
        CostMatrix.binary(false_positive=1, false_negative=100, pos_label='malignant', \
neg_label='benign')
        """
        labels = frame_labels(cost_matrix, labels, "cost_matrix")
        return cls(square_array(cost_matrix, name="cost_matrix").T, labels)

    @classmethod
    def from_dict(
        cls, costs: Mapping[tuple[Any, Any], float], labels: ArrayLike | None = None
    ) -> CostMatrix:
        """From pairs ``{(predicted, true): cost}``.

        A right answer that is not named costs 0; a mistake that is not named is an error.

        Parameters
        ----------
        costs : mapping of (predicted, true) to float
        labels : array-like of shape (K,), default=None
            The classes, in the order that ``to_array`` shall have. None: those of the pairs,
            sorted.

        Examples
        --------
        >>> from skmetrics_ext.costs import CostMatrix
        >>> cost = CostMatrix.from_dict({("legit", "fraud"): 100, ("fraud", "legit"): 1})
        >>> print(str(cost).splitlines()[0])
        predicting 'legit' when the truth is 'fraud' costs 100
        """
        return cls(*pairs_array(costs, labels))

    @classmethod
    def from_gains(cls, gains: ArrayLike, labels: ArrayLike | None = None) -> CostMatrix:
        """From profits instead of costs: ``gains[i, j]``, what answer i earns when j is true.

        Examples
        --------
        >>> from skmetrics_ext.costs import CostMatrix
        >>> print(CostMatrix.from_gains([[0, 0], [-1, 20]], labels=["no", "yes"]))
        predicting 'yes' when the truth is 'no' costs 1
        predicting 'no' when the truth is 'yes' costs 0
        predicting 'no' when the truth is 'no' costs 0
        predicting 'yes' when the truth is 'yes' gains 20
        so answer 'yes' where its probability is at least 4.76 %
        """
        labels = frame_labels(gains, labels, "gains")
        return cls(-square_array(gains, name="gains"), labels)

    @classmethod
    def ordinal(cls, labels: ArrayLike, power: float = 2) -> CostMatrix:
        """Ordered classes: the cost grows with the distance in ranks, and 1 is the dearest.

        c[i, j] = abs(i - j)**power / (K - 1)**power, with the ranks by the order of ``labels``.

        Parameters
        ----------
        labels : array-like of shape (K,)
            The classes from the lowest to the highest, at least two.
        power : float, default=2
            1: the absolute distance; 2: the squared one (as in the quadratic kappa).

        Examples
        --------
        >>> from skmetrics_ext.costs import CostMatrix
        >>> CostMatrix.ordinal(["low", "medium", "high"], power=1).to_array().tolist()
        [[0.0, 0.5, 1.0], [0.5, 0.0, 0.5], [1.0, 0.5, 0.0]]
        """
        order = label_array(labels, name="labels")
        exponent = finite_number(power, name="power")
        return cls._of(rank_distances(order, exponent), order, None, (), exponent)

    @classmethod
    def per_row(
        cls,
        *,
        false_positive: Any = 1,
        false_negative: Any = 1,
        true_positive: Any = 0,
        true_negative: Any = 0,
        pos_label: Any = 1,
        neg_label: Any = None,
    ) -> PerRowCosts:
        """Two classes whose costs differ by row: numbers, column names of X, or callables of X.

        Examples
        --------
        >>> from skmetrics_ext.costs import CostMatrix
        >>> cost = CostMatrix.per_row(
        ...     false_negative="amount", false_positive=50, pos_label="fraud", neg_label="legit"
        ... )
        >>> print(str(cost).splitlines()[0])
        predicting 'legit' when the truth is 'fraud' costs the row's 'amount'
        """
        return PerRowCosts(
            false_positive=false_positive,
            false_negative=false_negative,
            true_positive=true_positive,
            true_negative=true_negative,
            pos_label=pos_label,
            neg_label=neg_label,
        )

    def with_action(self, name: Any, *, cost: ArrayLike) -> CostMatrix:
        """One more thing to answer, such as "refer": to decline is an action like any other.

        Parameters
        ----------
        name : label
            In the type of the classes: a word beside words, a number (-1) beside numbers.
        cost : float or array-like of shape (K,)
            What it costs, the same whatever the truth or for each true class in the order of
            ``to_array()``.

        References
        ----------
        Chow, C. K. (1970). On optimum recognition error and reject tradeoff. IEEE Transactions
        on Information Theory, 16(1), 41-46. https://doi.org/10.1109/TIT.1970.1054406

        Examples
        --------
        >>> from skmetrics_ext.costs import CostMatrix
        >>> cost = CostMatrix([[0, 40], [10, 0]], labels=["no", "yes"]).with_action("ask", cost=3)
        >>> cost.actions.tolist()
        ['no', 'yes', 'ask']
        >>> cost.to_array().tolist()
        [[0.0, 40.0], [10.0, 0.0], [3.0, 3.0]]
        """
        known = [] if self._labels is None else self._labels.tolist()
        taken = known + list(self._extras)
        extras = (*self._extras, action_name(name, taken))
        if self._labels is not None:
            action_array(self._labels, extras)
        row = _row_of_costs(cost, self._costs.shape[1])
        costs = np.vstack([self._costs, row])
        return CostMatrix._of(costs, self._labels, self._pos_label, extras, self._power)

    # -- what follows from it -----------------------------------------------------------------

    def mean_cost(self, counts: _Counts) -> Any:
        """What a row cost on average, from the counts of truths and answers; lower is better.

        Parameters
        ----------
        counts : ConfusionCounts
            ``w`` has shape (K, A), or (G, K, A) with subgroups.

        Returns
        -------
        float, or ndarray of shape (G,)
            In the unit of the costs; NaN for a subgroup without rows.

        Notes
        -----
        After ``counts.at_priors(...)`` it is the mean in a population with those priors.

        Raises
        ------
        ValueError
            Where the counts hold a class or an action without a cost.
        """
        classes = label_array(counts.labels, name="counts.labels")
        matrix = self._aligned(classes)
        rows = _rows_of(counts, matrix, classes)
        weights = _weights(counts)
        total = np.einsum("...ja,aj->...", weights, matrix._costs[rows])
        rows_weight = weights.sum(axis=(-2, -1))
        with np.errstate(invalid="ignore"):
            mean = np.divide(total, rows_weight)
        return float(mean) if mean.ndim == 0 else mean


def _fitting(labels: ArrayLike, n_classes: int) -> np.ndarray:
    array = label_array(labels, name="labels")
    if len(array) != n_classes:
        raise ValueError(
            f"labels must name each row and column of cost_matrix; got {len(array)} labels "
            f"{array.tolist()} for shape ({n_classes}, {n_classes})."
        )
    return array


def _row_of_costs(cost: ArrayLike, n_classes: int) -> Floats:
    row = numeric_array(cost, name="cost")
    if row.shape not in ((), (n_classes,)):
        raise ValueError(
            f"cost must be a number, or one for each of the {n_classes} true classes; got shape "
            f"{row.shape}."
        )
    if not np.isfinite(row).all():
        raise ValueError(f"cost must be finite; got {cost!r}.")
    return np.broadcast_to(row, (n_classes,))


def _rows_of(counts: _Counts, matrix: CostMatrix, classes: np.ndarray) -> list[int]:
    answered = counts.actions
    answered = classes if answered is None else label_array(answered, name="counts.actions")
    known = [*classes.tolist(), *matrix._extras]
    without = [a for a in answered.tolist() if a not in known]
    if without:
        raise ValueError(
            f"counts hold the actions {without}, which have no cost; the actions of cost_matrix "
            f"are {known}. Add them by with_action(name, cost=...)."
        )
    return [known.index(a) for a in answered.tolist()]


def _weights(counts: _Counts) -> Floats:
    """The table as counted, or with its rows reweighted to the priors stated."""
    weights = np.asarray(counts.w, dtype=np.float64)
    priors = getattr(counts, "priors", None)
    if priors is None:
        return weights
    in_truth = weights.sum(axis=-1, keepdims=True)
    shares = np.divide(weights, in_truth, out=np.zeros_like(weights), where=in_truth > 0)
    return shares * np.asarray(priors, dtype=np.float64)[..., :, None]
