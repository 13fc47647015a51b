"""Any regressor as a classifier of ordered classes: its prediction is cut into classes."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.utils import column_or_1d, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.validation import check_is_fitted

from skmetrics_ext.counts._tabulate import check_sample_weight
from skmetrics_ext.decision._wrapper import Wrapper
from skmetrics_ext.ordinal._cuts_criterion import Criterion, read_criterion
from skmetrics_ext.ordinal._order import resolve_order
from skmetrics_ext.ordinal._regression_cut_folds import (
    Floats,
    latent_of,
    out_of_fold,
    regressor_params,
    splits_of,
)

__all__ = ["RegressionCutClassifier"]


class RegressionCutClassifier(Wrapper):
    """Any regressor, made a classifier of ordered classes: its number is cut where kappa is best.

    Boosted trees on stars or severities often beat models made for ordered classes, if only
    their number is turned into a class well. Rounding is not well: a regressor that is unsure
    predicts towards the middle, and never says the highest class. Here the classes are numbered
    from the lowest, the regressor learns the numbers, and the cuts are the best of all for a
    criterion on out-of-fold predictions.

    Parameters
    ----------
    regressor : regressor
        Learns the ranks 0, 1, ..., n_classes - 1, whatever the labels. Cloned in `fit`; a
        `FrozenEstimator` is used as it is, on rows that it has not learnt from, and may predict
        in any unit unless `criterion` is "round".
    criterion : str, CostMatrix or array-like of shape (n_classes, n_classes), \
default="quadratic_kappa"

        - "quadratic_kappa", "linear_kappa": the cuts of highest weighted kappa;
        - "absolute", "squared": those of least mean distance in ranks, or mean square of it;
        - a `CostMatrix`, or an array c[i, j], the cost of answering i where the truth is j, in
          the order of `class_order_`: those of least mean cost;
        - "round": the nearest rank (a half goes up); nothing is searched, and `cv` not used.
    cv : int, splitter, iterable or None, default=5
        Who predicts which rows out of fold. An int (None: 5) is so many stratified folds; an
        iterable holds (train, test) indices. Each row must be held out once.
    class_order : array-like of shape (n_declared,) or None, default=None
        The classes from lowest to highest; they may be more than `y` holds. None: the order of
        an ordered Categorical or Enum, numbers by value, words by alphabet with a warning.

    Attributes
    ----------
    regressor_ : regressor
        Fitted on all rows.
    cuts_ : ndarray of shape (n_declared - 1,)
        In units of `predict_latent`. They rise, may repeat, and are infinite where the lowest or
        highest classes are never answered: see `optimal_cuts`.
    cut_value_ : float or None
        The criterion (a kappa, or a mean cost per row) at `cuts_` on the out-of-fold
        predictions. Optimistic: the cuts were chosen on these very rows. None with "round".
    classes_ : ndarray of shape (n_classes,)
        The classes that rows of `y` hold, sorted.
    class_order_ : ndarray of shape (n_declared,)
        All classes from lowest to highest. One that no row holds is a place on the scale all the
        same: predictions that land there are answered so.
    n_features_in_ : int
        Only where `regressor_` has it.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Only where `regressor_` has it.

    See Also
    --------
    optimal_cuts : The cuts alone, for scores from anywhere.

    Notes
    -----
    There are no probabilities: a regressor gives none. The predictions of the folds' regressors
    are pooled as if one had given them all, and the cuts are used on those of one that learnt
    from all rows. That misleads where they are not on one scale: few rows, unstable regressors,
    or shrinkage so strong that folds differ more in their means than rows in their predictions.
    More folds help, and so does a regressor that is fitted already, on other rows.

    A class that has fewer rows than there are folds is missing from what some folds learn
    (scikit-learn warns of it). A regressor can do without it, but nothing was learnt about it
    there, and the cuts around it rest on few rows.

    Examples
    --------
    Of 500 other rows 39 are of the highest class; rounding finds none of them:

    >>> import numpy as np
    >>> from sklearn.linear_model import Ridge
    >>> from skmetrics_ext.metrics import weighted_kappa_score
    >>> from skmetrics_ext.ordinal import RegressionCutClassifier
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(1000, 2))
    >>> y = np.digitize(X[:, 0] + rng.normal(size=1000), [0, 1, 2])
    >>> for criterion in ["round", "quadratic_kappa"]:
    ...     classifier = RegressionCutClassifier(Ridge(), criterion=criterion)
    ...     predicted = classifier.fit(X[:500], y[:500]).predict(X[500:])
    ...     kappa = weighted_kappa_score(y[500:], predicted)
    ...     print(classifier.cuts_.round(2), np.bincount(predicted), round(kappa, 2))
    [0.5 1.5 2.5] [156 297  47] 0.52
    [0.74 1.06 1.54] [220 110 125  45] 0.62
    """

    _inside = "regressor"
    # Rows are counted by their weights, whatever the regressor inside wants.
    __metadata_request__fit = {"sample_weight": True}

    def __init__(
        self,
        regressor: Any,
        *,
        criterion: Any = "quadratic_kappa",
        cv: Any = 5,
        class_order: Any = None,
    ) -> None:
        self.regressor = regressor
        self.criterion = criterion
        self.cv = cv
        self.class_order = class_order

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> Self:
        """Find the cuts on out-of-fold predictions, and fit the regressor on all rows.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or list of shape (n_samples, n_features)
            Whatever `regressor` takes; it is passed on unseen.
        y : array-like of shape (n_samples,)
            Labels: numbers, words or bools, of two classes at least.
        sample_weight : array-like of shape (n_samples,) or None, default=None
            Not negative. The out-of-fold rows are counted by them, and they are passed on as fit
            parameters are; to a Pipeline as ``<step>__sample_weight`` for every step that accepts
            it, unless metadata routing is on, which then decides what is passed on.
        **params : dict
            Passed on to ``regressor.fit``, of each fold the part of its rows. ``groups`` goes to
            the splitter instead, unless metadata routing is on, which then decides.

        Returns
        -------
        self : RegressionCutClassifier

        Raises
        ------
        ValueError
            Where a parameter is not one of those described; `y` has missing or continuous
            values, one class only, or a label that `class_order` does not name; `cv` does not
            hold out each row once; or the regressor does not predict one finite number per row.

        Warns
        -----
        UserWarning
            Where three or more words have no order, and are taken by alphabet.
        """
        _check_regressor(self.regressor)
        if y is None:
            raise ValueError(
                "RegressionCutClassifier requires y to be passed, but the target y is None."
            )
        if len(getattr(y, "shape", ())) == 2:
            y = column_or_1d(y, warn=True)
        target = resolve_order(y, self.class_order)
        criterion = self._criterion(target.class_order)
        ranks = target.ranks
        X, ranks = indexable(X, ranks)
        if sample_weight is not None:
            sample_weight = check_sample_weight(sample_weight, len(ranks))
        _require_two(ranks if sample_weight is None else ranks[sample_weight > 0], target)

        fit_params, split_params = regressor_params(self, sample_weight, params)
        numbers = ranks.astype(np.float64)
        if criterion is None:
            cuts, value = np.arange(len(target.class_order) - 1) + 0.5, None
        else:
            splits = splits_of(self.cv, X, ranks, split_params)
            latent = out_of_fold(self.regressor, X, numbers, splits, fit_params)
            _require_finite(latent, self.regressor)
            cuts, value = criterion.best_cuts(latent, ranks, sample_weight)
        self.regressor_ = clone(self.regressor).fit(X, numbers, **fit_params)
        self.cuts_ = cuts
        self.cut_value_ = value
        self.classes_ = target.classes
        self.class_order_ = target.class_order
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The class whose place in the order is the number of cuts at or below the prediction.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or list of shape (n_samples, n_features)

        Returns
        -------
        labels : ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        return self.class_order_[np.searchsorted(self.cuts_, self.predict_latent(X), side="right")]

    def predict_latent(self, X: Any) -> Floats:
        """The regressor's number: where a row stands on the scale that `cuts_` divide.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or list of shape (n_samples, n_features)

        Returns
        -------
        latent : ndarray of shape (n_samples,)
            In ranks: 0 is the lowest class. It may lie outside of 0 to n_declared - 1.
        """
        check_is_fitted(self)
        return latent_of(self.regressor_, X)

    def get_metadata_routing(self) -> MetadataRouter:
        """What goes to ``regressor.fit`` and to ``cv.split``, and what `fit` and `score` ask for.

        Returns
        -------
        routing : MetadataRouter
        """
        mapping = MethodMapping().add(caller="fit", callee="split")
        return super().get_metadata_routing().add(splitter=self.cv, method_mapping=mapping)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # scikit-learn's checks have three blobs in no order, which one number cannot tell apart.
        tags.classifier_tags.poor_score = True
        return tags

    # -----------------------------------------------------------------------------------------

    def _criterion(self, order: np.ndarray) -> Criterion | None:
        """What cuts are chosen by; None where predictions are rounded."""
        if isinstance(self.criterion, str) and self.criterion == "round":
            return None
        return read_criterion(self.criterion, order, also="'round', ")


def _check_regressor(regressor: Any) -> None:
    if not (hasattr(regressor, "fit") and hasattr(regressor, "predict")):
        raise ValueError(f"regressor must have fit and predict; got {regressor!r}.")
    if is_classifier(regressor):
        raise ValueError(
            f"regressor must predict a number that can be cut; got the classifier {regressor!r}."
        )


def _require_two(ranks: np.ndarray, target: Any) -> None:
    if (ranks == ranks[0]).all():
        raise ValueError(
            "y, in the rows that count, must hold at least two classes; got one class only: "
            f"{target.class_order.tolist()[ranks[0]]!r}."
        )


def _require_finite(latent: Floats, regressor: Any) -> None:
    infinite = int(np.isinf(latent).sum())
    if infinite:
        raise ValueError(
            f"regressor must predict finite numbers; {infinite} of {len(latent)} out-of-fold "
            f"predictions of {regressor!r} are infinite."
        )
