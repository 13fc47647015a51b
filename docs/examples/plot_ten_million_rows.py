"""
Ten million rows in DuckDB
==========================

The table of counts is a group-by, and the engine that holds the rows does it. What comes back is
a few cells, and every metric, interval and cost follows from them in milliseconds.
"""

import time

import duckdb

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.counts import ConfusionCounts
from skmetrics_ext.display import ConfusionCountsDisplay

relation = duckdb.sql(
    """
    select
        case when hash(i) % 1000 < 30 then 'fraud' else 'legit' end as truth,
        case when hash(i + 7) % 100 < 4 then 'fraud' else truth end as answer,
        'region ' || (i % 3) as region
    from range(10000000) t(i)
    """
)
start = time.perf_counter()
counts = ConfusionCounts.from_frame(relation, y_true="truth", y_pred="answer", by="region")
print(f"counted in {time.perf_counter() - start:.1f} s")
print(counts.total())
assert counts.n.sum() == 10_000_000
assert counts.n.shape == (3, 2, 2)

# %%
# From here on there are a dozen numbers, three tables of four, and no rows.
cost = CostMatrix.binary(false_negative=100, false_positive=1, pos_label="fraud", neg_label="legit")
start = time.perf_counter()
print(counts.estimate("precision", pos_label="fraud"))
print(counts.total().estimate("expected_cost", cost_matrix=cost))
print(f"{1000 * (time.perf_counter() - start):.0f} ms")
ConfusionCountsDisplay.from_counts(counts.total())
