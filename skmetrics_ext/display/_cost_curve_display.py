"""What a score costs for all costs and priors at once."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from skmetrics_ext.counts import ScoreCounts
from skmetrics_ext.counts._score_probabilities import require_probabilities
from skmetrics_ext.display._cost_curve import (
    brier_curve,
    cost_lines,
    lower_envelope,
    probability_cost,
)
from skmetrics_ext.display._counted import are_probabilities, cost_threshold, one_table, with_costs
from skmetrics_ext.display._flags import Flag, draw_flags, rows_above
from skmetrics_ext.display._from_estimator import costs_inside, scored
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

__all__ = ["CostCurveDisplay"]

_SPACES = ("probability_cost", "cost_proportion")
_MOST_LINES = 60


class CostCurveDisplay:
    """What a score costs at its best threshold, whatever the mistakes cost and the priors are.

    Each threshold is a straight line over the x axis, and the lower envelope of them all is
    what the score could cost at best. It stands under the two ways to answer without looking:
    always positive, always negative [1]_. The Brier curve is what it costs to take the costs'
    own threshold, as is right where scores are calibrated [2]_: its distance from the envelope
    is what calibration would save.

    Make one by `from_estimator`, `from_predictions` or `from_counts`; draw several models on the
    same axes by ``ax=display.ax_``.

    Parameters
    ----------
    counts : ScoreCounts
        Without subgroups.
    cost_matrix : CostMatrix or array-like of shape (2, 2), default=None
        Marked on the x axis.
    labels : array-like of shape (2,), default=None
        The order of an array of costs; required on words.
    name : str, default=None
        Of the model, for the legend.
    space : {"probability_cost", "cost_proportion"}, default="probability_cost"
        The x axis. "probability_cost" is Drummond and Holte's: the priors and the costs in one
        number, ``PC(+) = p(+) C(-|+) / (p(+) C(-|+) + p(-) C(+|-))``; the cost is over that of
        answering all rows wrong. "cost_proportion" is the share of a false alarm in the two
        costs, which is the threshold that they imply, at the prevalence of the data; the cost
        is per row where the two add up to 2, and the area under the Brier curve is the Brier
        score.

    Attributes
    ----------
    envelope : tuple of two ndarray
        The corners of the lower envelope, x and y.
    brier : tuple of two ndarray, or None
        The points of the Brier curve; None where scores are no probabilities.
    brier_score : float or None
    prevalence : float
    cost_proportion : float or None
        What the costs imply, on the axis of ``space="cost_proportion"``.
    envelope_line_, brier_line_ : Line2D
        The second is None where it is not drawn.
    threshold_lines_ : LineCollection or None
    always_positive_line_, always_negative_line_ : Line2D
    mark_, mark_text_ : Line2D and Annotation, or None
    ax_ : Axes
    figure_ : Figure

    References
    ----------
    .. [1] Drummond, C. and Holte, R. C. (2006). Cost curves: an improved method for visualizing
       classifier performance. Machine Learning 65, 95-130.
       https://doi.org/10.1007/s10994-006-8199-5
    .. [2] Hernández-Orallo, J., Flach, P. and Ferri, C. (2011). Brier curves: a new cost-based
       visualisation of classifier performance. ICML 28, 585-592.

    Examples
    --------
    >>> from skmetrics_ext.display import CostCurveDisplay
    >>> display = CostCurveDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> x, y = display.envelope
    >>> x.tolist(), y.tolist()
    ([0.0, 0.5, 1.0], [0.0, 0.25, 0.0])
    """

    def __init__(
        self,
        counts: ScoreCounts,
        *,
        cost_matrix: Any = None,
        labels: Any = None,
        name: str | None = None,
        space: str = "probability_cost",
    ) -> None:
        counts = one_table(counts, ScoreCounts)
        if not isinstance(space, str) or space not in _SPACES:
            raise ValueError(f"space must be one of {list(_SPACES)}; got {space!r}.")
        named(name, "")
        lines = cost_lines(counts)
        self.cost_proportion = None
        if cost_matrix is not None:
            counts, costs = with_costs(counts, cost_matrix, labels)
            implied = cost_threshold(costs)
            self.cost_proportion = None if np.isnan(implied) else implied
        self.counts, self.name, self.space = counts, name, space
        self.prevalence = lines.prevalence
        self.ends = lines.ends(space)
        self.envelope = lower_envelope(*self.ends)
        self.brier: tuple[np.ndarray, np.ndarray] | None = None
        self.brier_score: float | None = None
        if are_probabilities(counts) and counts.bins is None:
            c, cost = brier_curve(counts)
            if space == "probability_cost":
                p = self.prevalence
                c, cost = probability_cost(c, p), cost / (2 * (p * (1 - c) + (1 - p) * c))
            self.brier = c, cost
            self.brier_score = float(counts.brier_score(confidence_level=None))

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        cost_matrix: Any = None,
        labels: Any = None,
        response_method: str = "auto",
        pos_label: Any = None,
        sample_weight: Any = None,
        name: str | None = None,
        space: str = "probability_cost",
        brier: bool | None = None,
        threshold_lines: bool = False,
        ax: Any = None,
    ) -> Self:
        """Draw what a fitted classifier costs on rows it has not seen.

        Parameters
        ----------
        estimator : fitted classifier of two classes
            Of `CostThresholdClassifier` the costs are used where none are named.
        X : array-like, sparse matrix or frame of shape (n_rows, n_features)
        y : array-like of shape (n_rows,)
        cost_matrix, labels, name, space
            See the class. The name is by default the estimator's.
        response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
        pos_label : label, default=None
            The positive class. None: the estimator's ``pos_label_``, else 1 or True.
        sample_weight : array-like of shape (n_rows,), default=None
        brier, threshold_lines, ax
            See `plot`.
        """
        require_matplotlib(f"{cls.__name__}.from_estimator")
        found = scored(estimator, X, response_method=response_method, pos_label=pos_label)
        if cost_matrix is None:
            cost_matrix = costs_inside(estimator)
        counts = ScoreCounts.from_predictions(
            y, found.scores, pos_label=found.pos_label, sample_weight=sample_weight
        )
        return cls.from_counts(
            counts,
            cost_matrix=cost_matrix,
            labels=labels,
            name=type(estimator).__name__ if name is None else name,
            space=space,
            brier=brier,
            threshold_lines=threshold_lines,
            ax=ax,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_score: Any,
        *,
        cost_matrix: Any = None,
        labels: Any = None,
        pos_label: Any = None,
        sample_weight: Any = None,
        name: str | None = None,
        space: str = "probability_cost",
        brier: bool | None = None,
        threshold_lines: bool = False,
        ax: Any = None,
    ) -> Self:
        """Draw what scores cost.

        Parameters
        ----------
        y_true : array-like of shape (n_rows,)
            Two classes.
        y_score : array-like of shape (n_rows,)
            Higher means more probably positive.
        cost_matrix, labels, name, space
            See the class.
        pos_label : label, default=None
            The positive class; 1 or True where labels are 0 or -1 and 1, or bools.
        sample_weight : array-like of shape (n_rows,), default=None
        brier, threshold_lines, ax
            See `plot`.
        """
        require_matplotlib(f"{cls.__name__}.from_predictions")
        counts = ScoreCounts.from_predictions(
            y_true, y_score, pos_label=pos_label, sample_weight=sample_weight
        )
        return cls.from_counts(
            counts,
            cost_matrix=cost_matrix,
            labels=labels,
            name=name,
            space=space,
            brier=brier,
            threshold_lines=threshold_lines,
            ax=ax,
        )

    @classmethod
    def from_counts(
        cls,
        counts: ScoreCounts,
        *,
        cost_matrix: Any = None,
        labels: Any = None,
        name: str | None = None,
        space: str = "probability_cost",
        brier: bool | None = None,
        threshold_lines: bool = False,
        ax: Any = None,
    ) -> Self:
        """Draw counts of scores that are there already.

        Parameters
        ----------
        counts : ScoreCounts
            Without subgroups.
        cost_matrix, labels, name, space
            See the class.
        brier, threshold_lines, ax
            See `plot`.
        """
        require_matplotlib(f"{cls.__name__}.from_counts")
        display = cls(counts, cost_matrix=cost_matrix, labels=labels, name=name, space=space)
        return display.plot(ax, brier=brier, threshold_lines=threshold_lines)

    def plot(
        self, ax: Any = None, *, brier: bool | None = None, threshold_lines: bool = False
    ) -> Self:
        """Draw.

        Parameters
        ----------
        ax : Axes, default=None
            None: a new figure, 6 inches wide.
        brier : bool, default=None
            Whether to draw the Brier curve. None: where scores are probabilities.
        threshold_lines : bool, default=False
            Whether to draw the lines of the thresholds, thin: of all up to 60, of more every
            so many.
        """
        if brier and self.brier is None:
            require_probabilities(self.counts.rankings[0], "brier=True")
        ax, self.figure_ = axes_for(ax, type(self).__name__, figsize=(6.0, 4.6), curves=True)
        self.ax_ = ax
        top = ax.get_ylim()[1] if ax.has_data() else 0.0
        always_positive, always_negative = (
            [float(end[place]) for end in self.ends] for place in (-1, 0)
        )
        self.threshold_lines_ = self._draw_lines() if threshold_lines else None
        self.always_positive_line_ = draw_once(
            ax, [0, 1], always_positive, label="always positive", color=GREY, linestyle=(0, (1, 1))
        )
        self.always_negative_line_ = draw_once(
            ax, [0, 1], always_negative, label="always negative", color=GREY, linestyle=(0, (6, 3))
        )
        prefix = "" if self.name is None else f"{named(self.name, '')}: "
        (self.envelope_line_,) = ax.plot(
            *self.envelope, label=f"{prefix}best threshold", lw=2, zorder=3
        )
        self.brier_line_ = None
        if self.brier is not None and brier is not False:
            said = f"{prefix}threshold by the costs"
            if self.space == "cost_proportion" and self.brier_score is not None:
                said += f" (area: Brier {number(self.brier_score)})"
            (self.brier_line_,) = ax.plot(*self.brier, label=said, lw=1.4, zorder=2.5)
        add_legend(ax, above=self._settle(ax, top))
        return self

    # -----------------------------------------------------------------------------------------

    def _draw_lines(self) -> Any:
        from matplotlib.collections import LineCollection

        heights = np.stack(self.ends, axis=1)
        every = int(np.ceil(len(heights) / _MOST_LINES))
        heights = heights[::every]
        segments = [[(0.0, a), (1.0, b)] for a, b in heights.tolist()]
        return self.ax_.add_collection(
            LineCollection(segments, colors="0.8", linewidths=0.6, zorder=1)
        )

    def _top(self) -> float:
        """The highest cost worth showing: where the two constant answers cost the same, or more."""
        positive, negative = (max(float(end[k]) for end in self.ends) for k in (-1, 0))
        peak = positive * negative / (positive + negative)
        highest = 0.0
        if self.brier is not None and self.brier_line_ is not None:
            highest = float(self.brier[1].max())
        return max(1.1 * peak, highest)

    def _settle(self, ax: Any, top: float) -> float:
        """The axes, and the costs marked on them; ``top`` is what was shown before.

        The share of the height that the mark's name takes is returned.
        """
        positive = shown(self.counts.labels[1])
        above = rows_above(ax, 1) if self.cost_proportion is not None else 0.03
        ax.set_xlim(0, 1)
        ax.set_ylim(*bounded_limits(0.0, max(top, self._top()), below=0.0, above=above))
        if self.space == "probability_cost":
            x = f"probability cost: share of missed {positive} in the cost at stake"
            name_axes(ax, x, "cost / cost of all answers wrong")
        else:
            x = "cost of a false alarm / (false alarm + miss) = threshold"
            name_axes(ax, x, "mean cost per row (false alarm + miss = 2)")
        self.mark_, self.mark_text_ = None, None
        if self.cost_proportion is None:
            return above
        c = self.cost_proportion
        if self.space == "probability_cost":
            place = float(probability_cost(c, self.prevalence))
            text = f"these costs at prevalence {number(100 * self.prevalence)}%: {number(place)}"
        else:
            place, text = c, f"these costs: {number(c)}"
        (self.mark_,), (self.mark_text_,) = draw_flags(ax, [Flag(place, text, "black", ":")])
        return above
