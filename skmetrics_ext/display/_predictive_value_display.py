"""What an answer is worth where the positive class is rarer or more frequent."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from skmetrics_ext.counts import ConfusionCounts, Estimate
from skmetrics_ext.display._counted import one_table
from skmetrics_ext.display._flags import Flag, draw_flags, rows_above
from skmetrics_ext.display._from_estimator import check_classifier
from skmetrics_ext.display._predictive_values import predictive_values, usual_prevalences
from skmetrics_ext.display._probability_axis import decide_scale, set_probability_axis
from skmetrics_ext.display._style import (
    BLUE,
    GREY,
    VERMILLION,
    add_legend,
    axes_for,
    bounded_limits,
    name_axes,
    number,
    require_matplotlib,
    shown,
)
from skmetrics_ext.metrics._inside import extra_actions, from_inside

__all__ = ["PredictiveValueDisplay"]

_CURVES = (
    ("precision", "a positive answer is right (PPV)", BLUE, "-", "o"),
    ("negative_predictive_value", "a negative answer is right (NPV)", VERMILLION, "--", "s"),
)


class PredictiveValueDisplay:
    """How often is a positive, or a negative, answer right where the positive class is rarer?

    The positive and the negative predictive value (PPV, NPV) at each prevalence, with their
    bands; those of the data as counted are marked. Recall and specificity are taken to be the
    same in the other population.

    Make one by `from_estimator`, `from_predictions` or `from_counts`.

    Parameters
    ----------
    counts : ConfusionCounts
        Without subgroups.
    prevalences : array-like of shape (P,), default=None
        Between 0 and 1, both excluded. None: from 0.001 to 0.999 or beyond, so that the data's
        own is inside.
    pos_label : label, default=None
        The positive class; 1 or True where labels are 0 or -1 and 1, or bools. Of more than two
        classes it is that one against the rest.
    confidence_level : float, default=0.95
    on : {None, "all"}, default=None
        "all": declined rows count as not found. None: they are an error. Of the rows answered
        alone no other prevalence is known, so that "answered" is refused.

    Attributes
    ----------
    prevalences : ndarray of shape (P,)
    values, lows, highs : dict {metric: ndarray of shape (P,)}
        Of "precision" and "negative_predictive_value"; NaN where no row was answered so.
    here : dict {metric: Estimate}
        Those of the data as counted.
    prevalence : float
        The data's own.
    lines_ : dict {metric: Line2D}
    bands_ : dict {metric: PolyCollection}
    points_ : dict {metric: ErrorbarContainer}
        Of the data as counted.
    mark_, mark_text_ : Line2D and Annotation
    ax_ : Axes
    figure_ : Figure

    Examples
    --------
    >>> from skmetrics_ext.counts import ConfusionCounts
    >>> from skmetrics_ext.display import PredictiveValueDisplay
    >>> counts = ConfusionCounts.from_cells(tp=90, fp=10, fn=10, tn=90)
    >>> display = PredictiveValueDisplay.from_counts(counts, prevalences=[0.01, 0.5])
    >>> display.values["precision"].round(3).tolist()
    [0.083, 0.9]
    >>> print(display.here["precision"])
    precision of 1 0.900 [0.826, 0.945] (90/100, Wilson; prevalence 0.50)
    """

    def __init__(
        self,
        counts: ConfusionCounts,
        *,
        prevalences: Any = None,
        pos_label: Any = None,
        confidence_level: float = 0.95,
        on: str | None = None,
    ) -> None:
        counts = one_table(counts, ConfusionCounts)
        if confidence_level is None:
            raise ValueError("confidence_level must be a number in (0, 1), for bands; got None.")
        if counts.priors is not None:
            raise ValueError(
                "counts must have no priors of their own, since they are drawn at each prevalence; "
                "draw them before at_priors()."
            )
        asked = {"pos_label": pos_label, "confidence_level": confidence_level, "on": on}
        own = counts.estimate("precision", zero_division=np.nan, **asked)
        grid = usual_prevalences(own.prevalence) if prevalences is None else _checked(prevalences)
        found = {metric: predictive_values(counts, metric, grid, **asked) for metric, *_ in _CURVES}
        self.counts, self.prevalences = counts, grid
        self.pos_label, self.prevalence = own.pos_label, own.prevalence
        self.values = {metric: curve.value for metric, curve in found.items()}
        self.lows = {metric: curve.low for metric, curve in found.items()}
        self.highs = {metric: curve.high for metric, curve in found.items()}
        self.here: dict[str, Estimate] = {metric: curve.here for metric, curve in found.items()}

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        prevalences: Any = None,
        pos_label: Any = None,
        confidence_level: float = 0.95,
        on: str | None = None,
        sample_weight: Any = None,
        xscale: str = "logit",
        ax: Any = None,
    ) -> Self:
        """Draw what a fitted classifier's answers are worth.

        Parameters
        ----------
        estimator : fitted classifier
        X : array-like, sparse matrix or frame of shape (n_rows, n_features)
        y : array-like of shape (n_rows,)
        prevalences, pos_label, confidence_level, on
            See the class. The positive class is by default the estimator's ``pos_label_``.
        sample_weight : array-like of shape (n_rows,), default=None
        xscale, ax
            See `plot`.
        """
        require_matplotlib(f"{cls.__name__}.from_estimator")
        check_classifier(estimator)
        return cls.from_predictions(
            y,
            estimator.predict(X),
            actions=extra_actions(estimator),
            prevalences=prevalences,
            pos_label=from_inside(estimator, "pos_label_") if pos_label is None else pos_label,
            confidence_level=confidence_level,
            on=on,
            sample_weight=sample_weight,
            xscale=xscale,
            ax=ax,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        labels: Any = None,
        actions: Any = None,
        prevalences: Any = None,
        pos_label: Any = None,
        confidence_level: float = 0.95,
        on: str | None = None,
        sample_weight: Any = None,
        xscale: str = "logit",
        ax: Any = None,
    ) -> Self:
        """Draw what answers are worth.

        Parameters
        ----------
        y_true, y_pred : array-like of shape (n_rows,)
            Labels, not scores.
        labels, actions : array-like, default=None
            As in `ConfusionCounts.from_predictions`.
        prevalences, pos_label, confidence_level, on
            See the class.
        sample_weight : array-like of shape (n_rows,), default=None
        xscale, ax
            See `plot`.
        """
        require_matplotlib(f"{cls.__name__}.from_predictions")
        counts = ConfusionCounts.from_predictions(
            y_true, y_pred, labels=labels, actions=actions, sample_weight=sample_weight
        )
        return cls.from_counts(
            counts,
            prevalences=prevalences,
            pos_label=pos_label,
            confidence_level=confidence_level,
            on=on,
            xscale=xscale,
            ax=ax,
        )

    @classmethod
    def from_counts(
        cls,
        counts: ConfusionCounts,
        *,
        prevalences: Any = None,
        pos_label: Any = None,
        confidence_level: float = 0.95,
        on: str | None = None,
        xscale: str = "logit",
        ax: Any = None,
    ) -> Self:
        """Draw counts that are there already, such as a paper's four numbers.

        Parameters
        ----------
        counts : ConfusionCounts
            Without subgroups.
        prevalences, pos_label, confidence_level, on
            See the class.
        xscale, ax
            See `plot`.
        """
        require_matplotlib(f"{cls.__name__}.from_counts")
        display = cls(
            counts,
            prevalences=prevalences,
            pos_label=pos_label,
            confidence_level=confidence_level,
            on=on,
        )
        return display.plot(ax, xscale=xscale)

    def plot(self, ax: Any = None, *, xscale: str = "logit") -> Self:
        """Draw.

        Parameters
        ----------
        ax : Axes, default=None
            None: a new figure, 6 inches wide.
        xscale : {"logit", "linear", "auto"}, default="logit"
            The logit shows rare and frequent classes alike; "auto" is logit where the
            prevalence of the data is within 0.03 of 0 or of 1.
        """
        scale = decide_scale(xscale, [self.prevalence])
        ax, self.figure_ = axes_for(ax, type(self).__name__, figsize=(6.0, 4.4))
        self.ax_ = ax
        inside = 0 < self.prevalence < 1
        own = [self.prevalence] if inside else []
        set_probability_axis(ax, scale, np.concatenate([self.prevalences, own]), as_percent=True)
        spaced = ", logit scale" if scale == "logit" else ""
        name_axes(ax, f"prevalence of {shown(self.pos_label)}{spaced}", "share of such answers")
        above = rows_above(ax, 1)
        ax.set_ylim(*bounded_limits(0.0, 1.0, below=0.03, above=above))
        ax.set_yticks(np.arange(6) / 5)
        self.lines_, self.bands_, self.points_ = {}, {}, {}
        for metric, said, color, dashes, marker in _CURVES:
            self.bands_[metric] = ax.fill_between(
                self.prevalences,
                self.lows[metric],
                self.highs[metric],
                color=color,
                alpha=0.2,
                lw=0,
            )
            (self.lines_[metric],) = ax.plot(
                self.prevalences,
                self.values[metric],
                color=color,
                linestyle=dashes,
                lw=1.8,
                label=said if self.here[metric].denominator else f"{said}: there is none",
            )
            if inside:
                self.points_[metric] = self._draw_point(metric, color, marker)
        self.mark_, self.mark_text_ = None, None
        if inside:
            text = f"these data {number(100 * self.prevalence)}%"
            flags = [Flag(self.prevalence, text, GREY, ":")]
            (self.mark_,), (self.mark_text_,) = draw_flags(ax, flags)
        add_legend(ax, above=above)
        return self

    def _draw_point(self, metric: str, color: str, marker: str) -> Any:
        estimate = self.here[metric]
        value = estimate.value
        # Of an undefined value (NaN) nothing is drawn, and nothing may be negative.
        low, high = (np.nan if end is None else end for end in (estimate.low, estimate.high))
        reach = np.maximum([[value - low], [high - value]], 0)
        return self.ax_.errorbar(
            [self.prevalence],
            [value],
            yerr=reach,
            color=color,
            marker=marker,
            markersize=6,
            markeredgecolor="black",
            capsize=4,
            zorder=4,
        )


def _checked(prevalences: Any) -> np.ndarray:
    try:
        grid = np.sort(np.ravel(np.asarray(prevalences, dtype=np.float64)))
    except (TypeError, ValueError):
        grid = np.array([np.nan])
    if len(grid) == 0 or not ((grid > 0) & (grid < 1)).all():
        raise ValueError(
            f"prevalences must be numbers between 0 and 1, both excluded; got {prevalences!r}."
        )
    return grid
