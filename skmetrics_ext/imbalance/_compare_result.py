"""What a comparison of levers answers: a row for each, the best of them, and a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from skmetrics_ext.counts import ConfusionCounts, Estimate
from skmetrics_ext.counts._frames import to_frame
from skmetrics_ext.imbalance._compare_text import html_of, text_of
from skmetrics_ext.intervals import FoldComparison

__all__ = ["LeverComparison", "LeverRow"]

_ESTIMATES = (
    "cost",
    "average_precision",
    "roc_auc",
    "recall",
    "precision",
    "brier_score",
    "log_loss",
    "mean_probability",
)


@dataclass(frozen=True, eq=False)
class LeverRow:
    """One lever, judged on the held-out rows of all folds together.

    Attributes
    ----------
    lever : str
        A short name: "constant", "plain_half", "plain_cost", "calibrated_cost",
        "weighted_cost", "weighted_corrected", "resampled_cost", "resampled_corrected", "exact".
    name : str
        In plain words.
    counts_twice : bool
        Whether costs are set against probabilities that lean towards the rare class already.
    cost : Estimate
        What the answers cost, per row. Lower is better.
    average_precision, roc_auc : Estimate
        How well the probabilities rank. Higher is better.
    recall, precision : Estimate
        Of the positive class, with the counts; NaN where nothing was answered so.
    brier_score, log_loss : Estimate
        How right the probabilities are; log loss in nats per row. Lower is better.
    mean_probability : Estimate
        Of the positive class; its ``prevalence`` is the share of the rows that are positive,
        which it should equal.
    difference : FoldComparison or None
        Cost less that of "plain_cost", as a mean over the folds; negative is better. None for
        that lever itself.
    behind_best : FoldComparison or None
        Cost less that of the lever that costs least. None for that lever itself.
    cost_by_fold : tuple of float
    counts : ConfusionCounts
        The answers behind cost, recall and precision.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from skmetrics_ext.costs import CostMatrix
    >>> from skmetrics_ext.imbalance import compare_levers
    >>> X, y = make_classification(300, weights=[0.8], flip_y=0.1, random_state=0)
    >>> cost = CostMatrix.binary(false_negative=5)
    >>> levers = compare_levers(LogisticRegression(), X, y, cost_matrix=cost, cv=3, random_state=0)
    >>> row = levers["plain_cost"]
    >>> print(row.recall)
    recall of 1 0.787 [0.669, 0.871] (48/61, Wilson; prevalence 0.20)
    >>> row.close_to_best, row.difference is None
    (True, True)
    """

    lever: str
    name: str
    counts_twice: bool
    cost: Estimate
    average_precision: Estimate
    roc_auc: Estimate
    recall: Estimate
    precision: Estimate
    brier_score: Estimate
    log_loss: Estimate
    mean_probability: Estimate
    difference: FoldComparison | None
    behind_best: FoldComparison | None
    cost_by_fold: tuple[float, ...]
    counts: ConfusionCounts

    @property
    def close_to_best(self) -> bool:
        """Whether the folds cannot tell its cost from the least, at the confidence level."""
        # NaN where the folds do not vary: nothing to tell them apart by.
        return self.behind_best is None or not self.behind_best.low > 0


@dataclass(frozen=True, eq=False, repr=False)
class LeverComparison:
    """The levers side by side: a table when printed, and a sentence that judges it.

    Attributes
    ----------
    rows : tuple of LeverRow
    left_out : mapping of str to str
        Levers that could not be tried, in plain words, and why.
    n_folds, n_rows, n_positives : int
    pos_label : object
    threshold : float
        The probability from which on costs ask for the positive answer; NaN where none is.
    confidence_level : float

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from skmetrics_ext.costs import CostMatrix
    >>> from skmetrics_ext.imbalance import compare_levers
    >>> X, y = make_classification(300, weights=[0.8], flip_y=0.1, random_state=0)
    >>> cost = CostMatrix.binary(false_negative=5)
    >>> levers = compare_levers(LogisticRegression(), X, y, cost_matrix=cost, cv=3, random_state=0)
    >>> round(levers["plain_half"].cost.value, 2), round(levers["plain_cost"].cost.value, 2)
    (0.54, 0.38)
    >>> levers.best().lever, len(levers.too_close_to_call())
    ('exact', 7)
    """

    rows: tuple[LeverRow, ...]
    left_out: dict[str, str]
    n_folds: int
    n_rows: int
    n_positives: int
    pos_label: Any
    threshold: float
    confidence_level: float = 0.95

    def __getitem__(self, lever: str) -> LeverRow:
        for row in self.rows:
            if row.lever == lever:
                return row
        raise KeyError(f"no lever {lever!r}; there are {[row.lever for row in self.rows]}")

    def best(self) -> LeverRow:
        """The lever whose answers cost least; the first, and simplest, of those that tie.

        Being chosen as the least of several, its cost is a little too good to be true.
        """
        return next(row for row in self.rows if row.behind_best is None)

    def too_close_to_call(self) -> list[LeverRow]:
        """The levers, beside the best, whose cost the folds cannot tell from the least."""
        return [row for row in self.rows if row.close_to_best and row.behind_best is not None]

    def to_frame(self, backend: str = "pandas") -> Any:
        """One row per lever, every estimate with its limits.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default="pandas"
        """
        return to_frame(_columns(self.rows), backend)

    def __repr__(self) -> str:
        return text_of(self)

    def _repr_html_(self) -> str:
        return html_of(self)


def _columns(rows: tuple[LeverRow, ...]) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {
        name: [getattr(row, name) for row in rows] for name in ("lever", "name", "counts_twice")
    }
    for name in _ESTIMATES:
        estimates = [getattr(row, name) for row in rows]
        columns[name] = [e.value for e in estimates]
        columns[f"{name}_low"] = [e.low for e in estimates]
        columns[f"{name}_high"] = [e.high for e in estimates]
        if name in ("recall", "precision"):
            columns[f"{name}_numerator"] = [e.numerator for e in estimates]
            columns[f"{name}_denominator"] = [e.denominator for e in estimates]
    columns["prevalence"] = [row.mean_probability.prevalence for row in rows]
    columns["n_rows"] = [row.cost.n for row in rows]
    for part in ("difference", "low", "high", "p_value"):
        key = "difference" if part == "difference" else f"difference_{part}"
        columns[key] = [
            float("nan") if row.difference is None else getattr(row.difference, part)
            for row in rows
        ]
    columns["close_to_best"] = [row.close_to_best for row in rows]
    return columns
