"""A classifier whose threshold is the best of all, not of a grid."""

from __future__ import annotations

from functools import partial
from typing import Any, Self

import numpy as np
from sklearn.utils import check_random_state, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.validation import check_is_fitted

from skmetrics_ext._labels import same_label
from skmetrics_ext.counts._tabulate import check_sample_weight
from skmetrics_ext.decision._threshold_folds import cross_fit, is_prefit, values_at_cuts
from skmetrics_ext.decision._threshold_goal import wish_of
from skmetrics_ext.decision._threshold_interval import percentile_interval
from skmetrics_ext.decision._threshold_rows import (
    CENTERS,
    Rows,
    positive_scores,
    require_both,
    require_two,
    response_name,
    two_classes,
)
from skmetrics_ext.decision._threshold_search import best_cut
from skmetrics_ext.decision._wrapper import ClassifierWrapper
from skmetrics_ext.intervals._interval import check_level

__all__ = ["ExactThresholdClassifierCV"]


class ExactThresholdClassifierCV(ClassifierWrapper):
    """Move the threshold of a classifier to where a metric is best: of all cuts, not of a grid.

    The best cut for F1, for a cost, for recall while precision stays above 90 %: held-out scores
    of all folds are pooled, the metric is computed at every distinct score, and the best cut is
    taken. `TunedThresholdClassifierCV` of scikit-learn tries 100 evenly spaced thresholds and
    averages curves that it interpolates; the parameters have its names.

    Where what mistakes cost is known and probabilities are calibrated, nothing need be
    searched: `CostThresholdClassifier`.

    Parameters
    ----------
    estimator : classifier with predict_proba or decision_function
        Of two classes. Cloned in `fit`, unless ``cv="prefit"``; a `FrozenEstimator` is used as it
        is, on rows that it has not learnt from.
    scoring : str or scorer, default="balanced_accuracy"
        A metric of two classes that counts labels:

        - the name of a registered metric, such as "f1", "matthews_corrcoef", "youden" or
          "expected_cost"; losses are minimised;
        - a scorer of `skmetrics_ext.metrics.get_metric_scorer`, which can have parameters
          ("fbeta" with ``beta``, "expected_cost" with its ``cost_matrix``), or of `cost_scorer`;
        - scikit-learn's scorer of the same metric, such as "f1_macro" or
          ``make_scorer(fbeta_score, beta=2, pos_label="ill")``.
    constraint : (metric, ">=" or "<=", number) or None, default=None
        What the threshold must satisfy on the pooled rows, in the metric's own units:
        ``("precision", ">=", 0.9)``, or ``("predicted_positive_rate", "<=", 0.02)`` for a team
        that can look at two in a hundred. The metric is a registered name or a scorer of
        `get_metric_scorer`; where it is undefined it satisfies nothing.
    response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
        What gives the scores; "auto" is the first of the two that `estimator` has.
    pos_label : label or None, default=None
        The positive class, which higher scores speak for. None: the one that the scorer or
        `CostMatrix.binary` names; else 1 or True beside 0, -1 or False; else the last of the
        sorted classes, if the metric is the same for both (others raise: name it).
    cv : int, float, splitter, iterable, "prefit" or None, default=None
        - None: five stratified folds; an int: that many;
        - a float in (0, 1): one stratified split, drawn once, with that share held out;
        - a splitter, or an iterable of (train, test) indices;
        - "prefit": `estimator` is fitted already, on other rows than those of `fit`.
    refit : bool, default=True
        Whether to fit on all rows once the threshold is found. False needs one split, whose
        classifier is then kept, or ``cv="prefit"``, which needs it.
    n_jobs : int or None, default=None
        Folds that are fitted in parallel.
    random_state : int, RandomState instance or None, default=None
        Draws the split of a float `cv`, and the rows of `threshold_interval`.
    store_cv_results : bool, default=False
        Whether to keep the values at every threshold.

    Attributes
    ----------
    estimator_ : classifier
        The fitted classifier.
    best_threshold_ : float
        Answer `pos_label_` where its score is this or more. It is the midpoint between two
        distinct scores (the upper one where no number is strictly between); infinity (NaN where
        a score is infinite itself) where no row, and minus infinity where every row is to be
        answered so.
    best_score_ : float
        The score at `best_threshold_` on the pooled held-out rows, as a scorer returns it: higher
        is better, losses negated. In-sample, optimistic: the threshold was chosen on the very
        rows. Score other rows, or cross-validate this classifier, for an honest one.
    cv_results_ : dict of ndarrays of shape (n_thresholds,)
        Only with `store_cv_results`. "thresholds", from the highest down; "scores", the score of
        the pooled rows at each (in-sample, optimistic); "split0_scores" and so on, that of each
        fold's held-out rows; with a constraint "constraint_values". NaN where undefined.
    classes_ : ndarray of shape (2,)
        The classes; the columns of `predict_proba`.
    pos_label_ : label
        The positive class.
    n_features_in_ : int
        Only where `estimator_` has it.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Only where `estimator_` has it.

    See Also
    --------
    CostThresholdClassifier : The threshold that costs imply, without any search.
    sklearn.model_selection.TunedThresholdClassifierCV : A grid of thresholds, any scorer.

    Notes
    -----
    Scores of different fold models are pooled, as if one model had given them all. That misleads
    where those models are not on one scale: small folds, unstable models, `decision_function`
    values whose spread depends on the fold, probabilities that are calibrated in one fold and
    not in the next. "split0_scores" and its like in `cv_results_` show it: folds whose best
    thresholds are far apart. Calibrate inside `estimator`, or use one split (a float `cv`).
    A mean of the folds' scores, as scikit-learn takes it, misleads where folds hold few
    positives: a mean of rates is not the rate of all rows.

    Rows of equal scores are never told apart. Thresholds whose values are equal up to rounding
    are a tie, which goes to the one nearest to 0.5 (0 for a decision function).

    `OneVsRestClassifier` asks its classifiers for probabilities, not answers, and so ignores the
    thresholds of those inside it. For several classes fit one of these per class, on
    ``y == label``, and read each answer by itself; or weigh mistakes by a cost matrix of all
    classes in `CostThresholdClassifier`.

    Examples
    --------
    In this data 0 is malignant. As few benign ones flagged as can be, while 99 % of the malignant
    are found:

    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from skmetrics_ext.decision import ExactThresholdClassifierCV
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = make_pipeline(StandardScaler(), LogisticRegression())
    >>> classifier = ExactThresholdClassifierCV(
    ...     model, scoring="specificity", constraint=("recall", ">=", 0.99), pos_label=0
    ... ).fit(X, y)
    >>> round(classifier.best_threshold_, 2), round(classifier.best_score_, 3)
    (0.07, 0.877)
    """

    # Rows are counted by their weights, whatever the estimator inside wants.
    __metadata_request__fit = {"sample_weight": True}

    def __init__(
        self,
        estimator: Any,
        *,
        scoring: Any = "balanced_accuracy",
        constraint: Any = None,
        response_method: str = "auto",
        pos_label: Any = None,
        cv: Any = None,
        refit: bool = True,
        n_jobs: int | None = None,
        random_state: Any = None,
        store_cv_results: bool = False,
    ) -> None:
        self.estimator = estimator
        self.scoring = scoring
        self.constraint = constraint
        self.response_method = response_method
        self.pos_label = pos_label
        self.cv = cv
        self.refit = refit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.store_cv_results = store_cv_results

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> Self:
        """Find the best threshold on held-out rows, and fit the classifier inside.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or list of shape (n_samples, n_features)
            Whatever `estimator` takes; it is passed on unseen.
        y : array-like of shape (n_samples,)
            Labels of two classes: numbers, words or bools.
        sample_weight : array-like of shape (n_samples,) or None, default=None
            Not negative. The held-out rows are counted by them, and they are passed on as fit
            parameters are; to a Pipeline as ``<step>__sample_weight`` for every step that accepts
            it, unless metadata routing is on, which then decides what is passed on.
        **params : dict
            Passed on to ``estimator.fit``, of each fold the part of its rows. ``groups`` goes to
            the splitter instead, unless metadata routing is on, which then decides.

        Returns
        -------
        self : ExactThresholdClassifierCV

        Raises
        ------
        ValueError
            Where a parameter is not one of those described; `y` does not hold two classes, or
            the held-out rows that count do not; `pos_label` is no class, or must be named; or no
            threshold satisfies `constraint` (the closest is named).
        NotFittedError
            With ``cv="prefit"`` and an `estimator` that is not fitted.
        """
        method = response_name(self.estimator, self.response_method)
        wish = wish_of(self.scoring, self.constraint, self.pos_label)
        prefit = is_prefit(self, params)
        classes, codes = two_classes(self, y, fitted=prefit)
        X, y = indexable(X, y)
        if sample_weight is not None:
            sample_weight = check_sample_weight(sample_weight, len(codes))
        goal = wish.of(classes)
        positive = codes == goal.positive
        require_both(positive, sample_weight, "y, in the rows that count,")
        scores_of = partial(positive_scores, method=method, pos_label=classes[goal.positive])

        if prefit:
            folds = [Rows.of(scores_of(self.estimator, X), positive, sample_weight)]
            estimator = self.estimator
        else:
            folds, estimator = cross_fit(
                self, X, y, classes[codes], positive, sample_weight, params, scores_of
            )
            require_two(estimator.classes_)

        rows = Rows.pooled(folds)
        require_both(rows.positive, None, "The held-out rows")
        ranking = rows.ranking()
        cut = best_cut(ranking, goal.term, goal.sign, goal.limit, center=CENTERS[method])
        self.estimator_ = estimator
        self.classes_ = estimator.classes_
        self.pos_label_ = classes[goal.positive]
        self.best_threshold_ = cut.threshold
        self.best_score_ = goal.sign * cut.value
        self._rows, self._wish, self._method = rows, wish, method
        self.__dict__.pop("cv_results_", None)
        if self.store_cv_results:
            self.cv_results_ = values_at_cuts(ranking, folds, goal)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Answer the positive class where its score is `best_threshold_` or more.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or list of shape (n_samples, n_features)

        Returns
        -------
        labels : ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        # The scores are float64: a float32 score would be compared with a rounded threshold.
        scores = positive_scores(self.estimator_, X, self._method, self.pos_label_)
        last = int(same_label(self.classes_[1], self.pos_label_))
        # Looking up classes by place would make one more array of the rows.
        positive, negative = self.classes_[last : last + 1], self.classes_[1 - last : 2 - last]
        return np.where(scores >= self.best_threshold_, positive, negative)

    def threshold_interval(
        self, confidence_level: float = 0.95, n_resamples: int = 999
    ) -> tuple[float, float]:
        """How far would the threshold move if other rows of the same kind had been drawn?

        A percentile interval: the pooled held-out rows are drawn with replacement, with their
        scores as they are, and the best threshold of each draw is found. It takes the time of
        `n_resamples` searches; `fit` pays nothing for it.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1).
        n_resamples : int, default=999
            At least 1. Drawn by `random_state`.

        Returns
        -------
        low, high : float
            In the units of the scores; infinite where an end of the ranking is among the best.

        Warns
        -----
        UserWarning
            Where more than one in twenty draws have no threshold, and are left out.

        Notes
        -----
        Approximate: models are not fitted anew, and the best of many steps settles slowly, at the
        cube root of the number of rows, where the bootstrap is not consistent [1]_. It tells a
        threshold that is pinned down from one that is not. Rows that `cv` holds out several times
        (repeated folds) are drawn as so many rows, and the interval is too narrow.

        References
        ----------
        .. [1] Abrevaya, J. and Huang, J. (2005). On the bootstrap of the maximum score
           estimator. Econometrica 73(4), 1175-1204.
           https://doi.org/10.1111/j.1468-0262.2005.00613.x
        """
        check_is_fitted(self)
        check_level(confidence_level)
        whole = isinstance(n_resamples, (int, np.integer)) and not isinstance(n_resamples, bool)
        if not whole or n_resamples < 1:
            raise ValueError(f"n_resamples must be a whole number, 1 or more; got {n_resamples!r}.")
        return percentile_interval(
            self._rows,
            self._wish.of(self.classes_),
            center=CENTERS[self._method],
            confidence_level=confidence_level,
            n_resamples=int(n_resamples),
            rng=check_random_state(self.random_state),
        )

    def get_metadata_routing(self) -> MetadataRouter:
        """What goes to ``estimator.fit`` and to ``cv.split``, and what `fit` and `score` ask for.

        Returns
        -------
        routing : MetadataRouter
        """
        mapping = MethodMapping().add(caller="fit", callee="split")
        return super().get_metadata_routing().add(splitter=self.cv, method_mapping=mapping)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
