"""Where the money is lost: by probabilities that are off, or by a ranking that is."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import Any, Literal

import numpy as np

from skmetrics_ext.counts import ConfusionCounts
from skmetrics_ext.counts._frames import to_frame
from skmetrics_ext.inspection._cost_interval import difference_interval, mean_interval
from skmetrics_ext.inspection._cost_range import CostRange, cost_range, is_range
from skmetrics_ext.inspection._cost_rows import CostedRows, cost_rows, rate
from skmetrics_ext.inspection._cost_threshold_moved import Moved, draw_folds, move_threshold
from skmetrics_ext.intervals._interval import check_level

__all__ = ["CostBreakdown", "cost_breakdown"]


@dataclass(frozen=True, repr=False, eq=False)
class CostBreakdown:
    """What a classifier's decisions cost per row, and what they could have cost.

    All costs are means per row in the currency of the costs; lower is better.

    Attributes
    ----------
    expected : float
        What the classifier's own probabilities say that its decisions cost.
    realised, low, high, se : float
        What they did cost, with its interval and standard error.
    reachable : float
        What the same ranking would have cost at the cheapest threshold, each fold's chosen on
        the other folds. NaN where there is no one threshold to move (see `reason`).
    constant : float
        The cheapest answer given to all rows, chosen on these rows.
    oracle : float
        Every row given its cheapest answer.
    calibration, calibration_low, calibration_high : float
        realised - reachable, with its interval: what another threshold would have saved. NaN
        where `reachable` is.
    ranking : float
        reachable - oracle: what is lost at any threshold. NaN where `reachable` is.
    constant_answer : label
    threshold : float
        The probability of `pos_label` from which on it is the answer; NaN where there is none.
    thresholds : ndarray of shape (n_folds,)
        Those of the folds; where costs differ by row, what the odds of every row's own threshold
        are multiplied with.
    pos_label : label or None
    n, n_lossy, n_moved : int
        Rows; rows whose answer was not the cheapest; rows that are decided otherwise for
        `reachable`. Rows of weight zero count in `n` alone.
    confidence_level : float
    method : str
        How `low` and `high` were found.
    reason : str or None
        Why there is no threshold to move.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> from skmetrics_ext.costs import CostMatrix
    >>> from skmetrics_ext.inspection import cost_breakdown
    >>> y = np.arange(200) % 5 // 4
    >>> X = np.random.default_rng(0).normal(2 * y)[:, None]
    >>> model = LogisticRegression().fit(X[:100], y[:100])
    >>> found = cost_breakdown(model, X[100:], y[100:], CostMatrix.binary(false_negative=4))
    >>> round(found.realised, 3), round(found.constant, 3), round(found.oracle, 3)
    (0.16, 0.8, 0.0)
    >>> found.lost_by
    'ranking'
    """

    expected: float
    realised: float
    low: float
    high: float
    se: float
    reachable: float
    constant: float
    oracle: float
    calibration: float
    calibration_low: float
    calibration_high: float
    ranking: float
    constant_answer: Any
    threshold: float
    thresholds: np.ndarray = field(repr=False)
    pos_label: Any
    n: int
    n_lossy: int
    n_moved: int
    confidence_level: float
    method: str
    reason: str | None = None

    @property
    def lost_by(self) -> Literal["nothing", "calibration", "ranking"] | None:
        """What loses the most; None where no threshold tells.

        "calibration" where another threshold would have saved more than half of what is lost,
        and surely something; "ranking" where it would not; "nothing" where nothing is lost.
        """
        if self.n_lossy == 0:
            return "nothing"
        if np.isnan(self.reachable):
            return None
        sure = self.calibration_low > 0
        return "calibration" if sure and self.calibration > self.ranking else "ranking"

    @property
    def sentence(self) -> str:
        """Whether calibration or ranking loses the money, in words."""
        if self.n_lossy == 0:
            return "Nothing is lost: every row got its cheapest answer."
        lost = f"of the {_number(self.realised - self.oracle)} a row above the oracle"
        saved = (
            f"{_number(self.calibration)} [{_number(self.calibration_low)}, "
            f"{_number(self.calibration_high)}]"
        )
        if self.lost_by is None:
            return (
                f"Calibration and ranking cannot be told apart by a threshold: {self.reason}. "
                f"{self._promise()}"
            )
        if self.lost_by == "calibration":
            return (
                f"Calibration loses the money: {lost}, another threshold on the same ranking "
                f"saves {saved}; ranking loses the other {_number(self.ranking)}. Calibrate the "
                "probabilities."
            )
        if self.calibration_low > 0:
            return (
                f"Ranking loses most of the money: {lost}, {_number(self.ranking)} stay at any "
                f"threshold; calibration loses {saved}, which another threshold saves."
            )
        return (
            f"Ranking loses the money: {lost}, another threshold saves nothing that these rows "
            f"could tell ({saved}). A better threshold does not help, a better model might."
        )

    def _promise(self) -> str:
        if self.low <= self.expected <= self.high:
            return "What its probabilities expect is within what these rows can tell."
        side = "less" if self.expected < self.low else "more"
        return f"Its probabilities expect {side} than it costs: they are not calibrated."

    def _lines(self) -> list[str]:
        percent = f"{100 * self.confidence_level:g} %"
        lines = [
            f"{_rows(self.n)}, costs per row",
            f"its own probabilities expect {_number(self.expected)}",
            f"its decisions cost {_number(self.realised)} [{_number(self.low)}, "
            f"{_number(self.high)}] ({percent} interval; {self.n_lossy} of {_rows(self.n)} got an "
            "answer that was not the cheapest)",
        ]
        if self.reason is None:
            folds = len(self.thresholds)
            lines.append(
                f"another threshold reaches {_number(self.reachable)} (cross-fitted over {folds} "
                f"folds: {self._moved_to()}; {self.n_moved} of {_rows(self.n)} decided otherwise)"
            )
        else:
            lines.append(f"what another threshold reaches is not known: {self.reason}")
        lines += [
            f"always answering {self.constant_answer!r} costs {_number(self.constant)}, the "
            "least of all constant answers on these rows",
            f"giving every row its cheapest answer costs {_number(self.oracle)}",
            self.sentence,
        ]
        if self.realised >= self.constant and self.n_lossy:
            lines.append(
                f"Always answering {self.constant_answer!r} would have cost no more than its "
                "decisions did."
            )
        return lines

    def _moved_to(self) -> str:
        least, most = float(self.thresholds.min()), float(self.thresholds.max())
        span = f"{least:.3g}" if least == most else f"{least:.3g} to {most:.3g}"
        if np.isnan(self.threshold):
            return f"the odds of every row's own threshold times {span}"
        return f"{span} instead of {self.threshold:.3g}"

    def columns(self) -> dict[str, list[Any]]:
        """One row per cost: its name, the mean per row, and its limits where it has some.

        Returns
        -------
        columns : dict of list
        """
        nan = float("nan")
        limits = {
            "realised": (self.low, self.high),
            "calibration": (self.calibration_low, self.calibration_high),
        }
        names = ["expected", "realised", "reachable", "constant", "oracle"]
        names += ["calibration", "ranking"]
        return {
            "part": names,
            "cost": [getattr(self, name) for name in names],
            "low": [limits.get(name, (nan, nan))[0] for name in names],
            "high": [limits.get(name, (nan, nan))[1] for name in names],
        }

    def to_frame(self, backend: str = "pandas") -> Any:
        """One row per cost, as a pandas, polars or pyarrow table.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default="pandas"
        """
        return to_frame(self.columns(), backend)

    def __repr__(self) -> str:
        return "\n".join(self._lines())

    def _repr_html_(self) -> str:
        head, *lines = (escape(line) for line in self._lines())
        return f"<p>{head}</p><ul>{''.join(f'<li>{line}</li>' for line in lines)}</ul>"


def cost_breakdown(
    estimator: Any,
    X: Any,
    y: Any,
    cost_matrix: Any,
    *,
    labels: Any = None,
    cv: Any = 5,
    sample_weight: Any = None,
    confidence_level: float = 0.95,
) -> CostBreakdown | CostRange:
    """Where is the money lost: by probabilities that are off, or by a ranking that is?

    Compares what a fitted classifier's decisions of least expected cost did cost with what its
    own probabilities expected, with what another threshold on the same ranking would have cost,
    and with the two ends: one answer for all rows, and an oracle. What a threshold can win is
    calibration, and cheap to repair; what is left is ranking, and needs a better model.

    Parameters
    ----------
    estimator : fitted classifier with predict_proba
        It is not fitted again. A `CostThresholdClassifier` is taken by its probabilities.
    X : array-like, sparse matrix, frame or list of shape (n_samples, n_features)
        Rows that `estimator` was not fitted on: on those that it was, all costs are in-sample
        and optimistic.
    y : array-like of shape (n_samples,)
        Their true labels.
    cost_matrix : CostMatrix, array-like of shape (K, K), callable, None, or a pair of them
        As in `CostThresholdClassifier`, also costs that differ by row. A tuple (low, high) of
        two says between what every cost lies; the answer is then a `CostRange`.
    labels : array-like of shape (K,) or None, default=None
        The classes in the order of the rows and columns of `cost_matrix`.
    cv : int, cross-validation generator or iterable, default=5
        The folds of these rows over which the threshold is cross-fitted: each fold is paid for at
        the threshold that is the cheapest on the others. Every row must be tested once. Not
        looked at with more than two classes.
    sample_weight : array-like of shape (n_samples,) or None, default=None
    confidence_level : float, default=0.95

    Returns
    -------
    CostBreakdown or CostRange
        Prints as sentences; ``.columns()`` and ``.to_frame()`` hold the numbers.

    Raises
    ------
    ValueError
        Where `estimator` has no `predict_proba` or gives no probabilities; `y` holds a label that
        it does not know; `cost_matrix` is refused, as in `CostThresholdClassifier`; `cv` does
        not test every row once; or `confidence_level` is not between 0 and 1.
    NotFittedError
        Where `estimator` is not fitted.

    See Also
    --------
    skmetrics_ext.metrics.expected_cost_loss : The cost of given answers.
    skmetrics_ext.decision.CostThresholdClassifier : The decisions of least expected cost.

    Notes
    -----
    Two classes have a threshold; with more, or with an action beside them ("refer"), `reachable`
    is NaN, and the sentence says only whether the probabilities expect what is paid.

    The threshold stays where the costs put it unless another one is cheaper on the other folds.
    Where costs differ by row each row has its own threshold t, and the odds t / (1 - t) of all of
    them are multiplied with one number. Rows in which a wrong answer costs no more than the
    right one have no threshold, and keep their answer.

    The interval of `realised` is that of `ConfusionCounts.estimate` where the costs are the same
    for all rows, else its analogue from sum w^2 (c - mean)^2, which was seen to cover 93 to 95 %
    with 12 to 20 lost rows of lognormal amounts (value -+ z se: 88 to 90), and 87 with a log
    standard deviation of 1.5. That of `calibration` is value -+
    z se over the differences row by row; it does not know that thresholds vary with the rows
    they are chosen on. `ranking` includes what no model could know.

    Examples
    --------
    Trained where every second row is positive, used where one in ten is: the ranking is good,
    and the probabilities are far too high.

    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> from skmetrics_ext.costs import CostMatrix
    >>> from skmetrics_ext.inspection import cost_breakdown
    >>> rng = np.random.default_rng(0)
    >>> y_even, y = np.arange(2000) % 2, np.arange(2000) % 10 // 9
    >>> X_even, X = rng.normal(5 * y_even)[:, None], rng.normal(5 * y)[:, None]
    >>> model = LogisticRegression().fit(X_even, y_even)
    >>> cost = CostMatrix.binary(false_negative=20)
    >>> found = cost_breakdown(model, X, y, cost)
    >>> print(found.sentence)  # doctest: +NORMALIZE_WHITESPACE
    Calibration loses the money: of the 0.0425 a row above the oracle, another threshold on the
    same ranking saves 0.041 [0.03231, 0.04969]; ranking loses the other 0.0015. Calibrate the
    probabilities.
    """
    check_level(confidence_level)
    rated = rate(estimator, X, y, sample_weight)
    # Of more than two classes no threshold is moved, and rare ones need not fill the folds.
    folds = draw_folds(rated, cv) if len(rated.classes) == 2 else []
    if not is_range(cost_matrix):
        rows = cost_rows(rated, cost_matrix, labels)
        return _broken_down(rows, move_threshold(rows, folds), confidence_level)
    both = [cost_rows(rated, costs, labels) for costs in cost_matrix]
    ends = [_broken_down(rows, move_threshold(rows, folds), confidence_level) for rows in both]
    return cost_range(both[0], both[1], ends[0], ends[1])


def _broken_down(rows: CostedRows, moved: Moved, confidence_level: float) -> CostBreakdown:
    weights = rows.rated.weights
    share = weights / weights.sum()
    cheapest = rows.of_actions.min(axis=1)
    constants = share @ rows.of_actions
    best = int(constants.argmin())
    realised, oracle = float(share @ rows.paid), float(share @ cheapest)
    reachable = saved = saved_low = saved_high = float("nan")
    if moved.paid is not None:
        difference = rows.paid - moved.paid
        reachable, saved = float(share @ moved.paid), float(share @ difference)
        _, saved_low, saved_high = difference_interval(difference, weights, confidence_level)
    (se, low, high), method = _interval(rows, confidence_level)
    labels = rows.rated.classes.tolist()
    return CostBreakdown(
        expected=float(share @ rows.expected),
        realised=realised,
        low=low,
        high=high,
        se=se,
        reachable=reachable,
        constant=float(constants[best]),
        oracle=oracle,
        calibration=saved,
        calibration_low=saved_low,
        calibration_high=saved_high,
        ranking=reachable - oracle,
        constant_answer=rows.actions.tolist()[best],
        threshold=rows.threshold,
        thresholds=moved.thresholds,
        pos_label=None if rows.positive is None else labels[rows.positive],
        n=len(weights),
        n_lossy=int(((rows.paid > cheapest) & (weights > 0)).sum()),
        n_moved=moved.n_moved,
        confidence_level=confidence_level,
        method=method,
        reason=moved.reason,
    )


def _interval(rows: CostedRows, level: float) -> tuple[tuple[float, float, float], str]:
    if rows.costs.ndim == 3:
        return mean_interval(rows, level), "sums of costs and of their squares, smoothed"
    counts = ConfusionCounts.from_predictions(
        rows.rated.y,
        rows.actions[rows.answers],
        labels=rows.rated.classes,
        actions=rows.actions,
        sample_weight=rows.rated.weights,
    )
    found = counts.estimate("expected_cost", cost_matrix=rows.costs, confidence_level=level)
    return (found.se, found.low, found.high), found.method


def _number(value: float) -> str:
    return f"{value:.4g}"


def _rows(n: int) -> str:
    return "1 row" if n == 1 else f"{n} rows"
