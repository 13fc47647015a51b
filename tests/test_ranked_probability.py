"""The loss of ranked probabilities, and its scorer: which column is which class."""

import json
import pickle
import re
from copy import deepcopy
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.decision import CostThresholdClassifier
from skmetrics_ext.metrics import (
    expected_cost_loss,
    ranked_probability_loss,
    ranked_probability_scorer,
)
from skmetrics_ext.ordinal import OrdinalDecompositionClassifier

PUBLISHED = json.loads((Path(__file__).parent / "data" / "ordinal_metrics.json").read_text())
SIZES = ["small", "medium", "large"]
PROBA = np.array([[0.2, 0.5, 0.3], [0.1, 0.1, 0.8], [0.6, 0.4, 0.0]])
TRUTH = ["medium", "large", "medium"]
# By hand, over the two cuts: 0.2^2 + 0.3^2, 0.1^2 + 0.2^2, 0.6^2 + 0.
BY_HAND = np.array([0.13, 0.05, 0.36])


@st.composite
def cases(draw):
    """Ranks, rows of probabilities and weights of K classes."""
    K, n = draw(st.integers(2, 7)), draw(st.integers(1, 20))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return K, rng.integers(0, K, n), rng.dirichlet(np.full(K, 0.5), n), rng.gamma(1.0, 1.0, n)


# ---------------------------------------------------------------------------------------------
# the value


@pytest.mark.parametrize("kind", ["unweighted", "weighted"])
def test_published(kind):
    weight = PUBLISHED["sample_weight"] if kind == "weighted" else None
    given = PUBLISHED["y_true"], PUBLISHED["proba"]
    loss = ranked_probability_loss(*given, sample_weight=weight)
    assert loss == pytest.approx(PUBLISHED[kind]["rps_sum"], rel=1e-12)
    assert isinstance(loss, float)
    mean = ranked_probability_loss(*given, normalize=True, sample_weight=weight)
    assert mean == pytest.approx(PUBLISHED[kind]["rps_div_K-1"], rel=1e-12)


def test_by_hand():
    loss = ranked_probability_loss(TRUTH, PROBA, labels=SIZES)
    assert loss == pytest.approx(BY_HAND.mean(), rel=1e-14)
    weighted = ranked_probability_loss(TRUTH, PROBA, labels=SIZES, sample_weight=[1, 0, 3])
    assert weighted == pytest.approx((0.13 + 3 * 0.36) / 4, rel=1e-14)
    for k in range(3):
        one = ranked_probability_loss(TRUTH[k : k + 1], PROBA[[k]], labels=SIZES, normalize=True)
        assert one == pytest.approx(BY_HAND[k] / 2, rel=1e-14)


@given(cases())
def test_it_is_the_integral_over_the_line(case):
    """The continuous ranked probability score of a distribution on the ranks 0 to K - 1."""
    K, ranks, proba, _ = case
    row, rank = proba[0], ranks[0]

    def integrand(x):
        return (row[: int(np.floor(x)) + 1].sum() - (rank <= x)) ** 2

    integral = sum(quad(integrand, k, k + 1)[0] for k in range(K - 1))
    loss = ranked_probability_loss([rank], [row], labels=range(K))
    assert loss == pytest.approx(integral, abs=1e-9)


@given(cases())
def test_two_classes_are_the_brier_score(case):
    _, ranks, _, weight = case
    y = ranks % 2
    p = np.random.default_rng(len(y)).random(len(y))
    loss = ranked_probability_loss(y, np.column_stack([1 - p, p]), labels=[0, 1])
    assert loss == pytest.approx(np.mean((p - y) ** 2), abs=1e-12)
    if len(set(y)) == 2:
        both = np.column_stack([1 - p, p])
        weighted = ranked_probability_loss(y, both, sample_weight=weight)
        expected = brier_score_loss(y, p, sample_weight=weight)
        assert weighted == pytest.approx(expected, abs=1e-12)


@given(cases())
def test_a_sure_answer_is_charged_its_distance(case):
    K, ranks, _, weight = case
    answer = np.roll(ranks, 1)
    loss = ranked_probability_loss(ranks, np.eye(K)[answer], labels=range(K), sample_weight=weight)
    distance = np.abs(np.subtract.outer(np.arange(K), np.arange(K)))
    expected = expected_cost_loss(
        ranks, answer, cost_matrix=distance, labels=range(K), sample_weight=weight
    )
    assert loss == pytest.approx(expected, abs=1e-12)


@given(cases())
def test_turned_around_it_is_the_same(case):
    K, ranks, proba, weight = case
    loss = ranked_probability_loss(ranks, proba, labels=range(K), sample_weight=weight)
    back = ranked_probability_loss(
        K - 1 - ranks, proba[:, ::-1], labels=range(K), sample_weight=weight
    )
    assert loss == pytest.approx(back, abs=1e-12)
    assert 0 <= loss <= K - 1


@given(cases())
def test_proper_nothing_beats_the_truth(case):
    """Expected over labels drawn from p, no other q has a lower loss than p."""
    K, _, proba, _ = case
    p = proba[0]
    q = 0.5 * p + 0.5 / K

    def expected(said):
        return ranked_probability_loss(range(K), [said] * K, labels=range(K), sample_weight=p)

    assert expected(p) <= expected(q) + 1e-12


def test_integer_weights_are_repeated_rows(rng):
    y, proba, weight = rng.integers(0, 4, 30), rng.dirichlet(np.ones(4), 30), rng.integers(0, 3, 30)
    weighted = ranked_probability_loss(y, proba, labels=range(4), sample_weight=weight)
    repeated = ranked_probability_loss(
        np.repeat(y, weight), np.repeat(proba, weight, axis=0), labels=range(4)
    )
    assert weighted == pytest.approx(repeated, rel=1e-12)


# ---------------------------------------------------------------------------------------------
# classes and their order


def test_absent_classes_between_count():
    y, proba = [0, 1, 5], np.eye(6)[[0, 2, 1]]
    assert ranked_probability_loss(y, proba, labels=range(6)) == pytest.approx((0 + 1 + 4) / 3)
    # Without them 5 is next to 1.
    assert ranked_probability_loss(y, np.eye(3)[[0, 2, 1]]) == pytest.approx(2 / 3)


def test_numbers_need_no_labels_and_words_do():
    y = [5, 3, 9]
    assert ranked_probability_loss(y, PROBA) == ranked_probability_loss(y, PROBA, labels=[3, 5, 9])
    assert ranked_probability_loss(["a", "b"], [[1, 0], [0.5, 0.5]]) == 0.125
    assert ranked_probability_loss([False, True], [[1, 0], [0.5, 0.5]]) == 0.125
    with pytest.raises(ValueError, match=r"ranked_probability_loss depends on the order.*labels="):
        ranked_probability_loss(["small", "medium", "large"], PROBA)


@pytest.mark.parametrize(
    "make",
    [
        lambda y: pd.Series(pd.Categorical(y, categories=SIZES, ordered=True)),
        lambda y: pl.Series(y, dtype=pl.Enum(SIZES)),
    ],
    ids=["pandas", "polars"],
)
def test_an_ordered_dtype_orders_named_columns_only(make):
    """Of bare columns nobody knows whether they follow the dtype or the alphabet."""
    y = make(TRUTH)
    with pytest.raises(ValueError, match="the columns of y_proba have no names"):
        ranked_probability_loss(y, PROBA)
    alphabetical = pd.DataFrame(PROBA[:, [2, 1, 0]], columns=["large", "medium", "small"])
    assert ranked_probability_loss(y, alphabetical) == pytest.approx(BY_HAND.mean())
    assert ranked_probability_loss(y, PROBA, labels=SIZES) == pytest.approx(BY_HAND.mean())
    # An order that is the alphabet's leaves nothing open.
    grades = pd.Categorical(["A", "C", "B"], categories=["A", "B", "C"], ordered=True)
    assert ranked_probability_loss(grades, np.eye(3)[[0, 2, 1]]) == 0


@pytest.mark.parametrize(
    "make",
    [
        pd.DataFrame,
        lambda columns: pd.DataFrame(columns, index=["x", "y", "z"]),
        pl.DataFrame,
        pa.table,
    ],
    ids=["pandas", "pandas with an index", "polars", "pyarrow"],
)
def test_a_frame_is_read_by_name(make):
    frame = make({"large": PROBA[:, 2], "medium": PROBA[:, 1], "small": PROBA[:, 0]})
    loss = ranked_probability_loss(TRUTH, frame, labels=SIZES)
    assert loss == pytest.approx(BY_HAND.mean(), rel=1e-14)
    with pytest.raises(ValueError, match=r"words \['large', 'medium', 'small'\] have none"):
        ranked_probability_loss(TRUTH, frame)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_names_that_are_numbers(make):
    """Frames whose columns can be named by words only still name numbers."""
    frame = make({"5": PROBA[:, 2], "1": PROBA[:, 1], "0": PROBA[:, 0]})
    expected = ranked_probability_loss([1, 5, 1], PROBA, labels=[0, 1, 5])
    assert expected == pytest.approx(BY_HAND.mean())
    assert ranked_probability_loss([1, 5, 1], frame) == expected
    assert ranked_probability_loss([1.0, 5.0, 1.0], frame, labels=[0.0, 1.0, 5.0]) == expected
    words = ranked_probability_loss(["1", "5", "1"], frame, labels=["0", "1", "5"])
    assert words == expected
    flags = make({"True": [0.2, 0.5], "False": [0.8, 0.5]})
    assert ranked_probability_loss([True, True], flags) == pytest.approx((0.64 + 0.25) / 2)


def test_numbered_columns_are_in_the_order_of_labels():
    for frame in (pd.DataFrame(PROBA), pl.DataFrame(PROBA)):
        loss = ranked_probability_loss(TRUTH, frame, labels=SIZES)
        assert loss == pytest.approx(BY_HAND.mean())
    assert ranked_probability_loss([5, 7, 3], pd.DataFrame(np.eye(3)[[1, 2, 0]])) == 0
    # 0, 1 and 2 are names where the labels are among them.
    assert ranked_probability_loss([1, 2, 1], pd.DataFrame(PROBA)) == pytest.approx(BY_HAND.mean())
    with pytest.raises(ValueError, match=r"columns are called \[0, 1, 2\], and labels=\[2, 1, 0\]"):
        ranked_probability_loss([1, 2, 1], pd.DataFrame(PROBA), labels=[2, 1, 0])


@pytest.mark.parametrize("dtype", [np.float32, np.float16, object])
def test_any_numbers(dtype):
    loss = ranked_probability_loss(TRUTH, PROBA.astype(dtype), labels=SIZES)
    assert loss == pytest.approx(BY_HAND.mean(), abs=1e-3)
    assert ranked_probability_loss(TRUTH, PROBA.tolist(), labels=SIZES) == pytest.approx(0.18)


# ---------------------------------------------------------------------------------------------
# bad input


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"labels": SIZES[:2]}, r"y_true holds labels that are not among.*\['large'\]"),
        ({"labels": ["small", "medium", "medium"]}, "labels must name each class once"),
        ({"labels": [*SIZES, "huge"]}, "one column for each class.*'huge'.*; got 3 columns"),
        ({"y_true": ["large"] * 3, "labels": None}, r"at least two classes; got \['large'\] only"),
        ({"y_true": TRUTH[:2]}, "same number of rows; y_true has 2, y_proba has 3"),
        ({"y_true": ["medium", None, "large"]}, "y_true has 1 missing value"),
        ({"y_true": [0.5, 1, 2], "labels": None}, "y_true must hold class labels.*continuous"),
        ({"y_proba": PROBA[:, 0]}, r"one column per class; got an array of shape \(3,\)"),
        ({"y_proba": PROBA[:, :2] / PROBA[:, :2].sum(1)[:, None]}, "one column for each class"),
        ({"y_proba": PROBA - [0, 0.1, 0]}, "sum to 1 in each row; 3 of 3.*row 0.*sums to 0.9"),
        (
            {"y_proba": PROBA + np.array([[0, 0, 0], [0, 0, 0], [0.1, 0, -0.1]])},
            "1 of 3 rows do not, such as row 2, which holds -0.1",
        ),
        ({"y_proba": [[1, 0, 0], [2, -1, 0], [0, 0, 1]]}, "row 1, which holds 2.0"),
        ({"y_proba": [[1, 0, 0], [0, 1, 0], [0, np.nan, 1]]}, "row 2, which holds nan"),
        ({"y_proba": [[1, 0, 0], [0, 1], [0, 0, 1]]}, "y_proba must be a table of numbers"),
        ({"y_proba": [["a", "b", "c"]] * 3}, "y_proba must be a table of numbers"),
        ({"y_proba": np.ma.masked_less(PROBA, 0.1)}, "y_proba has 1 missing value"),
        (
            {"y_proba": pd.DataFrame(PROBA, columns=["small", "medium", "huge"])},
            r"the header of y_proba holds labels that are not among.*\['huge'\]",
        ),
        (
            {"y_proba": pd.DataFrame(PROBA, columns=["small", "medium", "small"])},
            "y_proba must name each class once",
        ),
        (
            {
                "y_proba": pd.DataFrame(PROBA[:, :2] / PROBA[:, :2].sum(1)[:, None]).set_axis(
                    SIZES[:2], axis=1
                )
            },
            r"one column for each class.*got the columns \['small', 'medium'\]",
        ),
        ({"sample_weight": [1, -1, 1]}, "sample_weight must not be negative"),
        ({"sample_weight": [0, 0, 0]}, "sample_weight must not be zero for every row"),
        ({"sample_weight": [1, 1]}, "sample_weight must have one weight per row"),
    ],
)
def test_bad_input(changed, message):
    given = {"y_true": TRUTH, "y_proba": PROBA, "labels": SIZES, "sample_weight": None} | changed
    with pytest.raises(ValueError, match=message):
        ranked_probability_loss(
            given["y_true"],
            given["y_proba"],
            labels=given["labels"],
            sample_weight=given["sample_weight"],
        )


def test_a_label_outside_labels_is_an_error():
    with pytest.raises(ValueError, match=r"not among \[0, 1\]: \[2\]"):
        ranked_probability_loss([0, 1, 2], np.full((3, 2), 0.5), labels=[0, 1])


# ---------------------------------------------------------------------------------------------
# the scorer


class Says(ClassifierMixin, BaseEstimator):
    """Answers the rows of X as probabilities, with an order or without."""

    def __init__(self, order=None):
        self.order = order

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        if self.order is not None:
            self.class_order_ = np.array(self.order)
        return self

    def predict(self, X):
        return self.classes_[np.argmax(X, axis=1)]

    def predict_proba(self, X):
        return np.asarray(X)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    return X, np.digitize(X[:, 0] + rng.normal(0, 0.7, 120), [-0.7, 0.1, 1.0])


def test_columns_are_put_in_the_order_of_the_estimator():
    # classes_ are sorted: large, medium, small.
    model = Says(SIZES).fit(PROBA, SIZES)
    scorer = ranked_probability_scorer()
    assert scorer(model, PROBA[:, [2, 1, 0]], TRUTH) == pytest.approx(-BY_HAND.mean())
    half = ranked_probability_scorer(normalize=True)
    assert half(model, PROBA[:, [2, 1, 0]], TRUTH) == pytest.approx(-BY_HAND.mean() / 2)
    weighted = scorer(model, PROBA[:, [2, 1, 0]], TRUTH, sample_weight=[1, 0, 3])
    assert weighted == pytest.approx(-(0.13 + 3 * 0.36) / 4)


def test_a_declared_class_that_was_not_seen_has_probability_0():
    model = Says(["tiny", *SIZES, "huge"]).fit(PROBA, SIZES)
    X = PROBA[:, [2, 1, 0]]
    full = np.column_stack([np.zeros(3), PROBA, np.zeros(3)])
    expected = -ranked_probability_loss(
        ["tiny", "huge", "small"], full, labels=["tiny", *SIZES, "huge"]
    )
    assert ranked_probability_scorer()(model, X, ["tiny", "huge", "small"]) == expected


@pytest.mark.parametrize(
    "wrap",
    [
        lambda model, X, y: make_pipeline(StandardScaler(), model).fit(X, y),
        lambda model, X, y: GridSearchCV(model, {"estimator__C": [1.0]}, cv=2).fit(X, y),
        lambda model, X, y: GridSearchCV(
            make_pipeline(StandardScaler(), model),
            {"ordinaldecompositionclassifier__estimator__C": [1.0]},
            cv=2,
        ).fit(X, y),
        lambda model, X, y: CostThresholdClassifier(
            model, cost_matrix=CostMatrix.ordinal(["low", "mid", "high", "top"])
        ).fit(X, y),
    ],
    ids=["pipeline", "search", "search of a pipeline", "inside another"],
)
def test_the_order_is_found_inside(wrap, data):
    X, codes = data
    order = ["low", "mid", "high", "top"]
    y = np.array(order)[codes]
    model = OrdinalDecompositionClassifier(LogisticRegression(), class_order=order)
    fitted = wrap(model, X, y)
    frame = pd.DataFrame(fitted.predict_proba(X), columns=fitted.classes_)
    expected = -ranked_probability_loss(y, frame, labels=order)
    assert ranked_probability_scorer()(fitted, X, y) == pytest.approx(expected, rel=1e-14)


def test_words_without_an_order_raise(data):
    X, codes = data
    y = np.array(["low", "mid", "high", "top"])[codes]
    model = LogisticRegression().fit(X, y)
    message = r"ranked_probability_scorer depends on the order of the classes, and the words"
    with pytest.raises(ValueError, match=message):
        ranked_probability_scorer()(model, X, y)
    named = ranked_probability_scorer(labels=["low", "mid", "high", "top"])(model, X, y)
    ordered = pd.Categorical(y, categories=["low", "mid", "high", "top"], ordered=True)
    assert ranked_probability_scorer()(model, X, pd.Series(ordered)) == named
    assert named == pytest.approx(
        ranked_probability_scorer()(LogisticRegression().fit(X, codes), X, codes), rel=1e-3
    )
    # An encoder between the labels and the order that is inside: not guessed either.
    calibrated = CalibratedClassifierCV(
        OrdinalDecompositionClassifier(
            LogisticRegression(), class_order=["low", "mid", "high", "top"]
        ),
        cv=2,
    ).fit(X, y)
    with pytest.raises(ValueError, match=message):
        ranked_probability_scorer()(calibrated, X, y)


def test_labels_must_cover_the_classes_of_the_model(data):
    X, y = data
    model = LogisticRegression().fit(X, y)
    with pytest.raises(ValueError, match=r"classes_ of the estimator holds labels.*\[3\]"):
        ranked_probability_scorer(labels=[0, 1, 2])(model, X, np.minimum(y, 2))
    with pytest.raises(ValueError, match=r"y_true holds labels that are not among"):
        ranked_probability_scorer(labels=range(4))(model, X, y + 1)
    with pytest.raises(ValueError, match="labels must name at least two classes"):
        ranked_probability_scorer(labels=[1])


def test_a_class_that_a_fold_lacks_is_known_all_the_same(data):
    X, y = data
    model = LogisticRegression().fit(X, y)
    low = y < 2
    expected = -ranked_probability_loss(y[low], model.predict_proba(X[low]), labels=range(4))
    assert ranked_probability_scorer()(model, X[low], y[low]) == expected
    partial = LogisticRegression().fit(X[low], y[low])
    proba = np.column_stack([partial.predict_proba(X), np.zeros((len(X), 2))])
    expected = -ranked_probability_loss(y, proba, labels=range(4))
    assert ranked_probability_scorer()(partial, X, y) == pytest.approx(expected, rel=1e-14)


def test_two_classes(data):
    X, codes = data
    for y in (codes > 1, np.where(codes > 1, "yes", "no")):
        model = LogisticRegression().fit(X, y)
        p = model.predict_proba(X)[:, 1]
        expected = -brier_score_loss(codes > 1, p)
        assert ranked_probability_scorer()(model, X, y) == pytest.approx(expected, rel=1e-12)


def test_in_cross_validation_and_searches(data):
    X, y = data
    scoring = {"rps": ranked_probability_scorer(), "loss": "neg_log_loss"}
    found = cross_validate(LogisticRegression(), X, y, cv=KFold(3), scoring=scoring)
    for (train, test), score in zip(KFold(3).split(X), found["test_rps"], strict=True):
        proba = LogisticRegression().fit(X[train], y[train]).predict_proba(X[test])
        assert score == pytest.approx(-ranked_probability_loss(y[test], proba, labels=range(4)))
    search = GridSearchCV(
        LogisticRegression(), {"C": [1e-5, 1.0]}, scoring=pickle.loads(pickle.dumps(scoring["rps"]))
    ).fit(X, y)
    assert search.best_params_ == {"C": 1.0}
    assert clone(search).scoring is not None


def test_weights_are_routed(data):
    X, y = data
    weight = np.arange(1.0, len(y) + 1)
    with config_context(enable_metadata_routing=True):
        scorer = deepcopy(ranked_probability_scorer()).set_score_request(sample_weight=True)
        model = LogisticRegression().set_fit_request(sample_weight=False)
        found = cross_val_score(
            model, X, y, cv=KFold(2), scoring=scorer, params={"sample_weight": weight}
        )
    for (train, test), score in zip(KFold(2).split(X), found, strict=True):
        proba = LogisticRegression().fit(X[train], y[train]).predict_proba(X[test])
        by_hand = -ranked_probability_loss(
            y[test], proba, labels=range(4), sample_weight=weight[test]
        )
        assert score == pytest.approx(by_hand, rel=1e-12)


def test_its_repr_says_how_it_is_made():
    assert repr(ranked_probability_scorer()) == (
        "ranked_probability_scorer(), negated: higher is better"
    )
    text = repr(ranked_probability_scorer(labels=SIZES, normalize=True))
    assert re.match(
        re.escape(f"ranked_probability_scorer(labels={SIZES}, normalize=True), negated"), text
    )
