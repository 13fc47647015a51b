"""McNemar's test of two models on the same rows."""

from __future__ import annotations

from dataclasses import dataclass

from scipy.stats import binom, binomtest

from skmetrics_ext.counts._text import row_count

__all__ = ["McNemar", "mcnemar"]


@dataclass(frozen=True)
class McNemar:
    """McNemar's test: of the rows that only one model got right, does each get half?

    Attributes
    ----------
    b : int
        Rows that A has right and B wrong.
    c : int
        Rows that A has wrong and B right.
    p_value : float
        Two-sided.
    method : {"exact", "mid-p"}
    n : int
        All rows counted; those on which both are right or both are wrong do not matter.

    Examples
    --------
    >>> from skmetrics_ext.counts import PairedCounts
    >>> paired = PairedCounts.from_tables({0: [[20, 1], [6, 3]], 1: [[2, 2], [0, 9]]})
    >>> test = paired.mcnemar()
    >>> test.b, test.c, round(test.p_value, 3)
    (1, 8, 0.039)
    >>> print(test)
    McNemar (exact): only A right 1, only B right 8 of 43 rows, p = 0.0391
    """

    b: int
    c: int
    p_value: float
    method: str
    n: int

    def __str__(self) -> str:
        return (
            f"McNemar ({self.method}): only A right {self.b}, only B right {self.c} of "
            f"{row_count(self.n)}, p = {self.p_value:.3g}"
        )


def mcnemar(b: int, c: int, n: int, method: str) -> McNemar:
    """The test of ``b`` against ``c``, both from the same ``n`` rows."""
    if method not in ("exact", "mid-p"):
        raise ValueError(f"method must be 'exact' or 'mid-p'; got {method!r}.")
    if b + c == 0:
        return McNemar(b, c, 1.0, method, n)
    p_value = float(binomtest(b, b + c).pvalue)
    if method == "mid-p":
        # Not exact - P(b): the exact p-value is cut at 1 where b = c.
        fewer = min(b, c)
        p_value = float(2 * binom.cdf(fewer, b + c, 0.5) - binom.pmf(fewer, b + c, 0.5))
    return McNemar(b, c, p_value, method, n)
