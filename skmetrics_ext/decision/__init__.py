"""From probabilities and costs to what to do: the action of least expected cost."""

from skmetrics_ext.decision._cost_threshold import CostThresholdClassifier
from skmetrics_ext.decision._double_counting import DoubleCountingWarning
from skmetrics_ext.decision._estimate_priors import PriorEstimate, estimate_priors
from skmetrics_ext.decision._exact_threshold import ExactThresholdClassifierCV
from skmetrics_ext.decision._prior_corrected import PriorCorrectedClassifier

__all__ = [
    "CostThresholdClassifier",
    "DoubleCountingWarning",
    "ExactThresholdClassifierCV",
    "PriorCorrectedClassifier",
    "PriorEstimate",
    "estimate_priors",
]
