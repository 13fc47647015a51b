"""Intervals: from tables and a metric to value, standard error, low and high."""

from skmetrics_ext.intervals._difference import paired_differences
from skmetrics_ext.intervals._folds import FoldComparison, compare_folds
from skmetrics_ext.intervals._gradient import ByCluster, Spread, gradient
from skmetrics_ext.intervals._interval import Interval, intervals
from skmetrics_ext.intervals._scales import delta_limits, poisson_limits, wilson_limits

__all__ = [
    "ByCluster",
    "FoldComparison",
    "Interval",
    "Spread",
    "compare_folds",
    "delta_limits",
    "gradient",
    "intervals",
    "paired_differences",
    "poisson_limits",
    "wilson_limits",
]
