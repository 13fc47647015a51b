"""Every public name is there, says what it is in a sentence, and shows it in an example.

That the examples are right is seen by ``make doctest``.
"""

import importlib
import inspect
import re
import sys
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from pkgutil import iter_modules

import pytest

import skmetrics_ext
from skmetrics_ext.tables import metric_names

PACKAGE = "skmetrics_ext"
PAGES = Path(__file__).parent.parent / "docs" / "_ext"
ROOMS = sorted(
    module.name
    for module in iter_modules(skmetrics_ext.__path__)
    if not module.name.startswith("_")
)
SENTENCE = re.compile(r"[A-Z].*[.?]")


def module_of(room):
    return importlib.import_module(f"{PACKAGE}.{room}")


def public_names():
    """(room, name) of all that users may import."""
    return [(room, name) for room in ROOMS for name in module_of(room).__all__]


def docstring_of(thing):
    """Its own docstring: a class inherits that of its parent, which says what that one is."""
    own = vars(thing).get("__doc__") if inspect.isclass(thing) else thing.__doc__
    return inspect.cleandoc(own or "")


def faults(docstring):
    """What a docstring lacks, each in a few words."""
    first, *rest = docstring.splitlines() or [""]
    if not SENTENCE.fullmatch(first) or (rest and rest[0]):
        yield f"its first line is no sentence by itself: {first!r}"
    section = re.search(r"^Examples\n-{8}$", docstring, re.MULTILINE)
    if section is None:
        yield "it has no section Examples"
    elif ">>> " not in docstring[section.end() :]:
        yield "its Examples show nothing"


def unsaid_fields(thing):
    """The fields of a dataclass that its docstring does not name."""
    said = re.search(r"^(Parameters|Attributes)\n-{10}\n(.*)", docstring_of(thing), re.M | re.S)
    terms = re.findall(r"^(\w+(?:, \w+)*)(?: : |$)", said[2], re.M) if said else []
    named = {name for term in terms for name in term.split(", ")}
    return [name for name in inspect.get_annotations(thing) if name not in named]


def names_of_two_things(exports):
    """Names that stand for one thing in one room, and for another elsewhere."""
    seen = {}
    for room, name, thing in exports:
        where, first = seen.setdefault(name, (room, thing))
        if first is not thing:
            yield f"{name} of {where} is another than that of {room}"


@pytest.mark.parametrize("room", ROOMS)
def test_every_name_that_a_room_promises_is_there(room):
    module = module_of(room)
    assert [name for name in module.__all__ if not hasattr(module, name)] == []


@pytest.mark.parametrize(("room", "name"), public_names())
def test_every_public_name_says_what_it_is_and_shows_it(room, name):
    assert list(faults(docstring_of(getattr(module_of(room), name)))) == []


@pytest.mark.parametrize(
    ("room", "name"),
    [pair for pair in public_names() if is_dataclass(getattr(module_of(pair[0]), pair[1], None))],
)
def test_every_field_of_a_result_is_said(room, name):
    assert unsaid_fields(getattr(module_of(room), name)) == []


def test_no_name_means_two_things():
    exports = [(room, name, getattr(module_of(room), name)) for room, name in public_names()]
    assert list(names_of_two_things(exports)) == []


def test_the_pages_have_every_room_and_every_name(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(PAGES), *sys.path])
    api_pages = importlib.import_module("api_pages")
    assert sorted(api_pages.rooms()) == ROOMS
    for room in ROOMS:
        lines = api_pages.page_of(room).split()
        assert set(module_of(room).__all__) <= set(lines)
        assert room in api_pages.index_page().split()


# ---------------------------------------------------------------------------------------------
# The rules see what they are for.

EXAMPLE = "\n\nExamples\n--------\n>>> 1\n1"


@pytest.mark.parametrize(
    ("docstring", "fault"),
    [
        ("", "no sentence"),
        ("a small letter." + EXAMPLE, "no sentence"),
        ("No end" + EXAMPLE, "no sentence"),
        ("One sentence over\ntwo lines." + EXAMPLE, "no sentence"),
        ("Well said.", "no section"),
        ("Well said.\n\n>>> 1\n1", "no section"),
        ("Well said.\n\n>>> 1\n1\n\nExamples\n--------\nNone.", "show nothing"),
    ],
)
def test_a_fault_is_seen(docstring, fault):
    assert any(fault in found for found in faults(docstring))


def test_a_good_docstring_has_no_fault():
    assert list(faults("Is it well said?" + EXAMPLE)) == []
    assert list(faults("It is, and this is why.\n\nMore of it." + EXAMPLE)) == []


def test_the_docstring_of_a_parent_does_not_count():
    class Parent:
        """A parent."""

    class Child(Parent):
        pass

    assert docstring_of(Parent) == "A parent."
    assert docstring_of(Child) == ""


def test_a_field_that_is_not_said_is_seen():
    @dataclass
    class Result:
        """What came of it.

        Attributes
        ----------
        a, b : int
        c
            The third.
        """

        a: int
        b: int
        c: int
        d: int

    assert unsaid_fields(Result) == ["d"]


def test_two_things_of_one_name_are_seen():
    same, other = object(), object()
    assert not list(names_of_two_things([("a", "x", same), ("b", "x", same), ("b", "y", other)]))
    assert list(names_of_two_things([("a", "x", same), ("b", "x", other)])) == [
        "x of a is another than that of b"
    ]


def test_every_metric_has_its_formula_on_the_page(monkeypatch):
    monkeypatch.syspath_prepend(PAGES)
    formulas = importlib.import_module("formulas")
    assert sorted(formulas.FORMULAS) == sorted(metric_names())
