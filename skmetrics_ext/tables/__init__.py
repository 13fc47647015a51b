"""The formulas: every label metric, once, as a function of confusion tables ``(..., K, K)``.

Tables have the truth in the rows, hold weights (float64) and know no labels. A metric is
registered by one decorated function; `bind` fixes its parameters, its positive class and its
average, and gives a function of stacks of tables.
"""

from skmetrics_ext.tables import _agreement, _cost, _ordinal, _rates  # registers the metrics
from skmetrics_ext.tables._bind import BoundMetric, bind
from skmetrics_ext.tables._layout import at_priors, one_against_rest
from skmetrics_ext.tables._registry import Metric, get_metric, metric_names

__all__ = [
    "BoundMetric",
    "Metric",
    "at_priors",
    "bind",
    "get_metric",
    "metric_names",
    "one_against_rest",
]

del _agreement, _cost, _ordinal, _rates
