"""An ordinal report as text and as HTML, and what to keep in mind when reading it."""

from __future__ import annotations

from html import escape
from math import isnan
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np

from skmetrics_ext.counts import Estimate

if TYPE_CHECKING:
    from skmetrics_ext.metrics._ordinal_report import OrdinalReport

__all__ = ["caveats_of", "html_of", "text_of"]

_TITLES = {
    "kappa_quadratic": "kappa, quadratic weights",
    "kappa_linear": "kappa, linear weights",
    "kappa_uniform": "kappa at uniform priors",
    "one_off_accuracy": "one-off accuracy",
    "accuracy": "accuracy",
    "mean_absolute_error": "MAE",
    "macro_mean_absolute_error": "MAE, macro",
    "max_mean_absolute_error": "MAE, worst class",
}


def caveats_of(report: OrdinalReport, near: tuple[Any, float]) -> tuple[str, ...]:
    """What the numbers do not tell by themselves, a sentence each.

    ``near`` is the constant answer of highest one-off accuracy, and what it gets.
    """
    labels, in_truth = report.counts.labels.tolist(), report.counts.n.sum(1)
    present = np.flatnonzero(report.counts.w.sum(1) > 0)
    absent = [k for k in range(len(labels)) if k not in present]
    answered = [labels[k] for k in absent if report.counts.n[:, k].any()]
    found = [
        "MAE is in classes, lower is better, and takes all steps between neighbours as equally "
        "long; of all else higher is better.",
        "Kappa falls as one class takes over, though nothing about the errors changes: across "
        "populations compare it at uniform priors (here with quadratic weights)"
        + (", which are those of the classes that have rows." if absent else "."),
        "One-off accuracy counts a miss by one as right, so that always answering "
        f"{near[0]!r} gets {near[1]:.3f}.",
        "The constant answers are chosen on these very rows, so that they are a little better "
        "than they would be on others.",
    ]
    if len(present) > 1:
        rarest = int(present[np.argmin(in_truth[present])])
        rows = "1 row" if in_truth[rarest] == 1 else f"{in_truth[rarest]} rows"
        found.append(
            f"Macro and worst-class MAE rest on the rarest class, {labels[rarest]!r} with {rows}, "
            "as much as on any other."
        )
    else:
        found.append(
            f"All rows are {labels[int(present[0])]!r} in truth, so that kappa is 0 or "
            "undefined (NaN)."
        )
    if answered:
        found.append(f"Macro and worst-class MAE leave out {answered}, answered but never true.")
    if report.confidence_level is not None:
        together = "clusters" if report.counts.clusters is not None else "rows"
        found.append(
            f"Intervals take {together} as independent: pooled answers of a cross-validation, "
            "whose folds share training rows, are not quite, and the interval of the worst class "
            "can be too narrow."
        )
    return tuple(found)


def text_of(report: OrdinalReport) -> str:
    """A line for each measure, then the caveats."""
    table = _table(report)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = [_head(report), ""]
    for line in table:
        cells = [f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)]
        lines.append("  ".join(cells).rstrip())
    lines.append("")
    for caveat in report.caveats:
        lines += wrap(f"- {caveat}", 98, subsequent_indent="  ")
    return "\n".join(lines)


def html_of(report: OrdinalReport) -> str:
    """The same as HTML, every text escaped."""
    head, *body = [[escape(cell) for cell in line] for line in _table(report)]
    header = "".join(f"<th>{cell}</th>" for cell in head)
    lines = "".join(
        f"<tr><th>{line[0]}</th>" + "".join(f"<td>{cell}</td>" for cell in line[1:]) + "</tr>"
        for line in body
    )
    caveats = "".join(f"<li>{escape(caveat)}</li>" for caveat in report.caveats)
    return (
        f"<p>{escape(_head(report))}</p><table><thead><tr>{header}</tr></thead>"
        f"<tbody>{lines}</tbody></table><ul>{caveats}</ul>"
    )


def _head(report: OrdinalReport) -> str:
    labels = report.counts.labels.tolist()
    rows = int(report.counts.n.sum())
    classes = "1 class" if len(labels) == 1 else f"{len(labels)} classes"
    return (
        f"Ordered classes: {rows} {'row' if rows == 1 else 'rows'}, {classes} from "
        f"{labels[0]!r} to {labels[-1]!r}"
    )


def _table(report: OrdinalReport) -> list[list[str]]:
    level = report.confidence_level
    interval = "" if level is None else f" [{100 * level:g} %]"
    constants = [
        (f"always {report.constant_label!r} (least MAE)", report.constant),
        (f"always {report.majority_label!r} (most common)", report.majority),
    ]
    if report.constant_label == report.majority_label:
        title = f"always {report.constant_label!r} (least MAE, most common)"
        constants = [(title, report.constant)]
    table = [["", f"these answers{interval}", "counts", *(title for title, _ in constants)]]
    others = [dict(measures) for _, measures in constants]
    for name, estimate in report:
        counts = "" if estimate.numerator is None else estimate.counts
        values = [_number(measures[name].value) for measures in others]
        table.append([_TITLES[name], _with_limits(estimate), counts, *values])
    return table


def _with_limits(estimate: Estimate) -> str:
    if estimate.low is None or isnan(estimate.low):
        return _number(estimate.value)
    return f"{_number(estimate.value)} {estimate.limits}"


def _number(value: float) -> str:
    # A kappa that is 0 but for rounding may come out as -0.000.
    return "NaN" if isnan(value) else f"{round(value, 3) + 0.0:.3f}"
