"""ScoreCounts as text and as HTML."""

from __future__ import annotations

from html import escape

import numpy as np

from skmetrics_ext.counts._score_base import Rankings
from skmetrics_ext.counts._score_bounds import area_error, cost_error

__all__ = ["scores_html", "scores_text"]


def scores_text(counts: Rankings) -> str:
    """The rows of each class, where they stand, and what bins leave open."""
    return "\n".join([_first_line(counts), *_notes(counts)])


def scores_html(counts: Rankings) -> str:
    """The same with a row for each subgroup, escaped."""
    lines = [_first_line(counts), *_notes(counts)]
    parts = [f"<p>{escape(line)}</p>" for line in lines]
    if counts.groups is None:
        return "".join(parts)
    head = ["subgroup", "positives", "negatives", "scores" if counts.bins is None else "bins"]
    if counts.bins is not None:
        head += ["roc_auc off by at most", "mistakes at most less"]
    rows = [[escape(name) for name in head]]
    for ranking, group in zip(counts.rankings, counts.groups, strict=True):
        negatives, positives = ranking.n.sum(1).tolist()
        cells = [escape(repr(group)), str(positives), str(negatives), str(len(ranking.low))]
        if counts.bins is not None:
            cells += [f"{area_error(ranking):.2g}", f"{cost_error(ranking, 1, 1):.2g}"]
        rows.append(cells)
    header, *body = (
        "".join(f"<{tag}>{cell}</{tag}>" for cell in cells)
        for tag, cells in zip(["th", *["td"] * len(counts.groups)], rows, strict=True)
    )
    table = "".join(f"<tr>{row}</tr>" for row in body)
    parts.append(f"<table><thead><tr>{header}</tr></thead><tbody>{table}</tbody></table>")
    return "".join(parts)


def _first_line(counts: Rankings) -> str:
    negatives, positives = np.sum([r.n.sum(1) for r in counts.rankings], axis=0).tolist()
    negative, positive = counts.labels
    rows = f"{negatives + positives} row{'' if negatives + positives == 1 else 's'}"
    others = "other labels" if negative is None else repr(negative)
    if counts.groups is not None:
        where = f"in {len(counts.groups)} subgroups {list(counts.groups)!r}"
    else:
        size = len(counts.rankings[0].low)
        where = f"at {size} {'distinct scores' if counts.bins is None else 'bins'}"
    return (
        f"ScoreCounts: {rows}, {positives} of {positive!r} (positive) and {negatives} of "
        f"{others}, {where}"
    )


def _notes(counts: Rankings) -> list[str]:
    notes = []
    if counts.dropped:
        notes.append(f"{counts.dropped} row{'' if counts.dropped == 1 else 's'} dropped")
    if counts.bins is not None:
        most = "" if counts.groups is None else " (in any subgroup)"
        area = max((area_error(r) for r in counts.rankings), key=_known)
        cost = max((cost_error(r, 1, 1) for r in counts.rankings), key=_known)
        if not np.isnan(area):
            notes.append(
                f"because of the bins{most} roc_auc is off by at most {area:.2g}, and the best "
                f"threshold may make a share of mistakes at most {cost:.2g} less"
            )
    return notes


def _known(error: float) -> float:
    return -1.0 if np.isnan(error) else error
