"""How well scores rank, and how right they are as probabilities."""

from __future__ import annotations

from skmetrics_ext.report._blocks import Block, Cell, Grid, Picture, Section, Text
from skmetrics_ext.report._calls import Call, Name, Number
from skmetrics_ext.report._evidence import Evidence

__all__ = ["calibration_section", "ranking_section"]

_BINS = 10


def ranking_section(evidence: Evidence) -> Section:
    """Areas and losses, each beside what scores that know nothing get."""
    names = evidence.namespace()
    scores = evidence.required_scores
    level = {"confidence_level": evidence.confidence_level}
    rows: list[tuple[Cell, ...]] = []
    for name, method in (
        ("area under the ROC curve", "roc_auc"),
        ("average precision", "average_precision"),
    ):
        call = Call("scores", method, (), level)
        answer = call.run(names)
        baseline = "" if answer.baseline is None else f"{answer.baseline:.3f}"
        rows.append((name, Number.of(name, call, names), baseline))
    if evidence.are_probabilities and scores.bins is None:
        call = Call("scores", "brier_score", (), level)
        score = call.run(names)
        rows.append(
            ("Brier score", Number.of("Brier score", call, names), f"{score.uncertainty:.3f}")
        )
        loss = Number.of("log loss", Call(None, "log_loss", (Name("scores"),)), names)
        known = Call(None, "entropy", (Name("scores"),))
        rows.append(("log loss", loss, Number.of("log loss, knowing nothing", known, names)))
    blocks: list[Block] = [
        Grid(
            ("measure", "these scores", "knowing nothing"),
            tuple(rows),
            "Knowing nothing: 0.5; the share of positives; always stating that share.",
        )
    ]
    if scores.bins is not None:
        said = f"{scores.bins} equal bins" if isinstance(scores.bins, int) else "bins"
        blocks.append(
            Text(
                f"Scores were counted in {said}. {scores.roc_auc(confidence_level=None)}. The "
                "calibration in finer steps and the log loss cannot be told."
            )
        )
    return Section("The scores as a ranking", tuple(blocks))


def calibration_section(evidence: Evidence, picture: Picture) -> Section:
    """What was promised and what happened, in bins of the score."""
    scores = evidence.required_scores
    names = evidence.namespace()
    number = Number.of("mean score", Call(None, "mean_score", (Name("scores"),)), names)
    table = scores.calibration_table(_BINS, confidence_level=evidence.confidence_level)
    rows = tuple(
        (
            f"{lower:.1f} to {upper:.1f}",
            f"{weight:,.0f}",
            f"{mean:.3f}",
            f"{share:.3f} [{low:.3f}, {high:.3f}]",
        )
        for lower, upper, weight, mean, share, low, high in zip(
            table.lower,
            table.upper,
            table.weight,
            table.mean_score,
            table.share,
            table.low,
            table.high,
            strict=True,
        )
    )
    head = ("score", "rows", "promised, on average", f"share of {evidence.pos_label!r}")
    overall = Grid(("", "mean"), (("score", number),))
    return Section(
        "The scores as probabilities",
        (overall, Grid(head, rows, f"scores.calibration_table({_BINS})"), picture),
    )
