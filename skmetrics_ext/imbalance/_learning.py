"""One classifier from some rows: resampled, and with the counts that it saw."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from imblearn.pipeline import Pipeline as ResamplingPipeline
from sklearn import get_config
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils.metadata_routing import process_routing
from sklearn.utils.validation import has_fit_parameter

from skmetrics_ext.decision._fit_params import inner_fit_params
from skmetrics_ext.imbalance._rows import Rows, follow_sampler, weights_among
from skmetrics_ext.imbalance._samplers import Notes, has_samplers, is_sampler, resample
from skmetrics_ext.imbalance._seen import totals_seen

__all__ = ["Learner", "Learnt", "Prepared", "fit_params_for", "flat_steps"]


@dataclass(frozen=True)
class Learnt:
    """A fitted classifier, the fitted sampler before it, the weight of each class it saw."""

    model: Any
    sampler: Any
    totals: np.ndarray


@dataclass(frozen=True)
class Prepared:
    """All done but the fit of the classifier itself.

    ``before`` are the fitted steps of a pipeline that resamples, ``rows`` what comes out of them
    for ``classifier``, a clone.
    """

    sampler: Any
    before: list[tuple[str, Any]] | None
    classifier: Any
    name: str
    rows: Rows
    classes: np.ndarray

    def totals(self) -> np.ndarray:
        """The weight of each class in what the classifier sees, by its class weights too."""
        return totals_seen(
            self.classifier,
            self.rows.y,
            self.classes,
            weights_among(self.rows.params, len(self.rows.y)),
        )

    def fit(self) -> Learnt:
        """Fit the classifier."""
        rows = self.rows
        model = self.classifier.fit(rows.X, rows.y, **rows.params)
        totals = totals_seen(model, rows.y, self.classes, weights_among(rows.params, len(rows.y)))
        if self.before is not None:
            model = ResamplingPipeline([*self.before, (self.name, model)])
        return Learnt(model, self.sampler, totals)


@dataclass(frozen=True)
class Learner:
    """What is fitted, on whichever rows.

    ``rng`` seeds samplers without a random state of their own, ``notes`` gathers warnings.
    """

    estimator: Any
    sampler: Any
    classes: np.ndarray
    notes: Notes
    rng: np.random.RandomState | None

    def prepare(self, rows: Rows) -> Prepared:
        """Clone, and do all that comes before the fit of the classifier.

        Raises
        ------
        ValueError
            If a sampler leaves no row of some class, or what belongs to rows cannot follow it.
        """
        sampler = None
        if self.sampler is not None:
            sampler, rows = self._resampled(self.sampler, rows)
        if not has_samplers(self.estimator):
            return Prepared(sampler, None, clone(self.estimator), "", rows, self.classes)
        return self._through_steps(sampler, rows)

    def _through_steps(self, sampler: Any, rows: Rows) -> Prepared:
        """A pipeline that resamples, step by step: weights have to follow each of its samplers."""
        paths = flat_steps(clone(self.estimator))
        steps = [("-".join(path), step) for path, step in paths]
        params = _params_by_step(steps, paths, rows.params)
        before = []
        for k, (name, step) in enumerate(steps[:-1]):
            if is_sampler(step):
                later = {n: value for n, value in params.items() if n not in dict(steps[:k])}
                step, rows, params = self._resampled_steps(step, rows, later)
            else:
                X = _fit_transform(step, rows, params[name])
                rows = replace(rows, X=X)
            before.append((name, step))
        name, classifier = steps[-1]
        rows = replace(rows, params=params[name])
        return Prepared(sampler, before, classifier, name, rows, self.classes)

    def _resampled_steps(
        self, step: Any, rows: Rows, params: dict[str, dict[str, Any]]
    ) -> tuple[Any, Rows, dict[str, dict[str, Any]]]:
        together = {(name, key): v for name, own in params.items() for key, v in own.items()}
        named = {f"{name}__{key}": value for (name, key), value in together.items()}
        step, rows = self._resampled(step, replace(rows, params=named))
        followed: dict[str, dict[str, Any]] = {name: {} for name in params}
        for name, key in together:
            followed[name][key] = rows.params[f"{name}__{key}"]
        return step, rows, followed

    def _resampled(self, sampler: Any, rows: Rows) -> tuple[Any, Rows]:
        fitted, X, y = resample(sampler, rows.X, rows.y, self.notes, self.rng)
        params = follow_sampler(rows.params, fitted, rows.y, y)
        left = np.isin(self.classes, y)
        if not left.all():
            raise ValueError(
                f"sampler={sampler!r} left no row of {self.classes[~left].tolist()}: a class that "
                "is never seen cannot be learnt, and its probability cannot be put back."
            )
        return fitted, Rows(X, y, params)


def flat_steps(estimator: Any, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
    """The steps of a pipeline and of all pipelines in it, each with the names that lead there."""
    if not isinstance(estimator, Pipeline):
        return [(path, estimator)]
    return [
        found
        for name, step in estimator.steps
        if step is not None and not isinstance(step, str)
        for found in flat_steps(step, (*path, name))
    ]


def fit_params_for(
    wrapper: Any, estimator: Any, sample_weight: Any, params: dict[str, Any]
) -> dict[str, Any]:
    """The keyword arguments for ``estimator.fit``; for one that resamples, for its steps.

    Without routing, weights go to every step of a pipeline that accepts them.
    """
    if get_config()["enable_metadata_routing"] or not has_samplers(estimator):
        return inner_fit_params(wrapper, estimator, sample_weight, params)
    if sample_weight is None:
        return params
    names = [
        "__".join([*path, "sample_weight"])
        for path, step in flat_steps(estimator)
        if not is_sampler(step) and has_fit_parameter(step, "sample_weight")
    ]
    if not names:
        raise ValueError(
            f"sample_weight cannot be used: no step of estimator={estimator!r} accepts it in fit."
        )
    return {**dict.fromkeys(names, sample_weight), **params}


def _params_by_step(
    steps: list[tuple[str, Any]], paths: list[tuple[tuple[str, ...], Any]], params: dict[str, Any]
) -> dict[str, dict[str, Any]]:
    if get_config()["enable_metadata_routing"]:
        routed = process_routing(ResamplingPipeline(steps), "fit", **params)
        return {
            name: dict(routed[name].get("fit") or routed[name].get("fit_transform") or {})
            for name, _ in steps
        }
    by_step: dict[str, dict[str, Any]] = {name: {} for name, _ in steps}
    for key, value in params.items():
        for path, _ in paths:
            prefix = "__".join([*path, ""])
            if key.startswith(prefix):
                by_step["-".join(path)][key.removeprefix(prefix)] = value
                break
        else:
            raise ValueError(
                f"Fit parameters of a pipeline are named <step>__<parameter>, with a step of "
                f"{['__'.join(path) for path, _ in paths]}; got {key!r}."
            )
    return by_step


def _fit_transform(step: Any, rows: Rows, params: dict[str, Any]) -> Any:
    if hasattr(step, "fit_transform"):
        return step.fit_transform(rows.X, rows.y, **params)
    return step.fit(rows.X, rows.y, **params).transform(rows.X)
