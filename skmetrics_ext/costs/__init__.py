"""What each outcome costs: c[i, j], the cost of action i when the truth is j.

`CostMatrix` is one matrix for all rows, `PerRowCosts` one for each row of X. Whoever holds
classes calls `resolve_cost_matrix` or `evaluate_cost_function`, and gets costs whose rows and
columns stand in the order of those classes: by label, never by position.
"""

from skmetrics_ext.costs._dominance import CostFinding, Dominance
from skmetrics_ext.costs._evaluate import evaluate_cost_function
from skmetrics_ext.costs._matrix import CostMatrix
from skmetrics_ext.costs._per_row import PerRowCosts
from skmetrics_ext.costs._resolve import resolve_cost_matrix

__all__ = [
    "CostMatrix",
    "PerRowCosts",
    "Dominance",
    "CostFinding",
    "resolve_cost_matrix",
    "evaluate_cost_function",
]
