"""From probabilities and costs to what to do: the action of least expected cost."""

from skmetrics_ext.decision._cost_threshold import CostThresholdClassifier

__all__ = ["CostThresholdClassifier"]
