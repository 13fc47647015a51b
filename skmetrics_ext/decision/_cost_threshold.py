"""A classifier that answers with the action of least expected cost."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import indexable
from sklearn.utils.metadata_routing import UNUSED
from sklearn.utils.validation import check_is_fitted

from skmetrics_ext._labels import group_column, label_array, same_label
from skmetrics_ext.costs import (
    CostMatrix,
    PerRowCosts,
    evaluate_cost_function,
    resolve_cost_matrix,
)
from skmetrics_ext.decision._before_fit import (
    check_estimator,
    classes_to_expect,
    has_two_classes,
)
from skmetrics_ext.decision._double_counting import DoubleCountingWarning, find_distortions, told
from skmetrics_ext.decision._fit_params import inner_fit_params
from skmetrics_ext.decision._rule import Rule, choose_rule, conditional_risk, decide
from skmetrics_ext.decision._wrapper import ClassifierWrapper

__all__ = ["CostThresholdClassifier"]


class CostThresholdClassifier(ClassifierWrapper):
    """Answer with what costs least on average, given a classifier's probabilities.

    With a missed case 100 times as dear as a false alarm, flag above 1 %: the answer is the
    action i of least risk, sum_j c[i, j] p_j, where c[i, j] is the cost of action i when the
    truth is j [1]_. There is nothing to tune and no threshold to search, in two classes or in
    many; it is as good as the probabilities are calibrated.

    Parameters
    ----------
    estimator : classifier with predict_proba
        Cloned in `fit`; a `FrozenEstimator` is used as it is, with the classes it knows.
    cost_matrix : CostMatrix, array-like of shape (K, K), callable or None, default=None
        A cost is in your own currency, per row; lower is better, a gain is negative.

        - `CostMatrix`: see there. It may have more actions than classes
          (``with_action("refer", cost=5)``): to decline is an action like any other [2]_.
        - array: c[i, j], the PREDICTION in the rows, the truth in the columns, in the order of
          `labels`. (scikit-learn prints confusion tables the other way:
          `CostMatrix.from_confusion_layout`.)
        - callable: costs that differ by row, ``f(X) -> (n, K, K)`` in the order of `labels`,
          or `CostMatrix.per_row`. It sees the X that this classifier sees: keep this wrapper
          outermost, around the whole pipeline, or it sees scaled amounts.
        - None: one per mistake, so that the most probable class is the answer.
    labels : array-like of shape (K,) or None, default=None
        The classes in the order of the rows and columns of `cost_matrix`; sorted by default.
        Required where the classes are words and an array does not cost all mistakes alike.

    Attributes
    ----------
    estimator_ : classifier
        The fitted classifier.
    classes_ : ndarray of shape (K,)
        The classes, as `estimator_` has them; the columns of `predict_proba`.
    actions_ : ndarray of shape (A,)
        What may be answered: the classes, then the other actions.
    cost_matrix_ : CostMatrix or callable
        The costs in the order of `classes_`; the callable itself where costs differ by row.
    pos_label_ : label or None
        The positive class where there are two: that of `CostMatrix.binary`, else the last
        label.
    threshold_ : float
        In [0, 1]: the probability of `pos_label_` from which on it is the answer,
        (c10 - c00) / ((c10 - c00) + (c01 - c11)) with 1 for positive and 0 for negative. NaN
        where no such threshold exists (see `rule_`).
    rule_ : {"threshold", "reversed", "always", "argmin"}
        "threshold": positive where its probability is `threshold_` or more. "reversed": both
        right answers cost more than the wrong ones. "always": one action costs no more than
        any other whatever the truth, so that it is the answer wherever costs differ. "argmin":
        least risk, in all other cases.
    n_features_in_ : int
        Only where `estimator_` has it.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Only where `estimator_` has it.

    See Also
    --------
    sklearn.model_selection.TunedThresholdClassifierCV : Search a threshold by cross-validation.
    sklearn.calibration.CalibratedClassifierCV : Calibrate probabilities first.

    Notes
    -----
    Risks within 4 eps of the largest regret are a tie, which goes to the positive class of two,
    to the first action of more. So `predict` equals ``p >= threshold_`` unless the two are
    within 8 eps. Nothing is divided to decide: dominated and reversed costs come out right.

    References
    ----------
    .. [1] Elkan, C. (2001). The foundations of cost-sensitive learning. IJCAI 17, 973-978.
    .. [2] Chow, C. K. (1970). On optimum recognition error and reject tradeoff. IEEE
       Transactions on Information Theory 16(1), 41-46. https://doi.org/10.1109/TIT.1970.1054406

    Examples
    --------
    In this data 0 is malignant. Missing it costs 100, a false alarm costs 1:

    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from skmetrics_ext.costs import CostMatrix
    >>> from skmetrics_ext.decision import CostThresholdClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = make_pipeline(StandardScaler(), LogisticRegression())
    >>> cost = CostMatrix.binary(false_negative=100, false_positive=1, pos_label=0)
    >>> classifier = CostThresholdClassifier(model, cost_matrix=cost).fit(X, y)
    >>> round(classifier.threshold_, 4)
    0.0099
    >>> flagged, flagged_by_majority = classifier.predict(X) == 0, model.fit(X, y).predict(X) == 0
    >>> int(flagged[y == 0].sum()), int(flagged_by_majority[y == 0].sum()), int((y == 0).sum())
    (211, 207, 212)
    """

    # Passed on to the estimator inside, which says for itself whether it wants it.
    __metadata_request__fit = {"sample_weight": UNUSED}

    def __init__(self, estimator: Any, *, cost_matrix: Any = None, labels: Any = None) -> None:
        self.estimator = estimator
        self.cost_matrix = cost_matrix
        self.labels = labels

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> Self:
        """Fit the classifier inside, and work out the rule.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or list of shape (n_samples, n_features)
            Whatever `estimator` takes; it is passed on unseen.
        y : array-like of shape (n_samples,)
            Labels: numbers, words or bools.
        sample_weight : array-like of shape (n_samples,) or None, default=None
            Passed on; to a Pipeline as ``<step>__sample_weight`` for every step that accepts
            it, unless metadata routing is on, which then decides.
        **fit_params : dict
            Passed on to ``estimator.fit``.

        Returns
        -------
        self : CostThresholdClassifier

        Raises
        ------
        ValueError
            Where `estimator` has no `predict_proba`; `y` has missing or continuous values, or
            one class only; `cost_matrix` is not of the right shape, not finite, does not fit
            the classes, or costs the same whatever is decided.

        Warns
        -----
        DoubleCountingWarning
            Where something inside `estimator` weighs classes or resamples rows, and nothing
            around it puts its probabilities right.
        """
        check_estimator(self.estimator, "costs are weighed by probabilities")
        classes = classes_to_expect(self, y, self.cost_matrix)
        X, y = indexable(X, y)
        self._work_out(X, classes)
        params = inner_fit_params(self, self.estimator, sample_weight, fit_params)
        estimator = clone(self.estimator).fit(X, y, **params)
        # A frozen or already fitted classifier somewhere inside may know more than y holds.
        costs, actions, rule = self._work_out(X, estimator.classes_)
        self.estimator_ = estimator
        self.classes_ = estimator.classes_
        self.actions_ = actions
        self.cost_matrix_ = costs
        self.pos_label_ = None if rule.positive is None else self.classes_[rule.positive]
        self.threshold_ = rule.threshold
        self.rule_ = rule.name
        self._rule = rule
        self._warn_of_what_was_found()
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Answer with the action of least risk.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or list of shape (n_samples, n_features)

        Returns
        -------
        actions : ndarray of shape (n_samples,)
            Values of `actions_`.
        """
        check_is_fitted(self)
        return self.actions_[self._decide(X)]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of rows answered right, in [0, 1]; a declined row counts as wrong.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or list of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,) or None, default=None

        Returns
        -------
        accuracy : float
            Higher is better. What it costs is told by `skmetrics_ext.metrics.cost_scorer`.

        Raises
        ------
        ValueError
            Where `y` holds one of the actions that are no class.
        """
        check_is_fitted(self)
        others = self.actions_[len(self.classes_) :]
        if len(others):
            column = group_column(y, name="y")
            clash = np.intersect1d(column.values[column.seen()], others)
            if len(clash):
                raise ValueError(
                    f"y must hold classes only; {clash.tolist()} are actions of cost_matrix beside "
                    f"the classes {self.classes_.tolist()}."
                )
        return super().score(X, y, sample_weight)

    def declined(self, X: Any) -> NDArray[np.bool_]:
        """Where the answer is no class but one of the other actions.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or list of shape (n_samples, n_features)

        Returns
        -------
        declined : ndarray of bool of shape (n_samples,)
        """
        check_is_fitted(self)
        return self._decide(X) >= len(self.classes_)

    def conditional_risk(self, X: Any) -> NDArray[np.float64]:
        """What each action costs on average, row by row: sum_j c[i, j] p_j.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or list of shape (n_samples, n_features)

        Returns
        -------
        risk : ndarray of shape (n_samples, A)
            In the currency of the costs, per row; columns in the order of `actions_`. Lower is
            better.
        """
        check_is_fitted(self)
        return conditional_risk(self._costs(X), self._probabilities(X))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if has_two_classes(self.cost_matrix):
            tags.classifier_tags.multi_class = False
        return tags

    # -----------------------------------------------------------------------------------------

    def _work_out(self, X: Any, classes: np.ndarray) -> tuple[Any, np.ndarray, Rule]:
        """The costs, the actions and the rule for these classes."""
        if callable(self.cost_matrix):
            costs, threshold = self.cost_matrix, np.nan
            actions: Any
            array, actions = evaluate_cost_function(costs, X, classes, labels=self.labels)
        else:
            costs = resolve_cost_matrix(self.cost_matrix, classes, labels=self.labels)
            array, actions, threshold = costs.to_array(), costs.actions, costs.threshold
        if len(actions) == len(classes):  # answers are then in the very type of the classes
            actions = classes
        return costs, actions, choose_rule(array, self._positive(costs, classes), threshold)

    def _positive(self, costs: Any, classes: np.ndarray) -> int | None:
        """The position of the positive class: the one the costs name, else the last label."""
        if len(classes) != 2:
            return None
        if isinstance(costs, (CostMatrix, PerRowCosts)):
            return int(same_label(classes[1], costs.pos_label))
        order = classes if self.labels is None else label_array(self.labels)
        last = [label for label in order if any(same_label(label, c) for c in classes)][-1]
        return int(same_label(classes[1], last))

    def _warn_of_what_was_found(self) -> None:
        if self._rule.action is not None:
            action = self.actions_.tolist()[self._rule.action]
            warnings.warn(
                f"cost_matrix={self.cost_matrix!r}: answering {action!r} costs no more than any "
                f"other answer, whatever the truth, so {action!r} is always the answer (but for "
                "ties). cost_matrix_.dominated() says more.",
                UserWarning,
                stacklevel=3,
            )
        if found := find_distortions(self.estimator_):
            warnings.warn(told(found), DoubleCountingWarning, stacklevel=3)

    def _decide(self, X: Any) -> NDArray[np.signedinteger]:
        return decide(self._costs(X), self._probabilities(X), self._rule)

    def _costs(self, X: Any) -> NDArray[np.float64]:
        if not callable(self.cost_matrix_):
            return self.cost_matrix_.to_array()
        return evaluate_cost_function(self.cost_matrix_, X, self.classes_, labels=self.labels)[0]

    def _probabilities(self, X: Any) -> NDArray[np.float64]:
        probabilities = np.asarray(self.estimator_.predict_proba(X), dtype=np.float64)
        if probabilities.ndim != 2 or probabilities.shape[1] != len(self.classes_):
            raise ValueError(
                f"estimator must give a probability for each of the {len(self.classes_)} "
                f"classes; got an array of shape {probabilities.shape}."
            )
        # One sum is NaN or infinite as soon as one probability is.
        if not np.isfinite(probabilities.sum()):
            rows = int((~np.isfinite(probabilities)).any(axis=1).sum())
            raise ValueError(f"estimator gives probabilities that are not finite in {rows} rows.")
        return probabilities
