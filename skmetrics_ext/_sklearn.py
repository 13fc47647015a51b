"""The only file that touches scikit-learn's private names, each with the reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# A scorer that looks at the estimator (its classes, its class order, its X) must be a
# `_BaseScorer`: the public `make_scorer` builds scorers that see predictions only, while
# TunedThresholdClassifierCV, multimetric scoring and metadata routing take nothing else.
from sklearn.metrics._scorer import _BaseScorer as BaseScorer

# Rows of whatever X is (arrays, sparse, pandas, polars): the public `resample` and `shuffle` pick
# rows of their own choice only.
from sklearn.utils import _safe_indexing as safe_indexing

# Fit parameters for some of the rows, by the rule that tells per-row ones from others; the meta-
# estimators of scikit-learn all use it, and it has no public name.
from sklearn.utils.validation import _check_method_params as params_of_rows

__all__ = ["BaseScorer", "params_of_rows", "safe_indexing", "scorer_parts"]


def scorer_parts(scorer: BaseScorer) -> tuple[Callable[..., Any], int, dict[str, Any], Any]:
    """What `make_scorer` was given: function, sign, keyword arguments and response method.

    No public attribute tells them, and a scorer's repr names functions only.
    """
    return scorer._score_func, scorer._sign, dict(scorer._kwargs), scorer._response_method
