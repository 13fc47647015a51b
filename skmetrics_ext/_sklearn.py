"""The only file that touches scikit-learn's private names, each with the reason."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from typing import Any

# A scorer that looks at the estimator (its classes, its class order, its X) must be a
# `_BaseScorer`: the public `make_scorer` builds scorers that see predictions only, while
# TunedThresholdClassifierCV, multimetric scoring and metadata routing take nothing else.
from sklearn.metrics._scorer import _BaseScorer as BaseScorer

# Rows of whatever X is (arrays, sparse, pandas, polars): the public `resample` and `shuffle` pick
# rows of their own choice only.
from sklearn.utils import _safe_indexing as safe_indexing

# Fit parameters for some of the rows, by the rule that tells per-row ones from others; the meta-
# estimators of scikit-learn all use it, and it has no public name.
from sklearn.utils.validation import _check_method_params as params_of_rows

try:
    from sklearn.callback import CallbackSupportMixin, ProgressBar, with_callbacks
except ImportError:  # scikit-learn before 1.9 has no callbacks
    ProgressBar = None

__all__ = ["BaseScorer", "gathered", "params_of_rows", "safe_indexing", "scorer_parts"]


def scorer_parts(scorer: BaseScorer) -> tuple[Callable[..., Any], int, dict[str, Any], Any]:
    """What `make_scorer` was given: function, sign, keyword arguments and response method.

    No public attribute tells them, and a scorer's repr names functions only.
    """
    return scorer._score_func, scorer._sign, dict(scorer._kwargs), scorer._response_method


def gathered(name: str, step: str, results: Iterable[Any], n_steps: int) -> list[Any]:
    """The results as a list; while they come, a function shows scikit-learn's progress bar.

    Shown where scikit-learn has callbacks (1.9), rich is installed, and somebody looks: a
    terminal or a notebook.
    """
    if ProgressBar is None or find_spec("rich") is None or not _somebody_looks():
        return list(results)
    # The bar's name is that of the class. What a function would fit is not an estimator.
    follower = type(name, (_Followed,), {})()
    return follower.set_callbacks(ProgressBar()).fit(step, results, n_steps)


def _somebody_looks() -> bool:
    return sys.stdout.isatty() or "ipykernel" in sys.modules


if ProgressBar is not None:

    class _Followed(CallbackSupportMixin):
        """What callbacks can follow; `_init_callback_context` is documented for such classes."""

        @with_callbacks
        def fit(self, step: str, results: Iterable[Any], n_steps: int) -> list[Any]:
            root = self._init_callback_context(task_name=f"{step}s", max_subtasks=n_steps)
            root.call_on_fit_task_begin(estimator=self)
            came = []
            for result in results:
                came.append(result)
                done = root.subcontext(task_name=step).call_on_fit_task_begin(estimator=self)
                done.call_on_fit_task_end(estimator=self)
            root.call_on_fit_task_end(estimator=self)
            return came
