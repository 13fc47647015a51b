"""A number of a report is a call to the API: the call that makes it, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Call", "Name", "Number", "counted", "name_of", "value_text"]

Namespace = Mapping[str, Any]


class Name(str):
    """The name of a piece of evidence among the arguments of a call."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True)
class Call:
    """One question to the evidence; ``str(call)`` is Python that asks it again.

    ``on`` is the name of a piece of evidence, or another call whose answer is asked, or None
    for a function of the evidence.
    """

    on: str | Call | None
    name: str
    args: tuple[Any, ...] = ()
    params: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        said = [*map(repr, self.args), *(f"{k}={v!r}" for k, v in self.params.items())]
        if self.name == "__getitem__":
            return f"{self.on}[{', '.join(said)}]"
        asked = f"{self.name}({', '.join(said)})"
        return asked if self.on is None else f"{self.on}.{asked}"

    def run(self, evidence: Namespace) -> Any:
        """The answer, from these pieces of evidence by name."""
        args = [_resolved(a, evidence) for a in self.args]
        params = {k: _resolved(v, evidence) for k, v in self.params.items()}
        if self.on is None:
            return evidence[self.name](*args, **params)
        on = self.on.run(evidence) if isinstance(self.on, Call) else evidence[self.on]
        return getattr(on, self.name)(*args, **params)


@dataclass(frozen=True)
class Number:
    """One number that a report shows.

    Attributes
    ----------
    label : str
        What it is, as the report's reader calls it.
    call : Call
    value : float
    low, high : float or None
        Its interval.
    counts : str
        What it was computed from: "80/100", or the rows.
    method : str or None

    Examples
    --------
    >>> from skmetrics_ext.report import DecisionReport
    >>> report = DecisionReport.from_predictions([0, 0, 0, 1, 1], [0, 0, 1, 1, 0])
    >>> section, number = report.numbers[0]
    >>> number.label, number.value, number.limits, number.counts
    ('share of 0', 0.6, '[0.231, 0.882]', '3/5')
    >>> print(number.call)
    counts.constant(0).estimate('accuracy', confidence_level=0.95)
    """

    label: str
    call: Call
    value: float
    low: float | None = None
    high: float | None = None
    counts: str = ""
    method: str | None = None

    @classmethod
    def of(cls, label: str, call: Call, evidence: Namespace) -> Number:
        """Ask, and keep what the answer says of itself."""
        answer = call.run(evidence)
        counts = getattr(answer, "counts", "")
        return cls(
            label,
            call,
            float(answer),
            getattr(answer, "low", None),
            getattr(answer, "high", None),
            counts if isinstance(counts, str) else "",
            getattr(answer, "method", None),
        )

    @property
    def limits(self) -> str:
        """The interval as text; empty where there is none."""
        if self.low is None or self.high is None:
            return ""
        if self.low != self.low and self.high != self.high:
            return "" if self.value != self.value else "[no interval]"
        return f"[{value_text(self.low)}, {value_text(self.high)}]"

    def __str__(self) -> str:
        parts = (value_text(self.value), self.limits, f"({self.counts})" if self.counts else "")
        return " ".join(part for part in parts if part)


def value_text(value: float) -> str:
    """Three decimals, as everywhere; large amounts of money without."""
    if value != value:
        return "undefined"
    if abs(value) >= 10_000:
        return f"{value:,.0f}"
    if value and abs(value) < 0.0005:
        return f"{value:.2g}"
    return f"{value:.3f}"


def counted(n: int, one: str, several: str | None = None) -> str:
    """``1 row``, ``2,000 rows``."""
    return f"{n:,} {one if n == 1 else several or f'{one}s'}"


def name_of(label: Any) -> str:
    """A label in a table: as it is, or quoted where one could not see it."""
    text = str(label)
    return text if text.isprintable() and text == text.strip() != "" else repr(label)


def _resolved(argument: Any, evidence: Namespace) -> Any:
    return evidence[argument] if isinstance(argument, Name) else argument
