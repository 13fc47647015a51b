"""Whether the columns separate the classes, so that the likelihood has no maximum."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.ordinal._cumulative_likelihood import Objective

__all__ = ["Separation", "find_separation"]

Array = NDArray[np.float64]

# By how much of its own size a row may go against a direction that leaves it where it is: so near
# to such a direction is Newton's step once the rows far from their thresholds hardly pull.
_TIE = 1e-6
# The same for rows in the middle of all columns, in standard deviations.
_ROUNDING = 1e-9
# How many times that it must gain to count as pulled away.
_GAIN = 1e3


@dataclass(frozen=True)
class Separation:
    """A direction in which the likelihood never falls, and rises for some rows.

    Attributes
    ----------
    kind : {"complete", "quasi-complete"}
        Whether all rows become certain (Albert and Anderson 1984,
        https://doi.org/10.1093/biomet/71.1.1).
    columns : ndarray of bool of shape (p,)
        Whose coefficients grow without bound.
    """

    kind: Literal["complete", "quasi-complete"]
    columns: NDArray[np.bool_]


def find_separation(objective: Objective, directions: Iterable[Array]) -> Separation | None:
    """The first of some directions, each of coefficients and thresholds, that separates.

    Who looks chooses where: at the parameters themselves (where each row lies between its
    thresholds, twice the parameters are better than the parameters), and at Newton's step, which
    tends to such a direction where there is one.
    """
    for direction in directions:
        kind = _kind(objective, direction) if direction.any() else None
        if kind is not None:
            sizes = np.abs(objective.split(direction)[0])
            return Separation(kind, sizes > 1e-4 * sizes.max(initial=0))
    return None


def _kind(objective: Objective, direction: Array) -> Literal["complete", "quasi-complete"] | None:
    coef, ends = objective.split(direction)
    sizes, largest = np.abs(coef), np.abs(ends[1:-1]).max()
    gains, all_gain = False, True
    for code, Z, _ in objective.rows.blocks():
        latent = coef @ Z
        above, below = ends[code + 1] - latent, latent - ends[code]
        room = np.minimum(above, below)
        blur = _TIE * (sizes @ np.abs(Z) + largest) + _ROUNDING * sizes.sum()
        if (room < -blur).any():
            return None
        all_gain = all_gain and bool((room > blur).all())
        for side in (above, below):
            gains = gains or bool((np.isfinite(side) & (side > _GAIN * blur)).any())
    if not gains:
        return None
    return "complete" if all_gain else "quasi-complete"
