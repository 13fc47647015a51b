"""The regression of ordered classes: proportional odds and its relatives."""

from __future__ import annotations

import warnings
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from skmetrics_ext.ordinal._cumulative_before_fit import check_parameters, one_blas_thread, rows_of
from skmetrics_ext.ordinal._cumulative_inference import LikelihoodInference
from skmetrics_ext.ordinal._cumulative_likelihood import Objective
from skmetrics_ext.ordinal._cumulative_newton import maximise
from skmetrics_ext.ordinal._cumulative_summary import Information
from skmetrics_ext.ordinal._links import get_link

__all__ = ["CumulativeLinkClassifier"]

Array = NDArray[np.float64]


class CumulativeLinkClassifier(LikelihoodInference, ClassifierMixin, BaseEstimator):
    """Ordered classes by one linear score and a threshold between each two neighbours.

    Stars, severities, age bands: classes in a row, with no distance between them. A row has a
    latent value ``x @ coef_``, and

        ``P(y <= k) = F(thresholds_[k] - x @ coef_)``

    so that a positive coefficient moves rows towards the higher classes [1]_. With the logit link
    these are proportional odds: ``exp(coef_[j])`` is what a unit of column j multiplies the odds
    of "higher rather than not" by, wherever the line is drawn. It uses the order that a
    classifier of unordered classes ignores, and needs one coefficient per column instead of
    one per column and class.

    Fitted by maximum likelihood with a ridge penalty, at the exact optimum: Newton steps on columns
    that are standardised inside, so that units and origins of columns do not matter.

    Parameters
    ----------
    link : {"logit", "probit", "cloglog", "loglog", "cauchit"}, default="logit"
        F: logistic; normal; ``1 - exp(-exp(t))``; ``exp(-exp(-t))``; Cauchy, for rows far off.
    alpha : float, default=1.0
        The fit minimises ``-log-likelihood + alpha / 2 * sum(coef_**2)``, thresholds being free:
        with two classes that is ``LogisticRegression(C=1 / alpha)``. It goes by the units of the
        columns: standardise those of different units first. 0: plain maximum likelihood, for
        `summary`.
    class_order : array-like of shape (n_declared,) or None, default=None
        All classes from lowest to highest; some may have no row. None: the order of an
        ordered Categorical (pandas) or Enum (polars), or of numbers; words otherwise stand in
        alphabetical order, with a warning.
    max_iter : int, default=100
        The most Newton steps. Five or six do mostly.
    tol : float, default=1e-8
        Converged once the next step is shorter than so many standard errors (weights being scaled
        to a mean of 1).

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes that rows of positive weight had, sorted; the columns of `predict_proba`.
    class_order_ : ndarray of shape (n_declared,)
        All classes from lowest to highest; the columns of `predict_cumulative_proba`.
    coef_ : ndarray of shape (`n_features_in_`,)
        For the columns as they were given; 0 for one that does not vary.
    thresholds_ : ndarray of shape (n_classes - 1,)
        Rising: one between each two neighbours among the classes that rows had, in the order
        of `class_order_`.
    n_iter_ : int
        Newton steps, the last of which only confirmed.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Only where X had names of columns.

    Warns
    -----
    ConvergenceWarning
        In `fit`, with ``alpha=0`` where columns separate the classes, so that coefficients grow
        without end; and where ``max_iter`` is reached.

    See Also
    --------
    encode_order : For stacking, voting and bagging, which pass codes instead of labels.
    skmetrics_ext.decision.CostThresholdClassifier : Decides by costs on the probabilities.

    Notes
    -----
    From one fit, three answers. `predict` gives the most likely class. The median class, which
    minimises the expected number of classes by which it is off, is where P(y <= k) passes one half:
    ``class_order_[(predict_cumulative_proba(X) < 0.5).sum(axis=1)]``. The same, or whatever
    errors cost, is the class of least expected cost:
    ``CostThresholdClassifier(model, cost_matrix=CostMatrix.ordinal(labels, power=1))`` for an error
    that costs its distance, ``power=2`` for its square.

    The log-likelihood is concave for all links but cauchit [2]_, whose fit may depend on where the
    search starts.

    References
    ----------
    .. [1] McCullagh, P. (1980). Regression models for ordinal data. Journal of the Royal
       Statistical Society B 42, 109-142. https://doi.org/10.1111/j.2517-6161.1980.tb01109.x
    .. [2] Pratt, J. W. (1981). Concavity of the log likelihood. Journal of the American
       Statistical Association 76, 103-106. https://doi.org/10.1080/01621459.1981.10477613

    Examples
    --------
    >>> import numpy as np
    >>> from skmetrics_ext.ordinal import CumulativeLinkClassifier
    >>> rng = np.random.default_rng(1)
    >>> order = ["mild", "moderate", "severe"]
    >>> X = rng.normal(size=(500, 2))
    >>> latent = 2 * X[:, 0] - X[:, 1] + rng.logistic(size=500)
    >>> y = np.array(order)[np.searchsorted([-1, 2], latent)]
    >>> model = CumulativeLinkClassifier(class_order=order).fit(X, y)
    >>> model.coef_.round(1), model.thresholds_.round(1)
    (array([ 1.9, -1. ]), array([-1. ,  1.9]))
    >>> rows = [[-0.5, 0.0], [0.0, 0.0], [2.0, 0.0]]
    >>> model.predict_cumulative_proba(rows).round(2)
    array([[0.49, 0.95, 1.  ],
           [0.27, 0.87, 1.  ],
           [0.01, 0.13, 1.  ]])

    The most likely class, the median class, and the class of least expected cost, where a mistake
    costs its distance:

    >>> model.predict(rows)
    array(['mild', 'moderate', 'severe'], dtype='<U8')

    >>> model.class_order_[(model.predict_cumulative_proba(rows) < 0.5).sum(axis=1)]
    array(['moderate', 'moderate', 'severe'], dtype='<U8')
    >>> from skmetrics_ext.costs import CostMatrix
    >>> from skmetrics_ext.decision import CostThresholdClassifier
    >>> cost = CostMatrix.ordinal(order, power=1)
    >>> CostThresholdClassifier(model, cost_matrix=cost).fit(X, y).predict(rows)
    array(['moderate', 'moderate', 'severe'], dtype='<U8')
    """

    def __init__(
        self,
        link: str = "logit",
        *,
        alpha: float = 1.0,
        class_order: Any = None,
        max_iter: int = 100,
        tol: float = 1e-8,
    ) -> None:
        self.link = link
        self.alpha = alpha
        self.class_order = class_order
        self.max_iter = max_iter
        self.tol = tol

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find coefficients and thresholds.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Finite numbers.
        y : array-like of shape (n_samples,)
            Classes: numbers, words, bools, or of an ordered dtype; two or more different ones.
        sample_weight : array-like of shape (n_samples,) or None, default=None
            Not negative; a weight of 2 is the row twice, and 0 is no row.

        Returns
        -------
        self : CumulativeLinkClassifier

        Raises
        ------
        ValueError
            Where a parameter is outside its range, y holds missing or continuous values, one
            class only, or a label that `class_order` does not name.
        """
        link = get_link(self.link)
        check_parameters(self)
        rows, target = rows_of(self, X, y, sample_weight, self.class_order, reset=True)
        objective = Objective(rows, link, float(self.alpha))
        with one_blas_thread():
            optimum = maximise(objective, max_iter=self.max_iter, tol=self.tol)
        trouble = optimum.trouble(rows.names(self._names()))
        if trouble is not None:
            advice = "Raise max_iter." if optimum.separation is None else "Set alpha above 0."
            warnings.warn(f"{trouble} {advice}", ConvergenceWarning, stacklevel=2)
        standardised, ends = objective.split(optimum.point.parameters)
        coef = np.zeros(len(rows.varying))
        coef[rows.varying] = standardised / rows.scale
        self.classes_ = target.classes
        self.class_order_ = target.class_order
        self.coef_ = coef
        self.thresholds_ = ends[1:-1] + rows.centre @ coef[rows.varying]
        self.n_iter_ = optimum.n_iter
        self._link = link.name  # so that set_params changes nothing before the next fit
        self._seen = target.seen
        self._columns = np.searchsorted(target.seen, target.columns)
        self._information = Information.of(rows, optimum) if self.alpha == 0 else None
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The most likely class; the first in `classes_` of those that tie.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)

        Returns
        -------
        labels : ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        return self.classes_[np.argmax(self.predict_proba(X), axis=1)]

    def predict_proba(self, X: Any) -> Array:
        """Probability of each class.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
            In [0, 1], columns in the order of `classes_`, which are sorted; each row sums to 1.
        """
        check_is_fitted(self)
        latent = self.predict_latent(X)
        link = get_link(self._link)
        ends = np.concatenate([[-np.inf], self.thresholds_, [np.inf]])
        found = [link.log_probability(latent, low, high) for low, high in pairwise(ends)]
        return np.exp(np.column_stack([found[k] for k in self._columns]))

    def predict_log_proba(self, X: Any) -> Array:
        """The logarithm of `predict_proba`; minus infinity where a probability is 0.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)

        Returns
        -------
        log_probabilities : ndarray of shape (n_samples, n_classes)
        """
        check_is_fitted(self)
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def predict_cumulative_proba(self, X: Any) -> Array:
        """Probability of each class or a lower one, P(y <= k).

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_declared)
            In [0, 1], columns in the order of `class_order_`: never falling along a row, and 1 in
            the last. A declared class without rows in `fit` has probability 0: its column is
            the one before.
        """
        check_is_fitted(self)
        latent = self.predict_latent(X)
        below = get_link(self._link).cdf(self.thresholds_ - latent[:, None])
        edges = np.column_stack([np.zeros(len(below)), below, np.ones(len(below))])
        return edges[:, np.searchsorted(self._seen, np.arange(len(self.class_order_)), "right")]

    def predict_latent(self, X: Any) -> Array:
        """The latent value ``X @ coef_``: larger for rows of higher classes.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)

        Returns
        -------
        latent : ndarray of shape (n_samples,)
            In the units of `thresholds_`.
        """
        check_is_fitted(self)
        return validate_data(self, X, dtype=np.float64, reset=False) @ self.coef_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # Three clusters in a plane are not in a row: the checks ask for 83 % of them.
        tags.classifier_tags.poor_score = True
        return tags
