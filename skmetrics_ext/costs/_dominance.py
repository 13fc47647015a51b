"""Answers that are never the cheapest, and costs under which being right does not pay."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.optimize import linprog

from skmetrics_ext.costs._sentences import amount

__all__ = ["CostFinding", "Dominance", "find_dominated"]

# Beyond rounding in the linear program, on costs scaled so that the largest regret is 1.
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class CostFinding:
    """One thing to know about a cost matrix.

    Attributes
    ----------
    kind : {"unreasonable", "dominated", "equal", "never_answered"}
        "unreasonable": a wrong answer costs no more than the right one (Elkan 2001, section
        1.2). "dominated": another action costs no more whatever the truth. "equal": another
        action costs the same whatever the truth. "never_answered": no single action dominates,
        and yet whatever the probabilities some other action is as cheap.
    action : label
        The action it is about (its row number where the matrix has no labels).
    by : label or None
        The action it is compared with, or the true class of an "unreasonable" cost.
    sentence : str
        The same in words.

    Examples
    --------
    >>> from skmetrics_ext.costs import CostMatrix
    >>> cost = CostMatrix([[0, 1], [5, 5]], labels=["well", "ill"])
    >>> finding = list(cost.dominated())[0]
    >>> finding.kind, finding.action, finding.by
    ('unreasonable', 'well', 'ill')
    >>> print(finding)
    when the truth is 'ill', predicting 'well' (1) costs no more than the right answer (5)
    """

    kind: Literal["unreasonable", "dominated", "equal", "never_answered"]
    action: Any
    by: Any
    sentence: str

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True)
class Dominance:
    """What `CostMatrix.dominated` found; empty (and false) where all is well.

    Attributes
    ----------
    findings : tuple of CostFinding
        It iterates over them, and has their number as its length.

    Examples
    --------
    >>> from skmetrics_ext.costs import CostMatrix
    >>> cost = CostMatrix.binary(false_negative=10, pos_label="ill", neg_label="well")
    >>> bool(cost.dominated())
    False
    >>> found = cost.with_action("refer", cost=20).dominated()
    >>> print(found)
    'refer' is never the cheapest answer: 'well' costs no more whatever the truth
    >>> found.never_answered
    ['refer']
    """

    findings: tuple[CostFinding, ...]

    @property
    def never_answered(self) -> list[Any]:
        """The actions that are never the only cheapest answer, whatever the probabilities."""
        kinds = ("dominated", "never_answered")
        return list(dict.fromkeys(f.action for f in self.findings if f.kind in kinds))

    def __len__(self) -> int:
        return len(self.findings)

    def __iter__(self) -> Iterator[CostFinding]:
        return iter(self.findings)

    def __str__(self) -> str:
        if not self.findings:
            return "every mistake costs more than the right answer, and every action has its use"
        return "\n".join(map(str, self.findings))


def find_dominated(costs: np.ndarray, keys: list[Any], names: list[str]) -> Dominance:
    """Look at a (A, K) matrix; ``keys`` and ``names`` call its A actions, the classes first."""
    findings = [
        *_unreasonable(costs, keys, names),
        *(f for i in range(len(costs)) for f in _use_of(i, costs, keys, names)),
    ]
    return Dominance(tuple(findings))


def _unreasonable(costs: np.ndarray, keys: list[Any], names: list[str]) -> list[CostFinding]:
    n_classes = costs.shape[1]
    return [
        CostFinding(
            "unreasonable",
            keys[i],
            keys[j],
            f"when the truth is {names[j]}, predicting {names[i]} ({amount(costs[i, j])}) costs "
            f"no more than the right answer ({amount(costs[j, j])})",
        )
        for j in range(n_classes)
        for i in range(n_classes)
        if i != j and costs[i, j] <= costs[j, j]
    ]


def _use_of(i: int, costs: np.ndarray, keys: list[Any], names: list[str]) -> list[CostFinding]:
    others = np.delete(np.arange(len(costs)), i)
    no_dearer = [int(k) for k in others if (costs[k] <= costs[i]).all()]
    equal = [k for k in no_dearer if (costs[k] == costs[i]).all()]
    better = [k for k in no_dearer if k not in equal]
    if better:
        k = better[0]
        text = f"{names[i]} is never the cheapest answer: {names[k]} costs no more whatever"
        return [CostFinding("dominated", keys[i], keys[k], f"{text} the truth")]
    found = [
        CostFinding(
            "equal",
            keys[i],
            keys[k],
            f"{names[i]} and {names[k]} cost the same whatever the truth",
        )
        for k in equal
        if k > i
    ]
    rivals = [int(k) for k in others if k not in equal]
    if rivals and not _is_cheapest_somewhere(costs, i, rivals):
        text = f"{names[i]} is never the only cheapest answer: whatever the probabilities"
        text += ", another action costs no more on average"
        found.append(CostFinding("never_answered", keys[i], None, text))
    return found


def _is_cheapest_somewhere(costs: np.ndarray, i: int, rivals: list[int]) -> bool:
    """Whether some probabilities make action i strictly cheaper than all its rivals.

    The largest lead t over the simplex, by a linear program: p (c_k - c_i) >= t for all k.
    """
    lead = costs[rivals] - costs[i]
    lead = lead / np.abs(lead).max()
    n_classes = costs.shape[1]
    result = linprog(
        np.r_[np.zeros(n_classes), -1.0],
        A_ub=np.c_[-lead, np.ones(len(lead))],
        b_ub=np.zeros(len(lead)),
        A_eq=np.r_[np.ones(n_classes), 0.0][None, :],
        b_eq=[1.0],
        bounds=[(0, 1)] * n_classes + [(None, None)],
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    largest_lead = 0.0 if result.fun is None else -result.fun
    return bool(largest_lead > _TOLERANCE)
