"""What all tests share: the same examples and the same random numbers in every run."""

import sys

import numpy as np
import pytest
from hypothesis import settings

# A failure that only some runs see stops people who did not cause it. Whoever looks for new
# examples runs `pytest --hypothesis-profile=explore`.
settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile("same")


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.fixture(autouse=True)
def _no_figure_is_left():
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
