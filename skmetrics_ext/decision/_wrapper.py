"""What all classifiers around another estimator have in common."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

__all__ = ["ClassifierWrapper", "Wrapper", "gives_probabilities"]


class Wrapper(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """A classifier around one other estimator; the rest is said by what derives from it.

    ``_inside`` names the parameter that holds the estimator given. The fitted one is the
    attribute of that name with an underscore, unless ``_fitted`` says otherwise.
    """

    _inside = "estimator"

    @property
    def _given(self) -> Any:
        return getattr(self, self._inside)

    @property
    def _fitted(self) -> Any:
        return getattr(self, f"{self._inside}_")

    @property
    def n_features_in_(self) -> int:
        """Number of features seen in `fit`, where the estimator inside knows it."""
        check_is_fitted(self)
        return self._fitted.n_features_in_

    @property
    def feature_names_in_(self) -> np.ndarray:
        """Names of the features seen in `fit`, where the estimator inside knows them."""
        check_is_fitted(self)
        return self._fitted.feature_names_in_

    def get_metadata_routing(self) -> MetadataRouter:
        """What goes to the `fit` of the estimator inside, and what `score` asks for.

        Returns
        -------
        routing : MetadataRouter
        """
        return (
            MetadataRouter(owner=type(self).__name__)
            .add_self_request(self)
            .add(
                **{self._inside: self._given},
                method_mapping=MethodMapping().add(caller="fit", callee="fit"),
            )
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self._given)
        tags.input_tags = deepcopy(inner.input_tags)
        tags.non_deterministic = inner.non_deterministic
        if inner.classifier_tags is not None:
            tags.classifier_tags = deepcopy(inner.classifier_tags)
            tags.classifier_tags.multi_label = False
        return tags


def gives_probabilities(wrapper: ClassifierWrapper) -> bool:
    """Whether the one inside has `predict_proba`: the fitted one, once there is one."""
    return hasattr(getattr(wrapper, "_fitted", wrapper._given), "predict_proba")


class ClassifierWrapper(Wrapper):
    """A classifier around another one, whose probabilities it gives."""

    @property
    def _changes_probabilities(self) -> bool:
        """Whether `predict_proba` answers otherwise than the one inside."""
        return False

    @available_if(gives_probabilities)
    def predict_proba(self, X: Any) -> np.ndarray:
        """The probabilities of the classifier inside, as they are.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or list of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
            Columns in the order of `classes_`.
        """
        check_is_fitted(self)
        return self._fitted.predict_proba(X)

    @available_if(gives_probabilities)
    def predict_log_proba(self, X: Any) -> np.ndarray:
        """The logarithm of `predict_proba`; minus infinity where a probability is 0.

        Parameters
        ----------
        X : array-like, sparse matrix, frame or list of shape (n_samples, n_features)

        Returns
        -------
        log_probabilities : ndarray of shape (n_samples, n_classes)
        """
        check_is_fitted(self)
        if not self._changes_probabilities and hasattr(self._fitted, "predict_log_proba"):
            return self._fitted.predict_log_proba(X)
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))
