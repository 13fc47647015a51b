"""Answers on ordered classes, judged by several measures, beside what knows nothing."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning

from skmetrics_ext._labels import require_order
from skmetrics_ext.counts import ConfusionCounts, Estimate
from skmetrics_ext.counts._frames import to_frame
from skmetrics_ext.metrics._ordinal_report_text import caveats_of, html_of, text_of

__all__ = ["OrdinalMeasures", "OrdinalReport", "ordinal_report"]


@dataclass(frozen=True, repr=False)
class OrdinalMeasures:
    """The measures of one set of answers; iterates over (name, Estimate).

    Attributes
    ----------
    kappa_quadratic, kappa_linear : Estimate
        Agreement beyond chance, by the squared distance and by the distance. At most 1, higher
        is better, 0 is chance.
    kappa_uniform : Estimate
        Quadratic kappa of the same answers where all classes that have rows are equally common.
    one_off_accuracy, accuracy : Estimate
        The share of answers that are right or next to right, and right. Higher is better.
    mean_absolute_error : Estimate
        How many classes off the answers are, on average over rows. Lower is better.
    macro_mean_absolute_error, max_mean_absolute_error : Estimate
        The same in each true class: the mean over the classes, and the worst of them.

    Examples
    --------
    >>> from skmetrics_ext.metrics import ordinal_report
    >>> report = ordinal_report([1, 1, 2, 2, 3, 3, 3], [1, 2, 2, 3, 3, 3, 1])
    >>> report.majority_label
    3
    >>> report.majority
    kappa_quadratic 0.000
    kappa_linear 0.000
    kappa_uniform 0.000
    one_off_accuracy 0.714
    accuracy 0.429
    mean_absolute_error 0.857
    macro_mean_absolute_error 1.000
    max_mean_absolute_error 2.000
    """

    kappa_quadratic: Estimate
    kappa_linear: Estimate
    kappa_uniform: Estimate
    one_off_accuracy: Estimate
    accuracy: Estimate
    mean_absolute_error: Estimate
    macro_mean_absolute_error: Estimate
    max_mean_absolute_error: Estimate

    def __iter__(self) -> Iterator[tuple[str, Estimate]]:
        return ((field.name, getattr(self, field.name)) for field in fields(OrdinalMeasures))

    def __repr__(self) -> str:
        return "\n".join(f"{name} {e.value:.3f} {e.limits}".rstrip() for name, e in self)


@dataclass(frozen=True, eq=False, repr=False)
class OrdinalReport(OrdinalMeasures):
    """Several measures of the same answers, and of constant answers on the same rows.

    Iterates over (name, Estimate); prints as a table.

    Attributes
    ----------
    constant_label : object
        The class that is the least off as a constant answer: the median, the lowest of those
        that tie.
    constant : OrdinalMeasures
        What answering always `constant_label` gets; values without intervals.
    majority_label : object
        The most common class, the lowest of those that tie.
    majority : OrdinalMeasures
        What answering always `majority_label` gets.
    counts : ConfusionCounts
        The table that all of it is computed from.
    confidence_level : float or None
    caveats : tuple of str
        What to keep in mind when reading the numbers, a sentence each.

    Examples
    --------
    >>> from skmetrics_ext.metrics import ordinal_report
    >>> report = ordinal_report([1, 1, 2, 2, 3, 3, 3], [1, 2, 2, 3, 3, 3, 1])
    >>> print(report.mean_absolute_error)
    mean_absolute_error 0.571 [0.236, 1.180] (7 rows, delta and score, smoothed)
    >>> report.constant_label, round(report.constant.mean_absolute_error.value, 3)
    (2, 0.714)
    """

    constant_label: Any
    constant: OrdinalMeasures
    majority_label: Any
    majority: OrdinalMeasures
    counts: ConfusionCounts
    confidence_level: float | None
    caveats: tuple[str, ...]

    def to_frame(self, backend: str = "pandas") -> Any:
        """One row per set of answers and measure, with all that its Estimate holds.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default="pandas"

        Returns
        -------
        frame
            ``answers`` is "given", "constant" or "majority"; ``always`` the constant answer;
            ``measure`` the name here; then the fields of `Estimate` that say something.
        """
        parts = [
            ("given", None, self),
            ("constant", self.constant_label, self.constant),
            ("majority", self.majority_label, self.majority),
        ]
        rows = [(answers, label, *each) for answers, label, part in parts for each in part]
        columns: dict[str, list[Any]] = {
            "answers": [row[0] for row in rows],
            "always": [row[1] for row in rows],
            "measure": [row[2] for row in rows],
        }
        for name in _COLUMNS:
            columns[name] = [getattr(row[3], name) for row in rows]
        return to_frame(columns, backend)

    def __repr__(self) -> str:
        return text_of(self)

    def _repr_html_(self) -> str:
        return html_of(self)


_COLUMNS = (
    "value",
    "low",
    "high",
    "se",
    "confidence_level",
    "method",
    "n",
    "numerator",
    "denominator",
)


def ordinal_report(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    clusters: Any = None,
    confidence_level: float | None = 0.95,
) -> OrdinalReport:
    """How good are answers on ordered classes, by each usual measure, and against no model?

    Accuracy takes a far miss for a near one, one-off accuracy and the mean absolute error are
    kind to whoever answers the middle, and kappa depends on how common the classes are. No
    single number tells; so here they stand side by side, with intervals, and with what two
    constant answers get on the same rows.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_rows,)
        Labels: numbers sort by value, an ordered Categorical or Enum brings its order; three or
        more words without an order are an error.
    labels : array-like of shape (K,), default=None
        The classes from lowest to highest; classes that no row has count for the distances.
    sample_weight : array-like of shape (n_rows,), default=None
    clusters : array-like of shape (n_rows,), default=None
        What rows belong together (a patient with several rows): intervals take it into account.
    confidence_level : float or None, default=0.95
        None: no intervals.

    Returns
    -------
    OrdinalReport
        Every measure an `Estimate`; the table as text, HTML or frame; the counts behind it.

    Raises
    ------
    ValueError
        Words without an order; a label outside `labels`; negative weights; a level outside
        (0, 1).

    Notes
    -----
    What is undefined is NaN, and what is left out of a mean is left out, without a warning: the
    caveats of the report say so.

    References
    ----------
    Gaudette and Japkowicz (2009), "Evaluation methods for ordinal classification",
    https://doi.org/10.1007/978-3-642-01818-3_25

    Examples
    --------
    >>> from skmetrics_ext.metrics import ordinal_report
    >>> truth = ["low"] * 6 + ["medium"] * 3 + ["high"] * 3
    >>> answer = ["low"] * 5 + ["medium"] * 3 + ["low"] + ["high"] * 2 + ["low"]
    >>> report = ordinal_report(truth, answer, labels=["low", "medium", "high"])
    >>> print(report)  # doctest: +ELLIPSIS
    Ordered classes: 12 rows, 3 classes from 'low' to 'high'
    <BLANKLINE>
                              these answers [95 %]   counts  always 'low' (least MAE, most common)
    kappa, quadratic weights  0.613 [-0.066, 0.879]          0.000
    kappa, linear weights     0.600 [0.012, 0.852]           0.000
    kappa at uniform priors   0.560 [-0.106, 0.853]          0.000
    one-off accuracy          0.917 [0.646, 0.985]   11/12   0.750
    accuracy                  0.750 [0.468, 0.911]   9/12    0.500
    MAE                       0.333 [0.124, 0.863]           0.750
    MAE, macro                0.389 [0.150, 0.931]           1.000
    MAE, worst class          0.667 [0.136, 1.634]           2.000
    <BLANKLINE>
    - MAE is in classes, lower is better, and takes all steps between neighbours as ...
    >>> print(report.one_off_accuracy)
    one_off_accuracy 0.917 [0.646, 0.985] (11/12, Wilson)
    """
    counts = ConfusionCounts.from_predictions(
        y_true, y_pred, labels=labels, sample_weight=sample_weight, clusters=clusters
    )
    require_order(counts.labels, counts.ordered, "ordinal_report")
    in_truth = counts.w.sum(1)
    constant, majority = _least_off(counts), int(np.argmax(in_truth))
    classes = counts.labels.tolist()
    report = OrdinalReport(
        **dict(_measured(counts, confidence_level)),
        constant_label=classes[constant],
        constant=_measured(counts.constant(classes[constant]), None),
        majority_label=classes[majority],
        majority=_measured(counts.constant(classes[majority]), None),
        counts=counts,
        confidence_level=confidence_level,
        caveats=(),
    )
    near = _of_constants(counts, "one_off_accuracy")
    best = int(np.argmax(near))
    return replace(report, caveats=caveats_of(report, (classes[best], float(near[best]))))


# ---------------------------------------------------------------------------------------------


def _measured(counts: ConfusionCounts, confidence_level: float | None) -> OrdinalMeasures:
    def estimate(metric: str, of: ConfusionCounts = counts, **params: Any) -> Estimate:
        return of.estimate(metric, confidence_level=confidence_level, **params)

    with warnings.catch_warnings():
        # The report says what is undefined, or left out, and shows NaN.
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        return OrdinalMeasures(
            kappa_quadratic=estimate("weighted_kappa", weights="quadratic"),
            kappa_linear=estimate("weighted_kappa", weights="linear"),
            kappa_uniform=estimate("weighted_kappa", _at_uniform(counts), weights="quadratic"),
            one_off_accuracy=estimate("one_off_accuracy"),
            accuracy=estimate("accuracy"),
            mean_absolute_error=_named_mae(estimate("expected_cost", cost_matrix=_steps(counts))),
            macro_mean_absolute_error=estimate("classwise_mean_absolute_error", average="macro"),
            max_mean_absolute_error=estimate("classwise_mean_absolute_error", average="max"),
        )


def _steps(counts: ConfusionCounts) -> np.ndarray:
    """A step between neighbouring classes costs 1: the mean cost is the mean absolute error."""
    places = np.arange(len(counts.labels), dtype=np.float64)
    return np.abs(np.subtract.outer(places, places))


def _named_mae(estimate: Estimate) -> Estimate:
    return replace(estimate, metric="mean_absolute_error", settings=None)


def _at_uniform(counts: ConfusionCounts) -> ConfusionCounts:
    """All classes that have rows equally common; of the others nothing is known."""
    present = counts.w.sum(1) > 0
    return counts.at_priors(present / present.sum())


def _of_constants(counts: ConfusionCounts, metric: str, **params: Any) -> np.ndarray:
    """What each class gets as a constant answer."""
    return np.array(
        [
            counts.constant(label).estimate(metric, confidence_level=None, **params).value
            for label in counts.labels.tolist()
        ]
    )


def _least_off(counts: ConfusionCounts) -> int:
    """The place of the best constant answer by mean absolute error: the lowest median."""
    errors = _of_constants(counts, "expected_cost", cost_matrix=_steps(counts))
    # Two classes that tie may differ by rounding where weights are not whole.
    return int(np.argmax(errors <= errors.min() * (1 + 1e-12)))
