"""safe_splits: a table that was oversampled before anyone thought of splits, scored honestly."""

import numpy as np
import pandas as pd
import pytest
from imblearn.over_sampling import RandomOverSampler
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import average_precision_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from skmetrics_ext.imbalance import safe_splits

# published_numbers.json, class_weight_distortion
X, Y = make_classification(
    n_samples=5000,
    n_features=10,
    n_informative=5,
    weights=[0.966],
    flip_y=0.01,
    random_state=0,
)


def average_precision(X, y, cv, weight=None):
    """Mean over the folds, as the published numbers are."""
    forest = RandomForestClassifier(15, max_features=3, random_state=0)
    proba = cross_val_predict(forest, X, y, cv=cv, method="predict_proba")[:, 1]
    weight = np.ones(len(y)) if weight is None else weight
    return np.mean(
        [
            average_precision_score(y[test], proba[test], sample_weight=weight[test])
            for _, test in cv.split(X, y)
        ]
    )


def test_an_oversampled_table_is_scored_as_it_was_before():
    # With 100 trees: 1.00 becomes 0.69, and the honest one is 0.70 (benchmarks/bench_leakage.py).
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    many, y = RandomOverSampler(random_state=0).fit_resample(X, Y)
    safe = safe_splits(many, y, random_state=0)
    honest = average_precision(X, Y, folds)
    assert average_precision(many, y, folds) > 0.99
    assert average_precision(many, y, safe, safe.sample_weight) == pytest.approx(honest, abs=0.05)


@pytest.mark.parametrize("make", [np.asarray, pd.DataFrame])
def test_copies_stay_together_and_count_once(make):
    many, y = RandomOverSampler(random_state=0).fit_resample(X, Y)
    safe = safe_splits(make(many), y, n_splits=4, random_state=0)
    assert safe.get_n_splits() == 4
    assert safe.sample_weight.sum() == pytest.approx(5000)
    assert safe.sample_weight[y == 1].sum() == pytest.approx(Y.sum())
    tested = []
    for train, test in safe.split(many, y):
        assert not set(safe.groups[train]) & set(safe.groups[test])
        assert len(train) + len(test) == len(y)
        assert safe.sample_weight[test] @ y[test] == pytest.approx(Y.sum() / 4, abs=1)
        tested.append(test)
    assert sorted(np.concatenate(tested)) == list(range(len(y)))
    assert repr(safe) == f"SafeSplits: {len(y)} rows, 5000 of them distinct, in 4 folds"


def test_bad_input():
    with pytest.raises(ValueError, match=r"n_splits=3 must not exceed .* the rarest has 2"):
        safe_splits([[1.0], [1.0], [2.0], [3.0], [4.0], [5.0]], [1, 1, 1, 0, 0, 0], n_splits=3)
    with pytest.raises(ValueError, match="y must hold at least two classes"):
        safe_splits(X, Y * 0)
    with pytest.raises(ValueError, match="X must be the table that was split, 5000 rows; got 9"):
        list(safe_splits(X, Y).split(X[:9]))
