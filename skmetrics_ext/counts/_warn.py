"""A warning of an undefined value, at the line of whoever asked for the value."""

from __future__ import annotations

import inspect
import warnings

from sklearn.exceptions import UndefinedMetricWarning

__all__ = ["warn_undefined_metric"]

_PACKAGE = __name__.partition(".")[0]


def warn_undefined_metric(message: str) -> None:
    """Warn, and point at the nearest line outside of this package.

    One formula answers many questions, each some calls further away. (From Python 3.12 on,
    `warnings.warn` does this by ``skip_file_prefixes``.)
    """
    frame, level = inspect.currentframe(), 1
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, UndefinedMetricWarning, stacklevel=level)
