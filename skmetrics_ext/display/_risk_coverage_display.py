"""How wrong the answers are if only the surest rows are answered."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.utils import indexable

from skmetrics_ext.display._from_estimator import check_classifier
from skmetrics_ext.display._style import (
    GREY,
    add_legend,
    axes_for,
    draw_once,
    name_axes,
    named,
    number,
    require_matplotlib,
)
from skmetrics_ext.metrics import (
    RiskCoverageCurve,
    coverage_score,
    risk_coverage_curve,
    selective_accuracy_score,
)
from skmetrics_ext.metrics._inside import extra_actions

__all__ = ["RiskCoverageDisplay"]


class RiskCoverageDisplay:
    """If only the surest rows are answered, how wrong are those answers?

    The share of wrong answers (risk, lower is better) against the share of rows answered
    (coverage): steps, since rows of equal confidence are answered together or not at all. The
    area under the steps is `area_under_risk_coverage_loss`. The flat line is what a confidence
    that knows nothing gets: the error rate of all rows.

    Make one by `from_estimator` or `from_predictions`; draw several models on the same axes by
    ``ax=display.ax_``.

    Parameters
    ----------
    curve : RiskCoverageCurve
        As `skmetrics_ext.metrics.risk_coverage_curve` makes it.
    name : str, default=None
        Of the model, for the legend.
    answered : (coverage, risk), default=None
        Of a classifier that declines rows by itself: a point to mark.

    Attributes
    ----------
    curve : RiskCoverageCurve
    line_ : Line2D
        Steps from coverage 0; the value at a coverage is that of the step that ends there.
    error_line_ : Line2D
    point_ : Line2D or None
    ax_ : Axes
    figure_ : Figure

    References
    ----------
    Geifman, Y. and El-Yaniv, R. (2017). Selective classification for deep neural networks.
    Advances in Neural Information Processing Systems 30. https://arxiv.org/abs/1705.08500

    Examples
    --------
    >>> from skmetrics_ext.display import RiskCoverageDisplay
    >>> display = RiskCoverageDisplay.from_predictions(
    ...     [0, 0, 1, 1], [0, 1, 1, 1], [0.9, 0.6, 0.9, 0.7]
    ... )
    >>> display.curve.coverage.tolist(), display.curve.risk.tolist()
    ([0.5, 0.75, 1.0], [0.0, 0.0, 0.25])
    """

    def __init__(
        self,
        curve: RiskCoverageCurve,
        *,
        name: str | None = None,
        answered: tuple[float, float] | None = None,
    ) -> None:
        if not isinstance(curve, RiskCoverageCurve):
            raise ValueError(
                "curve must be a RiskCoverageCurve, as risk_coverage_curve makes it; got "
                f"{curve!r}."
            )
        named(name, "")
        if answered is not None and not (
            np.shape(answered) == (2,) and all(0 <= share <= 1 for share in answered)
        ):
            raise ValueError(
                "answered must be two shares between 0 and 1, the coverage and the risk; got "
                f"{answered!r}."
            )
        self.curve, self.name, self.answered = curve, name, answered

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        sample_weight: Any = None,
        name: str | None = None,
        ax: Any = None,
    ) -> Self:
        """Draw how wrong a fitted classifier is on the rows it is surest of.

        Parameters
        ----------
        estimator : fitted classifier with predict_proba
            The confidence is the probability of its answer. Of one that declines rows by itself
            the answers are the most probable classes, and what it does decline is marked.
        X : array-like, sparse matrix or frame of shape (n_rows, n_features)
        y : array-like of shape (n_rows,)
        sample_weight : array-like of shape (n_rows,), default=None
        name : str, default=None
            By default the estimator's.
        ax : Axes, default=None
        """
        require_matplotlib(f"{cls.__name__}.from_estimator")
        check_classifier(estimator)
        if not hasattr(estimator, "predict_proba"):
            raise ValueError(
                "estimator must have predict_proba, whose values say how sure it is; got "
                f"{estimator!r}."
            )
        X, y = indexable(X, y)
        probabilities = np.asarray(estimator.predict_proba(X))
        classes = np.asarray(estimator.classes_)
        actions = extra_actions(estimator)
        answers = estimator.predict(X)
        answered = None
        if actions is None:
            columns = np.searchsorted(classes, answers)
        else:
            columns = probabilities.argmax(axis=1)
            asked = {"actions": actions, "labels": classes, "sample_weight": sample_weight}
            coverage = coverage_score(y, answers, **asked)
            if coverage > 0:
                answered = coverage, 1 - selective_accuracy_score(y, answers, **asked)
        confidence = probabilities[np.arange(len(columns)), columns]
        curve = risk_coverage_curve(y, classes[columns], confidence, sample_weight=sample_weight)
        name = type(estimator).__name__ if name is None else name
        return cls(curve, name=name, answered=answered).plot(ax)

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        confidence: Any,
        *,
        sample_weight: Any = None,
        name: str | None = None,
        ax: Any = None,
    ) -> Self:
        """Draw how wrong answers are by how sure they are.

        Parameters
        ----------
        y_true, y_pred : array-like of shape (n_rows,)
            Labels of any number of classes; none of the answers declined.
        confidence : array-like of shape (n_rows,)
            Higher where the answer is surer.
        sample_weight : array-like of shape (n_rows,), default=None
        name : str, default=None
            See the class.
        ax : Axes, default=None
        """
        require_matplotlib(f"{cls.__name__}.from_predictions")
        curve = risk_coverage_curve(y_true, y_pred, confidence, sample_weight=sample_weight)
        return cls(curve, name=name).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : Axes, default=None
            None: a new figure, 6 inches wide.
        """
        ax, self.figure_ = axes_for(ax, type(self).__name__, figsize=(6.0, 4.2), curves=True)
        self.ax_ = ax
        before = ax.get_ylim()[1] if ax.has_data() else 0.0
        curve = self.curve
        error = float(curve.risk[-1])
        self.error_line_ = draw_once(
            ax,
            [0.0, 1.0],
            [error, error],
            label=f"all answered: {number(error)} wrong",
            color=GREY,
            linestyle=(0, (1, 1)),
        )
        (self.line_,) = ax.plot(
            np.concatenate([[0.0], curve.coverage]),
            np.concatenate([curve.risk[:1], curve.risk]),
            drawstyle="steps-pre",
            label=f"{named(self.name, 'the surest first')} (area {number(curve.area)})",
            lw=2,
            zorder=3,
        )
        self.point_ = None
        if self.answered is not None:
            coverage, risk = self.answered
            (self.point_,) = ax.plot(
                [coverage],
                [risk],
                marker="D",
                markersize=8,
                linestyle="none",
                color=self.line_.get_color(),
                markeredgecolor="black",
                label=f"its own answers: {number(coverage)} answered, {number(risk)} wrong",
                zorder=4,
            )
        ax.set_xlim(0, 1)
        # The first rows may all be wrong, which says little: the axis is for the rest.
        drawn = [error, float(curve.risk[curve.coverage >= 0.05].max(initial=0.0))]
        drawn += [] if self.answered is None else [self.answered[1]]
        top = max(before, 1.08 * max(drawn)) or 1.0
        ax.set_ylim(-0.02 * top, top)
        name_axes(
            ax, "coverage: share of rows answered, the surest first", "risk: share of answers wrong"
        )
        add_legend(ax)
        return self
