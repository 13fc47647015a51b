"""An interval by 10,000 replicates against the multinomial draw that it cannot do without.

The draw's cost does not depend on the number of rows, and so neither does the interval's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks._harness import Case
from skmetrics_ext.counts import ConfusionCounts

REPLICATES = 10_000
TABLES = {
    "two classes, f1": (np.array([[850, 50], [20, 80]]), "f1", {}),
    "three classes, macro f1": (
        np.array([[50, 8, 2], [6, 70, 14], [3, 9, 38]]),
        "f1",
        {"average": "macro"},
    ),
    "three classes, quadratic kappa, 2e8 rows": (
        np.array([[50, 8, 2], [6, 70, 14], [3, 9, 38]]) * 10**6,
        "weighted_kappa",
        {},
    ),
}


def cases() -> Iterator[Case]:
    for name, (table, metric, options) in TABLES.items():
        yield _case(name, table, metric, options)


def _case(name: str, table: np.ndarray, metric: str, options: dict[str, Any]) -> Case:
    counts = ConfusionCounts.from_matrix(table)
    shares = table.ravel() / table.sum()

    def interval() -> Any:
        return counts.estimate(
            metric, method="bootstrap", n_resamples=REPLICATES, random_state=0, **options
        )

    def draw() -> np.ndarray:
        return np.random.default_rng(0).multinomial(table.sum(), shares, size=REPLICATES)

    return Case(
        name=f"bootstrap interval, {name}",
        peer_name="the multinomial draw alone",
        ours=interval,
        peer=draw,
        bar=2.0,
        direction="at_most",
        equal=lambda ours, _: _near_the_default(ours, counts.estimate(metric, **options)),
        repeat=15,
    )


def _near_the_default(drawn: Any, auto: Any) -> None:
    """There is no peer's interval to compare with: the default one, which is no bootstrap."""
    width = auto.high - auto.low
    np.testing.assert_allclose([drawn.low, drawn.high], [auto.low, auto.high], atol=0.15 * width)
