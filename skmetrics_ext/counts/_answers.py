"""What can be asked of counts: a metric, all of them, a difference between subgroups."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from skmetrics_ext.counts._estimate import Estimates
from skmetrics_ext.counts._estimating import estimate
from skmetrics_ext.counts._report import difference, usual_metrics

if TYPE_CHECKING:
    from skmetrics_ext.counts._confusion import ConfusionCounts

__all__ = ["Answers"]


class Answers:
    """The questions that `ConfusionCounts` answers."""

    def estimate(
        self,
        metric: str,
        *,
        confidence_level: float | None = 0.95,
        method: str = "auto",
        pos_label: Any = None,
        average: str | None = "auto",
        prevalence: float | None = None,
        zero_division: Any = "warn",
        replace_undefined_by: float = np.nan,
        n_resamples: int = 9999,
        random_state: Any = None,
        on: str | None = None,
        **params: Any,
    ) -> Any:
        """How good is it, how sure is that, and on what counts does it rest?

        Parameters
        ----------
        metric : str
            A registered name, such as "recall" or "weighted_kappa".
        confidence_level : float or None, default=0.95
            None: no interval.
        method : {"auto", "wilson", "clopper-pearson", "delta", "bootstrap"}, default="auto"
            "auto" is Wilson's interval for proportions (weighted: with the effective number of
            rows) and for F1 through Jaccard's index; for everything else the hull of the delta
            interval on a table with two more rows and of Wilson's form around the value: never
            of zero width. Predictive values at a stated prevalence have logit intervals.
            "delta" is the textbook's, on the table as counted, on the scale that
            the metric's range asks for (logit, logarithm); "bootstrap" draws tables.
        pos_label : object, default=None
            The positive class. 1 and True are taken beside 0, -1 and False; with other labels
            it must be named where the metric is not symmetric. With more than two classes it
            means that class against the rest.
        average : str or None, default="auto"
            "binary", "macro", "micro", "weighted", None (a list, one per class), or what else
            the metric takes; "auto" is the metric's own default.
        prevalence : float, default=None
            The share of the positive class in the population that the value is for, the other
            classes as among themselves.
        zero_division : {"warn", 0.0, 1.0, nan}, default="warn"
            For rates: what stands for a count divided by zero; "warn" is 0.0 with a warning.
        replace_undefined_by : float, default=nan
            The same for kappa and the likelihood ratios.
        n_resamples, random_state : int, default=9999 and None
            For method="bootstrap".
        on : {None, "answered", "all"}, default=None
            What becomes of declined rows, those answered by an action that is no class.
            "answered": they are left out, as if never counted. "all": they count as wrong, as
            rows of their true class that were not found (recall falls), and they are part of no
            answer (precision does not). None: an error where there are any, except for costs,
            which know what declining is worth and always see all rows unless "answered".
        **params
            The metric's own: ``beta``, ``weights``, ``tolerance``, ``cost_matrix``.

        Returns
        -------
        Estimate, or a list of them
            A list with subgroups (one per group) or ``average=None`` (one per class).

        Notes
        -----
        Rows (or ``clusters``) are taken as independent. Pooled cross-validated predictions are
        not quite: their folds share training rows, which no interval of this kind sees.

        References
        ----------
        Wilson (1927), https://doi.org/10.1080/01621459.1927.10502953

        Examples
        --------
        >>> from skmetrics_ext.counts import ConfusionCounts
        >>> counts = ConfusionCounts.from_matrix([[50, 8, 2], [6, 70, 14], [3, 9, 38]])
        >>> for estimate in counts.estimate("recall", average=None):
        ...     print(estimate)
        recall of 0 0.833 [0.720, 0.907] (50/60, Wilson; prevalence 0.30)
        recall of 1 0.778 [0.682, 0.851] (70/90, Wilson; prevalence 0.45)
        recall of 2 0.760 [0.626, 0.857] (38/50, Wilson; prevalence 0.25)

        Two rows of six were declined:

        >>> counts = ConfusionCounts.from_predictions(
        ...     [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, -1, -1], actions=[-1]
        ... )
        >>> for on in ("answered", "all"):
        ...     print(counts.estimate("accuracy", on=on, confidence_level=None))
        accuracy 0.750 (3/4 answered, 2 declined)
        accuracy 0.500 (3/6, 2 declined as wrong)
        """
        return estimate(
            cast("ConfusionCounts", self),
            metric,
            confidence_level=confidence_level,
            method=method,
            pos_label=pos_label,
            average=average,
            prevalence=prevalence,
            zero_division=zero_division,
            replace_undefined_by=replace_undefined_by,
            n_resamples=n_resamples,
            random_state=random_state,
            on=on,
            params=params,
        )

    def report(
        self,
        metrics: Iterable[str] | None = None,
        *,
        confidence_level: float | None = 0.95,
        pos_label: Any = None,
        on: str | None = None,
    ) -> Estimates:
        """The usual metrics of these counts, each with its counts and its interval.

        Parameters
        ----------
        metrics : iterable of str, default=None
            Registered names; None: those that suit the number and the order of the classes.
        confidence_level : float or None, default=0.95
            None: no intervals.
        pos_label : object, default=None
            The positive class of two; where nothing tells which it is, the rates of both
            classes are shown.
        on : {None, "answered", "all"}, default=None
            What becomes of declined rows: see `estimate`.

        Returns
        -------
        list of Estimate
            Prints one a line; ``.to_frame()`` makes a table.

        Examples
        --------
        >>> from skmetrics_ext.counts import ConfusionCounts
        >>> counts = ConfusionCounts.from_cells(tp=7, fp=2, fn=3, tn=8)
        >>> print(counts.report(["accuracy", "recall", "matthews_corrcoef"]))
        accuracy 0.750 [0.531, 0.888] (15/20, Wilson)
        recall of 1 0.700 [0.397, 0.892] (7/10, Wilson; prevalence 0.50)
        matthews_corrcoef 0.503 [0.025, 0.769] (20 rows, delta and score, smoothed)
        """
        counts = cast("ConfusionCounts", self)
        found = Estimates()
        for name, options in usual_metrics(counts, metrics, pos_label):
            one = counts.estimate(name, confidence_level=confidence_level, on=on, **options)
            found.extend(one if isinstance(one, list) else [one])
        return found

    def difference(
        self,
        group_a: Any,
        group_b: Any,
        metric: str,
        *,
        confidence_level: float = 0.95,
        **options: Any,
    ) -> Any:
        """How much better is it in one subgroup than in another (A - B)?

        The limits are Newcombe's: the distances of the two intervals to their values, squared
        and added. For proportions those are Wilson's intervals (Newcombe 1998, method 10), for
        other metrics the ones that `estimate` gives (Zou and Donner 2008).

        Parameters
        ----------
        group_a, group_b : object
            Two of ``groups``; their rows are different rows.
        metric : str
        confidence_level : float, default=0.95
        **options
            As for `estimate`: ``pos_label``, ``average``, ``weights``, ...

        Returns
        -------
        Difference

        References
        ----------
        Newcombe (1998), https://doi.org/10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I

        Examples
        --------
        >>> from skmetrics_ext.counts import ConfusionCounts
        >>> counts = ConfusionCounts.from_predictions(
        ...     [1] * 150, [1] * 56 + [0] * 14 + [1] * 48 + [0] * 32, by=["a"] * 70 + ["b"] * 80,
        ...     labels=[0, 1],
        ... )
        >>> print(counts.difference("a", "b", "recall"))
        recall of 1, 'a' - 'b': 0.200 [0.052, 0.334] (0.800 (56/70) - 0.600 (48/80))
        """
        return difference(
            cast("ConfusionCounts", self),
            group_a,
            group_b,
            metric,
            confidence_level=confidence_level,
            options=options,
        )
