"""Class shares of a population without labels, from a classifier's probabilities on it."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from skmetrics_ext.decision._probabilities import probability_rows
from skmetrics_ext.decision._shares import shares_sorted

__all__ = ["PriorEstimate", "estimate_priors"]

# A share above this is not asked whether it is on its way to 0.
_SMALL_SHARE = 1e-2
# A class that would grow by this from 0 is there; the other shares need not be settled to see it.
_PLAINLY_MORE = 1e-2
# Far above where the inverse would overflow.
_IMPOSSIBLE = 1e-200


@dataclass(frozen=True, eq=False)
class PriorEstimate:
    """Class shares estimated without labels; an array of them wherever an array is taken.

    Attributes
    ----------
    priors : ndarray of shape (n_classes,)
        Estimated share of each class, in the order of the columns of the probabilities; sum 1.
        Exactly 0 where the likelihood is greatest without the class.
    log_likelihood_ratio : float
        Logarithm of the likelihood at `priors` over that at the training priors, 0 or greater.
        If the shares were still those of the training data, twice this would be about
        chi-squared with n_classes - 1 degrees of freedom.
    n_iter : int
        Steps taken.
    converged : bool
        Whether the mean log-likelihood per row is known to be within `tol` of the greatest.

    Examples
    --------
    >>> import numpy as np
    >>> from skmetrics_ext.decision import estimate_priors
    >>> p_new = [[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.9, 0.1], [0.2, 0.8]]
    >>> found = estimate_priors(p_new, [0.5, 0.5])
    >>> found.priors.round(2), found.converged
    (array([0.81, 0.19]), True)
    >>> np.asarray(found).round(2)
    array([0.81, 0.19])
    """

    priors: np.ndarray
    log_likelihood_ratio: float
    n_iter: int
    converged: bool

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        array = np.asarray(self.priors, dtype=dtype)
        return array.copy() if copy else array


def estimate_priors(
    y_proba: Any, training_priors: Any, *, tol: float = 1e-10, max_iter: int = 10_000
) -> PriorEstimate:
    """Class shares of a new population, from the probabilities of its rows and no labels.

    The new rows' probabilities are averaged, put to those shares, averaged again, until nothing
    changes: the EM algorithm of [1]_, which climbs to the greatest likelihood. The likelihood
    has one top, so it does not matter where it starts.

    It holds where only the class shares differ between the two populations, not the rows within
    a class, and the probabilities are calibrated on the training population: an over-confident
    classifier gives wrong shares, and nothing here can tell.

    Parameters
    ----------
    y_proba : array-like of shape (n_samples, n_classes)
        Probabilities of the new rows, as the classifier gives them: not corrected. Each row sums
        to 1.
    training_priors : array-like of shape (n_classes,) or mapping {label: share}
        Class shares that the probabilities were learnt under, each positive, with sum 1. An
        array is in the order of the columns of `y_proba`, which in scikit-learn is that of the
        sorted labels; a mapping (or a pandas Series with the labels as index) is put into it.
    tol : float, default=1e-10
        Stop when no share grows by more than this part of itself in a step. The mean
        log-likelihood per row is then within `tol` of the greatest.
    max_iter : int, default=10000
        Most steps to take. Classes that hardly differ need many.

    Returns
    -------
    PriorEstimate
        With ``priors``, in [0, 1] and of sum 1. It can stand as `target_priors` of
        `PriorCorrectedClassifier` as it is.

    Raises
    ------
    ValueError
        Where `y_proba` is not a table of probabilities, `training_priors` do not fit it, sum to
        something else than 1 or are not all positive; `tol` is not positive or `max_iter` no
        positive whole number.

    Warns
    -----
    UserWarning
        Where the likelihood is greatest with a class's share at 0: the class may be absent, or
        the rows too few, or the probabilities not calibrated.
    ConvergenceWarning
        Where `max_iter` steps were not enough.

    See Also
    --------
    PriorCorrectedClassifier : Probabilities at these shares.

    Notes
    -----
    With probabilities that are the training priors in every row, all shares are equally likely
    and the training priors are the answer.

    References
    ----------
    .. [1] Saerens, M., Latinne, P. and Decaestecker, C. (2002). Adjusting the outputs of a
       classifier to new a priori probabilities: a simple procedure. Neural Computation 14,
       21-41. https://doi.org/10.1162/089976602753284446

    Examples
    --------
    Learnt where half the people are ill, used where one in ten is:

    >>> import numpy as np
    >>> from scipy.special import expit
    >>> from skmetrics_ext.decision import estimate_priors
    >>> rng = np.random.default_rng(0)
    >>> ill = rng.random(5000) < 0.1
    >>> blood_value = rng.normal(2.0 * ill)
    >>> p = expit(2 * blood_value - 2)  # the probability where half are ill
    >>> found = estimate_priors(np.column_stack([1 - p, p]), [0.5, 0.5])
    >>> found.priors.round(2), round(p.mean(), 2).item()
    (array([0.89, 0.11]), 0.29)
    """
    q = probability_rows(y_proba)
    q = q / q.sum(axis=1, keepdims=True)
    seen = shares_sorted(training_priors, q.shape[1], "training_priors")
    _check_options(seen, tol, max_iter)
    seen = seen / seen.sum()
    priors, steps, converged = _climb(q, seen, seen, tol, max_iter)
    gone = np.zeros(len(seen), dtype=bool)
    if converged:
        priors, more = _without_the_absent(q, priors, seen, tol, max_iter)
        steps, gone = steps + more, priors == 0
    if gone.any():
        warnings.warn(
            f"The likelihood is greatest with a share of 0 for class number "
            f"{', '.join(map(str, np.flatnonzero(gone)))} (by the columns of y_proba). The class "
            f"may be absent, {len(q)} rows may be too few, or the probabilities not calibrated; "
            "as a prior, 0 rules the class out in every row.",
            UserWarning,
            stacklevel=2,
        )
    if not converged:
        warnings.warn(
            f"estimate_priors did not converge in max_iter={max_iter} steps to tol={tol}: the "
            "shares are on their way. Classes that hardly differ need more steps.",
            ConvergenceWarning,
            stacklevel=2,
        )
    # At the training priors the likelihood of each row is its probabilities' sum, 1.
    likelihood = q @ (priors / seen)
    return PriorEstimate(priors, max(float(np.log(likelihood).sum()), 0.0), steps, converged)


def _check_options(seen: np.ndarray, tol: Any, max_iter: Any) -> None:
    if not (seen > 0).all():
        k = int(np.flatnonzero(seen == 0)[0])
        raise ValueError(
            f"training_priors must all be positive; class number {k} has the share 0, so nothing "
            "was learnt about it."
        )
    number = isinstance(tol, (int, float, np.number)) and not isinstance(tol, bool)
    if not number or not 0 < tol < np.inf:
        raise ValueError(f"tol must be a positive number; got {tol!r}.")
    if isinstance(max_iter, bool) or not isinstance(max_iter, (int, np.integer)) or max_iter < 1:
        raise ValueError(f"max_iter must be a whole number, 1 or more; got {max_iter!r}.")


def _climb(
    q: np.ndarray, start: np.ndarray, seen: np.ndarray, tol: float, max_iter: int
) -> tuple[np.ndarray, int, bool]:
    """EM from ``start``; a share of 0 stays 0. The shares, the steps, and whether it is done.

    The likelihood is concave in the shares and its mean's derivative by each share is what the
    share grows by, so the greatest growth less 1 bounds what is still to be gained.
    """
    priors = start
    for step in range(1, max_iter + 1):
        growth = _growth(q, priors, seen)
        done = growth[priors > 0].max() <= 1 + tol
        priors = priors * growth
        priors = priors / priors.sum()
        if done:
            return priors, step, True
    return priors, max_iter, False


def _growth(q: np.ndarray, priors: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """What each share grows by in a step; of one that is 0, what it would grow by.

    The mean of the probabilities at ``priors``, over ``priors``: in two products of a matrix and
    a vector, since the corrected rows themselves are not needed.
    """
    likelihood = q @ (priors / seen)
    if likelihood.min() < _IMPOSSIBLE:  # a row is certain of a class whose share is 0
        return np.full(len(priors), np.inf)
    return (1 / likelihood) @ q / (len(q) * seen)


def _without_the_absent(
    q: np.ndarray, priors: np.ndarray, seen: np.ndarray, tol: float, max_iter: int
) -> tuple[np.ndarray, int]:
    """Shares of exactly 0 where the likelihood is greatest without the class, and the steps.

    EM only comes near 0. So a small share is set there, the others climb on, and it stays if the
    likelihood would not grow by giving the class anything.
    """
    steps = 0
    for k in np.argsort(priors):
        if priors[k] > _SMALL_SHARE:
            break
        start = np.where(np.arange(len(priors)) == k, 0.0, priors)
        start /= start.sum()
        if _growth(q, start, seen)[k] > 1 + _PLAINLY_MORE:
            continue
        without, more, done = _climb(q, start, seen, tol, max_iter)
        steps += more
        if done and _growth(q, without, seen).max() <= 1 + tol:
            priors = without
    return priors, steps
