"""DecisionReport: what a stranger should know before trusting a classifier's decisions."""

from __future__ import annotations

import warnings
from functools import cached_property
from pathlib import Path
from typing import Any

from sklearn.exceptions import UndefinedMetricWarning

from skmetrics_ext import __version__
from skmetrics_ext.counts._frames import to_frame
from skmetrics_ext.report._blocks import Section, numbers_in
from skmetrics_ext.report._calls import Number
from skmetrics_ext.report._from import FromAnywhere
from skmetrics_ext.report._html import body_of, page_of
from skmetrics_ext.report._numeric import NumericEvidence, numeric_sections
from skmetrics_ext.report._receipt import read_evidence, written
from skmetrics_ext.report._receipt_numeric import read_numeric, written_numeric
from skmetrics_ext.report._seal import NUMBERS_FORMAT, unsealed
from skmetrics_ext.report._sections import sections_of
from skmetrics_ext.report._text import text_of

__all__ = ["DecisionReport"]


class DecisionReport(FromAnywhere):
    """From predictions to what they mean: counts, costs, rates, ranking, calibration, warnings.

    Make one by `from_predictions`, `from_estimator` or `from_frame`. It prints as text, shows
    itself in notebooks, and is saved as a page of its own. Every number in it is a call to this
    package's API (``report.numbers``), and can be computed again from its receipt
    (`to_json`).

    Attributes
    ----------
    title : str
    sections : tuple of Section
        What is shown, in order.
    numbers : list of (section, Number)
        Every number, with the call that makes it.

    Examples
    --------
    >>> from skmetrics_ext.report import DecisionReport
    >>> truth = ["well"] * 90 + ["ill"] * 10
    >>> answer = ["well"] * 85 + ["ill"] * 5 + ["well"] * 3 + ["ill"] * 7
    >>> report = DecisionReport.from_predictions(truth, answer, pos_label="ill")
    >>> section, number = report.numbers[0]
    >>> section, number.label, str(number)
    ('The data', "share of 'ill'", '0.100 [0.055, 0.174] (10/100)')
    >>> print(number.call)
    counts.constant('ill').estimate('accuracy', confidence_level=0.95)
    """

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """What is shown, in order."""
        with warnings.catch_warnings():
            # What is undefined is shown as such.
            warnings.simplefilter("ignore", UndefinedMetricWarning)
            if isinstance(self._evidence, NumericEvidence):
                return numeric_sections(self._evidence)
            return sections_of(self._evidence)

    @property
    def numbers(self) -> list[tuple[str, Number]]:
        """Every number with the title of its section, in the order of reading."""
        return list(numbers_in(self.sections))

    def __repr__(self) -> str:
        return text_of(self.title, self.sections)

    def _repr_html_(self) -> str:
        return body_of(self.title, self.sections, __version__)

    def to_html(self) -> str:
        """The report as one self-contained page: no request leaves it.

        Raises
        ------
        ImportError
            Where jinja2 is missing (extra `cli`).
        """
        return page_of(self.title, self.sections, __version__)

    def to_frame(self, backend: str = "pandas") -> Any:
        """One row per number: section, label, value, limits, counts, and the call.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default="pandas"
        """
        rows = self.numbers
        columns: dict[str, list[Any]] = {"section": [section for section, _ in rows]}
        for name in ("label", "value", "low", "high", "counts", "method"):
            columns[name] = [getattr(number, name) for _, number in rows]
        columns["call"] = [str(number.call) for _, number in rows]
        return to_frame(columns, backend)

    def to_json(self) -> str:
        """The receipt: what every number is computed from, the declared costs, the numbers."""
        if isinstance(self._evidence, NumericEvidence):
            return written_numeric(self._evidence, self.numbers, self.title)
        return written(self._evidence, self.numbers, self.title)

    @classmethod
    def from_json(cls, text: str) -> DecisionReport:
        """The report of a receipt of `to_json`.

        Raises
        ------
        ValueError
            Where the text is no receipt of a report, or was edited.
        """
        body = unsealed(text)
        if body["format"] == NUMBERS_FORMAT:
            return cls(read_numeric(body), body["title"])
        return cls(read_evidence(body["evidence"]), body["title"])

    def save(self, path: Any) -> None:
        """Write the report to a file: ``.html``, ``.json`` (the receipt) or ``.txt``.

        Parameters
        ----------
        path : str or Path
            Its ending says what is written.

        Raises
        ------
        ValueError
            For any other ending.
        """
        target = Path(path)
        kinds = {".html": self.to_html, ".json": self.to_json, ".txt": self.__repr__}
        if target.suffix not in kinds:
            raise ValueError(
                f"path must end in {', '.join(kinds)}, which says what to write; got {str(path)!r}."
            )
        target.write_text(kinds[target.suffix](), encoding="utf-8")
