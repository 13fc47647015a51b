"""A word to somebody who waits: only after a second, and only in a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from rich.console import Console

__all__ = ["waiting"]

_QUIET_SECONDS = 1.0


@contextmanager
def waiting(message: str) -> Iterator[None]:
    """Show a spinner on the standard error while the work within takes longer than a second."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    done = Event()

    def show() -> None:
        if not done.wait(_QUIET_SECONDS):
            with console.status(message):
                done.wait()

    thread = Thread(target=show, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
