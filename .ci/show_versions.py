"""Say which versions a run used, and fail where one is not the version asked for."""

import sys
from importlib.metadata import version
from pathlib import Path

wanted = [
    line.split("==")
    for line in Path(sys.argv[1]).read_text().splitlines()
    if line and not line.startswith("#")
]
print("Python", sys.version.split()[0], *(f"{name} {version(name)}" for name, _ in wanted))
sys.exit(
    ", ".join(f"{name} is not {asked}" for name, asked in wanted if version(name) != asked) or None
)
