"""Rare classes: resampling that cannot leak, and probabilities that stay true."""

from skmetrics_ext.imbalance._compare_levers import compare_levers
from skmetrics_ext.imbalance._compare_result import LeverComparison, LeverRow
from skmetrics_ext.imbalance._leakage import find_resampling_leakage
from skmetrics_ext.imbalance._leakage_findings import Finding, Findings
from skmetrics_ext.imbalance._recipes import (
    resampled_recipe,
    threshold_recipe,
    weighted_recipe,
)
from skmetrics_ext.imbalance._resampled import ResampledClassifier
from skmetrics_ext.imbalance._safe_splits import SafeSplits, safe_splits
from skmetrics_ext.imbalance._unusable_folds import find_unusable_folds

__all__ = [
    "Finding",
    "Findings",
    "LeverComparison",
    "LeverRow",
    "ResampledClassifier",
    "SafeSplits",
    "compare_levers",
    "find_resampling_leakage",
    "find_unusable_folds",
    "resampled_recipe",
    "safe_splits",
    "threshold_recipe",
    "weighted_recipe",
]
