"""Whether acting on a model does more good than acting on all or on none."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from skmetrics_ext.counts import ScoreCounts
from skmetrics_ext.display._counted import cost_threshold, one_table, with_costs
from skmetrics_ext.display._flags import Flag, draw_flags, rows_above
from skmetrics_ext.display._from_estimator import costs_inside, scored
from skmetrics_ext.display._net_benefit import net_benefit, usual_thresholds
from skmetrics_ext.display._probability_axis import decide_scale, set_probability_axis
from skmetrics_ext.display._style import (
    GREY,
    add_legend,
    axes_for,
    bounded_limits,
    draw_once,
    name_axes,
    named,
    number,
    require_matplotlib,
    shown,
)

__all__ = ["DecisionCurveDisplay"]


class DecisionCurveDisplay:
    """Does acting on the model do more good than acting on everybody, or on nobody?

    Net benefit is the share of true positives, less the false ones at the exchange rate of the
    threshold: who acts from a probability of 10 % on takes nine false alarms for one case found
    [1]_. Higher is better; a model is of use at the thresholds where it is above both lines. At
    every threshold it is an affine map of the expected cost.

    Make one by `from_estimator`, `from_predictions` or `from_counts`; draw several models on the
    same axes by ``ax=display.ax_``.

    Parameters
    ----------
    counts : ScoreCounts
        Without subgroups; scores between 0 and 1.
    thresholds : array-like of shape (T,), default=None
        Between 0 and 1, both excluded. None: each per cent, and finer where positives are rare;
        of scores in bins the ends of the bins.
    cost_matrix : CostMatrix or array-like of shape (2, 2), default=None
        Its threshold is marked.
    labels : array-like of shape (2,), default=None
        The order of an array of costs; required on words.
    name : str, default=None
        Of the model, for the legend.

    Attributes
    ----------
    thresholds : ndarray of shape (T,)
    net_benefit, treat_all : ndarray of shape (T,)
        In true positives per row, at most the prevalence.
    prevalence : float
    cost_threshold : float or None
    line_ : Line2D
        The model.
    all_line_, none_line_ : Line2D
        Answering all rows, and none, positive.
    mark_, mark_text_ : Line2D and Annotation, or None
    ax_ : Axes
    figure_ : Figure

    References
    ----------
    .. [1] Vickers, A. J. and Elkin, E. B. (2006). Decision curve analysis: a novel method for
       evaluating prediction models. Medical Decision Making 26(6), 565-574.
       https://doi.org/10.1177/0272989X06295361

    Examples
    --------
    >>> from skmetrics_ext.display import DecisionCurveDisplay
    >>> display = DecisionCurveDisplay.from_predictions(
    ...     [0, 0, 1, 1], [0.1, 0.4, 0.3, 0.8], thresholds=[0.2, 0.5]
    ... )
    >>> display.net_benefit.tolist(), display.treat_all.tolist()
    ([0.4375, 0.25], [0.375, 0.0])
    """

    def __init__(
        self,
        counts: ScoreCounts,
        *,
        thresholds: Any = None,
        cost_matrix: Any = None,
        labels: Any = None,
        name: str | None = None,
    ) -> None:
        counts = one_table(counts, ScoreCounts)
        named(name, "")
        grid = usual_thresholds(counts) if thresholds is None else np.sort(np.ravel(thresholds))
        found = net_benefit(counts, grid)
        self.cost_threshold = None
        if cost_matrix is not None:
            counts, costs = with_costs(counts, cost_matrix, labels)
            implied = cost_threshold(costs)
            self.cost_threshold = None if np.isnan(implied) else implied
        self.counts, self.name = counts, name
        self.thresholds, self.net_benefit = found.thresholds, found.model
        self.treat_all, self.prevalence = found.treat_all, found.prevalence

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        thresholds: Any = None,
        cost_matrix: Any = None,
        labels: Any = None,
        pos_label: Any = None,
        sample_weight: Any = None,
        name: str | None = None,
        xscale: str = "auto",
        ax: Any = None,
    ) -> Self:
        """Draw the net benefit of a fitted classifier's probabilities on rows it has not seen.

        Parameters
        ----------
        estimator : fitted classifier of two classes, with predict_proba
            Of `CostThresholdClassifier` the costs are used where none are named.
        X : array-like, sparse matrix or frame of shape (n_rows, n_features)
        y : array-like of shape (n_rows,)
        thresholds, cost_matrix, labels, name
            See the class. The name is by default the estimator's.
        pos_label : label, default=None
            The positive class. None: the estimator's ``pos_label_``, else 1 or True.
        sample_weight : array-like of shape (n_rows,), default=None
        xscale, ax
            See `plot`.
        """
        require_matplotlib(f"{cls.__name__}.from_estimator")
        found = scored(estimator, X, response_method="predict_proba", pos_label=pos_label)
        if cost_matrix is None:
            cost_matrix = costs_inside(estimator)
        return cls.from_predictions(
            y,
            found.scores,
            thresholds=thresholds,
            cost_matrix=cost_matrix,
            labels=labels,
            pos_label=found.pos_label,
            sample_weight=sample_weight,
            name=type(estimator).__name__ if name is None else name,
            xscale=xscale,
            ax=ax,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_score: Any,
        *,
        thresholds: Any = None,
        cost_matrix: Any = None,
        labels: Any = None,
        pos_label: Any = None,
        sample_weight: Any = None,
        name: str | None = None,
        xscale: str = "auto",
        ax: Any = None,
    ) -> Self:
        """Draw the net benefit of probabilities.

        Parameters
        ----------
        y_true : array-like of shape (n_rows,)
            Two classes.
        y_score : array-like of shape (n_rows,)
            The probability of the positive class.
        thresholds, cost_matrix, labels, name
            See the class.
        pos_label : label, default=None
            The positive class; 1 or True where labels are 0 or -1 and 1, or bools.
        sample_weight : array-like of shape (n_rows,), default=None
        xscale, ax
            See `plot`.
        """
        require_matplotlib(f"{cls.__name__}.from_predictions")
        counts = ScoreCounts.from_predictions(
            y_true, y_score, pos_label=pos_label, sample_weight=sample_weight
        )
        return cls.from_counts(
            counts,
            thresholds=thresholds,
            cost_matrix=cost_matrix,
            labels=labels,
            name=name,
            xscale=xscale,
            ax=ax,
        )

    @classmethod
    def from_counts(
        cls,
        counts: ScoreCounts,
        *,
        thresholds: Any = None,
        cost_matrix: Any = None,
        labels: Any = None,
        name: str | None = None,
        xscale: str = "auto",
        ax: Any = None,
    ) -> Self:
        """Draw counts of scores that are there already.

        Parameters
        ----------
        counts : ScoreCounts
            Without subgroups.
        thresholds, cost_matrix, labels, name
            See the class.
        xscale, ax
            See `plot`.
        """
        require_matplotlib(f"{cls.__name__}.from_counts")
        display = cls(
            counts, thresholds=thresholds, cost_matrix=cost_matrix, labels=labels, name=name
        )
        return display.plot(ax, xscale=xscale)

    def plot(self, ax: Any = None, *, xscale: str = "auto") -> Self:
        """Draw.

        Parameters
        ----------
        ax : Axes, default=None
            None: a new figure, 6 inches wide.
        xscale : {"auto", "linear", "logit"}, default="auto"
            "auto" is logit where the prevalence or the threshold of the costs is within 0.03 of
            0 or of 1.
        """
        marks = [self.prevalence]
        if self.cost_threshold is not None:
            marks.append(self.cost_threshold)
        scale = decide_scale(xscale, marks)
        ax, self.figure_ = axes_for(ax, type(self).__name__, figsize=(6.0, 4.4), curves=True)
        self.ax_ = ax
        before = ax.get_ylim()[1] if ax.has_data() else 0.0
        values = np.concatenate([self.thresholds, *(np.atleast_1d(m) for m in marks[1:])])
        set_probability_axis(ax, scale, values)
        spaced = ", logit scale" if scale == "logit" else ""
        positive = shown(self.counts.labels[1])
        name_axes(
            ax,
            f"act on {positive} from this probability on{spaced}",
            "net benefit (true positives per row)",
        )
        # Far below zero nothing is left to decide; acting on all falls without end.
        top = max(before, self.prevalence, float(self.net_benefit.max()))
        above = rows_above(ax, 1) if self.cost_threshold is not None else 0.03
        ax.set_ylim(*bounded_limits(-0.15 * top, top, below=0.0, above=above))
        style = {"color": GREY}
        self.all_line_ = draw_once(
            ax,
            self.thresholds,
            self.treat_all,
            label="act on all",
            linestyle=(0, (1, 1)),
            **style,
        )
        ends = [self.thresholds[0], self.thresholds[-1]]
        self.none_line_ = draw_once(
            ax, ends, [0.0, 0.0], label="act on none", linestyle=(0, (6, 3)), **style
        )
        (self.line_,) = ax.plot(
            self.thresholds, self.net_benefit, label=named(self.name, "model"), lw=2, zorder=3
        )
        self.mark_, self.mark_text_ = None, None
        if self.cost_threshold is not None:
            text = f"by the costs {number(self.cost_threshold)}"
            flags = [Flag(self.cost_threshold, text, "black", ":")]
            (self.mark_,), (self.mark_text_,) = draw_flags(ax, flags)
        add_legend(ax, above=above)
        return self
