"""Models in a cluster of Dask: joblib's backend does it, and nothing here is home-made."""

import joblib
import numpy as np
import pytest
from dask.distributed import Client, LocalCluster
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.decision import ExactThresholdClassifierCV
from skmetrics_ext.imbalance import compare_levers
from skmetrics_ext.metrics import cost_scorer

COST = CostMatrix.binary(false_negative=20, false_positive=1)
# Of Dask and its server, when a cluster goes away.
QUIET = pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)


@pytest.fixture(scope="module")
def cluster():
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def data():
    return make_classification(600, weights=[0.9], random_state=0)


@QUIET
def test_compare_levers(cluster, data):
    here = compare_levers(LogisticRegression(), *data, cost_matrix=COST, cv=3, random_state=0)
    with joblib.parallel_config(backend="dask"):
        there = compare_levers(LogisticRegression(), *data, cost_matrix=COST, cv=3, random_state=0)
    assert repr(there) == repr(here)


@QUIET
def test_the_exact_threshold(cluster, data):
    search = ExactThresholdClassifierCV(LogisticRegression(), scoring=cost_scorer(COST))
    here = search.fit(*data).best_threshold_
    with joblib.parallel_config(backend="dask"):
        assert search.fit(*data).best_threshold_ == here


@QUIET
def test_a_search_by_costs(cluster, data):
    grid = GridSearchCV(LogisticRegression(), {"C": [0.1, 1, 10]}, scoring=cost_scorer(COST))
    here = grid.fit(*data).cv_results_["mean_test_score"]
    with joblib.parallel_config(backend="dask"):
        np.testing.assert_allclose(grid.fit(*data).cv_results_["mean_test_score"], here)


@QUIET
def test_the_work_is_done_by_the_workers(cluster, data):
    def done():
        counts = cluster.run(lambda dask_worker: dask_worker.state.executed_count)
        return sum(counts.values())

    before = done()
    with joblib.parallel_config(backend="dask"):
        compare_levers(LogisticRegression(), *data, cost_matrix=COST, cv=3, random_state=0)
    assert done() > before
