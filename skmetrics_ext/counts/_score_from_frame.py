"""The scores of a frame: what `ScoreCounts` inherits."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from skmetrics_ext.counts._batches import Batches, cells_of
from skmetrics_ext.counts._engine import Cells, Derived
from skmetrics_ext.counts._score_base import Rankings
from skmetrics_ext.counts._score_bins import Binning, as_binning, refuse_outside
from skmetrics_ext.counts._score_columns import truth
from skmetrics_ext.counts._score_frame_keys import OUTSIDE, key_of
from skmetrics_ext.counts._score_ranking import Ranking, gather, in_quantiles
from skmetrics_ext.counts._tabulate import name_groups

__all__ = ["ScoresFromFrame"]


class ScoresFromFrame(Rankings):
    """Counts of truth and score, made by the engine that holds the rows."""

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        y_true: str,
        y_score: str,
        pos_label: Any = None,
        by: str | None = None,
        sample_weight: str | None = None,
        bins: Any = None,
        strategy: str = "uniform",
        missing: str = "raise",
        max_cells: int = 1_000_000,
    ) -> Self:
        """Count the rows of a frame where they are, by one query of its own engine.

        Parameters
        ----------
        frame : any frame that narwhals knows, eager or lazy
            pandas, Polars (a LazyFrame is run by its streaming engine), PyArrow, DuckDB, Dask,
            PySpark. Only the counts at each score, or in each bin, are brought back.
        y_true, y_score : str
            The columns of the truth (two classes) and of the score.
        pos_label : object, default=None
            The positive class. 1 and True are taken beside 0, -1 and False; with other labels
            it must be named.
        by : str, default=None
            The column of subgroups: one ranking each.
        sample_weight : str, default=None
            The column of weights.
        bins : int, or array-like of increasing scores, default=None
            As in `from_predictions`: a number of bins, or scores to cut at. To find the bin of
            a score among cuts takes longer the more there are, some 1 microsecond a row with
            1000 of them; bins of equal width take no time.
        strategy : {"uniform", "quantile"}, default="uniform"
            As in `from_predictions`. Quantiles are put together from intervals that are fine
            in proportion to the distance from 0 or 1, whichever is nearer, so that one query
            is enough: where very many rows share such an interval a bin has more than others.
        missing : {"raise", "drop"}, default="raise"
            Rows with a null or NaN in one of these columns, or an infinite weight: an error,
            or left out and counted once each in ``dropped``.
        max_cells : int, default=1_000_000
            The most combinations of subgroup, class and score (or bin) that may come back. It
            bounds the answer, not the memory that the engine needs to find it.

        Returns
        -------
        ScoreCounts

        Raises
        ------
        TypeError
            Where ``frame`` is no frame, or a column is not named by a str.
        ValueError
            Where a column is not there or of the wrong type, has missing values (their number
            is in the message), or scores are outside [0, 1] with bins of equal width; where
            ``y_true`` has more than two classes, or the positive one is not known; where more
            than ``max_cells`` combinations come back.

        Examples
        --------
        >>> import polars as pl
        >>> from skmetrics_ext.counts import ScoreCounts
        >>> frame = pl.LazyFrame({"ill": [0, 0, 1, 0, 1], "score": [0.1, 0.2, 0.2, 0.6, 0.9]})
        >>> ScoreCounts.from_frame(frame, y_true="ill", y_score="score")
        ScoreCounts: 5 rows, 2 of 1 (positive) and 3 of 0, at 4 distinct scores
        """
        binning = as_binning(bins, strategy)
        score = Derived(y_score, key_of(binning.bins, binning.quantiles))
        by_score = binning == Binning(None)
        keys: dict[str, str | Derived] = {} if by is None else {"by": by}
        cells = cells_of(
            frame,
            keys | {"y_true": y_true, "y_score": score},
            labels=["y_true"],
            sample_weight=sample_weight,
            extremes={} if by_score else {"y_score": y_score},
            missing=missing,
            max_cells=max_cells,
            advice=_advice(binning),
        )
        rankings, labels, groups = _rankings(cells, binning, pos_label)
        cuts = binning.bins
        if binning.quantiles is not None:
            rankings, cuts = in_quantiles(rankings, binning.quantiles)
        return cls(tuple(rankings), labels, groups, cuts, cells.dropped)

    @classmethod
    def from_batches(
        cls,
        batches: Any,
        *,
        y_true: str,
        y_score: str,
        pos_label: Any = None,
        by: str | None = None,
        sample_weight: str | None = None,
        bins: Any = None,
        strategy: str = "uniform",
        missing: str = "raise",
        max_cells: int = 1_000_000,
        progress: bool = True,
    ) -> Self:
        """Count the rows of frames that come one after the other, as if they were one.

        Parameters
        ----------
        batches : iterable of frames
            Row groups of a Parquet file, files of a folder, chunks of a CSV: any frames that
            `from_frame` takes, and PyArrow's record batches. A batch may be empty, and need
            not show both classes.
        y_true, y_score, pos_label, by, sample_weight, bins, strategy, missing, max_cells
            As in `from_frame`; quantiles are those of all batches, and ``max_cells`` bounds
            what all of them give together.
        progress : bool, default=True
            Whether to show how far the count is, once it has taken a second: a bar (with rich
            installed) or a line in a terminal or notebook, a line a minute in a log, on the
            standard error.

        Returns
        -------
        ScoreCounts

        Raises
        ------
        TypeError, ValueError
            As `from_frame` does, with a note of the batch.

        Examples
        --------
        >>> import polars as pl
        >>> from skmetrics_ext.counts import ScoreCounts
        >>> months = (
        ...     pl.DataFrame({"ill": ill, "score": score})
        ...     for ill, score in [([0, 0], [0.1, 0.6]), ([1, 0], [0.9, 0.2]), ([1], [0.2])]
        ... )
        >>> ScoreCounts.from_batches(months, y_true="ill", y_score="score")
        ScoreCounts: 5 rows, 2 of 1 (positive) and 3 of 0, at 4 distinct scores
        """
        return cls.from_frame(
            Batches(batches, progress),
            y_true=y_true,
            y_score=y_score,
            pos_label=pos_label,
            by=by,
            sample_weight=sample_weight,
            bins=bins,
            strategy=strategy,
            missing=missing,
            max_cells=max_cells,
        )


def _rankings(
    cells: Cells, binning: Binning, pos_label: Any
) -> tuple[list[Ranking], tuple[Any, Any], tuple[Any, ...] | None]:
    """One ranking per subgroup, the labels, and the names of the subgroups."""
    positive, labels = truth(cells.keys["y_true"], pos_label)
    column = cells.keys["y_score"]
    keys = column.values[column.codes - column.offset]
    if "y_score" in cells.least:
        least, greatest = cells.least["y_score"], cells.greatest["y_score"]
    else:
        least = greatest = keys
    if isinstance(binning.bins, int):
        outside = keys == OUTSIDE
        refuse_outside(int(cells.n[outside].sum()), int(cells.n.sum()), least[outside])
    groups, group = None, np.zeros(len(keys), dtype=np.intp)
    if "by" in cells.keys:
        by = cells.keys["by"]
        groups, place = name_groups(by, by.seen())
        group = place[by.codes - by.offset]
    rankings = []
    for number in range(len(groups or (None,))):
        inside = group == number
        parts = (keys, positive, least, greatest, cells.n, cells.w, cells.w2)
        rankings.append(gather(*(part[inside] for part in parts), bins=binning.bins))
    return rankings, labels, groups


def _advice(binning: Binning) -> str:
    if binning == Binning(None):
        return "Count the scores in bins instead of one by one: bins=1000."
    fewer = "Ask for fewer bins"
    if binning.quantiles is not None:
        fewer += ", or cut at scores of your own, as bins=[...]"
    return f"{fewer}. Is there an identifier among the columns?"
