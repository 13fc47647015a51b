"""What every threshold is worth, with the thresholds that matter marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from skmetrics_ext.counts import ScoreCounts
from skmetrics_ext.display._counted import are_probabilities, cost_threshold, one_table, with_costs
from skmetrics_ext.display._flags import Flag, draw_flags, rows_above
from skmetrics_ext.display._from_estimator import costs_inside, scored
from skmetrics_ext.display._probability_axis import decide_scale, set_probability_axis
from skmetrics_ext.display._rug import RUG_SHARE, draw_rug
from skmetrics_ext.display._style import (
    GREEN,
    GREY,
    PURPLE,
    add_legend,
    axes_for,
    bounded_limits,
    name_axes,
    number,
    require_matplotlib,
    shown,
)
from skmetrics_ext.display._threshold_checks import interval_of, metrics_of, number_of
from skmetrics_ext.tables import get_metric

__all__ = ["ThresholdDisplay"]


class ThresholdDisplay:
    """What the rule ``score >= threshold`` is worth at every threshold, by metrics or by costs.

    Each value is exact: the line changes only at the scores. Marked are 0.5 (or 0 for the values
    of a decision function), the threshold that the costs imply, and the one that was chosen. The
    rug at the bottom shows the scores of the two classes.

    Make one by `from_estimator`, `from_predictions` or `from_counts`.

    Parameters
    ----------
    counts : ScoreCounts
        Without subgroups.
    metric : str, sequence of str, or None, default=None
        Registered names, such as "f1". None: "expected_cost" where there are costs, else
        "precision" and "recall".
    metric_params : mapping, default=None
        The metrics' own parameters, such as ``{"beta": 2}``.
    cost_matrix : CostMatrix or array-like of shape (2, 2), default=None
        c[i, j], the cost of answering i when the truth is j, in your currency per row.
    labels : array-like of shape (2,), default=None
        The order of an array of costs; required on words.
    threshold : float, default=None
        The chosen one, to be marked.
    threshold_interval : (low, high), default=None
        Of the chosen threshold.
    default_threshold : float or None, default="auto"
        Where nobody has moved it; "auto" is 0.5 where all scores are between 0 and 1.

    Attributes
    ----------
    thresholds : ndarray of shape (T,)
        As in `ScoreCounts.tables`, from one that no score reaches down.
    values : dict {metric: ndarray of shape (T,)}
        NaN where undefined.
    cost_threshold : float or None
        On the probability of the positive class; None without costs, where the costs imply no
        threshold, or where scores are no probabilities.
    lines_ : dict {metric: Line2D}
    marks_ : dict {"default", "cost", "chosen": Line2D}
        Those that there are.
    mark_texts_ : dict {"default", "cost", "chosen": Annotation}
    interval_ : Patch or None
    rug_ : tuple of two Line2D, or None
        The negatives, the positives.
    ax_ : Axes
    figure_ : Figure

    See Also
    --------
    skmetrics_ext.decision.ExactThresholdClassifierCV : Chooses the threshold on held-out rows.

    Notes
    -----
    The lowest cost or highest F1 that is seen here is that of these rows: a threshold picked by
    eye is as optimistic as one picked by a search on them.

    Examples
    --------
    >>> from skmetrics_ext.costs import CostMatrix
    >>> from skmetrics_ext.display import ThresholdDisplay
    >>> cost = CostMatrix.binary(false_negative=4, false_positive=1)
    >>> display = ThresholdDisplay.from_predictions(
    ...     [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], cost_matrix=cost
    ... )
    >>> display.values["expected_cost"].tolist()
    [2.0, 1.0, 1.25, 0.25, 0.5]
    >>> display.cost_threshold
    0.2
    """

    def __init__(
        self,
        counts: ScoreCounts,
        *,
        metric: str | Sequence[str] | None = None,
        metric_params: Mapping[str, Any] | None = None,
        cost_matrix: Any = None,
        labels: Any = None,
        threshold: float | None = None,
        threshold_interval: tuple[float, float] | None = None,
        default_threshold: float | str | None = "auto",
    ) -> None:
        counts = one_table(counts, ScoreCounts)
        names = metrics_of(metric, has_costs=cost_matrix is not None)
        self.probabilities = are_probabilities(counts)
        self.cost_threshold = None
        params = dict(metric_params or {})
        if cost_matrix is not None:
            counts, costs = with_costs(counts, cost_matrix, labels)
            implied = cost_threshold(costs)
            if self.probabilities and not np.isnan(implied):
                self.cost_threshold = implied
            if any("cost_matrix" in get_metric(name).defaults for name in names):
                params["cost_matrix"] = costs
        self.threshold = None if threshold is None else number_of(threshold, "threshold")
        self.threshold_interval = interval_of(threshold_interval, self.threshold)
        if isinstance(default_threshold, str):
            if default_threshold != "auto":
                raise ValueError(
                    f"default_threshold must be a number, 'auto' or None; got "
                    f"{default_threshold!r}."
                )
            self.default_threshold = 0.5 if self.probabilities else None
        elif default_threshold is None:
            self.default_threshold = None
        else:
            self.default_threshold = number_of(default_threshold, "default_threshold")
        self.counts = counts
        self.thresholds, self.values = counts.metric_curve(names, **params)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        metric: str | Sequence[str] | None = None,
        metric_params: Mapping[str, Any] | None = None,
        cost_matrix: Any = None,
        labels: Any = None,
        threshold: float | None = None,
        threshold_interval: tuple[float, float] | None = None,
        response_method: str = "auto",
        pos_label: Any = None,
        sample_weight: Any = None,
        confidence_level: float | None = None,
        xscale: str = "auto",
        ax: Any = None,
    ) -> Self:
        """Draw what the thresholds of a fitted classifier are worth on rows it has not seen.

        Parameters
        ----------
        estimator : fitted classifier of two classes
            Of `ExactThresholdClassifierCV` the chosen threshold is marked, of
            `CostThresholdClassifier` the costs are used, where nothing else is said.
        X : array-like, sparse matrix or frame of shape (n_rows, n_features)
        y : array-like of shape (n_rows,)
        metric, metric_params, cost_matrix, labels, threshold, threshold_interval
            See the class.
        response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
        pos_label : label, default=None
            The positive class. None: the estimator's ``pos_label_``, else 1 or True.
        sample_weight : array-like of shape (n_rows,), default=None
        confidence_level : float, default=None
            Of the interval of `ExactThresholdClassifierCV.threshold_interval`, which takes the
            time of a thousand searches. None: no interval.
        xscale : {"auto", "linear", "logit"}, default="auto"
            See `plot`.
        ax : Axes, default=None
        """
        require_matplotlib(f"{cls.__name__}.from_estimator")
        found = scored(estimator, X, response_method=response_method, pos_label=pos_label)
        if cost_matrix is None:
            cost_matrix = costs_inside(estimator)
        if threshold is None and found.chosen is not None:
            threshold = found.chosen.best_threshold_
            if confidence_level is not None and threshold_interval is None:
                threshold_interval = found.chosen.threshold_interval(confidence_level)
        counts = ScoreCounts.from_predictions(
            y, found.scores, pos_label=found.pos_label, sample_weight=sample_weight
        )
        display = cls(
            counts,
            metric=metric,
            metric_params=metric_params,
            cost_matrix=cost_matrix,
            labels=labels,
            threshold=threshold,
            threshold_interval=threshold_interval,
            default_threshold=0.5 if found.method == "predict_proba" else 0.0,
        )
        return display.plot(ax, xscale=xscale)

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_score: Any,
        *,
        metric: str | Sequence[str] | None = None,
        metric_params: Mapping[str, Any] | None = None,
        cost_matrix: Any = None,
        labels: Any = None,
        threshold: float | None = None,
        threshold_interval: tuple[float, float] | None = None,
        pos_label: Any = None,
        sample_weight: Any = None,
        xscale: str = "auto",
        ax: Any = None,
    ) -> Self:
        """Draw what the thresholds of scores are worth.

        Parameters
        ----------
        y_true : array-like of shape (n_rows,)
            Two classes.
        y_score : array-like of shape (n_rows,)
            Higher means more probably positive.
        metric, metric_params, cost_matrix, labels, threshold, threshold_interval
            See the class.
        pos_label : label, default=None
            The positive class; 1 or True where labels are 0 or -1 and 1, or bools.
        sample_weight : array-like of shape (n_rows,), default=None
        xscale : {"auto", "linear", "logit"}, default="auto"
            See `plot`.
        ax : Axes, default=None
        """
        require_matplotlib(f"{cls.__name__}.from_predictions")
        counts = ScoreCounts.from_predictions(
            y_true, y_score, pos_label=pos_label, sample_weight=sample_weight
        )
        return cls.from_counts(
            counts,
            metric=metric,
            metric_params=metric_params,
            cost_matrix=cost_matrix,
            labels=labels,
            threshold=threshold,
            threshold_interval=threshold_interval,
            xscale=xscale,
            ax=ax,
        )

    @classmethod
    def from_counts(
        cls, counts: ScoreCounts, *, xscale: str = "auto", ax: Any = None, **options: Any
    ) -> Self:
        """Draw counts of scores that are there already, in bins or not.

        Parameters
        ----------
        counts : ScoreCounts
            Without subgroups.
        xscale, ax
            See `plot`.
        **options
            See the class.
        """
        require_matplotlib(f"{cls.__name__}.from_counts")
        return cls(counts, **options).plot(ax, xscale=xscale)

    def plot(self, ax: Any = None, *, xscale: str = "auto", rug: bool = True) -> Self:
        """Draw.

        Parameters
        ----------
        ax : Axes, default=None
            None: a new figure, 6 inches wide.
        xscale : {"auto", "linear", "logit"}, default="auto"
            "auto" is logit where the threshold of the costs or the chosen one is within 0.03 of
            0 or of 1, and would be hard to see on an even axis.
        rug : bool, default=True
            Whether to show the scores of the two classes: all distinct ones up to 400 of a
            class, else 400 at evenly spaced ranks.
        """
        marks = [v for v in (self.cost_threshold, self.threshold) if v is not None]
        scale = decide_scale(xscale, marks, probabilities=self.probabilities)
        ax, self.figure_ = axes_for(ax, type(self).__name__, figsize=(6.0, 4.4), curves=True)
        self.ax_ = ax
        left, right = self._settle_x(scale)
        above = self._settle_y(rug)
        self.lines_ = {
            name: self._draw_line(name, values, right) for name, values in self.values.items()
        }
        self.interval_ = None
        if self.threshold_interval is not None:
            low, high = np.clip(self.threshold_interval, left, right)
            self.interval_ = ax.axvspan(low, high, color=PURPLE, alpha=0.2, lw=0)
        flags = self._flags(left, right)
        lines, texts = draw_flags(ax, list(flags.values()))
        self.marks_ = dict(zip(flags, lines, strict=True))
        self.mark_texts_ = dict(zip(flags, texts, strict=True))
        self.rug_ = draw_rug(ax, self.counts) if rug else None
        add_legend(ax, below=RUG_SHARE if rug else 0.0, above=above)
        return self

    # -----------------------------------------------------------------------------------------

    def _settle_x(self, scale: str) -> tuple[float, float]:
        ranking = self.counts.rankings[0]
        scores = np.concatenate([ranking.low[:1], ranking.high[-1:]])
        marks = [self.default_threshold, self.cost_threshold, self.threshold]
        marks += self.threshold_interval or ()
        values = np.array([*scores, *(m for m in marks if m is not None)])
        values = values[np.isfinite(values)]
        positive = shown(self.counts.labels[1])
        if self.probabilities:
            scores = ranking.low if scale == "logit" else scores
            limits = set_probability_axis(self.ax_, scale, np.concatenate([scores, values]))
            spaced = ", logit scale" if scale == "logit" else ""
            self._name_axes(f"threshold on the score of {positive}{spaced}")
            return limits
        low, high = float(values.min(initial=np.inf)), float(values.max(initial=-np.inf))
        if not low < high:
            low, high = (low - 0.5, low + 0.5) if low == high else (-1.0, 1.0)
        margin = 0.04 * (high - low)
        self.ax_.set_xlim(low - margin, high + margin)
        self._name_axes(f"threshold on the score of {positive}")
        return low - margin, high + margin

    def _settle_y(self, rug: bool) -> float:
        """The limits; the share of the height that is left for the names of the marks."""
        from matplotlib.ticker import MaxNLocator

        known = np.concatenate([v[np.isfinite(v)] for v in self.values.values()])
        low, high = float(known.min(initial=0.0)), float(known.max(initial=0.0))
        if all(get_metric(name).range == (0.0, 1.0) for name in self.values):
            high = 1.0
        if low == high:
            high = low + 1.0
        ticks = MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)
        # The names of the marks and the rug have the ends of the axis to themselves.
        self.ax_.set_yticks([tick for tick in ticks if low <= tick <= high * (1 + 1e-9)])
        above = rows_above(self.ax_, 3)
        self.ax_.set_ylim(*bounded_limits(low, high, below=RUG_SHARE if rug else 0.03, above=above))
        return above

    def _name_axes(self, x: str) -> None:
        costs = "expected_cost" in self.values
        name_axes(self.ax_, x, "mean cost per row" if costs else "value")

    def _draw_line(self, name: str, values: np.ndarray, right: float) -> Any:
        # A value holds for thresholds down to the score below: steps that end at their score.
        left = self.ax_.get_xlim()[0]
        x, y = self.thresholds[::-1], values[::-1]
        known = x[np.isfinite(x)]
        end = float(known.max(initial=right))
        x = np.nan_to_num(x, nan=end, posinf=end, neginf=left)
        x = np.concatenate([[known.min(initial=left)], x])
        y = np.concatenate([y[:1], y])
        (line,) = self.ax_.plot(
            x, y, drawstyle="steps-pre", label=name.replace("_", " "), lw=1.8, zorder=3
        )
        return line

    def _flags(self, left: float, right: float) -> dict[str, Flag]:
        flags = {}
        if self.default_threshold is not None:
            flags["default"] = Flag(
                self.default_threshold, f"default {number(self.default_threshold)}", GREY, ":"
            )
        if self.cost_threshold is not None:
            text = f"by the costs {number(self.cost_threshold)}"
            flags["cost"] = Flag(self.cost_threshold, text, GREEN, "--")
        if self.threshold is not None:
            text = f"chosen {number(self.threshold)}"
            if self.threshold_interval is not None:
                low, high = (number(v) for v in self.threshold_interval)
                text += f" [{low}, {high}]"
            # One that answers all rows alike is beyond every score.
            x = right if np.isnan(self.threshold) else np.clip(self.threshold, left, right)
            flags["chosen"] = Flag(float(x), text, PURPLE, "-")
        return flags
