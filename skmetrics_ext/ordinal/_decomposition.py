"""Ordered classes with any classifier: one binary question for each cut between classes."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils import column_or_1d, indexable
from sklearn.utils.metadata_routing import UNUSED
from sklearn.utils.metaestimators import available_if
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from skmetrics_ext._labels import encode
from skmetrics_ext.decision._before_fit import check_estimator, is_frozen, require_y
from skmetrics_ext.decision._fit_params import inner_fit_params
from skmetrics_ext.decision._wrapper import ClassifierWrapper, gives_probabilities
from skmetrics_ext.ordinal._order import resolve_order

__all__ = ["OrdinalDecompositionClassifier"]


class OrdinalDecompositionClassifier(ClassifierWrapper):
    """Any classifier of two classes, made one of ordered classes.

    K ordered classes are K - 1 questions: is it above the lowest? above the second lowest? ...
    Each is put to a clone of `estimator` [1]_. Its answers are the cumulative probabilities;
    those that are not in order, since every question is learnt by itself, are made so: each
    row's are replaced by the nearest that rise (isotonic regression, equal weights), so that no
    class gets a negative probability. Boosted trees and the like so learn that classes are in
    a row, and unlike a model with one set of coefficients may weigh features differently at the
    bottom and at the top.

    Parameters
    ----------
    estimator : classifier with predict_proba
        Cloned and fitted for each question, to the labels 0 (at the cut or below) and 1 (above):
        a ``class_weight`` inside is about these two. A `FrozenEstimator` is refused.
    class_order : array-like of shape (n_declared,) or None, default=None
        All classes from lowest to highest; those that `y` lacks have probability 0. None: the
        order of an ordered Categorical or Enum, of numbers, else the alphabet's, with a warning.
    n_jobs : int or None, default=None
        How many questions are learnt at a time, as joblib counts; -1: one for each core.

    Attributes
    ----------
    estimators_ : list of classifiers
        One for each cut between neighbouring classes that `y` holds, from the lowest cut on.
    classes_ : ndarray of shape (n_classes,)
        The classes that `y` holds, sorted; the columns of `predict_proba`.
    class_order_ : ndarray of shape (n_declared,)
        All classes from lowest to highest; the columns of `predict_cumulative_proba`.
    n_features_in_ : int
        Only where `estimator` has it.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Only where `estimator` has it.

    See Also
    --------
    encode_order : Ranks, for meta-estimators that pass codes on instead of labels.

    Notes
    -----
    `predict` answers the most likely class; one fit serves other decisions as well. The median
    class is ``class_order_[(predict_cumulative_proba(X) >= 0.5).argmax(axis=1)]``, which is the
    least off on average. The class of least expected cost is answered by
    ``CostThresholdClassifier(model, cost_matrix=CostMatrix.ordinal(labels, power=1))``: with
    ``power=1`` the median class again, with ``power=2`` the class nearest to the mean.

    References
    ----------
    .. [1] Frank, E. and Hall, M. (2001). A simple approach to ordinal classification. ECML,
       Lecture Notes in Computer Science 2167, 145-156. https://doi.org/10.1007/3-540-44795-4_13

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> from skmetrics_ext.ordinal import OrdinalDecompositionClassifier
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(300, 1))
    >>> sizes = np.array(["small", "medium", "large"])
    >>> y = sizes[np.digitize(X[:, 0] + rng.normal(0, 0.5, 300), [-0.5, 0.5])]
    >>> model = OrdinalDecompositionClassifier(LogisticRegression(), class_order=sizes).fit(X, y)
    >>> model.predict([[-1.5], [0.0], [1.5]]).tolist()
    ['small', 'medium', 'large']
    >>> model.predict_cumulative_proba([[0.0]]).round(2)
    array([[0.15, 0.85, 1.  ]])
    >>> model.classes_.tolist()
    ['large', 'medium', 'small']
    >>> model.predict_proba([[0.0]]).round(2)
    array([[0.15, 0.7 , 0.15]])
    """

    # Passed on to the estimators inside, which say for themselves whether they want it.
    __metadata_request__fit = {"sample_weight": UNUSED}

    def __init__(self, estimator: Any, *, class_order: Any = None, n_jobs: int | None = None):
        self.estimator = estimator
        self.class_order = class_order
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> Self:
        """Learn the answer to each question.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or list of shape (n_samples, n_features)
            Whatever `estimator` takes; it is passed on unseen.
        y : array-like of shape (n_samples,)
            Labels: numbers, words or bools; an ordered Categorical or Enum brings its order.
        sample_weight : array-like of shape (n_samples,) or None, default=None
            Passed on; to a Pipeline as ``<step>__sample_weight`` for every step that accepts
            it, unless metadata routing is on, which then decides.
        **fit_params : dict
            Passed on to ``estimator.fit``.

        Returns
        -------
        self : OrdinalDecompositionClassifier

        Raises
        ------
        ValueError
            Where `estimator` has no `predict_proba` or is frozen; `y` has missing or continuous
            values, one class only, or a label that `class_order` does not name.

        Warns
        -----
        UserWarning
            Where three or more words have no order, and are taken by alphabet.
        """
        check_estimator(self.estimator, "its answers become cumulative probabilities")
        _refuse_frozen(self.estimator)
        require_y(self, y)
        if getattr(y, "ndim", 1) == 2:
            y = column_or_1d(y, warn=True)
        target = resolve_order(y, self.class_order)
        if len(target.classes) < 2:
            raise ValueError(
                f"y must hold at least two classes; got one class only: {target.classes.tolist()}."
            )
        X, ranks = indexable(X, target.ranks)
        params = inner_fit_params(self, self.estimator, sample_weight, fit_params)
        self.estimators_ = Parallel(n_jobs=self.n_jobs)(
            delayed(_fit_question)(self.estimator, X, (ranks > cut).astype(np.intp), params)
            for cut in target.seen[:-1]
        )
        self.classes_ = target.classes
        self.class_order_ = target.class_order
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The most likely class; of those that tie the first in `classes_`.

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
        """Probability of each class.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or list of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
            In [0, 1], columns in the order of `classes_`; each row sums to 1.
        """
        check_is_fitted(self)
        of_class = np.diff(self._at_most(X), axis=1)
        places = self._places()
        return of_class[:, np.searchsorted(np.sort(places), places)]

    @available_if(gives_probabilities)
    def predict_cumulative_proba(self, X: Any) -> np.ndarray:
        """Probability of each class or a lower one.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or list of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_declared)
            Columns in the order of `class_order_`, none lower than the one before; the last
            is 1.
        """
        check_is_fitted(self)
        at_most = self._at_most(X)
        declared = np.arange(len(self.class_order_))
        return at_most[:, np.searchsorted(np.sort(self._places()), declared, side="right")]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = True  # though each question has two classes
        return tags

    @property
    def _fitted(self) -> Any:
        return self.estimators_[0]

    @property
    def _changes_probabilities(self) -> bool:
        return True

    # -----------------------------------------------------------------------------------------

    def _at_most(self, X: Any) -> np.ndarray:
        """Probability of at most each class that was seen, with 0 before: (n, n_classes + 1)."""
        below = np.column_stack([each.predict_proba(X)[:, 0] for each in self.estimators_])
        at_most = np.zeros((len(below), len(self.classes_) + 1))
        at_most[:, 1:-1] = np.clip(_rising(below.astype(np.float64)), 0.0, 1.0)
        at_most[:, -1] = 1.0
        return at_most

    def _places(self) -> np.ndarray:
        """The place of each of `classes_` in `class_order_`."""
        return encode(self.classes_, self.class_order_, name="classes_")


def _refuse_frozen(estimator: Any) -> None:
    if is_frozen(estimator):
        raise ValueError(
            "estimator must not be frozen, since it is fitted anew to each question, 'above this "
            f"class?', and a FrozenEstimator would go on answering its own; got {estimator!r}."
        )


def _fit_question(estimator: Any, X: Any, above: np.ndarray, params: dict[str, Any]) -> Any:
    return clone(estimator).fit(X, above, **params)


def _rising(values: np.ndarray) -> np.ndarray:
    """For each row the nearest values that nowhere fall: isotonic regression, equal weights.

    By its closed form, the highest over all starts i <= k of the lowest mean of i to j >= k,
    which takes all rows at once. Rows that are in order already stay as they are.
    """
    falls = np.flatnonzero((np.diff(values, axis=1) < 0).any(axis=1))
    if len(falls) == 0:
        return values
    rows = values[falls]
    sums = np.cumsum(np.column_stack([np.zeros(len(rows)), rows]), axis=1)
    highest = np.full_like(rows, -np.inf)
    for i in range(rows.shape[1]):
        means = (sums[:, i + 1 :] - sums[:, [i]]) / np.arange(1, rows.shape[1] - i + 1)
        lowest = np.minimum.accumulate(means[:, ::-1], axis=1)[:, ::-1]
        np.maximum(highest[:, i:], lowest, out=highest[:, i:])
    rising = values.copy()
    rising[falls] = highest
    return rising
