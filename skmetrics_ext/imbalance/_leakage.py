"""find_resampling_leakage: was something resampled before it was split?"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from skmetrics_ext.imbalance._leakage_copies import find_copies
from skmetrics_ext.imbalance._leakage_findings import Findings
from skmetrics_ext.imbalance._leakage_sentinel import find_by_shuffled_labels
from skmetrics_ext.imbalance._leakage_static import find_in_estimator
from skmetrics_ext.imbalance._leakage_synthetic import find_synthetic_rows
from skmetrics_ext.imbalance._leakage_table import Classes, Table

__all__ = ["find_resampling_leakage"]

_ON_FINDING = ("return", "warn", "raise")


def find_resampling_leakage(
    X: Any,
    y: Any,
    *,
    estimator: Any = None,
    protocol: Callable[[Any, Any], Any] | None = None,
    random_state: Any = None,
    on_finding: str = "return",
) -> Findings:
    """Was this table, or what I fit on it, resampled before it is split?

    Rows that were oversampled before a split stand on both sides of it, and the score becomes a
    test of memory: on a table of 4 % positives a forest's average precision goes from 0.70 to
    1.00. Three things are looked at: the table, the estimator, the protocol. Only what is all but
    proven is said.

    Parameters
    ----------
    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
        The table as it goes into the split (with ``protocol``: as it goes into the protocol).
    y : array-like of shape (n_samples,)
        Class labels.
    estimator : estimator, default=None
        What is fitted. Found is a sampler before something that splits its rows again:
        ``*SearchCV``, ``*CV``, CalibratedClassifierCV, TunedThresholdClassifierCV, stacking, or
        early stopping on rows held back.
    protocol : callable (X, y) -> float, default=None
        All that is done to get a ROC AUC, the resampling and the scoring included. It is run
        once, on X with shuffled labels (y needs two classes). Its AUC then is 0.5 but for luck;
        further off than 0.1 and than four standard errors of a random ranking,
        ``sqrt((n1 + n0 + 1) / (12 * n1 * n0))``, it must have seen its test rows (or, below 0.5,
        it pools the scores of folds that are not stratified, such as leave-one-out).
    random_state : int, RandomState instance or None, default=None
        Which rows of a long table are examined, and how labels are shuffled.
    on_finding : {"return", "warn", "raise"}, default="return"
        What happens with findings beyond returning them: a UserWarning for each, or a ValueError
        that holds them all.

    Returns
    -------
    Findings
        A list of findings, each with ``kind``, ``evidence``, ``sentence`` and ``mend``; empty
        where nothing was found. It prints one a line; ``to_frame()`` makes a table. The kinds:

        - "sampler before split", from ``estimator``;
        - "copies": rows that hold a value found in no other distinct row stand there repeatedly,
          in at least 5 sets, far more often in one class than in the class in which that is
          rarest (random oversampling);
        - "synthetic rows": at least 5 rows lie exactly on a segment between two rows of their
          class, far more often than in the class in which that is rarest (SMOTE,
          BorderlineSMOTE, ADASYN, SVMSMOTE, the continuous columns of SMOTENC). Only columns
          count in which the three rows differ and the middle one holds a value found nowhere
          else: at least two of them, exact as float64 is, or three, exact as float32 is. Columns
          that are linear combinations of others, or lie on a grid, as rounded values do, do not
          count;
        - "shuffled labels", from ``protocol``.

    Raises
    ------
    ValueError
        Where X, y or a parameter is not as said above; with findings and ``on_finding="raise"``.

    See Also
    --------
    safe_splits : Folds and weights for a table that holds copies and cannot be had without.
    ResampledClassifier : Resampling that stays inside the training fold.

    Notes
    -----
    Finding nothing proves nothing. From a table alone these cannot be seen: synthetic rows in one
    or two columns (or more columns that depend linearly on two); values rounded or cast to
    integers after the sampler; columns bent after the sampler (logarithms, quantiles; scaling and
    rotating do no harm); tables of discrete columns only, where copies and neighbours are natural;
    fewer than 5 sets or rows; undersampling, which leaves no trace; and whatever happens to all
    classes alike, or where every other class fills but a line, so that nothing is there to
    compare with. The protocol on shuffled labels sees whatever copies test rows into training.

    Up to 2 million pairs of rows are examined in each class (at least 200 rows, against at most
    50 000): 5000 rows in each of two classes, of 30 columns, take about 0.6 s on one core.

    Examples
    --------
    >>> from imblearn.over_sampling import SMOTE
    >>> from sklearn.datasets import make_classification
    >>> from skmetrics_ext.imbalance import find_resampling_leakage
    >>> X, y = make_classification(1000, weights=[0.9], random_state=0)
    >>> find_resampling_leakage(X, y, random_state=0)
    Findings([])
    >>> X, y = SMOTE(random_state=0).fit_resample(X, y)
    >>> found = find_resampling_leakage(X, y, random_state=0)
    >>> [(f.kind, f.evidence["class"]) for f in found]
    [('synthetic rows', 1)]
    """
    if on_finding not in _ON_FINDING:
        raise ValueError(f"on_finding must be one of {list(_ON_FINDING)}; got {on_finding!r}.")
    if protocol is not None and not callable(protocol):
        raise ValueError(f"protocol must be a callable (X, y) -> AUC; got {protocol!r}.")
    if estimator is not None and (
        isinstance(estimator, type) or not hasattr(estimator, "get_params")
    ):
        raise ValueError(
            f"estimator must be an estimator, an object with get_params; got {estimator!r}."
        )
    table = Table.read(X)
    classes = Classes.read(y, len(table.values))
    rng = np.random.default_rng(check_random_state(random_state).randint(2**31 - 1))

    findings = Findings()
    if estimator is not None:
        counts = np.bincount(classes.codes).tolist()
        rows = dict(zip(classes.labels.tolist(), counts, strict=True))
        findings += find_in_estimator(estimator, rows)
    findings += find_copies(table, classes)
    findings += find_synthetic_rows(table, classes, rng)
    if protocol is not None:
        findings += find_by_shuffled_labels(protocol, X, y, classes, rng)
    if findings and on_finding == "raise":
        raise ValueError(str(findings))
    if on_finding == "warn":
        for finding in findings:
            warnings.warn(str(finding), UserWarning, stacklevel=2)
    return findings
