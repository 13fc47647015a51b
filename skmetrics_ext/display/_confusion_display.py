"""The table of true class by answer, as a picture."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from skmetrics_ext.counts import ConfusionCounts
from skmetrics_ext.display._counted import one_table
from skmetrics_ext.display._from_estimator import check_classifier
from skmetrics_ext.display._style import (
    BLUE,
    GREY,
    SMALL,
    VERMILLION,
    amount,
    axes_for,
    height_of,
    legible,
    name_axes,
    percent,
    plain,
    require_matplotlib,
    text_width,
    width_of,
    wrapped,
)
from skmetrics_ext.metrics._inside import extra_actions, from_inside

__all__ = ["ConfusionCountsDisplay"]

# Beyond so many classes no text is legible, and the colours alone are shown.
_MOST_WITH_TEXT = 25
_MOST_UPRIGHT = 4
_EDGE = "0.85"
# The grey of a class without rows.
_NO_ROWS = 0.93


class ConfusionCountsDisplay:
    """What happened to each true class: counts, and the percentages of its row, in each cell.

    The truth is down, the answer across, both in the order of the classes. Right answers are
    blue, mistakes orange, answers that are no class grey; the darker, the greater the share of
    the row, so that a rare class is as plain to see as a frequent one.

    Make one by `from_estimator`, `from_predictions` or `from_counts`.

    Parameters
    ----------
    counts : ConfusionCounts
        Without subgroups.

    Attributes
    ----------
    counts : ConfusionCounts
    shares : ndarray of shape (K, A)
        Each cell's share of its row; NaN where no row is of that class.
    im_ : AxesImage
    text_ : ndarray of Text of shape (K, A), or None
        None with more than 25 classes, where no text is legible.
    ax_ : Axes
    figure_ : Figure

    See Also
    --------
    sklearn.metrics.ConfusionMatrixDisplay : Counts or percentages, in one colour scale.

    Examples
    --------
    >>> from skmetrics_ext.display import ConfusionCountsDisplay
    >>> display = ConfusionCountsDisplay.from_predictions(
    ...     ["ill", "ill", "well", "well", "well"], ["ill", "well", "well", "well", "ill"]
    ... )
    >>> [[text.get_text() for text in row] for row in display.text_]
    [['1\\n50.0%', '1\\n50.0%'], ['1\\n33.3%', '2\\n66.7%']]
    """

    def __init__(self, counts: ConfusionCounts) -> None:
        self.counts = one_table(counts, ConfusionCounts)
        in_truth = counts.w.sum(axis=1, keepdims=True)
        self.shares = np.full(counts.w.shape, np.nan)
        np.divide(counts.w, in_truth, out=self.shares, where=in_truth > 0)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        labels: Any = None,
        sample_weight: Any = None,
        ax: Any = None,
    ) -> Self:
        """Draw what a fitted classifier answers.

        Parameters
        ----------
        estimator : fitted classifier
            Its order of classes and its ways to decline are used where it has them.
        X : array-like, sparse matrix or frame of shape (n_rows, n_features)
        y : array-like of shape (n_rows,)
        labels : array-like of shape (K,), default=None
            The classes in the order to show. By default the estimator's ``class_order_``, else
            as in `from_predictions`.
        sample_weight : array-like of shape (n_rows,), default=None
        ax : Axes, default=None
            None: a new figure.
        """
        require_matplotlib(f"{cls.__name__}.from_estimator")
        check_classifier(estimator)
        return cls.from_predictions(
            y,
            estimator.predict(X),
            labels=from_inside(estimator, "class_order_") if labels is None else labels,
            actions=extra_actions(estimator),
            sample_weight=sample_weight,
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
        sample_weight: Any = None,
        ax: Any = None,
    ) -> Self:
        """Draw the counts of truths and answers.

        Parameters
        ----------
        y_true, y_pred : array-like of shape (n_rows,)
        labels : array-like of shape (K,), default=None
            The classes in the order to show. By default that of an ordered dtype, else sorted.
        actions : array-like, default=None
            Answers that are no class, such as "refer": shown apart, at the right.
        sample_weight : array-like of shape (n_rows,), default=None
        ax : Axes, default=None
        """
        require_matplotlib(f"{cls.__name__}.from_predictions")
        counts = ConfusionCounts.from_predictions(
            y_true, y_pred, labels=labels, actions=actions, sample_weight=sample_weight
        )
        return cls(counts).plot(ax)

    @classmethod
    def from_counts(cls, counts: ConfusionCounts, *, ax: Any = None) -> Self:
        """Draw counts that are there already.

        Parameters
        ----------
        counts : ConfusionCounts
            Without subgroups: ``counts["a"]`` or ``counts.total()``.
        ax : Axes, default=None
        """
        return cls(counts).plot(ax)

    def plot(self, ax: Any = None, *, text_kw: dict[str, Any] | None = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : Axes, default=None
            None: a new figure, 6 inches wide and more with many classes.
        text_kw : dict, default=None
            For the texts in the cells: ``fontsize``, ``color``, ...
        """
        classes, answers = self.counts.w.shape
        size = max(6.0, 0.54 * answers + 1.2), max(4.2, 0.44 * classes + 1.3)
        ax, self.figure_ = axes_for(ax, type(self).__name__, figsize=size)
        self.ax_ = ax
        colors = self._colors()
        self.im_ = ax.imshow(colors, aspect="auto", interpolation="nearest")
        cell = width_of(ax) / answers, height_of(ax) / classes
        self._name_axes(ax, cell)
        self.text_ = None
        if max(classes, answers) <= _MOST_WITH_TEXT:
            self.text_ = self._write(ax, colors, cell, text_kw or {})
        for k in range(1, classes):
            ax.axhline(k - 0.5, color=_EDGE, lw=0.8)
        for k in range(1, answers):
            ax.axvline(
                k - 0.5, color=GREY if k == classes else _EDGE, lw=3 if k == classes else 0.8
            )
        return self

    def _colors(self) -> np.ndarray:
        """The colour of each cell: from white to the full one by the share of its row."""
        from matplotlib.colors import to_rgb

        classes, answers = len(self.counts.labels), len(self.counts.actions)
        full = np.empty((classes, answers, 3))
        full[:] = to_rgb(VERMILLION)
        full[np.arange(classes), np.arange(classes)] = to_rgb(BLUE)
        full[:, classes:] = to_rgb(GREY)
        colors = 1 - self.shares[..., None] * (1 - full)
        return np.where(np.isnan(colors), _NO_ROWS, colors)

    def _write(
        self, ax: Any, colors: np.ndarray, cell: tuple[float, float], text_kw: dict[str, Any]
    ) -> np.ndarray:
        digits = 1 if len(self.counts.labels) <= 6 else 0
        said = [
            [f"{amount(w)}\n{percent(p, digits)}" for w, p in zip(*row, strict=True)]
            for row in zip(self.counts.w.tolist(), self.shares.tolist(), strict=True)
        ]
        widest = max((text for row in said for text in row), key=lambda t: text_width(t, 10))
        fits = 10 * min(0.9 * cell[0] / text_width(widest, 10), cell[1] / (2.6 * 10 / 72))
        style = {"ha": "center", "va": "center", "fontsize": float(np.clip(fits, 5, 12)), **text_kw}
        texts = np.empty(self.shares.shape, dtype=object)
        for i, j in np.ndindex(*self.shares.shape):
            color = {"color": legible(colors[i, j])}
            texts[i, j] = ax.text(j, i, said[i][j], **{**color, **style})
        plain(texts.ravel().tolist())
        return texts

    def _name_axes(self, ax: Any, cell: tuple[float, float]) -> None:
        counts = self.counts
        classes, answers = len(counts.labels), len(counts.actions)
        in_truth = counts.w.sum(axis=1).tolist()
        weighted = not np.array_equal(counts.n, counts.w)
        small = 10.0 if classes <= 6 else SMALL
        names = [wrapped(label, 16, lines=2) for label in counts.labels.tolist()]
        if classes <= 12:
            names = [f"{name}\n({amount(w)})" for name, w in zip(names, in_truth, strict=True)]
        ax.set_yticks(range(classes), names, fontsize=small)
        upright = answers <= _MOST_UPRIGHT
        across = [
            wrapped(action, int(cell[0] / 0.09) if upright else 16, lines=3 if upright else 2)
            for action in counts.actions.tolist()
        ]
        ax.set_xticks(range(answers), across, fontsize=small)
        longest = max(text_width(name, small) for name in across)
        if not upright and longest > 0.9 * cell[0]:
            for text in ax.get_xticklabels():
                text.set(rotation=45, ha="right", va="top", rotation_mode="anchor")
        plain([*ax.get_xticklabels(), *ax.get_yticklabels()])
        name_axes(ax, "answer", "truth (sum of weights)" if weighted else "truth (rows)")
        ax.tick_params(length=0)
