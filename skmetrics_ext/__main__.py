"""``skmetrics-ext``, also ``python -m skmetrics_ext``: the command line."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec

__all__ = ["main"]

# What the commands read files with, and show answers with; the extra `cli` brings them.
_NEEDED = ("click", "rich", "jinja2", "polars")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the answer is its exit code.

    0 is good, 1 is bad data (one sentence on the standard error), 2 is bad usage.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        return _without_extra(given, missing)
    from skmetrics_ext._cli import run

    return run(given)


def _without_extra(given: Sequence[str], missing: Sequence[str]) -> int:
    """The demo needs nothing; everything else says what it lacks."""
    if given == ["demo"]:
        from skmetrics_ext._demo import demo

        demo()
        return 0
    print(
        f"skmetrics-ext needs {', '.join(missing)} for everything but `demo`; the extra `cli` "
        "brings what it needs: pip install 'skmetrics-ext[cli]'",
        file=sys.stderr,
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
