"""What is to be the best: a registered metric with its parameters, however it was said."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import Parameter, signature
from typing import Any

import numpy as np
from sklearn import metrics as sk

from skmetrics_ext import metrics as own
from skmetrics_ext._sklearn import BaseScorer, scorer_parts
from skmetrics_ext.metrics._scorers import MetricScorer
from skmetrics_ext.tables import get_metric, metric_names

__all__ = ["Measure", "measure_of"]

_AVERAGED = ("average", "pos_label", "zero_division")
# scikit-learn 1.6 has no replacement: its two scorers of ratios answer NaN there.
_REPLACES = "replace_undefined_by" in signature(sk.class_likelihood_ratios).parameters


@dataclass(frozen=True)
class Measure:
    """A registered metric, picklable.

    Attributes
    ----------
    name : str
    sign : int
        -1 where the scorer negates the metric.
    params : mapping
        The metric's own parameters, and labels, pos_label, average, zero_division and
        replace_undefined_by where they were given.
    said : str
        How the user said it.
    """

    name: str
    sign: int
    params: Mapping[str, Any] = field(default_factory=dict)
    said: str = ""


@dataclass(frozen=True)
class _Function:
    """A function of labels that is a registered metric: what may be passed to it."""

    name: str
    accepts: tuple[str, ...] = ()
    always: Mapping[str, Any] = field(default_factory=dict)


def _behind(scorer_name: str) -> Callable[..., Any]:
    """The function of a scorer of scikit-learn's that has no public name itself."""
    return scorer_parts(sk.get_scorer(scorer_name))[0]


_AT_RATIOS = {"replace_undefined_by": 1.0} if _REPLACES else {}
# By the function itself: what merely has the same name may compute something else.
_FUNCTIONS: dict[Any, _Function] = {
    sk.accuracy_score: _Function("accuracy"),
    sk.zero_one_loss: _Function("expected_cost"),
    sk.balanced_accuracy_score: _Function("balanced_accuracy"),
    sk.matthews_corrcoef: _Function("matthews_corrcoef"),
    sk.precision_score: _Function("precision", _AVERAGED),
    sk.recall_score: _Function("recall", _AVERAGED),
    sk.f1_score: _Function("f1", _AVERAGED),
    sk.fbeta_score: _Function("fbeta", ("beta", *_AVERAGED)),
    sk.jaccard_score: _Function("jaccard", _AVERAGED),
    # Of two classes kappa is the same whatever the built-in weights are.
    sk.cohen_kappa_score: _Function(
        "weighted_kappa", ("labels", "weights", "replace_undefined_by")
    ),
    _behind("positive_likelihood_ratio"): _Function("positive_likelihood_ratio", (), _AT_RATIOS),
    _behind("neg_negative_likelihood_ratio"): _Function(
        "negative_likelihood_ratio", (), _AT_RATIOS
    ),
    own.weighted_kappa_score: _Function(
        "weighted_kappa", ("labels", "weights", "replace_undefined_by")
    ),
    own.one_off_accuracy_score: _Function("one_off_accuracy", ("labels", "tolerance")),
    own.classwise_mean_absolute_error: _Function(
        "classwise_mean_absolute_error", ("labels", "average")
    ),
    own.negative_predictive_value_score: _Function(
        "negative_predictive_value", ("labels", *_AVERAGED)
    ),
    own.expected_cost_loss: _Function("expected_cost", ("labels", "cost_matrix")),
    own.cost_savings_score: _Function("cost_savings", ("labels", "cost_matrix")),
}


def measure_of(scoring: Any) -> Measure:
    """The metric that a name or a scorer stands for.

    Raises
    ------
    ValueError
        Where it is none that is registered; the message says what is accepted.
    """
    if isinstance(scoring, str):
        if scoring in metric_names():
            sign = 1 if get_metric(scoring).greater_is_better else -1
            return Measure(scoring, sign, said=repr(scoring))
        try:
            scorer = sk.get_scorer(scoring)
        except ValueError:
            raise ValueError(_refusal(scoring, "is no name of a metric")) from None
        return _of_function(scorer, scoring)
    if isinstance(scoring, MetricScorer):
        _, sign, params, _ = scorer_parts(scoring)
        return Measure(scoring.name, sign, params, said=repr(scoring))
    if isinstance(scoring, BaseScorer):
        return _of_function(scoring, scoring)
    if isinstance(scoring, (Mapping, list, tuple, set)):
        raise ValueError(_refusal(scoring, "is more than one metric, and one is the best"))
    if _lookup(scoring) is not None:
        raise ValueError(_refusal(scoring, "is a function, of which make_scorer makes a scorer"))
    raise ValueError(_refusal(scoring, "is not known as a function of counts"))


def _of_function(scorer: BaseScorer, scoring: Any) -> Measure:
    function, sign, given, response_method = scorer_parts(scorer)
    known = _lookup(function)
    if known is None or response_method != "predict":
        raise ValueError(
            _refusal(scoring, "has no value per threshold, or is not known as a function of counts")
        )
    name, given = known.name, dict(given)
    if function is sk.balanced_accuracy_score and given.get("adjusted"):
        name, given = "youden", {key: v for key, v in given.items() if key != "adjusted"}
    defaults = signature(function).parameters
    changed = {
        key: v for key, v in given.items() if key in known.accepts or not _same(v, defaults, key)
    }
    missing = [
        key
        for key, parameter in defaults.items()
        if parameter.kind is Parameter.KEYWORD_ONLY
        and parameter.default is Parameter.empty
        and key not in given
    ]
    if missing:
        raise ValueError(f"scoring={scoring!r} lacks {missing}, which its function requires.")
    others = sorted(set(changed) - set(known.accepts))
    if others or changed.get("average", "binary") in (None, "samples"):
        raise ValueError(_refusal(scoring, f"has {others or ['average']} other than expected"))
    return Measure(name, sign, {**known.always, **changed}, said=repr(scoring))


def _lookup(function: Any) -> _Function | None:
    try:
        return _FUNCTIONS.get(function)
    except TypeError:  # not hashable, so none of ours
        return None


def _same(value: Any, parameters: Mapping[str, Parameter], key: str) -> bool:
    """Whether a parameter was given as what it is by default."""
    if key not in parameters:
        return False
    default = parameters[key].default
    simple = value is None or isinstance(value, (str, bool, int, float, np.number))
    return value is default or (simple and type(value) is type(default) and value == default)


def _refusal(scoring: Any, why: str) -> str:
    return (
        f"scoring={scoring!r} {why}. Accepted are the registered metrics {metric_names()}, a "
        "scorer of get_metric_scorer ('fbeta' with beta, 'expected_cost' with its cost_matrix), "
        "and scikit-learn's scorers of the same metrics, such as 'f1_macro' or "
        "make_scorer(fbeta_score, beta=2, pos_label=...)."
    )
