"""find_resampling_leakage: the protocol on shuffled labels, what is done with findings, errors."""

import numpy as np
import pandas as pd
import pytest
from imblearn.over_sampling import RandomOverSampler
from imblearn.pipeline import make_pipeline
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import (
    LeaveOneOut,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
)
from sklearn.neighbors import KNeighborsClassifier

from skmetrics_ext.imbalance import find_resampling_leakage

X, Y = make_classification(600, 5, weights=[0.9], random_state=0)
FOLDS = StratifiedKFold(5, shuffle=True, random_state=0)


def leaks(X, y):
    X, y = RandomOverSampler(random_state=0).fit_resample(X, y)
    proba = cross_val_predict(KNeighborsClassifier(1), X, y, cv=FOLDS, method="predict_proba")
    return roc_auc_score(y, proba[:, 1])


def honest(X, y):
    pipe = make_pipeline(RandomOverSampler(random_state=0), KNeighborsClassifier(1))
    return cross_val_score(pipe, X, y, cv=FOLDS, scoring="roc_auc").mean()


def test_a_protocol_that_resamples_before_its_split_is_found():
    (finding,) = find_resampling_leakage(X, Y, protocol=leaks, random_state=0)
    assert finding.kind == "shuffled labels"
    assert finding.evidence["auc"] > 0.9


@pytest.mark.parametrize("seed", range(5))
def test_a_protocol_that_resamples_inside_is_not(seed):
    assert find_resampling_leakage(X, Y, protocol=honest, random_state=seed) == []


def test_below_one_half_it_need_not_be_leakage_and_that_is_said():
    # Nothing leaks: a row left out is one fewer of its class among those that are fitted on.
    def leave_one_out(X, y):
        prior = DummyClassifier(strategy="prior")
        proba = cross_val_predict(prior, X, y, cv=LeaveOneOut(), method="predict_proba")
        return roc_auc_score(y, proba[:, 1])

    (low,) = find_resampling_leakage(X[:40], np.arange(40) % 2, protocol=leave_one_out)
    assert low.evidence["auc"] == 0
    assert "or its folds differ in their shares of the classes" in low.sentence
    assert "leave-one-out" in low.mend
    (high,) = find_resampling_leakage(X, Y, protocol=leaks, random_state=0)
    assert high.sentence.endswith("from 0.5): its test rows are known from training.")
    assert "leave-one-out" not in high.mend


@pytest.mark.parametrize(
    ("n1", "n0", "auc", "found"),
    [
        # se = sqrt(1001 / (12 * 250000)) = 0.0183: the least distance of 0.1 decides
        (500, 500, 0.599, False),
        (500, 500, 0.601, True),
        (500, 500, 0.399, True),
        # se = sqrt(51 / (12 * 10 * 40)) = 0.1031: four of them decide
        (10, 40, 0.911, False),
        (10, 40, 0.913, True),
    ],
)
def test_limits_of_the_sentinel(n1, n0, auc, found):
    table = np.random.default_rng(0).normal(size=(n1 + n0, 2))
    y = np.repeat([1, 0], [n1, n0])
    assert bool(find_resampling_leakage(table, y, protocol=lambda X, y: auc)) is found


def test_how_far_from_one_half_is_said():
    # se = 0.0183: (0.601 - 0.5) / 0.0183 = 5.5
    table, y = np.random.default_rng(0).normal(size=(1000, 2)), np.repeat([1, 0], 500)
    (finding,) = find_resampling_leakage(table, y, protocol=lambda X, y: 0.601)
    assert "an AUC of 0.601 on shuffled labels" in finding.sentence
    assert "(5.5 standard errors from 0.5)" in finding.sentence


def test_the_protocol_sees_the_table_and_shuffled_labels():
    seen = []
    frame, y = pd.DataFrame(X), pd.Series(Y, index=np.arange(600) * 2, name="sick")
    find_resampling_leakage(
        frame, y, protocol=lambda X, y: seen.append((X, y)) or 0.5, random_state=0
    )
    assert seen[0][0] is frame
    assert list(seen[0][1].index) == list(y.index)
    assert sorted(seen[0][1]) == sorted(y)
    assert (seen[0][1] != y).any()


def test_on_finding():
    table, y = RandomOverSampler(random_state=0).fit_resample(X, Y)
    with pytest.warns(UserWarning, match="copies of"):
        assert len(find_resampling_leakage(table, y, on_finding="warn")) == 1
    with pytest.raises(ValueError, match=r"copies: .* Mend: Split the table"):
        find_resampling_leakage(table, y, on_finding="raise")
    assert find_resampling_leakage(X, Y, on_finding="raise") == []


def test_findings_print_and_turn_into_a_frame():
    table, y = RandomOverSampler(random_state=0).fit_resample(X, np.array(["<b>", "&"])[Y])
    found = find_resampling_leakage(table, y)
    assert str(found) == repr(found) == str(found[0])
    assert "\n" not in str(found)
    html = found._repr_html_()
    assert html == found[0]._repr_html_()
    assert "class &#x27;&amp;&#x27;" in html
    assert "<b>" not in html
    assert list(found.to_frame().columns) == ["kind", "evidence", "sentence", "mend"]
    nothing = find_resampling_leakage(X, Y)
    assert (repr(nothing), str(nothing)) == ("Findings([])", "nothing found")
    assert nothing._repr_html_() == "<p>nothing found</p>"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"on_finding": "print"}, "on_finding must be one of .* got 'print'"),
        ({"protocol": 3}, "protocol must be a callable .* got 3"),
        ({"protocol": lambda X, y: 1.5}, "protocol must return a ROC AUC.* got 1.5"),
        ({"protocol": lambda X, y: np.nan}, "protocol must return a ROC AUC.* got nan"),
        ({"protocol": lambda X, y: [0.5, 0.5]}, "protocol must return a ROC AUC"),
        ({"protocol": lambda X, y: None}, "protocol must return a ROC AUC.* got None"),
        ({"protocol": lambda X, y: "high"}, "protocol must return a ROC AUC.* got 'high'"),
        ({"estimator": KNeighborsClassifier}, "estimator must be an estimator"),
        ({"X": X[0]}, "X must be two-dimensional"),
        ({"X": X[:0], "y": Y[:0]}, "X must hold at least one row"),
        ({"y": Y[1:]}, "y must hold one label per row of X, 600 in all; got 599"),
        ({"y": Y * 0}, "y must hold at least two classes; got one class only"),
        ({"y": np.arange(600) % 3, "protocol": honest}, "protocol needs two classes in y"),
    ],
)
def test_bad_input(settings, message):
    settings = {"X": X, "y": Y, **settings}
    with pytest.raises(ValueError, match=message):
        find_resampling_leakage(settings.pop("X"), settings.pop("y"), **settings)
