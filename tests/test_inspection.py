"""From a number back to the rows behind it."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skmetrics_ext.inspection import WorstErrors, rows_in_cell, worst_errors

try:
    import pyarrow as pa
except ImportError:  # pyarrow asks for a newer numpy than the oldest that is allowed here
    pa = None

TRUE = ["ill", "well", "ill", "well", "ill"]
PRED = ["well", "well", "ill", "ill", "well"]
MAKERS = {
    "list": list,
    "numpy": np.array,
    "object": lambda v: np.array(v, dtype=object),
    # An index of its own: positions are answered, not names.
    "pandas": lambda v: pd.Series(v, index=range(100, 100 + len(v))),
    "categorical": lambda v: pd.Series(v, dtype="category"),
    "polars": pl.Series,
} | ({} if pa is None else {"pyarrow": pa.array})


@pytest.mark.parametrize("make_pred", MAKERS.values(), ids=MAKERS)
@pytest.mark.parametrize("make_true", MAKERS.values(), ids=MAKERS)
def test_rows_of_a_cell_from_any_library(make_true, make_pred):
    found = rows_in_cell(make_true(TRUE), make_pred(PRED), true="ill", predicted="well")
    assert found.tolist() == [0, 4]
    assert found.dtype.kind == "i"


@given(st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 3)), min_size=1, max_size=60))
def test_every_row_stands_in_the_cell_where_sklearn_counts_it(rows):
    y_true, y_pred = np.array(rows).T
    labels = np.array([3, 9, 2, -1, 1, 0])
    cells = [
        [rows_in_cell(y_true, y_pred, true=i, predicted=j, labels=labels) for j in labels]
        for i in labels
    ]
    sizes = [[len(cell) for cell in row] for row in cells]
    assert sizes == confusion_matrix(y_true, y_pred, labels=labels).tolist()
    everything = np.concatenate([cell for row in cells for cell in row])
    assert sorted(everything.tolist()) == list(range(len(rows)))
    for i, row in zip(labels, cells, strict=True):
        for j, cell in zip(labels, row, strict=True):
            assert (y_true[cell] == i).all()
            assert (y_pred[cell] == j).all()
            assert (np.diff(cell) > 0).all()


def test_labels_are_met_by_their_value():
    y_true, y_pred = np.array([True, False, True]), [1.0, 1.0, 0.0]
    assert rows_in_cell(y_true, y_pred, true=1, predicted=np.False_).tolist() == [2]
    assert rows_in_cell(["a"], ["b"], true=np.str_("a"), predicted="b").tolist() == [0]


def test_a_cell_may_be_empty_and_an_answer_may_be_no_class():
    assert rows_in_cell(TRUE, PRED, true="well", predicted="well").tolist() == [1]
    assert rows_in_cell(TRUE, TRUE, true="well", predicted="ill").tolist() == []
    everything = ["ill", "refer", "well"]
    assert rows_in_cell(TRUE, PRED, true="refer", predicted="ill", labels=everything).size == 0
    assert rows_in_cell(["ill", "well"], ["refer", "well"], true="ill", predicted="refer") == [0]
    ordered = pd.Categorical(["low", "low"], ["low", "mid", "high"], ordered=True)
    assert rows_in_cell(ordered, ordered, true="mid", predicted="high").size == 0


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"true": "sick", "predicted": "ill"}, r"true='sick' is not a label; .* \['ill', 'well'\]"),
        ({"true": "ill", "predicted": 0}, r"predicted=0 is not a label; .* are \['ill', 'well'\]"),
        (
            {"true": "ill", "predicted": "ill", "labels": ["ill"]},
            r"not among \['ill'\]: \['well'\]",
        ),
        ({"true": "ill", "predicted": "ill", "labels": ["ill", "ill"]}, "name each class once"),
    ],
)
def test_unknown_labels_are_refused(asked, message):
    with pytest.raises(ValueError, match=message):
        rows_in_cell(TRUE, PRED, **asked)


@pytest.mark.parametrize(
    ("y_true", "y_pred", "message"),
    [
        ([0, 1], [0], "same number of rows; y_true has 2, y_pred has 1"),
        ([], [], "y_true is empty"),
        ([0, 1], [0.2, 0.9], "y_pred must hold class labels, but it is continuous"),
        ([0, None], [0, 1], "y_true has 1 missing value"),
        ([0, 1], ["0", "1"], "same type"),
        ([[0, 1]], [0, 1], "y_true must be one-dimensional"),
    ],
)
def test_bad_columns_are_refused(y_true, y_pred, message):
    with pytest.raises(ValueError, match=message):
        rows_in_cell(y_true, y_pred, true=0, predicted=1)


def test_of_many_labels_twenty_are_listed():
    with pytest.raises(ValueError, match=r"18, 19\] and 80 more\.$"):
        rows_in_cell(range(100), range(100), true=100, predicted=0)


# -- the worst ---------------------------------------------------------------------------------


def brute_force(y_true, proba, labels):
    """The mistakes by sorting tuples."""
    found = []
    for row, (label, p) in enumerate(zip(y_true, proba, strict=True)):
        answer = max(range(len(p)), key=lambda k: (p[k], -k))
        if labels[answer] != label:
            left = p[list(labels).index(label)]
            found.append((-p[answer], left, row, label, labels[answer]))
    return sorted(found)


@pytest.mark.parametrize("n", [1, 5, 1000])
@pytest.mark.parametrize("words", [False, True])
def test_worst_errors_are_those_of_brute_force(rng, n, words):
    labels = ["a", "b", "c"] if words else [-1, 0, 7]
    proba = rng.multinomial(8, [0.4, 0.3, 0.3], size=200) / 8  # many ties
    y_true = rng.choice(labels, 200)
    errors = worst_errors(y_true, proba, n=n)
    expected = brute_force(y_true.tolist(), proba.tolist(), labels)
    assert errors.n_errors == len(expected)
    assert errors.n_samples == 200
    assert len(errors) == min(n, len(expected))
    columns = [-errors.proba_predicted, errors.proba_true, errors.position]
    columns += [errors.true, errors.predicted]
    assert list(zip(*[c.tolist() for c in columns], strict=True)) == expected[:n]


def test_the_rows_agree_with_the_cells_of_a_fitted_model():
    X, y = load_iris(return_X_y=True)
    y = np.array(["setosa", "versicolor", "virginica"])[y]
    model = LogisticRegression(max_iter=1000)
    proba = cross_val_predict(model, X, y, cv=5, method="predict_proba")
    predicted = cross_val_predict(model, X, y, cv=5)
    errors = worst_errors(y, proba, n=150)
    assert sorted(errors.position) == np.flatnonzero(predicted != y).tolist()
    assert errors.predicted.tolist() == predicted[errors.position].tolist()
    assert errors.true.tolist() == y[errors.position].tolist()
    one_kind = errors.position[(errors.true == "versicolor") & (errors.predicted == "virginica")]
    cell = rows_in_cell(y, predicted, true="versicolor", predicted="virginica")
    assert sorted(one_kind) == cell.tolist()


@pytest.mark.parametrize("positive", [0, 1])
def test_a_score_is_the_same_as_its_two_columns(positive):
    X, y = load_breast_cancer(return_X_y=True)
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X[::2], y[::2])
    proba = model.predict_proba(X)
    two = worst_errors(y, proba)
    one = worst_errors(y, proba[:, positive], pos_label=positive)
    assert len(two) > 3
    assert one.position.tolist() == two.position.tolist()
    assert one.predicted.tolist() == two.predicted.tolist()
    np.testing.assert_allclose(one.proba_predicted, two.proba_predicted, rtol=0, atol=1e-15)
    words = np.array(["malignant", "benign"])
    worded = worst_errors(
        words[y], proba[:, positive], labels=words, pos_label=str(words[positive])
    )
    assert worded.position.tolist() == two.position.tolist()
    assert worded.true.tolist() == words[two.true].tolist()


def test_one_is_positive_unasked_and_the_first_class_wins_a_tie():
    errors = worst_errors([0, 1, 1, 0], [0.9, 0.25, 0.5, 0.5])
    assert errors.position.tolist() == [0, 1, 2]
    assert errors.proba_true.tolist() == pytest.approx([0.1, 0.25, 0.5])
    assert errors.proba_predicted.tolist() == [0.9, 0.75, 0.5]
    assert worst_errors([1, 1], [0.2, 0.8], labels=[0, 1]).true.tolist() == [1]
    assert worst_errors([True, False], [0.2, 0.3]).predicted.tolist() == [False]


def test_labels_in_the_order_of_the_columns():
    proba = [[0.9, 0.1, 0.0], [0.2, 0.3, 0.5]]
    errors = worst_errors(["x", "x"], proba, labels=["z", "x", "y"])
    assert errors.predicted.tolist() == ["z", "y"]
    assert errors.proba_true.tolist() == pytest.approx([0.1, 0.3])


@pytest.mark.parametrize(
    "make", [np.array, pd.DataFrame, lambda v: pl.DataFrame(v, orient="row"), list]
)
def test_probabilities_from_any_library(make):
    proba = [[0.9, 0.1], [0.8, 0.2], [0.4, 0.6]]
    assert worst_errors([0, 1, 0], make(proba)).position.tolist() == [1, 2]


@pytest.mark.parametrize("make", [np.float32, list, pd.Series, pl.Series])
def test_scores_from_any_library(make):
    assert worst_errors([0, 1, 0], make([0.1, 0.2, 0.6])).position.tolist() == [1, 2]


PROBA = [[0.9, 0.1], [0.2, 0.8], [0.4, 0.6]]


@pytest.mark.parametrize(
    ("y_true", "y_proba", "more", "message"),
    [
        ([0, 1, 1], PROBA[:2], {}, "same number of rows; y_true has 3, y_proba has 2"),
        ([0, 1, 2], PROBA, {}, r"2 columns of y_proba; y_true holds 3: .* labels=estimator.cl"),
        ([0, 0, 0], PROBA, {}, r"2 columns of y_proba; y_true holds 1: \[0\]"),
        ([0, 1, 1], PROBA, {"labels": [0, 1, 2]}, r"2 columns of y_proba; it names 3"),
        ([0, 1, 2], PROBA, {"labels": [0, 1]}, r"not among \[0, 1\]: \[2\]"),
        ([0, 1, 1], [[0.9, 0.2], *PROBA[1:]], {}, r"1 of 3 rows do not, such as row 0, .* to 1.1"),
        ([0, 1, 1], [[0.9, 0.0], *PROBA[1:]], {}, r"such as row 0, which sums to 0.9\."),
        ([0, 1, 1], [[1.1, -0.1], *PROBA[1:]], {}, "not be negative; the lowest value is -0.1"),
        ([0, 1, 1], [[np.nan, 0.1], *PROBA[1:]], {}, "finite; 1 of 3 rows"),
        ([0, 1, 1], [[None, 0.1], *PROBA[1:]], {}, "finite; 1 of 3 rows"),
        ([0, 1, 1], [["a", "b"]] * 3, {}, "y_proba must hold numbers"),
        ([0, 1, 1], [[0.1], [0.2], [0.3]], {}, r"two classes; got an array of shape \(3, 1\)"),
        ([0, 1, 1], np.ones((3, 2, 2)) / 2, {}, r"got an array of shape \(3, 2, 2\)"),
        ([0, 1, 1], 0.5, {}, r"got an array of shape \(\)"),
        ([0, 1, 1], [0.1, 0.2], {}, r"one score per row, shape \(3,\); got shape \(2,\)"),
        ([0, 1, 1], [0.1, 0.2, 3.0], {}, "between 0 and 1; 1 of 3 are outside, such as 3.0"),
        ([0, 1, 1], [0.1, 0.2, np.nan], {}, "1 of 3 scores are NaN"),
        (["a", "b", "b"], [0.1, 0.2, 0.3], {}, "pos_label must name the positive class"),
        (["a", "b", "b"], [0.1, 0.2, 0.3], {"pos_label": "c"}, r"'c' is not a class; .*'a', 'b'"),
        ([0, 1, 2], [0.1, 0.2, 0.3], {}, r"is for two classes; y_true holds 3: \[0, 1, 2\]"),
        ([1, 1, 1], [0.1, 0.2, 0.3], {}, r"two classes; y_true holds 1: \[1\]. Name both by"),
        ([0, 1, 1], PROBA, {"pos_label": 1}, r"pos_label=1 is for y_proba of shape \(n_samples,\)"),
        ([0, 1, 1], PROBA, {"n": 0}, "n must be a whole number, 1 or more; got 0"),
        ([0, 1, 1], PROBA, {"n": 2.5}, "n must be a whole number, 1 or more; got 2.5"),
        ([0, 1, 1], PROBA, {"n": True}, "n must be a whole number, 1 or more; got True"),
        ([0, 1, np.nan], PROBA, {}, "y_true has 1 missing value"),
    ],
)
def test_bad_input_of_worst_errors(y_true, y_proba, more, message):
    with pytest.raises(ValueError, match=message):
        worst_errors(y_true, y_proba, **more)


def test_printed_digits_are_enough():
    errors = worst_errors([0, 1], [[0.333, 0.6665], [0.5, 0.5]])
    assert errors.proba_predicted.tolist() == [0.6665, 0.5]  # as they were given


# -- shown -------------------------------------------------------------------------------------

EVIL = "<script>&"


@pytest.fixture
def shown():
    proba = [[0.9996, 0.0004], [0.75, 0.25], [0.4, 0.6], [0.99, 0.01]]
    return worst_errors(["z", "z", EVIL, EVIL], proba, n=2)


def test_printed_as_a_table(shown):
    assert repr(shown) == str(shown)
    assert str(shown).split("\n") == [
        "2 of 3 mistakes in 4 rows, the most confident first",
        "position  true  predicted  P(predicted)  P(true)",
        "       0     z  <script>&         1.000   0.0004",
        "       1     z  <script>&         0.750    0.250",
    ]


def test_html_is_escaped(shown):
    html = shown._repr_html_()
    assert EVIL not in html
    assert html.count("<td>&lt;script&gt;&amp;</td>") == 2
    assert "2 of 3 mistakes in 4 rows" in html
    cells = re.findall("<td>(.*?)</td>", html)
    assert cells[:5] == ["0", "z", "&lt;script&gt;&amp;", "1.000", "0.0004"]
    assert len(cells) == 10


def test_labels_that_are_numbers_are_not_taken_for_probabilities():
    errors = worst_errors([2.0, 3.0], [[0.1, 0.9], [0.1, 0.9]])
    assert repr(errors).split("\n")[2].split() == ["0", "2.0", "3.0", "0.900", "0.100"]


def test_columns_and_frames(shown):
    columns = shown.columns()
    assert list(columns) == ["position", "true", "predicted", "proba_predicted", "proba_true"]
    assert all(isinstance(c, np.ndarray) and len(c) == len(shown) == 2 for c in columns.values())
    frame = shown.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert frame["position"].tolist() == [0, 1]
    assert frame["true"].tolist() == ["z", "z"]
    assert isinstance(shown.to_frame("polars"), pl.DataFrame)
    if pa is not None:
        assert shown.to_frame("pyarrow").to_pydict() == {k: v.tolist() for k, v in columns.items()}
    with pytest.raises(ValueError, match="backend must be one of"):
        shown.to_frame("excel")


def test_no_mistakes():
    errors = worst_errors([0, 1], [[0.9, 0.1], [0.2, 0.8]])
    assert isinstance(errors, WorstErrors)
    assert len(errors) == errors.n_errors == 0
    assert repr(errors) == "no mistakes in 2 rows"
    assert errors._repr_html_() == "<p>no mistakes in 2 rows</p>"
    assert len(errors.to_frame()) == 0
    assert repr(worst_errors([1], [0.2], labels=[0, 1])).startswith("1 mistake in 1 row, the")
