"""compare_levers: metric, threshold, weights, resampling, side by side on the same folds."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from imblearn.over_sampling import RandomOverSampler
from imblearn.pipeline import Pipeline as ResamplingPipeline
from sklearn.base import clone
from sklearn.model_selection import StratifiedGroupKFold, check_cv
from sklearn.pipeline import Pipeline
from sklearn.utils import check_random_state, indexable
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import has_fit_parameter

from skmetrics_ext._labels import encode, same_label
from skmetrics_ext._sklearn import gathered
from skmetrics_ext.costs import CostMatrix, resolve_cost_matrix
from skmetrics_ext.decision._double_counting import find_distortions
from skmetrics_ext.imbalance._before_fit import check_estimator
from skmetrics_ext.imbalance._compare_fold import FoldAnswers, Table, Task, answers_of_fold
from skmetrics_ext.imbalance._compare_result import LeverComparison
from skmetrics_ext.imbalance._compare_rows import NAMES, rows_of
from skmetrics_ext.imbalance._compare_stand_ins import Balanced
from skmetrics_ext.imbalance._learning import flat_steps
from skmetrics_ext.imbalance._rows import validated_target, validated_weights

__all__ = ["compare_levers"]

_LEVEL = 0.95
_LARGEST_SEED = np.iinfo(np.int32).max


def compare_levers(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    cost_matrix: Any,
    sampler: Any = None,
    cv: Any = 5,
    groups: Any = None,
    sample_weight: Any = None,
    n_jobs: int | None = None,
    random_state: Any = None,
) -> LeverComparison:
    """Is it worth weighting or resampling, or does moving the threshold do?

    The levers against rare classes, in the order in which they should be tried, each judged by
    what its answers cost on the same held-out rows:

    - "constant": the one answer that is cheapest for all rows;
    - "plain_half", "plain_cost": the estimator as it is, positive from a probability of 0.5 on,
      and where the costs say so;
    - "calibrated_cost": its probabilities put right by Platt's line in the log odds, fitted on
      rows held out within the training rows, then decided on by cost;
    - "weighted_cost", "weighted_corrected": fitted with ``class_weight="balanced"`` and decided
      on by cost; and the same model with its probabilities put back. The former counts costs
      twice, and is here to show what that does;
    - "resampled_cost", "resampled_corrected": likewise, with resampled training rows;
    - "exact": the threshold that costs least on rows held out within the training rows.

    Parameters
    ----------
    estimator : classifier with predict_proba
        Without class weights or samplers of its own. Cloned. In a pipeline the sampler comes
        right before the last step.
    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
        Labels of two classes: numbers, words or bools.
    cost_matrix : CostMatrix, array-like of shape (2, 2) or None
        c[i, j], the cost of answer i when the truth is j; on words a `CostMatrix` that knows
        its labels. None: one per mistake. Costs that differ by row are not taken.
    sampler : sampler or None, default=None
        An object with `fit_resample`. None: `RandomOverSampler`.
    cv : int, splitter, iterable of (train, test) or None, default=5
        At least two folds, which hold out no row twice.
    groups : array-like of shape (n_samples,) or None, default=None
        Rows that must not be parted. They go to `cv` (a number means StratifiedGroupKFold then)
        and to the folds within the training rows.
    sample_weight : array-like of shape (n_samples,) or None, default=None
        For fitting, as :class:`ResampledClassifier` passes them on, and in every number.
    n_jobs : int or None, default=None
        Folds that are fitted in parallel; None is what ``joblib.parallel_config`` says.
    random_state : int, RandomState or None, default=None
        Seeds samplers without a random state of their own.

    Returns
    -------
    LeverComparison
        Prints as a table with a verdict; ``rows`` holds a `LeverRow` for each lever, with
        estimates, counts and the paired difference in cost to "plain_cost"; ``best()`` is the
        one of least cost, ``to_frame()`` a frame.

    Raises
    ------
    ValueError
        Where y does not hold two classes, the costs do not fit them, the estimator has no
        `predict_proba` or class weights or samplers of its own, or folds are too few, hold out a
        row twice, or leave too few rows of a class.

    Warns
    -----
    UserWarning and others
        What fitting warned of, once for each way of fitting.

    See Also
    --------
    skmetrics_ext.decision.CostThresholdClassifier : What "plain_cost" is, to take home.
    resampled_recipe, weighted_recipe, threshold_recipe : The levers as estimators.

    Notes
    -----
    Each fold fits the estimator as it is once for the training rows and once for each of (at
    most) five folds within them, and so on for the weighted and the resampled rows: 18 fits.
    Levers that need the same fit share it. In a terminal or a notebook scikit-learn's progress
    bar shows the folds (scikit-learn 1.9 or later, with rich installed).

    Corrected levers are those of `ResampledClassifier` with ``ensemble=False``: one model each,
    so that levers differ by nothing else.

    Intervals pool the held-out rows, as if one model had answered all; folds share training
    rows, so they are a little too narrow. The differences between levers are those of the folds
    [1]_, one by one, not corrected for their number.

    References
    ----------
    .. [1] Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. Machine
       Learning 52, 239-281. https://doi.org/10.1023/A:1024068626366

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from skmetrics_ext.costs import CostMatrix
    >>> from skmetrics_ext.imbalance import compare_levers
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> levers = compare_levers(
    ...     make_pipeline(StandardScaler(), LogisticRegression()),
    ...     X,
    ...     y,
    ...     cost_matrix=CostMatrix.binary(false_negative=100, false_positive=1, pos_label=0),
    ...     random_state=0,
    ... )
    >>> round(levers["plain_half"].cost.value, 2), round(levers["plain_cost"].cost.value, 2)
    (1.41, 0.37)
    >>> print(levers["plain_half"].recall)
    recall of 0 0.962 [0.927, 0.981] (204/212, Wilson; prevalence 0.37)
    >>> print(levers["plain_cost"].recall)
    recall of 0 0.995 [0.974, 0.999] (211/212, Wilson; prevalence 0.37)
    """
    sampler = RandomOverSampler() if sampler is None else sampler
    _check_estimator(estimator, sampler)
    table, classes = _validated_table(X, y, groups, sample_weight)
    costs = _validated_costs(cost_matrix, classes)
    splits = _validated_splits(cv, table)
    task, left_out = _task(estimator, sampler, costs, classes)
    fits = [
        delayed(answers_of_fold)(task, table, train, test, seed)
        for (train, test), seed in zip(splits, _seeds(random_state, len(splits)), strict=True)
    ]
    folds = gathered("compare_levers", "fold", _as_they_come(fits, n_jobs), len(fits))
    _warn_once(folds)
    rows = rows_of(task, table, [fold.answers for fold in folds], splits, _LEVEL)
    return LeverComparison(
        rows,
        left_out,
        n_folds=len(splits),
        n_rows=rows[0].cost.n,
        n_positives=int(rows[0].counts.n[task.positive].sum()),
        pos_label=classes.tolist()[task.positive],
        threshold=float(costs.threshold),
        confidence_level=_LEVEL,
    )


def _check_estimator(estimator: Any, sampler: Any) -> None:
    if not hasattr(estimator, "predict_proba"):
        raise ValueError(
            "estimator must have predict_proba, since costs are weighed by probabilities; got "
            f"{estimator!r}. CalibratedClassifierCV(estimator) adds it."
        )
    check_estimator(estimator, sampler)
    found = find_distortions(estimator)
    if found:
        raise ValueError(
            "estimator must be plain, without class weights or samplers, which are what is "
            f"compared; {' and '.join(f.what for f in found)}. Pass a sampler by sampler=."
        )


def _validated_table(X: Any, y: Any, groups: Any, sample_weight: Any) -> tuple[Table, np.ndarray]:
    if y is None:
        raise ValueError("y must be an array of labels; got None.")
    X, y, groups = indexable(X, y, groups)
    labels = validated_target(y)
    classes = np.unique(labels)
    if len(classes) != 2:
        raise ValueError(
            f"y must hold two classes for compare_levers; got {len(classes)}: {classes.tolist()}."
        )
    weights = None if sample_weight is None else validated_weights(sample_weight, len(labels))
    groups = None if groups is None else np.asarray(groups)
    return Table(X, labels, encode(labels, classes, name="y"), weights, groups), classes


def _validated_costs(cost_matrix: Any, classes: np.ndarray) -> CostMatrix:
    if callable(cost_matrix):
        raise ValueError(
            "cost_matrix must be the same for all rows; got the callable "
            f"{cost_matrix!r}. Costs that differ by row are compared by cross_validate with "
            "scoring=cost_scorer(cost_matrix)."
        )
    costs = resolve_cost_matrix(cost_matrix, classes)
    actions = costs.to_array().shape[0]
    if actions > 2:
        raise ValueError(
            f"cost_matrix must have no actions beside the two classes, since not every lever can "
            f"answer them; got {costs!r}."
        )
    return costs


def _validated_splits(cv: Any, table: Table) -> list[tuple[np.ndarray, np.ndarray]]:
    """The folds as row numbers, drawn once for all levers."""
    if table.groups is not None and (cv is None or isinstance(cv, Integral)):
        cv = StratifiedGroupKFold(5 if cv is None else int(cv))
    splitter = check_cv(cv, table.labels, classifier=True)
    number = np.arange(len(table.labels))
    splits = [
        (number[np.asarray(train)], number[np.asarray(test)])
        for train, test in splitter.split(table.X, table.labels, table.groups)
    ]
    if len(splits) < 2:
        raise ValueError(
            f"cv must have at least two folds to compare levers by; got {len(splits)}."
        )
    times = np.bincount(np.concatenate([test for _, test in splits]))
    if times.max() > 1:
        raise ValueError(
            f"cv must hold out no row twice, since held-out rows are counted together; row "
            f"{int(times.argmax())} is held out {int(times.max())} times. Take a k-fold splitter."
        )
    for fold, (train, test) in enumerate(splits):
        both = np.intersect1d(train, test)
        if len(both):
            raise ValueError(
                f"cv must not hold out rows that it trains on; in fold {fold} row {int(both[0])} "
                f"is in both parts, as are {len(both) - 1} more. No lever can be judged on them."
            )
        for name, index in (("training", train), ("test", test)):
            weights = None if table.weights is None else table.weights[index]
            found = np.bincount(table.codes[index], weights, minlength=2)
            if not (found > 0).all() if name == "training" else not found.sum() > 0:
                raise ValueError(
                    f"cv must leave rows of both classes to train on and some to test on; the "
                    f"{name} rows of fold {fold} weigh {found.tolist()} by class."
                )
    return splits


def _task(
    estimator: Any, sampler: Any, costs: CostMatrix, classes: np.ndarray
) -> tuple[Task, dict[str, str]]:
    left_out: dict[str, str] = {}
    weighted, why = _weighted(estimator)
    if why:
        left_out = {NAMES[lever]: why for lever in ("weighted_cost", "weighted_corrected")}
    positive = int(same_label(classes[1], costs.pos_label))
    resampled = _resampled(estimator, sampler)
    return Task(estimator, weighted, resampled, costs, classes, positive), left_out


def _weighted(estimator: Any) -> tuple[Any, str]:
    """The estimator with balanced classes, or None and why there is none."""
    model = clone(estimator)
    last = flat_steps(model)[-1][1]
    if hasattr(last, "get_params") and "class_weight" in last.get_params(deep=False):
        last.set_params(class_weight="balanced")
        return model, ""
    if not has_fit_parameter(last, "sample_weight"):
        name = type(last).__name__
        return None, f"{name} has no class_weight, and its fit takes no sample_weight."
    if not isinstance(model, Pipeline):
        return Balanced(model), ""
    inside = model
    while isinstance(inside.steps[-1][1], Pipeline):
        inside = inside.steps[-1][1]
    inside.steps[-1] = (inside.steps[-1][0], Balanced(last))
    return model, ""


def _resampled(estimator: Any, sampler: Any) -> Any:
    """The estimator with the sampler right before what learns, after all preprocessing."""
    model = clone(estimator)
    if not isinstance(model, Pipeline):
        return ResamplingPipeline([("sampler", sampler), ("classifier", model)])
    paths = flat_steps(model)
    steps = [("-".join(path), step) for path, step in paths]
    name = "sampler"
    while name in dict(steps):
        name += "_"
    return ResamplingPipeline([*steps[:-1], (name, sampler), steps[-1]])


def _seeds(random_state: Any, n: int) -> Sequence[int | None]:
    """One for each fold, so that the order in which folds are fitted does not matter."""
    if random_state is None:
        return [None] * n
    return check_random_state(random_state).randint(_LARGEST_SEED, size=n).tolist()


def _as_they_come(fits: list[Any], n_jobs: int | None) -> Iterable[FoldAnswers]:
    try:
        return Parallel(n_jobs=n_jobs, return_as="generator")(fits)
    except ValueError:  # joblib's multiprocessing backend hands over all answers at the end
        return Parallel(n_jobs=n_jobs)(fits)


def _warn_once(folds: Sequence[FoldAnswers]) -> None:
    """Each warning once for each way of fitting, with the number of folds it came in.

    Warnings that differ by their numbers alone are the same.
    """
    seen: dict[tuple[str, type[Warning], str], list[Any]] = {}
    for fold, found in enumerate(folds):
        for way, category, message in found.warned:
            words = re.sub(r"\d+", "#", message)
            first = seen.setdefault((way, category, words), [message, set()])
            first[1].add(fold)
    for (way, category, _), (message, in_folds) in seen.items():
        warnings.warn(
            f"{way}, in {len(in_folds)} of {len(folds)} folds: {message}", category, stacklevel=3
        )
