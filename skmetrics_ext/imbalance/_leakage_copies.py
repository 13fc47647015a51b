"""Copies: rows that were drawn again and again, as random oversampling does."""

from __future__ import annotations

import numpy as np

from skmetrics_ext.imbalance._leakage_findings import Finding
from skmetrics_ext.imbalance._leakage_table import (
    Classes,
    Table,
    class_of_lowest_rate,
    stands_out,
)

__all__ = ["find_copies"]

_FEWEST_SETS = 5
_TIMES = 5.0
_CHANCE = 1e-4


def find_copies(table: Table, classes: Classes) -> list[Finding]:
    """Classes in which rows are repeated that chance does not repeat.

    Two rows that share every value are no wonder in a discrete table. That a value which nobody
    else has is there several times, with all that stands beside it, is. A log that writes any row
    twice does so in every class; a sampler does so in one: the class in which it happens least is
    the measure of what is natural.
    """
    # A row that stands there with two labels is two rows: samplers copy the label too.
    n_classes = len(classes.labels)
    pair, counts = np.unique(table.row_of * n_classes + classes.codes, return_counts=True)
    row, label = np.divmod(pair, n_classes)
    telling = np.logical_or.reduce(table.nowhere_else, axis=1)[row]
    is_set = telling & (counts > 1)
    totals = np.bincount(label[telling], minlength=n_classes)
    sets = np.bincount(label[is_set], minlength=n_classes)
    extra = np.bincount(label[is_set], counts[is_set] - 1, minlength=n_classes).astype(int)
    base = class_of_lowest_rate(sets, totals)
    findings = []
    for c in np.flatnonzero(sets >= _FEWEST_SETS).tolist():
        if not stands_out(
            int(sets[c]),
            int(totals[c]),
            int(sets[base]),
            int(totals[base]),
            times=_TIMES,
            chance=_CHANCE,
        ):
            continue
        name, other = classes.labels[c].item(), classes.labels[base].item()
        first = row[is_set & (label == c)][0]
        n_rows = int(np.sum(classes.codes == c))
        findings.append(
            Finding(
                kind="copies",
                evidence={
                    "class": name,
                    "sets": int(sets[c]),
                    "extra_rows": int(extra[c]),
                    "rows_of_class": n_rows,
                    "sets_in_class_of_lowest_rate": int(sets[base]),
                    "class_of_lowest_rate": other,
                    "example_rows": np.flatnonzero(table.row_of == first)[:5].tolist(),
                },
                sentence=(
                    f"{extra[c]} of the {n_rows} rows of class {name!r} are copies of "
                    f"{sets[c]} others that hold values found nowhere else (class {other!r}: "
                    f"{sets[base]} such sets): the table was oversampled, and a split puts "
                    "copies of one row on both sides."
                ),
                mend=(
                    "Split the table as it was before oversampling and oversample inside the "
                    "training fold (ResampledClassifier). Where only this table is left, "
                    "safe_splits(X, y) keeps copies together and weights them."
                ),
            )
        )
    return findings
