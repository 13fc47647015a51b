"""ScoreCounts as a JSON receipt with a checksum, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from skmetrics_ext.counts._score_base import Rankings
from skmetrics_ext.counts._score_ranking import Ranking
from skmetrics_ext.counts._seal import sealed, unsealed

__all__ = ["read_scores", "written_scores"]

_KIND = "skmetrics_ext.ScoreCounts"


def written_scores(counts: Rankings) -> str:
    """The receipt; labels and subgroups must be words, numbers or bools."""
    bins = counts.bins
    body = {
        "labels": list(counts.labels),
        "groups": None if counts.groups is None else list(counts.groups),
        "bins": _numbers(np.array(bins)) if isinstance(bins, tuple) else bins,
        "dropped": counts.dropped,
        "rankings": [_ranking_written(ranking) for ranking in counts.rankings],
    }
    return sealed(_KIND, body)


def read_scores(text: str) -> dict[str, Any]:
    """The fields of the counts that the receipt tells of."""
    body = unsealed(text, _KIND)
    bins = body["bins"]
    return {
        "rankings": tuple(_ranking_read(ranking) for ranking in body["rankings"]),
        "labels": tuple(body["labels"]),
        "groups": None if body["groups"] is None else tuple(body["groups"]),
        "bins": tuple(map(float, bins)) if isinstance(bins, list) else bins,
        "dropped": body["dropped"],
    }


def _ranking_written(ranking: Ranking) -> dict[str, Any]:
    """What repeats is not written again: the scores without bins, the rows without weights."""
    weighted = not all(np.array_equal(w, ranking.n) for w in (ranking.w, ranking.w2))
    binned = not np.array_equal(ranking.low, ranking.high)
    return {
        "low": _numbers(ranking.low),
        "high": _numbers(ranking.high) if binned else None,
        "n": ranking.n.tolist(),
        "w": ranking.w.tolist() if weighted else None,
        "w2": ranking.w2.tolist() if weighted else None,
    }


def _ranking_read(fields: Mapping[str, Any]) -> Ranking:
    low = np.array([float(v) for v in fields["low"]])
    high = low if fields["high"] is None else np.array([float(v) for v in fields["high"]])
    n = np.array(fields["n"], dtype=np.int64)
    w = n if fields["w"] is None else fields["w"]
    w2 = n if fields["w2"] is None else fields["w2"]
    return Ranking(low, high, n, np.array(w, dtype=np.float64), np.array(w2, dtype=np.float64))


def _numbers(values: np.ndarray) -> list[Any]:
    """Infinities as words, since JSON has no number for them."""
    if np.isfinite(values).all():
        return values.tolist()
    return [v if np.isfinite(v) else str(v) for v in values.tolist()]
