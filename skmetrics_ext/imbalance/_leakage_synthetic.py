"""Synthetic rows: made between two rows of one class, as SMOTE and its kin do."""

from __future__ import annotations

import numpy as np

from skmetrics_ext.imbalance._leakage_findings import Finding
from skmetrics_ext.imbalance._leakage_lines import (
    MOST_PARTNERS,
    Precision,
    between,
    independent_columns,
    is_grid,
)
from skmetrics_ext.imbalance._leakage_table import (
    Classes,
    Table,
    class_of_lowest_rate,
    stands_out,
)

__all__ = ["PRECISIONS", "find_synthetic_rows"]

# float64, and float32 (or float64 made of it), whose coarser steps need a column more.
PRECISIONS = (Precision(1e-11, 2), Precision(3e-6, 3))
_FEWEST_COLUMNS = 3
_FEWEST_ROWS = 5
_TIMES = 10.0
_CHANCE = 1e-4


def find_synthetic_rows(table: Table, classes: Classes, rng: np.random.Generator) -> list[Finding]:
    """Classes in which rows lie exactly between two others far more often than in the rest."""
    finite = table.numeric & np.isfinite(table.values).all(axis=0)
    if finite.sum() < _FEWEST_COLUMNS:
        return []
    values = table.values[table.first_rows][:, finite]
    alone = table.nowhere_else[:, finite]
    label = classes.codes[table.first_rows]
    n_classes = len(classes.labels)
    totals = np.zeros((n_classes, len(PRECISIONS)), dtype=int)
    hits = np.zeros_like(totals)
    examples: dict[tuple[int, int], np.ndarray] = {}
    for c in range(n_classes):
        rows = np.flatnonzero(label == c)
        if len(rows) > MOST_PARTNERS:
            rows = np.sort(rng.choice(rows, MOST_PARTNERS, replace=False))
        totals[c], triples = _examine(values[rows], alone[rows], rng)
        for p, found in enumerate(triples):
            hits[c, p] = len(found)
            examples[c, p] = table.first_rows[rows[found[:3]]]
    findings = []
    for c in range(n_classes):
        for p in range(len(PRECISIONS)):
            base = class_of_lowest_rate(hits[:, p], totals[:, p])
            if hits[c, p] >= _FEWEST_ROWS and stands_out(
                int(hits[c, p]),
                int(totals[c, p]),
                int(hits[base, p]),
                int(totals[base, p]),
                times=_TIMES,
                chance=_CHANCE,
            ):
                findings.append(
                    _finding(classes, c, base, hits[:, p], totals[:, p], examples[c, p])
                )
                break
    return findings


def _examine(
    values: np.ndarray, alone: np.ndarray, rng: np.random.Generator
) -> tuple[list[int], list[np.ndarray]]:
    """How many rows were looked at, and those between two others, for each precision."""
    nothing = np.empty((0, 3), dtype=np.intp)
    if len(values) < 3:
        return [0 for _ in PRECISIONS], [nothing for _ in PRECISIONS]
    free = np.array([j for j in range(values.shape[1]) if not is_grid(values[:, j])], dtype=np.intp)
    columns = free[independent_columns(values[:, free], rng)]
    if len(columns) >= min(p.fewest_moving for p in PRECISIONS):
        examined, triples = between(values[:, columns], alone[:, columns], PRECISIONS, rng)
        looked_at = len(examined)
    else:
        looked_at, triples = len(values), [nothing for _ in PRECISIONS]
    # Values on a grid were not made, so that nothing is seen there says something. A class that
    # fills a line, or a plane, says nothing: all its rows are between others.
    says_nothing = [len(columns) < min(len(free), p.fewest_moving) for p in PRECISIONS]
    return [0 if silent else looked_at for silent in says_nothing], triples


def _finding(
    classes: Classes,
    c: int,
    base: int,
    hits: np.ndarray,
    totals: np.ndarray,
    examples: np.ndarray,
) -> Finding:
    name, other = classes.labels[c].item(), classes.labels[base].item()
    return Finding(
        kind="synthetic rows",
        evidence={
            "class": name,
            "rows_between_two_others": int(hits[c]),
            "rows_examined": int(totals[c]),
            "rows_in_class_of_lowest_rate": int(hits[base]),
            "rows_examined_in_class_of_lowest_rate": int(totals[base]),
            "class_of_lowest_rate": other,
            "example_rows": [tuple(row) for row in examples.tolist()],
        },
        sentence=(
            f"{hits[c]} of {totals[c]} rows of class {name!r} that were examined lie exactly on "
            f"the line between two others of that class (class {other!r}: {hits[base]} of "
            f"{totals[base]}): they were made from those by SMOTE or the like, and a split puts a "
            "row and what it was made from on both sides."
        ),
        mend=(
            "Split the table as it was before oversampling and oversample inside the training "
            "fold (ResampledClassifier). A made row cannot be told from its parents afterwards, "
            "so no split of this table is honest."
        ),
    )
