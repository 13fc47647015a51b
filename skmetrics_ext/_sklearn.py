"""The only file that touches scikit-learn's private names, each with the reason."""

from __future__ import annotations

# A scorer that looks at the estimator (its classes, its class order, its X) must be a
# `_BaseScorer`: the public `make_scorer` builds scorers that see predictions only, while
# TunedThresholdClassifierCV, multimetric scoring and metadata routing take nothing else.
from sklearn.metrics._scorer import _BaseScorer as BaseScorer

# Rows of whatever X is (arrays, sparse, pandas, polars): the public `resample` and `shuffle` pick
# rows of their own choice only.
from sklearn.utils import _safe_indexing as safe_indexing

__all__ = ["BaseScorer", "safe_indexing"]
