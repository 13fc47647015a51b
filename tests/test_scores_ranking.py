"""Areas under curves: scikit-learn's values, COCO's, and published ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_classification
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, make_scorer, roc_auc_score
from sklearn.model_selection import GridSearchCV, cross_val_score, train_test_split
from sklearn.tree import DecisionTreeClassifier

from skmetrics_ext.counts import ScoreCounts, mean_interpolated_average_precision
from skmetrics_ext.datasets import load_anes96
from skmetrics_ext.metrics import gini_score, interpolated_average_precision_score
from tests.score_cases import PENGUINS, PUBLISHED, TIED, penguins_of_known_sex, scored_rows

WORDS = np.array(["no", "yes"])
MEASURES = ("roc_auc", "gini", "average_precision", "interpolated_average_precision")


def count(y, score, weight=None, **more):
    return ScoreCounts.from_predictions(y, score, sample_weight=weight, **more)


@given(scored_rows(), st.booleans(), st.sampled_from([0.01, 0.1, 0.25, 0.5, 0.8, 1.0]))
def test_values_are_those_of_scikit_learn(rows, weighted, max_fpr):
    y, score, weight = rows
    weight = weight if weighted else None
    counts = count(WORDS[y], score, weight, pos_label="yes")
    close = {"rtol": 1e-10, "atol": 1e-12}
    auc = roc_auc_score(y, score, sample_weight=weight)
    np.testing.assert_allclose(counts.roc_auc().value, auc, **close)
    np.testing.assert_allclose(counts.gini().value, 2 * auc - 1, **close)
    np.testing.assert_allclose(
        counts.partial_auc(max_fpr).value,
        roc_auc_score(y, score, sample_weight=weight, max_fpr=max_fpr),
        **close,
    )
    np.testing.assert_allclose(
        counts.average_precision().value,
        average_precision_score(y, score, sample_weight=weight),
        **close,
    )
    # The other class as the positive one, which low scores speak for.
    turned = count(WORDS[y], -score, weight, pos_label="no")
    np.testing.assert_allclose(turned.roc_auc().value, auc, **close)


@given(scored_rows(), st.sampled_from([0.125, 2.0, 1024.0]))
def test_the_scale_of_weights_does_not_matter(rows, scale):
    y, score, weight = rows
    for name in MEASURES:
        ours = getattr(count(y, score, weight), name)()
        scaled = getattr(count(y, score, scale * weight), name)()
        for part in ("value", "low", "high", "se"):
            np.testing.assert_allclose(getattr(scaled, part), getattr(ours, part), rtol=1e-9)


@given(scored_rows(), st.data())
def test_whole_weights_repeat_rows_and_zero_weights_remove_them(rows, data):
    y, score, _ = rows
    times = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(y), max_size=len(y))))
    times[:2] = 1
    weighted, repeated = count(y, score, times), count(y.repeat(times), score.repeat(times))
    for name in ("roc_auc", "gini", "average_precision", "interpolated_average_precision"):
        np.testing.assert_allclose(
            getattr(weighted, name)().value, getattr(repeated, name)().value, rtol=1e-12
        )


def coco(y, score, n_positives, levels=101):
    """COCO's accumulate(), line by line, for one class and scores without ties."""
    order = np.argsort(-score, kind="mergesort")
    tp = np.cumsum(y[order])
    fp = np.cumsum(1 - y[order])
    recall = tp / n_positives
    precision = (tp / (fp + tp + np.spacing(1))).tolist()
    at_levels = np.zeros(levels)
    for i in range(len(precision) - 1, 0, -1):
        if precision[i] > precision[i - 1]:
            precision[i - 1] = precision[i]
    places = np.searchsorted(recall, np.linspace(0.0, 1.0, levels), side="left")
    for level, place in enumerate(places):
        if place < len(precision):
            at_levels[level] = precision[place]
    return at_levels.mean()


@given(scored_rows(), st.integers(0, 12), st.sampled_from([2, 11, 101]), st.integers(0, 99))
def test_interpolated_average_precision_is_cocos(rows, unscored, levels, seed):
    y, _, _ = rows
    score = np.random.default_rng(seed).permutation(len(y)) / len(y)
    objects = int(y.sum()) + unscored
    ours = interpolated_average_precision_score(y, score, n_positives=objects, recall_levels=levels)
    assert ours == pytest.approx(coco(y, score, objects, levels), abs=1e-12)


def test_interpolated_average_precision_by_hand():
    # Precision 1, 1/2, 2/3 at recalls 1/2, 1/2, 1: the 51 levels up to 0.5 get 1, others 2/3.
    value = interpolated_average_precision_score([1, 0, 1], [0.9, 0.8, 0.7])
    assert value == pytest.approx((51 + 50 * 2 / 3) / 101)
    # Two of four found: the best at recall 1/4 is 1, at 1/2 it is 2/3, beyond nothing.
    value = interpolated_average_precision_score([1, 0, 1], [0.9, 0.8, 0.7], n_positives=4)
    assert value == pytest.approx((26 + 25 * 2 / 3) / 101)


def test_the_mean_over_classes_counts_classes_that_were_never_detected():
    y, score = [1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5]
    detections = count(y, score, by=["car", "car", "car", "dog", "dog"])
    car = (51 + 50 * 2 / 3) / 101
    mean = mean_interpolated_average_precision(detections)
    assert mean.value == pytest.approx((car + 1) / 2)
    assert mean.low < mean.value < mean.high
    objects = {"car": 2, "dog": 1, "cat": 3}
    mean = mean_interpolated_average_precision(detections, n_positives=objects)
    assert mean.value == pytest.approx((car + 1 + 0) / 3)
    assert str(mean).startswith("macro interpolated_average_precision 0.612 [")
    assert mean_interpolated_average_precision(detections, confidence_level=None).low is None


def test_classes_without_objects_are_left_out_of_the_mean():
    detections = count([1, 0, 0], [0.9, 0.8, 0.7], by=["car", "car", "ghost"])
    with pytest.warns(UndefinedMetricWarning, match=r"the classes \['ghost'\]"):
        assert mean_interpolated_average_precision(detections).value == 1.0
    with pytest.warns(UndefinedMetricWarning, match=r"\['ghost'\]"):
        mean = mean_interpolated_average_precision(count([0], [0.5], by=["ghost"]))
    assert np.isnan(mean.value)
    assert np.isnan(mean.low)
    # Objects that only false alarms were raised for: nothing found is 0, not undefined.
    mean = mean_interpolated_average_precision(detections, n_positives={"car": 1, "ghost": 2})
    assert mean.value == 0.5


def test_simpsons_penguins():
    published = PENGUINS["body_mass_auc"]
    rows = penguins_of_known_sex()
    counts = ScoreCounts.from_predictions(
        rows.sex, rows.body_mass_g, pos_label="male", by=rows.species
    )
    whole = counts.total().roc_auc()
    assert (whole.n, whole.n_positives * whole.n_negatives) == (264, published["pairs"])
    assert round(whole.value, 4) == published["auc"]
    inside = {e.group: e for e in counts.roc_auc()}
    assert {g: round(e.value, 2) for g, e in inside.items()} == published["by_species"]
    assert all(e.low > whole.value for g, e in inside.items() if g != "Chinstrap")
    assert str(inside["Adelie"]).startswith("roc_auc of 'male' in 'Adelie' 0.94")


def test_published_areas():
    # A classifier that answers only 0 or 1: 70 % of the positives and 20 % of the negatives.
    tied = PUBLISHED["auc_with_ties"]
    score = np.repeat([1, 0, 1, 0], [7, 3, 2, 8])
    assert count(np.repeat([1, 0], 10), score).roc_auc().value == pytest.approx(tied["auc"])
    rare = PUBLISHED["auc_vs_average_precision"]
    X, y = make_classification(n_samples=20_000, weights=[0.99], flip_y=0, random_state=0)
    X, X_test, y, y_test = train_test_split(X, y, test_size=0.5, stratify=y, random_state=0)
    model = LogisticRegression(max_iter=1000).fit(X, y)
    counts = count(y_test, model.predict_proba(X_test)[:, 1])
    assert counts.roc_auc().n_positives == rare["positives_in_test"]
    assert round(counts.roc_auc().value, 3) == rare["roc_auc"]
    precision = counts.average_precision()
    assert round(precision.value, 3) == rare["average_precision"]
    assert precision.baseline == 0.01


def test_a_reversed_score_is_named():
    said = str(count([0, 0, 1, 1], [4, 3, 3, 1]).roc_auc())
    assert "are the classes reversed?" in said
    assert "reversed" in str(count([0, 0, 1, 1], [4, 3, 3, 1]).gini())
    assert "reversed" not in str(count([0, 0, 1, 1], [1, 2, 3, 4]).roc_auc())
    assert "reversed" not in str(count([0, 1], [1, 1]).roc_auc())


@pytest.mark.parametrize("name", MEASURES)
def test_without_positives_all_is_undefined(name):
    counts = count([0, 0], [0.1, 0.2])
    with pytest.warns(UndefinedMetricWarning, match=f"^{name} needs"):
        estimate = getattr(counts, name)()
    assert np.isnan([estimate.value, estimate.low, estimate.high, estimate.se]).all()
    assert (estimate.n_positives, estimate.n_negatives) == (0, 2)


def test_without_negatives_precision_is_known_and_ranking_is_not():
    counts = count([1, 1], [0.1, 0.2])
    assert counts.average_precision().value == 1.0
    assert counts.interpolated_average_precision().value == 1.0
    with pytest.warns(UndefinedMetricWarning, match="roc_auc needs rows of both classes"):
        assert np.isnan(counts.roc_auc().value)


def test_a_subgroup_without_positives_is_named_and_the_others_answered():
    counts = count([0, 1, 0, 0], [1, 2, 3, 4], by=["a", "a", "b", "b"])
    with pytest.warns(UndefinedMetricWarning, match=r"in the subgroups \['b'\]"):
        of_a, of_b = counts.roc_auc()
    assert of_a.value == 1.0
    assert np.isnan(of_b.value)


@given(scored_rows(scores=TIED | st.floats(0, 1)), st.sampled_from([1, 2, 5, 20]))
def test_bins_are_off_by_no_more_than_they_say(rows, bins):
    y, score, weight = rows
    exact = count(y, score, weight)
    binned = count(y, score, weight, bins=bins)
    for name in ("roc_auc", "gini"):
        ours = getattr(binned, name)()
        assert abs(ours.value - getattr(exact, name)().value) <= ours.binning_error + 1e-12
        assert getattr(exact, name)().binning_error is None
    if (binned.rankings[0].low == binned.rankings[0].high).all():
        assert binned.roc_auc().binning_error == 0


def test_the_bound_of_bins_is_attained():
    binned = count([0, 0, 1, 1], [0.1, 0.2, 0.3, 0.4], bins=1).roc_auc()
    assert (binned.value, binned.binning_error) == (0.5, 0.5)
    assert "off by at most 0.5 because of the bins" in str(binned)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda c: c.partial_auc(0), "max_fpr must be above 0 and at most 1; got 0"),
        (lambda c: c.partial_auc(1.1), "max_fpr must be above 0 and at most 1"),
        (lambda c: c.partial_auc("0.1"), "max_fpr must be a number"),
        (lambda c: c.roc_auc(confidence_level=95), "confidence_level must be a number between"),
        (lambda c: c.interpolated_average_precision(recall_levels=1), "recall_levels must be"),
        (
            lambda c: c.interpolated_average_precision(n_positives=1),
            "n_positives must count at least the positives that have a score, 2; got 1",
        ),
        (lambda c: c.interpolated_average_precision(n_positives=np.inf), "n_positives must count"),
        (lambda c: c.interpolated_average_precision(n_positives="3"), "must be a number; got '3'"),
        (lambda c: c.interpolated_average_precision(n_positives={"a": 3}), "there are none"),
        (mean_interpolated_average_precision, "counts must have the classes as subgroups"),
    ],
)
def test_bad_questions_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call(count([0, 1, 1], [0.1, 0.2, 0.3]))


def test_objects_of_subgroups_must_be_named():
    counts = count([0, 1, 1], [0.1, 0.2, 0.3], by=["a", "a", "b"])
    with pytest.raises(ValueError, match="for each subgroup"):
        counts.interpolated_average_precision(n_positives=3)
    with pytest.raises(ValueError, match=r"must name every subgroup of \['a', 'b'\]"):
        counts.interpolated_average_precision(n_positives={"a": 3})
    with pytest.raises(ValueError, match="the positives that have a score, 1 in 'b'; got 0"):
        counts.interpolated_average_precision(n_positives={"a": 3, "b": 0})
    with pytest.raises(ValueError, match="n_positives must be a mapping"):
        mean_interpolated_average_precision(counts, n_positives=3)


@pytest.mark.parametrize("model", [LogisticRegression(max_iter=500), DecisionTreeClassifier()])
def test_scorers_of_scores(model):
    X, y = load_anes96(return_X_y=True)
    y = np.where(y == y.min(), "lowest", "other")
    X = np.asarray(X, dtype=float)[:, :3]
    how = {"response_method": ("decision_function", "predict_proba"), "pos_label": "lowest"}
    gini = cross_val_score(model, X, y, scoring=make_scorer(gini_score, **how), cv=3)
    auc = cross_val_score(model, X, y, scoring=make_scorer(_auc_of_lowest, **how), cv=3)
    if isinstance(model, LogisticRegression):
        np.testing.assert_allclose(gini, 2 * auc - 1)
    scorer = make_scorer(interpolated_average_precision_score, recall_levels=11, **how)
    search = GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1, 2]}, scoring=scorer, cv=2)
    assert 0 < search.fit(X, y).best_score_ <= 1


def _auc_of_lowest(y_true, y_score, pos_label):
    return roc_auc_score(y_true == pos_label, y_score)


def test_scorer_functions_give_plain_floats():
    for function in (gini_score, interpolated_average_precision_score):
        assert type(function([0, 1, 1], [0.1, 0.2, 0.05], sample_weight=[1, 2, 1])) is float
    with pytest.raises(ValueError, match="pos_label must name"):
        gini_score(["a", "b"], [1, 2])
