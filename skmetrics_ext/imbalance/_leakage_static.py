"""Static: a sampler that comes before something which splits its rows once more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sklearn.frozen import FrozenEstimator

from skmetrics_ext.imbalance._leakage_findings import Finding
from skmetrics_ext.imbalance._unusable_folds import rows_after

__all__ = ["find_in_estimator"]

# scikit-learn's HistGradientBoosting stops early by itself from this many rows on.
_ROWS_TO_STOP_EARLY = 10_000
_CALIBRATION_BY_FOLDS = ("auto", "shift", "sigmoid", "isotonic")


def find_in_estimator(estimator: Any, rows: dict[Any, int]) -> list[Finding]:
    """Samplers before an internal split; where the sampler stands inside of it all is well.

    ``rows`` are those of each class, before any sampler.
    """
    return [
        Finding(
            kind="sampler before split",
            evidence={
                "sampler": type(sampler).__name__,
                "splitter": type(splitter).__name__,
                "where": where,
            },
            sentence=(
                f"{type(sampler).__name__} resamples the rows before {type(splitter).__name__} "
                f"{how} ({where}): what was resampled from one row falls on both sides, and the "
                "rows that judge are no longer those of the population."
            ),
            mend=mend,
        )
        for sampler, splitter, where, how, mend in _walk(estimator, None, "estimator", rows)
    ]


Found = tuple[Any, Any, str, str, str]


def _walk(part: Any, sampler: Any, where: str, rows: dict[Any, int]) -> Iterator[Found]:
    """Parts that split, each with the sampler whose rows reach them; ``rows`` as they do."""
    if not hasattr(part, "get_params") or isinstance(part, (type, FrozenEstimator)):
        return
    if isinstance(steps := getattr(part, "steps", None), list):
        for name, step in steps:
            if _is_sampler(step):
                sampler, rows = step, rows_after(step, rows)
            else:
                yield from _walk(step, sampler, f"{where}, step {name!r}", rows)
        return
    params = part.get_params(deep=False)
    if sampler is not None and (split := _splits(part, params, sum(rows.values()))):
        yield sampler, part, where, *split
    # What resamples in its own fit, as ResampledClassifier does, hands on resampled rows.
    own = params.get("sampler")
    inside, reaching = sampler, rows
    if _is_sampler(own):
        inside, reaching = own, rows_after(own, rows)
    for name, value in params.items():
        if _is_sampler(value):
            continue
        if isinstance(value, (list, tuple)):
            for item in value:
                if isinstance(item, tuple) and len(item) >= 2 and isinstance(item[0], str):
                    yield from _walk(item[1], inside, f"{where}, {item[0]!r}", reaching)
        else:
            yield from _walk(value, inside, f"{where}, {name}", reaching)


def _is_sampler(part: Any) -> bool:
    if isinstance(part, type) or not hasattr(part, "fit_resample"):
        return False
    # FunctionSampler() without a function hands on what it gets.
    return not (type(part).__name__ == "FunctionSampler" and part.func is None)


def _splits(part: Any, params: dict[str, Any], n_rows: int) -> tuple[str, str] | None:
    """How a part splits the rows it is fitted on, and the mend; None where it does not."""
    name = type(part).__name__
    if stops := _early_stopping(name, params, n_rows):
        return (
            "holds rows back to stop early by",
            f"Set {stops}, or give ResampledClassifier({name}(...), sampler=...) a number of "
            "iterations found by a search around the whole of it.",
        )
    if isinstance(params.get("cv"), str) or isinstance(params.get("estimator"), FrozenEstimator):
        return None  # "prefit": the rows are not split
    if name.endswith("SearchCV"):
        return (
            "splits them to compare candidates",
            f"Put the sampler inside: {name}(resampled_recipe(estimator, sampler=...), ...).",
        )
    if name.startswith("Stacking"):
        return (
            "splits them to fit its final estimator",
            "Put the sampler inside: a ResampledClassifier around each estimator of the stack.",
        )
    by_folds = (
        name == "ResampledClassifier"
        and params.get("sampler") is not None
        and params.get("correction") in _CALIBRATION_BY_FOLDS
    )
    if name.endswith("CV") or by_folds:
        return (
            "splits them to choose or to calibrate",
            f"Put the sampler inside of what {name} fits: ResampledClassifier(estimator, "
            "sampler=...).",
        )
    return None


def _early_stopping(name: str, params: dict[str, Any], n_rows: int) -> str | None:
    """The setting that stops early on rows held back, as it should be; None where there is none."""
    early = params.get("early_stopping")
    if early is True or (early == "auto" and n_rows > _ROWS_TO_STOP_EARLY):
        return "early_stopping=False"
    if name.startswith("GradientBoosting") and params.get("n_iter_no_change") is not None:
        return "n_iter_no_change=None"
    return None
