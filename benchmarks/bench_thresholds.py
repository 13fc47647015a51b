"""Every threshold: all registered binary metrics at all cuts, against one argsort of the scores.

From truth and scores, validation on, to the values of every metric at every distinct score. An
argsort is what any way of doing this begins with.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks._harness import Case
from skmetrics_ext.counts import ScoreCounts
from skmetrics_ext.tables import get_metric, metric_names

BINARY = [name for name in metric_names() if get_metric(name).kind == "binary"]
Curves = tuple[np.ndarray, dict[str, np.ndarray]]


def cases() -> Iterator[Case]:
    rng = np.random.default_rng(0)
    y = (rng.random(1_000_000) < 0.3).astype(int)
    yield _case("1e6 probabilities", y, rng.random(len(y)))
    yield _case("1e6 decision values", y, rng.normal(y))


def _case(name: str, y: np.ndarray, score: np.ndarray) -> Case:
    def ours() -> Curves:
        return ScoreCounts.from_predictions(y, score).metric_curve(BINARY)

    def equal(curves: Curves, order: np.ndarray) -> None:
        thresholds, values = curves
        np.testing.assert_array_equal(thresholds[1:], score[order][::-1])
        found = np.cumsum(y[order][::-1])
        said = np.arange(1, len(y) + 1)
        np.testing.assert_allclose(values["precision"][1:], found / said)
        np.testing.assert_allclose(values["f1"][1:], 2 * found / (said + y.sum()))

    return Case(
        name=f"{len(BINARY)} metrics at each threshold, {name}",
        peer_name="np.argsort",
        ours=ours,
        peer=lambda: np.argsort(score),
        equal=equal,
        bar=4.0,
        direction="at_most",
        repeat=15,
    )
