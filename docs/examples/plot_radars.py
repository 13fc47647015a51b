"""
Three radars
============

Eight planes are coming. One radar sees all and nothing else; one sees three, and is never wrong
when it speaks; one sees all, and ten that are not there. Precision cannot tell the first from the
second, recall cannot tell the first from the third. How many planes were not there and not seen,
nobody counted (``tn=0`` below stands for that): no metric with true negatives can be asked for.
"""

from skmetrics_ext.counts import ConfusionCounts
from skmetrics_ext.display import IntervalDisplay

radars = {
    "perfect": ({"tp": 8, "fp": 0, "fn": 0}, 1.0, 1.0),
    "timid": ({"tp": 3, "fp": 0, "fn": 5}, 1.0, 0.375),
    "nervous": ({"tp": 8, "fp": 10, "fn": 0}, 0.444, 1.0),
}
estimates = []
for radar, (cells, precision, recall) in radars.items():
    counts = ConfusionCounts.from_cells(tn=0, **cells)
    for name, published in [("precision", precision), ("recall", recall)]:
        estimate = counts.estimate(name)
        print(f"{radar:8} {estimate}")
        assert round(estimate.value, 3) == published
        estimates.append(estimate)

# %%
# Eight planes are few: the intervals say how few.
names = [f"{radar}: {name}" for radar in radars for name in ("precision", "recall")]
IntervalDisplay.from_estimates(estimates, names=names)
