"""Kappa: its test, and what it would be at other class shares."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.stats import norm

from skmetrics_ext.counts._confusion import ConfusionCounts
from skmetrics_ext.counts._estimate import Estimate
from skmetrics_ext.counts._evaluate import bind_to_labels
from skmetrics_ext.counts._warn import warn_undefined_metric
from skmetrics_ext.intervals import Spread, gradient
from skmetrics_ext.tables import BoundMetric

__all__ = [
    "KappaByPriors",
    "KappaTest",
    "kappa_at",
    "kappa_by_priors",
    "kappa_name",
    "kappa_test",
    "one_table",
]


@dataclass(frozen=True)
class KappaTest:
    """The test that truth and answer have nothing to do with each other (kappa = 0).

    Attributes
    ----------
    kappa : float
    se : float
        The standard error of kappa, as in the interval that ``estimate`` gives.
    null_se : float
        The standard error that it would have if kappa were 0: the test's own.
    z, p_value : float
        ``kappa / null_se``, and its two-sided p-value.
    n : int
        The rows counted.
    weights : object
        The disagreement weights.

    Examples
    --------
    >>> from skmetrics_ext.counts import ConfusionCounts, kappa_test
    >>> found = kappa_test(ConfusionCounts.from_cells(tp=12, fp=8, fn=6, tn=14), weights=None)
    >>> round(found.kappa, 3), round(found.z, 2), round(found.p_value, 3)
    (0.3, 1.91, 0.057)
    """

    kappa: float
    se: float
    null_se: float
    z: float
    p_value: float
    n: int
    weights: Any = field(compare=False)  # a matrix has no one answer to ==

    def __float__(self) -> float:
        return self.kappa

    def __str__(self) -> str:
        return (
            f"{kappa_name(self.weights)} {self.kappa:.3f} (se {self.se:.3f}); if it were 0: "
            f"se {self.null_se:.3f}, z = {self.z:.2f}, p = {self.p_value:.3g} ({self.n} rows)"
        )


def kappa_test(counts: ConfusionCounts, *, weights: Any = "quadratic") -> KappaTest:
    """Is there any agreement beyond chance?

    Two standard errors are in use, and they are not the same: the one of kappa as it is (for
    an interval) and the one that kappa would have if truth and answer were independent (for
    this test). Both are the delta method's, at the table as counted and at the table of the
    same margins without any agreement beyond chance.

    Parameters
    ----------
    counts : ConfusionCounts
        One table, without subgroups.
    weights : {"quadratic", "linear", None} or array-like of shape (K, K), default="quadratic"
        As in `weighted_kappa_score`: the disagreement of truth i and answer j.

    Returns
    -------
    KappaTest
        Where the margins leave kappa no other value than 0 (all truths or all answers of one
        class), null_se is 0 and z and p_value are NaN, with an UndefinedMetricWarning.

    Raises
    ------
    ValueError
        Subgroups (take one, or the total); rows in clusters, which are not independent.

    Notes
    -----
    With weights the squared weights of a cell are taken to be as independent as the weights
    are: that holds where a row's weight comes from its truth, from its answer, or from
    neither.

    References
    ----------
    Fleiss, Cohen and Everitt (1969), "Large sample standard errors of kappa and weighted
    kappa", https://doi.org/10.1037/h0028106

    Examples
    --------
    >>> from skmetrics_ext.counts import ConfusionCounts, kappa_test
    >>> counts = ConfusionCounts.from_matrix([[106, 10, 4], [22, 28, 10], [2, 12, 6]])
    >>> print(kappa_test(counts, weights=None))
    kappa 0.429 (se 0.054); if it were 0: se 0.056, z = 7.72, p = 1.16e-14 (200 rows)
    """
    one_table(counts)
    if counts.clusters is not None:
        raise ValueError(
            "the test of kappa = 0 takes rows as independent, and these are in clusters; "
            "estimate('weighted_kappa') has an interval that knows clusters."
        )
    estimate = counts.estimate("weighted_kappa", weights=weights)
    null_se = _null_se(kappa_at(counts, weights), counts.w, counts.w2)
    # Nothing but rounding is left where no table with these margins has another kappa than 0.
    if null_se * math.sqrt(counts.n.sum()) < 1e-10:
        null_se = 0.0
        warn_undefined_metric(
            "with all truths or all answers of one class kappa is 0 whatever happens, and there "
            "is nothing to test: z and p_value are NaN."
        )
    z = estimate.value / null_se if null_se > 0 else math.nan
    return KappaTest(
        kappa=estimate.value,
        se=estimate.se,
        null_se=null_se,
        z=z,
        p_value=float(2 * norm.sf(abs(z))),
        n=estimate.n,
        weights=weights,
    )


def _null_se(bound: BoundMetric, w: np.ndarray, w2: np.ndarray) -> float:
    """The standard error at the table of the same margins whose rows all look the same."""
    independent = [np.outer(t.sum(1), t.sum(0)) / t.sum() for t in (w, w2)]
    slopes = gradient(bound, independent[0])
    return math.sqrt(Spread(independent[0], independent[1]).variance(slopes))


# ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class KappaByPriors:
    """Kappa and accuracy of the same answers in populations with other class shares.

    Attributes
    ----------
    labels : ndarray of shape (K,)
    priors : ndarray of shape (P, K)
        The class shares, one population a row.
    kappa, accuracy : tuple of P Estimate
    weights : object
        The disagreement weights.

    Examples
    --------
    >>> from skmetrics_ext.counts import ConfusionCounts, kappa_by_priors
    >>> counts = ConfusionCounts.from_cells(tp=80, fp=20, fn=20, tn=80)
    >>> found = kappa_by_priors(counts, [{0: 0.5, 1: 0.5}, {0: 0.95, 1: 0.05}])
    >>> [round(kappa.value, 3) for kappa in found]
    [0.6, 0.222]
    >>> [round(accuracy.value, 3) for accuracy in found.accuracy]
    [0.8, 0.8]
    """

    labels: np.ndarray
    priors: np.ndarray
    kappa: tuple[Estimate, ...]
    accuracy: tuple[Estimate, ...]
    weights: Any

    def __len__(self) -> int:
        return len(self.kappa)

    def __iter__(self) -> Iterator[Estimate]:
        return iter(self.kappa)

    def __getitem__(self, place: int) -> Estimate:
        return self.kappa[place]

    def __str__(self) -> str:
        labels = self.labels.tolist()
        title = f"{kappa_name(self.weights)} at class shares"
        if len(labels) <= 8:
            title += f" of {', '.join(map(repr, labels))}"
        lines = [title]
        for shares, kappa, accuracy in zip(self.priors, self.kappa, self.accuracy, strict=True):
            shown = ", ".join(f"{p:g}" for p in shares.round(4)[:8])
            more = ", ..." if len(shares) > 8 else ""
            lines.append(
                f"{shown}{more}: kappa {kappa.value:.3f} {kappa.limits}, "
                f"accuracy {accuracy.value:.3f} {accuracy.limits}"
            )
        return "\n".join(lines)


def kappa_by_priors(
    counts: ConfusionCounts, priors: Any, *, weights: Any = "quadratic"
) -> KappaByPriors:
    """What would kappa be, for the very same errors, where the classes are more or less common?

    Kappa falls as one class takes over, although nothing about the errors changes: kappas of
    different populations are not comparable, and this shows by how much.

    Parameters
    ----------
    counts : ConfusionCounts
        One table, without subgroups.
    priors : array-like of shape (P, K), or list of P mappings {label: share}
        The class shares of each population; they sum to 1. One population alone is taken too.
    weights : {"quadratic", "linear", None} or array-like of shape (K, K), default="quadratic"
        As in `weighted_kappa_score`.

    Returns
    -------
    KappaByPriors
        Its items are the Estimates of kappa.

    Raises
    ------
    ValueError
        Shares that do not sum to 1, name unknown labels, or give a class without rows a share.

    Examples
    --------
    >>> from skmetrics_ext.counts import ConfusionCounts, kappa_by_priors
    >>> counts = ConfusionCounts.from_matrix([[900, 100, 0], [100, 800, 100], [0, 100, 900]])
    >>> print(kappa_by_priors(counts, [[1 / 3, 1 / 3, 1 / 3], [0.98, 0.01, 0.01]]))
    weighted kappa (quadratic) at class shares of 0, 1, 2
    0.3333, 0.3333, 0.3333: kappa 0.900 [0.890, 0.909], accuracy 0.867 [0.854, 0.878]
    0.98, 0.01, 0.01: kappa 0.467 [0.414, 0.514], accuracy 0.899 [0.879, 0.916]
    """
    one_table(counts)
    several = [counts.at_priors(shares) for shares in _populations(priors)]
    return KappaByPriors(
        labels=counts.labels,
        priors=np.stack([at.priors for at in several]),  # type: ignore[misc]  # set by at_priors
        kappa=tuple(at.estimate("weighted_kappa", weights=weights) for at in several),
        accuracy=tuple(at.estimate("accuracy") for at in several),
        weights=weights,
    )


def _populations(priors: Any) -> list[Any]:
    if isinstance(priors, Mapping):
        return [priors]
    several = list(priors)
    if several and not isinstance(several[0], Mapping) and np.ndim(several[0]) == 0:
        return [several]
    if not several:
        raise ValueError("priors must have the class shares of at least one population; got none.")
    return several


# ---------------------------------------------------------------------------------------------


def one_table(counts: ConfusionCounts) -> None:
    """Refuse counts with subgroups."""
    if counts.groups is not None:
        raise ValueError(
            f"counts must be one table, and these have the subgroups {list(counts.groups)}: take "
            "one by counts[group], or all together by counts.total()."
        )


def kappa_at(counts: ConfusionCounts, weights: Any, *, priors: bool = True) -> BoundMetric:
    """Kappa as a function of tables of these counts, at the class shares stated or not."""
    return bind_to_labels(
        "weighted_kappa",
        counts.labels,
        counts.actions,
        ordered=counts.ordered,
        priors=counts.priors if priors else None,
        params={"weights": weights},
    )


def kappa_name(weights: Any) -> str:
    """What kappa with these weights is called."""
    if weights is None:
        return "kappa"
    return f"weighted kappa ({weights if isinstance(weights, str) else 'own weights'})"
