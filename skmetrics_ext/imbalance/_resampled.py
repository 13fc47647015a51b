"""A classifier that resamples its training rows in `fit`, and nowhere else."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.utils import check_random_state, get_tags, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.validation import check_is_fitted

from skmetrics_ext.decision._before_fit import is_frozen
from skmetrics_ext.decision._double_counting import distorts_priors, find_distortions
from skmetrics_ext.decision._wrapper import ClassifierWrapper
from skmetrics_ext.imbalance._before_fit import (
    check_estimator,
    check_options,
    check_two_classes,
    validated_cv,
)
from skmetrics_ext.imbalance._corrections import Correction
from skmetrics_ext.imbalance._fitting import Fitted, Plan, fit_models
from skmetrics_ext.imbalance._folds import part_groups
from skmetrics_ext.imbalance._learning import Learner, fit_params_for
from skmetrics_ext.imbalance._rows import Rows, validated_target, validated_weights, weights_among
from skmetrics_ext.imbalance._samplers import Notes

__all__ = ["ResampledClassifier"]

# Not all of them are there after each fit: those of an earlier one must go.
_FITTED = (
    "estimator_",
    "estimators_",
    "sampler_",
    "samplers_",
    "log_offset_theory_",
    "log_offset_oof_",
    "correction_log_loss_",
)


class ResampledClassifier(ClassifierWrapper):
    """Resample the training rows inside `fit`, and put the probabilities back afterwards.

    Resampling before a split lets copies of one row stand on both sides of it, and every score
    is a dream. Here the sampler is a part of `fit`: in cross-validation it sees the training
    rows alone, and no validation fold ever holds a resampled row. A classifier trained on
    resampled or weighted rows also believes in the class shares it saw; its probabilities are
    put back to the shares of the data, so that they can be compared with costs.

    Parameters
    ----------
    estimator : estimator
        A classifier with `predict_proba`. It is cloned. Its own `class_weight`, and samplers in
        the steps of a pipeline (imbalanced-learn's, also one within another), are corrected for
        too. A :class:`~sklearn.frozen.FrozenEstimator` is accepted without a sampler only: it
        does not learn again, so nothing is undone.
    sampler : sampler or None, default=None
        An object with `fit_resample`, as in imbalanced-learn. It is cloned. None: rows stay as
        they are. `k_neighbors` and `n_neighbors` are lowered to what the rarest class of the
        training rows allows, with one warning in all.
    correction : {"auto", "prior", "shift", "sigmoid", "isotonic", "none"}, default="auto"
        How probabilities are put back. All but "prior" and "none" are fitted on the rows that
        `cv` holds out, scored by the models of the other folds.

        - "prior": by the formula ``p_k proportional to q_k * prior_k / prior_seen_k`` [1]_ [2]_.
          It is exact where only the class shares were changed, and not the rows within a class,
          and where the estimator follows the shares it sees. Logistic regression does; boosted
          trees and deep forests hardly respond to them, and are shifted too far.
        - "shift": ``p_k proportional to q_k * exp(b_k)``, with one intercept per class such that
          the mean out-of-fold probability is the prior.
        - "sigmoid": ``p_k proportional to q_k ** a * exp(b_k)``, the same with one slope for all
          classes (multinomial logistic regression on log q); for two classes this is Platt's
          line in the log odds [3]_.
        - "isotonic": a rising step curve [4]_, its blocks shrunk by one pseudo-row to the
          prevalence, so that none says 0 or 1; with more than two classes each class against the
          rest, then divided by the row's sum.
        - "none": probabilities stay as the estimator gives them.
        - "auto": each of these is fitted on the out-of-fold scores of all folds but one and
          scored by log loss on that one; the best is taken. No model is fitted for the choice.

        Temperature scaling is no choice: it has no intercept, so it cannot move a mean.
    cv : int, cross-validation generator, iterable or None, default=5
        The folds, as :func:`~sklearn.model_selection.check_cv` takes them. If they leave too few
        rows of a class to fit or hold out, "prior" is taken, with a warning.
    ensemble : bool, default=True
        True: predictions are the mean of the corrected fold models, the very ones whose
        held-out scores were corrected. False: one model is fitted on all rows and takes the
        correction over; quicker to predict with, but a model of more rows may need another
        correction (the mean probability of boosted trees moved by up to 0.009).
    random_state : int, RandomState or None, default=None
        Seeds every sampler whose own `random_state` is None, also those in the steps of
        `estimator` and those within other samplers.

    Attributes
    ----------
    estimators_ : list of estimators
        The fold models, with ``ensemble=True`` and something to correct on held-out rows.
    estimator_ : estimator
        The one model on all rows, in all other cases: ``ensemble=False``, nothing to correct, or
        "prior" and "none", which need no folds.
    samplers_, sampler_ : list of samplers, sampler or None
        Those of the same models, fitted.
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted; the columns of `predict_proba`.
    priors_ : ndarray of shape (n_classes,)
        Share of each class before resampling, in the sum of `sample_weight`.
    priors_seen_ : ndarray of shape (n_classes,)
        Share of each class in what the models saw: counted after all samplers, in the sum of
        `sample_weight`, times the classifier's own class weights.
    correction_ : str
        The correction in force; "none" where there was nothing to correct.
    correction_log_loss_ : dict
        With "auto", the cross-fitted log loss of each correction, in nats per row.
    log_offset_theory_ : ndarray of shape (n_classes,)
        What "prior" adds to the log odds of each class against the first, for `priors_seen_`.
    log_offset_oof_ : ndarray of shape (n_classes,)
        What the held-out probabilities ask for: the intercepts of "shift". `fit` warns where the
        two disagree by more than half of the largest in theory (and 0.25, and three standard
        errors). Both only where folds were fitted.
    n_features_in_ : int
        Number of features seen in `fit`, if the estimator tells.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
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
    accepted. `groups`, and whatever else has an entry per row, go the same way. A weight is so
    many rows: the pseudo-row of "isotonic" and "sigmoid" weighs one, or an average row where rows
    weigh less, so that weights which stand for a population are better scaled to a mean of one.

    A pipeline that resamples is fitted step by step, without its `memory`. Class weights inside
    voters, stacks or one-against-rest problems enter no formula: there "prior" does nothing, and
    the corrections fitted on held-out rows do.

    References
    ----------
    .. [1] Saerens, M., Latinne, P. and Decaestecker, C. (2002). Adjusting the outputs of a
       classifier to new a priori probabilities: a simple procedure. Neural Computation 14,
       21-41. https://doi.org/10.1162/089976602753284446
    .. [2] Dal Pozzolo, A., Caelen, O., Johnson, R. A. and Bontempi, G. (2015). Calibrating
       probability with undersampling for unbalanced classification. IEEE SSCI 2015.
       https://doi.org/10.1109/SSCI.2015.33
    .. [3] Platt, J. (1999). Probabilistic outputs for support vector machines and comparisons to
       regularized likelihood methods. Advances in Large Margin Classifiers, 61-74.
    .. [4] Zadrozny, B. and Elkan, C. (2002). Transforming classifier scores into accurate
       multiclass probability estimates. KDD 2002. https://doi.org/10.1145/775047.775151

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
    >>> print(round(clf.estimators_[0].predict_proba(X)[:, 1].mean(), 2))
    0.28
    >>> print(round(clf.predict_proba(X)[:, 1].mean(), 2))
    0.04
    """

    # The shares need weights wherever the estimator does, so its own request is enough.
    __metadata_request__fit = {"sample_weight": True}

    def __init__(
        self,
        estimator: Any,
        *,
        sampler: Any = None,
        correction: str = "auto",
        cv: Any = 5,
        ensemble: bool = True,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.sampler = sampler
        self.correction = correction
        self.cv = cv
        self.ensemble = ensemble
        self.random_state = random_state

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
            the sampler, as weights do. `groups` go to `cv` where it uses them.

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
        check_estimator(self.estimator, self.sampler)
        check_options(self.correction, self.ensemble, self.random_state)
        X, y = indexable(X, y)
        y = validated_target(y)
        splitter = validated_cv(self.cv, y)
        if sample_weight is not None:
            sample_weight = validated_weights(sample_weight, len(y))
        split_params, params = part_groups(self, splitter, sample_weight, params)
        fit_params = fit_params_for(self, self.estimator, sample_weight, params)
        rows, kept = self._rows_that_count(Rows(X, y, fit_params))

        plan = Plan(self.correction, self.cv, splitter, self.ensemble, split_params, kept, len(y))
        learner = Learner(
            self.estimator,
            self.sampler,
            self.estimator.classes_ if is_frozen(self.estimator) else np.unique(rows.y),
            Notes(),
            None if self.random_state is None else check_random_state(self.random_state),
        )
        fitted = fit_models(learner, rows, plan)
        for said in (*fitted.sayings, *learner.notes.sayings()):
            warnings.warn(said, UserWarning, stacklevel=2)
        return self._keep(fitted)

    def _rows_that_count(self, rows: Rows) -> tuple[Rows, np.ndarray]:
        """Without rows of weight zero where they would be sampled, and which ones those are."""
        everything = np.arange(len(rows.y))
        if is_frozen(self.estimator):
            return rows, everything
        check_two_classes(rows.y, "y holds")
        weights = weights_among(rows.params, len(rows.y))
        untouched = self.sampler is None and not find_distortions(self.estimator)
        if weights is None or weights.all() or untouched:
            return rows, everything
        kept = np.flatnonzero(weights)
        rows = rows.take(kept)
        check_two_classes(rows.y, "the rows of positive sample_weight hold")
        return rows, kept

    def _keep(self, fitted: Fitted) -> ResampledClassifier:
        for name in _FITTED:
            if name in vars(self):
                delattr(self, name)
        models = [learnt.model for learnt in fitted.learnt]
        samplers = [learnt.sampler for learnt in fitted.learnt]
        if fitted.by_fold:
            self.estimators_, self.samplers_ = models, samplers
        else:
            (self.estimator_,), (self.sampler_,) = models, samplers
        self.classes_ = models[0].classes_
        self.priors_, self.priors_seen_ = fitted.priors, fitted.priors_seen
        self.correction_ = fitted.correction
        self._corrections = fitted.corrections
        if fitted.offsets is not None:
            self.log_offset_theory_ = fitted.offsets.theory
            self.log_offset_oof_ = fitted.offsets.oof
        if fitted.scores is not None:
            self.correction_log_loss_ = fitted.scores
        return self

    @property
    def _models(self) -> list[Any]:
        return self.estimators_ if hasattr(self, "estimators_") else [self.estimator_]

    @property
    def _fitted(self) -> Any:
        return self._models[0]

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
        answers = [
            _corrected(model.predict_proba(X), correction)
            for model, correction in zip(self._models, self._corrections, strict=True)
        ]
        return answers[0] if len(answers) == 1 else np.mean(answers, axis=0)

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Natural logarithm of `predict_proba`; a probability of zero gives -inf.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)

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

        Returns
        -------
        labels : ndarray of shape (n_samples,)
        """
        proba = self.predict_proba(X)
        return self.classes_[np.argmax(proba, axis=1)]

    @property
    def _distorts_priors(self) -> bool:
        """Whether probabilities are those of the resampled rows: what decides by costs asks."""
        resamples = self.sampler is not None or distorts_priors(self.estimator)
        return self.correction == "none" and resamples

    @property
    def _corrects_priors(self) -> bool:
        """Whether what distorts probabilities inside is put right here."""
        return self.correction != "none" and not is_frozen(self.estimator)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
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
        router = super().get_metadata_routing()
        if hasattr(self.cv, "get_metadata_routing"):
            router.add(
                splitter=self.cv,
                method_mapping=MethodMapping().add(caller="fit", callee="split"),
            )
        return router


def _corrected(proba: np.ndarray, correction: Correction | None) -> np.ndarray:
    return proba if correction is None else correction(np.asarray(proba, dtype=np.float64))
