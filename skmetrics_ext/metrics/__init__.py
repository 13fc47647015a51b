"""Metrics as functions of ``(y_true, y_pred)``, and scorers for every registered metric."""

from skmetrics_ext.metrics._agreement import weighted_kappa_score
from skmetrics_ext.metrics._costs import cost_savings_score, expected_cost_loss
from skmetrics_ext.metrics._declining import (
    RiskCoverageCurve,
    area_under_risk_coverage_loss,
    coverage_score,
    risk_coverage_curve,
    selective_accuracy_score,
)
from skmetrics_ext.metrics._ordinal import classwise_mean_absolute_error, one_off_accuracy_score
from skmetrics_ext.metrics._ordinal_report import OrdinalMeasures, OrdinalReport, ordinal_report
from skmetrics_ext.metrics._ranked_probability import ranked_probability_loss
from skmetrics_ext.metrics._ranked_probability_scorer import ranked_probability_scorer
from skmetrics_ext.metrics._rates import negative_predictive_value_score
from skmetrics_ext.metrics._scorers import cost_scorer, get_metric_scorer
from skmetrics_ext.metrics._scores import gini_score, interpolated_average_precision_score

__all__ = [
    "weighted_kappa_score",
    "one_off_accuracy_score",
    "classwise_mean_absolute_error",
    "ordinal_report",
    "OrdinalReport",
    "OrdinalMeasures",
    "ranked_probability_loss",
    "negative_predictive_value_score",
    "expected_cost_loss",
    "cost_savings_score",
    "coverage_score",
    "selective_accuracy_score",
    "risk_coverage_curve",
    "RiskCoverageCurve",
    "area_under_risk_coverage_loss",
    "gini_score",
    "interpolated_average_precision_score",
    "get_metric_scorer",
    "cost_scorer",
    "ranked_probability_scorer",
]
