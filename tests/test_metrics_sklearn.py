"""Equal to scikit-learn (its installed version) and imbalanced-learn wherever they have a metric.

Undefined values are part of it: what stands for them, and whether a warning says so.
"""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from imblearn.metrics import geometric_mean_score, specificity_score
from metric_cases import CASES, REPLACES
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score, recall_score

from skmetrics_ext.counts import ConfusionCounts
from skmetrics_ext.metrics import (
    get_metric_scorer,
    negative_predictive_value_score,
    weighted_kappa_score,
)
from skmetrics_ext.tables import get_metric

TWO = [[0, 1], [-1, 1], [False, True], ["no", "yes"], [3, 8]]
MORE = [[0, 1, 2], ["a", "b", "c"], [3, 7, 11, 1_000_000]]
WITH_PEER = [name for name, case in CASES.items() if case.peer is not None]
ONLY_TWO = {"positive_likelihood_ratio", "negative_likelihood_ratio"}
# Advice on the data, which says nothing about the metric.
ADVICE = ("number of unique classes is greater than 50%", "A single label was found in")


def heard(function, *args, **kwargs):
    """The value, and whether it came with a warning."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = function(*args, **kwargs)
    return value, any(not any(a in str(w.message) for a in ADVICE) for w in caught)


@st.composite
def rows(draw, label_sets, *, name_classes=None):
    """Labels, truths, answers, weights or None, and what is passed as labels=."""
    classes = draw(st.sampled_from(label_sets))
    drawn = draw(st.lists(st.sampled_from(classes), min_size=1, max_size=len(classes), unique=True))
    n = draw(st.integers(1, 12))
    column = st.lists(st.sampled_from(drawn), min_size=n, max_size=n)
    y_true, y_pred = np.array(draw(column)), np.array(draw(column))
    weight = st.floats(0.01, 10)
    weights = draw(st.none() | st.lists(weight, min_size=n, max_size=n).map(np.array))
    orders = [classes, classes[::-1]] if name_classes else [None, classes, classes[::-1]]
    return classes, y_true, y_pred, weights, draw(st.sampled_from(orders))


def undefined_values(name):
    kind = get_metric(name).undefined
    if kind == "zero_division":
        return ["warn", 0.0, 1.0] + ([] if name == "jaccard" else [np.nan])
    if kind == "replace" and REPLACES:
        return [np.nan, 1.0]
    return [np.nan]


def values_of(estimate):
    return np.array([float(e) for e in (estimate if isinstance(estimate, list) else [estimate])])


@pytest.mark.parametrize("name", WITH_PEER)
@settings(max_examples=100)
@given(data=st.data())
def test_equals_scikit_learn(name, data):
    case, metric = CASES[name], get_metric(name)
    average = data.draw(st.sampled_from(metric.averages or (None,)), "average")
    if name in ONLY_TWO:
        average = "binary"
    label_sets = TWO if average == "binary" else TWO + MORE
    named = name in ("weighted_kappa", *ONLY_TWO)  # scikit-learn's order, or ours, is needed
    classes, y_true, y_pred, weights, labels = data.draw(rows(label_sets, name_classes=named))
    pos_label = data.draw(st.sampled_from(classes), "pos_label") if average == "binary" else None
    undefined = data.draw(st.sampled_from(undefined_values(name)), "undefined")
    params = data.draw(st.sampled_from([p for p in case.params if not _has_matrix(p)]), "params")
    params = {**metric.defaults, **params}
    how = {"zero_division": "zero_division", "replace": "replace_undefined_by"}
    counts = ConfusionCounts.from_predictions(y_true, y_pred, labels=labels, sample_weight=weights)
    if labels is None and pos_label not in counts.labels:
        pos_label = None if pos_label in (1, True) else counts.labels.tolist()[0]
        if pos_label is None and counts.labels.tolist()[0] not in (0, -1, False):
            return  # one class, and the positive one cannot be named: an error, tested elsewhere
    value, warned = heard(
        counts.estimate,
        name,
        confidence_level=None,
        pos_label=pos_label,
        **({"average": average} if metric.averages else {}),
        **({how[metric.undefined]: undefined} if metric.undefined in how else {}),
        **params,
    )
    expected, peer_warned = heard(
        case.peer,
        y_true,
        y_pred,
        labels=labels,
        pos_label=1 if pos_label is None else pos_label,
        average=average,
        sample_weight=weights,
        undefined=undefined,
        **params,
    )
    if name in ONLY_TWO and np.isnan(expected):
        # Asked to replace, scikit-learn leaves NaN where there is no positive row.
        expected = undefined
    np.testing.assert_allclose(values_of(value), np.ravel(expected), rtol=1e-12, atol=1e-12)
    if name in ONLY_TWO:  # scikit-learn computes both ratios and warns about either
        assert peer_warned >= warned
    elif params.get("beta", 1.0) not in (0, np.inf) and not (average == "micro" and _other(name)):
        assert warned == peer_warned  # scikit-learn replaces silently at these two betas


def _other(name):
    """Whether the peer of the micro average is a division of our own, which warns of nothing."""
    return name in ("specificity", "negative_predictive_value")


def _has_matrix(params):
    return any(isinstance(v, dict) for v in params.values())


@settings(max_examples=100)
@given(
    rows([["no", "yes"], *MORE], name_classes=True), st.sampled_from([None, "linear", "quadratic"])
)
def test_weighted_kappa_score_equals_cohen_kappa_score(row, weights):
    _, y_true, y_pred, sample_weight, labels = row
    arguments = {"labels": labels, "weights": weights, "sample_weight": sample_weight}
    value, warned = heard(weighted_kappa_score, y_true, y_pred, **arguments)
    expected, peer_warned = heard(cohen_kappa_score, y_true, y_pred, **arguments)
    assert value == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)
    assert isinstance(value, float)
    assert warned == peer_warned


@settings(max_examples=100)
@given(rows([[0, 1, 2], [0, 1, 2, 3, 4]]), st.sampled_from([None, "linear", "quadratic"]))
def test_weighted_kappa_score_of_numbers_needs_no_labels(row, weights):
    _, y_true, y_pred, sample_weight, _ = row
    value, warned = heard(
        weighted_kappa_score, y_true, y_pred, weights=weights, sample_weight=sample_weight
    )
    expected, peer_warned = heard(
        cohen_kappa_score, y_true, y_pred, weights=weights, sample_weight=sample_weight
    )
    assert value == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)
    assert warned == peer_warned


def test_replacements_of_kappa_are_the_ones_asked_for():
    value, warned = heard(weighted_kappa_score, [1, 1], [1, 1], replace_undefined_by=-1.0)
    assert (value, warned) == (-1.0, True)
    if REPLACES:
        assert value == heard(cohen_kappa_score, [1, 1], [1, 1], replace_undefined_by=-1.0)[0]


@settings(max_examples=100)
@given(rows(TWO[:3]), st.sampled_from(["warn", 0.0, 1.0, np.nan]))
def test_negative_predictive_value_is_the_precision_of_the_other_class(row, zero_division):
    classes, y_true, y_pred, weights, labels = row
    value, _ = heard(
        negative_predictive_value_score,
        y_true,
        y_pred,
        labels=labels,
        sample_weight=weights,
        zero_division=zero_division,
    )
    negative = np.asarray(y_pred) == classes[0]
    right = (
        np.average(
            y_true[negative] == classes[0], weights=None if weights is None else weights[negative]
        )
        if negative.any()
        else {"warn": 0.0}.get(zero_division, zero_division)
    )
    assert value == pytest.approx(right, rel=1e-12, nan_ok=True)


@settings(max_examples=100)
@given(rows(TWO + MORE))
def test_geometric_mean_equals_imbalanced_learn(row):
    """imbalanced-learn 0.14: the multiclass one, also with weights and with absent classes."""
    _, y_true, y_pred, weights, labels = row
    counts = ConfusionCounts.from_predictions(y_true, y_pred, labels=labels, sample_weight=weights)
    value, _ = heard(counts.estimate, "geometric_mean", confidence_level=None)
    expected, _ = heard(geometric_mean_score, y_true, y_pred, labels=labels, sample_weight=weights)
    assert float(value) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@settings(max_examples=100)
@given(rows(TWO + MORE), st.sampled_from(["macro", "weighted", "micro", None]))
def test_specificity_equals_imbalanced_learn_without_weights(row, average):
    """imbalanced-learn counts true negatives in rows though the rest is weighted: no weights."""
    _, y_true, y_pred, _, _ = row
    counts = ConfusionCounts.from_predictions(y_true, y_pred)
    value, _ = heard(counts.estimate, "specificity", confidence_level=None, average=average)
    expected, _ = heard(specificity_score, y_true, y_pred, average=average)
    np.testing.assert_allclose(values_of(value), np.ravel(expected), rtol=1e-12, atol=1e-12)
    per_class, _ = heard(counts.estimate, "geometric_mean", confidence_level=None, average=None)
    expected, _ = heard(geometric_mean_score, y_true, y_pred, average=None)
    np.testing.assert_allclose(values_of(per_class), expected, rtol=1e-12, atol=1e-12)


def test_macro_geometric_mean_is_the_mean_of_the_per_class_ones():
    """imbalanced-learn takes the root of the averaged rates instead, which is another number."""
    y_true, y_pred = [0, 0, 0, 1, 1, 2, 2, 2, 2], [0, 1, 2, 1, 1, 2, 2, 0, 2]
    counts = ConfusionCounts.from_predictions(y_true, y_pred)
    per_class = values_of(counts.estimate("geometric_mean", confidence_level=None, average=None))
    by_hand = [np.sqrt(1 / 3 * 5 / 6), np.sqrt(1 * 6 / 7), np.sqrt(3 / 4 * 4 / 5)]
    np.testing.assert_allclose(per_class, by_hand, rtol=1e-12)
    macro = float(counts.estimate("geometric_mean", confidence_level=None, average="macro"))
    assert macro == pytest.approx(np.mean(by_hand), rel=1e-12)
    assert macro != pytest.approx(geometric_mean_score(y_true, y_pred, average="macro"), rel=1e-3)


def test_zero_weight_rows_keep_their_class_as_in_scikit_learn():
    y_true, y_pred, weights = [0, 1, 2, 2], [0, 1, 2, 0], [1.0, 2.0, 0.0, 0.0]
    counts = ConfusionCounts.from_predictions(y_true, y_pred, sample_weight=weights)
    value, warned = heard(counts.estimate, "recall", confidence_level=None, average="macro")
    expected, peer_warned = heard(
        recall_score, y_true, y_pred, average="macro", sample_weight=weights
    )
    assert float(value) == expected == pytest.approx(2 / 3)
    assert warned
    assert peer_warned


def test_balanced_accuracy_leaves_out_a_class_that_no_row_has():
    counts = ConfusionCounts.from_predictions([0, 0, 1], [0, 2, 1])
    with pytest.warns(UserWarning, match="left out of the mean"):
        value = float(counts.estimate("balanced_accuracy", confidence_level=None))
    expected, _ = heard(balanced_accuracy_score, [0, 0, 1], [0, 2, 1])
    assert value == expected == 0.75


@pytest.mark.parametrize("name", WITH_PEER)
def test_many_rows_equal_scikit_learn(name, rng):
    y_true = rng.integers(0, 2, 5000)
    y_pred = np.where(rng.random(5000) < 0.8, y_true, 1 - y_true)
    weights = rng.gamma(2, 1, 5000)
    average = (get_metric(name).averages or (None,))[0]
    params = dict(get_metric(name).defaults)
    expected = CASES[name].peer(
        y_true,
        y_pred,
        labels=[0, 1],
        pos_label=1,
        average=average,
        sample_weight=weights,
        undefined=0.0 if get_metric(name).undefined == "zero_division" else np.nan,
        **params,
    )
    counts = ConfusionCounts.from_predictions(y_true, y_pred, sample_weight=weights)
    assert float(counts.estimate(name)) == pytest.approx(float(expected), rel=1e-12)


@pytest.mark.parametrize("name", CASES)
def test_the_scorer_is_the_estimate(name, rng):
    """One way from labels to a number, whatever the door; losses are negated."""
    y_true, y_pred = rng.integers(0, 2, 200), rng.integers(0, 2, 200)

    class Echo(ClassifierMixin, BaseEstimator):
        classes_ = np.array([0, 1])

        def predict(self, X):
            return X

    score = get_metric_scorer(name)(Echo(), y_pred, y_true)
    value = float(
        ConfusionCounts.from_predictions(y_true, y_pred).estimate(name, confidence_level=None)
    )
    assert score == (-value if CASES[name].loss else value)
