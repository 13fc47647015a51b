"""Counts: what happened, as a table of true class by answer, and every metric from it."""

from skmetrics_ext.counts._confusion import ConfusionCounts
from skmetrics_ext.counts._estimate import Estimate
from skmetrics_ext.counts._evaluate import Evaluation, bind_to_labels, evaluate
from skmetrics_ext.counts._tabulate import check_sample_weight, count_rows

__all__ = [
    "ConfusionCounts",
    "Estimate",
    "Evaluation",
    "bind_to_labels",
    "check_sample_weight",
    "count_rows",
    "evaluate",
]
