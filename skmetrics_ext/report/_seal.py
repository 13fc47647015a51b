"""Receipts as JSON with a checksum, so that an edited one is not read as if it were not."""

from __future__ import annotations

import json
from typing import Any

from skmetrics_ext.counts._seal import checksum_of
from skmetrics_ext.report._calls import Number

__all__ = ["FORMAT", "NUMBERS_FORMAT", "finite_or_word", "sealed", "shown_numbers", "unsealed"]

FORMAT = "skmetrics_ext.report.DecisionReport"
NUMBERS_FORMAT = f"{FORMAT} of numbers"
_VERSION = 1


def sealed(kind: str, **body: Any) -> str:
    """The receipt as text."""
    whole = {"format": kind, "version": _VERSION, **body}
    whole["checksum"] = checksum_of(whole)
    return json.dumps(whole, ensure_ascii=False, allow_nan=False)


def unsealed(text: str) -> dict[str, Any]:
    """What `sealed` was given, with its format."""
    try:
        body = json.loads(text)
    except (TypeError, json.JSONDecodeError) as error:
        raise ValueError(f"text must be the JSON of a report; it is no JSON: {error}.") from None
    if not isinstance(body, dict) or body.get("format") not in (FORMAT, NUMBERS_FORMAT):
        raise ValueError(f"text must be the JSON of a report (format {FORMAT!r}); it is not one.")
    if body.get("version") != _VERSION:
        raise ValueError(f"this receipt has version {body.get('version')!r}; {_VERSION} is known.")
    if body.pop("checksum", None) != checksum_of(body):
        raise ValueError("the checksum of this receipt does not fit what it holds: it was edited.")
    return body


def shown_numbers(numbers: list[tuple[str, Number]]) -> list[dict[str, Any]]:
    """The numbers of a report with their calls."""
    return [
        {
            "section": section,
            "label": number.label,
            "call": str(number.call),
            "value": finite_or_word(number.value),
            "low": finite_or_word(number.low),
            "high": finite_or_word(number.high),
            "counts": number.counts,
        }
        for section, number in numbers
    ]


def finite_or_word(value: float | None) -> Any:
    """Numbers that JSON has no sign for are words."""
    if value is None:
        return None
    number = float(value)
    return number if abs(number) < float("inf") else repr(number)
