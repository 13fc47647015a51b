"""The counts of a frame: what `ConfusionCounts` and `PairedCounts` inherit."""

from __future__ import annotations

from typing import Any, Self

from skmetrics_ext.counts._from_frame_counts import count_frame, count_paired_frame

__all__ = ["FromFrame", "PairedFromFrame"]


class FromFrame:
    """Counts of truth and answer, made by the engine that holds the rows."""

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        y_true: str,
        y_pred: str,
        by: str | None = None,
        clusters: str | None = None,
        sample_weight: str | None = None,
        cost: str | None = None,
        labels: Any = None,
        actions: Any = None,
        missing: str = "raise",
        max_cells: int = 1_000_000,
    ) -> Self:
        """Count the rows of a frame where they are, by one query of its own engine.

        Parameters
        ----------
        frame : any frame that narwhals knows, eager or lazy
            pandas, Polars (a LazyFrame is run by its streaming engine), PyArrow, DuckDB, Dask,
            PySpark. Only the table of counts is brought back.
        y_true, y_pred : str
            The columns of the truth and of the answer: words, whole numbers or bools.
        by : str, default=None
            The column of subgroups: one table each.
        clusters : str, default=None
            The column of what belongs together (a patient with several rows). One cell comes
            back for each of a cluster's, so ``max_cells`` must allow for them.
        sample_weight : str, default=None
            The column of weights.
        cost : str, default=None
            The column of an amount per row (what the answer cost, or what was at stake). It is
            summed, times the weight, in each cell: ``counts.amount``.
        labels : array-like of shape (K,), default=None
            The classes, in their order; they must cover the data. By default all levels of an
            ordered dtype (used or not), else the classes seen, sorted.
        actions : array-like, default=None
            Answers that are no class, such as "refer".
        missing : {"raise", "drop"}, default="raise"
            Rows with a null or NaN in one of these columns, or an infinite weight or amount:
            an error, or left out and counted once each in ``dropped``.
        max_cells : int, default=1_000_000
            The most cells that may come back. It bounds the answer, not the memory that the
            engine needs to find it.

        Returns
        -------
        ConfusionCounts

        Raises
        ------
        TypeError
            Where ``frame`` is no frame, or a column is not named by a str.
        ValueError
            Where a column is not there or of the wrong type, has missing values (their number
            is in the message), is continuous, or holds a label outside ``labels``; where truth
            and answer are of different types; where more than ``max_cells`` cells come back.

        Examples
        --------
        >>> import polars as pl
        >>> from skmetrics_ext.counts import ConfusionCounts
        >>> frame = pl.LazyFrame(
        ...     {
        ...         "truth": ["fraud", "fine", "fraud", "fine"],
        ...         "answer": ["fine", "fine", "fraud", "fine"],
        ...         "amount": [250.0, 40.0, 90.0, 10.0],
        ...     }
        ... )
        >>> counts = ConfusionCounts.from_frame(
        ...     frame, y_true="truth", y_pred="answer", labels=["fine", "fraud"], cost="amount"
        ... )
        >>> counts
        ConfusionCounts: 4 rows (truth down, answer across)
               fine  fraud
        fine      2      0
        fraud     1      1
        >>> print(counts.amount[1, 0])  # of the fraud that was missed
        250.0
        """
        fields = count_frame(
            frame,
            y_true=y_true,
            y_pred=y_pred,
            by=by,
            clusters=clusters,
            sample_weight=sample_weight,
            cost=cost,
            labels=labels,
            actions=actions,
            missing=missing,
            max_cells=max_cells,
        )
        return cls(**fields)


class PairedFromFrame:
    """Counts of truth and two answers, made by the engine that holds the rows."""

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        y_true: str,
        y_pred_a: str,
        y_pred_b: str,
        clusters: str | None = None,
        sample_weight: str | None = None,
        labels: Any = None,
        actions: Any = None,
        missing: str = "raise",
        max_cells: int = 1_000_000,
    ) -> Self:
        """Count the rows of a frame where they are, by one query of its own engine.

        Parameters
        ----------
        frame : any frame that narwhals knows, eager or lazy
        y_true, y_pred_a, y_pred_b : str
            The columns of the truth and of the answers of models A and B.
        clusters, sample_weight : str, default=None
            Columns.
        labels, actions, missing, max_cells
            As in `ConfusionCounts.from_frame`.

        Returns
        -------
        PairedCounts

        Raises
        ------
        ValueError, TypeError
            As in `ConfusionCounts.from_frame`.

        Examples
        --------
        >>> import polars as pl
        >>> from skmetrics_ext.counts import PairedCounts
        >>> frame = pl.LazyFrame({"y": [0, 0, 1, 1], "old": [0, 1, 0, 1], "new": [0, 0, 0, 1]})
        >>> paired = PairedCounts.from_frame(frame, y_true="y", y_pred_a="new", y_pred_b="old")
        >>> print(paired.mcnemar())
        McNemar (exact): only A right 1, only B right 0 of 4 rows, p = 1
        """
        fields = count_paired_frame(
            frame,
            y_true=y_true,
            y_pred_a=y_pred_a,
            y_pred_b=y_pred_b,
            clusters=clusters,
            sample_weight=sample_weight,
            labels=labels,
            actions=actions,
            missing=missing,
            max_cells=max_cells,
        )
        return cls(**fields)
