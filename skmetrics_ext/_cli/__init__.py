"""The commands; imported only where the extra `cli` is installed."""

from skmetrics_ext._cli._commands import run

__all__ = ["run"]
