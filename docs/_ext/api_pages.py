"""The pages of the API reference, written from each room's ``__all__``: nothing can be missing."""

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import skmetrics_ext

TITLE = "API reference"


def rooms():
    """The public subpackages that export names, in the order of a metric's journey."""
    found = [
        name
        for _, name, is_package in iter_modules(skmetrics_ext.__path__)
        if is_package and not name.startswith("_")
    ]
    order = ["counts", "costs", "metrics", "decision", "ordinal", "imbalance", "inspection"]
    order += ["display", "report", "datasets", "intervals", "tables"]
    return sorted(found, key=lambda name: order.index(name) if name in order else len(order))


def page_of(room):
    """One room: what it is for, and a table of its names, each with a page of its own."""
    name = f"skmetrics_ext.{room}"
    module = import_module(name)
    first = module.__doc__.strip().splitlines()[0]
    lines = [name, "=" * len(name), "", first, "", f".. currentmodule:: {name}", ""]
    lines += [".. autosummary::", "   :toctree: generated", "   :nosignatures:", ""]
    lines += [f"   {public}" for public in module.__all__]
    return "\n".join([*lines, ""])


def index_page():
    lines = [TITLE, "=" * len(TITLE), ""]
    lines += ["Public names are imported from the subpackages:", ""]
    lines += ["``from skmetrics_ext.metrics import expected_cost_loss``.", ""]
    lines += [
        ".. toctree::",
        "   :maxdepth: 1",
        "",
        *(f"   {room} <{room}>" for room in rooms()),
        "",
    ]
    return "\n".join(lines)


def write_pages(app, config):
    folder = Path(app.srcdir) / "api"
    folder.mkdir(exist_ok=True)
    for name, text in {"index": index_page(), **{r: page_of(r) for r in rooms()}}.items():
        path = folder / f"{name}.rst"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def setup(app):
    # Before Sphinx looks which pages there are.
    app.connect("config-inited", write_pages)
    return {"parallel_read_safe": True}
