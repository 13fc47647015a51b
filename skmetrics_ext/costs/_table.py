"""What a cost matrix holds and says, however it was made."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from skmetrics_ext._labels import label_array
from skmetrics_ext.costs._align import Priced, align
from skmetrics_ext.costs._arrays import Floats, action_array, frozen
from skmetrics_ext.costs._dominance import Dominance, find_dominated
from skmetrics_ext.costs._repr import matrix_repr
from skmetrics_ext.costs._sentences import (
    amount,
    answer_names,
    class_names,
    html_table,
    sentences,
)
from skmetrics_ext.tables._cost import depends_on_order

__all__ = ["CostTable"]


class CostTable:
    """An immutable (A, K) table of costs, its classes as far as they are known, its actions."""

    __slots__ = ("_costs", "_extras", "_labels", "_pos_label", "_power")

    _costs: Floats
    _labels: np.ndarray | None
    _pos_label: Any
    _extras: tuple[Any, ...]
    _power: float | None

    def _store(
        self,
        costs: Floats,
        labels: np.ndarray | None,
        pos_label: Any = None,
        extras: tuple[Any, ...] = (),
        power: float | None = None,
    ) -> None:
        self._costs = frozen(costs)
        self._labels = None if labels is None else frozen(labels.copy())
        self._pos_label = pos_label
        self._extras = extras
        self._power = power

    @classmethod
    def _of(cls, *state: Any) -> Self:
        table = object.__new__(cls)
        table._store(*state)
        return table

    def _state(self) -> tuple[Any, ...]:
        return (self._costs, self._labels, self._pos_label, self._extras, self._power)

    def __reduce__(self) -> tuple[Any, ...]:
        # Not by slots: arrays come back writable from a pickle, and must be frozen again.
        return type(self)._of, self._state()

    # -- what it holds ------------------------------------------------------------------------

    @property
    def labels(self) -> np.ndarray | None:
        """The classes in the order of the columns, or None while they are not known."""
        return self._labels

    @property
    def actions(self) -> np.ndarray | None:
        """The classes, then the other actions; None while the classes are not known."""
        if self._labels is None:
            return None
        return frozen(action_array(self._labels, self._extras).copy())

    @property
    def extra_actions(self) -> list[Any]:
        """The actions that are no class: those added by `with_action`."""
        return list(self._extras)

    @property
    def pos_label(self) -> Any:
        """The positive class of two: `binary`'s, else the last of the labels; else None."""
        if self._pos_label is not None or self._labels is None or len(self._labels) != 2:
            return self._pos_label
        return self._labels.tolist()[-1]

    @property
    def threshold(self) -> float:
        """Answer the positive class where its probability is at least this (Elkan 2001, eq. 2).

        (c10 - c00) / ((c10 - c00) + (c01 - c11)), 1 meaning positive and 0 negative, in [0, 1].
        NaN where no threshold on one probability decides: more than two classes or actions, or
        a mistake that costs no more than the right answer (see `dominated`).
        """
        if self._costs.shape != (2, 2):
            return float("nan")
        neg, pos = self._negative_first()
        false_alarm = self._costs[pos, neg] - self._costs[neg, neg]
        miss = self._costs[neg, pos] - self._costs[pos, pos]
        if not (false_alarm > 0 and miss > 0):
            return float("nan")
        return float(false_alarm / (false_alarm + miss))

    def _negative_first(self) -> list[int]:
        labels, pos_label = self._labels, self._pos_label
        reverse = labels is not None and pos_label is not None and labels[0] == pos_label
        return [1, 0] if reverse else [0, 1]

    def to_array(self, labels: ArrayLike | None = None) -> Floats:
        """The costs as a read-only float64 array (A, K), c[i, j]: action i when the truth is j.

        Columns stand in the order of ``labels`` (some of the classes, in any order; None: the
        order of ``self.labels``); rows are the same classes, then the other actions.
        """
        if labels is None:
            return self._costs
        return self._aligned(label_array(labels, name="labels"))._costs

    def _aligned(self, classes: np.ndarray, labels: np.ndarray | None = None) -> Self:
        """The same costs for exactly these classes, in this order."""
        n_classes = self._costs.shape[1]
        matters = depends_on_order(self._costs)
        priced = Priced(
            n_classes, self._labels, self.pos_label, self._extras, matters, "cost_matrix"
        )
        found = align(priced, classes, labels)
        costs = self._costs[np.ix_(found.rows, found.columns)]
        kept = len(classes) == n_classes and bool((np.diff(found.columns) == 1).all())
        power = self._power if kept else None
        return self._of(costs, classes, found.pos_label, self._extras, power)

    def dominated(self) -> Dominance:
        """Answers that are never the cheapest, and mistakes that cost no more than being right.

        Looks for three things: Elkan's reasonableness conditions (c10 > c00 and c01 > c11; with
        K classes, a wrong answer dearer than the right one in each column), rows that another
        row beats or equals whatever the truth, and actions that are never the only cheapest
        answer, whatever the probabilities. Prints as sentences; false where all is well.

        References
        ----------
        Elkan, C. (2001). The foundations of cost-sensitive learning. Proceedings of IJCAI 17,
        973-978, section 1.2. https://dl.acm.org/doi/10.5555/1642194.1642224

        Examples
        --------
        >>> from skmetrics_ext.costs import CostMatrix
        >>> cost = CostMatrix([[0, 8], [8, 0]], labels=["no", "yes"]).with_action("ask", cost=5)
        >>> print(cost.dominated())
        'ask' is never the only cheapest answer: whatever the probabilities, another action \
costs no more on average
        """
        actions = self.actions
        n_actions = len(self._costs)
        keys = list(range(n_actions)) if actions is None else actions.tolist()
        return find_dominated(self._costs, keys, answer_names(self._names(), self._extras))

    # -- what it says -------------------------------------------------------------------------

    def _names(self) -> list[str]:
        return class_names(self._labels, self._pos_label, self._costs.shape[1])

    def _sentences(self) -> list[str]:
        names = self._names()
        lines = sentences(self._costs, names, self._extras)
        threshold = self.threshold
        if threshold == threshold:
            positive = names[self._negative_first()[1]]
            percent = amount(float(f"{100 * threshold:.3g}"))
            lines.append(f"so answer {positive} where its probability is at least {percent} %")
        elif self._costs.shape == (2, 2):
            lines += [f"but {finding}" for finding in self.dominated()]
        if self._labels is None and self._pos_label is None:
            lines.append("class [k] is the class at position k of labels, or of the sorted classes")
        return lines

    def __str__(self) -> str:
        return "\n".join(self._sentences())

    def _repr_html_(self) -> str:
        names = self._names()
        answers = answer_names(names, self._extras)
        return html_table(self._costs, names, answers, self._sentences())

    def __repr__(self) -> str:
        order = self._negative_first() if self._costs.shape[1] == 2 else None
        return matrix_repr(*self._state(), order=order)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CostTable):
            return NotImplemented
        if self._extras != other._extras or self.pos_label != other.pos_label:
            return False
        if self._labels is None or other._labels is None:
            both = self._labels is None and other._labels is None
            return both and np.array_equal(self._costs, other._costs)
        if set(self._labels.tolist()) != set(other._labels.tolist()):
            return False
        return np.array_equal(self._costs, other.to_array(self._labels))

    __hash__ = None  # type: ignore[assignment]  # compared by value, as arrays are
