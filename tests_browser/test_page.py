"""A report's page in a real browser: what it shows, what it complains of, what it asks for.

Needs Chromium; ``make browser`` installs it where it is missing.
"""

import json
import shutil
import subprocess
from html.parser import HTMLParser

import numpy as np
import pytest

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.report import DecisionReport

HOSTILE = "<script>alert(1)</script>"
FLAGS = (
    "--no-sandbox",
    "--headless",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
)


class Shown(HTMLParser):
    """The texts of a page, and how many of each element there are."""

    def __init__(self, text):
        super().__init__()
        self.texts, self.tags, self.within = [], {}, []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags[tag] = self.tags.get(tag, 0) + 1
        self.within.append(tag)

    def handle_endtag(self, tag):
        if tag in self.within:
            while self.within.pop() != tag:
                pass

    def handle_data(self, data):
        if "style" not in self.within:
            self.texts.append(data)


@pytest.fixture(scope="module")
def visit(tmp_path_factory):
    """The page as the browser has it, what the browser logs, and what the page asked for."""
    folder = tmp_path_factory.mktemp("browser")
    rng = np.random.default_rng(0)
    sick = rng.random(400) < 0.2
    score = 1 / (1 + np.exp(-(rng.normal(size=400) + 2 * sick - 2)))
    report = DecisionReport.from_predictions(
        np.where(sick, HOSTILE, "well"),
        None,
        score,
        cost_matrix=CostMatrix.binary(false_negative=9, pos_label=HOSTILE, neg_label="well"),
        by=np.where(np.arange(400) % 2, HOSTILE, "&amp; <b>"),
        title=f"Report {HOSTILE}",
    )
    page = folder / "report.html"
    report.save(page)
    shown, complaints, asked = browse(page, folder)
    return Shown(shown), complaints, asked


def browse(page, folder):
    """Open a page: the elements that came of it, the browser's log, what the page asked for."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    assert browser, "chromium is not installed: make browser installs it"
    net = folder / f"{page.stem}-net.json"
    run = subprocess.run(
        [
            browser,
            *FLAGS,
            f"--user-data-dir={folder / 'profile'}",
            "--enable-logging=stderr",
            f"--log-net-log={net}",
            "--virtual-time-budget=3000",
            "--dump-dom",
            page.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    events = json.loads(net.read_text(encoding="utf-8"))["events"]
    found = [event["params"] for event in events if isinstance(event.get("params"), dict)]
    # The browser asks for things of its own (updates, the time): not for a page from a file.
    asked = {
        p["url"] for p in found if "file://" in str(p.get("network_isolation_key")) and "url" in p
    }
    return run.stdout, run.stderr, asked


def test_title_tables_and_pictures_are_there(visit):
    shown, _, _ = visit
    assert f"Report {HOSTILE}" in shown.texts
    assert shown.tags["svg"] == 4
    assert shown.tags["table"] >= 7
    assert shown.tags["h2"] == 10
    assert shown.tags["title"] == 1


def test_a_hostile_label_is_shown_as_text(visit):
    shown, _, _ = visit
    assert "script" not in shown.tags
    assert "b" not in shown.tags
    assert any(HOSTILE in text for text in shown.texts)
    assert any("&amp; <b>" in text for text in shown.texts)


def test_the_console_is_quiet(visit):
    _, complaints, _ = visit
    assert "CONSOLE" not in complaints


def test_no_request_leaves_the_page(visit):
    _, _, asked = visit
    assert asked == set()


def test_a_request_that_leaves_is_seen(tmp_path):
    page = tmp_path / "outside.html"
    page.write_text('<img src="http://127.0.0.1:9/x.png">', encoding="utf-8")
    assert browse(page, tmp_path)[2] == {"http://127.0.0.1:9/x.png"}


def test_a_complaint_is_seen(tmp_path):
    page = tmp_path / "broken.html"
    page.write_text("<script>nothing()</script>", encoding="utf-8")
    assert "CONSOLE" in browse(page, tmp_path)[1]
