"""What statisticians ask a fitted cumulative model: its summary, and whether it is right."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from skmetrics_ext.ordinal._cumulative_before_fit import one_blas_thread, rows_of
from skmetrics_ext.ordinal._cumulative_likelihood import Objective
from skmetrics_ext.ordinal._cumulative_newton import maximise
from skmetrics_ext.ordinal._cumulative_parallel import ProportionalOddsTest, score_test
from skmetrics_ext.ordinal._cumulative_summary import CumulativeLinkSummary, Information
from skmetrics_ext.ordinal._links import get_link

__all__ = ["LikelihoodInference"]


class LikelihoodInference:
    """The methods of a fitted `CumulativeLinkClassifier` that rest on the likelihood."""

    max_iter: int
    tol: float
    n_features_in_: int
    n_iter_: int
    coef_: NDArray[np.float64]
    thresholds_: NDArray[np.float64]
    class_order_: np.ndarray
    _link: str
    _seen: NDArray[np.intp]
    _information: Information | None

    def summary(self, *, confidence_level: float = 0.95) -> CumulativeLinkSummary:
        """Coefficients and thresholds with standard errors, tests and limits, as a table.

        Standard errors are those of maximum likelihood (from the observed information), weights
        being numbers of rows; they need ``alpha=0``.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Of the limits (Wald), between 0 and 1.

        Returns
        -------
        summary : CumulativeLinkSummary
            Prints as a table; ``summary["age"]`` is a row, ``summary.to_frame()`` a frame.

        Raises
        ------
        ValueError
            Where the model was fitted with a penalty, or columns separate the classes.

        Examples
        --------
        >>> import numpy as np
        >>> from skmetrics_ext.ordinal import CumulativeLinkClassifier
        >>> rng = np.random.default_rng(0)
        >>> X = rng.normal(size=(500, 2))
        >>> y = np.searchsorted([-1, 2], 2 * X[:, 0] + rng.logistic(size=500))
        >>> CumulativeLinkClassifier(alpha=0).fit(X, y).summary()
        ... # doctest: +ELLIPSIS
        P(y <= k) = F(threshold_k - x.coef), logit link, maximum likelihood
        500 rows; log-likelihood -385.023, AIC 778.0
        4 iterations; largest gradient ...
        <BLANKLINE>
               estimate  std. error      z        p         95 % limits
        x0       2.0401      0.1484  13.74  <0.0001    [1.7492, 2.3310]
        x1      -0.0529      0.0987  -0.54   0.5920   [-0.2463, 0.1405]
        0 | 1   -0.6921      0.1173                  [-0.9220, -0.4622]
        1 | 2    1.7477      0.1431                    [1.4672, 2.0282]
        """
        check_is_fitted(self)
        found = self._information
        if found is None:
            raise ValueError(
                "summary() needs a model fitted with alpha=0: a penalty pulls coefficients towards "
                "0, and standard errors would say nothing of how far. Fit with alpha=0."
            )
        if found.separation is not None:
            raise ValueError(
                f"summary() needs finite coefficients, and the classes are {found.separation}ly "
                "separated: there are no standard errors."
            )
        seen = [str(label) for label in self.class_order_[self._seen].tolist()]
        between = [f"{low} | {high}" for low, high in pairwise(seen)]
        coefs = zip(self._names(), self.coef_.tolist(), strict=True)
        thresholds = zip(between, self.thresholds_.tolist(), strict=True)
        return CumulativeLinkSummary.of(
            found,
            list(coefs),
            list(thresholds),
            link=self._link,
            n_iter=self.n_iter_,
            confidence_level=confidence_level,
        )

    def test_proportional_odds(
        self, X: Any, y: Any, sample_weight: Any = None
    ) -> ProportionalOddsTest:
        """Test whether each column acts alike on all thresholds, as the model assumes.

        Rao's score test of one coefficient per column against one for each threshold [1]_, with the
        expected information: for all columns together, and for each alone. The model is
        fitted anew to these rows without a penalty; no larger model has to be fitted, so that
        rare classes are no obstacle. In large samples small departures are found: look at how
        much they matter too.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Mostly the rows that the model was fitted to.
        y : array-like of shape (n_samples,)
            Three or more classes among those of `class_order_`.
        sample_weight : array-like of shape (n_samples,) or None, default=None
            Numbers of rows.

        Returns
        -------
        test : ProportionalOddsTest
            Prints as a table; ``test.overall.p_value`` and ``test["age"].p_value`` are numbers.

        Raises
        ------
        ValueError
            Where y holds fewer than three classes, columns separate them, or `max_iter` is
            reached.

        References
        ----------
        .. [1] Peterson, B. and Harrell, F. E. (1990). Partial proportional odds models for ordinal
           response variables. Applied Statistics 39, 205-217. https://doi.org/10.2307/2347760

        Examples
        --------
        >>> import numpy as np
        >>> from skmetrics_ext.ordinal import CumulativeLinkClassifier
        >>> rng = np.random.default_rng(0)
        >>> X = rng.normal(size=(500, 2))
        >>> noise = rng.logistic(size=500) * np.exp(X[:, 1] / 2)  # more of it where x1 is large
        >>> y = np.searchsorted([-1, 2], 2 * X[:, 0] + noise)
        >>> CumulativeLinkClassifier().fit(X, y).test_proportional_odds(X, y)
        Score test of proportional odds (logit link), 500 rows
        A small p: the column does not act alike on all thresholds.
        <BLANKLINE>
             chi-squared  df       p
        all        13.14   2  0.0014
        x0          0.20   1  0.6581
        x1         12.96   1  0.0003
        """
        check_is_fitted(self)
        rows, target = rows_of(self, X, y, sample_weight, self.class_order_, reset=False)
        if len(target.classes) < 3:
            raise ValueError(
                "y must hold three or more classes: with two there is one threshold, and nothing "
                f"to compare; got {target.classes.tolist()}."
            )
        objective = Objective(rows, get_link(self._link), 0.0)
        with one_blas_thread():
            optimum = maximise(objective, max_iter=self.max_iter, tol=self.tol)
            trouble = optimum.trouble(rows.names(self._names()))
            if trouble is not None:
                raise ValueError(f"the test needs the maximum of the likelihood, but {trouble}")
            return score_test(objective, optimum.point.parameters, self._names())

    def _names(self) -> list[str]:
        names = getattr(self, "feature_names_in_", None)
        return [f"x{j}" for j in range(self.n_features_in_)] if names is None else names.tolist()
