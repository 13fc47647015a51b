"""What a search for trouble finds: each thing with its evidence, a sentence and the mend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

from skmetrics_ext.counts._frames import to_frame

__all__ = ["Finding", "Findings"]


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong.

    Attributes
    ----------
    kind : str
        What sort of thing, a word to filter by.
    evidence : mapping of str to object
        The numbers (and row numbers) that it rests on.
    sentence : str
        What is wrong, to read.
    mend : str
        What to do about it.

    Examples
    --------
    >>> import numpy as np
    >>> from imblearn.over_sampling import SMOTE
    >>> from skmetrics_ext.imbalance import find_unusable_folds
    >>> X, y = np.arange(100.0).reshape(50, 2), np.repeat([0, 1], [43, 7])
    >>> finding = find_unusable_folds(X, y, 5, SMOTE())[0]
    >>> finding.kind, finding.evidence["fold"]
    ('neighbours', 3)
    >>> print(finding.sentence)
    the training rows of fold 3 hold 5 rows of class 1, and SMOTE needs 6.
    """

    kind: str
    evidence: Mapping[str, Any] = field(hash=False)
    sentence: str
    mend: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.sentence} Mend: {self.mend}"

    def _repr_html_(self) -> str:
        return Findings([self])._repr_html_()


class Findings(list[Finding]):
    """A list of `Finding` that prints one a line; empty where nothing was found.

    Examples
    --------
    >>> import numpy as np
    >>> from imblearn.over_sampling import SMOTE
    >>> from skmetrics_ext.imbalance import find_unusable_folds
    >>> X, y = np.arange(100.0).reshape(50, 2), np.repeat([0, 1], [43, 7])
    >>> find_unusable_folds(X, y, 5, SMOTE(k_neighbors=2))
    Findings([])
    >>> found = find_unusable_folds(X, y, 5, SMOTE())
    >>> len(found), found.to_frame()["kind"].tolist()
    (2, ['neighbours', 'neighbours'])
    """

    def to_frame(self, backend: str = "pandas") -> Any:
        """One row per finding, the evidence as text, as a pandas, polars or pyarrow table.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default="pandas"
        """
        columns: dict[str, list[str]] = {
            "kind": [f.kind for f in self],
            "evidence": [_as_text(f.evidence) for f in self],
            "sentence": [f.sentence for f in self],
            "mend": [f.mend for f in self],
        }
        return to_frame(columns, backend)

    def __str__(self) -> str:
        return "\n".join(map(str, self)) if self else "nothing found"

    def __repr__(self) -> str:
        return str(self) if self else "Findings([])"

    def _repr_html_(self) -> str:
        if not self:
            return "<p>nothing found</p>"
        rows = "".join(
            "<tr>"
            + "".join(
                f"<td>{escape(cell)}</td>"
                for cell in (f.kind, f.sentence, _as_text(f.evidence), f.mend)
            )
            + "</tr>"
            for f in self
        )
        head = "".join(f"<th>{h}</th>" for h in ("kind", "what", "evidence", "mend"))
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _as_text(evidence: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in evidence.items())
