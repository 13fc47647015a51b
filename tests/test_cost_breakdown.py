"""cost_breakdown: every number by loops, and the verdict where the truth is known."""

import itertools
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.counts import ConfusionCounts
from skmetrics_ext.decision import CostThresholdClassifier
from skmetrics_ext.inspection import CostBreakdown, CostRange, cost_breakdown

COST = CostMatrix.binary(false_negative=9, false_positive=2, true_positive=0.5)


class Given(ClassifierMixin, BaseEstimator):
    """Answers with the columns of X as probabilities."""

    def __init__(self, classes=(0, 1)):
        self.classes = classes

    def fit(self, X=None, y=None):
        self.classes_ = np.array(self.classes)
        return self

    def predict_proba(self, X):
        p = np.asarray(X, dtype=float)[:, : len(self.classes)]
        return p / p.sum(axis=1, keepdims=True)


def rows_of(seed, n=40, n_classes=2, steps=8):
    """Probabilities with many ties, labels that follow them, weights."""
    rng = np.random.default_rng(seed)
    p = rng.integers(1, steps, size=(n, n_classes)).astype(float)
    p /= p.sum(axis=1, keepdims=True)
    y = np.array([rng.choice(n_classes, p=row) for row in p])
    y[:n_classes] = range(n_classes)
    return p, y, rng.integers(1, 4, size=n) / 2


# ---------------------------------------------------------------------------------------------
# by loops


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_expected_realised_constant_and_oracle(seed, n_classes):
    p, y, weight = rows_of(seed, n_classes=n_classes)
    rng = np.random.default_rng(seed)
    c = rng.integers(1, 9, size=(n_classes, n_classes)).astype(float)
    np.fill_diagonal(c, 0)
    found = cost_breakdown(Given(range(n_classes)).fit(), p, y, c, sample_weight=weight)
    total = weight.sum()
    expected = realised = oracle = 0.0
    lossy = 0
    for row, truth, w in zip(p, y, weight, strict=True):
        risks = [sum(c[i, j] * row[j] for j in range(n_classes)) for i in range(n_classes)]
        tied = [i for i in range(n_classes) if risks[i] <= min(risks) + 1e-12]
        answer = max(tied) if n_classes == 2 else min(tied)
        expected += w * min(risks) / total
        realised += w * c[answer, truth] / total
        oracle += w * min(c[i, truth] for i in range(n_classes)) / total
        lossy += answer != truth
    constants = [sum(weight * c[i, y]) / total for i in range(n_classes)]
    assert found.expected == pytest.approx(expected)
    assert found.realised == pytest.approx(realised)
    assert found.oracle == pytest.approx(oracle) == 0
    assert found.constant == pytest.approx(min(constants))
    assert found.constant_answer == np.argmin(constants)
    assert (found.n, found.n_lossy) == (40, lossy)


def paid_at(threshold, p, y, c, weight):
    """The total cost of answering 1 from a probability on, by a loop."""
    return sum(w * c[int(q >= threshold), truth] for q, truth, w in zip(p, y, weight, strict=True))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("weighted", [False, True])
def test_the_threshold_of_each_fold_is_the_cheapest_on_the_others(seed, weighted):
    p, y, weight = rows_of(seed)
    weight = weight if weighted else np.ones(len(y))
    c = COST.to_array([0, 1])
    folds = StratifiedKFold(4)
    found = cost_breakdown(Given().fit(), p, y, COST, cv=folds, sample_weight=weight)
    assert len(found.thresholds) == 4
    paid = 0.0
    splits = folds.split(p, y)
    for (train, test), threshold in zip(splits, found.thresholds, strict=True):
        some = p[train, 1], y[train], c, weight[train]
        distinct = np.unique(p[train, 1])
        every = [np.inf, -np.inf, *distinct, *(distinct[1:] + distinct[:-1]) / 2]
        least = min(paid_at(t, *some) for t in every)
        assert paid_at(threshold, *some) == pytest.approx(least)
        if paid_at(COST.threshold, *some) == pytest.approx(least):
            assert threshold == COST.threshold
        paid += paid_at(threshold, p[test, 1], y[test], c, weight[test])
    assert found.reachable == pytest.approx(paid / weight.sum())
    assert found.calibration == pytest.approx(found.realised - found.reachable)
    assert found.ranking == pytest.approx(found.reachable - found.oracle)


def per_row(X):
    """A missed case costs the third column, a false alarm the fourth."""
    c = np.zeros((len(X), 2, 2))
    c[:, 0, 1], c[:, 1, 0] = np.asarray(X)[:, 2], np.asarray(X)[:, 3]
    return c


@pytest.mark.parametrize("seed", range(6))
def test_rows_with_costs_of_their_own(seed):
    p, y, weight = rows_of(seed)
    rng = np.random.default_rng(seed)
    X = np.column_stack([p, np.exp(rng.normal(1, 1, size=40)), rng.integers(1, 3, size=40)])
    c = per_row(X)
    found = cost_breakdown(Given().fit(), X, y, per_row, cv=KFold(4), sample_weight=weight)
    rows = np.arange(40)
    answers = (p[:, 1] * c[:, 0, 1] >= p[:, 0] * c[:, 1, 0]).astype(int)
    paid = c[rows, answers, y]
    assert found.realised == pytest.approx(np.average(paid, weights=weight))
    assert found.expected == pytest.approx(
        np.average(np.minimum(p[:, 1] * c[:, 0, 1], p[:, 0] * c[:, 1, 0]), weights=weight)
    )
    # Whose odds are so many times as high as the costs ask for.
    factor = (p[:, 1] / p[:, 0]) / (c[:, 1, 0] / c[:, 0, 1])

    def total(times, some):
        return sum(weight[r] * c[r, int(factor[r] >= times), y[r]] for r in some)

    reached = 0.0
    for (train, test), times in zip(KFold(4).split(X), found.thresholds, strict=True):
        least = min(total(t, train) for t in [0, np.inf, *factor[train] * (1 - 1e-9)])
        assert total(times, train) == pytest.approx(least)
        reached += total(times, test)
    assert found.reachable == pytest.approx(reached / weight.sum())
    # The variance from sums of cost and of squared weighted cost.
    m, w2 = found.realised, weight**2
    variance = (w2 @ paid**2 - 2 * m * (w2 @ paid) + m**2 * w2.sum()) / weight.sum() ** 2
    assert found.se == pytest.approx(np.sqrt(variance))
    assert found.low < found.realised < found.high
    assert np.isnan(found.threshold)


def same_for_all(X):
    return np.broadcast_to(COST.to_array([0, 1]), (len(X), 2, 2))


@pytest.mark.parametrize("seed", range(4))
def test_costs_of_rows_that_are_all_the_same_are_those_of_the_matrix(seed):
    p, y, weight = rows_of(seed)
    for level in (0.8, 0.95):
        options = {"sample_weight": weight, "confidence_level": level}
        one = cost_breakdown(Given().fit(), p, y, COST, **options)
        many = cost_breakdown(Given().fit(), p, y, same_for_all, **options)
        for name in ("expected", "realised", "low", "high", "se", "constant", "oracle"):
            assert getattr(many, name) == pytest.approx(getattr(one, name)), name
        odds = one.thresholds / (1 - one.thresholds) * (1 - COST.threshold) / COST.threshold
        assert (np.sign(many.thresholds - 1) == np.sign(odds - 1)).all()


def test_the_interval_is_that_of_the_counts():
    p, y, weight = rows_of(3)
    found = cost_breakdown(Given().fit(), p, y, COST, sample_weight=weight)
    answers = (p[:, 1] >= COST.threshold).astype(int)
    counts = ConfusionCounts.from_predictions(y, answers, sample_weight=weight)
    expected = counts.estimate("expected_cost", cost_matrix=COST)
    assert (found.realised, found.low, found.high, found.se) == pytest.approx(
        (expected.value, expected.low, expected.high, expected.se)
    )


def test_the_interval_of_what_a_threshold_saves():
    p, y, weight = rows_of(5)
    found = cost_breakdown(Given().fit(), p**8, y, COST, sample_weight=weight, cv=KFold(4))
    q = p[:, 1] ** 8 / (p**8).sum(axis=1)
    thresholds = np.repeat(found.thresholds, 10)
    c = COST.to_array([0, 1])
    d = c[(q >= COST.threshold).astype(int), y] - c[(q >= thresholds).astype(int), y]
    assert found.n_moved == (d != 0).sum() > 0
    mean = np.average(d, weights=weight)
    half = norm.ppf(0.975) * np.sqrt(((weight * (d - mean)) ** 2).sum()) / weight.sum()
    assert found.calibration == pytest.approx(mean)
    assert found.calibration_low == pytest.approx(mean - half)
    assert found.calibration_high == pytest.approx(mean + half)


def test_the_interval_covers_amounts_that_are_skewed():
    """200 rows, lognormal amounts, a tenth of the rows lost: 95 % asked for, 400 times."""
    rng = np.random.default_rng(0)
    mean = 0.1 * np.exp(0.5)
    inside = 0
    for _ in range(400):
        X = np.column_stack([np.ones((200, 2)), np.exp(rng.normal(size=200))])
        y = (rng.random(200) < 0.1).astype(int)
        found = cost_breakdown(Given().fit(), X, y, amounts, cv=2)
        inside += found.low <= mean <= found.high
    assert 0.91 <= inside / 400 <= 0.99


def amounts(X):
    """A missed case costs its amount, and to answer 1 no less whatever the truth: nobody is."""
    c = np.zeros((len(X), 2, 2))
    c[:, 0, 1] = c[:, 1, 0] = c[:, 1, 1] = X[:, 2]
    return c


# ---------------------------------------------------------------------------------------------
# never in-sample


@given(st.integers(0, 10_000))
@settings(max_examples=20)
def test_a_fold_does_not_choose_its_own_threshold(seed):
    p, y, _ = rows_of(seed)
    folds = KFold(4)
    found = cost_breakdown(Given().fit(), p, y, COST, cv=folds)
    for k, (_, test) in enumerate(folds.split(p)):
        other = y.copy()
        other[test] = 1 - other[test]
        again = cost_breakdown(Given().fit(), p, other, COST, cv=folds)
        assert again.thresholds[k] == found.thresholds[k]


def test_noise_is_not_sold_as_a_saving():
    """Probabilities are right, so no threshold is better than the one the costs come to."""
    rng = np.random.default_rng(0)
    saved, surely = [], 0
    for _ in range(60):
        q = rng.beta(1, 4, size=300)
        y = (rng.random(300) < q).astype(int)
        found = cost_breakdown(Given().fit(), np.column_stack([1 - q, q]), y, COST)
        saved.append(found.calibration)
        surely += found.calibration_low > 0
        assert found.lost_by == "ranking" or found.calibration_low > 0
    assert np.mean(saved) <= 0
    assert surely <= 4


# ---------------------------------------------------------------------------------------------
# the verdict


def shares(rng, n, shift=0.0, noise=0.0):
    """True probabilities, what a classifier says of them, and labels."""
    z = rng.normal(-1, 3, size=n)
    y = (rng.random(n) < 1 / (1 + np.exp(-z))).astype(int)
    said = 1 / (1 + np.exp(-(z + shift + noise * rng.normal(size=n))))
    return np.column_stack([1 - said, said]), y


def test_probabilities_that_are_shifted_are_calibration(rng):
    p, y = shares(rng, 4000, shift=6.0)
    found = cost_breakdown(Given().fit(), p, y, [[0, 1], [1, 0]])
    assert found.lost_by == "calibration"
    assert found.calibration_low > 0
    assert found.sentence.startswith("Calibration loses the money: of the ")
    # With the shift taken back it costs what the truth would.
    right, _ = shares(np.random.default_rng(0), 4000)
    best = cost_breakdown(Given().fit(), right, y, [[0, 1], [1, 0]])
    assert found.reachable == pytest.approx(best.realised, rel=0.1)


def test_scores_that_know_little_are_ranking(rng):
    p, y = shares(rng, 4000, noise=20.0)
    said = 0.27 + 0.2 * (p[:, 1] - 0.5)
    found = cost_breakdown(Given().fit(), np.column_stack([1 - said, said]), y, [[0, 1], [1, 0]])
    assert found.lost_by == "ranking"
    assert "saves nothing that these rows could tell" in found.sentence
    assert "not help, a better model might" in found.sentence


def test_some_of_each(rng):
    p, y = shares(rng, 4000, shift=3.0, noise=3.0)
    found = cost_breakdown(Given().fit(), p, y, [[0, 1], [1, 0]])
    assert found.lost_by == "ranking"
    assert found.calibration_low > 0
    assert "Ranking loses most of the money" in found.sentence
    assert "which another threshold saves" in found.sentence


def test_nothing_is_lost():
    p = np.array([[0.9, 0.1], [0.2, 0.8]] * 10)
    found = cost_breakdown(Given().fit(), p, [0, 1] * 10, [[0, 1], [1, 0]])
    assert found.lost_by == "nothing"
    assert found.sentence == "Nothing is lost: every row got its cheapest answer."
    assert found.low == 0 < found.high < 0.3  # and yet it may not be so next time
    assert found.reachable == found.realised == 0


# ---------------------------------------------------------------------------------------------
# where there is no one threshold


def test_rows_of_weight_zero_lose_nothing():
    p, y, weight = rows_of(3)
    wrong = (p[:, 1] >= COST.threshold) != y
    assert wrong.any()
    found = cost_breakdown(Given().fit(), p, y, COST, sample_weight=np.where(wrong, 0, weight))
    assert (found.n_lossy, found.realised) == (0, found.oracle)
    assert found.lost_by == "nothing"
    assert "0 of 40 rows got an answer that was not the cheapest" in repr(found)


def test_rows_of_weight_zero_are_not_decided_otherwise():
    # Probabilities far too low: the half that weighs something moves the other half's threshold.
    y = np.arange(40) % 4 // 3
    p = np.where(y == 1, 0.1, 0.01)
    p = np.column_stack([1 - p, p])
    assert cost_breakdown(Given().fit(), p, y, COST, cv=KFold(2)).n_moved == 10
    weight = np.repeat([1.0, 0.0], 20)
    assert cost_breakdown(Given().fit(), p, y, COST, cv=KFold(2), sample_weight=weight).n_moved == 0


def test_rare_classes_need_not_fill_folds_that_nobody_uses():
    p, y, _ = rows_of(4, n=6, n_classes=3)
    found = cost_breakdown(Given(range(3)).fit(), p, y, None)
    assert found.reason == "with 3 classes there is no one threshold to move"


def test_more_classes_have_no_threshold():
    p, y, _ = rows_of(0, n=400, n_classes=3)
    found = cost_breakdown(Given(range(3)).fit(), p, y, None)
    assert np.isnan([found.reachable, found.calibration, found.ranking, found.threshold]).all()
    assert found.lost_by is None
    assert found.reason == "with 3 classes there is no one threshold to move"
    assert found.sentence.endswith(
        "What its probabilities expect is within what these rows can tell."
    )
    sure = cost_breakdown(Given(range(3)).fit(), p**5, y, None)
    assert "Its probabilities expect less than it costs: they are not calibrated." in repr(sure)
    shy = cost_breakdown(Given(range(3)).fit(), p**0.1, y, None)
    assert "Its probabilities expect more than it costs" in shy.sentence


def test_declining_is_an_action():
    p, y, _ = rows_of(1)
    cost = COST.with_action(-1, cost=1)
    found = cost_breakdown(Given().fit(), p, y, cost)
    rule = CostThresholdClassifier(Given().fit(), cost_matrix=cost).fit(p, y)
    c, answers = cost.to_array([0, 1]), rule.predict(p)
    assert (answers == -1).any()
    assert found.realised == pytest.approx(c[np.where(answers == -1, 2, answers), y].mean())
    assert found.reason.startswith("with [-1] beside the two classes")
    assert found.oracle == pytest.approx(0.5 * y.mean())


@pytest.mark.parametrize("costs", [[[5, 1], [1, 5]], [[0, 0], [1, 2]]])
def test_costs_without_a_threshold(costs):
    p, y, _ = rows_of(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # one answer dominates
        found = cost_breakdown(Given().fit(), p, y, costs)
    assert np.isnan(found.reachable)
    assert "these costs come to no threshold" in repr(found)


def test_dominated_costs_are_warned_of():
    p, y, _ = rows_of(1)
    with pytest.warns(UserWarning, match="answering 0 costs no more than any other answer"):
        cost_breakdown(Given().fit(), p, y, [[0, 0], [1, 2]])


def test_rows_without_a_threshold_keep_their_answer():
    p, y, _ = rows_of(2)

    def odd(X):
        c = per_row(np.column_stack([X, np.ones(40), np.full(40, 3.0)]))
        c[::2] = [[0, 0], [1, 2]]  # nobody would answer 1
        return c

    found = cost_breakdown(Given().fit(), p, y, odd)
    assert np.isfinite(found.reachable)

    def none(X):
        return np.broadcast_to([[0.0, 0], [1, 2]], (40, 2, 2))

    assert "in no row both mistakes cost more" in cost_breakdown(Given().fit(), p, y, none).reason


# ---------------------------------------------------------------------------------------------
# a range of costs


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("n_classes", [2, 3])
def test_settled_rows_by_brute_force(seed, n_classes):
    """A row is settled where every corner of the box of costs decides it alike."""
    p, y, weight = rows_of(seed, n=30, n_classes=n_classes, steps=30)
    rng = np.random.default_rng(seed)
    low = rng.integers(3, 6, size=(n_classes, n_classes)).astype(float)
    np.fill_diagonal(low, 0)
    high = low + rng.random((n_classes, n_classes)) * ~np.eye(n_classes, dtype=bool)
    off = np.argwhere(~np.eye(n_classes, dtype=bool))
    answers = []
    for corner in itertools.product((0, 1), repeat=len(off)):
        c = low.copy()
        for (i, j), end in zip(off, corner, strict=True):
            c[i, j] = (low, high)[end][i, j]
        answers.append((p @ c.T).argmin(axis=1))
    alike = (np.array(answers) == answers[0]).all(axis=0)
    assert 0 < alike.sum() < 30
    found = cost_breakdown(
        Given(range(n_classes)).fit(), p, y, (low, high), sample_weight=weight, cv=2
    )
    assert isinstance(found, CostRange)
    assert found.settled.tolist() == np.flatnonzero(alike).tolist()
    assert found.open.tolist() == np.flatnonzero(~alike).tolist()
    assert found.settled_share == pytest.approx(weight[alike].sum() / weight.sum())
    # The order of the two does not matter to what is settled.
    turned = cost_breakdown(Given(range(n_classes)).fit(), p, y, (high, low), cv=2)
    assert turned.settled.tolist() == found.settled.tolist()


def test_the_range_of_thresholds():
    """A false alarm costs 1 to 2 and a miss 10 to 40: from 1 / 41 to 2 / 12."""
    p, y, _ = rows_of(0)
    low = CostMatrix.binary(false_positive=1, false_negative=10)
    high = CostMatrix.binary(false_positive=2, false_negative=40)
    found = cost_breakdown(Given().fit(), p, y, (low, high))
    assert found.threshold_low == pytest.approx(1 / 41)
    assert found.threshold_high == pytest.approx(2 / 12)
    outside = (p[:, 1] < 1 / 41) | (p[:, 1] >= 2 / 12)
    assert found.settled.tolist() == np.flatnonzero(outside).tolist()
    for end, costs in ((found.at_low, low), (found.at_high, high)):
        alone = cost_breakdown(Given().fit(), p, y, costs)
        assert vars(end) | {"thresholds": 0} == vars(alone) | {"thresholds": 0}
    assert found.pos_label == 1
    text = repr(found).splitlines()
    assert text[0] == "the threshold for 1 lies between 0.0244 and 0.167"
    n = int(outside.sum())
    assert text[1] == (
        f"{n} of 40 rows ({100 * n / 40:.1f} %) get the same answer wherever in this range the "
        f"costs lie; {40 - n} depend on it."
    )
    assert text[2:4] == ["at the low costs:", "40 rows, costs per row"]
    frame = found.to_frame("polars")
    assert frame.shape == (14, 5)
    assert frame["costs"].to_list() == ["low"] * 7 + ["high"] * 7
    assert "<p>at the high costs</p>" in found._repr_html_()


def test_one_matrix_twice_settles_all():
    p, y, weight = rows_of(0)
    found = cost_breakdown(Given().fit(), p, y, (COST, COST), sample_weight=weight)
    assert len(found.settled) == 40
    assert found.threshold_low == pytest.approx(COST.threshold)
    assert found.threshold_high == pytest.approx(COST.threshold)
    assert "40 of 40 rows (100.0 %) get the same" in found.sentence


def test_ranges_by_row_and_without_a_threshold():
    p, y, _ = rows_of(0)
    X = np.column_stack([p, np.full(40, 9.0), np.full(40, 2.0)])

    def dearer(X):
        return 1.5 * per_row(X)

    found = cost_breakdown(Given().fit(), X, y, (per_row, dearer))
    fixed = (np.array([[0, 9], [2, 0]]), np.array([[0, 13.5], [3, 0]]))
    assert found.settled.tolist() == cost_breakdown(Given().fit(), p, y, fixed).settled.tolist()
    assert np.isnan(found.threshold_low)
    mixed = cost_breakdown(Given().fit(), X, y, (fixed[0], dearer))
    assert mixed.settled.tolist() == found.settled.tolist()
    wide = cost_breakdown(Given().fit(), p, y, (fixed[0], np.array([[3.0, 13], [5, 0]])))
    assert np.isnan([wide.threshold_low, wide.threshold_high]).all()
    assert "lies between" not in repr(wide)


def test_both_ends_of_a_range_have_the_same_folds():
    p, y, _ = rows_of(0)
    once = StratifiedKFold(4).split(p, y)
    found = cost_breakdown(Given().fit(), p, y, (COST, COST), cv=once)
    assert found.at_low.reachable == found.at_high.reachable
    shuffled = StratifiedKFold(4, shuffle=True, random_state=np.random.RandomState(0))
    found = cost_breakdown(Given().fit(), p, y, (COST, COST), cv=shuffled)
    np.testing.assert_array_equal(found.at_low.thresholds, found.at_high.thresholds)


def test_an_end_of_a_range_may_be_one_per_mistake():
    p, y, _ = rows_of(0)
    found = cost_breakdown(Given().fit(), p, y, (None, CostMatrix.binary(false_negative=4)))
    assert found.threshold_low == pytest.approx(1 / 5)
    assert found.threshold_high == pytest.approx(1 / 2)


def test_a_pair_of_rows_is_one_matrix():
    p, y, _ = rows_of(0)
    assert isinstance(cost_breakdown(Given().fit(), p, y, ((0, 9), (2, 0))), CostBreakdown)


# ---------------------------------------------------------------------------------------------
# what is passed, and what is shown


def test_words_frames_and_a_fitted_pipeline():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=200), "amount": rng.integers(50, 500, size=200)})
    y = pd.Series(np.where(frame["a"] + rng.normal(size=200) > 1, "fraud", "legit"))
    model = LogisticRegression().fit(frame[:100], y[:100])
    cost = CostMatrix.per_row(
        false_negative="amount", false_positive=50, pos_label="fraud", neg_label="legit"
    )
    found = cost_breakdown(model, frame[100:], y[100:], cost)
    rule = CostThresholdClassifier(model, cost_matrix=cost).fit(frame[:100], y[:100])
    answers, truth = rule.predict(frame[100:]), y[100:].to_numpy()
    amount = frame["amount"].to_numpy()[100:]
    missed = (truth == "fraud") & (answers == "legit")
    alarm = (truth == "legit") & (answers == "fraud")
    assert found.realised == pytest.approx((amount[missed].sum() + 50 * alarm.sum()) / 100)
    assert found.pos_label == "fraud"
    # The wrapper is taken by its probabilities.
    again = cost_breakdown(rule, frame[100:], y[100:], cost)
    assert again.realised == found.realised
    assert "the odds of every row's own threshold times" in repr(found)
    by_array = cost_breakdown(
        model, frame[100:], y[100:], [[0, 5], [1, 0]], labels=["legit", "fraud"]
    )
    assert by_array.threshold == pytest.approx(1 / 6)
    assert by_array.pos_label == "fraud"
    with pytest.raises(ValueError, match=r"labels=\['fraud', 'legit'\]"):
        cost_breakdown(model, frame[100:], y[100:], [[0, 5], [1, 0]])


def test_the_estimator_is_left_alone():
    p, y, _ = rows_of(0)
    model = Given().fit()
    before = dict(vars(model))
    cost_breakdown(model, p, y, COST)
    assert vars(model) == before


def test_it_speaks():
    p, y, _ = rows_of(5)
    found = cost_breakdown(Given().fit(), p**8, y, COST)
    lines = repr(found).splitlines()
    assert lines[0] == "40 rows, costs per row"
    assert lines[1] == f"its own probabilities expect {found.expected:.4g}"
    assert lines[2] == (
        f"its decisions cost {found.realised:.4g} [{found.low:.4g}, {found.high:.4g}] (95 % "
        f"interval; {found.n_lossy} of 40 rows got an answer that was not the cheapest)"
    )
    assert lines[3].startswith(f"another threshold reaches {found.reachable:.4g} (cross-fitted ")
    assert lines[3].endswith(f"instead of 0.19; {found.n_moved} of 40 rows decided otherwise)")
    assert lines[4] == (
        f"always answering {found.constant_answer} costs {found.constant:.4g}, the least of all "
        "constant answers on these rows"
    )
    assert lines[5] == f"giving every row its cheapest answer costs {found.oracle:.4g}"
    assert lines[6] == found.sentence
    frame = found.to_frame()
    assert frame.columns.tolist() == ["part", "cost", "low", "high"]
    assert frame.set_index("part").loc["realised"].tolist() == [
        found.realised,
        found.low,
        found.high,
    ]
    assert frame.set_index("part").loc["calibration", "high"] == found.calibration_high


def test_html_is_escaped():
    p, y, _ = rows_of(0)
    names = np.array(["<b>", "&"])
    found = cost_breakdown(Given(("&", "<b>")).fit(), p, names[1 - y], None)
    html = found._repr_html_()
    assert "<b>" not in html
    assert "&lt;b&gt;" in html or "&amp;" in html
    cost = CostMatrix([[0, 1], [1, 0]], labels=["&", "<b>"])
    both = cost_breakdown(Given(("&", "<b>")).fit(), p, names[1 - y], (cost, cost))
    assert "&lt;b&gt;" in both._repr_html_()
    assert "<b>" not in both._repr_html_()


def test_no_better_than_one_answer():
    p, y, _ = rows_of(0)
    found = cost_breakdown(Given().fit(), p[:, ::-1], y, [[0, 1], [1, 0]])
    assert found.realised > found.constant
    assert repr(found).endswith(
        f"Always answering {found.constant_answer} would have cost no more than its decisions did."
    )


def test_one_class_in_truth():
    p, _, _ = rows_of(0)
    found = cost_breakdown(Given().fit(), p, np.zeros(40, int), [[0, 1], [1, 0]])
    assert found.constant == 0
    assert np.isfinite(found.reachable)


# ---------------------------------------------------------------------------------------------
# bad input


P, Y, _ = rows_of(0)


@pytest.mark.parametrize(
    ("estimator", "error", "message"),
    [
        (Perceptron().fit(P, Y), ValueError, "must be a fitted classifier with predict_proba"),
        (LogisticRegression, ValueError, "must be a fitted classifier with predict_proba"),
        (LogisticRegression(), NotFittedError, "is not fitted yet"),
        (Given((0, 7)).fit(), ValueError, r"y holds labels that are not among \[0, 7\]: \[1\]"),
    ],
)
def test_estimators_that_cannot_be_used(estimator, error, message):
    with pytest.raises(error, match=message):
        cost_breakdown(estimator, P, Y, COST)


class Wrong(Given):
    def predict_proba(self, X):
        return np.full((len(X), 3), 1 / 3)


class Scores(Given):
    def predict_proba(self, X):
        return np.full((len(X), 2), 0.9)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"estimator": Wrong().fit()}, r"a probability for each row and class, shape \(40, 2\)"),
        ({"estimator": Scores().fit()}, r"predict_proba\(X\) must sum to 1 in each row; 40 of 40"),
        ({"cost_matrix": np.ones((3, 3))}, "cost_matrix"),
        ({"cost_matrix": [[0, np.nan], [1, 0]]}, "cost_matrix must be finite"),
        ({"cost_matrix": np.ones((2, 2))}, "a decision that changes the cost"),
        ({"cost_matrix": [[[0, 1], [1, 0]]] * 2}, "cost_matrix must be two-dimensional"),
        ({"cost_matrix": (COST, COST.with_action(-1, cost=1))}, "must price the same actions"),
        (
            {"cost_matrix": (COST, CostMatrix.binary(pos_label=0))},
            "must have the same positive class; low has 1, high has 0",
        ),
        ({"cv": ShuffleSplit(2, random_state=0)}, "cv must test each row once.*row"),
        ({"cv": [(np.arange(20), np.arange(20, 40))]}, "row 0 is tested 0 times"),
        ({"cv": 1}, "n_splits"),
        ({"cv": []}, "row 0 is tested 0 times"),
        ({"sample_weight": -np.ones(40)}, "sample_weight must not be negative"),
        ({"confidence_level": 95}, "confidence_level must be a number between 0 and 1"),
        ({"y": Y[:-1]}, "inconsistent numbers of samples"),
    ],
)
def test_bad_input(options, message):
    arguments = {"estimator": Given().fit(), "X": P, "y": Y, "cost_matrix": COST, **options}
    with pytest.raises(ValueError, match=message):
        cost_breakdown(**arguments)
