"""One answer to all rows, and the table at one threshold: both as if counted from rows."""

import numpy as np
import pytest

from skmetrics_ext.counts import ConfusionCounts, ScoreCounts

N = 120


@pytest.fixture
def rows(rng):
    truth = np.array(["a", "b", "c"])[rng.integers(0, 3, N)]
    answer = np.array(["a", "b", "c", "refer"])[rng.integers(0, 4, N)]
    return truth, answer, rng.integers(1, 4, N) / 2, rng.integers(0, 15, N), rng.integers(0, 2, N)


@pytest.mark.parametrize("label", ["a", "c", "refer"])
@pytest.mark.parametrize("grouped", [False, True])
def test_constant_is_what_rows_of_that_answer_count_to(rows, label, grouped):
    truth, answer, weight, cluster, group = rows
    how = {"sample_weight": weight, "clusters": cluster, "actions": ["refer"]}
    how |= {"by": group} if grouped else {}
    constant = ConfusionCounts.from_predictions(truth, answer, **how).constant(label)
    expected = ConfusionCounts.from_predictions(truth, [label] * N, **how)
    assert constant == expected
    # Two of the columns of a cluster's rows fall together: their variance must, too.
    ours = constant.total().estimate("accuracy", on="all")
    theirs = expected.total().estimate("accuracy", on="all")
    np.testing.assert_allclose([ours.low, ours.high], [theirs.low, theirs.high], rtol=1e-12)


def test_no_answer_of_that_name():
    counts = ConfusionCounts.from_cells(tp=1, fp=1, fn=1, tn=1)
    with pytest.raises(ValueError, match=r"answer must be one of \[0, 1\]; got 2"):
        counts.constant(2)


@pytest.mark.parametrize("threshold", [-1.0, 0.3, 0.5, 0.9, np.inf])
@pytest.mark.parametrize("grouped", [False, True])
def test_the_table_at_a_threshold_is_that_of_the_answers(rng, threshold, grouped):
    truth, score = rng.integers(0, 2, N), rng.integers(0, 11, N) / 10
    how = {"sample_weight": rng.integers(1, 5, N) / 4}
    how |= {"by": rng.integers(0, 2, N)} if grouped else {}
    at = ScoreCounts.from_predictions(truth, score, **how).at_threshold(threshold)
    answers = (score >= threshold).astype(int)
    expected = ConfusionCounts.from_predictions(truth, answers, labels=[0, 1], **how)
    for name in ("n", "w", "w2"):
        np.testing.assert_allclose(getattr(at, name), getattr(expected, name))
    assert (at.groups, at.pos_label, at.labels.tolist()) == (expected.groups, 1, [0, 1])


def test_the_negative_class_comes_first():
    scores = ScoreCounts.from_predictions(["ill", "well", "ill"], [0.9, 0.3, 0.2], pos_label="ill")
    at = scores.at_threshold(0.5)
    assert at.labels.tolist() == ["well", "ill"]
    assert at.n.tolist() == [[1, 0], [1, 1]]


def test_a_threshold_within_a_bin_is_refused():
    scores = ScoreCounts.from_predictions([0, 1, 1], [0.1, 0.2, 0.9], bins=2)
    with pytest.raises(ValueError, match="cuts through a bin"):
        scores.at_threshold(0.15)
