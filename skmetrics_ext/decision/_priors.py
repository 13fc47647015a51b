"""Probabilities learnt under some class shares, put back to other shares: Bayes' formula."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["correct_priors"]

# Shares typed by hand, such as three times 0.333333, are taken as they are meant.
_SUM_TOLERANCE = 1e-5


def correct_priors(proba: Any, priors: Any, priors_seen: Any) -> np.ndarray:
    """Probabilities as they would be had the training rows come at the given class shares.

    A classifier that was trained on resampled or weighted rows believes in the class shares it
    saw. If only the shares were changed, and not the rows within a class, Bayes' formula gives
    the probabilities at the true shares:

        p_k proportional to q_k * prior_k / prior_seen_k

    for any number of classes [1]_ [2]_. For two classes and undersampling, where a share beta of
    the negatives was kept, this is p = beta q / (beta q - q + 1) [3]_.

    Parameters
    ----------
    proba : array-like of shape (n_samples, n_classes)
        Probabilities q, as the classifier gives them.
    priors : array-like of shape (n_classes,)
        Class shares to correct to, each in [0, 1], with sum 1.
    priors_seen : array-like of shape (n_classes,)
        Class shares that the classifier was trained on, each in [0, 1], with sum 1.

    Returns
    -------
    ndarray of shape (n_samples, n_classes)
        Corrected probabilities in [0, 1]; the rows sum to 1. Where the two shares are the same,
        the probabilities are those given. A row that is certain of classes whose prior is 0
        holds nothing that could be weighed: it becomes the priors.

    Raises
    ------
    ValueError
        If the shapes do not fit; if probabilities or shares are negative, NaN or infinite; if
        shares do not sum to 1; or if a class with a positive prior was never seen.

    References
    ----------
    .. [1] Saerens, M., Latinne, P. and Decaestecker, C. (2002). Adjusting the outputs of a
       classifier to new a priori probabilities: a simple procedure. Neural Computation 14,
       21-41. https://doi.org/10.1162/089976602753284446
    .. [2] Elkan, C. (2001). The foundations of cost-sensitive learning. IJCAI 2001, 973-978.
    .. [3] Dal Pozzolo, A., Caelen, O., Johnson, R. A. and Bontempi, G. (2015). Calibrating
       probability with undersampling for unbalanced classification. IEEE SSCI 2015.
       https://doi.org/10.1109/SSCI.2015.33

    Examples
    --------
    Learnt where one row in ten is positive, used where every second one is:

    >>> from skmetrics_ext.decision._priors import correct_priors
    >>> correct_priors([[0.7, 0.3]], [0.5, 0.5], [0.9, 0.1]).round(4)
    array([[0.2059, 0.7941]])
    """
    q = _validated_proba(proba)
    ratio = _prior_ratio(
        _validated_shares(priors, q.shape[1], "priors"),
        _validated_shares(priors_seen, q.shape[1], "priors_seen"),
    )
    if (ratio == ratio[0]).all():
        return q.copy()
    p = q * (ratio / ratio.max())
    largest = p.max(axis=1, keepdims=True)
    undecided = largest[:, 0] == 0
    largest[undecided] = 1.0
    # Twice, since a row may be so small that its sum alone would lose digits.
    p /= largest
    p[undecided] = priors
    return p / p.sum(axis=1, keepdims=True)


def _validated_proba(proba: Any) -> np.ndarray:
    q = np.asarray(proba, dtype=np.float64)
    if q.ndim != 2 or q.shape[1] == 0:
        raise ValueError(
            f"proba must have the shape (n_samples, n_classes); got an array of shape {q.shape}."
        )
    wrong = ~np.isfinite(q) | (q < 0)
    if wrong.any():
        raise ValueError(
            f"proba must hold finite numbers that are not negative; got {q[wrong][0]}."
        )
    return q


def _validated_shares(shares: Any, n_classes: int, name: str) -> np.ndarray:
    array = np.asarray(shares, dtype=np.float64)
    if array.shape != (n_classes,):
        raise ValueError(
            f"{name} must hold one share per class, {n_classes} in all; got an array of shape "
            f"{array.shape}."
        )
    if not np.isfinite(array).all() or (array < 0).any():
        raise ValueError(
            f"{name} must hold finite numbers that are not negative; got {array.tolist()}."
        )
    if abs(array.sum() - 1) > _SUM_TOLERANCE:
        raise ValueError(f"{name} must sum to 1; {array.tolist()} sums to {array.sum():.6g}.")
    return array


def _prior_ratio(priors: np.ndarray, priors_seen: np.ndarray) -> np.ndarray:
    never_seen = (priors_seen == 0) & (priors > 0)
    if never_seen.any():
        k = int(np.flatnonzero(never_seen)[0])
        raise ValueError(
            f"priors_seen must be positive where priors is: class number {k} has the prior "
            f"{priors[k]:.6g} and was never seen, so nothing was learnt about it."
        )
    return np.divide(priors, priors_seen, out=np.zeros_like(priors), where=priors_seen > 0)
