"""The cumulative link model among scikit-learn's tools, and what it refuses."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.ensemble import BaggingClassifier, StackingClassifier, VotingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.decision import CostThresholdClassifier
from skmetrics_ext.metrics import get_metric_scorer
from skmetrics_ext.ordinal import CumulativeLinkClassifier, encode_order

RNG = np.random.default_rng(0)
ORDER = ["mild", "moderate", "severe", "fatal"]  # which is not the alphabet's
X = RNG.normal(size=(600, 3))
CODES = np.searchsorted([-2, 0.5, 3], X @ [2.0, -1.0, 0.0] + RNG.logistic(size=600))
WORDS = np.array(ORDER)[CODES]
MODEL = CumulativeLinkClassifier(class_order=ORDER).fit(X, WORDS)


# ---------------------------------------------------------------------------------------------
# scorers, searches, wrappers


@pytest.mark.parametrize("scoring", ["neg_log_loss", "roc_auc_ovr", "accuracy"])
def test_scorers_of_scikit_learn_read_the_columns_right(scoring):
    as_numbers = CumulativeLinkClassifier().fit(X, CODES)
    scorer = get_scorer(scoring)
    assert scorer(MODEL, X, WORDS) == pytest.approx(scorer(as_numbers, X, CODES), rel=1e-12)
    found = cross_validate(MODEL, X, WORDS, scoring=scoring, error_score="raise")["test_score"]
    assert np.isfinite(found).all()


def test_a_search_by_kappa_reads_the_order_of_the_model():
    search = GridSearchCV(
        make_pipeline(StandardScaler(), CumulativeLinkClassifier(class_order=ORDER)),
        {
            "cumulativelinkclassifier__alpha": [1e-2, 1e3],
            "cumulativelinkclassifier__link": ["logit", "cloglog"],
        },
        scoring=get_metric_scorer("weighted_kappa", weights="quadratic"),
        cv=3,
        error_score="raise",
    ).fit(X, WORDS)
    assert search.best_params_["cumulativelinkclassifier__alpha"] == 1e-2
    assert search.best_score_ > 0.6


@pytest.mark.parametrize("power", [1, 2])
def test_the_class_of_least_expected_cost(power):
    decider = CostThresholdClassifier(
        MODEL, cost_matrix=CostMatrix.ordinal(ORDER, power=power)
    ).fit(X, WORDS)
    cumulative = MODEL.predict_cumulative_proba(X)
    probabilities = np.diff(cumulative, axis=1, prepend=0)
    distance = np.abs(np.subtract.outer(range(4), range(4))) ** power
    best = (probabilities @ distance).argmin(axis=1)
    np.testing.assert_array_equal(decider.predict(X), np.array(ORDER)[best])
    if power == 1:
        median = MODEL.class_order_[(cumulative < 0.5).sum(axis=1)]
        np.testing.assert_array_equal(decider.predict(X), median)


META = [
    StackingClassifier([("ours", MODEL), ("other", LogisticRegression())], cv=3),
    VotingClassifier([("ours", MODEL), ("other", LogisticRegression())], voting="soft"),
    BaggingClassifier(MODEL, n_estimators=3, random_state=0),
]


@pytest.mark.parametrize("outer", META, ids=lambda m: type(m).__name__)
def test_a_meta_estimator_that_passes_codes_is_found_out(outer):
    with pytest.raises(ValueError, match=r"look like codes.*encode_order\(y, class_order\)"):
        clone(outer).fit(X, WORDS)


@pytest.mark.parametrize("outer", META, ids=lambda m: type(m).__name__)
def test_ranks_are_the_way_through(outer):
    outer = clone(outer)
    parameter = "estimator" if isinstance(outer, BaggingClassifier) else "ours"
    outer.set_params(**{f"{parameter}__class_order": None})
    outer.fit(X, encode_order(WORDS, ORDER))
    answers = np.array(ORDER)[outer.predict(X)]
    assert (answers == WORDS).mean() > 0.5


def test_clone_pickle_and_repr():
    copied = pickle.loads(pickle.dumps(MODEL))
    np.testing.assert_array_equal(copied.predict_proba(X), MODEL.predict_proba(X))
    again = clone(MODEL).fit(X, WORDS)
    np.testing.assert_array_equal(again.coef_, MODEL.coef_)
    text = repr(CumulativeLinkClassifier("probit", alpha=0))
    assert text == "CumulativeLinkClassifier(alpha=0, link='probit')"
    summary = pickle.loads(pickle.dumps(CumulativeLinkClassifier(alpha=0).fit(X, CODES))).summary()
    assert summary.rows[0].se > 0


def test_everything_but_the_link_is_named():
    with pytest.raises(TypeError, match="positional"):
        CumulativeLinkClassifier("logit", 1.0)


@pytest.mark.parametrize("routing", [False, True])
def test_weights_through_a_search(routing):
    with sklearn.config_context(enable_metadata_routing=routing):
        model = CumulativeLinkClassifier()
        if routing:
            model.set_fit_request(sample_weight=True).set_score_request(sample_weight=False)
        w = (CODES < 3).astype(float)
        search = GridSearchCV(model, {"alpha": [1.0]}, cv=3).fit(X, CODES, sample_weight=w)
    assert search.best_estimator_.classes_.tolist() == [0, 1, 2]


# ---------------------------------------------------------------------------------------------
# what rows and targets may be


@pytest.mark.parametrize(
    "frame", [pd.DataFrame(X, columns=list("abc")), pl.DataFrame(X, schema=list("abc"))]
)
def test_frames(frame):
    model = CumulativeLinkClassifier(class_order=ORDER).fit(frame, WORDS)
    np.testing.assert_allclose(model.coef_, MODEL.coef_, rtol=1e-12)
    np.testing.assert_allclose(model.predict_proba(frame), MODEL.predict_proba(X), rtol=1e-12)
    assert model.feature_names_in_.tolist() == list("abc")
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(frame[["b", "a", "c"]])


def test_set_output_of_a_pipeline_reaches_it_with_names():
    pipeline = make_pipeline(StandardScaler(), CumulativeLinkClassifier(class_order=ORDER))
    pipeline.set_output(transform="pandas").fit(pd.DataFrame(X, columns=list("abc")), WORDS)
    assert pipeline[-1].feature_names_in_.tolist() == list("abc")


@pytest.mark.parametrize(
    "y",
    [
        pd.Series(pd.Categorical(WORDS, categories=ORDER, ordered=True)),
        pd.Categorical(WORDS, categories=ORDER, ordered=True),
        pl.Series(WORDS.tolist(), dtype=pl.Enum(ORDER)),
    ],
    ids=["Series", "Categorical", "Enum"],
)
def test_an_ordered_dtype_brings_its_order(y):
    model = CumulativeLinkClassifier().fit(X, y)
    assert model.class_order_.tolist() == ORDER
    np.testing.assert_array_equal(model.coef_, MODEL.coef_)


def test_a_large_fortran_array_and_float32():
    np.testing.assert_array_equal(
        CumulativeLinkClassifier().fit(np.asfortranarray(X), CODES).coef_,
        CumulativeLinkClassifier().fit(X, CODES).coef_,
    )
    single = CumulativeLinkClassifier().fit(X.astype(np.float32), CODES)
    assert single.coef_.dtype == np.float64


def test_the_fit_leaves_its_input_alone():
    rows, y, w = X.copy(), CODES.copy(), np.ones(600)
    for array in (rows, y, w):
        array.setflags(write=False)
    CumulativeLinkClassifier().fit(rows, y, w)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"link": "logistic"}, r"link must be one of \['logit', .*; got 'logistic'"),
        ({"alpha": -1}, "alpha must be a number, 0 or more; got -1"),
        ({"alpha": "1"}, "alpha must be a number, 0 or more; got '1'"),
        ({"alpha": np.nan}, "alpha must be a number, 0 or more; got nan"),
        ({"alpha": True}, "alpha must be a number, 0 or more; got True"),
        ({"max_iter": 0}, "max_iter must be a whole number, 1 or more; got 0"),
        ({"max_iter": 10.0}, r"max_iter must be a whole number, 1 or more; got 10\.0"),
        ({"tol": 0}, "tol must be a number above 0; got 0"),
        ({"tol": None}, "tol must be a number above 0; got None"),
        ({"class_order": [0, 1]}, r"class_order=\[0, 1\] does not name: \[2, 3\]"),
        ({"class_order": [0, 1, 1, 2, 3]}, "class_order must name each class once"),
    ],
)
def test_parameters_out_of_range(params, message):
    with pytest.raises(ValueError, match=message):
        CumulativeLinkClassifier(**params).fit(X, CODES)


@pytest.mark.parametrize(
    ("rows", "y", "w", "message"),
    [
        (X, CODES, np.where(CODES == 1, -1, 1), "sample_weight must not be negative; the lowest"),
        (X, CODES, np.zeros(600), "sample_weight must not be zero for every row"),
        (X, CODES, np.ones(599), "sample_weight must have one weight per row"),
        (X, np.zeros(600, dtype=int), None, r"at least two classes; got one class only: \[0\]"),
        (X, CODES, CODES == 2, r"at least two classes; got one class only: \[2\]"),
        (X, CODES / 3, None, "continuous"),
        (X, np.where(CODES == 1, np.nan, CODES), None, "missing value"),
        (X, CODES[:-1], None, "inconsistent numbers of samples"),
        (X, None, None, "requires y to be passed, but the target y is None"),
        (np.where(X > 2, np.nan, X), CODES, None, "Input X contains NaN"),
        (np.where(X > 2, np.inf, X), CODES, None, "Input X contains infinity"),
        (X[:, 0], CODES, None, "Expected 2D array, got 1D array"),
    ],
)
def test_rows_that_cannot_be_fitted(rows, y, w, message):
    with pytest.raises(ValueError, match=message):
        CumulativeLinkClassifier().fit(rows, y, w)


def test_sparse_rows_are_refused_with_the_usual_words():
    with pytest.raises(TypeError, match="Sparse data was passed"):
        CumulativeLinkClassifier().fit(csr_array(X), CODES)


METHODS = ["predict", "predict_proba", "predict_log_proba", "predict_latent"]


@pytest.mark.parametrize("method", [*METHODS, "predict_cumulative_proba"])
def test_before_fit_and_with_other_columns(method):
    with pytest.raises(NotFittedError, match="not fitted yet"):
        getattr(CumulativeLinkClassifier(), method)(X)
    with pytest.raises(ValueError, match="X has 2 features, but CumulativeLinkClassifier"):
        getattr(MODEL, method)(X[:, :2])


def test_before_fit_there_is_nothing_to_infer():
    with pytest.raises(NotFittedError):
        CumulativeLinkClassifier(alpha=0).summary()
    with pytest.raises(NotFittedError):
        CumulativeLinkClassifier().test_proportional_odds(X, CODES)
