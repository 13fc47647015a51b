"""From a classifier's predictions to a decision you can defend.

Import what you need from the subpackages, for example
``from skmetrics_ext.decision import CostThresholdClassifier``.
"""

__version__ = "0.1.0"
