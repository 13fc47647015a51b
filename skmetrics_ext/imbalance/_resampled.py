"""A classifier that resamples its training rows in `fit`, and nowhere else."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import check_cv
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.validation import check_is_fitted

from skmetrics_ext.decision._fit_params import inner_fit_params
from skmetrics_ext.decision._priors import correct_priors
from skmetrics_ext.imbalance._rows import (
    class_shares,
    follow_sampler,
    select_rows,
    validated_target,
    validated_weights,
    weights_among,
)

__all__ = ["ResampledClassifier"]

_CORRECTIONS = ("auto", "prior", "none")


class ResampledClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """Resample the training rows inside `fit`, and put the probabilities back afterwards.

    Resampling before a split lets copies of one row stand on both sides of it, and every score
    is a dream. Here the sampler is a part of `fit`: in cross-validation it sees the training
    rows alone, and no validation fold ever holds a resampled row. A classifier trained on
    resampled rows also believes in the class shares it saw; its probabilities are put back to
    the shares before resampling, so that they can be compared with costs.

    Parameters
    ----------
    estimator : estimator
        A classifier with `predict_proba`. It is cloned. A
        :class:`~sklearn.frozen.FrozenEstimator` is accepted without a sampler only: it does not
        learn again, so there is nothing to undo.
    sampler : sampler or None, default=None
        An object with `fit_resample`, as in imbalanced-learn. It is cloned. None: nothing is
        changed, neither rows nor probabilities.
    correction : {"auto", "prior", "none"}, default="auto"
        How probabilities are put back to the class shares before resampling.

        - "prior": by the formula ``p_k proportional to q_k * prior_k / prior_seen_k`` [1]_ [2]_.
          It is exact where resampling changed the shares of the classes and not the rows within
          them, and the estimator follows the shares it sees. Logistic regression does; boosted
          trees and deep forests hardly respond to the shares, and are shifted too far.
        - "none": probabilities stay as the estimator gives them.
        - "auto": the choice of this package, at present "prior".
    cv : int, cross-validation generator, iterable or None, default=5
        The folds for corrections that are fitted on out-of-fold probabilities. None of the
        corrections above is, so at present the value is checked in `fit` (it must be one that
        :func:`~sklearn.model_selection.check_cv` takes) and changes no result.

    Attributes
    ----------
    estimator_ : estimator
        The classifier, fitted on the resampled rows.
    sampler_ : sampler or None
        The sampler, fitted.
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted; the columns of `predict_proba`.
    priors_ : ndarray of shape (n_classes,)
        Share of each class before resampling, in the sum of `sample_weight`.
    priors_seen_ : ndarray of shape (n_classes,)
        Share of each class in what the fitted estimator saw, in the sum of `sample_weight`.
        The same as `priors_` without a sampler.
    n_features_in_ : int
        Number of features seen in `fit`, if the estimator tells.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features seen in `fit`, if the estimator tells.

    See Also
    --------
    resampled_recipe : The same behind preprocessing, with the decision of least cost outermost.
    imblearn.pipeline.Pipeline : Resamples in `fit` as well, and leaves probabilities distorted.

    Notes
    -----
    `sample_weight` stays with its row under samplers that pick rows (those with
    `sample_indices_`, such as RandomUnderSampler and RandomOverSampler); rows of weight zero are
    dropped before sampling, and the sampler itself counts rows, not weights. Samplers that make
    rows (SMOTE and its kin) do not say which rows a new one came from, so only equal weights are
    accepted.

    References
    ----------
    .. [1] Saerens, M., Latinne, P. and Decaestecker, C. (2002). Adjusting the outputs of a
       classifier to new a priori probabilities: a simple procedure. Neural Computation 14,
       21-41. https://doi.org/10.1162/089976602753284446
    .. [2] Dal Pozzolo, A., Caelen, O., Johnson, R. A. and Bontempi, G. (2015). Calibrating
       probability with undersampling for unbalanced classification. IEEE SSCI 2015.
       https://doi.org/10.1109/SSCI.2015.33

    Examples
    --------
    One row in 25 is positive. Undersampled, the estimator believes in one in four on average;
    put back, it is near the truth again:

    >>> from imblearn.under_sampling import RandomUnderSampler
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from skmetrics_ext.imbalance import ResampledClassifier
    >>> X, y = make_classification(
    ...     n_samples=5000, n_features=10, n_informative=5, weights=[0.966], random_state=0
    ... )
    >>> clf = ResampledClassifier(
    ...     LogisticRegression(max_iter=1000), sampler=RandomUnderSampler(random_state=0)
    ... ).fit(X, y)
    >>> clf.priors_.round(3), clf.priors_seen_
    (array([0.961, 0.039]), array([0.5, 0.5]))
    >>> print(round(clf.estimator_.predict_proba(X)[:, 1].mean(), 2))
    0.25
    >>> print(round(clf.predict_proba(X)[:, 1].mean(), 2))
    0.03
    """

    # The shares need weights wherever the estimator does, so its own request is enough.
    __metadata_request__fit = {"sample_weight": True}  # noqa: RUF012

    def __init__(
        self, estimator: Any, *, sampler: Any = None, correction: str = "auto", cv: Any = 5
    ) -> None:
        self.estimator = estimator
        self.sampler = sampler
        self.correction = correction
        self.cv = cv

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> ResampledClassifier:
        """Resample the rows and fit the estimator on them.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Training rows. Only the sampler and the estimator look at them.
        y : array-like of shape (n_samples,)
            Class labels, of at least two classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows, not negative. With metadata routing on they go to the estimator
            if it requests them, and count for nothing if it does not; with routing off straight
            to its `fit`, and to every step of a Pipeline that takes them.
        **params : dict
            Passed on to ``estimator.fit``. What has one entry per row follows the rows through
            the sampler, as weights do.

        Returns
        -------
        self : ResampledClassifier

        Raises
        ------
        ValueError
            If a parameter is not one of those described, `y` holds one class only or missing
            values, weights are negative, NaN, all zero or (with samplers that make rows) not
            equal, or the sampler leaves no row of some class.
        """
        _check_estimator(self.estimator, self.sampler)
        _check_options(self.correction, self.cv)
        X, y = indexable(X, y)
        y = validated_target(y)
        if sample_weight is not None:
            sample_weight = validated_weights(sample_weight, len(y))
        fit_params = inner_fit_params(self, self.estimator, sample_weight, params)
        weights = weights_among(fit_params, len(y))
        if not _is_frozen(self.estimator):
            _check_two_classes(y, "y holds")

        if self.sampler is None:
            self._fit_plain(X, y, weights, fit_params)
        else:
            self._fit_resampled(X, y, weights, fit_params)

        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        return self

    def _fit_plain(
        self, X: Any, y: np.ndarray, weights: np.ndarray | None, fit_params: dict[str, Any]
    ) -> None:
        self.sampler_ = None
        self.estimator_ = clone(self.estimator).fit(X, y, **fit_params)
        # Not those of y: a frozen estimator has classes that y may lack.
        self.classes_ = self.estimator_.classes_
        self.priors_ = class_shares(y, self.classes_, weights)
        self.priors_seen_ = self.priors_.copy()

    def _fit_resampled(
        self, X: Any, y: np.ndarray, weights: np.ndarray | None, fit_params: dict[str, Any]
    ) -> None:
        if weights is not None and not weights.all():
            kept = np.flatnonzero(weights)
            fit_params = select_rows(fit_params, len(y), kept)
            X = select_rows({"X": X}, len(y), kept)["X"]
            y, weights = y[kept], weights[kept]
            _check_two_classes(y, "the rows of positive sample_weight hold")
        classes = np.unique(y)
        self.priors_ = class_shares(y, classes, weights)

        sampler = clone(self.sampler)
        X_resampled, y_resampled = sampler.fit_resample(X, y)
        y_resampled = np.asarray(y_resampled)
        fit_params = follow_sampler(fit_params, sampler, y, y_resampled)
        if weights is not None:
            followed = follow_sampler({"sample_weight": weights}, sampler, y, y_resampled)
            weights = followed["sample_weight"]
        self.priors_seen_ = class_shares(y_resampled, classes, weights)
        if not self.priors_seen_.all():
            lost = classes[self.priors_seen_ == 0].tolist()
            raise ValueError(
                f"sampler={self.sampler!r} left no row of {lost}: a class that is never seen "
                "cannot be learnt, and its probability cannot be put back."
            )
        self.estimator_ = clone(self.estimator).fit(X_resampled, y_resampled, **fit_params)
        self.sampler_ = sampler
        self.classes_ = classes

    def predict_proba(self, X: Any) -> np.ndarray:
        """Probability of each class, at the class shares before resampling.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Probabilities in [0, 1], in the order of `classes_`; each row sums to 1. With
            ``correction="none"`` or without a sampler they are the estimator's own.
        """
        check_is_fitted(self)
        proba = self.estimator_.predict_proba(X)
        if self.sampler_ is None or self.correction == "none":
            return proba
        return correct_priors(proba, self.priors_, self.priors_seen_)

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Natural logarithm of `predict_proba`; a probability of zero gives -inf.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        proba = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return np.log(proba)

    def predict(self, X: Any) -> np.ndarray:
        """The most probable class by `predict_proba`; the first of those that tie.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Class labels.
        """
        proba = self.predict_proba(X)
        return self.classes_[np.argmax(proba, axis=1)]

    @property
    def _distorts_priors(self) -> bool:
        """Whether probabilities are those of the resampled rows: what decides by costs asks."""
        return self.sampler is not None and self.correction == "none"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags = deepcopy(inner.input_tags)
        tags.non_deterministic = inner.non_deterministic
        if inner.classifier_tags is not None:
            tags.classifier_tags = deepcopy(inner.classifier_tags)
            tags.classifier_tags.multi_label = False
        if self.sampler is not None:
            # Objects that merely have fit_resample say nothing of what they take.
            taken = get_tags(self.sampler) if hasattr(self.sampler, "__sklearn_tags__") else None
            for name in ("allow_nan", "sparse", "string", "categorical"):
                both = taken is not None and getattr(taken.input_tags, name)
                setattr(tags.input_tags, name, getattr(tags.input_tags, name) and both)
        return tags

    def get_metadata_routing(self) -> MetadataRouter:
        """What goes to ``estimator.fit``, and what `fit` and `score` ask for.

        Returns
        -------
        MetadataRouter
            A :class:`~sklearn.utils.metadata_routing.MetadataRouter` that holds the routing.
        """
        return (
            MetadataRouter(owner=type(self).__name__)
            .add_self_request(self)
            .add(
                estimator=self.estimator,
                method_mapping=MethodMapping().add(caller="fit", callee="fit"),
            )
        )


def _check_estimator(estimator: Any, sampler: Any) -> None:
    if not hasattr(estimator, "predict_proba"):
        raise ValueError(
            "estimator must have predict_proba: ResampledClassifier answers with the most "
            f"probable class after its probabilities are put back; got {estimator!r}. Wrap it, "
            "as in CalibratedClassifierCV(estimator), or choose one that has probabilities."
        )
    if sampler is None:
        return
    if isinstance(sampler, type) or not hasattr(sampler, "fit_resample"):
        raise ValueError(
            "sampler must be None or an object with fit_resample, such as "
            f"imblearn.over_sampling.RandomOverSampler(); got {sampler!r}."
        )
    if _is_frozen(estimator):
        raise ValueError(
            f"sampler={sampler!r} cannot be used around a FrozenEstimator: it does not learn from "
            "the resampled rows, so there would be nothing to put back. Pass sampler=None, or "
            "the estimator unfrozen."
        )


def _is_frozen(estimator: Any) -> bool:
    """Whether what gives the probabilities does not learn in `fit`."""
    while isinstance(estimator, Pipeline):
        estimator = estimator.steps[-1][1]
    return isinstance(estimator, FrozenEstimator)


def _check_options(correction: Any, cv: Any) -> None:
    if not isinstance(correction, str) or correction not in _CORRECTIONS:
        raise ValueError(f"correction must be one of {list(_CORRECTIONS)}; got {correction!r}.")
    check_cv(cv, classifier=True)


def _check_two_classes(y: np.ndarray, who: str) -> None:
    classes = np.unique(y)
    if len(classes) < 2:
        raise ValueError(
            f"{who} one class only, {classes.tolist()}: at least two are needed to tell them apart."
        )
