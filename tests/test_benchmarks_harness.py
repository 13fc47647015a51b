"""The benchmark harness, on toy callables."""

from types import SimpleNamespace

import numpy as np
import pytest

from benchmarks import _harness
from benchmarks._harness import Case, Timing, main, run_case, timings_table, update_results


def toy(**changes):
    settings = {
        "name": "toy",
        "peer_name": "slow toy",
        "ours": lambda: 1.0,
        "peer": lambda: 1.0,
        "bar": 1.0,
        "repeat": 3,
    }
    return Case(**{**settings, **changes})


class Clock:
    """A clock that moves only when a toy says how long it took."""

    def __init__(self):
        self.now = 0.0
        self.calls = []

    def perf_counter(self):
        return self.now

    def toy(self, name, *seconds):
        """A callable that takes the seconds named, call by call, then the last for ever."""
        rest = list(seconds)

        def call():
            self.calls.append(name)
            self.now += rest.pop(0) if len(rest) > 1 else rest[0]
            return 1.0

        return call


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(_harness, "time", clock)
    return clock


@pytest.mark.parametrize(
    ("direction", "ratios", "ratio"),
    [("at_least", (2.0, 3.0, 8.0), 3.0), ("at_most", (1 / 8, 1 / 3, 1 / 2), 1 / 3)],
)
def test_ratio_is_the_median_over_the_turns(clock, direction, ratios, ratio):
    # The first two calls are the comparison and the one that says how many fit in a timing.
    ours = clock.toy("ours", 0, 1, 1.0, 2.0, 3.0)
    peer = clock.toy("peer", 0, 1, 2.0, 6.0, 24.0)
    timing = run_case(toy(ours=ours, peer=peer, direction=direction))
    assert sorted(timing.ratios) == pytest.approx(sorted(ratios))
    assert timing.ratio == pytest.approx(ratio)
    assert (timing.ours, timing.peer) == (2.0, 6.0)


@pytest.mark.parametrize(
    ("direction", "ratios", "bar", "ok"),
    [
        ("at_least", (1.0, 20.0, 30.0), 20, True),
        ("at_least", (1.0, 19.0, 30.0), 20, False),
        ("at_most", (1.0, 1.5, 9.0), 1.5, True),
        ("at_most", (1.0, 1.6, 9.0), 1.5, False),
    ],
)
def test_median_ratio_is_held_against_the_bar(direction, ratios, bar, ok):
    case = toy(direction=direction, bar=bar)
    assert Timing(case=case, ours=1.0, peer=1.0, ratios=ratios).ok is ok


def test_the_two_take_turns_and_the_peer_begins(clock):
    run_case(toy(ours=clock.toy("ours", 1.0), peer=clock.toy("peer", 1.0)))
    assert clock.calls[-6:] == ["peer", "ours"] * 3


def test_short_calls_are_repeated_within_a_timing(clock):
    timing = run_case(toy(ours=clock.toy("ours", 2.0**-10), peer=clock.toy("peer", 2.0), repeat=1))
    assert timing.ours == 2.0**-10
    assert clock.calls.count("ours") == 2 + 10
    assert clock.calls.count("peer") == 2 + 1


def test_answers_that_differ_are_not_timed():
    calls = []
    case = toy(ours=lambda: (calls.append(1), 1.0)[1], peer=lambda: 1.0 + 1e-9)
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        run_case(case)
    assert len(calls) == 1


def test_equal_is_the_cases_own_where_it_has_one():
    def equal(ours, peer):
        assert ours == peer.lower()

    assert run_case(toy(ours=lambda: "a", peer=lambda: "A", equal=equal, bar=0)).ok
    with pytest.raises(AssertionError):
        run_case(toy(ours=lambda: "a", peer=lambda: "B", equal=equal))


def test_table_shows_both_times_the_ratio_and_the_verdict():
    quick = Timing(case=toy(bar=15), ours=0.0065, peer=0.15, ratios=(20.0, 23.1, 25.0))
    slow = Timing(case=toy(bar=30), ours=0.00123, peer=2.205, ratios=(1.0, 1792.7, 2000.4))
    below = Timing(case=toy(bar=30), ours=0.1, peer=0.1, ratios=(1.0,))
    assert timings_table([quick, slow, below]).splitlines() == [
        "| case | ours, ms |     peer | peer, ms |              ratio |          bar | pass |",
        "| ---- | -------: | -------: | -------: | -----------------: | -----------: | ---: |",
        "| toy  |     6.50 | slow toy |      150 | 23.1x [20.0, 25.0] | at least 15x |  yes |",
        "| toy  |     1.23 | slow toy |     2205 | 1793x [1.00, 2000] | at least 30x |  yes |",
        "| toy  |      100 | slow toy |      100 | 1.00x [1.00, 1.00] | at least 30x |   NO |",
    ]


def test_results_keep_the_other_sections(tmp_path):
    path = tmp_path / "RESULTS.md"
    update_results(path, "speed", "first\n\n| a table |")
    update_results(path, "cover", "other\n")
    once = path.read_text()
    assert once.startswith("# Results\n")
    assert once.endswith("\n\n## cover\n\nother\n\n## speed\n\nfirst\n\n| a table |\n")
    update_results(path, "cover", "other\n")
    assert path.read_text() == once
    update_results(path, "speed", "second")
    assert path.read_text().endswith("\n\n## cover\n\nother\n\n## speed\n\nsecond\n")


@pytest.fixture
def toy_modules(monkeypatch):
    """Two benchmarks, one of each manner, both below their bars."""
    modules = {
        "speed": SimpleNamespace(
            __doc__="How fast a toy is.\n\nMore.", cases=lambda: [toy(bar=1e9, repeat=1)]
        ),
        "cover": SimpleNamespace(__doc__="How sure a toy is.", report=lambda: ("93 %", False)),
    }
    monkeypatch.setattr(_harness, "benchmark_names", lambda: sorted(modules))
    monkeypatch.setattr(_harness, "_load", modules.__getitem__)


@pytest.mark.usefixtures("toy_modules")
class TestCommandLine:
    def test_without_a_name_it_lists_what_there_is(self, capsys, tmp_path):
        assert main([], results=tmp_path / "R.md") == 0
        assert capsys.readouterr().out.split("\n")[:2] == [
            "cover        How sure a toy is.",
            "speed        How fast a toy is.",
        ]
        assert not (tmp_path / "R.md").exists()

    def test_a_run_prints_and_keeps_its_table(self, capsys, tmp_path):
        assert main(["speed"], results=tmp_path / "R.md") == 0
        shown, kept = capsys.readouterr().out, (tmp_path / "R.md").read_text()
        assert "slow toy" in shown
        assert shown.strip() in kept
        assert "## speed\n\nHow fast a toy is.\n\n" in kept
        assert f"numpy {np.__version__}" in kept

    @pytest.mark.parametrize("name", ["speed", "cover"])
    def test_check_fails_below_the_bar(self, name, tmp_path):
        assert main([name, "--check"], results=tmp_path / "R.md") == 1

    def test_an_unknown_name_is_refused_with_those_there_are(self, capsys, tmp_path):
        with pytest.raises(SystemExit):
            main(["space"], results=tmp_path / "R.md")
        assert "{cover,speed}" in capsys.readouterr().err


def test_names_are_those_of_the_modules():
    names = _harness.benchmark_names()
    for name in names:
        module = _harness._load(name)
        assert module.__doc__, name
        assert hasattr(module, "cases") or hasattr(module, "report"), name
