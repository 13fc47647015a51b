"""Rows counted where they are: Parquet by Polars and DuckDB, against the hand-written query.

Both sides run in the same engine and give the same n, w and w2; ours and the hand-written query
take turns. The rows are made anew in a temporary folder, a row group at a time: some 9 bytes each.
``BENCH_FRAMES_ROWS=1e7`` stops at fewer rows.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks._harness import markdown_table
from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.counts import ConfusionCounts

CLASSES = ["benign", "malignant", "unclear"]
SITES = ["Basel", "Bern", "Chur", "Genf"]
ROW_GROUP = 10**6
SIZES = (10**6, 10**7, 10**8)
TURNS = 9
MOST_RATIO = 1.25
MOST_BYTES = 2 * 2**30
MOST_GROWTH = 1.5  # of the time per row, from the fewest rows to the most
MOST_SECONDS = 0.01  # for a number from the table


def report() -> tuple[str, bool]:
    """Ratios and memory at each size, the time per row, and numbers from the table."""
    most = int(float(os.environ.get("BENCH_FRAMES_ROWS", max(SIZES))))
    sizes = [n for n in SIZES if n < most] + [most]
    with tempfile.TemporaryDirectory() as folder:
        paths = {n: Path(folder) / f"{n}.parquet" for n in sizes}
        for n, path in paths.items():
            write(path, n)
        runs = [run(engine, n, path) for n, path in paths.items() for engine in ENGINES]
        from_table = numbers(paths[sizes[0]])
    growth = {
        engine: _of(runs, engine)[-1].per_row / _of(runs, engine)[0].per_row for engine in ENGINES
    }
    text = [
        f"DuckDB {version('duckdb')}, PyArrow {version('pyarrow')}",
        markdown_table(
            ("rows, engine", "ours, s", "by hand, s", "ratio", "peak memory, MiB", "pass"),
            [each.line(judged=each.n_rows == most) for each in runs],
        ),
        f"At the most rows, at most {MOST_RATIO}x (median of {TURNS} turns) and "
        f"{MOST_BYTES / 2**30:g} GiB; of fewer rows some milliseconds are the call's own.",
        markdown_table(
            ("time per row", f"at {sizes[-1]:.0e} rows against {sizes[0]:.0e}", "pass"),
            [(e, f"{g:.2f}x", _yes(g <= MOST_GROWTH)) for e, g in growth.items()],
        ),
        markdown_table(
            ("from the table", "ms", "pass"),
            [(name, f"{1e3 * s:.2f}", _yes(s <= MOST_SECONDS)) for name, s in from_table.items()],
        ),
    ]
    ok = (
        all(each.ok for each in runs if each.n_rows == most)
        and all(g <= MOST_GROWTH for g in growth.values())
        and all(s <= MOST_SECONDS for s in from_table.values())
    )
    return "\n\n".join(text), ok


def write(path: Path, n_rows: int) -> None:
    """Truth and answer as words, a site, and a weight, in row groups."""
    rng = np.random.default_rng(0)
    writer = None
    for start in range(0, n_rows, ROW_GROUP):
        n = min(ROW_GROUP, n_rows - start)
        truth = rng.choice(3, n, p=[0.9, 0.08, 0.02])
        answer = np.where(rng.random(n) < 0.9, truth, rng.integers(0, 3, n))
        table = pa.table(
            {
                "truth": _words(truth, CLASSES),
                "answer": _words(answer, CLASSES),
                "site": _words(rng.integers(0, 4, n), SITES),
                "weight": rng.exponential(size=n),
            }
        )
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    if writer is not None:
        writer.close()


def _words(codes: np.ndarray, words: list[str]) -> pa.Array:
    return pa.DictionaryArray.from_arrays(codes.astype(np.int8), words).cast(pa.string())


# ---------------------------------------------------------------------------------------------
# the two sides


def by_polars(path: Path) -> ConfusionCounts:
    """Ours, by Polars' streaming engine."""
    return _count(pl.scan_parquet(path))


def by_polars_by_hand(path: Path) -> list[tuple[Any, ...]]:
    """The query that one would write."""
    weight = pl.col("weight")
    query = (
        pl.scan_parquet(path)
        .group_by("truth", "answer")
        .agg(pl.len().alias("n"), weight.sum().alias("w"), (weight * weight).sum().alias("w2"))
    )
    return query.collect(engine="streaming").rows()


def by_duckdb(path: Path) -> ConfusionCounts:
    """Ours, by DuckDB."""
    import duckdb

    with duckdb.connect() as connection:
        return _count(connection.read_parquet(str(path)))


def by_duckdb_by_hand(path: Path) -> list[tuple[Any, ...]]:
    """The query that one would write."""
    import duckdb

    with duckdb.connect() as connection:
        return connection.execute(
            "select truth, answer, count(*), sum(weight), sum(weight * weight) "
            "from read_parquet(?) group by truth, answer",
            [str(path)],
        ).fetchall()


def _count(frame: Any) -> ConfusionCounts:
    return ConfusionCounts.from_frame(
        frame, y_true="truth", y_pred="answer", sample_weight="weight"
    )


ENGINES: dict[str, tuple[Callable[[Path], ConfusionCounts], Callable[[Path], Any]]] = {
    "Polars": (by_polars, by_polars_by_hand),
    "DuckDB": (by_duckdb, by_duckdb_by_hand),
}


# ---------------------------------------------------------------------------------------------
# measuring


@dataclass(frozen=True)
class Run:
    """One engine at one size: seconds of every turn, and the memory of ours alone."""

    engine: str
    n_rows: int
    ours: list[float]
    by_hand: list[float]
    peak: int

    @property
    def ratio(self) -> float:
        return statistics.median(a / b for a, b in zip(self.ours, self.by_hand, strict=True))

    @property
    def per_row(self) -> float:
        return statistics.median(self.ours) / self.n_rows

    @property
    def ok(self) -> bool:
        return self.ratio <= MOST_RATIO and self.peak <= MOST_BYTES

    def line(self, *, judged: bool) -> tuple[str, ...]:
        ratios = [a / b for a, b in zip(self.ours, self.by_hand, strict=True)]
        return (
            f"{self.n_rows:.0e}, {self.engine}",
            f"{statistics.median(self.ours):.3f}",
            f"{statistics.median(self.by_hand):.3f}",
            f"{self.ratio:.2f}x [{min(ratios):.2f}, {max(ratios):.2f}]",
            f"{self.peak / 2**20:.0f}",
            _yes(self.ok) if judged else "",
        )


def run(engine: str, n_rows: int, path: Path) -> Run:
    """Compare the two answers, time the two in turns, and ours once more in a new process."""
    ours, by_hand = ENGINES[engine]
    _assert_same(ours(path), by_hand(path))
    seconds: tuple[list[float], list[float]] = ([], [])
    for _ in range(TURNS):
        for each, call in zip(seconds, (ours, by_hand), strict=True):
            start = time.perf_counter()
            call(path)
            each.append(time.perf_counter() - start)
    return Run(engine, n_rows, *seconds, _peak(ours, path))


def _assert_same(counts: ConfusionCounts, rows: list[tuple[Any, ...]]) -> None:
    assert len(rows) == np.count_nonzero(counts.n)
    for truth, answer, *expected in rows:
        cell = CLASSES.index(truth), CLASSES.index(answer)
        found = [counts.n[cell], counts.w[cell], counts.w2[cell]]
        np.testing.assert_allclose(found, expected, rtol=1e-9)


def _peak(call: Callable[[Path], Any], path: Path) -> int:
    """The most bytes that a process of its own has had in memory (Linux tells)."""
    code = (
        "import sys; from pathlib import Path; "
        f"from benchmarks.bench_frames import {call.__name__} as call; call(Path(sys.argv[1])); "
        "print(open('/proc/self/status').read().split('VmHWM:')[1].split()[0])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parent.parent,
    )
    # DuckDB shows how far it is on the lines above.
    return int(done.stdout.split()[-1]) * 1024


def numbers(path: Path) -> dict[str, float]:
    """Seconds for what is asked of a table once it is there, each the median of some turns."""
    counts = ConfusionCounts.from_frame(
        pl.scan_parquet(path), y_true="truth", y_pred="answer", sample_weight="weight", by="site"
    )
    whole = counts.total()
    cost = CostMatrix.from_dict(
        {(a, t): 100.0 if t == "malignant" else 1.0 for a in CLASSES for t in CLASSES if a != t},
        labels=CLASSES,
    )
    rates = ["precision", "recall", "specificity", "negative_predictive_value", "f1"]
    asked: dict[str, Callable[[], Any]] = {
        "kappa, with its interval": lambda: whole.estimate("weighted_kappa", weights=None),
        "expected cost, with its interval": lambda: whole.estimate(
            "expected_cost", cost_matrix=cost
        ),
        "accuracy of 4 subgroups": lambda: counts.estimate("accuracy"),
    }
    for rate in rates:
        asked[f"{rate} of 3 classes in 4 subgroups"] = lambda rate=rate: counts.estimate(
            rate, average=None
        )
    return {name: _median(call) for name, call in asked.items()}


def _median(call: Callable[[], Any]) -> float:
    seconds = []
    for _ in range(TURNS):
        start = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def _of(runs: list[Run], engine: str) -> list[Run]:
    return [each for each in runs if each.engine == engine]


def _yes(ok: bool) -> str:
    return "yes" if ok else "NO"
