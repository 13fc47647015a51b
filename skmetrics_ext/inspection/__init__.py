"""From a number back to the rows behind it: which rows to open, and in which order."""

from skmetrics_ext.inspection._cells import rows_in_cell
from skmetrics_ext.inspection._worst import WorstErrors, worst_errors

__all__ = ["WorstErrors", "rows_in_cell", "worst_errors"]
