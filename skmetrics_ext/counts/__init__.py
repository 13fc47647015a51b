"""Counts: what happened, as a table of true class by answer, and every metric from it."""

from skmetrics_ext.counts._confusion import ConfusionCounts
from skmetrics_ext.counts._estimate import Estimate, Estimates
from skmetrics_ext.counts._kappa import KappaByPriors, KappaTest, kappa_by_priors, kappa_test
from skmetrics_ext.counts._kappa_context import KappaContext, kappa_context
from skmetrics_ext.counts._paired import PairedCounts
from skmetrics_ext.counts._paired_difference import Difference, Differences
from skmetrics_ext.counts._paired_mcnemar import McNemar
from skmetrics_ext.counts._score_best_cost import BestCost
from skmetrics_ext.counts._score_estimate import ScoreEstimate
from skmetrics_ext.counts._score_mean import mean_interpolated_average_precision
from skmetrics_ext.counts._score_paired import PairedAUC, paired_roc_auc
from skmetrics_ext.counts._score_tables import BrierScore, CalibrationTable, ThresholdTable
from skmetrics_ext.counts._scores import ScoreCounts

__all__ = [
    "BestCost",
    "BrierScore",
    "CalibrationTable",
    "ConfusionCounts",
    "Difference",
    "Differences",
    "Estimate",
    "Estimates",
    "KappaByPriors",
    "KappaContext",
    "KappaTest",
    "McNemar",
    "PairedAUC",
    "PairedCounts",
    "ScoreCounts",
    "ScoreEstimate",
    "ThresholdTable",
    "kappa_by_priors",
    "kappa_context",
    "kappa_test",
    "mean_interpolated_average_precision",
    "paired_roc_auc",
]
