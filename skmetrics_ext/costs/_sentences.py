"""A cost matrix in words: what each mistake costs, the dear ones first."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

__all__ = ["amount", "answer_names", "class_names", "costs_verb", "html_table", "sentences"]

_MOST_SENTENCES = 12


def amount(value: float) -> str:
    """A cost as a person writes it: 100, 0.25, 1234567."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.6g}"


def costs_verb(value: float) -> str:
    """'costs 5', or 'gains 5' where the cost is negative."""
    return f"gains {amount(-value)}" if value < 0 else f"costs {amount(value)}"


def class_names(labels: np.ndarray | None, pos_label: Any, n_classes: int) -> list[str]:
    """How the classes are called in a sentence, also where not all have names yet."""
    if labels is not None:
        return [repr(label) for label in labels.tolist()]
    if pos_label is not None:
        return ["the other class", repr(pos_label)]
    return [f"class [{k}]" for k in range(n_classes)]


def answer_names(names: list[str], extras: tuple[Any, ...]) -> list[str]:
    """The classes' names, then those of the other actions."""
    return [*names, *[repr(extra) for extra in extras]]


def sentences(costs: np.ndarray, names: list[str], extras: tuple[Any, ...]) -> list[str]:
    """One sentence for each thing to know; equal costs are said once."""
    n_classes = costs.shape[1]
    lines = []
    mistakes = [(i, j) for i in range(n_classes) for j in range(n_classes) if i != j]
    if mistakes:
        lines += _mistakes(costs, names, mistakes)
    right = np.diagonal(costs)
    if np.ptp(right) == 0:
        lines.append(f"a right answer {costs_verb(right[0])}")
    else:
        lines += [_sentence(costs, names, k, k) for k in range(n_classes)]
    for row, extra in zip(costs[n_classes:], extras, strict=True):
        if np.ptp(row) == 0:
            lines.append(f"answering {extra!r} {costs_verb(row[0])}, whatever the truth")
        else:
            lines += [
                f"answering {extra!r} when the truth is {name} {costs_verb(cost)}"
                for name, cost in zip(names, row, strict=True)
            ]
    return lines


def _sentence(costs: np.ndarray, names: list[str], i: int, j: int) -> str:
    return f"predicting {names[i]} when the truth is {names[j]} {costs_verb(costs[i, j])}"


def _mistakes(costs: np.ndarray, names: list[str], mistakes: list[tuple[int, int]]) -> list[str]:
    values = np.array([costs[i, j] for i, j in mistakes])
    if np.ptp(values) == 0:
        return [f"every mistake {costs_verb(values[0])}"]
    order = np.argsort(-values, kind="stable")
    shown, rest = order[:_MOST_SENTENCES], order[_MOST_SENTENCES:]
    lines = [_sentence(costs, names, *mistakes[k]) for k in shown]
    if len(rest):
        low, high = values[rest].min(), values[rest].max()
        lines.append(
            f"the other {len(rest)} mistakes cost from {amount(low)} to {amount(high)} each"
        )
    return lines


def html_table(costs: np.ndarray, names: list[str], answers: list[str], lines: list[str]) -> str:
    """The table with its sentences, every label escaped."""
    head = "".join(f"<th>truth {escape(name)}</th>" for name in names)
    body = "".join(
        f"<tr><th>answer {escape(answer)}</th>"
        + "".join(f"<td>{escape(amount(cost))}</td>" for cost in row)
        + "</tr>"
        for answer, row in zip(answers, costs, strict=True)
    )
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return (
        "<table><caption>Cost of each answer, by the truth</caption>"
        f"<thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table><ul>{items}</ul>"
    )
