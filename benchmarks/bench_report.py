"""The command line on a Parquet file of ten million rows: its time, and the memory it needs.

The file is made here, in a temporary folder: labels, answers and scores. A report of the answers,
one of the scores (in bins, with the bound on what they hide) and the search for a threshold each
run in a process of their own; its memory is held against that of one that only imports the same.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

ROWS = 10_000_000
MOST_MIB = 1024
_IMPORTS = "import skmetrics_ext._cli, skmetrics_ext.display, matplotlib.pyplot, polars"
# A process of its own for each, since the most memory of all children is all that is told.
_MEASURED = (
    "import resource, subprocess, sys; "
    "run = subprocess.run(sys.argv[1:], capture_output=True, text=True); "
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); "
    "sys.stdout.write(run.stdout + run.stderr); sys.exit(run.returncode)"
)


def measured(*command: str) -> tuple[float, float, str]:
    """Seconds, MiB at most, and what was printed."""
    start = time.perf_counter()
    run = subprocess.run(
        [sys.executable, "-c", _MEASURED, *command], capture_output=True, text=True, check=True
    )
    first, _, text = run.stdout.partition("\n")
    return time.perf_counter() - start, int(first) / 1024, text


def report() -> tuple[str, bool]:
    import polars as pl

    rng = np.random.default_rng(0)
    fraud = rng.random(ROWS) < 0.05
    frame = pl.DataFrame(
        {
            "y": np.where(fraud, "fraud", "fine"),
            "p": 1 / (1 + np.exp(-(rng.normal(size=ROWS) + 2 * fraud - 3))),
            "said": np.where(rng.random(ROWS) < 0.06, "fraud", "fine"),
        }
    )
    asked = {
        "report of answers": ("report", "--pred", "said"),
        "report of scores, 1000 bins": ("report", "--score", "p"),
        "threshold": ("threshold", "--score", "p"),
    }
    lines = ["| command | seconds | MiB above the imports |", "|---|---|---|"]
    good = True
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "rows.parquet")
        frame.write_parquet(file)
        del frame
        _, alone, _ = measured(sys.executable, "-c", _IMPORTS)
        for name, (command, *columns) in asked.items():
            seconds, most, text = measured(
                *(sys.executable, "-m", "skmetrics_ext", command, file, "--truth", "y"),
                *columns,
                *("--positive", "fraud", "--cost", "fn=20"),
            )
            good &= most - alone < MOST_MIB
            good &= "score" not in " ".join(columns) or "because of the bins" in text
            lines.append(f"| {name} | {seconds:.1f} | {most - alone:.0f} |")
    lines.append("")
    lines.append(
        f"{ROWS:,} rows; at most {MOST_MIB} MiB are allowed. The bound of the bins is printed."
    )
    return "\n".join(lines), good
