"""Imports point one way: a module may use what stands left of it, never what stands right.

Everything is read from the source, so that an import inside a function counts as well.
"""

import ast
import importlib
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

import skmetrics_ext

PACKAGE = "skmetrics_ext"
ROOT = Path(skmetrics_ext.__file__).parent
# From left to right; the rooms of one group do not import each other.
ROOMS = [
    {"datasets", "_labels", "_sklearn", "tables"},
    {"intervals"},
    {"counts"},
    {"costs"},
    {"metrics"},
    {"decision"},
    {"ordinal", "imbalance", "inspection"},
    {"display"},
    {"report"},
    {"_demo"},
    {"_cli"},
    {"__main__"},
]
RANK = {room: rank for rank, group in enumerate(ROOMS) for room in group}
# Rooms that know no labels, whatever their rank would allow.
WITHOUT_LABELS = {"tables", "intervals"}
HEAVY = {
    "click",
    "dask",
    "duckdb",
    "jinja2",
    "matplotlib",
    "pandas",
    "polars",
    "pyarrow",
    "pyspark",
    "rich",
}
# `__main__` imports this room only after it has looked for them.
HAS_ITS_OWN = {"_cli": {"click", "rich"}}
FIELD = {"sklearn", "imblearn"}


class Import(NamedTuple):
    """One imported module, or name of a module."""

    module: str
    name: str | None
    line: int
    at_module_level: bool

    @property
    def dotted(self):
        return self.module if self.name is None else f"{self.module}.{self.name}"


def modules():
    """Every module of the package with its dotted name, without the package's own name."""
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        yield ".".join(part for part in parts if part != "__init__"), path.read_text("utf-8")


def imports(source):
    """All imports of a source, those for the type checker alone included."""
    found = []

    def visit(node, at_module_level):
        if isinstance(node, ast.Import):
            found.extend(Import(a.name, None, node.lineno, at_module_level) for a in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            found.extend(Import(module, a.name, node.lineno, at_module_level) for a in node.names)
        in_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for_types = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for child in ast.iter_child_nodes(node):
            visit(child, at_module_level and not in_function and not for_types)

    visit(ast.parse(source), True)
    return found


def private_attributes(source):
    """Private names that are reached through a module of the field: ``sklearn.utils._x``."""
    bound = {
        (alias.asname or alias.name).partition(".")[0]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
        if (getattr(node, "module", None) or alias.name).partition(".")[0] in FIELD
        # A class or function's own privates are another matter than a module's.
        and not alias.name[:1].isupper()
    }
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Attribute) or not is_private(node.attr):
            continue
        if ast.unparse(node.value).partition(".")[0] in bound:
            yield ast.unparse(node), node.lineno


def is_private(name):
    return name.startswith("_") and not name.startswith("__")


def is_private_of_the_field(dotted):
    top, *parts = dotted.split(".")
    return top in FIELD and any(map(is_private, parts))


def room_of(dotted):
    """The room of a module named as ``imports`` or ``modules`` give it; "" is the package."""
    return dotted.removeprefix(PACKAGE).removeprefix(".").partition(".")[0]


def wrong_ways(module, source):
    """What a module of the package imports that it may not, each a line to read."""
    here = room_of(module)
    for each in imports(source):
        where = f"{module or '__init__'}, line {each.line}, imports {each.dotted}"
        if each.module.startswith("."):
            yield f"{where}: imports are absolute"
        elif each.module.partition(".")[0] == PACKAGE:
            there = room_of(each.dotted if each.module == PACKAGE else each.module)
            if there == "__version__":
                continue
            if not here:
                yield f"{where}: the package itself imports nothing"
            elif there not in RANK or here not in RANK:
                yield f"{where}: not a room of the design"
            elif there != here and RANK[there] >= RANK[here]:
                yield f"{where}: {here} may not use {there}"
            elif there == "_labels" and here in WITHOUT_LABELS:
                yield f"{where}: {here} knows no labels"
        elif each.at_module_level and each.module.partition(".")[0] in HEAVY - HAS_ITS_OWN.get(
            here, set()
        ):
            yield f"{where}: import it inside the function that needs it"
        elif here != "_sklearn" and is_private_of_the_field(each.dotted):
            yield f"{where}: only _sklearn may use a private name"
        if not here and each.module.partition(".")[0] not in {"__future__", PACKAGE}:
            yield f"{where}: the package itself imports nothing"
    if here != "_sklearn":
        for name, line in private_attributes(source):
            yield f"{module}, line {line}, uses {name}: only _sklearn may use a private name"


def test_every_module_imports_one_way():
    problems = [line for module, source in modules() for line in wrong_ways(module, source)]
    assert not problems, "\n".join(problems)


def test_every_module_lives_in_a_room():
    assert {room_of(module) for module, _ in modules()} - {""} <= set(RANK)


@pytest.mark.parametrize(
    ("module", "source", "complaint"),
    [
        ("tables._rates", "from skmetrics_ext.counts import ConfusionCounts", "tables may not use"),
        ("costs", "def f():\n    from skmetrics_ext import metrics", "costs may not use metrics"),
        ("ordinal._cuts", "import skmetrics_ext.imbalance", "ordinal may not use imbalance"),
        ("tables", "from skmetrics_ext._labels import encode", "tables may not use _labels"),
        ("intervals", "from skmetrics_ext._labels import encode", "intervals knows no labels"),
        ("counts", "from ._confusion import ConfusionCounts", "imports are absolute"),
        ("counts", "from skmetrics_ext.extras import x", "not a room"),
        ("counts", "import pandas as pd", "inside the function"),
        (
            "counts",
            "try:\n    from polars import col\nexcept ImportError:\n    pass",
            "inside the f",
        ),
        ("", "import numpy", "imports nothing"),
        ("", "from skmetrics_ext.costs import CostMatrix", "imports nothing"),
        ("metrics", "from sklearn.utils import _safe_indexing", "private name"),
        ("metrics", "from sklearn.utils._param_validation import Interval", "private name"),
        ("metrics", "def f():\n    import imblearn._config", "private name"),
        ("metrics", "from sklearn import utils\nutils._safe_indexing(1)", "private name"),
        ("metrics", "import sklearn.utils\nsklearn.utils._safe_indexing(1)", "private name"),
    ],
)
def test_a_wrong_import_is_seen(module, source, complaint):
    assert complaint in "\n".join(wrong_ways(module, source))


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("metrics", "from skmetrics_ext._labels import encode\nimport skmetrics_ext.costs"),
        ("metrics._scorers", "from skmetrics_ext.metrics._agreement import weighted_kappa_score"),
        ("report", "from skmetrics_ext import __version__"),
        ("_sklearn", "from sklearn.utils import _safe_indexing"),
        ("counts", "def f():\n    import pandas"),
        ("counts", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import pandas"),
        ("metrics", "from sklearn.base import BaseEstimator\nBaseEstimator.__init__"),
        ("", "__version__ = '1'"),
    ],
)
def test_a_right_import_is_allowed(module, source):
    assert not list(wrong_ways(module, source))


def test_importing_the_package_imports_nothing_else():
    code = (
        "import sys; before = set(sys.modules); import skmetrics_ext; "
        "print(*sorted(set(sys.modules) - before))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.split() == ["skmetrics_ext"]


def public_modules():
    """The rooms that are there and public."""
    found = {room_of(module) for module, _ in modules()} - {""}
    return sorted(room for room in found if not room.startswith("_"))


@pytest.mark.parametrize("room", public_modules())
def test_every_public_room_says_what_it_offers(room):
    module = importlib.import_module(f"{PACKAGE}.{room}")
    assert module.__doc__
    assert len(set(module.__all__)) == len(module.__all__)
    for name in module.__all__:
        assert not name.startswith("_")
        assert getattr(module, name).__doc__, name
