"""The counts of batches of rows: what `ConfusionCounts` inherits."""

from __future__ import annotations

from typing import Any, Self

from skmetrics_ext.counts._batches import Batches
from skmetrics_ext.counts._from_frame import FromFrame

__all__ = ["FromBatches"]


class FromBatches(FromFrame):
    """Counts of truth and answer in frames that come one after the other."""

    @classmethod
    def from_batches(
        cls,
        batches: Any,
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
        progress: bool = True,
    ) -> Self:
        """Count the rows of frames that come one after the other, as if they were one.

        Parameters
        ----------
        batches : iterable of frames
            Row groups of a Parquet file, files of a folder, chunks of a CSV: any frames that
            `from_frame` takes, and PyArrow's record batches. One is held at a time, and a
            batch may be empty.
        y_true, y_pred, by, clusters, sample_weight, cost, labels, actions, missing, max_cells
            As in `from_frame`. Without ``labels`` the classes are those that any batch shows
            (of an ordered dtype all levels, which must be the same in all batches), so that a
            batch may lack some. ``max_cells`` bounds what all batches give together.
        progress : bool, default=True
            Whether to show how far the count is, once it has taken a second: a bar (with rich
            installed) or a line in a terminal or notebook, a line a minute in a log, on the
            standard error.

        Returns
        -------
        ConfusionCounts

        Raises
        ------
        TypeError
            Where ``batches`` is one frame, or no iterable of them; else as `from_frame` does.
        ValueError
            As `from_frame` does, with a note of the batch; where there is no batch or no row;
            where the levels of an ordered dtype differ from batch to batch.

        See Also
        --------
        ConfusionCounts : counts of the same labels add up by ``+`` and ``sum``, as those of
            several processes do, which send them pickled or by ``to_json``.

        Examples
        --------
        >>> import polars as pl
        >>> from skmetrics_ext.counts import ConfusionCounts
        >>> months = (
        ...     pl.DataFrame({"truth": truth, "answer": answer})
        ...     for truth, answer in [
        ...         (["a", "a", "b"], ["a", "a", "b"]),
        ...         (["a", "a"], ["a", "b"]),
        ...         (["c", "b"], ["c", "b"]),
        ...     ]
        ... )
        >>> ConfusionCounts.from_batches(months, y_true="truth", y_pred="answer")
        ConfusionCounts: 7 rows (truth down, answer across)
           a  b  c
        a  3  1  0
        b  0  2  0
        c  0  0  1
        """
        return cls.from_frame(
            Batches(batches, progress),
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
