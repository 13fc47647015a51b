"""The prior-shift formula, and what resampling does to probabilities with and without it."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from imblearn.over_sampling import SMOTE, RandomOverSampler
from imblearn.under_sampling import RandomUnderSampler
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, brier_score_loss, log_loss, roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.neighbors import KNeighborsClassifier

from skmetrics_ext.decision._priors import correct_priors
from skmetrics_ext.imbalance import ResampledClassifier

# Measured with scikit-learn 1.9.1 and imbalanced-learn 0.14.2; the file says on which data.
REFERENCE = json.loads((Path(__file__).parent / "data" / "prior_correction.json").read_text())

UNIT = st.floats(1e-6, 1 - 1e-6)


@pytest.fixture(scope="module")
def rare():
    X, y = make_classification(
        n_samples=5000,
        n_features=10,
        n_informative=5,
        weights=[0.966],
        flip_y=0.01,
        random_state=0,
    )
    assert round(y.mean(), 3) == REFERENCE["data"]["prevalence"]
    return X, y


def two(p):
    return [[1 - p, p]]


def test_elkans_number():
    # Elkan (2001), also in the reference: 0.3 learnt at base rate 0.1 is 0.7941 at 0.5.
    p = correct_priors(two(0.3), [0.5, 0.5], [0.9, 0.1])
    assert round(p[0, 1], 4) == 0.7941


def test_dal_pozzolos_number():
    # beta = 0.1 of the negatives kept, half of what is left positive: 0.6 becomes 0.1304.
    beta, q = 0.1, 0.6
    negatives, positives = 1000, 100
    before = np.array([negatives, positives]) / (negatives + positives)
    kept = np.array([beta * negatives, positives])
    p = correct_priors(two(q), before, kept / kept.sum())
    assert round(p[0, 1], 4) == 0.1304
    np.testing.assert_allclose(p[0, 1], beta * q / (beta * q - q + 1), rtol=1e-14)


@given(q=UNIT, prior=UNIT, seen=UNIT)
def test_binary_closed_form(q, prior, seen):
    w = (seen / (1 - seen)) * ((1 - prior) / prior)
    p = correct_priors(two(q), [1 - prior, prior], [1 - seen, seen])
    np.testing.assert_allclose(p[0, 1], q / (q + w * (1 - q)), rtol=1e-9)


SHARES = st.lists(st.integers(1, 1000), min_size=3, max_size=3).map(
    lambda counts: np.array(counts) / sum(counts)
)


@given(q=SHARES, prior=SHARES, seen=SHARES)
def test_three_classes(q, prior, seen):
    p = correct_priors([q], prior, seen)
    np.testing.assert_allclose(p.sum(axis=1), 1, rtol=1e-15)
    expected = q * prior / seen
    np.testing.assert_allclose(p[0], expected / expected.sum(), rtol=1e-12)
    # What was put back can be put forth again; the shares themselves go to the shares.
    np.testing.assert_allclose(correct_priors(p, seen, prior), [q], rtol=1e-10)
    np.testing.assert_allclose(correct_priors([seen], prior, seen), [prior], rtol=1e-12)


def test_same_shares_change_no_bit(rng):
    q = rng.dirichlet([0.1, 1, 10], size=100)
    assert (correct_priors(q, [0.2, 0.3, 0.5], [0.2, 0.3, 0.5]) == q).all()


def test_certainty_stays_certain():
    q = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.5, 0.5]]
    p = correct_priors(q, [0.98, 0.01, 0.01], [1 / 3, 1 / 3, 1 / 3])
    np.testing.assert_array_equal(p, q)


def test_extreme_values_stay_probabilities():
    q = [[1e-308, 1.0], [1.0, 1e-308], [1.0, 0.0], [0.0, 1.0]]
    p = correct_priors(q, [1.0, 1e-100], [1e-100, 1.0])
    np.testing.assert_allclose(p.sum(axis=1), 1, rtol=1e-15)
    # 1e-308 * 1e100 against 1 * 1e-100, then 1 * 1e100 against 1e-308 * 1e-100 (no double).
    np.testing.assert_allclose(p[0], [1e-108, 1], rtol=1e-12)
    np.testing.assert_array_equal(p[1:], [[1, 0], [1, 0], [0, 1]])


def test_prior_of_zero():
    # Impossible classes get nothing; a row certain of them alone becomes the priors.
    p = correct_priors([[0.5, 0.25, 0.25], [1, 0, 0]], [0, 0.75, 0.25], [0.5, 0.25, 0.25])
    np.testing.assert_allclose(p, [[0, 0.75, 0.25], [0, 0.75, 0.25]], rtol=1e-15)
    # A class that is neither expected nor seen takes no part.
    p = correct_priors([[0.0, 0.5, 0.5]], [0, 0.9, 0.1], [0, 0.5, 0.5])
    np.testing.assert_allclose(p, [[0, 0.9, 0.1]], rtol=1e-15)


@pytest.mark.parametrize(
    ("q", "priors", "seen", "message"),
    [
        ([0.1, 0.9], [0.5, 0.5], [0.5, 0.5], r"proba must have the shape .* shape \(2,\)"),
        (two(np.nan), [0.5, 0.5], [0.5, 0.5], "proba must hold finite .* got nan"),
        ([[-0.1, 1.1]], [0.5, 0.5], [0.5, 0.5], "proba must hold finite .* got -0.1"),
        (two(0.5), [0.5, 0.3, 0.2], [0.5, 0.5], r"priors must hold one share per class, 2 "),
        (two(0.5), [0.5, 0.6], [0.5, 0.5], r"priors must sum to 1; \[0.5, 0.6\] sums to 1.1"),
        (two(0.5), [1.5, -0.5], [0.5, 0.5], "priors must hold finite numbers .* -0.5"),
        (two(0.5), [0.5, 0.5], [0.5, np.inf], "priors_seen must hold finite numbers .* inf"),
        (two(0.5), [0.5, 0.5], [1, 0], "class number 1 has the prior 0.5 and was never seen"),
    ],
)
def test_refused(q, priors, seen, message):
    with pytest.raises(ValueError, match=message):
        correct_priors(q, priors, seen)


def test_three_thirds_typed_by_hand_are_shares():
    p = correct_priors([[0.2, 0.3, 0.5]], [0.333333] * 3, [0.2, 0.3, 0.5])
    np.testing.assert_allclose(p, 1 / 3, rtol=1e-12)


@pytest.mark.parametrize(
    ("row", "sampler", "correction"),
    [
        ("plain", None, "auto"),
        ("balanced", None, "none"),
        ("balanced_then_prior", None, "prior"),
        ("smote", SMOTE(random_state=0), "none"),
        ("smote_then_prior", SMOTE(random_state=0), "prior"),
        ("undersampled", RandomUnderSampler(random_state=0), "none"),
        ("undersampled_then_prior", RandomUnderSampler(random_state=0), "prior"),
    ],
)
def test_reference_rows(rare, row, sampler, correction):
    X, y = rare
    weight = "balanced" if row.startswith("balanced") else None
    clf = ResampledClassifier(
        LogisticRegression(max_iter=1000, class_weight=weight),
        sampler=sampler,
        correction=correction,
    )
    p = clf.fit(X, y).predict_proba(X)[:, 1]
    expected = REFERENCE["rows"][row]
    digits = {name: len(str(value).split(".")[1]) for name, value in expected.items()}
    measured = {
        "mean_p": p.mean(),
        "brier": brier_score_loss(y, p),
        "log_loss": log_loss(y, p),
    }
    # To half a unit of the digits printed.
    for name, value in expected.items():
        assert abs(measured[name] - value) <= 0.5001 * 10.0 ** -max(digits[name], 3), name


NEIGHBOUR, FOREST = KNeighborsClassifier(1), RandomForestClassifier(25, random_state=0)
GROVE = RandomForestClassifier(5, random_state=0)  # enough where there is nothing to learn
OVER = RandomOverSampler(random_state=0)
LEAKS = {
    "one_neighbour_random_oversampling": (NEIGHBOUR, OVER, False),
    "forest_random_oversampling": (FOREST, OVER, False),
    "forest_smote": (FOREST, SMOTE(random_state=0), False),
    "shuffled_labels_forest_random_oversampling": (GROVE, OVER, True),
}


@pytest.mark.parametrize("name", LEAKS)
def test_leakage_in_direction_and_size(rare, name):
    X, y = rare
    classifier, sampler, shuffles = LEAKS[name]
    if shuffles:
        y = np.random.default_rng(0).permutation(y)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    scoring = ["average_precision", "roc_auc", "f1"]
    clf = ResampledClassifier(classifier, sampler=sampler, correction="none")
    inside = cross_validate(clf, X, y, cv=folds, scoring=scoring)
    before = cross_validate(classifier, *sampler.fit_resample(X, y), cv=folds, scoring=scoring)
    # The reference has more trees, and another shuffle.
    near = {"abs": 0.02 if classifier is NEIGHBOUR else 0.08 if shuffles else 0.05}
    expected = REFERENCE["leakage"][name]
    for score, honest, dreamt in zip(scoring, expected["inside"], expected["before"], strict=True):
        assert inside[f"test_{score}"].mean() == pytest.approx(honest, **near), score
        assert before[f"test_{score}"].mean() == pytest.approx(dreamt, **near), score


def test_correction_keeps_the_ranking_of_two_classes(rare):
    X, y = rare
    clf = ResampledClassifier(
        LogisticRegression(max_iter=1000),
        sampler=RandomUnderSampler(random_state=0),
        correction="prior",
    ).fit(X, y)
    corrected, raw = clf.predict_proba(X)[:, 1], clf.estimator_.predict_proba(X)[:, 1]
    assert roc_auc_score(y, corrected) == pytest.approx(roc_auc_score(y, raw), abs=1e-12)
    assert average_precision_score(y, corrected) == pytest.approx(
        average_precision_score(y, raw), abs=1e-9
    )
