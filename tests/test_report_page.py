"""The report as text, page and receipt: widths, odd names, pickles, edited receipts."""

import copy
import json
import pickle
import warnings
from html.parser import HTMLParser

import numpy as np
import pytest

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.counts._seal import checksum_of
from skmetrics_ext.report import DecisionReport

EMPTY = {"meta", "link", "br", "hr", "img", "input"}
NAMES = {
    "html": ("<script>alert(1)</script>", "&amp;</svg>"),
    "like ids": (' id="x" href="#y"', "url(#z)"),
    "templates": ("{{ 7 * 7 }}", "{% raw %}"),
    "dollars": ("$5 or $10", "a $\\frac{$"),
    "quotes": ("a'b\"c", "\\x"),
    "lines": ("a\nb", "c\n\nd"),
    "letters of other scripts": ("日本語", "\N{PARTY POPPER}"),
    "blanks": ("", " "),
    "long": ("x" * 200, "y z " * 50),
}


class Page(HTMLParser):
    """Tags that are closed in order, ids that are unique, references that exist."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.references, self.shown = [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []
        assert len(self.ids) == len(set(self.ids))
        assert set(self.references) <= set(self.ids)

    def handle_starttag(self, tag, attrs):
        self.handle_startendtag(tag, attrs)
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        assert tag != "script"
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            if name in ("href", "xlink:href") and value.startswith("#"):
                self.references.append(value[1:])

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.shown.append(data)


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(1)
    ill = rng.random(120) < 0.3
    return ill, np.clip(0.3 * ill + 0.7 * rng.random(120), 0, 1)


@pytest.mark.parametrize("kind", NAMES)
def test_any_name_is_shown_and_breaks_nothing(kind, rows):
    ill, score = rows
    first, second = NAMES[kind]
    truth = np.where(ill, first, second)
    report = DecisionReport.from_predictions(
        truth, None, score, pos_label=first, by=truth, title=first
    )
    text = repr(report)
    assert max(map(len, text.splitlines())) <= 100
    page = Page(report.to_html())
    if kind in ("html", "like ids"):
        assert first in page.shown  # also in the pictures, letter by letter
        assert "".join(page.shown).count(first) > 10
        assert not any('id="r' in text for text in page.shown)
    assert repr(DecisionReport.from_json(report.to_json())) == text


def test_wide_tables_are_continued_below():
    rng = np.random.default_rng(0)
    truth, answer = rng.choice([f"class number {k}" for k in range(15)], (2, 300))
    report = DecisionReport.from_predictions(truth, answer)
    text = repr(report)
    assert max(map(len, text.splitlines())) <= 100
    happened = text.split("What happened\n")[1].split("(Truth down")[0]
    assert happened.count("truth ") > 1
    for k in range(15):
        assert happened.count(f"class number {k} ") + happened.count(f"class number {k}\n") >= 2


def test_many_classes(rows):
    rng = np.random.default_rng(0)
    truth, answer = rng.choice([f"c{k}" for k in range(60)], (2, 400))
    text = repr(DecisionReport.from_predictions(truth, answer))
    assert "60 classes: the table is in the receipt" in text


def test_two_reports_share_a_notebook(rows):
    ill, score = rows
    first, second = (
        DecisionReport.from_predictions(ill, None, s)._repr_html_() for s in (score, score**2)
    )
    Page(first + second)


def test_only_warnings_stand_out(rows):
    ill, score = rows
    page = DecisionReport.from_predictions(ill, score > 0.5).to_html()
    assert page.count('class="first"') == 1
    quiet = DecisionReport.from_predictions(
        np.tile(ill, 3),
        np.tile(score > 0.5, 3),
        clusters=np.arange(360) % 60,
        cost_matrix=[[0, 5], [1, 0]],
        pos_label=None,
    )
    titles = [section.title for section in quiet.sections]
    assert ("Read this first" in titles) == ('class="first"' in quiet.to_html())


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda r: pickle.loads(pickle.dumps(r))]
)
def test_reports_are_copied_also_after_they_were_shown(again, rows):
    ill, score = rows
    report = DecisionReport.from_predictions(
        ill, None, score, cost_matrix=CostMatrix.binary(false_negative=3, pos_label=True)
    )
    text, page = repr(report), report.to_html()
    assert (repr(again(report)), again(report).to_html()) == (text, page)


# -- receipts ----------------------------------------------------------------------------------


def resealed(body):
    """What a forger would have to do as well."""
    body.pop("checksum")
    body["checksum"] = checksum_of(body)
    return json.dumps(body)


def test_every_part_of_a_receipt_is_sealed(rows):
    ill, score = rows
    receipt = DecisionReport.from_predictions(
        ill, None, score, title="Mine", cost_matrix=[[0, 5], [1, 0]]
    ).to_json()
    assert DecisionReport.from_json(receipt).title == "Mine"
    body = json.loads(receipt)
    assert repr(DecisionReport.from_json(resealed(body)))
    for change in (
        lambda b: b["evidence"]["cost_matrix"].update(costs=[[0, 500], [1, 0]]),
        lambda b: b["numbers"][0].update(value=0.5),
        lambda b: b["evidence"].pop("labels"),
        lambda b: b.pop("checksum"),
        lambda b: b.update(title="Theirs"),
    ):
        edited = json.loads(receipt)
        change(edited)
        with pytest.raises(ValueError, match="checksum"):
            DecisionReport.from_json(json.dumps(edited))


def test_receipts_are_json_that_anybody_reads():
    one = DecisionReport.from_predictions([1.5], [2.5], target="numbers")  # R2 of one row is NaN
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        receipt = one.to_json()

    def refuse(word):
        raise AssertionError(f"{word} is no JSON")

    numbers = json.loads(receipt, parse_constant=refuse)["numbers"]
    assert "nan" in [number["value"] for number in numbers]


@pytest.mark.parametrize("label", [np.int64(5), 5])
def test_a_positive_class_of_several_is_written(label):
    rng = np.random.default_rng(0)
    truth, answer = rng.choice([0, 1, 5], (2, 60))
    report = DecisionReport.from_predictions(truth, answer, pos_label=label)
    assert json.loads(report.to_json())["evidence"]["pos_label"] == 5
