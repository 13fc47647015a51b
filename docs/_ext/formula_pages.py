"""The page of formulas: what the registry knows of each metric, beside its formula in signs."""

import inspect
import re
from pathlib import Path

from formulas import FORMULAS, FUNCTIONS, OF_SCORES, RANGES, SOURCES, UNDEFINED

from skmetrics_ext.tables import get_metric, metric_names

HEAD = r"""# Formulas

Every label metric is one function of a table $n_{tp}$: rows (or sums of weights) of the true class
$t$ that were answered $p$. For two classes $TP, FP, FN, TN$; $N$ is the sum of the table, $r_t$ its
row sums, $s_p$ its column sums, $K$ the number of classes. The facts below a formula are read from
the registry that the code uses, but for its source and when it is undefined.

- **Averages** of more than two classes, each against the rest: "macro" is their mean, "weighted"
  the mean weighted by $r_k$, "micro" the formula of the added tables, `None` one value per class.
- **Intervals** are those of `method="auto"`. A count over a count has Wilson's ([1927][wilson]).
  Everything else, macro and weighted averages included: two rows in all are added to the table,
  evenly over the classes that have rows, and the answer is the hull of the delta interval there,
  on a scale that ends where the range ends, and of Wilson's form of the value. At a stated
  prevalence precision and negative predictive value have the logit interval
  ([Mercaldo et al. 2007][mercaldo]).
- **Undefined** values are replaced, mostly, so that a search does not turn NaN: by what stands
  after "and then". Their interval stays NaN.
- **Declined** rows, whose answer is no class, are left out with `on="answered"`. With `on="all"`
  they count in $N$ and in the row sum of their class, and in no column of a class: $TP + FN$ is
  then to be read as $r_1$, $TN + FP$ as $r_0$, and a single $FN$ in F and Jaccard as $r_1 - TP$.
  Costs have a price for them; metrics of distances refuse them.

[wilson]: <https://doi.org/10.1080/01621459.1927.10502953>
[mercaldo]: <https://doi.org/10.1002/sim.2677>

"""
SCORES = """## Metrics of scores

These need more than one table. They live on {class}`~skmetrics_ext.counts.ScoreCounts`, or are
functions of probabilities.

"""
WHERE = {
    "zero_division": "0.0 with a warning, or what `zero_division` says",
    "replace": "NaN with a warning, or what `replace_undefined_by` says",
    "zero": "0.0, without a warning",
    "zero_warned": "0.0, with a warning",
    "nan_warned": "NaN, with a warning",
}
LETTERS = {
    "balanced_accuracy": "$K_+$ is the number of classes that have rows.",
    "cost_savings": "$c_{it}$ is the cost of answering $i$ when the truth is $t$.",
    "expected_cost": "$c_{pt}$ is the cost of answering $p$ when the truth is $t$.",
    "weighted_kappa": "$w_{tp}$ is $(t - p)^2$ (quadratic), $|t - p|$ (linear), 1 for every"
    " $t \\neq p$ (`weights=None`: the plain kappa of Cohen 1960), or a matrix of one's own.",
}


def in_upright_letters(formula):
    """TP is a name, and no product of T and P."""
    return re.sub(r"\b(TP|FP|FN|TN)\b", r"\\mathrm{\1}", formula)


def range_in_words(name, metric):
    if callable(metric.range):
        return RANGES[name]
    low, high = ("infinity" if abs(end) == float("inf") else f"{end:g}" for end in metric.range)
    return f"{'minus ' if metric.range[0] == -float('inf') else ''}{low} to {high}"


def interval_in_words(name, metric):
    if metric.is_proportion:
        logit = "; on the logit scale at a stated prevalence" if metric.predictive else ""
        return f"Wilson's, of a count over a count{logit}"
    if metric.through is not None:
        rest = " (beta = 1; else smoothed delta and Wilson's form)" if name == "fbeta" else ""
        return f"Wilson's on `{metric.through[0]}`, carried over{rest}"
    if not callable(metric.range) and float("inf") in map(abs, metric.range):
        return "hull of smoothed delta, on the logarithm, and the score interval of a rate"
    return "hull of smoothed delta, on the logit scale, and Wilson's form"


def order_in_words(name, metric):
    if not metric.ordinal:
        return "does not matter"
    return "matters, but for `weights=None`" if name == "weighted_kappa" else "matters"


def function_in_words(name):
    by_name = f'{{func}}`get_metric_scorer("{name}") <skmetrics_ext.metrics.get_metric_scorer>`'
    if name not in FUNCTIONS:
        return by_name
    return f"{{func}}`~{FUNCTIONS[name]}`, {by_name}"


def source_in_words(source):
    text, link = source
    return text if link is None else f"[{text}](<{link}>)"


def table_of(facts):
    lines = ["| | |", "|---|---|", *(f"| {key} | {value} |" for key, value in facts.items())]
    return "\n".join([*lines, ""])


def section(name):
    metric = get_metric(name)
    facts = {
        "range": range_in_words(name, metric),
        "better": "higher" if metric.greater_is_better else "lower",
        "interval": interval_in_words(name, metric),
        "averages": ", ".join(map(repr, metric.averages)) or "none",
        "parameters": ", ".join(f"`{k}={v!r}`" for k, v in metric.defaults.items()) or "none",
        "order of the classes": order_in_words(name, metric),
        "undefined": UNDEFINED.get(name, "without rows only"),
        "and then": WHERE[metric.undefined],
        "computed by": function_in_words(name),
    }
    if name == "balanced_accuracy":
        del facts["and then"]
    if name in SOURCES:
        facts["source"] = source_in_words(SOURCES[name])
    said = " ".join(inspect.getdoc(metric.formula).split())
    lines = [f"## {name}", "", said, "", "$$", in_upright_letters(FORMULAS[name]), "$$", ""]
    if name in LETTERS:
        lines += [LETTERS[name], ""]
    return "\n".join([*lines, table_of(facts)])


def section_of_scores(title, computed_by, formula, letters, range_, interval, source):
    role, target = computed_by
    facts = {
        "range": range_,
        "interval": interval,
        "computed by": f"{{{role}}}`~{target}`",
        "source": source_in_words(source),
    }
    lines = [f"### {title}", "", "$$", in_upright_letters(formula), "$$", "", letters, ""]
    return "\n".join([*lines, table_of(facts)])


def page():
    """The whole page; a metric without a formula is a KeyError, so that none is forgotten."""
    parts = [in_upright_letters(HEAD) + "\n".join(map(section, metric_names())), SCORES]
    return "\n".join(parts) + "\n".join(section_of_scores(*each) for each in OF_SCORES)


def write_page(app, config):
    text = page()
    path = Path(app.srcdir) / "formulas.md"
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def setup(app):
    app.connect("config-inited", write_page)
    return {"parallel_read_safe": True}
