"""A report as one page that needs nothing else: tables, pictures as SVG, light and dark."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from importlib import resources
from importlib.util import find_spec
from typing import Any

from skmetrics_ext.report._blocks import Cell, Grid, Lines, Picture, Section, Text
from skmetrics_ext.report._calls import Number, value_text
from skmetrics_ext.report._pictures import as_svg
from skmetrics_ext.report._text import text_of

__all__ = ["body_of", "page_of"]

_NO_PICTURES = "Pictures need matplotlib: pip install 'skmetrics-ext[plot]'."


def page_of(title: str, sections: Sequence[Section], version: str) -> str:
    """The whole page."""
    return _rendered("page.html", title, sections, version)


def body_of(title: str, sections: Sequence[Section], version: str) -> str:
    """The same as a piece of a page, for notebooks."""
    return _rendered("body.html", title, sections, version)


def _rendered(template: str, title: str, sections: Sequence[Section], version: str) -> str:
    if find_spec("jinja2") is None:
        raise ImportError(
            "a report as HTML needs jinja2, which the extra `cli` brings: "
            "pip install 'skmetrics-ext[cli]'."
        )
    import jinja2
    from markupsafe import Markup

    folder = resources.files("skmetrics_ext.report") / "templates"
    loader = jinja2.FunctionLoader(lambda name: (folder / name).read_text(encoding="utf-8"))
    environment = jinja2.Environment(
        loader=loader,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    # Several reports can stand in one notebook, and none may show the pictures of another.
    mark = "r" + hashlib.sha256(text_of(title, sections).encode()).hexdigest()[:8]
    shown = [
        {
            "id": f"{mark}-section-{number}",
            "title": section.title,
            "blocks": [
                _shown(block, f"{mark}-p{number}-{place}", Markup)
                for place, block in enumerate(section.blocks)
            ],
        }
        for number, section in enumerate(sections, 1)
    ]
    return environment.get_template(template).render(title=title, sections=shown, version=version)


def _shown(block: Any, name: str, markup: Any) -> dict[str, Any]:
    if isinstance(block, Text):
        return {"kind": "text", "text": block.text}
    if isinstance(block, Lines):
        return {"kind": "lines", "lines": block.lines}
    if isinstance(block, Picture):
        svg = as_svg(block.draw, name)
        if svg is None:
            return {"kind": "text", "text": _NO_PICTURES}
        # What matplotlib writes is markup, with every text in it escaped.
        return {"kind": "picture", "title": block.title, "svg": markup(svg)}
    assert isinstance(block, Grid)
    rows = [[_cell(cell) for cell in row] for row in block.rows]
    return {"kind": "grid", "head": block.head, "rows": rows, "note": block.note}


def _cell(cell: Cell) -> dict[str, Any]:
    if isinstance(cell, Number):
        return {
            "text": value_text(cell.value),
            "limits": cell.limits,
            "counts": cell.counts,
            "call": str(cell.call),
        }
    return {"text": cell, "limits": "", "counts": "", "call": ""}
