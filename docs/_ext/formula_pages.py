"""The page of formulas: what the registry knows of each metric, beside its formula in signs."""

import inspect
from pathlib import Path

from formulas import FORMULAS

from skmetrics_ext.tables import get_metric, metric_names

HEAD = """# Formulas

Every label metric is one function of a table $n_{tp}$: rows (or sums of weights) of the true class
$t$ that were answered $p$. For two classes $TP, FP, FN, TN$; $N$ is the sum of the table, $r_t$ its
row sums, $s_p$ its column sums, $K$ the number of classes. This page is written from the registry:
what it says is what the code does.

"""


def range_in_words(metric):
    if callable(metric.range):
        return "depends on its parameters"
    low, high = metric.range
    return f"{low:g} to {'infinity' if high == float('inf') else f'{high:g}'}"


def interval_in_words(metric):
    if metric.is_proportion:
        return "Wilson's, of a count out of a count"
    if metric.through is not None:
        return f"Wilson's on {metric.through[0]!r}, carried over"
    return "hull of the smoothed delta interval and Wilson's form"


def section(name):
    metric = get_metric(name)
    doc = inspect.getdoc(metric.formula)
    facts = {
        "range": range_in_words(metric),
        "better": "higher" if metric.greater_is_better else "lower",
        "interval": interval_in_words(metric),
        "averages": ", ".join(map(repr, metric.averages)) or "none",
        "parameters": ", ".join(f"{k}={v!r}" for k, v in metric.defaults.items()) or "none",
        "order of the classes": "matters" if metric.ordinal else "does not matter",
    }
    lines = [f"## {name}", "", " ".join(doc.split()), "", "$$", FORMULAS[name], "$$", ""]
    lines += ["| | |", "|---|---|", *(f"| {key} | {value} |" for key, value in facts.items()), ""]
    return "\n".join(lines)


def write_page(app, config):
    text = HEAD + "\n".join(map(section, metric_names()))
    path = Path(app.srcdir) / "formulas.md"
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def setup(app):
    app.connect("config-inited", write_page)
    return {"parallel_read_safe": True}
