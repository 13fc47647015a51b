"""Ten million scores in 1000 bins: AUC and the best cost, against those of the scores themselves.

What bins can be off by is stated beside each answer, and must hold. "common" has three positives
in ten, "rare" two in a thousand, with scores to match: most of them are in the first equal bin.
A missed positive costs as much as the negatives to a positive, so that the two kinds of mistake
weigh alike. Times are of one run, from columns to counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy.special import expit

from benchmarks._harness import markdown_table
from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.counts import ScoreCounts

ROWS = 10_000_000
BINS = 1000
BATCH = 1_000_000
COLUMNS = {"y_true": "y", "y_score": "score"}


@dataclass(frozen=True)
class Answers:
    """What a way of counting gives, what it may be off by, and how long it took."""

    way: str
    seconds: float
    entries: int
    auc: float
    auc_error: float
    cost: float
    cost_error: float

    def holds(self, exact: Answers) -> bool:
        """Whether the exact answers are where the bounds say."""
        # Sums over ten million rows in another order differ in the last digits.
        rounding = 1e-9
        return (
            abs(self.auc - exact.auc) <= self.auc_error + rounding
            and self.cost - self.cost_error - rounding <= exact.cost <= self.cost + rounding
        )


def report() -> tuple[str, bool]:
    """A line for each population and way of counting, and whether all bounds hold."""
    lines, ok = [], True
    for name, prevalence in (("common", 0.3), ("rare", 0.002)):
        y, score = rows(prevalence)
        costs = CostMatrix.binary(false_negative=(1 - prevalence) / prevalence)
        exact, *binned = (answers(way, count, costs) for way, count in ways(y, score))
        lines.append(line(name, exact, exact, "exact"))
        for each in binned:
            holds = each.holds(exact)
            ok &= holds
            lines.append(line(name, each, exact, "yes" if holds else "NO"))
    head = (
        f"{ROWS:.0e} rows",
        "s",
        "entries",
        "AUC",
        "off by",
        "at most",
        "best cost",
        "less by",
        "at most",
        "holds",
    )
    return markdown_table(head, lines), ok


def rows(prevalence: float) -> tuple[np.ndarray, np.ndarray]:
    """Classes two logits apart, and their probability of being positive."""
    rng = np.random.default_rng(0)
    y = (rng.random(ROWS) < prevalence).astype(np.int8)
    logit = rng.normal(scale=np.sqrt(2), size=ROWS) + 2 * y - 1
    return y, expit(logit + np.log(prevalence / (1 - prevalence)))


def ways(y: np.ndarray, score: np.ndarray) -> Iterator[tuple[str, Callable[[], ScoreCounts]]]:
    """Every way to count the rows, the exact one first."""
    frame = pl.LazyFrame({"y": y, "score": score})
    quantile = {"bins": BINS, "strategy": "quantile"}

    def batches() -> Iterator[pl.DataFrame]:
        return frame.collect().iter_slices(BATCH)

    yield "each score", lambda: ScoreCounts.from_predictions(y, score)
    yield "equal bins", lambda: ScoreCounts.from_predictions(y, score, bins=BINS)
    yield "quantiles", lambda: ScoreCounts.from_predictions(y, score, **quantile)
    yield "equal bins, Polars", lambda: ScoreCounts.from_frame(frame, **COLUMNS, bins=BINS)
    yield "quantiles, Polars", lambda: ScoreCounts.from_frame(frame, **COLUMNS, **quantile)
    yield (
        "quantiles, batches",
        lambda: ScoreCounts.from_batches(batches(), **COLUMNS, **quantile, progress=False),
    )


def answers(way: str, count: Callable[[], ScoreCounts], costs: CostMatrix) -> Answers:
    """Count, and ask."""
    start = time.perf_counter()
    counts = count()
    seconds = time.perf_counter() - start
    auc, best = counts.roc_auc(confidence_level=None), counts.best_cost(costs)
    return Answers(
        way,
        seconds,
        len(counts.rankings[0].low),
        auc.value,
        auc.binning_error or 0.0,
        best.value,
        best.binning_error or 0.0,
    )


def line(name: str, each: Answers, exact: Answers, holds: str) -> tuple[str, ...]:
    return (
        f"{name}: {each.way}",
        f"{each.seconds:.2f}",
        f"{each.entries}",
        f"{each.auc:.6f}",
        f"{abs(each.auc - exact.auc):.1e}",
        f"{each.auc_error:.1e}",
        f"{each.cost:.6f}",
        f"{each.cost - exact.cost:.1e}",
        f"{each.cost_error:.1e}",
        holds,
    )
