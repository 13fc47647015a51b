"""From a number back to the rows behind it: which rows to open, and in which order."""

from skmetrics_ext.inspection._cells import rows_in_cell
from skmetrics_ext.inspection._cost_breakdown import CostBreakdown, cost_breakdown
from skmetrics_ext.inspection._cost_range import CostRange
from skmetrics_ext.inspection._worst import WorstErrors, worst_errors

__all__ = [
    "CostBreakdown",
    "CostRange",
    "WorstErrors",
    "cost_breakdown",
    "rows_in_cell",
    "worst_errors",
]
