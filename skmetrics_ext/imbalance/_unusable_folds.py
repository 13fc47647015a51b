"""find_unusable_folds: which folds a sampler cannot work on, known before anything is fitted."""

from __future__ import annotations

from collections.abc import Iterator
from math import floor, log
from typing import Any

import numpy as np
from imblearn.over_sampling.base import BaseOverSampler
from imblearn.under_sampling.base import BaseUnderSampler
from imblearn.utils import check_sampling_strategy
from scipy.stats import hypergeom
from sklearn.model_selection import ParameterGrid, check_cv

from skmetrics_ext.imbalance._leakage_findings import Finding, Findings
from skmetrics_ext.imbalance._leakage_table import Classes

__all__ = ["find_unusable_folds", "rows_after"]

# A draw that fails less often than this is not worth a word.
_CHANCE_TO_FAIL = 0.05


def find_unusable_folds(X: Any, y: Any, cv: Any, sampler: Any) -> Findings:
    """Which folds will fail, before hours of fitting say so one by one?

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The table; only its length and what ``cv`` makes of it matter.
    y : array-like of shape (n_samples,)
        Class labels.
    cv : int, splitter, iterable of (train, test) or search
        The folds, as ``cv`` of scikit-learn's functions. A HalvingGridSearchCV or
        HalvingRandomSearchCV stands for its own ``cv``, and then the few rows of its first
        iteration are looked at as well.
    sampler : sampler
        From imbalanced-learn: an over- or undersampler, or SMOTEENN, SMOTETomek.

    Returns
    -------
    Findings
        A list of findings, empty where every fold can work, each with ``kind``, ``evidence``
        (with the number of the ``fold``), ``sentence`` and ``mend``. The kinds:

        - "one class": the training rows hold a single class, or the test rows do, on which a
          ROC AUC or average precision is undefined;
        - "neighbours": a class that needs neighbours has too few training rows;
        - "strategy": ``sampling_strategy`` (a dict of numbers of rows, or a share) asks for what
          the training rows cannot give;
        - "resources": the first iteration of a halving search draws so few rows that, with a
          probability over 5 %, a class has too few neighbours or is absent.

    Raises
    ------
    ValueError
        Where y holds one class only, its length differs from X, or sampler is none.

    See Also
    --------
    ResampledClassifier : Clips the neighbours to what a fold allows, instead of failing.

    Notes
    -----
    BorderlineSMOTE and SVMSMOTE look for neighbours only around the rows they choose; a fold is
    named also where they would choose none, and make nothing.

    Examples
    --------
    >>> import numpy as np
    >>> from imblearn.over_sampling import SMOTE
    >>> from skmetrics_ext.imbalance import find_unusable_folds
    >>> X, y = np.arange(100.0).reshape(50, 2), np.repeat([0, 1], [43, 7])
    >>> found = find_unusable_folds(X, y, 5, SMOTE())
    >>> len(found), found[0].kind, found[0].evidence
    (2, 'neighbours', {'fold': 3, 'class': 1, 'rows': 5, 'needed': 6})
    """
    if isinstance(sampler, type) or not hasattr(sampler, "fit_resample"):
        raise ValueError(
            f"sampler must be an object with fit_resample, such as SMOTE(); got {sampler!r}."
        )
    n_rows = X.shape[0] if hasattr(X, "shape") else len(X)
    classes = Classes.read(y, n_rows)
    search = cv if hasattr(cv, "min_resources") else None
    labels = classes.labels[classes.codes]
    splitter = check_cv(cv if search is None else search.cv, labels, classifier=True)
    folds = list(splitter.split(X, labels))
    findings = Findings()
    for fold, (train, test) in enumerate(folds):
        found = list(_in_fold(fold, labels[train], labels[test], sampler))
        if search is not None and not found:
            found += _in_first_draw(fold, labels, train, len(folds), search, sampler)
        findings += found
    return findings


def _in_fold(fold: int, y_train: np.ndarray, y_test: np.ndarray, sampler: Any) -> Iterator[Finding]:
    for name, y in (("training", y_train), ("test", y_test)):
        if len(values := np.unique(y)) < 2:
            yield Finding(
                kind="one class",
                evidence={"fold": fold, "rows": name, "classes": values.tolist()},
                sentence=f"the {name} rows of fold {fold} hold one class only, {values.tolist()}.",
                mend="Use StratifiedKFold, or fewer folds.",
            )
            if name == "training":
                return
    strategy = sampler.sampling_strategy if hasattr(sampler, "sampling_strategy") else None
    try:
        targets = _targets(sampler, y_train)
    except ValueError as error:
        yield Finding(
            kind="strategy",
            evidence={"fold": fold, "sampling_strategy": strategy, "rows": _counts(y_train)},
            sentence=f"sampling_strategy={strategy!r} cannot be met in fold {fold}: {error}",
            mend=(
                "Give a share, or a callable that counts the rows it is handed, instead of "
                "numbers made for the whole table."
            ),
        )
        return
    for label, rows, needed in _too_few(sampler, y_train, targets):
        of_what = "rows" if label is None else f"rows of class {label!r}"
        yield Finding(
            kind="neighbours",
            evidence={"fold": fold, "class": label, "rows": rows, "needed": needed},
            sentence=(
                f"the training rows of fold {fold} hold {rows} {of_what}, and "
                f"{type(sampler).__name__} needs {needed}."
            ),
            mend=(
                "Ask for fewer neighbours or fewer folds, or use ResampledClassifier, which "
                "clips the neighbours to what the fold allows."
            ),
        )


def _in_first_draw(
    fold: int, labels: np.ndarray, train: np.ndarray, n_splits: int, search: Any, sampler: Any
) -> Iterator[Finding]:
    """The first iteration of a halving search draws some of a fold's rows, not stratified."""
    if search.resource != "n_samples":
        return
    resources = _first_resources(search, labels, n_splits)
    drawn = int(resources / len(labels) * len(train))
    y = labels[train]
    targets = _targets(sampler, y)
    for label, rows in _counts(y).items():
        needed = max([1, *(n for _, n in _needs(sampler, targets, label))])
        chance = float(hypergeom.cdf(needed - 1, len(y), rows, drawn))
        if chance > _CHANCE_TO_FAIL:
            yield Finding(
                kind="resources",
                evidence={
                    "fold": fold,
                    "class": label,
                    "drawn": drawn,
                    "expected_rows": drawn * rows / len(y),
                    "needed": needed,
                    "chance_to_fail": chance,
                },
                sentence=(
                    f"the first iteration draws {drawn} of the {len(y)} training rows of fold "
                    f"{fold}, of which {drawn * rows / len(y):.1f} are of class {label!r} on "
                    f"average, and {type(sampler).__name__} needs {needed}: it fails with a "
                    f"probability of {chance:.2f}."
                ),
                mend="Raise min_resources.",
            )


def rows_after(sampler: Any, rows: dict[Any, int]) -> dict[Any, int]:
    """Rows of each class that a sampler hands on, as far as its strategy tells.

    Those that clean say how many rows they drop only when they have: some few.
    """
    try:
        targets = _targets(sampler, np.repeat(list(rows), list(rows.values())))
    except ValueError:
        return rows  # nor will the sampler work
    kind = _kind(sampler)
    if kind == "clean-sampling":
        return rows
    before = rows if kind == "over-sampling" else dict.fromkeys(rows, 0)
    return {**rows, **{label: before[label] + n for label, n in targets.items()}}


def _kind(sampler: Any) -> str:
    if isinstance(sampler, BaseUnderSampler):
        return "under-sampling"
    if isinstance(sampler, BaseOverSampler) or hasattr(sampler, "smote"):
        return "over-sampling"
    return "clean-sampling"


def _targets(sampler: Any, y: np.ndarray) -> dict[Any, int]:
    """The classes that the sampler works on, each with the rows to make or to keep.

    Raises
    ------
    ValueError
        imbalanced-learn's own, where the strategy asks for what y cannot give.
    """
    if not hasattr(sampler, "sampling_strategy"):
        return {}
    return dict(check_sampling_strategy(sampler.sampling_strategy, y, _kind(sampler)))


def _needs(sampler: Any, targets: dict[Any, int], label: Any) -> Iterator[tuple[str, int]]:
    """Rows that one class must have, by the parameter that says so."""
    if hasattr(sampler, "smote"):
        # SMOTEENN and SMOTETomek: SMOTE at its defaults, unless another is given.
        wanted = 6 if sampler.smote is None else _number(sampler.smote.k_neighbors, 1)
        if targets.get(label, 0) > 0:
            yield "k_neighbors", wanted
    elif isinstance(sampler, BaseOverSampler):
        for name in ("k_neighbors", "n_neighbors"):
            if hasattr(sampler, name) and targets.get(label, 0) > 0:
                yield name, _number(getattr(sampler, name), 1)
    elif type(sampler).__name__ == "NearMiss" and label not in targets:
        # It measures how near the rows of a class are to those that are left alone.
        yield "n_neighbors", _number(sampler.n_neighbors, 0)


def _too_few(
    sampler: Any, y: np.ndarray, targets: dict[Any, int]
) -> Iterator[tuple[Any, int, int]]:
    """Classes with fewer rows than needed (None for all rows together), rows and need."""
    for label, rows in _counts(y).items():
        for _, needed in _needs(sampler, targets, label):
            if rows < needed:
                yield label, rows, needed
    among_all = "m_neighbors" if hasattr(sampler, "m_neighbors") else None
    if not isinstance(sampler, BaseOverSampler) and type(sampler).__name__ != "NearMiss":
        among_all = "n_neighbors" if hasattr(sampler, "n_neighbors") else None
    if among_all and len(y) < (needed := _number(getattr(sampler, among_all), 1)):
        yield None, len(y), needed


def _number(neighbours: Any, itself: int) -> int:
    """Rows for so many neighbours; an estimator of neighbours counts the row itself."""
    if isinstance(neighbours, (int, np.integer)):
        return int(neighbours) + itself
    return int(neighbours.n_neighbors)


def _counts(y: np.ndarray) -> dict[Any, int]:
    values, counts = np.unique(y, return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))


def _first_resources(search: Any, labels: np.ndarray, n_splits: int) -> int:
    """Rows of the first iteration, by the rules of scikit-learn's halving searches."""
    most = len(labels) if search.max_resources == "auto" else search.max_resources
    if search.min_resources not in ("smallest", "exhaust"):
        return int(search.min_resources)
    least = n_splits * 2 * len(np.unique(labels))
    if search.min_resources == "smallest":
        return least
    if hasattr(search, "param_grid"):
        n_candidates = len(ParameterGrid(search.param_grid))
    else:
        n_candidates = search.n_candidates
    # As many iterations as leave one candidate, the last one with all rows.
    iterations = 1 + floor(log(n_candidates, search.factor))
    return max(least, int(most // search.factor ** (iterations - 1)))
