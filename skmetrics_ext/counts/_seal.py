"""JSON with a checksum, so that a receipt which was edited is not read as if it were not."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

__all__ = ["checksum_of", "sealed", "unsealed"]

_VERSION = 1


def sealed(kind: str, body: Mapping[str, Any], *, indent: int | None = None) -> str:
    """The receipt as text; it holds words, numbers and bools."""
    whole = {"kind": kind, "version": _VERSION, **body}
    try:
        whole["checksum"] = checksum_of(whole)
        return json.dumps(whole, indent=indent, ensure_ascii=False)
    except TypeError as error:
        raise TypeError(
            f"a receipt holds words, numbers and bools only ({error}); rename the labels, groups "
            "or clusters first."
        ) from None


def unsealed(text: str, kind: str) -> dict[str, Any]:
    """What `sealed` was given; ``kind`` ends in the name of what the receipt is of."""
    try:
        body = json.loads(text)
    except (TypeError, json.JSONDecodeError) as error:
        raise ValueError(f"text is no receipt: it is not JSON ({error}).") from None
    if not isinstance(body, dict) or body.get("kind") != kind:
        name = kind.rpartition(".")[2]
        raise ValueError(f"text is no receipt of {name}: it has no kind {kind!r}.")
    if body.get("version") != _VERSION:
        raise ValueError(
            f"the receipt has version {body.get('version')!r}; this release reads {_VERSION}."
        )
    if body.pop("checksum", None) != checksum_of(body):
        raise ValueError(
            "the receipt was edited after it was written: its checksum does not fit its contents."
        )
    return body


def checksum_of(body: Mapping[str, Any]) -> str:
    """The same for the same contents, in whatever order they are written."""
    canonical = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode()).hexdigest()
