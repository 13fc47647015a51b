"""A comparison of levers as text and as HTML."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from math import floor, isnan, log10
from textwrap import wrap
from typing import TYPE_CHECKING

from skmetrics_ext.counts import Estimate

if TYPE_CHECKING:
    from skmetrics_ext.imbalance._compare_result import LeverComparison, LeverRow

__all__ = ["html_of", "text_of", "verdict"]


def text_of(comparison: LeverComparison) -> str:
    """Two tables of one line per lever, and what they come to."""
    decided, ranked = _tables(comparison)
    return "\n".join(
        [
            *_head(comparison),
            "",
            *_aligned(decided),
            "",
            *_aligned(ranked),
            "",
            *_wrapped([*_notes(comparison), verdict(comparison)]),
        ]
    )


def html_of(comparison: LeverComparison) -> str:
    """The same as HTML, every text escaped."""
    parts = [f"<p>{escape(line)}</p>" for line in _head(comparison)]
    for table in _tables(comparison):
        head, *body = [[escape(cell) for cell in line] for line in table]
        header = "".join(f"<th>{cell}</th>" for cell in head)
        lines = "".join(
            f"<tr><th>{line[0]}</th>" + "".join(f"<td>{cell}</td>" for cell in line[1:]) + "</tr>"
            for line in body
        )
        parts.append(f"<table><thead><tr>{header}</tr></thead><tbody>{lines}</tbody></table>")
    parts += [f"<p>{escape(note)}</p>" for note in _notes(comparison)]
    parts.append(f"<p><strong>{escape(verdict(comparison))}</strong></p>")
    return "".join(parts)


def verdict(comparison: LeverComparison) -> str:
    """Which lever costs least, and which are too close to call."""
    best, close = comparison.best(), comparison.too_close_to_call()
    money = _Money.of(comparison)
    text = f"Least cost: {best.name!r}, {money(best.cost.value)} per row{money.unit}."
    level = f"{100 * comparison.confidence_level:g} %"
    if not close:
        return f"{text} Every other lever costs more (at {level}, judged one by one)."
    if len(close) == len(comparison.rows) - 1:
        return f"{text} All others are too close to call (at {level}, judged one by one)."
    listed = ", ".join(repr(row.name) for row in close)
    return f"{text} Too close to call (at {level}, judged one by one): {listed}."


def _head(comparison: LeverComparison) -> list[str]:
    share = comparison.rows[0].mean_probability.prevalence
    lines = [
        f"Levers compared by cross-validation: {comparison.n_folds} folds, {comparison.n_rows} "
        f"held-out rows,",
        f"{comparison.n_positives} of them {comparison.pos_label!r} (share {share:.3g}).",
    ]
    if not isnan(comparison.threshold):
        lines[1] += (
            f" By cost: answer {comparison.pos_label!r} from a probability of "
            f"{comparison.threshold:.3g} on."
        )
    return lines


def _notes(comparison: LeverComparison) -> list[str]:
    level = f"{100 * comparison.confidence_level:g} %"
    notes = [
        f"All numbers are cross-validated. [{level} intervals] are of the held-out rows, as if one "
        "model had answered them all; the difference to 'plain, by cost' is a mean over "
        "folds, corrected for the training rows they share (Nadeau and Bengio).",
    ]
    if any(row.counts_twice for row in comparison.rows):
        notes.append(
            "Costs twice: the model leans towards the rare class already, and its probabilities "
            "are decided on by cost without a correction. Shown as a warning."
        )
    notes += [f"Left out: {name}. {reason}" for name, reason in comparison.left_out.items()]
    return notes


def _tables(comparison: LeverComparison) -> tuple[list[list[str]], list[list[str]]]:
    money = _Money.of(comparison)
    decided = [
        ["lever", f"cost per row{money.unit}", "against plain, by cost", "recall", "precision"]
    ]
    ranked = [["lever", "average precision", "ROC AUC", "Brier", "log loss", "mean prob."]]
    for row in comparison.rows:
        recall, precision = row.recall, row.precision
        decided.append(
            [row.name, _with_limits(row.cost, money), _difference(row, money)]
            + [_counted(rate) for rate in (recall, precision)]
        )
        ranked.append(
            [row.name]
            + [_with_limits(e, "{:.3f}".format) for e in (row.average_precision, row.roc_auc)]
            + [f"{row.brier_score.value:.4f}", f"{row.log_loss.value:.4f}"]
            + [f"{row.mean_probability.value:.3f}"]
        )
    ranked.append(["(share of positives)", "", "", "", ""])
    ranked[-1].append(f"{comparison.rows[0].mean_probability.prevalence:.3f}")
    return decided, ranked


@dataclass(frozen=True)
class _Money:
    """How costs are printed: in units of ``scale``, with as many decimals as there is room for."""

    scale: float
    decimals: int

    @classmethod
    def of(cls, comparison: LeverComparison) -> _Money:
        largest = max(abs(row.cost.value) for row in comparison.rows)
        scale = 1.0
        if largest > 0 and not 0.01 <= largest < 1e5:
            scale = 10.0 ** (3 * floor(log10(largest) / 3))
        whole = len(str(int(largest / scale)))
        return cls(scale, max(4 - whole, 0))

    @property
    def unit(self) -> str:
        return "" if self.scale == 1 else f", in {self.scale:g}"

    def __call__(self, value: float) -> str:
        return f"{value / self.scale:.{self.decimals}f}"


def _with_limits(estimate: Estimate, number: Callable[[float], str]) -> str:
    if isnan(estimate.value):
        return "-"
    if estimate.low is None or estimate.high is None or isnan(estimate.low):
        return number(estimate.value)
    return f"{number(estimate.value)} [{number(estimate.low)}, {number(estimate.high)}]"


def _difference(row: LeverRow, money: Callable[[float], str]) -> str:
    found = row.difference
    if found is None:
        return ""
    if isnan(found.low):
        return _signed(found.difference, money)
    value, low, high = (_signed(v, money) for v in (found.difference, found.low, found.high))
    return f"{value} [{low}, {high}]"


def _signed(value: float, money: Callable[[float], str]) -> str:
    text = money(value)
    return text if text.startswith("-") else f"+{text}"


def _counted(rate: Estimate) -> str:
    """A rate with its counts, where they are whole."""
    if isnan(rate.value):
        return "-"
    counts = rate.counts.split(" ")[0]
    return f"{rate.value:.2f} {counts}" if len(counts) <= 9 else f"{rate.value:.3f}"


def _aligned(table: list[list[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = []
    for line in table:
        cells = [f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)]
        lines.append("  ".join(cells).rstrip())
    return lines


def _wrapped(paragraphs: list[str]) -> list[str]:
    # A number and its per cent sign stay on one line.
    whole = [paragraph.replace(" %", "\N{NO-BREAK SPACE}%") for paragraph in paragraphs]
    lines = [line for paragraph in whole for line in wrap(paragraph, 98)]
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]
