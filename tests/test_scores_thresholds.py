"""Every threshold: the tables by brute force, and metrics along them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import (
    cohen_kappa_score,
    f1_score,
    fbeta_score,
    matthews_corrcoef,
    roc_curve,
)
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import skmetrics_ext.counts._score_thresholds as score_thresholds
from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.counts import ConfusionCounts, ScoreCounts
from skmetrics_ext.tables import get_metric, metric_names
from tests.score_cases import PENGUINS, penguins_of_known_sex, scored_rows

BINARY = [name for name in metric_names() if get_metric(name).kind == "binary"]
INFINITE = st.sampled_from([-np.inf, -1.0, 0.0, 2.0, np.inf])
COLUMNS = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]


def count(y, score, weight=None, **more):
    return ScoreCounts.from_predictions(y, score, sample_weight=weight, **more)


def brute_force(y, said, weight):
    return [[(weight * ((y == t) & (said == a))).sum() for a in (0, 1)] for t in (0, 1)]


@given(scored_rows(scores=INFINITE | st.floats(-5, 5)), st.booleans())
def test_tables_are_those_of_the_rule_at_each_threshold(rows, weighted):
    y, score, weight = rows
    weight = weight if weighted else np.ones(len(y))
    thresholds, tables = count(y, score, weight).tables()
    assert tables.shape == (len(np.unique(score)) + 1, 2, 2)
    for threshold, table in zip(thresholds, tables, strict=True):
        expected = brute_force(y, score >= threshold, weight)
        np.testing.assert_allclose(table, expected, rtol=1e-12, atol=1e-12)
    # Both ends, exactly.
    assert not tables[0, :, 1].any()
    assert not tables[-1, :, 0].any()
    assert thresholds[-1] == score.min()


@given(scored_rows())
def test_corners_are_those_of_scikit_learns_roc_curve(rows):
    y, score, weight = rows
    thresholds, tables = count(y, score, weight).tables()
    fpr, tpr, cuts = roc_curve(y, score, sample_weight=weight, drop_intermediate=False)
    rates = tables[:, :, 1] / tables.sum(-1)
    np.testing.assert_allclose(rates, np.stack([fpr, tpr], 1), atol=1e-12)
    np.testing.assert_array_equal(thresholds, cuts)


def test_the_first_threshold_is_one_that_no_score_reaches():
    assert count([0, 1], [1, 2]).tables()[0].tolist() == [np.inf, 2, 1]
    thresholds, tables = count([0, 1], [1, np.inf]).tables()
    assert np.isnan(thresholds[0])
    assert thresholds[1:].tolist() == [np.inf, 1]
    assert tables[0].tolist() == [[1, 0], [1, 0]]


@given(scored_rows(), st.sampled_from([1, 3, 10]))
def test_cuts_of_bins_are_exact(rows, bins):
    y, score, weight = rows
    thresholds, tables = count(y, score, weight, bins=bins).tables()
    for threshold, table in zip(thresholds, tables, strict=True):
        expected = brute_force(y, score >= threshold, weight)
        np.testing.assert_allclose(table, expected, rtol=1e-12, atol=1e-12)


@given(scored_rows(), st.sampled_from([1, 3, 1 << 15]))
def test_curves_are_the_metrics_at_each_table(rows, block):
    """Each registered binary metric, in whatever blocks, as from the table at the threshold."""
    y, score, weight = rows
    counts = count(y, score, weight)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(score_thresholds, "_BLOCK", block)
        thresholds, values = counts.metric_curve(BINARY)
    cuts, tables = counts.tables()
    np.testing.assert_array_equal(thresholds, cuts)
    assert list(values) == BINARY
    for name in BINARY:
        alone = counts.metric_curve(name)[1]
        np.testing.assert_array_equal(values[name], alone)
        formula = get_metric(name).formula
        np.testing.assert_array_equal(alone, [formula(table) for table in tables])


@pytest.mark.parametrize("pos_label", ["ill", "well"])
def test_curves_are_scikit_learns_values(pos_label):
    rng = np.random.default_rng(2)
    y = np.where(rng.random(60) < 0.4, "ill", "well")
    score = np.round(rng.normal(y == pos_label), 1)
    other = "well" if pos_label == "ill" else "ill"
    counts = count(y, score, pos_label=pos_label)
    names = ["f1", "fbeta", "matthews_corrcoef", "weighted_kappa"]
    thresholds, values = counts.metric_curve(names, beta=2.0, weights=None)
    for k in range(1, len(thresholds) - 1):
        said = np.where(score >= thresholds[k], pos_label, other)
        expected = [
            f1_score(y, said, pos_label=pos_label),
            fbeta_score(y, said, beta=2.0, pos_label=pos_label),
            matthews_corrcoef(y, said),
            cohen_kappa_score(y, said),
        ]
        np.testing.assert_allclose([values[name][k] for name in names], expected, atol=1e-12)


@pytest.mark.parametrize("pos_label", [0, 1])
def test_costs_along_the_thresholds_name_the_classes_right(pos_label):
    y, score = np.array([0, 1, 1, 0, 1]), np.array([0.1, 0.7, 0.4, 0.6, 0.9])
    counts = count(y, score, pos_label=pos_label)
    costs = CostMatrix([[0, 5], [1, 0]])  # answering 0 when the truth is 1 costs 5
    for given_costs in (costs, costs.to_array()):
        thresholds, values = counts.metric_curve("expected_cost", cost_matrix=given_costs)
        for threshold, value in zip(thresholds, values, strict=True):
            said = np.where(score >= threshold, pos_label, 1 - pos_label)
            expected = ConfusionCounts.from_predictions(y, said, labels=[0, 1]).estimate(
                "expected_cost", cost_matrix=costs
            )
            assert value == pytest.approx(float(expected))


def test_costs_of_words_must_be_named():
    counts = count(["legit", "fraud"], [0.1, 0.9], pos_label="fraud")
    with pytest.raises(ValueError, match="alphabetical"):
        counts.metric_curve("expected_cost", cost_matrix=[[0, 5], [1, 0]])
    costs = CostMatrix.binary(
        false_negative=100, false_positive=1, pos_label="fraud", neg_label="legit"
    )
    _, values = counts.metric_curve("expected_cost", cost_matrix=costs)
    assert values.tolist() == [50, 0, 0.5]


def test_curves_of_one_class_and_of_subgroups():
    _, values = count([1, 1], [0.1, 0.2]).metric_curve("recall")
    assert values.tolist() == [0, 0.5, 1]
    _, values = count(["a"], [0.1], pos_label="a").metric_curve("recall")
    assert values.tolist() == [0, 1]
    pairs = count([0, 1, 1], [1, 2, 3], by=["x", "x", "y"]).metric_curve("recall")
    assert [values.tolist() for _, values in pairs] == [[0, 1, 1], [0, 1]]


def test_unknown_metrics_and_parameters_are_refused():
    counts = count([0, 1], [1, 2])
    with pytest.raises(ValueError, match="unknown metric 'roc_auc'"):
        counts.metric_curve("roc_auc")
    with pytest.raises(TypeError, match=r"'f1' has no parameter \['beta'\]"):
        counts.metric_curve("f1", beta=2)
    with pytest.raises(ValueError, match="metric must name at least one"):
        counts.metric_curve([])


def test_the_published_threshold_table():
    rows = penguins_of_known_sex()
    model = make_pipeline(StandardScaler(), KNeighborsClassifier(5))
    folds = StratifiedKFold(5, shuffle=True, random_state=42)
    votes = cross_val_predict(
        model, rows[COLUMNS], rows.sex.astype(object), cv=folds, method="predict_proba"
    )
    counts = count(rows.sex, votes[:, 1].round(1), pos_label="male")
    ranking = counts.rankings[0]
    assert ranking.low.tolist() == PENGUINS["votes"]["share"]
    assert ranking.n.tolist() == [PENGUINS["votes"]["female"], PENGUINS["votes"]["male"]]
    published = PENGUINS["threshold_table"]
    table = counts.threshold_table([row["threshold"] for row in published])
    columns = table.columns()
    for k, row in enumerate(published):
        for name, value in row.items():
            ours = columns["said_positive" if name == "said_male" else name][k]
            assert round(float(ours), 3) == value
    assert len(table) == 5
    assert "score >= threshold says 'male'" in repr(table)
    assert "183" in repr(table)
    assert round(counts.roc_auc().value, 2) == PENGUINS["neighbours_auc"]


@given(scored_rows(), st.lists(st.floats(-0.5, 1.5), min_size=1, max_size=5))
def test_thresholds_of_ones_own(rows, thresholds):
    y, score, weight = rows
    table = count(y, score, weight).threshold_table([*thresholds, -np.inf, np.inf])
    for k, threshold in enumerate([*thresholds, -np.inf, np.inf]):
        (_, fp), (fn, tp) = brute_force(y, score >= threshold, weight)
        assert table.said_positive[k] == pytest.approx(tp + fp)
        assert table.false_alarms[k] == pytest.approx(fp)
        assert table.missed[k] == pytest.approx(fn)
        assert table.recall[k] == pytest.approx(tp / (tp + fn))
    assert np.isnan(table.precision[-1])


def test_thresholds_between_bins_are_answered_and_others_refused():
    counts = count([0, 1, 0, 1], [0.1, 0.3, 0.6, 0.9], bins=2)
    assert counts.threshold_table([0.05, 0.1, 0.5, 0.6, 0.95]).said_positive.tolist() == [
        4,
        4,
        2,
        2,
        0,
    ]
    with pytest.raises(ValueError, match=r"cuts through a bin.*0\.1 to 0\.3.*are 0\.1 and 0\.6"):
        counts.threshold_table([0.2])
    with pytest.raises(ValueError, match=r"cuts through a bin of scores at 0\.3"):
        counts.threshold_table([0.3])
    with pytest.raises(ValueError, match=r"exact thresholds are 0\.6 and inf"):
        counts.threshold_table([0.5, 0.7])


def test_threshold_tables_of_subgroups_and_as_frames():
    counts = count([0, 1, 1], [1, 2, 3], by=["x", "x", "y"])
    of_x, of_y = counts.threshold_table(2)
    assert (of_x.group, of_x.said_positive.tolist()) == ("x", [1])
    assert (of_y.group, of_y.missed.tolist()) == ("y", [0])
    frame = of_x.to_frame()
    assert frame.columns[0] == "threshold"
    assert frame.recall.tolist() == [1.0]


@pytest.mark.parametrize("thresholds", [[np.nan], [[0.1]], [], "a", [None, "b"]])
def test_bad_thresholds(thresholds):
    with pytest.raises(ValueError, match=r"^thresholds must"):
        count([0, 1], [1, 2]).threshold_table(thresholds)
