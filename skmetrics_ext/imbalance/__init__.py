"""Rare classes: resampling that cannot leak, and probabilities that stay true."""

from skmetrics_ext.imbalance._recipes import resampled_recipe
from skmetrics_ext.imbalance._resampled import ResampledClassifier

__all__ = ["ResampledClassifier", "resampled_recipe"]
