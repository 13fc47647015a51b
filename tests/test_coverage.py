"""A small version of ``python -m benchmarks coverage``: the default intervals keep their level."""

import numpy as np
import pytest

from benchmarks.bench_coverage import (
    KNOWN_TO_MISS,
    Population,
    coverage,
    is_constant,
    mostly_right,
    two_classes,
)

DRAWS = 300
ERROR = 3.0 * np.sqrt(0.08 * 0.92 / DRAWS)  # three simulation errors: one seed, fifty metrics


@pytest.mark.parametrize(
    "population",
    [
        Population("two classes", two_classes(0.3, 0.8, 0.9)),
        Population("weights", two_classes(0.3, 0.8, 0.9), weighted=True),
        Population("prevalence stated", two_classes(0.3, 0.8, 0.9), priors=np.array([0.95, 0.05])),
        Population("three classes", mostly_right([0.5, 0.3, 0.2], 0.8)),
    ],
    ids=lambda population: population.name,
)
def test_default_intervals_hold_the_value(population: Population) -> None:
    for name, share, undefined in coverage(population, 60, draws=DRAWS, seed=1):
        if name in KNOWN_TO_MISS or is_constant(name):
            continue
        assert undefined < 0.2
        assert 0.92 - ERROR <= share <= min(0.99 + ERROR, 1.0), name
