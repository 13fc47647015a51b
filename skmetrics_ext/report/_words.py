"""Warnings in plain words: what a reader of these numbers should know, and often does not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from skmetrics_ext.counts import ScoreCounts
from skmetrics_ext.report._calls import counted
from skmetrics_ext.report._evidence import Evidence, mean_score_of

__all__ = ["warnings_of"]

_FEW_POSITIVES = 20
_SMALL_GROUP = 30
_MOSTLY = 0.75


def warnings_of(evidence: Evidence) -> tuple[str, ...]:
    """The sentences, the gravest first."""
    return (
        *_about_the_rows(evidence),
        *_about_costs(evidence),
        *_about_decisions(evidence),
        *_about_scores(evidence),
        *_about_groups(evidence),
    )


def _about_the_rows(evidence: Evidence) -> Iterator[str]:
    sizes = list(zip(_class_rows(evidence), evidence.labels, strict=True))
    unseen = [repr(label) for n, label in sizes if n == 0]
    seen = [(n, label) for n, label in sizes if n > 0]
    if len(seen) == 1:
        yield f"All rows are {seen[0][1]!r}: nothing can be said about finding any other class."
        return
    dropped = _dropped(evidence)
    if dropped:
        were = "was" if dropped == 1 else "were"
        yield (
            f"{counted(dropped, 'row')} with missing values {were} left out; the numbers are about "
            "the others."
        )
    if unseen:
        yield f"No row is {' or '.join(unseen[:10])}: nothing can be said about finding that class."
    fewest, rare = min(seen, key=lambda one: one[0])
    if fewest < _FEW_POSITIVES:
        yield (
            f"Only {counted(fewest, 'row is', 'rows are')} {rare!r}: everything about finding that "
            "class is uncertain, and intervals are at their limits (with 6 positives that of the "
            "area under the ROC curve covers about 90 % instead of 95 %)."
        )
    yield from _about_clusters(evidence)


def _about_clusters(evidence: Evidence) -> Iterator[str]:
    counts = evidence.counts
    if counts is None:
        yield (
            "Intervals of a ranking take rows as independent: they are too narrow where several "
            "rows belong to one person or one machine."
        )
    elif counts.clusters is None:
        yield (
            "Intervals take rows as independent. If several rows belong to one person or one "
            "machine, name it as the cluster."
        )
    elif evidence.scores is not None:
        yield (
            "Scores are counted without the clusters: the intervals of the ranking, of the "
            "calibration and of the cost at fixed thresholds take rows as independent, and are "
            "too narrow."
        )


def _about_costs(evidence: Evidence) -> Iterator[str]:
    if evidence.costs_from == "rows":
        yield (
            "The costs of the estimator differ by row, and this report says nothing of them: see "
            "metrics.expected_cost_loss and inspection.cost_breakdown, or name costs that are the "
            "same for all rows."
        )
    if evidence.cost_matrix is None:
        counts = evidence.counts
        declined = counts is not None and len(counts.actions) > len(evidence.labels)
        if evidence.costs_from == "nobody" and declined:
            yield "No costs were declared, and an answer that is no class has none to assume."
        return
    if evidence.costs_from == "nobody":
        yield (
            "No costs were declared: every mistake is taken to cost the same, which is seldom "
            "true. Name them, and this report says which threshold is the cheapest."
        )
    for finding in evidence.cost_matrix.dominated():
        yield f"Costs: {finding}"


def _about_decisions(evidence: Evidence) -> Iterator[str]:
    counts = evidence.total
    if counts is None:
        return
    rows = counts.w.sum(axis=1)
    share = rows / rows.sum()
    most = int(share.argmax())
    label = evidence.labels[most]
    if _MOSTLY <= share[most] < 1:
        accuracy = counts.estimate("accuracy", confidence_level=None, on="all").value
        yield (
            f"Accuracy misleads here: always answering {label!r} is right in "
            f"{_percent(share[most])} of the rows; these answers are in {_percent(accuracy)}."
        )
    if len(evidence.labels) == 2 and evidence.pos_label is not None:
        prevalence = float(share[list(evidence.labels).index(evidence.pos_label)])
        said = counts.estimate(
            "predicted_positive_rate",
            pos_label=evidence.pos_label,
            confidence_level=None,
            on="all",
        )
        if said.value > 0 and 0 < prevalence < 1:
            elsewhere = prevalence / 10
            options = {"pos_label": evidence.pos_label, "confidence_level": None, "on": "all"}
            here = counts.estimate("precision", **options).value
            there = counts.estimate("precision", prevalence=elsewhere, **options).value
            yield (
                f"Precision is {_percent(here)} where {_percent(prevalence)} are "
                f"{evidence.pos_label!r}; where {_percent(elsewhere)} are, the same answers would "
                f"have a precision of {_percent(there)}."
            )
    if evidence.ordered:
        yield (
            "Kappa depends on how frequent the classes are: compare it within one population, "
            "not across populations."
        )


def _about_scores(evidence: Evidence) -> Iterator[str]:
    scores = evidence.all_scores
    if scores is None or min(_class_rows(evidence)) == 0:
        return
    auc = scores.roc_auc(confidence_level=None)
    if auc.value < 0.5:
        yield (
            f"The area under the ROC curve is {auc.value:.3f}, below the 0.5 of scores that know "
            "nothing: are the classes reversed, or does a low score mean "
            f"{evidence.pos_label!r}?"
        )
    if not evidence.are_probabilities:
        yield (
            "The scores are not probabilities (they leave the range from 0 to 1): they rank, and "
            "say nothing of costs or calibration."
        )
        return
    if scores.bins is not None:
        return  # bins hide the mean
    mean, prevalence = mean_score_of(scores), _prevalence(evidence)
    rows = _effective_rows(evidence)
    if abs(mean - prevalence) > 3 * np.sqrt(prevalence * (1 - prevalence) / rows) + 0.005:
        yield (
            f"The scores are {_percent(mean)} on average, and {_percent(prevalence)} of the rows "
            f"are {evidence.pos_label!r}: as probabilities they are off, as after class weights "
            "or resampling. Thresholds from costs need probabilities that are right."
        )


def _about_groups(evidence: Evidence) -> Iterator[str]:
    piece = evidence.scores if evidence.counts is None else evidence.counts
    if piece is None or piece.groups is None:
        return
    tables = (
        [ranking.n for ranking in piece.rankings] if isinstance(piece, ScoreCounts) else piece.n
    )
    sizes = [int(table.sum()) for table in tables]
    small = [f"{g!r} ({n})" for g, n in zip(piece.groups, sizes, strict=True) if n < _SMALL_GROUP]
    if small:
        yield (
            f"Subgroups with fewer than {_SMALL_GROUP} rows say little: "
            f"{', '.join(small[:10])}{' and more' if len(small) > 10 else ''}."
        )


# ---------------------------------------------------------------------------------------------


def _class_rows(evidence: Evidence) -> list[int]:
    """How many rows each class has, in the order of the labels."""
    if evidence.total is not None:
        return evidence.total.n.sum(axis=1).tolist()
    scores = evidence.all_scores
    if scores is None:
        return []
    found = dict(zip(scores.labels, scores.rankings[0].n.sum(axis=1).tolist(), strict=True))
    return [found.get(label, 0) for label in evidence.labels]


def _effective_rows(evidence: Evidence) -> float:
    """As many rows of one weight as have the mean score's precision."""
    (ranking,) = evidence.required_scores.rankings
    return float(ranking.w.sum() ** 2 / ranking.w2.sum())


def _prevalence(evidence: Evidence) -> float:
    scores = evidence.all_scores
    if scores is None:
        return float("nan")
    weights = scores.rankings[0].w.sum(axis=1)
    return float(weights[1] / weights.sum())


def _dropped(evidence: Evidence) -> int:
    pieces = (evidence.counts, evidence.scores)
    return max((piece.dropped for piece in pieces if piece is not None), default=0)


def _percent(share: float) -> str:
    digits = 1 if 0.001 <= share <= 0.999 else 2
    return f"{100 * share:.{digits}f} %"
