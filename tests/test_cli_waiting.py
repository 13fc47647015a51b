"""A word to somebody who waits: only when it takes long, and only in a terminal."""

from contextlib import contextmanager
from threading import Event

import pytest

from skmetrics_ext._cli import _waiting


@pytest.fixture
def console(monkeypatch):
    """A console that writes down what is shown, and when that ended."""

    class Recorded:
        is_terminal = True

        def __init__(self, stderr):
            assert stderr  # what is printed may be piped on
            Recorded.shown, Recorded.begun = [], Event()

        @contextmanager
        def status(self, message):
            Recorded.shown.append(message)
            Recorded.begun.set()
            yield
            Recorded.shown.append("gone")

    monkeypatch.setattr(_waiting, "Console", Recorded)
    return Recorded


def test_long_work_is_told_of_and_the_word_goes(console, monkeypatch):
    monkeypatch.setattr(_waiting, "_QUIET_SECONDS", 0.0)
    with _waiting.waiting("counting ..."):
        assert console.begun.wait(10)
    assert console.shown == ["counting ...", "gone"]


def test_short_work_is_not(console):
    assert _waiting._QUIET_SECONDS == 1.0
    with _waiting.waiting("counting ..."):
        pass
    assert console.shown == []


def test_a_pipe_gets_nothing(console, monkeypatch):
    monkeypatch.setattr(_waiting, "_QUIET_SECONDS", 0.0)
    monkeypatch.setattr(console, "is_terminal", False)
    with _waiting.waiting("counting ..."):
        assert not console.begun.wait(0.05)
    assert console.shown == []


def test_an_error_passes_and_the_word_goes(console, monkeypatch):
    def fail():
        with _waiting.waiting("counting ..."):
            assert console.begun.wait(10)
            raise ValueError("broken")

    monkeypatch.setattr(_waiting, "_QUIET_SECONDS", 0.0)
    with pytest.raises(ValueError, match="broken"):
        fail()
    assert console.shown == ["counting ...", "gone"]
