"""What is shown while batches are counted: nothing for a second, and nothing that stays."""

import builtins
import io
import sys
import types

import pytest

from skmetrics_ext.counts import _progress
from skmetrics_ext.counts._progress import Progress


class Stream(io.StringIO):
    def __init__(self, tty):
        super().__init__()
        self.tty = tty

    def isatty(self):
        return self.tty


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until it is moved."""
    clock = types.SimpleNamespace(now=100.0)
    clock.monotonic = lambda: clock.now
    monkeypatch.setattr(_progress, "time", clock)
    return clock


@pytest.fixture
def stream(monkeypatch, request):
    """What stands for the standard error: a terminal, unless a test says no."""
    stream = Stream(getattr(request, "param", True))
    monkeypatch.setattr(_progress, "sys", types.SimpleNamespace(stderr=stream, modules={}))
    return stream


@pytest.fixture
def without_rich(monkeypatch):
    plain = builtins.__import__

    def no_rich(name, *args, **kwargs):
        if name.partition(".")[0] == "rich":
            raise ImportError(name)
        return plain(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", no_rich)


@pytest.fixture
def rich(monkeypatch):
    """A rich that remembers what it was told."""
    told = []

    class Bar:
        def __init__(self, *, console, transient):
            assert console.stderr
            assert transient  # it vanishes

        def add_task(self, name, *, total):
            told.append(("total", total))
            return 7

        def start(self):
            told.append("start")

        def update(self, task, *, completed, description):
            assert task == 7
            told.append((completed, description))

        def stop(self):
            told.append("stop")

    console = types.ModuleType("rich.console")
    console.Console = lambda *, stderr: types.SimpleNamespace(stderr=stderr)
    progress = types.ModuleType("rich.progress")
    progress.Progress = Bar
    package = types.ModuleType("rich")
    for name, module in {
        "rich": package,
        "rich.console": console,
        "rich.progress": progress,
    }.items():
        monkeypatch.setitem(sys.modules, name, module)
    return told


def count(clock, seconds, total=None, **more):
    """A batch of 1000 rows at each of so many seconds after the beginning."""
    begun = clock.now
    with Progress(total, **more) as progress:
        for second in seconds:
            clock.now = begun + second
            progress.advance(1000)


def test_nothing_is_shown_within_a_second(clock, stream, without_rich):
    count(clock, [0.1, 0.5, 0.99])
    assert stream.getvalue() == ""


def test_nothing_is_shown_where_nobody_asked(clock, stream, without_rich):
    count(clock, [0.5, 2, 300], shown=False)
    assert stream.getvalue() == ""


def test_a_terminal_gets_one_line_that_is_written_over_and_vanishes(clock, stream, without_rich):
    count(clock, [0.5, 1.5, 2.5], total=40)
    lines = stream.getvalue().split("\r")
    assert lines[1] == "counted batch 2 of 40, 2,000 rows so far"
    assert lines[2] == "counted batch 3 of 40, 3,000 rows so far"
    assert lines[3:] == [" " * len(lines[2]), ""]
    assert "\n" not in stream.getvalue()


def test_a_shorter_line_covers_a_longer_one(clock, stream, without_rich, monkeypatch):
    texts = iter(["a long text", "short"])
    monkeypatch.setattr(_progress, "_text", lambda *_: next(texts))
    count(clock, [1.5, 2.5])
    assert stream.getvalue().split("\r")[1:3] == ["a long text", "short      "]


def test_the_line_vanishes_where_a_batch_fails(clock, stream, without_rich):
    def fail():
        with Progress(None) as progress:
            clock.now += 2
            progress.advance(5)
            raise KeyError("a batch")

    with pytest.raises(KeyError, match="a batch"):
        fail()
    assert stream.getvalue() == f"\rcounted batch 1, 5 rows so far\r{' ' * 30}\r"


@pytest.mark.parametrize("stream", [False], indirect=True)
def test_a_log_gets_a_line_a_minute(clock, stream, rich):
    count(clock, [0.5, 1, 30, 59.9, 60, 61, 100, 119, 121, 122, 500])
    assert stream.getvalue().splitlines() == [
        "counted batch 5, 5,000 rows so far",
        "counted batch 9, 9,000 rows so far",
        "counted batch 11, 11,000 rows so far",
    ]
    assert rich == []


@pytest.mark.parametrize("stream", [False, True], indirect=True)
def test_rich_shows_a_bar_in_a_notebook_and_a_terminal(clock, stream, rich, monkeypatch):
    if not stream.tty:
        monkeypatch.setitem(_progress.sys.modules, "ipykernel", types.ModuleType("ipykernel"))
    count(clock, [0.5, 1.5, 2.5], total=3)
    assert rich == [
        ("total", 3),
        "start",
        (2, "counted 2,000 rows"),
        (3, "counted 3,000 rows"),
        "stop",
    ]
    assert stream.getvalue() == ""


def test_a_program_without_a_standard_error_counts_all_the_same(clock, monkeypatch):
    monkeypatch.setattr(_progress, "sys", types.SimpleNamespace(stderr=None, modules={}))
    count(clock, [0.5, 100])
