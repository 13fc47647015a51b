"""Bins of scores: equal ones, cuts of one's own, and quantiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from skmetrics_ext.counts._merge import require_same

__all__ = [
    "Binning",
    "Bins",
    "as_binning",
    "bin_of",
    "check_bin_number",
    "quantile_cuts",
    "refuse_outside",
    "require_same_bins",
]

# So many equal bins of [0, 1], or the scores at which a new bin begins.
Bins = int | tuple[float, ...]

_STRATEGIES = ("uniform", "quantile")


class Binning(NamedTuple):
    """``bins`` as they are known before counting; ``quantiles``, the number of those that are not.

    Both None: each distinct score by itself.
    """

    bins: Bins | None
    quantiles: int | None = None


def as_binning(bins: Any, strategy: Any) -> Binning:
    """Check ``bins`` and ``strategy`` of `ScoreCounts`."""
    if not isinstance(strategy, str) or strategy not in _STRATEGIES:
        raise ValueError(f"strategy must be one of {list(_STRATEGIES)}; got {strategy!r}.")
    if bins is None or _is_scalar(bins):
        check_bin_number(bins)
        if strategy == "uniform":
            return Binning(None if bins is None else int(bins))
        if bins is None:
            raise ValueError("strategy='quantile' needs bins, the number of them; got bins=None.")
        return Binning(None, int(bins))
    cuts = _as_cuts(bins)
    if strategy == "quantile":
        raise ValueError(
            f"strategy='quantile' finds the cuts, and bins holds {len(cuts)} of them already: "
            "leave strategy out, or pass the number of bins."
        )
    return Binning(cuts)


def check_bin_number(bins: Any) -> None:
    """A whole number of bins, 1 or more; None for each distinct score by itself."""
    whole = isinstance(bins, (int, np.integer)) and not isinstance(bins, (bool, np.bool_))
    if bins is not None and not (whole and 1 <= bins <= 2**31):
        raise ValueError(f"bins must be a whole number, 1 or more, or None; got {bins!r}.")


def _is_scalar(bins: Any) -> bool:
    return np.isscalar(bins) and not isinstance(bins, str)


def _as_cuts(bins: Any) -> tuple[float, ...]:
    rule = "bins must be a whole number, 1 or more, None, or increasing scores to cut at"
    if isinstance(bins, str):
        raise ValueError(f"{rule}; got {bins!r}. For quantiles: bins=1000, strategy='quantile'.")
    try:
        cuts = np.asarray(bins, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{rule}; got {bins!r}.") from None
    if cuts.ndim != 1:
        raise ValueError(f"{rule}; got {bins!r}.")
    if np.isnan(cuts).any() or not (cuts[1:] > cuts[:-1]).all():
        raise ValueError(f"{rule}; got {_shown(cuts.tolist())}.")
    return tuple(cuts.tolist())


def bin_of(scores: np.ndarray, bins: Bins) -> np.ndarray:
    """The place of each score among the bins.

    Of equal bins of [0, 1] the last one holds the score 1; a cut belongs to the bin above it,
    and the first and the last bin are open to the outside.
    """
    if isinstance(bins, int):
        return np.minimum((scores * bins).astype(np.int64), bins - 1)
    return np.searchsorted(np.array(bins, dtype=np.float64), scores, side="right")


def refuse_outside(n_outside: int, n_rows: int, outside: np.ndarray) -> None:
    """Refuse scores that no equal bin of [0, 1] holds, with their number."""
    if n_outside:
        raise ValueError(
            f"bins need scores between 0 and 1; {n_outside} of {n_rows} are outside, such as "
            f"{outside[0]}. With strategy='quantile', or scores to cut at, bins take any."
        )


def quantile_cuts(
    low: np.ndarray, high: np.ndarray, rows: np.ndarray, bins: int
) -> tuple[float, ...]:
    """Where to cut for at most ``bins`` bins of about equally many rows.

    ``low`` and ``high`` (S,) are the least and greatest scores of entries, lowest first,
    ``rows`` (S,) how many stand there. Entries that overlap stay together. A score goes where
    its middle row belongs, so that one that many rows share, two bins' worth or more, is alone.
    """
    apart = np.maximum.accumulate(high)[:-1] < low[1:]
    starts = np.concatenate([[0], np.flatnonzero(apart) + 1])
    together = np.add.reduceat(rows, starts)
    middle = np.cumsum(together) - together / 2
    place = (middle * (bins / rows.sum())).astype(np.int64)
    return tuple(low[starts][1:][place[1:] != place[:-1]].tolist())


def require_same_bins(ours: Bins | None, theirs: Bins | None) -> None:
    """Refuse to add scores that were binned differently."""
    if not (isinstance(ours, tuple) and isinstance(theirs, tuple)):
        require_same("bins", _in_words(ours), _in_words(theirs))
    elif ours != theirs:
        raise ValueError(
            f"counts add up only with the same bins: {_shown(ours)} against {_shown(theirs)}. "
            "Quantiles of two sets of rows differ: count the second with bins=first.bins."
        )


def _in_words(bins: Bins | None) -> int | str | None:
    return f"cuts at {_shown(bins)}" if isinstance(bins, tuple) else bins


def _shown(cuts: Sequence[float]) -> str:
    values = [f"{cut:g}" for cut in cuts]
    if len(values) > 6:
        values = [*values[:3], "...", *values[-2:], f"{len(cuts)} in all"]
    return f"[{', '.join(values)}]"
