"""Pictures of counts, costs and intervals, in the manner of scikit-learn's displays."""

from skmetrics_ext.display._calibration_display import CalibrationCountsDisplay
from skmetrics_ext.display._confusion_display import ConfusionCountsDisplay
from skmetrics_ext.display._cost_curve_display import CostCurveDisplay
from skmetrics_ext.display._decision_curve_display import DecisionCurveDisplay
from skmetrics_ext.display._interval_display import IntervalDisplay
from skmetrics_ext.display._predictive_value_display import PredictiveValueDisplay
from skmetrics_ext.display._risk_coverage_display import RiskCoverageDisplay
from skmetrics_ext.display._threshold_display import ThresholdDisplay

__all__ = [
    "ConfusionCountsDisplay",
    "ThresholdDisplay",
    "CostCurveDisplay",
    "DecisionCurveDisplay",
    "PredictiveValueDisplay",
    "RiskCoverageDisplay",
    "CalibrationCountsDisplay",
    "IntervalDisplay",
]
