"""The rankings that a ScoreCounts holds, one per subgroup."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from skmetrics_ext.counts._score_bins import Bins
from skmetrics_ext.counts._score_ranking import Ranking

__all__ = ["Rankings"]


@dataclass(frozen=True, repr=False)
class Rankings:
    """What `ScoreCounts` is made of; see there."""

    rankings: tuple[Ranking, ...]
    labels: tuple[Any, Any]
    groups: tuple[Any, ...] | None = None
    bins: Bins | None = None
    dropped: int = field(default=0, compare=False)

    def _each(self) -> list[tuple[Ranking, Any]]:
        """The rankings with the names of their subgroups, None without subgroups."""
        return list(zip(self.rankings, self.groups or (None,), strict=True))
