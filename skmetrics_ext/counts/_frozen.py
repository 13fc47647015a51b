"""Arrays that nobody can write to by accident."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["FrozenArrays"]


class FrozenArrays:
    """A frozen dataclass whose arrays are as frozen as its fields."""

    def __post_init__(self) -> None:
        for name, value in list(vars(self).items()):
            if isinstance(value, np.ndarray):
                view = value.view()
                view.flags.writeable = False
                object.__setattr__(self, name, view)

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Arrays come back writable from a pickle, and must be frozen again.
        self.__dict__.update(state)
        self.__post_init__()
