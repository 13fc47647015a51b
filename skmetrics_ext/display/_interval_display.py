"""Several numbers with their intervals, one under the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np

from skmetrics_ext.counts import ConfusionCounts, Estimate
from skmetrics_ext.display._counted import one_kind
from skmetrics_ext.display._from_estimator import check_classifier
from skmetrics_ext.display._style import (
    BLUE,
    GREY,
    SMALL,
    axes_for,
    height_of,
    name_axes,
    number,
    plain,
    require_matplotlib,
    wrapped,
)
from skmetrics_ext.metrics._inside import extra_actions, from_inside

__all__ = ["IntervalDisplay"]


class IntervalDisplay:
    """Numbers with their intervals, one under the other: which differ, and which are just noise?

    A row for each: its name, the value with its interval and the counts behind it, and the same
    drawn. An interval without an end has an arrow; of an undefined value only the text is shown.

    Make one by `from_estimates`, `from_counts`, `from_predictions` or `from_estimator`.

    Parameters
    ----------
    estimates : Estimate, Difference, or sequence of them
        Of any metrics; they share one axis, so that those of different ranges are better drawn
        apart.
    names : sequence of str, default=None
        One each. None: the estimates' own.
    reference : float, default=None
        A value to compare with: a target, or 0 for differences.

    Attributes
    ----------
    estimates : list
    names : list of str
    values, lows, highs : ndarray of shape (n_estimates,)
        NaN where undefined, or where no interval was asked for.
    points_ : Line2D
    intervals_ : LineCollection
        Those that are defined, from the top down.
    arrows_ : list of Line2D
        Where an interval has no end.
    reference_ : Line2D or None
    ax_ : Axes
    figure_ : Figure

    Examples
    --------
    >>> from skmetrics_ext.counts import ConfusionCounts
    >>> from skmetrics_ext.display import IntervalDisplay
    >>> counts = ConfusionCounts.from_cells(tp=80, fp=50, fn=20, tn=850)
    >>> display = IntervalDisplay.from_counts(counts, ["recall", "precision"])
    >>> print(display.ax_.get_yticklabels()[0].get_text())
    recall of 1
    0.800 [0.711, 0.867] (80/100)
    """

    def __init__(
        self,
        estimates: Any,
        *,
        names: Sequence[str] | None = None,
        reference: float | None = None,
    ) -> None:
        several = not hasattr(estimates, "value") and isinstance(estimates, Iterable)
        found = list(estimates) if several else [estimates]
        wrong = [e for e in found if not hasattr(e, "value") or not hasattr(e, "low")]
        if wrong or not found:
            raise ValueError(
                "estimates must be an Estimate or several, as ConfusionCounts.estimate and "
                f"report make them; got {(wrong or [estimates])[0]!r}."
            )
        if names is not None and (isinstance(names, str) or len(names) != len(found)):
            raise ValueError(f"names must name each of the {len(found)} estimates; got {names!r}.")
        if reference is not None and (
            isinstance(reference, bool) or not isinstance(reference, (int, float, np.number))
        ):
            raise ValueError(f"reference must be a number or None; got {reference!r}.")
        self.estimates, self.reference = found, reference
        self.names = [_name(e) for e in found] if names is None else [str(name) for name in names]
        self.values, self.lows, self.highs = (
            np.array([np.nan if (v := getattr(e, part)) is None else v for e in found], dtype=float)
            for part in ("value", "low", "high")
        )

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        metrics: Iterable[str] | None = None,
        confidence_level: float | None = 0.95,
        labels: Any = None,
        pos_label: Any = None,
        on: str | None = None,
        sample_weight: Any = None,
        reference: float | None = None,
        ax: Any = None,
    ) -> Self:
        """Draw how good a fitted classifier is, and how sure that is.

        Parameters
        ----------
        estimator : fitted classifier
        X : array-like, sparse matrix or frame of shape (n_rows, n_features)
        y : array-like of shape (n_rows,)
        metrics, confidence_level, pos_label, on
            See `ConfusionCounts.report`.
        labels : array-like of shape (K,), default=None
            The classes in their order. None: the estimator's ``class_order_``, if it has one.
        sample_weight : array-like of shape (n_rows,), default=None
        reference : float, default=None
            See the class.
        ax : Axes, default=None
        """
        require_matplotlib(f"{cls.__name__}.from_estimator")
        check_classifier(estimator)
        return cls.from_predictions(
            y,
            estimator.predict(X),
            metrics=metrics,
            confidence_level=confidence_level,
            labels=from_inside(estimator, "class_order_") if labels is None else labels,
            actions=extra_actions(estimator),
            pos_label=from_inside(estimator, "pos_label_") if pos_label is None else pos_label,
            on=on,
            sample_weight=sample_weight,
            reference=reference,
            ax=ax,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        metrics: Iterable[str] | None = None,
        confidence_level: float | None = 0.95,
        labels: Any = None,
        actions: Any = None,
        pos_label: Any = None,
        on: str | None = None,
        sample_weight: Any = None,
        by: Any = None,
        reference: float | None = None,
        ax: Any = None,
    ) -> Self:
        """Draw how good answers are, and how sure that is.

        Parameters
        ----------
        y_true, y_pred : array-like of shape (n_rows,)
        metrics, confidence_level, pos_label, on
            See `ConfusionCounts.report`.
        labels, actions, sample_weight, by
            See `ConfusionCounts.from_predictions`.
        reference : float, default=None
            See the class.
        ax : Axes, default=None
        """
        require_matplotlib(f"{cls.__name__}.from_predictions")
        counts = ConfusionCounts.from_predictions(
            y_true, y_pred, labels=labels, actions=actions, sample_weight=sample_weight, by=by
        )
        return cls.from_counts(
            counts,
            metrics,
            confidence_level=confidence_level,
            pos_label=pos_label,
            on=on,
            reference=reference,
            ax=ax,
        )

    @classmethod
    def from_counts(
        cls,
        counts: ConfusionCounts,
        metrics: Iterable[str] | None = None,
        *,
        confidence_level: float | None = 0.95,
        pos_label: Any = None,
        on: str | None = None,
        reference: float | None = None,
        ax: Any = None,
    ) -> Self:
        """Draw metrics of counts that are there already, of each subgroup if there are any.

        Parameters
        ----------
        counts : ConfusionCounts
        metrics, confidence_level, pos_label, on
            See `ConfusionCounts.report`.
        reference : float, default=None
            See the class.
        ax : Axes, default=None
        """
        require_matplotlib(f"{cls.__name__}.from_counts")
        found = one_kind(counts, ConfusionCounts).report(
            metrics, confidence_level=confidence_level, pos_label=pos_label, on=on
        )
        return cls(found, reference=reference).plot(ax)

    @classmethod
    def from_estimates(
        cls,
        estimates: Any,
        *,
        names: Sequence[str] | None = None,
        reference: float | None = None,
        ax: Any = None,
    ) -> Self:
        """Draw estimates, or differences, that are there already.

        Parameters
        ----------
        estimates, names, reference
            See the class.
        ax : Axes, default=None
        """
        require_matplotlib(f"{cls.__name__}.from_estimates")
        return cls(estimates, names=names, reference=reference).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : Axes, default=None
            None: a new figure, 6 inches wide and as high as the rows need. In axes that are
            lower than that only the names are shown.
        """
        names = [
            f"{wrapped(name, 34)}\n{_said(estimate)}"
            for name, estimate in zip(self.names, self.estimates, strict=True)
        ]
        lines = sum(name.count("\n") + 1 for name in names)
        ax, self.figure_ = axes_for(
            ax, type(self).__name__, figsize=(6.0, 0.7 + 0.17 * lines + 0.1 * len(names))
        )
        self.ax_ = ax
        if lines * 1.25 * SMALL / 72 > height_of(ax):
            names = [wrapped(name, 34) for name in self.names]
        rows = np.arange(len(names))
        left, right = self._limits()
        ends = np.stack([np.clip(self.lows, left, right), np.clip(self.highs, left, right)], axis=1)
        known = ~np.isnan(ends).any(axis=1)
        self.intervals_ = ax.hlines(
            rows[known], ends[known, 0], ends[known, 1], colors=BLUE, lw=2, zorder=2
        )
        (self.points_,) = ax.plot(
            self.values, rows, marker="o", markersize=7, linestyle="none", color=BLUE, zorder=3
        )
        self.arrows_ = [
            ax.plot([end], [row], marker=marker, color=BLUE, markersize=8, clip_on=False)[0]
            for limits, end, marker in ((self.lows, left, "<"), (self.highs, right, ">"))
            for row in rows[np.isinf(limits)]
        ]
        self.reference_ = None
        if self.reference is not None:
            self.reference_ = ax.axvline(
                self.reference, color=GREY, linestyle=(0, (6, 3)), lw=1.2, zorder=1
            )
        ax.set_xlim(left, right)
        ax.set_yticks(rows, names, fontsize=SMALL)
        plain(ax.get_yticklabels())
        ax.set_ylim(len(names) - 0.5, -0.5)
        ax.grid(axis="x", color="0.9", lw=0.8, zorder=0)
        ax.set_axisbelow(True)
        ax.tick_params(axis="y", length=0)
        for side in ("left", "right", "top"):
            ax.spines[side].set_visible(False)
        levels = {e.confidence_level for e in self.estimates if e.confidence_level is not None}
        known = f" with its {100 * levels.pop():g} % interval" if len(levels) == 1 else ""
        name_axes(ax, f"value{known}", "")
        return self

    def _limits(self) -> tuple[float, float]:
        """All that is finite, with some room."""
        known = np.array([*self.values, *self.lows, *self.highs])
        known = np.append(known, [] if self.reference is None else [self.reference])
        known = known[np.isfinite(known)]
        if not len(known):
            return 0.0, 1.0
        low, high = float(known.min()), float(known.max())
        margin = 0.05 * (high - low) or 0.05 * abs(high) or 0.05
        return low - margin, high + margin


def _name(estimate: Any) -> str:
    """What an estimate is about: its own name, or a difference's metric and class."""
    if isinstance(estimate, Estimate):
        return estimate.name
    return str(estimate).split(": ")[0]


def _said(estimate: Any) -> str:
    """The value, its interval and the counts behind it; a difference has a sign."""
    sign = "" if isinstance(estimate, Estimate) else "+"
    parts = [_number(estimate.value, sign)]
    if estimate.low is not None and not np.isnan([estimate.low, estimate.high]).any():
        parts.append(f"[{_number(estimate.low, sign)}, {_number(estimate.high, sign)}]")
    if isinstance(estimate, Estimate):
        parts.append(f"({estimate.counts})")
    return " ".join(parts)


def _number(value: float, sign: str) -> str:
    """Three decimals, as estimates are printed; large numbers shorter."""
    return f"{value:{sign}.3f}" if abs(value) < 100 else number(value, 4)
