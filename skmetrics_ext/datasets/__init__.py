"""Small real data that the demo, the documentation and the tests run on."""

from skmetrics_ext.datasets._base import load_anes96, load_penguins

__all__ = ["load_anes96", "load_penguins"]
