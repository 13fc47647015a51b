"""Truth, scores, weights and subgroups, checked: all that can be wrong is said here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from skmetrics_ext._labels import (
    Column,
    decide_pos_label,
    group_column,
    label_array,
    refuse_masked,
    same_label,
)
from skmetrics_ext.counts._score_bins import Bins, refuse_outside
from skmetrics_ext.counts._tabulate import check_sample_weight, name_groups

__all__ = [
    "ScoreColumns",
    "check_probabilities",
    "score_array",
    "score_columns",
    "truth",
]


@dataclass(frozen=True)
class ScoreColumns:
    """Rows ready to be ranked; ``group`` holds places in ``groups``."""

    positive: np.ndarray
    scores: np.ndarray
    weights: np.ndarray | None
    labels: tuple[Any, Any]
    groups: tuple[Any, ...] | None
    group: np.ndarray | None


def score_columns(
    y_true: Any,
    y_score: Any,
    *,
    pos_label: Any = None,
    sample_weight: Any = None,
    by: Any = None,
    bins: Bins | None = None,
) -> ScoreColumns:
    """Check the columns of `ScoreCounts.from_predictions`."""
    positive, labels = truth(group_column(y_true, name="y_true"), pos_label)
    scores = score_array(y_score, len(positive))
    weights = None if sample_weight is None else check_sample_weight(sample_weight, len(scores))
    if isinstance(bins, int):
        outside = scores[(scores < 0) | (scores > 1)]
        refuse_outside(len(outside), len(scores), outside)
    groups, group = (None, None) if by is None else _subgroups(by, len(scores))
    return ScoreColumns(positive, scores, weights, labels, groups, group)


def truth(column: Column, pos_label: Any) -> tuple[np.ndarray, tuple[Any, Any]]:
    """Which rows are positive, and the labels (negative, positive).

    The negative label is None where no row shows it.
    """
    seen = np.flatnonzero(_seen(column))
    labels = label_array(column.values[seen], name="y_true")
    if len(labels) > 2:
        shown = f"{labels[:20].tolist()}{' and more' if len(labels) > 20 else ''}"
        raise ValueError(
            f"y_true must have two classes, of which a score ranks one above the other; got "
            f"{len(labels)}: {shown}. Compare one class against the rest: y_true == label."
        )
    values = labels.tolist()
    if len(values) == 1 and pos_label is not None and not same_label(values[0], pos_label):
        # A fold or a shard without positives, whose positive class is known all the same.
        if isinstance(values[0], str) != isinstance(pos_label, str):
            raise ValueError(f"pos_label={pos_label!r} is not a class; the classes are {values}.")
        return np.zeros(len(column), dtype=bool), (values[0], pos_label)
    pos = decide_pos_label(labels, pos_label)
    if pos < 0:
        return np.zeros(len(column), dtype=bool), (values[0], type(values[0])(1))
    negative = values[1 - pos] if len(values) == 2 else None
    return column.codes == seen[pos] + column.offset, (negative, values[pos])


def _seen(column: Column) -> np.ndarray:
    if len(column.values) == 2:
        first = np.count_nonzero(column.codes == column.offset)
        return np.array([first > 0, first < len(column)])
    return column.seen()


def score_array(y_score: Any, n_rows: int, *, name: str = "y_score") -> np.ndarray:
    """Scores as float64, one per row, without NaN; infinite scores rank as any other."""
    if isinstance(y_score, np.ndarray):
        y_score = refuse_masked(y_score, name)
    series = nw.from_native(y_score, series_only=True, pass_through=True)
    array = series.to_numpy() if isinstance(series, nw.Series) else np.asarray(y_score)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.shape != (n_rows,):
        advice = ""
        if array.ndim == 2:
            advice = "; of predict_proba pass the column of the positive class"
        raise ValueError(
            f"{name} must have one score per row, shape ({n_rows},); got shape "
            f"{array.shape}{advice}."
        )
    if array.dtype.kind not in "biuf":
        array = _as_numbers(array, name)
    scores = array.astype(np.float64, copy=False)
    missing = np.isnan(scores)
    if missing.any():
        raise ValueError(
            f"{name} must not be missing: {int(missing.sum())} of {n_rows} scores are NaN."
        )
    return scores


def _as_numbers(array: np.ndarray, name: str) -> np.ndarray:
    if array.dtype.kind == "O":
        absent = np.array([v is None or type(v).__name__ == "NAType" for v in array.tolist()])
        array = np.where(absent, np.nan, array)
    elif array.dtype.kind != "V":
        raise ValueError(f"{name} must hold numbers; got an array of {array.dtype}.")
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must hold numbers; got an array of {array.dtype}.") from None


def check_probabilities(scores: np.ndarray, rule: str) -> None:
    """Refuse scores outside [0, 1], with their number."""
    outside = (scores < 0) | (scores > 1)
    if outside.any():
        raise ValueError(
            f"{rule}; {int(outside.sum())} of {len(scores)} are outside, such as "
            f"{scores[outside][0]}."
        )


def _subgroups(by: Any, n_rows: int) -> tuple[tuple[Any, ...], np.ndarray]:
    """The subgroups that have rows (a dtype's own order, else sorted), and each row's place."""
    column = group_column(by, name="by", key=True)
    if len(column) != n_rows:
        raise ValueError(f"by must have one value per row, {n_rows}; it has {len(column)}.")
    groups, index = name_groups(column, column.seen())
    return groups, index[column.codes.astype(np.intp, copy=False) - column.offset]
