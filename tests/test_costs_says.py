"""What a cost matrix says: sentences, HTML, and what it finds dominated."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skmetrics_ext.costs import CostFinding, CostMatrix


def lines(cost):
    return str(cost).splitlines()


def test_the_dear_mistake_comes_first_in_breast_cancer():
    cost = CostMatrix.binary(
        false_negative=100, false_positive=1, pos_label="malignant", neg_label="benign"
    )
    assert lines(cost) == [
        "predicting 'benign' when the truth is 'malignant' costs 100",
        "predicting 'malignant' when the truth is 'benign' costs 1",
        "a right answer costs 0",
        "so answer 'malignant' where its probability is at least 0.99 %",
    ]


def test_numbers_say_which_class_they_are():
    # the trap: here 0 is malignant
    cost = CostMatrix.binary(false_negative=100, pos_label=0, neg_label=1)
    assert lines(cost)[0] == "predicting 1 when the truth is 0 costs 100"
    assert "answer 0 where its probability is at least 0.99 %" in lines(cost)[-1]


def test_sentences_while_the_other_class_is_not_known():
    assert lines(CostMatrix.binary(false_negative=4, pos_label="sick"))[:2] == [
        "predicting the other class when the truth is 'sick' costs 4",
        "predicting 'sick' when the truth is the other class costs 1",
    ]


def test_sentences_without_labels_say_how_classes_are_found():
    said = lines(CostMatrix([[0, 4], [1, 0]]))
    assert said[0] == "predicting class [0] when the truth is class [1] costs 4"
    assert said[-1] == "class [k] is the class at position k of labels, or of the sorted classes"


def test_equal_mistakes_are_said_once_and_gains_are_called_gains():
    assert lines(CostMatrix([[-2, 1], [1, -2]], labels=["a", "b"])) == [
        "every mistake costs 1",
        "a right answer gains 2",
        "so answer 'b' where its probability is at least 50 %",
    ]
    said = lines(CostMatrix([[0, 1], [2, -20]], labels=["a", "b"]))
    assert "predicting 'b' when the truth is 'b' gains 20" in said
    assert "predicting 'a' when the truth is 'a' costs 0" in said


def test_other_actions_are_said_with_their_costs():
    cost = CostMatrix([[0, 1], [2, 0]], labels=["a", "b"])
    assert "answering 'ask' costs 0.5, whatever the truth" in lines(
        cost.with_action("ask", cost=0.5)
    )
    said = lines(cost.with_action("ask", cost=[0.25, -3]))
    assert "answering 'ask' when the truth is 'a' costs 0.25" in said
    assert "answering 'ask' when the truth is 'b' gains 3" in said


def test_many_classes_are_said_in_few_lines():
    said = lines(CostMatrix.ordinal(range(50)))
    assert len(said) == 14
    assert said[0] == "predicting 0 when the truth is 49 costs 1"
    assert said[-2].startswith("the other 2438 mistakes cost from 0.000416493 to ")


@pytest.mark.parametrize(
    ("value", "text"), [(1234567, "1234567"), (0.1, "0.1"), (1 / 3, "0.333333"), (2e20, "2e+20")]
)
def test_amounts_read_well(value, text):
    cost = CostMatrix.binary(false_negative=value, pos_label=1, neg_label=0)
    assert f"predicting 0 when the truth is 1 costs {text}" in lines(cost)


def test_where_no_threshold_decides_the_reason_is_said():
    cost = CostMatrix.binary(
        false_positive=1, true_negative=0, false_negative=0, true_positive=2, neg_label=0
    )
    assert lines(cost)[-2:] == [
        "but when the truth is 1, predicting 0 (0) costs no more than the right answer (2)",
        "but 1 is never the cheapest answer: 0 costs no more whatever the truth",
    ]


def test_html_escapes_every_label():
    nasty = "<script>alert('x')</script>"
    cost = CostMatrix([[0, 3], [7, 0]], labels=[nasty, "a & b"]).with_action("<i>", cost=1)
    html = cost._repr_html_()
    assert "<script>" not in html
    assert "<i>" not in html
    assert "&lt;script&gt;" in html
    assert "a &amp; b" in html
    assert html.count("<tr>") == 4
    assert "<td>7</td>" in html
    per_row = CostMatrix.per_row(false_negative=nasty, pos_label="<b>", neg_label="ok")
    assert "<script>" not in per_row._repr_html_()
    assert "<b>" not in per_row._repr_html_()
    assert "&lt;b&gt;" in per_row._repr_html_()


# -- dominated ----------------------------------------------------------------------------------


def kinds(cost):
    return [(f.kind, f.action, f.by) for f in cost.dominated()]


def test_nothing_to_find():
    found = CostMatrix.binary(false_negative=100, pos_label="a", neg_label="b").dominated()
    assert not found
    assert len(found) == 0
    assert found.never_answered == []
    assert str(found).startswith("every mistake costs more than the right answer")


def test_issue_cases_by_hand():
    # fp=1, tn=0, fn=0, tp=2: always negative is right
    cost = CostMatrix([[0, 0], [1, 2]], labels=["neg", "pos"])
    assert kinds(cost) == [("unreasonable", "neg", "pos"), ("dominated", "pos", "neg")]
    assert cost.dominated().never_answered == ["pos"]
    # fp=5, fn=1, tp=2, tn=0
    cost = CostMatrix([[0, 1], [5, 2]], labels=["neg", "pos"])
    assert kinds(cost) == [("unreasonable", "neg", "pos"), ("dominated", "pos", "neg")]
    # reversed: every mistake is cheaper than being right, and yet both answers have their use
    cost = CostMatrix([[3, 1], [1, 2]], labels=["neg", "pos"])
    assert kinds(cost) == [("unreasonable", "pos", "neg"), ("unreasonable", "neg", "pos")]
    assert cost.dominated().never_answered == []


@given(st.lists(st.integers(-3, 3), min_size=4, max_size=4))
def test_elkans_two_conditions(cells):
    (c00, c01), (c10, c11) = array = np.reshape(cells, (2, 2))
    found = CostMatrix(array, labels=[0, 1]).dominated()
    reasonable = c10 > c00 and c01 > c11
    assert reasonable == all(f.kind != "unreasonable" for f in found)
    if reasonable:
        assert not found


def test_equal_rows_are_said_once():
    cost = CostMatrix([[0, 1, 2], [0, 1, 2], [3, 3, 0]], labels=["a", "b", "c"])
    assert ("equal", "a", "b") in kinds(cost)
    assert ("equal", "b", "a") not in kinds(cost)
    assert cost.dominated().never_answered == []


def test_an_action_beaten_by_no_single_one_and_still_never_answered():
    cost = CostMatrix([[0, 8], [8, 0]], labels=["no", "yes"])
    # Chow (1970): declining pays below half the cost of a mistake, here 4
    assert kinds(cost.with_action("ask", cost=3.999)) == []
    assert kinds(cost.with_action("ask", cost=4)) == [("never_answered", "ask", None)]
    assert kinds(cost.with_action("ask", cost=5)) == [("never_answered", "ask", None)]
    assert kinds(cost.with_action("ask", cost=8)) == [("dominated", "ask", "no")]


def test_findings_are_plain_and_print():
    (finding,) = CostMatrix([[0, 8], [8, 0]]).with_action(-1, cost=9).dominated()
    assert finding == CostFinding(
        "dominated",
        2,
        0,
        "-1 is never the cheapest answer: class [0] costs no more whatever the truth",
    )
    assert str(finding) == finding.sentence


grid_3 = np.array([p for p in itertools.product(range(25), repeat=3) if sum(p) == 24]) / 24


@given(st.lists(st.lists(st.integers(0, 6), min_size=3, max_size=3), min_size=4, max_size=4))
@settings(max_examples=150, deadline=None)
def test_never_answered_against_brute_force_over_the_simplex(rows):
    cost = CostMatrix(rows[:3], labels=[0, 1, 2]).with_action(-1, cost=rows[3])
    never = cost.dominated().never_answered
    risks = grid_3 @ cost.to_array().T
    for k, action in enumerate(cost.actions.tolist()):
        same = [i for i in range(4) if rows[i] == rows[k]]
        rivals = np.delete(risks, same, axis=1)
        best_lead = (rivals.min(axis=1) - risks[:, k]).max() if rivals.size else np.inf
        if action in never:
            assert best_lead <= 1e-12
        elif rivals.size:
            # cheapest somewhere: the vertices of its region have coordinates of small
            # denominators, so that a fine random search finds it, too
            rng = np.random.default_rng(0)
            fine = rng.dirichlet(np.full(3, 0.5), 20000) @ cost.to_array().T
            lead = (np.delete(fine, same, axis=1).min(axis=1) - fine[:, k]).max()
            assert max(lead, best_lead) > 0


@given(st.lists(st.lists(st.integers(-9, 9), min_size=2, max_size=2), min_size=3, max_size=5))
@settings(deadline=None)
def test_never_answered_of_two_classes_in_closed_form(rows):
    cost = CostMatrix(rows[:2], labels=[0, 1])
    for k, row in enumerate(rows[2:]):
        cost = cost.with_action(-1 - k, cost=row)
    array = cost.to_array()
    # risks are lines in p: the lower envelope changes only where two of them cross
    ends = [0.0, 1.0]
    for (a0, a1), (b0, b1) in itertools.combinations(rows, 2):
        slope = (a1 - a0) - (b1 - b0)
        if slope and 0 < (b0 - a0) / slope < 1:
            ends.append((b0 - a0) / slope)
    ends = np.unique(ends)
    probes = np.concatenate([ends, (ends[1:] + ends[:-1]) / 2])
    risks = np.outer(1 - probes, array[:, 0]) + np.outer(probes, array[:, 1])
    expected = []
    for k, action in enumerate(cost.actions.tolist()):
        same = [i for i in range(len(rows)) if rows[i] == rows[k]]
        rivals = np.delete(risks, same, axis=1)
        if rivals.size and (rivals.min(axis=1) - risks[:, k]).max() <= 1e-12:
            expected.append(action)
    # an answer that another costs no more than everywhere may still tie at an end point only
    assert cost.dominated().never_answered == expected
