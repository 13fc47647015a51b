"""The receipt of a report on numbers: its rows, up to a limit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from skmetrics_ext.report._calls import Number
from skmetrics_ext.report._numeric import NumericEvidence
from skmetrics_ext.report._seal import NUMBERS_FORMAT, sealed, shown_numbers

__all__ = ["read_numeric", "written_numeric"]

_MOST_ROWS = 100_000


def written_numeric(
    evidence: NumericEvidence, numbers: list[tuple[str, Number]], title: str
) -> str:
    """The rows, where there are not too many, and the numbers."""
    columns = None
    if len(evidence.y_true) <= _MOST_ROWS:
        weights = evidence.sample_weight
        columns = {
            "y_true": evidence.y_true.tolist(),
            "y_pred": evidence.y_pred.tolist(),
            "sample_weight": None if weights is None else weights.tolist(),
        }
    return sealed(
        NUMBERS_FORMAT,
        title=title,
        confidence_level=evidence.confidence_level,
        rows=len(evidence.y_true),
        columns=columns,
        numbers=shown_numbers(numbers),
    )


def read_numeric(body: Mapping[str, Any]) -> NumericEvidence:
    """The evidence of such a receipt."""
    columns = body["columns"]
    if columns is None:
        raise ValueError(
            f"this receipt is of {body['rows']} rows and holds only the numbers: errors cannot be "
            f"computed again from a summary, and more than {_MOST_ROWS} rows are not kept."
        )
    weights = columns["sample_weight"]
    return NumericEvidence(
        np.array(columns["y_true"], dtype=np.float64),
        np.array(columns["y_pred"], dtype=np.float64),
        None if weights is None else np.array(weights, dtype=np.float64),
        body["confidence_level"],
    )
