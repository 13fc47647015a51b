"""resolve_cost_matrix: whatever was said, for exactly the classes at hand."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skmetrics_ext.costs import CostMatrix, resolve_cost_matrix

ASYMMETRIC = [[0, 100], [1, 0]]


def resolved(*args, **kwargs):
    return resolve_cost_matrix(*args, **kwargs).to_array().tolist()


def test_none_is_one_per_mistake():
    for classes in ([0, 1], ["b", "a", "c"], [False, True], [5]):
        cost = resolve_cost_matrix(None, np.array(classes))
        np.testing.assert_array_equal(cost.to_array(), 1 - np.eye(len(classes)))
        assert cost.labels.tolist() == classes
        assert cost.actions.tolist() == classes
    assert resolve_cost_matrix(None, ["b", "a"], labels=["a", "b", "c"]).labels.tolist() == [
        "b",
        "a",
    ]


def test_an_array_stands_in_the_order_of_labels_else_sorted():
    assert resolved(ASYMMETRIC, [0, 1]) == [[0, 100], [1, 0]]
    assert resolved(ASYMMETRIC, [1, 0]) == [[0, 1], [100, 0]]
    assert resolved(ASYMMETRIC, [0, 1], labels=[1, 0]) == [[0, 1], [100, 0]]
    assert resolved(ASYMMETRIC, ["fraud", "legit"], labels=["legit", "fraud"]) == [
        [0, 1],
        [100, 0],
    ]
    assert resolved(np.array(ASYMMETRIC), np.array([False, True])) == [[0, 100], [1, 0]]


@given(
    st.lists(st.integers(-50, 50), min_size=16, max_size=16).filter(lambda v: len(set(v)) > 8),
    st.permutations(["north", "south", "east", "west"]),
    st.permutations(["north", "south", "east", "west"]),
    st.integers(1, 4),
    st.sampled_from(["array", "labelled", "pairs"]),
)
def test_by_label_never_by_position(values, labels, classes, k, way):
    array = np.reshape(values, (4, 4)).astype(float)
    classes = classes[:k]
    said = {
        "array": array,
        "labelled": CostMatrix(array, labels=labels),
        "pairs": CostMatrix.from_dict(
            {(p, t): array[i, j] for i, p in enumerate(labels) for j, t in enumerate(labels)}
        ),
    }[way]
    cost = resolve_cost_matrix(said, np.array(classes), labels=labels)
    assert cost.labels.tolist() == classes
    for (i, p), (j, t) in itertools.product(enumerate(classes), repeat=2):
        assert cost.to_array()[i, j] == array[labels.index(p), labels.index(t)]


def test_a_fold_that_lacks_a_class_leaves_its_row_and_column_out():
    cost = CostMatrix([[0, 1, 2], [3, 0, 4], [5, 6, 0]], labels=["a", "b", "c"])
    assert resolved(cost.with_action("z", cost=[7, 8, 9]), ["c", "a"]) == [[0, 5], [2, 0], [9, 7]]
    assert resolved([[0, 1, 2], [3, 0, 4], [5, 6, 0]], [0, 2], labels=[0, 1, 2]) == [[0, 2], [5, 0]]
    assert resolved(CostMatrix.ordinal([1, 2, 3], power=1), [1, 3]) == [[0, 1], [1, 0]]


def test_binary_finds_the_other_class():
    cost = CostMatrix.binary(false_negative=9, false_positive=2)
    assert resolved(cost, [0, 1]) == [[0, 9], [2, 0]]
    assert resolved(cost, [-1, 1]) == [[0, 9], [2, 0]]
    assert resolved(cost, [1, 2]) == [[0, 2], [9, 0]]  # 1 was named, though it sorts first
    assert resolved(CostMatrix.binary(false_negative=9, pos_label="fraud"), ["fraud", "legit"]) == [
        [0, 1],
        [9, 0],
    ]
    bools = resolve_cost_matrix(cost, np.array([False, True]))
    assert bools.to_array().tolist() == [[0, 9], [2, 0]]
    assert bools.pos_label is True


def test_binary_in_a_fold_of_one_class():
    cost = CostMatrix.binary(false_negative=9, true_negative=-3, true_positive=-4)
    assert resolved(cost, [0]) == [[-3]]
    assert resolved(cost, [1]) == [[-4]]
    assert resolved(cost, [0], labels=[0, 1]) == [[-3]]
    assert resolved(cost, [0], labels=[0]) == [[-3]]
    with pytest.raises(ValueError, match=r"pos_label=1 of cost_matrix is not a class.*\['a'\]"):
        resolve_cost_matrix(cost, ["a"])


@pytest.mark.parametrize(
    ("cost", "classes", "labels", "pos_label"),
    [
        (CostMatrix.binary(pos_label="a"), ["a", "b"], None, "a"),
        (CostMatrix.binary(pos_label="a", neg_label="b"), ["a", "b"], None, "a"),
        (CostMatrix(ASYMMETRIC, labels=["legit", "fraud"]), ["fraud", "legit"], None, "fraud"),
        (ASYMMETRIC, ["fraud", "legit"], ["legit", "fraud"], "fraud"),
        (ASYMMETRIC, [0, 1], None, 1),
        (None, ["a", "b"], None, "b"),
        (CostMatrix.ordinal([0, 1, 2]), [0, 1, 2], None, None),
    ],
)
def test_the_positive_class_is_the_one_named_else_the_last_label(cost, classes, labels, pos_label):
    found = resolve_cost_matrix(cost, np.array(classes), labels=labels)
    assert found.pos_label == pos_label
    if isinstance(cost, CostMatrix):
        np.testing.assert_equal(found.threshold, cost.threshold)


def test_what_is_resolved_resolves_again_to_itself():
    cost = CostMatrix(ASYMMETRIC, labels=["legit", "fraud"]).with_action("ask", cost=3)
    once = resolve_cost_matrix(cost, ["fraud", "legit"])
    again = resolve_cost_matrix(once, ["fraud", "legit"], labels=["legit", "fraud"])
    assert once == again == cost
    assert once.actions.tolist() == ["fraud", "legit", "ask"]


def test_actions_take_the_type_of_the_labels():
    cost = CostMatrix([[0, 1], [1, 0]])
    assert resolve_cost_matrix(cost.with_action(-1, cost=1), [0, 1]).actions.dtype.kind == "i"
    assert resolve_cost_matrix(cost.with_action(-1, cost=1), [0.0, 1.0]).actions.dtype.kind == "f"
    assert resolve_cost_matrix(cost.with_action("ask", cost=1), ["a", "b"]).actions.tolist() == [
        "a",
        "b",
        "ask",
    ]
    with pytest.raises(ValueError, match=r"the action 'ask' must have the type of the classes"):
        resolve_cost_matrix(cost.with_action("ask", cost=1), [0, 1])
    with pytest.raises(ValueError, match=r"the action -1 must have the type of the classes"):
        resolve_cost_matrix(cost.with_action(-1, cost=1), ["a", "b"])
    with pytest.raises(ValueError, match=r"beside bools there is no room"):
        resolve_cost_matrix(cost.with_action(-1, cost=1), [False, True])
    with pytest.raises(ValueError, match=r"actions \[-1\] of cost_matrix are also classes"):
        resolve_cost_matrix(cost.with_action(-1, cost=1), [-1, 1])


# -- words without an order ---------------------------------------------------------------------


@pytest.mark.parametrize("cost", [ASYMMETRIC, np.array(ASYMMETRIC), CostMatrix(ASYMMETRIC)])
def test_asymmetric_on_words_needs_labels_and_shows_how(cost):
    with pytest.raises(ValueError, match="alphabetical order would decide") as caught:
        resolve_cost_matrix(cost, np.array(["fraud", "legit"]))
    message = str(caught.value)
    assert "labels=['fraud', 'legit']" in message
    assert "CostMatrix.binary(" in message
    assert "CostMatrix.from_dict(" in message
    assert "cost_matrix" in message
    # both hints run as they are printed
    hint = message[message.index("CostMatrix.from_dict(") :]
    hint = hint[: hint.index("}") + 2]
    assert resolve_cost_matrix(eval(hint), ["fraud", "legit"])
    hint = message[message.index("CostMatrix.binary(") : -1]
    assert resolve_cost_matrix(eval(hint), ["fraud", "legit"])


@pytest.mark.parametrize(
    "cost",
    [
        [[0, 1], [1, 5]],  # symmetric, and yet the right answers differ
        [[0, 1, 2], [1, 0, 1], [2, 1, 0]],  # symmetric, and yet an order
        CostMatrix([[0, 1], [1, 0]]).with_action("ask", cost=[1, 2]),
    ],
)
def test_symmetric_is_not_enough_where_renaming_changes_the_costs(cost):
    words = ["low", "mid", "high"][: 3 if isinstance(cost, list) and len(cost) == 3 else 2]
    with pytest.raises(ValueError, match="labels="):
        resolve_cost_matrix(cost, words)
    assert resolve_cost_matrix(cost, words, labels=words).labels.tolist() == words


@pytest.mark.parametrize(
    "cost",
    [
        [[0, 3], [3, 0]],
        [[-1, 2, 2], [2, -1, 2], [2, 2, -1]],
        CostMatrix([[0, 3], [3, 0]]).with_action("ask", cost=1),
    ],
)
def test_no_order_is_asked_for_where_none_matters(cost):
    words = ["b", "a", "c"][: 3 if isinstance(cost, list) and len(cost) == 3 else 2]
    assert resolve_cost_matrix(cost, words).labels.tolist() == words


# -- bad input ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cost", "classes", "labels", "message"),
    [
        ([0, 1], [0, 1], None, r"cost_matrix must be two-dimensional.*\(2,\)"),
        (np.zeros((5, 2, 2)), [0, 1], None, r"cost_matrix must be two-dimensional"),
        ([[0, 1, 1], [1, 0, 1]], [0, 1, 2], None, r"cost_matrix must be square.*\(2, 3\)"),
        ([[0, 1], [1, 0]], [0, 1, 2], None, r"each of the 3 classes \[0, 1, 2\]; got 2"),
        ([[0, 1], [1, 0]], ["a", "b", "c"], None, r"each of the 3 classes"),
        ([[0, 1], [1, 0]], [0, 1], [0, 1, 2], r"each of the 3 classes \[0, 1, 2\]; got 2"),
        ([[0, np.nan], [1, 0]], [0, 1], None, r"cost_matrix must be finite; got nan"),
        ([[0, np.inf], [1, 0]], [0, 1], None, r"cost_matrix must be finite; got inf"),
        ([[1, 2], [1, 2]], [0, 1], None, r"decision that changes the cost.*\[\[1.0, 2.0\]"),
        (np.zeros((3, 3)), [0, 1, 2], None, r"decision that changes the cost"),
        (CostMatrix.binary(false_positive=0, false_negative=0), [0, 1], None, r"changes the cost"),
        ("costs", [0, 1], None, r"cost_matrix must hold numbers; got 'costs'"),
        (ASYMMETRIC, [0, 1], [0, 0], r"labels must name each class once"),
        (ASYMMETRIC, [0, 1], ["a", None], r"labels has 1 missing value"),
        (ASYMMETRIC, [0, 2], [0, 1], r"must cover every class; \[2\] have no cost.*\[0, 1\]"),
        (CostMatrix(ASYMMETRIC, labels=[0, 1]), [0, 2], None, r"\[2\] have no cost"),
        (CostMatrix(ASYMMETRIC, labels=[0, 1]), [0, 1, 2], None, r"\[2\] have no cost"),
        (CostMatrix(ASYMMETRIC, labels=["a", "b"]), [0, 1], None, r"\[0, 1\] have no cost"),
        (
            CostMatrix(ASYMMETRIC, labels=["a", "b"]),
            ["a", "b"],
            ["a", "c"],
            r"labels=\['a', 'c'\] must name the same classes as cost_matrix.*\['a', 'b'\]",
        ),
        (CostMatrix.binary(), ["no", "yes"], None, r"pos_label=1 of cost_matrix is not a class"),
        (CostMatrix.binary(pos_label=3), [0, 1], None, r"pos_label=3 .*\[0, 1\].*pos_label=1\."),
        (CostMatrix.binary(), [0, 1, 2], None, r"for two classes.*got 3 classes \[0, 1, 2\]"),
        (
            CostMatrix.binary(pos_label="a", neg_label="x"),
            ["a", "b"],
            None,
            r"\['b'\] have no cost",
        ),
        (None, [0, 2], [0, 1], r"\[2\] have no cost"),
    ],
)
def test_bad_input_names_the_parameter_the_rule_and_the_value(cost, classes, labels, message):
    with pytest.raises(ValueError, match=message):
        resolve_cost_matrix(cost, np.array(classes), labels=labels)


def test_bad_types():
    with pytest.raises(TypeError, match=r"cost_matrix must be an array.*from_dict"):
        resolve_cost_matrix({("a", "b"): 1}, ["a", "b"])
    with pytest.raises(TypeError, match=r"cost_matrix must be an array here.*callable"):
        resolve_cost_matrix(lambda X: X, [0, 1])
    with pytest.raises(TypeError, match="callable"):
        resolve_cost_matrix(CostMatrix.per_row(), [0, 1])


def test_another_action_can_make_equal_columns_a_decision():
    cost = CostMatrix([[1, 1], [1, 1]]).with_action(-1, cost=[0, 2])
    assert resolved(cost, [0, 1]) == [[1, 1], [1, 1], [0, 2]]
