"""What probabilities promised and what happened, with the rows behind each point."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from skmetrics_ext.counts import CalibrationTable, ScoreCounts
from skmetrics_ext.display._counted import one_table
from skmetrics_ext.display._from_estimator import scored
from skmetrics_ext.display._probability_axis import (
    decide_scale,
    from_logit,
    logit_limits,
    set_logit_ticks,
    to_logit,
)
from skmetrics_ext.display._style import (
    BLUE,
    GREY,
    SMALL,
    add_legend,
    axes_for,
    bounded_limits,
    name_axes,
    require_matplotlib,
    shown,
    text_width,
    width_of,
)

__all__ = ["CalibrationCountsDisplay"]

# The share of the height that the rows of the bins are drawn in, below the curve.
_STRIP = 0.24


class CalibrationCountsDisplay:
    """Of the rows that were given 30 %, did 30 % turn out positive? And how many rows say so?

    A point for each bin of scores: the mean score across, the share of positives up, with
    Wilson's interval; below it how many rows the bin holds. Points on the line are calibrated,
    below it the scores promise too much.

    Make one by `from_estimator`, `from_predictions` or `from_counts`.

    Parameters
    ----------
    table : CalibrationTable
        As `ScoreCounts.calibration_table` makes it.

    Attributes
    ----------
    table : CalibrationTable
    points_ : ErrorbarContainer
    line_ : Line2D
        The points, joined on even axes.
    ends_ : list of Line2D
        Shares of 0 and 1 on logit axes.
    identity_ : Line2D
    bars_ : BarContainer
        One bar per bin: its rows.
    bar_texts_ : list of Text
        The rows of each bin, empty where the bin is too narrow for a number.
    bar_ax_ : Axes
        Of the bars, inside ``ax_``.
    ax_ : Axes
    figure_ : Figure

    See Also
    --------
    sklearn.calibration.CalibrationDisplay : The curve alone, with bins of equal size as well.

    Examples
    --------
    >>> from skmetrics_ext.display import CalibrationCountsDisplay
    >>> display = CalibrationCountsDisplay.from_predictions(
    ...     [0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.7, 1], bins=2
    ... )
    >>> display.table
    share of 1 among rows of similar score
    lower  upper  n  weight  positives  mean_score  share    low   high
        0  0.500  3       3          1       0.200  0.333  0.061  0.792
    0.500      1  3       3          2       0.767  0.667  0.208  0.939
    """

    def __init__(self, table: CalibrationTable) -> None:
        if not isinstance(table, CalibrationTable):
            raise ValueError(
                "table must be a CalibrationTable of one group, as ScoreCounts.calibration_table "
                f"makes it; got {table!r}."
            )
        self.table = table

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        bins: Any = 10,
        confidence_level: float | None = 0.95,
        pos_label: Any = None,
        sample_weight: Any = None,
        ax: Any = None,
    ) -> Self:
        """Draw how right a fitted classifier's probabilities are.

        Parameters
        ----------
        estimator : fitted classifier of two classes, with predict_proba
        X : array-like, sparse matrix or frame of shape (n_rows, n_features)
        y : array-like of shape (n_rows,)
        bins, confidence_level
            See `ScoreCounts.calibration_table`.
        pos_label : label, default=None
            The positive class. None: the estimator's ``pos_label_``, else 1 or True.
        sample_weight : array-like of shape (n_rows,), default=None
        ax : Axes, default=None
        """
        require_matplotlib(f"{cls.__name__}.from_estimator")
        found = scored(estimator, X, response_method="predict_proba", pos_label=pos_label)
        return cls.from_predictions(
            y,
            found.scores,
            bins=bins,
            confidence_level=confidence_level,
            pos_label=found.pos_label,
            sample_weight=sample_weight,
            ax=ax,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_score: Any,
        *,
        bins: Any = 10,
        confidence_level: float | None = 0.95,
        pos_label: Any = None,
        sample_weight: Any = None,
        ax: Any = None,
    ) -> Self:
        """Draw how right probabilities are.

        Parameters
        ----------
        y_true : array-like of shape (n_rows,)
            Two classes.
        y_score : array-like of shape (n_rows,)
            The probability of the positive class.
        bins, confidence_level
            See `ScoreCounts.calibration_table`.
        pos_label : label, default=None
            The positive class; 1 or True where labels are 0 or -1 and 1, or bools.
        sample_weight : array-like of shape (n_rows,), default=None
        ax : Axes, default=None
        """
        require_matplotlib(f"{cls.__name__}.from_predictions")
        counts = ScoreCounts.from_predictions(
            y_true, y_score, pos_label=pos_label, sample_weight=sample_weight
        )
        return cls.from_counts(counts, bins=bins, confidence_level=confidence_level, ax=ax)

    @classmethod
    def from_counts(
        cls,
        counts: ScoreCounts,
        *,
        bins: Any = 10,
        confidence_level: float | None = 0.95,
        ax: Any = None,
    ) -> Self:
        """Draw counts of scores that are there already.

        Parameters
        ----------
        counts : ScoreCounts
            Without subgroups; scores between 0 and 1, not in bins.
        bins, confidence_level
            See `ScoreCounts.calibration_table`.
        ax : Axes, default=None
        """
        require_matplotlib(f"{cls.__name__}.from_counts")
        counts = one_table(counts, ScoreCounts)
        table = counts.calibration_table(bins, confidence_level=confidence_level)
        return cls(table).plot(ax)

    def plot(self, ax: Any = None, *, scale: str = "auto") -> Self:
        """Draw.

        Parameters
        ----------
        ax : Axes, default=None
            None: a new figure, 6 inches wide. The axes end where the bins with rows do.
        scale : {"auto", "linear", "logit"}, default="auto"
            Of both axes; "auto" is logit where half of the bins have a mean score within 0.03
            of 0 or of 1. On it shares of 0 and 1 are triangles at the ends.
        """
        table = self.table
        self.scale = decide_scale(scale, [float(np.median(table.mean_score))], name="scale")
        ax, self.figure_ = axes_for(ax, type(self).__name__, figsize=(6.0, 4.8))
        self.ax_ = ax
        low, high = self._settle(ax)
        (self.identity_,) = ax.plot(
            [low, high], [low, high], color=GREY, linestyle=(0, (6, 3)), lw=1.2, label="calibrated"
        )
        level = table.confidence_level
        # On logit axes shares of 0 and 1 are infinitely far: they stand at the ends.
        logit = self.scale == "logit"
        share, *limits = (
            np.clip(v, low, high) if logit else v for v in (table.share, table.low, table.high)
        )
        reach = np.maximum([share - limits[0], limits[1] - share], 0)
        said = "" if level is None else f", with its {100 * level:g} % interval"
        self.points_ = ax.errorbar(
            np.clip(table.mean_score, low, high) if logit else table.mean_score,
            share,
            yerr=None if level is None else reach,
            color=BLUE,
            marker="o",
            markersize=6,
            linestyle="none" if logit else "-",
            lw=1.4,
            capsize=3,
            zorder=3,
            label=f"share of {shown(table.pos_label)}{said}",
        )
        self.line_ = self.points_.lines[0]
        self.ends_ = self._draw_ends(ax, low, high) if logit else []
        self._draw_bars(ax)
        name_axes(
            ax,
            f"mean score in the bin{', logit scale' if logit else ''}",
            f"share of {shown(table.pos_label)}",
        )
        add_legend(ax, below=_STRIP)
        return self

    # -----------------------------------------------------------------------------------------

    def _settle(self, ax: Any) -> tuple[float, float]:
        """The limits: the same across and up, but for the strip that the bars are drawn in."""
        table = self.table
        if self.scale == "logit":
            known = np.concatenate([table.mean_score, table.share, table.low, table.high])
            low, high = logit_limits(known)
            below, above = bounded_limits(
                float(to_logit(low)), float(to_logit(high)), below=_STRIP, above=0.02
            )
            ax.set_xscale("logit", nonpositive="clip")
            ax.set_yscale("logit", nonpositive="clip")
            ax.set_xlim(low, high)
            ax.set_ylim(from_logit(below), from_logit(above))
            set_logit_ticks(ax, "x", low, high)
            set_logit_ticks(ax, "y", low, high)
            return low, high
        low = float(np.nanmin([table.lower[0], *table.share, *table.low]))
        high = float(np.nanmax([table.upper[-1], *table.share, *table.high]))
        margin = 0.02 * (high - low)
        ax.set_xlim(low - margin, high + margin)
        ax.set_ylim(*bounded_limits(low - margin, high + margin, below=_STRIP, above=0.0))
        ticks = ax.get_yticks()
        ax.set_yticks(ticks[(ticks >= low - 1e-9) & (ticks <= high + 1e-9)])
        return low, high

    def _draw_ends(self, ax: Any, low: float, high: float) -> list[Any]:
        """Triangles for shares of 0 and 1."""
        table = self.table
        return [
            ax.plot(
                [np.clip(score, low, high)],
                [low if share == 0 else high],
                marker="v" if share == 0 else "^",
                markersize=11,
                color=BLUE,
                clip_on=False,
                zorder=3,
            )[0]
            for score, share in zip(table.mean_score.tolist(), table.share.tolist(), strict=True)
            if share in (0, 1)
        ]

    def _draw_bars(self, ax: Any) -> None:
        table = self.table
        bar_ax = ax.inset_axes([0, 0, 1, _STRIP], zorder=0)
        self.bar_ax_ = bar_ax
        left, right = ax.get_xlim()
        if self.scale == "logit":
            bar_ax.set_xscale("logit", nonpositive="clip")
        ends = np.clip([table.lower, table.upper], left, right)
        self.bars_ = bar_ax.bar(
            ends[0], table.n, width=ends[1] - ends[0], align="edge", color="0.8", edgecolor="white"
        )
        bar_ax.set_xlim(left, right)
        # The numbers stand on the bars.
        bar_ax.set_ylim(0, 2.2 * float(table.n.max()))
        bar_ax.patch.set_alpha(0)
        bar_ax.xaxis.set_ticks([])
        bar_ax.xaxis.set_ticks([], minor=True)
        bar_ax.set_yticks([0.5 * bar_ax.get_ylim()[1]], ["rows"], fontsize=SMALL)
        bar_ax.tick_params(length=0)
        for side in ("left", "right", "bottom"):
            bar_ax.spines[side].set_visible(False)
        bar_ax.spines["top"].set_color("0.8")
        self.bar_texts_ = [
            self._write(bar_ax, *bar)
            for bar in zip(*self._places(ends, left, right), table.n.tolist(), strict=True)
        ]

    def _places(self, ends: Any, left: float, right: float) -> tuple[list[float], list[float]]:
        """The middle of each bar and its width, in shares of the width of the axes."""
        if self.scale == "logit":
            ends, left, right = to_logit(ends), to_logit(left), to_logit(right)
        places = (ends - left) / (right - left)
        return places.mean(axis=0).tolist(), np.diff(places, axis=0)[0].tolist()

    @staticmethod
    def _write(bar_ax: Any, middle: float, width: float, n: int) -> Any:
        """The rows on a bar: upright where the bar is too narrow, nothing where that is so too."""
        from matplotlib.transforms import blended_transform_factory

        room = width * width_of(bar_ax)
        return bar_ax.text(
            middle,
            n,
            f"{n}" if room > 1.1 * SMALL / 72 else "",
            transform=blended_transform_factory(bar_ax.transAxes, bar_ax.transData),
            ha="center",
            va="bottom",
            fontsize=SMALL,
            rotation=90 if text_width(f"{n}", SMALL) > room else 0,
        )
