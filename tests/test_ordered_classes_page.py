"""The page on ordered classes shows what comes out of its code."""

import re
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

PAGE = Path(__file__).parent.parent / "docs" / "ordered_classes.md"
NUMBER = re.compile(r"[+-]?\d+\.\d+")


def of_this_environment(shown):
    """What the page shows, without the row of a package that is not installed."""
    lines = shown.splitlines()
    return [line for line in lines if find_spec("mord") or not line.startswith("mord.")]


# mord 0.7 passes an option to scipy that scipy is about to drop.
@pytest.mark.filterwarnings("ignore:scipy.optimize. The `disp` and `iprint`:DeprecationWarning")
def test_the_page_shows_what_comes_out(capsys):
    page = PAGE.read_text(encoding="utf-8")
    blocks = re.findall(r"^```(python|text)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    kinds = [kind for kind, _ in blocks]
    assert kinds == ["python", "python", "text", "python", "text", "python", "text"]
    names: dict = {}
    for kind, block in blocks:
        if kind == "python":
            exec(block, names)
            continue
        out, shown = capsys.readouterr().out, "\n".join(of_this_environment(block))
        assert NUMBER.sub("", shown).split() == NUMBER.sub("", out).split()
        # Solvers of other versions stop elsewhere, and a row or two may be answered otherwise.
        np.testing.assert_allclose(
            [float(v) for v in NUMBER.findall(shown)],
            [float(v) for v in NUMBER.findall(out)],
            rtol=0.02,
            atol=0.01,
        )
