"""How far a long count is: shown where somebody looks, and only after a second."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any, Protocol, Self

__all__ = ["Progress"]

_QUIET_SECONDS = 1.0
# A log gets a line now and then, not one for each batch.
_LOG_SECONDS = 60.0


class _Display(Protocol):
    def show(self, done: int, rows: int) -> None: ...

    def close(self) -> None: ...


class Progress:
    """Tells of batches as they are counted; to be used with ``with``.

    A terminal or a notebook gets a bar where rich is installed, else one line that is written
    over; both vanish at the end. Anywhere else, such as a log, gets a line a minute. All goes
    to the standard error.

    Parameters
    ----------
    total : int or None
        How many batches there are, where that is known.
    shown : bool, default=True
        False: nothing is ever shown.
    """

    def __init__(self, total: int | None, *, shown: bool = True) -> None:
        self._total = total
        self._shown = shown and sys.stderr is not None
        self._begun = time.monotonic()
        self._done = self._rows = 0
        self._display: _Display | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._display is not None:
            self._display.close()

    def advance(self, rows: int) -> None:
        """One more batch is counted, of so many rows."""
        self._done, self._rows = self._done + 1, self._rows + rows
        if not self._shown or time.monotonic() - self._begun < _QUIET_SECONDS:
            return
        if self._display is None:
            self._display = _display(self._total)
        self._display.show(self._done, self._rows)


def _display(total: int | None) -> _Display:
    if not (sys.stderr.isatty() or "ipykernel" in sys.modules):
        return _Log(total)
    try:
        return _Bar(total)
    except ImportError:
        return _Line(total)


class _Bar:
    """A bar of rich, which keeps what is printed meanwhile above it."""

    def __init__(self, total: int | None) -> None:
        from rich.console import Console
        from rich.progress import Progress as RichProgress

        self._bar: Any = RichProgress(console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task("counting", total=total)
        self._bar.start()

    def show(self, done: int, rows: int) -> None:
        self._bar.update(self._task, completed=done, description=f"counted {rows:,} rows")

    def close(self) -> None:
        self._bar.stop()


class _Line:
    """One line of the terminal, written over."""

    def __init__(self, total: int | None) -> None:
        self._total, self._width = total, 0

    def show(self, done: int, rows: int) -> None:
        text = _text(done, self._total, rows)
        self._write(f"\r{text:<{self._width}}")
        self._width = len(text)

    def close(self) -> None:
        self._write(f"\r{'':<{self._width}}\r")

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


class _Log:
    """Whole lines, a minute apart."""

    def __init__(self, total: int | None) -> None:
        self._total, self._last = total, time.monotonic() - _QUIET_SECONDS

    def show(self, done: int, rows: int) -> None:
        now = time.monotonic()
        if now - self._last >= _LOG_SECONDS:
            self._last = now
            sys.stderr.write(f"{_text(done, self._total, rows)}\n")

    def close(self) -> None:
        """A log keeps what it has."""


def _text(done: int, total: int | None, rows: int) -> str:
    of_all = "" if total is None else f" of {total:,}"
    return f"counted batch {done:,}{of_all}, {rows:,} rows so far"
