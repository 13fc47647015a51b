"""What cuts are chosen by: a cost of each answer, or agreement beyond chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.costs import CostMatrix, PerRowCosts, resolve_cost_matrix
from skmetrics_ext.ordinal._cuts_search import (
    RankedRows,
    cheapest_places,
    cuts_at,
    places_of_least_ratio,
)
from skmetrics_ext.tables import get_metric

__all__ = ["Criterion", "read_criterion"]

Floats = NDArray[np.float64]

_POWERS = {"absolute": 1, "squared": 2, "linear_kappa": 1, "quadratic_kappa": 2}


@dataclass(frozen=True)
class Criterion:
    """What answering i costs where the truth is j, and whether chance is set against it."""

    costs: Floats
    beyond_chance: bool

    def best_cuts(
        self, scores: Floats, ranks: NDArray[np.intp], weights: Floats | None
    ) -> tuple[Floats, float]:
        """The best cuts of finite scores, and the value there; NaN for a kappa of one class."""
        rows = RankedRows.of(scores, ranks, weights)
        if not self.beyond_chance:
            places = cheapest_places(rows, self.costs)
        elif (rows.ranks == rows.ranks[0]).all():
            # Nothing is expected by chance: answer the one class there is.
            places = np.where(np.arange(1, len(self.costs)) <= rows.ranks[0], 0, len(rows.scores))
        else:
            places = places_of_least_ratio(rows, self.costs)
        cuts = cuts_at(rows.scores, places)
        return cuts, self._value(rows, cuts)

    def _value(self, rows: RankedRows, cuts: Floats) -> float:
        answers = np.searchsorted(cuts, rows.scores, side="right")
        cells = rows.ranks * len(self.costs) + np.repeat(answers, np.diff(rows.below))
        counts = np.bincount(cells, weights=rows.weights, minlength=self.costs.size)
        table = counts.reshape(self.costs.shape)
        if self.beyond_chance:
            return float(get_metric("weighted_kappa").formula(table, weights=self.costs))
        return float(get_metric("expected_cost").formula(table, cost_matrix=self.costs))


def read_criterion(criterion: Any, labels: np.ndarray, *, also: str = "") -> Criterion:
    """A criterion for classes in this order.

    Parameters
    ----------
    criterion : str, CostMatrix or array-like of shape (K, K)
    labels : ndarray of shape (K,)
        From lowest to highest: also the order of an array's rows and columns.
    also : str, default=""
        What else the caller takes, for the message.

    Raises
    ------
    ValueError
        Where it is none of those named, or no matrix with one row and one column per class.
    """
    if isinstance(criterion, str) and criterion in _POWERS:
        places = np.arange(len(labels), dtype=np.float64)
        distances = np.abs(places[:, None] - places) ** _POWERS[criterion]
        return Criterion(distances, criterion.endswith("kappa"))
    if criterion is None or isinstance(criterion, (str, PerRowCosts)) or callable(criterion):
        raise ValueError(
            f"criterion must be {also}{', '.join(map(repr, _POWERS))} or one cost matrix for all "
            f"rows; got {criterion!r}."
        )
    named = isinstance(criterion, CostMatrix) and criterion.labels is not None
    try:
        matrix = resolve_cost_matrix(criterion, labels, labels=None if named else labels)
    except (TypeError, ValueError) as error:
        raise ValueError(f"criterion must be a cost matrix for these classes: {error}") from error
    if matrix.extra_actions:
        raise ValueError(
            "criterion must price the classes only, since a cut leads to a class; its actions "
            f"{list(matrix.extra_actions)} are none."
        )
    return Criterion(matrix.to_array(), beyond_chance=False)
