"""CostMatrix: every way to say it, what it holds, and what it refuses."""

import copy
import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.model_selection import GridSearchCV

from skmetrics_ext.costs import CostMatrix

TUMOUR = CostMatrix.binary(
    false_negative=100, false_positive=1, pos_label="malignant", neg_label="benign"
)

costs_of = st.one_of(
    st.integers(-1000, 1000).map(float),
    st.floats(-1e6, 1e6, allow_nan=False),
)


def square(k, elements=costs_of):
    return st.lists(st.lists(elements, min_size=k, max_size=k), min_size=k, max_size=k)


# -- one meaning, many ways to say it -----------------------------------------------------------


@pytest.mark.parametrize(
    "said",
    [
        CostMatrix([[0, 100], [1, 0]], labels=["benign", "malignant"]),
        CostMatrix.from_confusion_layout([[0, 1], [100, 0]], labels=["benign", "malignant"]),
        CostMatrix.from_dict({("benign", "malignant"): 100, ("malignant", "benign"): 1}),
        CostMatrix.from_gains([[0, -100], [-1, 0]], labels=["benign", "malignant"]),
        CostMatrix.from_dict(
            {("benign", "malignant"): 100, ("malignant", "benign"): 1, ("benign", "benign"): 0},
            labels=["benign", "malignant"],
        ),
    ],
)
def test_all_ways_to_say_a_missed_tumour_costs_100_are_equal(said):
    assert said == TUMOUR
    np.testing.assert_array_equal(said.to_array(["benign", "malignant"]), [[0, 100], [1, 0]])
    np.testing.assert_array_equal(said.to_array(["malignant", "benign"]), [[0, 1], [100, 0]])


def test_binary_puts_each_outcome_where_elkan_has_it():
    cost = CostMatrix.binary(
        true_negative=1,
        false_negative=2,
        false_positive=3,
        true_positive=4,
        pos_label="sick",
        neg_label="well",
    )
    # rows: the prediction
    np.testing.assert_array_equal(cost.to_array(["well", "sick"]), [[1, 2], [3, 4]])
    assert cost.labels.tolist() == ["well", "sick"]
    assert cost.actions.tolist() == ["well", "sick"]
    assert cost.pos_label == "sick"


def test_ordinal_is_the_distance_in_ranks_over_the_largest():
    labels = [10, 20, 40, 80]
    for power in (1, 2, 0.5, 3):
        expected = [[abs(i - j) ** power / 3**power for j in range(4)] for i in range(4)]
        np.testing.assert_allclose(
            CostMatrix.ordinal(labels, power=power).to_array(), expected, rtol=1e-15
        )


def test_ordinal_ranks_follow_the_order_given_not_the_alphabet():
    cost = CostMatrix.ordinal(["low", "mid", "high"], power=1)
    # alphabetical: high, low, mid
    np.testing.assert_array_equal(
        cost.to_array(["high", "low", "mid"]), [[0, 1, 0.5], [1, 0, 0.5], [0.5, 0.5, 0]]
    )


@given(square(3), st.permutations([0, 1, 2]))
def test_to_array_permutes_by_label_never_by_position(array, order):
    names = np.array(["a", "b", "c"])
    cost = CostMatrix(array, labels=names).with_action("z", cost=[1, 2, 3])
    got = cost.to_array(names[order])
    for i in range(3):
        for j in range(3):
            assert got[i, j] == array[order[i]][order[j]]
    np.testing.assert_array_equal(got[3], np.array([1.0, 2.0, 3.0])[order])


@given(square(4), st.integers(0, 1), st.permutations([3, 5, 7, 9]))
def test_layouts_agree_with_pairs(array, transposed, labels):
    pairs = {(labels[i], labels[j]): array[i][j] for i in range(4) for j in range(4)}
    by_pairs = CostMatrix.from_dict(pairs, labels=labels)
    by_array = (
        CostMatrix.from_confusion_layout(np.transpose(array), labels=labels)
        if transposed
        else CostMatrix(array, labels=labels)
    )
    assert by_pairs == by_array
    assert by_pairs == CostMatrix.from_gains(-np.array(array), labels=labels)
    assert by_pairs == CostMatrix.from_dict(pairs)  # the order of the labels is no part of it


def test_unlabelled_arrays_mean_sorted_classes():
    cost = CostMatrix([[0, 7], [2, 0]])
    assert cost.labels is None
    assert cost.actions is None
    assert cost.pos_label is None
    np.testing.assert_array_equal(cost.to_array([1, 0]), [[0, 2], [7, 0]])
    np.testing.assert_array_equal(cost.to_array([0, 1]), [[0, 7], [2, 0]])


# -- the threshold ------------------------------------------------------------------------------


def test_threshold_of_the_tumours_is_one_in_101():
    assert TUMOUR.threshold == 1 / 101


positive_number = st.floats(1e-3, 1e3)


@given(positive_number, positive_number, costs_of, costs_of)
def test_threshold_is_where_the_two_risks_meet(false_alarm, miss, right_negative, right_positive):
    cost = CostMatrix.binary(
        true_negative=right_negative,
        false_positive=right_negative + false_alarm,
        true_positive=right_positive,
        false_negative=right_positive + miss,
    )
    (c00, c01), (c10, c11) = cost.to_array()
    p = cost.threshold
    if not (c10 > c00 and c01 > c11):  # the differences were rounded away
        assert np.isnan(p)
        return
    risk_negative = (1 - p) * c00 + p * c01
    risk_positive = (1 - p) * c10 + p * c11
    scale = np.abs([c00, c01, c10, c11]).max()
    assert abs(risk_negative - risk_positive) <= 1e-14 * scale + 1e-15
    assert 0 <= p <= 1


@pytest.mark.parametrize(
    "cost",
    [
        CostMatrix.binary(false_positive=1, true_negative=3, false_negative=1, true_positive=2),
        CostMatrix.binary(false_positive=1, true_negative=0, false_negative=0, true_positive=2),
        CostMatrix.binary(false_positive=0, false_negative=1),
        CostMatrix.ordinal([0, 1, 2]),
        CostMatrix([[0, 1], [1, 0]]).with_action(-1, cost=0.1),
    ],
)
def test_threshold_is_nan_where_no_threshold_decides(cost):
    assert np.isnan(cost.threshold)


def test_threshold_follows_the_positive_class_through_any_order():
    by_hand = 2 / (2 + 9)
    assert CostMatrix([[0, 9], [2, 0]]).threshold == by_hand  # the last class is positive
    assert CostMatrix([[0, 9], [2, 0]], labels=["legit", "fraud"]).threshold == by_hand
    assert CostMatrix([[0, 2], [9, 0]], labels=["fraud", "legit"]).threshold == 9 / 11


# -- mean cost ----------------------------------------------------------------------------------


class Counts:
    def __init__(self, w, labels, actions=None):
        self.w, self.labels = np.asarray(w), np.asarray(labels)
        self.actions = self.labels if actions is None else np.asarray(actions)


def test_mean_cost_is_the_sum_over_rows_over_their_number():
    rng = np.random.default_rng(0)
    labels, answers = ["b", "a", "c"], ["b", "a", "c", "ask"]
    array = rng.normal(size=(3, 3))
    cost = CostMatrix(array, labels=["a", "b", "c"]).with_action("ask", cost=[5, 6, 7])
    truth, answer = rng.choice(labels, 200), rng.choice(answers, 200)
    table = np.zeros((3, 4))
    total = 0.0
    where = {"a": 0, "b": 1, "c": 2}
    for t, a in zip(truth, answer, strict=True):
        table[labels.index(t), answers.index(a)] += 1
        total += [5, 6, 7][where[t]] if a == "ask" else array[where[a], where[t]]
    assert cost.mean_cost(Counts(table, labels, answers)) == pytest.approx(total / 200, rel=1e-12)


def test_mean_cost_has_the_truth_in_the_rows_of_the_counts():
    # 3 missed tumours among 10 rows
    counts = Counts([[7, 0], [3, 0]], ["benign", "malignant"])
    assert TUMOUR.mean_cost(counts) == 30.0
    assert isinstance(TUMOUR.mean_cost(counts), float)


def test_mean_cost_per_subgroup_and_nan_for_an_empty_one():
    stack = [[[7, 0], [3, 0]], [[0, 4], [0, 0]], [[0, 0], [0, 0]]]
    got = TUMOUR.mean_cost(Counts(stack, ["benign", "malignant"]))
    np.testing.assert_array_equal(got, [30, 1, np.nan])


def test_mean_cost_of_counts_that_never_declined():
    cost = CostMatrix([[0, 4], [2, 0]]).with_action(-1, cost=1)
    assert cost.mean_cost(Counts([[1, 1], [1, 1]], [0, 1])) == 1.5


def test_mean_cost_finds_actions_by_name():
    cost = CostMatrix([[0, 4], [2, 0]]).with_action(-1, cost=1).with_action(-2, cost=10)
    assert cost.mean_cost(Counts([[0, 0, 3], [0, 0, 1]], [0, 1], [0, 1, -2])) == 10
    assert cost.mean_cost(Counts([[0, 0, 3, 0], [0, 0, 0, 1]], [0, 1], [0, 1, -2, -1])) == 31 / 4


def test_mean_cost_at_other_priors():
    counts = Counts([[90, 10], [2, 8]], ["benign", "malignant"])
    counts.priors = np.array([0.99, 0.01])
    assert TUMOUR.mean_cost(counts) == pytest.approx(0.99 * 0.1 * 1 + 0.01 * 0.2 * 100, rel=1e-12)


def test_mean_cost_refuses_an_action_without_a_cost():
    counts = Counts([[1, 1, 1], [1, 1, 1]], ["benign", "malignant"], ["benign", "malignant", "lab"])
    with pytest.raises(ValueError, match=r"actions \['lab'\], which have no cost"):
        TUMOUR.mean_cost(counts)
    with pytest.raises(ValueError, match=r"\['odd'\] have no cost"):
        TUMOUR.mean_cost(Counts(np.eye(2), ["benign", "odd"]))


# -- a value: equal, immutable, picklable -------------------------------------------------------

label_lists = st.one_of(
    st.just(["fraud", "legit"]),
    st.just(["it's", 'say "x"', "<b>"]),
    st.just([0, 1, 2]),
    st.just([3.0, 1.0]),
    st.just([False, True]),
    st.just(np.array(["b", "a", "c"])),
    st.just(np.array([2, -1], dtype=np.int8)),
    st.just(np.array([0.0, 1.0], dtype=np.float32)),
    st.just(np.array([True, False])),
    st.just(None),
)


@st.composite
def matrices(draw):
    labels = draw(label_lists)
    k = draw(st.integers(2, 4)) if labels is None else len(labels)
    kind = draw(st.sampled_from(["array", "binary", "ordinal", "aligned"]))
    if kind == "binary":
        cells = [draw(costs_of) for _ in range(4)]
        names = ["false_positive", "false_negative", "true_positive", "true_negative"]
        neg, pos = (None, np.int64(1)) if k != 2 or labels is None else labels
        cost = CostMatrix.binary(**dict(zip(names, cells, strict=True)), pos_label=pos)
        if neg is not None:
            cost = CostMatrix.binary(
                **dict(zip(names, cells, strict=True)), pos_label=pos, neg_label=neg
            )
    elif kind == "ordinal" and labels is not None:
        cost = CostMatrix.ordinal(labels, power=draw(st.sampled_from([1, 2, 0.5, np.float64(1.5)])))
    else:
        cost = CostMatrix(draw(square(k)), labels=labels)
        if kind == "aligned" and labels is not None:
            cost = cost._aligned(np.asarray(labels)[::-1])
    known = cost.labels
    if draw(st.booleans()) and (known is None or known.dtype.kind != "b"):
        name = "refer" if known is None or known.dtype.kind in "UO" else -7
        extra = draw(st.one_of(costs_of, st.lists(costs_of, min_size=k, max_size=k)))
        if np.ndim(extra) == 0 or len(extra) == cost.to_array().shape[1]:
            cost = cost.with_action(name, cost=extra)
    return cost


@given(matrices())
@settings(max_examples=300)
def test_repr_is_one_line_that_evaluates_to_an_equal_matrix(cost):
    text = repr(cost)
    assert "\n" not in text
    again = eval(text, {"CostMatrix": CostMatrix})
    assert again == cost
    assert again.pos_label == cost.pos_label
    np.testing.assert_equal(again.threshold, cost.threshold)
    if cost.labels is not None:
        np.testing.assert_array_equal(again.to_array(cost.labels), cost.to_array())
        assert type(again.labels.tolist()[0]) is type(cost.labels.tolist()[0])


@given(matrices())
def test_pickle_and_deepcopy_keep_it_and_keep_it_read_only(cost):
    for again in (pickle.loads(pickle.dumps(cost)), copy.deepcopy(cost), clone(cost, safe=False)):
        assert again == cost
        assert repr(again) == repr(cost)
        assert not again.to_array().flags.writeable
        assert again.labels is None or not again.labels.flags.writeable


def test_a_pipeline_can_show_it():
    assert repr(TUMOUR) == (
        "CostMatrix.binary(false_positive=1, false_negative=100, pos_label='malignant', "
        "neg_label='benign')"
    )
    assert repr(CostMatrix([[0, 0.5], [1, 0]])) == "CostMatrix([[0, 0.5], [1, 0]])"
    assert repr(CostMatrix.ordinal(np.array([0, 1, 2]))) == "CostMatrix.ordinal([0, 1, 2], power=2)"
    assert repr(CostMatrix.binary(pos_label=np.str_("yes")).with_action("ask", cost=0.25)) == (
        "CostMatrix.binary(false_positive=1, false_negative=1, pos_label='yes')"
        ".with_action('ask', cost=0.25)"
    )


@pytest.mark.parametrize("classes", [["b", "a", "c"], ["c", "a"], ["a", "b", "c"]])
def test_repr_of_an_ordinal_matrix_for_other_classes(classes):
    cost = CostMatrix.ordinal(["a", "b", "c"])._aligned(np.array(classes))
    again = eval(repr(cost))
    assert again == cost
    np.testing.assert_array_equal(again.to_array(classes), cost.to_array())


def test_it_cannot_be_changed():
    array, labels = np.array([[0.0, 1.0], [2.0, 0.0]]), np.array([0, 1])
    cost = CostMatrix(array, labels=labels)
    array[:], labels[:] = 9, 9
    np.testing.assert_array_equal(cost.to_array(), [[0, 1], [2, 0]])
    assert cost.labels.tolist() == [0, 1]
    for held in (cost.to_array(), cost.to_array([1, 0]), cost.labels, cost.actions):
        with pytest.raises(ValueError, match="read-only"):
            held[0] = 5
    with pytest.raises(AttributeError):
        cost.labels = [1, 0]
    with pytest.raises(AttributeError):
        cost.note = "no"
    more = cost.with_action(-1, cost=1)
    assert more != cost
    assert cost.to_array().shape == (2, 2)


def test_equality_is_of_meaning():
    labelled = CostMatrix([[0, 1], [2, 0]], labels=[0, 1])
    assert labelled == CostMatrix([[0, 1], [2, 0]], labels=[0.0, 1.0])
    assert labelled != CostMatrix([[0, 2], [1, 0]], labels=[1, 0])  # the other one is positive
    assert labelled != CostMatrix([[0, 1], [2, 0]], labels=[1, 0])
    assert labelled != CostMatrix([[0, 1], [2, 0]])
    assert labelled != CostMatrix([[0, 1], [2, 0]], labels=["0", "1"])
    assert labelled.with_action(-1, cost=1) != labelled.with_action(-1, cost=2)
    assert labelled.with_action(-1, cost=1) != labelled.with_action(-2, cost=1)
    assert CostMatrix.binary(pos_label=1) != CostMatrix.binary(pos_label=2)
    assert CostMatrix.binary() != CostMatrix([[0, 1], [1, 0]])
    assert (labelled == "labelled") is False
    three = CostMatrix([[0, 1, 2], [3, 0, 4], [5, 6, 0]], labels=["a", "b", "c"])
    assert three == CostMatrix([[0, 5, 6], [2, 0, 4 - 3 + 0], [4, 3, 0]], labels=["c", "a", "b"])
    assert three != CostMatrix([[0, 5, 6], [2, 0, 9], [4, 3, 0]], labels=["c", "a", "b"])


def test_joblib_hash_is_stable():
    again = pickle.loads(pickle.dumps(TUMOUR))
    assert joblib.hash(TUMOUR) == joblib.hash(again)


class Constant(ClassifierMixin, BaseEstimator):
    def __init__(self, cost_matrix=None):
        self.cost_matrix = cost_matrix

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def test_a_grid_may_search_over_matrices():
    grid = [CostMatrix.binary(), TUMOUR, CostMatrix.ordinal([0, 1, 2]), None]
    search = GridSearchCV(Constant(), {"cost_matrix": grid}, cv=2)
    search.fit(np.zeros((8, 1)), [0, 1] * 4)
    assert search.cv_results_["param_cost_matrix"].tolist() == grid


# -- bad input ----------------------------------------------------------------------------------

BAD_ARRAYS = [
    ([1, 2], r"cost_matrix must be two-dimensional.*got shape \(2,\)"),
    (5, r"cost_matrix must be two-dimensional.*got shape \(\)"),
    (np.zeros((4, 2, 2)), r"two-dimensional.*got shape \(4, 2, 2\).*per_row"),
    ([[0, 1, 2], [1, 0, 2]], r"cost_matrix must be square.*got shape \(2, 3\).*with_action"),
    (np.zeros((0, 0)), r"cost_matrix must be square.*got shape \(0, 0\)"),
    ([[0, np.nan], [1, 0]], r"cost_matrix must be finite; got nan at position \[0, 1\]"),
    ([[0, 1], [np.inf, 0]], r"cost_matrix must be finite; got inf at position \[1, 0\]"),
    ([[0, -np.inf], [1, 0]], r"cost_matrix must be finite; got -inf at position \[0, 1\]"),
    ([[0, None], [1, 0]], r"cost_matrix must be finite; got nan at position \[0, 1\]"),
    ([[0, "1"], [1, 0]], r"cost_matrix must hold numbers"),
    (np.array([[0, "1"], [1, 0]], dtype=object), r"cost_matrix must hold numbers"),
    (np.array([[0, {}], [1, 0]], dtype=object), r"cost_matrix must hold numbers"),
    ([[0, 1j], [1, 0]], r"cost_matrix must hold numbers"),
    ([[0, 1], [1]], r"cost_matrix must be a rectangular array of numbers"),
    ("amount", r"cost_matrix must hold numbers; got 'amount'"),
]


@pytest.mark.parametrize(("array", "message"), BAD_ARRAYS)
def test_arrays_that_are_no_costs(array, message):
    with pytest.raises(ValueError, match=message):
        CostMatrix(array)
    with pytest.raises(ValueError, match=message):
        CostMatrix.from_confusion_layout(array)
    with pytest.raises(ValueError, match=message.replace("cost_matrix", "gains")):
        CostMatrix.from_gains(array)


def test_arrays_of_other_kinds_are_taken():
    expected = CostMatrix([[0, 1], [3, 0]])
    assert CostMatrix(pd.DataFrame([[0, 1], [3, 0]])) == expected
    assert CostMatrix(np.array([[0, 1], [3, 0]], dtype=np.int8)) == expected
    assert CostMatrix(np.array([[0, 1], [3, 0]], dtype=object)) == expected
    assert CostMatrix(((0, 1), (3, 0))) == expected
    assert CostMatrix([[False, True], [True, False]]) == CostMatrix([[0, 1], [1, 0]])


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["a"], r"labels must name each row and column.*got 1 labels \['a'\]"),
        (["a", "b", "c"], r"got 3 labels"),
        (["a", "a"], r"labels must name each class once"),
        (["a", None], r"labels has 1 missing value"),
        ([0.0, float("nan")], r"labels has 1 missing value"),
        (["a", 1], r"labels"),
        ([0.5, 1.5], r"labels"),
        ("ab", r"labels must be a one-dimensional"),
    ],
)
def test_labels_that_do_not_fit(labels, message):
    with pytest.raises((ValueError, TypeError), match=message):
        CostMatrix([[0, 1], [1, 0]], labels=labels)


@pytest.mark.parametrize(
    ("pairs", "labels", "message"),
    [
        ({("a", "b"): 1}, None, r"missing: \('b', 'a'\)"),
        ({("a", "b"): 1}, ["a", "b"], r"must name every mistake.*missing: \('b', 'a'\)"),
        ({("a", "b"): 1, ("b", "a"): 2}, ["a", "x"], r"costs names \['b'\].*labels=\['a', 'x'\]"),
        (
            {("a", "b"): 1, ("b", "a"): 2, ("ask", "a"): 1, ("ask", "b"): 1},
            None,
            r"missing: .*'ask'.*with_action",
        ),
        ({("a", "b"): float("nan"), ("b", "a"): 2}, None, r"costs\[\('a', 'b'\)\] must be finite"),
        ({("a", "b"): "1", ("b", "a"): 2}, None, r"costs\[\('a', 'b'\)\] must be a number"),
        ({("a", "b", "c"): 1}, None, r"keys \(predicted, true\); got the key \('a', 'b', 'c'\)"),
        ({"ab": 1}, None, r"got the key 'ab'"),
        ({}, None, r"at least one pair"),
        ({("a", "b"): 1, ("b", "a"): 2}, ["a", "b", "b"], r"labels must name each class once"),
    ],
)
def test_pairs_that_are_no_costs(pairs, labels, message):
    with pytest.raises(ValueError, match=message):
        CostMatrix.from_dict(pairs, labels=labels)


def test_other_mistaken_types():
    with pytest.raises(TypeError, match=r"costs must be a mapping.*got list"):
        CostMatrix.from_dict([[0, 1], [1, 0]])
    with pytest.raises(TypeError, match=r"CostMatrix\.from_dict"):
        CostMatrix({("a", "b"): 1, ("b", "a"): 2})
    with pytest.raises(TypeError, match=r"got a callable"):
        CostMatrix(lambda X: X)


@pytest.mark.parametrize(
    ("outcomes", "message"),
    [
        ({"false_positive": np.nan}, "false_positive must be finite; got nan"),
        ({"false_negative": np.inf}, "false_negative must be finite; got inf"),
        ({"true_positive": "amount"}, "true_positive must be a number; got 'amount'"),
        ({"true_negative": None}, "true_negative must be a number; got None"),
        ({"false_positive": True}, "false_positive must be a number; got True"),
        ({"pos_label": None}, "pos_label has 1 missing value"),
        ({"pos_label": "a", "neg_label": "a"}, "neg_label must differ from pos_label; got 'a'"),
        ({"pos_label": "a", "neg_label": 0}, "pos_label and neg_label must be of one type"),
        ({"pos_label": True, "neg_label": 1}, "neg_label must differ from pos_label"),
    ],
)
def test_outcomes_that_are_no_costs(outcomes, message):
    with pytest.raises(ValueError, match=message):
        CostMatrix.binary(**outcomes)


@pytest.mark.parametrize(
    ("labels", "power", "message"),
    [
        ([1, 2, 3], 0, "power must be greater than 0"),
        ([1, 2, 3], -1, "power must be greater than 0"),
        ([1, 2, 3], np.nan, "power must be finite"),
        ([1, 2, 3], "2", "power must be a number"),
        ([1], 2, r"labels must name at least two classes; got \[1\]"),
        ([1, 1], 2, "labels must name each class once"),
    ],
)
def test_orders_that_are_none(labels, power, message):
    with pytest.raises(ValueError, match=message):
        CostMatrix.ordinal(labels, power=power)


@pytest.mark.parametrize(
    ("labels", "name", "cost", "message"),
    [
        (["a", "b"], "b", 1, r"name='b' is already an action"),
        (["a", "b"], -1, 1, r"the action -1 must have the type of the classes.*'refer'"),
        ([0, 1], "refer", 1, r"the action 'refer' must have the type of the classes.*-1"),
        ([0, 1], 0.5, 1, r"name"),
        ([False, True], -1, 1, r"beside bools there is no room"),
        ([0, 1], True, 1, r"name must be a word or a number"),
        ([0, 1], None, 1, r"name has 1 missing value"),
        ([0, 1], -1, np.nan, r"cost must be finite"),
        ([0, 1], -1, [1, np.inf], r"cost must be finite"),
        ([0, 1], -1, [1, 2, 3], r"cost must be a number, or one for each of the 2.*\(3,\)"),
        ([0, 1], -1, "5", r"cost must hold numbers"),
    ],
)
def test_actions_that_cannot_be(labels, name, cost, message):
    with pytest.raises(ValueError, match=message):
        CostMatrix([[0, 1], [1, 0]], labels=labels).with_action(name, cost=cost)


def test_an_action_is_added_once():
    cost = CostMatrix([[0, 1], [1, 0]]).with_action("ask", cost=1)
    with pytest.raises(ValueError, match="already an action"):
        cost.with_action("ask", cost=2)
    two = cost.with_action("wait", cost=2)
    assert two._aligned(np.array(["a", "b"])).actions.tolist() == ["a", "b", "ask", "wait"]
