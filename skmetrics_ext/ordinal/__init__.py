"""Ordered classes: models that know the order, and cuts that turn a number into a class."""

from skmetrics_ext.ordinal._cumulative_link import CumulativeLinkClassifier
from skmetrics_ext.ordinal._cumulative_parallel import ProportionalOddsTest
from skmetrics_ext.ordinal._cumulative_summary import CumulativeLinkSummary
from skmetrics_ext.ordinal._cuts import OptimalCuts, optimal_cuts
from skmetrics_ext.ordinal._decomposition import OrdinalDecompositionClassifier
from skmetrics_ext.ordinal._order import encode_order
from skmetrics_ext.ordinal._regression_cut import RegressionCutClassifier

__all__ = [
    "CumulativeLinkClassifier",
    "CumulativeLinkSummary",
    "OptimalCuts",
    "OrdinalDecompositionClassifier",
    "ProportionalOddsTest",
    "RegressionCutClassifier",
    "encode_order",
    "optimal_cuts",
]
