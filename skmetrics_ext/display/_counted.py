"""Counts as the pictures take them: of the right kind, without subgroups, with their costs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from skmetrics_ext._labels import label_array, same_label
from skmetrics_ext.costs import CostMatrix, resolve_cost_matrix
from skmetrics_ext.counts import ScoreCounts

__all__ = ["are_probabilities", "cost_threshold", "one_kind", "one_table", "with_costs"]

Counts = TypeVar("Counts")


def one_kind(counts: Any, kind: type[Counts]) -> Counts:
    """The counts themselves, if they are of this kind."""
    if not isinstance(counts, kind):
        raise ValueError(
            f"counts must be a {kind.__name__}, such as {kind.__name__}.from_predictions makes; "
            f"got {counts!r}."
        )
    return counts


def one_table(counts: Any, kind: type[Counts]) -> Counts:
    """The counts themselves, if they are of this kind and of all rows together."""
    one_kind(counts, kind)
    groups = getattr(counts, "groups", None)
    if groups is not None:
        raise ValueError(
            f"counts must be of one group of rows; got the subgroups {list(groups)}. Draw one of "
            f"them, counts[{groups[0]!r}], or all together, counts.total()."
        )
    return counts


def are_probabilities(counts: ScoreCounts) -> bool:
    """Whether all scores are between 0 and 1."""
    ranking = counts.rankings[0]
    return bool(ranking.low[0] >= 0 and ranking.high[-1] <= 1)


def with_costs(
    counts: ScoreCounts, cost_matrix: Any, labels: Any
) -> tuple[ScoreCounts, CostMatrix]:
    """The counts with both of their labels, and the costs in that order, negative first.

    Where no row is negative, the costs may know what that class is called.
    """
    negative, positive = counts.labels
    if negative is None:
        known = labels if labels is not None else getattr(cost_matrix, "labels", None)
        others = [] if known is None else label_array(known).tolist()
        negative = next((label for label in others if not same_label(label, positive)), None)
        if negative is None:
            raise ValueError(
                f"y_true holds only {positive!r}, so the class that the other costs are about is "
                "not known: name both by labels=[...]."
            )
        counts = replace(counts, labels=(negative, positive))
    costs = resolve_cost_matrix(cost_matrix, [negative, positive], labels=labels)
    if costs.extra_actions:
        raise ValueError(
            f"cost_matrix has costs for {costs.extra_actions}, and a threshold has two answers, "
            "the classes: leave the other actions out."
        )
    return counts, costs


def cost_threshold(costs: CostMatrix) -> float:
    """The threshold on the probability of the second of two labels; NaN where there is none."""
    return CostMatrix(costs.to_array(), labels=costs.labels).threshold
