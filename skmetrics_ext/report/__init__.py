"""The decision report: everything that the counts say, for somebody else to read."""

from skmetrics_ext.report._blocks import Section
from skmetrics_ext.report._calls import Number
from skmetrics_ext.report._decision_report import DecisionReport

__all__ = ["DecisionReport", "Number", "Section"]
