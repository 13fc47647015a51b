"""The sections of a report on classes, in the order in which they are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import isnan
from typing import Any

from skmetrics_ext.counts import ConfusionCounts, ScoreCounts
from skmetrics_ext.report._blocks import Block, Cell, Grid, Lines, Picture, Section, Text
from skmetrics_ext.report._calls import Call, Name, Number, counted, name_of, value_text
from skmetrics_ext.report._evidence import Evidence, nearest_cut
from skmetrics_ext.report._pictures import (
    draw_calibration,
    draw_confusion,
    draw_rates,
    draw_thresholds,
)
from skmetrics_ext.report._rates import ordered_section, rates_section
from skmetrics_ext.report._scores import calibration_section, ranking_section
from skmetrics_ext.report._words import warnings_of

__all__ = ["sections_of"]

_LONGEST_TABLE = 20
_LEADS = {
    "nobody": "Assumed, since none were declared:",
    "caller": "As declared, per row:",
    "estimator": "As the estimator was told, per row:",
}


def sections_of(evidence: Evidence) -> tuple[Section, ...]:
    """Everything that this evidence can say."""
    found: list[Section] = [Section("Read this first", (Lines(warnings_of(evidence)),))]
    found.append(_data(evidence))
    if evidence.cost_matrix is not None:
        found.append(_costs(evidence))
    if evidence.counts is not None:
        found.append(_happened(evidence))
        if evidence.cost_matrix is not None:
            found.append(_decisions(evidence))
        if evidence.ordered:
            found.append(ordered_section(evidence))
        found.append(rates_section(evidence, Picture("The rates", partial(draw_rates, evidence))))
    if evidence.all_scores is not None:
        found.append(ranking_section(evidence))
    groups = tuple(_groups(evidence))
    if groups:
        found.append(Section("Subgroups", groups))
    if evidence.are_probabilities and evidence.required_scores.bins is None:
        found.append(
            calibration_section(
                evidence, Picture("Calibration", partial(draw_calibration, evidence))
            )
        )
    if evidence.worst is not None:
        found.append(_worst(evidence))
    return tuple(section for section in found if section.blocks != (Lines(()),))


# ---------------------------------------------------------------------------------------------


def _data(evidence: Evidence) -> Section:
    names = evidence.namespace()
    blocks: list[Block] = []
    pieces = [p for p in (evidence.total, evidence.all_scores) if p is not None]
    sizes = [_n_rows(piece) for piece in pieces]
    text = f"{counted(sizes[0], 'row')} of {counted(len(evidence.labels), 'class', 'classes')}"
    if evidence.pos_label is not None and len(evidence.labels) == 2:
        text += f"; {evidence.pos_label!r} is the positive one"
    dropped = max(piece.dropped for piece in pieces)
    if dropped:
        were = "was" if dropped == 1 else "were"
        text += f"; {counted(dropped, 'row')} with missing values {were} left out"
    text += "."
    if sizes[0] != sizes[-1]:
        text += (
            f" The ranking is about {counted(sizes[-1], 'row')}: answers and scores are missing in "
            "different ones."
        )
    if evidence.weighted:
        text += " Rows are weighted: counts below are sums of weights."
    blocks.append(Text(text))
    if evidence.total is not None:
        level = {"confidence_level": evidence.confidence_level}
        grid: list[tuple[Cell, ...]] = []
        for label in evidence.labels:
            always = Call("counts", "constant", (label,))
            call = Call(always, "estimate", ("accuracy",), level)
            grid.append((repr(label), Number.of(f"share of {label!r}", call, names)))
        blocks.append(Grid(("class", "share of the rows"), tuple(grid)))
    return Section("The data", tuple(blocks))


def _costs(evidence: Evidence) -> Section:
    said = tuple(str(evidence.cost_matrix).splitlines())
    lead = _LEADS[evidence.costs_from]
    return Section("What mistakes cost", (Text(lead), Lines(said)))


def _happened(evidence: Evidence) -> Section:
    counts = evidence.required_counts
    answers = [name_of(a) for a in counts.actions.tolist()]
    rows: list[tuple[Cell, ...]] = []
    for label, w in zip(evidence.labels, counts.w.tolist(), strict=True):
        whole = sum(w)
        cells = [f"{_amount(v)} ({100 * v / whole:.1f} %)" if whole else "0" for v in w]
        rows.append((name_of(label), *cells))
    note = f"Truth down, answer across; decided by {evidence.decided_by}."
    blocks: list[Block] = []
    if max(len(rows), len(answers)) <= _LONGEST_TABLE:
        blocks.append(Grid(("truth", *answers), tuple(rows), note))
    else:
        blocks.append(Text(f"{len(rows)} classes: the table is in the receipt. {note}"))
    blocks.append(Picture("What happened", partial(draw_confusion, evidence)))
    return Section("What happened", tuple(blocks))


def _decisions(evidence: Evidence) -> Section:
    names = evidence.namespace()
    costs = Name("cost_matrix")
    params = {"cost_matrix": costs, "confidence_level": evidence.confidence_level}

    def paid(label: str, on: str | Call) -> tuple[Cell, ...]:
        return (label, Number.of(label, Call(on, "estimate", ("expected_cost",), params), names))

    rows = [paid(f"today ({evidence.decided_by})", "counts")]
    blocks: list[Block] = []
    if evidence.are_probabilities and not isnan(evidence.threshold):
        cut = nearest_cut(evidence.required_scores, evidence.threshold)
        at = Call("scores", "at_threshold", (cut,))
        said = f"at the threshold of the costs, {evidence.threshold:.3g}"
        if cut != evidence.threshold:
            said += f" (between bins: {cut:.3g})"
        rows.append(paid(said, at))
    if evidence.cross_fitted is not None:
        cuts = [_cut_text(f(evidence.fold_thresholds)) for f in (min, max)]
        folds = len(evidence.fold_thresholds)
        said = " to ".join(dict.fromkeys(cuts))
        rows.append(
            paid(f"at the best threshold (cross-fitted over {folds} folds: {said})", "cross_fitted")
        )
    elif evidence.are_probabilities and not isnan(evidence.threshold):
        best = evidence.required_scores.best_cost(evidence.cost_matrix)
        label = f"at the best threshold, {_cut_text(best.threshold)} (in-sample, optimistic)"
        rows.append(paid(label, Call("scores", "at_threshold", (float(best.threshold),))))
        if best.binning_error:
            blocks.append(
                Text(
                    f"Scores were counted in bins: the best threshold among the scores themselves "
                    f"costs at most {value_text(best.binning_error)} less."
                )
            )
    label, call = _cheapest_constant(evidence)
    rows.append(paid(f"always {label!r}, the cheapest constant answer", call))
    grid = Grid(("decisions", "cost per row"), tuple(rows), "In the currency of the costs.")
    blocks.insert(0, grid)
    if evidence.are_probabilities and not isnan(evidence.threshold):
        blocks.append(Picture("Cost at every threshold", partial(draw_thresholds, evidence)))
    return Section("What the decisions cost", tuple(blocks))


def _cheapest_constant(evidence: Evidence) -> tuple[Any, Call]:
    assert evidence.total is not None
    assert evidence.cost_matrix is not None
    # Also answers that are no class: to refer everybody can be the cheapest.
    costs = evidence.cost_matrix
    assert costs.actions is not None
    by_answer = costs.to_array() @ evidence.total.w.sum(axis=1)
    answer = costs.actions.tolist()[int(by_answer.argmin())]
    return answer, Call("counts", "constant", (answer,))


def _cut_text(threshold: float) -> str:
    """A threshold of the rule ``score >= threshold``, also where nobody reaches it."""
    return "above all scores" if threshold == float("inf") else f"{threshold:.3g}"


def _groups(evidence: Evidence) -> Iterator[Grid]:
    level: dict[str, Any] = {"confidence_level": evidence.confidence_level}
    if evidence.counts is not None and evidence.counts.groups is not None:
        asked = [
            (name, "by_group", "estimate", (metric,), params)
            for name, metric, params in _asked_of_groups(evidence)
        ]
        yield _group_grid(evidence, evidence.counts.groups, asked)
    if evidence.scores is not None and evidence.scores.groups is not None:
        area = ("area under the ROC curve", "scores_by_group", "roc_auc", (), level)
        yield _group_grid(evidence, evidence.scores.groups, [area])


def _group_grid(evidence: Evidence, groups: Sequence[Any], asked: Sequence[Any]) -> Grid:
    names = evidence.namespace()
    rows: list[tuple[Cell, ...]] = []
    for group in groups[:_LONGEST_TABLE]:
        cells = []
        for name, piece, method, args, params in asked:
            call = Call(Call(piece, "__getitem__", (group,)), method, args, params)
            cells.append(Number.of(f"{name} in {group!r}", call, names))
        rows.append((name_of(group), *cells))
    note = ""
    if len(groups) > _LONGEST_TABLE:
        note = f"The first {_LONGEST_TABLE} of {len(groups)} subgroups."
    return Grid(("subgroup", *(name for name, *_ in asked)), tuple(rows), note)


def _asked_of_groups(evidence: Evidence) -> Iterator[tuple[str, str, dict[str, Any]]]:
    level: dict[str, Any] = {"confidence_level": evidence.confidence_level}
    on = _declined(evidence)
    yield "accuracy", "accuracy", level | on
    on = on | {"zero_division": Name("nan")}
    if evidence.pos_label is not None:
        positive = {"pos_label": evidence.pos_label}
        yield f"recall of {evidence.pos_label!r}", "recall", level | on | positive
        yield f"precision of {evidence.pos_label!r}", "precision", level | on | positive
    if evidence.ordered:
        yield "quadratic kappa", "weighted_kappa", level | {"weights": "quadratic"}
    if evidence.cost_matrix is not None:
        yield "cost per row", "expected_cost", level | {"cost_matrix": Name("cost_matrix")}


def _declined(evidence: Evidence) -> dict[str, Any]:
    counts = evidence.total
    several = counts is not None and len(counts.actions) > len(counts.labels)
    return {"on": "all"} if several else {}


def _worst(evidence: Evidence) -> Section:
    worst = evidence.worst
    assert worst is not None
    blocks: list[Block] = [
        Text(
            f"{worst.n_errors} of {worst.n_samples} rows have another most probable class than "
            "the true one; those that the scores were most sure of, by their position (from 0):"
        )
    ]
    columns = worst.columns()
    rows = tuple(
        (str(position), name_of(true), name_of(said), f"{p:.3f}", f"{q:.3f}")
        for position, true, said, p, q in zip(
            *(column.tolist() for column in columns.values()), strict=True
        )
    )
    if rows:
        head = ("row", "truth", "most probable", "its probability", "that of the truth")
        blocks.append(Grid(head, rows))
    return Section("The mistakes to open first", tuple(blocks))


def _n_rows(piece: ConfusionCounts | ScoreCounts) -> int:
    if isinstance(piece, ConfusionCounts):
        return int(piece.n.sum())
    return int(piece.rankings[0].n.sum())


def _amount(weight: float) -> str:
    return f"{weight:,.0f}" if float(weight).is_integer() else f"{weight:,.4g}"
