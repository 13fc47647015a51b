"""Kappa beside what it depends on: the margins, the class shares, the bias."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from skmetrics_ext.counts._confusion import ConfusionCounts
from skmetrics_ext.counts._kappa import kappa_at, kappa_name, one_table
from skmetrics_ext.counts._margins import least_disagreement
from skmetrics_ext.tables import at_priors

__all__ = ["KappaContext", "kappa_context"]


@dataclass(frozen=True)
class KappaContext:
    """Kappa beside what it depends on.

    Attributes
    ----------
    kappa : float
    largest : float
        The largest kappa that any answers with these margins could have: below 1 where truth
        and answers do not use the classes equally often.
    observed_agreement : float
        The share of right answers.
    pabak : float
        Prevalence-adjusted bias-adjusted kappa, what kappa would be with all classes equally
        common: (K p - 1) / (K - 1) of the share p of right answers, with every mistake
        counted alike whatever the weights.
    prevalence_index : float or None
        Two classes: how much more rows are positive in both truth and answer than negative in
        both, as a share of all rows, from -1 to 1; else None.
    bias_index : float or None
        Two classes: how much more rows are answered positive than are, as a share of all rows,
        from -1 to 1; else None.
    pos_label : object or None
        The class that the two indices take as positive.
    n : int
    weights : object
        The disagreement weights of ``kappa`` and ``largest``.

    Examples
    --------
    >>> from skmetrics_ext.counts import ConfusionCounts, kappa_context
    >>> context = kappa_context(ConfusionCounts.from_cells(tp=80, fp=10, fn=5, tn=5), weights=None)
    >>> round(context.kappa, 3), round(context.largest, 3), round(context.pabak, 3)
    (0.318, 0.773, 0.7)
    """

    kappa: float
    largest: float
    observed_agreement: float
    pabak: float
    prevalence_index: float | None
    bias_index: float | None
    pos_label: Any
    n: int
    weights: Any = field(compare=False)  # a matrix has no one answer to ==

    def __str__(self) -> str:
        lines = [
            f"{kappa_name(self.weights)} {self.kappa:.3f}, where the margins allow at most "
            f"{self.largest:.3f} ({self.n} rows)",
            f"right answers {self.observed_agreement:.3f}; kappa if all classes were equally "
            f"common (PABAK) {self.pabak:.3f}",
        ]
        if self.prevalence_index is not None:
            lines.append(
                f"prevalence index {self.prevalence_index:+.3f}, bias index "
                f"{self.bias_index:+.3f} (of {self.pos_label!r})"
            )
        return "\n".join(lines)


def kappa_context(counts: ConfusionCounts, *, weights: Any = "quadratic") -> KappaContext:
    """Is kappa low because of the answers, or because of how common the classes are?

    Parameters
    ----------
    counts : ConfusionCounts
        One table, without subgroups. After ``at_priors`` everything is at those class shares.
    weights : {"quadratic", "linear", None} or array-like of shape (K, K), default="quadratic"
        As in `weighted_kappa_score`.

    Returns
    -------
    KappaContext

    Raises
    ------
    ValueError
        Subgroups: take one, or the total.

    References
    ----------
    Byrt, Bishop and Carlin (1993), "Bias, prevalence and kappa",
    https://doi.org/10.1016/0895-4356(93)90018-V

    Examples
    --------
    >>> from skmetrics_ext.counts import ConfusionCounts, kappa_context
    >>> counts = ConfusionCounts.from_cells(tp=80, fp=10, fn=5, tn=5)
    >>> print(kappa_context(counts, weights=None))
    kappa 0.318, where the margins allow at most 0.773 (100 rows)
    right answers 0.850; kappa if all classes were equally common (PABAK) 0.700
    prevalence index +0.750, bias index +0.050 (of 1)
    """
    one_table(counts)
    kappa = counts.estimate("weighted_kappa", weights=weights, confidence_level=None)
    bound = kappa_at(counts, weights)
    table = counts.w if counts.priors is None else at_priors(counts.w, counts.priors)
    table = table / table.sum()
    k = len(table)
    agreement = float(np.trace(table))
    # Kappa is a linear function of the disagreement, with the same margins the same one.
    best = least_disagreement(table.sum(1), table.sum(0), bound.params["weights"])
    largest = float(kappa_at(counts, weights, priors=False)(best))
    prevalence = bias = label = None
    if k == 2:
        labels = counts.labels.tolist()
        pos = labels.index(counts.pos_label) if counts.pos_label is not None else 1
        label = labels[pos]
        prevalence = float(table[pos, pos] - table[1 - pos, 1 - pos])
        bias = float(table[1 - pos, pos] - table[pos, 1 - pos])
    return KappaContext(
        kappa=kappa.value,
        largest=largest,
        observed_agreement=agreement,
        pabak=(k * agreement - 1) / (k - 1) if k > 1 else math.nan,
        prevalence_index=prevalence,
        bias_index=bias,
        pos_label=label,
        n=kappa.n,
        weights=weights,
    )
