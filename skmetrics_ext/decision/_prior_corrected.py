"""A classifier whose probabilities are those of a population with another class mix."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils import indexable
from sklearn.utils.metadata_routing import UNUSED
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from skmetrics_ext.counts._tabulate import check_sample_weight
from skmetrics_ext.decision._before_fit import check_estimator, classes_to_expect, is_frozen
from skmetrics_ext.decision._double_counting import distorts_priors, find_distortions
from skmetrics_ext.decision._fit_params import inner_fit_params
from skmetrics_ext.decision._priors import correct_priors
from skmetrics_ext.decision._shares import class_totals, shares_in_order
from skmetrics_ext.decision._wrapper import ClassifierWrapper, gives_probabilities

__all__ = ["PriorCorrectedClassifier"]


class PriorCorrectedClassifier(ClassifierWrapper):
    """Probabilities for a population with another class mix than the training data.

    A test is learnt where every third patient is ill, and used where one in a hundred is: its
    probabilities are far too high there. If the ill look alike in both places and the healthy
    too, so that only their shares differ, Bayes' formula puts the probabilities right:

        p_k proportional to q_k * target_k / training_k

    for any number of classes [1]_; for two this is theorem 2 of [2]_. Put it inside a
    `CostThresholdClassifier` to decide by costs in the new population. It is as good as the
    probabilities are calibrated for the training shares.

    Parameters
    ----------
    estimator : classifier with predict_proba
        Cloned in `fit`; a `FrozenEstimator` is used as it is, with the classes it knows.
    target_priors : mapping {label: share}, array-like of shape (n_classes,) or None, default=None
        Class shares of the population that is answered for, each in [0, 1], with sum 1. An array
        is in the order of `classes_`, which are sorted (words by alphabet); a mapping, or a
        pandas Series with the labels as index, names them and must name all. An answer of
        `estimate_priors` can stand here. None: the population is that of the training data, and
        the probabilities stay as `estimator` gives them.
    training_priors : mapping {label: share}, array-like of shape (n_classes,) or None, default=None
        Class shares that the probabilities of `estimator` are for, likewise; positive where
        `target_priors` is. None: those of `y` in `fit`, in sums of `sample_weight` where
        `estimator` is given it. They must be named where `y` cannot tell them: around a
        `FrozenEstimator`, which learnt from other rows, and around a resampler that leaves
        probabilities as they are. With ``class_weight="balanced"`` inside they are all
        1 / n_classes.

    Attributes
    ----------
    estimator_ : classifier
        The fitted classifier.
    classes_ : ndarray of shape (n_classes,)
        The classes, as `estimator_` has them; the columns of `predict_proba`.
    target_priors_ : ndarray of shape (n_classes,) or None
        The shares corrected to, in the order of `classes_`; None where nothing is corrected.
    training_priors_ : ndarray of shape (n_classes,) or None
        The shares corrected from; None where they are not known (then nothing is corrected).
    n_features_in_ : int
        Only where `estimator_` has it.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Only where `estimator_` has it.

    See Also
    --------
    estimate_priors : Find the target's shares from probabilities on rows without labels.
    CostThresholdClassifier : Decide by costs on these probabilities.
    skmetrics_ext.imbalance.ResampledClassifier : Resamples, and corrects for it by itself.

    References
    ----------
    .. [1] Saerens, M., Latinne, P. and Decaestecker, C. (2002). Adjusting the outputs of a
       classifier to new a priori probabilities: a simple procedure. Neural Computation 14,
       21-41. https://doi.org/10.1162/089976602753284446
    .. [2] Elkan, C. (2001). The foundations of cost-sensitive learning. IJCAI 17, 973-978.

    Examples
    --------
    Learnt where every second one is ill, used where one in ten is:

    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> from skmetrics_ext.decision import PriorCorrectedClassifier
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat(["healthy", "ill"], 500)
    >>> X = rng.normal(2.0 * (y == "ill"))[:, None]
    >>> classifier = PriorCorrectedClassifier(
    ...     LogisticRegression(), target_priors={"healthy": 0.9, "ill": 0.1}
    ... ).fit(X, y)
    >>> classifier.training_priors_
    array([0.5, 0.5])
    >>> classifier.estimator_.predict_proba([[1.5]]).round(2)
    array([[0.25, 0.75]])
    >>> classifier.predict_proba([[1.5]]).round(2)
    array([[0.75, 0.25]])
    >>> classifier.predict([[1.5]])
    array(['healthy'], dtype='<U7')
    """

    # Passed on to the estimator inside, which says for itself whether it wants it.
    __metadata_request__fit = {"sample_weight": UNUSED}

    def __init__(
        self, estimator: Any, *, target_priors: Any = None, training_priors: Any = None
    ) -> None:
        self.estimator = estimator
        self.target_priors = target_priors
        self.training_priors = training_priors

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> Self:
        """Fit the classifier inside, and note the class shares.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or list of shape (n_samples, n_features)
            Whatever `estimator` takes; it is passed on unseen.
        y : array-like of shape (n_samples,)
            Labels: numbers, words or bools.
        sample_weight : array-like of shape (n_samples,) or None, default=None
            Passed on; to a Pipeline as ``<step>__sample_weight`` for every step that accepts
            it, unless metadata routing is on, which then decides. The class shares are weighted
            as the estimator (the last step of a Pipeline) is.
        **fit_params : dict
            Passed on to ``estimator.fit``.

        Returns
        -------
        self : PriorCorrectedClassifier

        Raises
        ------
        ValueError
            Where `estimator` has no `predict_proba`; `y` has missing or continuous values, or
            one class only; priors do not name the classes, do not sum to 1, or are positive in
            the target for a class without a share in training; or `training_priors` must be
            named and are not.
        """
        check_estimator(self.estimator, "it is probabilities that are corrected")
        classes = classes_to_expect(self, y)
        X, y = indexable(X, y)
        params = inner_fit_params(self, self.estimator, sample_weight, fit_params)
        weights = _weights_that_reach(self.estimator, params)
        self._work_out(y, weights, classes)
        estimator = clone(self.estimator).fit(X, y, **params)
        # A frozen or already fitted classifier somewhere inside may know more than y holds.
        target, training = self._work_out(y, weights, estimator.classes_)
        self.estimator_ = estimator
        self.classes_ = estimator.classes_
        self.target_priors_ = target
        self.training_priors_ = training
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The most probable class by `predict_proba`; the first of those that tie.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or list of shape (n_samples, n_features)

        Returns
        -------
        labels : ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        return self.classes_[np.argmax(self.predict_proba(X), axis=1)]

    @available_if(gives_probabilities)
    def predict_proba(self, X: Any) -> np.ndarray:
        """Probability of each class in the population of `target_priors`.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or list of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
            In [0, 1], columns in the order of `classes_`; each row sums to 1. The estimator's
            own where `target_priors` is None.
        """
        check_is_fitted(self)
        probabilities = self.estimator_.predict_proba(X)
        if self.target_priors_ is None:
            return probabilities
        return correct_priors(probabilities, self.target_priors_, self.training_priors_)

    @property
    def _changes_probabilities(self) -> bool:
        return self.target_priors_ is not None

    @property
    def _distorts_priors(self) -> bool:
        """Whether probabilities are still those of resampled rows: what decides by costs asks."""
        return self.target_priors is None and distorts_priors(self.estimator)

    # -----------------------------------------------------------------------------------------

    def _work_out(
        self, y: Any, weights: Any, classes: np.ndarray
    ) -> tuple[np.ndarray | None, np.ndarray | None]:
        """The shares of the target and of the training, in the order of these classes."""
        target = None
        if self.target_priors is not None:
            target = shares_in_order(self.target_priors, classes, "target_priors")
        training = self._training_shares(y, weights, classes)
        if target is None:
            return None, training
        if training is None:
            raise ValueError(
                "training_priors must name the class shares that the probabilities of "
                f"estimator={self.estimator!r} are for: it is frozen, resamples or weighs "
                "classes, so that they are not those of y. Pass the shares of the rows it learnt "
                "from, such as training_priors={label: share, ...}."
            )
        unseen = (training == 0) & (target > 0)
        if unseen.any():
            k = int(np.flatnonzero(unseen)[0])
            raise ValueError(
                f"training_priors must be positive where target_priors is: class "
                f"{classes.tolist()[k]!r} has the target {target[k]:.6g} and no share in training, "
                "so nothing was learnt about it."
            )
        return target, training

    def _training_shares(self, y: Any, weights: Any, classes: np.ndarray) -> np.ndarray | None:
        """The shares that the probabilities are for; None where nobody says."""
        if self.training_priors is not None:
            return shares_in_order(self.training_priors, classes, "training_priors")
        if is_frozen(self.estimator) or find_distortions(self.estimator):
            return None
        if weights is not None:
            weights = check_sample_weight(weights, len(y))
        totals = class_totals(y, classes, weights)
        return totals / totals.sum()


def _weights_that_reach(estimator: Any, params: dict[str, Any]) -> Any:
    """The row weights among the fit parameters that the last step is given, or None."""
    name = "sample_weight"
    if name in params:
        return params[name]
    prefix = ""
    while isinstance(estimator, Pipeline):
        step, estimator = estimator.steps[-1]
        prefix += f"{step}__"
    return params.get(prefix + name)
