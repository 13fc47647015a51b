"""Run a benchmark, print its table, and keep the table in ``benchmarks/RESULTS.md``.

A benchmark NAME is a module ``benchmarks/bench_NAME.py``; the first line of its docstring says
what it measures. It defines one of

- ``cases()``: what to time against a peer, as an iterable of `Case`;
- ``report()``: ``(text, ok)`` for anything else, such as a simulation of coverage; the text is
  Markdown, ``ok`` whether every bar was met.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import math
import os
import pkgutil
import platform
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import numpy as np

PACKAGES = ("numpy", "scipy", "scikit-learn", "pandas", "polars")
RESULTS = Path(__file__).parent / "RESULTS.md"
RESULTS_HEAD = (
    "# Results\n\n"
    "Written by `python -m benchmarks NAME`, a section for each name. Ours and the peer take "
    "turns;\na ratio is the median over the turns (lowest and highest in brackets).\n"
)
# A timing shorter than this is mostly the clock's own noise: the call is repeated until it is not.
SHORTEST_TIMING = 0.01


def assert_close(ours: Any, peer: Any) -> None:
    """Assert that two answers are the same to 1e-12."""
    np.testing.assert_allclose(ours, peer, rtol=1e-12, atol=1e-12)


@dataclass(frozen=True, kw_only=True)
class Case:
    """One call of ours beside one call of a peer's that gives the same answer.

    Parameters
    ----------
    name, peer_name : str
        What is computed on what, and what it is held against.
    ours, peer : callable without arguments
    bar : float
        What the ratio must reach (``direction="at_least"``, the ratio is peer / ours: how many
        times faster ours is) or keep within (``"at_most"``, ours / peer: how many times the
        peer's time ours takes).
    equal : callable (ours, peer), optional
        Raises AssertionError where the two answers differ; without one they are compared as
        numbers, to 1e-12.
    repeat : int
        How many turns each has.
    """

    name: str
    peer_name: str
    ours: Callable[[], Any]
    peer: Callable[[], Any]
    bar: float
    equal: Callable[[Any, Any], None] | None = None
    repeat: int = 7
    direction: Literal["at_least", "at_most"] = "at_least"


@dataclass(frozen=True, kw_only=True)
class Timing:
    """What a case gave: medians in seconds per call, and one ratio for each turn."""

    case: Case
    ours: float
    peer: float
    ratios: tuple[float, ...]

    @property
    def ratio(self) -> float:
        return statistics.median(self.ratios)

    @property
    def ok(self) -> bool:
        if self.case.direction == "at_least":
            return self.ratio >= self.case.bar
        return self.ratio <= self.case.bar


def run_case(case: Case) -> Timing:
    """Assert that the two answers are equal, then time the two in turns."""
    (case.equal or assert_close)(case.ours(), case.peer())
    peer_calls, our_calls = _calls_per_timing(case.peer), _calls_per_timing(case.ours)
    peer, ours = [], []
    for _ in range(case.repeat):
        peer.append(_seconds_per_call(case.peer, peer_calls))
        ours.append(_seconds_per_call(case.ours, our_calls))
    above, below = (peer, ours) if case.direction == "at_least" else (ours, peer)
    return Timing(
        case=case,
        ours=statistics.median(ours),
        peer=statistics.median(peer),
        ratios=tuple(a / b for a, b in zip(above, below, strict=True)),
    )


def _calls_per_timing(call: Callable[[], Any]) -> int:
    # Timed when already warm: the answers have just been compared.
    once = max(_seconds_per_call(call, 1), 1e-7)
    return max(1, round(SHORTEST_TIMING / once))


def _seconds_per_call(call: Callable[[], Any], calls: int) -> float:
    collecting = gc.isenabled()
    gc.disable()
    try:
        start = time.perf_counter()
        for _ in range(calls):
            call()
        return (time.perf_counter() - start) / calls
    finally:
        if collecting:
            gc.enable()


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table that also reads as text: the first column left, the others right."""
    lines = [list(head), *(list(row) for row in rows)]
    widths = [max(3, *(len(line[k]) for line in lines)) for k in range(len(head))]
    lines.insert(1, ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])])
    return "\n".join(
        "| " + " | ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]) + " |"
        for line in lines
    )


def timings_table(timings: Iterable[Timing]) -> str:
    """The table of a benchmark of `Case`."""
    return markdown_table(
        ("case", "ours, ms", "peer", "peer, ms", "ratio", "bar", "pass"),
        [
            (
                t.case.name,
                _digits(1e3 * t.ours),
                t.case.peer_name,
                _digits(1e3 * t.peer),
                f"{_digits(t.ratio)}x [{_digits(min(t.ratios))}, {_digits(max(t.ratios))}]",
                f"{t.case.direction.replace('_', ' ')} {t.case.bar:g}x",
                "yes" if t.ok else "NO",
            )
            for t in timings
        ],
    )


def _digits(value: float) -> str:
    # Three digits, never an exponent: 0.0123, 1.23, 2205.
    decimals = 2 - math.floor(math.log10(value)) if value > 0 else 0
    return f"{value:.{max(0, decimals)}f}"


def machine() -> str:
    """What the numbers were measured on, in a line: processor, cores, versions."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    versions = [f"{name} {_version(name)}" for name in PACKAGES]
    return ", ".join(
        [_processor(), f"{cores} cores", f"Python {platform.python_version()}", *versions]
    )


def _processor() -> str:
    try:
        described = Path("/proc/cpuinfo").read_text()
    except OSError:
        described = ""
    for line in described.splitlines():
        if line.startswith("model name"):
            return " ".join(line.partition(":")[2].split())
    return platform.processor() or platform.machine()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def update_results(path: Path, name: str, section: str) -> None:
    """Put ``section`` under the heading ``name``, in place of what stood there."""
    text = path.read_text(encoding="utf-8") if path.exists() else RESULTS_HEAD
    head, *sections = text.split("\n## ")
    by_name = {each.partition("\n")[0].strip(): each for each in sections}
    by_name[name] = f"{name}\n\n{section}"
    parts = [head, *(by_name[key] for key in sorted(by_name))]
    path.write_text("\n\n## ".join(part.strip("\n") for part in parts) + "\n", encoding="utf-8")


def benchmark_names() -> list[str]:
    """The names that ``python -m benchmarks`` knows."""
    found = pkgutil.iter_modules([str(Path(__file__).parent)])
    return sorted(m.name.removeprefix("bench_") for m in found if m.name.startswith("bench_"))


def run_module(module: ModuleType) -> tuple[str, bool]:
    """Run a benchmark's ``report()`` or ``cases()``: its table, and whether all bars were met."""
    if hasattr(module, "report"):
        return module.report()
    timings = [run_case(case) for case in module.cases()]
    return timings_table(timings), all(t.ok for t in timings)


def main(arguments: Sequence[str], *, results: Path = RESULTS) -> int:
    """Run the command line; the answer is its exit code."""
    names = benchmark_names()
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=f"Run a benchmark and update {results.name}; without a name, list them.",
    )
    parser.add_argument("name", nargs="?", choices=names)
    parser.add_argument("--check", action="store_true", help="exit 1 where a bar is not met")
    options = parser.parse_args(arguments)
    if options.name is None:
        for name in names:
            print(f"{name:<12} {_purpose(_load(name))}")
        return 0
    module = _load(options.name)
    text, ok = run_module(module)
    print(text)
    update_results(results, options.name, f"{_purpose(module)}\n\n{machine()}\n\n{text}")
    return int(options.check and not ok)


def _load(name: str) -> ModuleType:
    return importlib.import_module(f"benchmarks.bench_{name}")


def _purpose(module: ModuleType) -> str:
    return (module.__doc__ or "").strip().partition("\n")[0]
