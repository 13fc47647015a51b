"""``python -m skmetrics_ext demo``: its numbers, its words, and its time."""

import time
from contextlib import redirect_stdout
from io import StringIO
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from skmetrics_ext import _demo as demo
from skmetrics_ext._demo import Outcome, verdict
from skmetrics_ext.datasets import load_anes96
from skmetrics_ext.metrics import weighted_kappa_score

COMPUTED = (
    "which_decision_costs_least",
    "what_words_do_to_kappa",
    "what_smote_before_the_split_does",
)


@pytest.fixture(scope="module")
def run():
    """One run of the command: what it printed, what it computed, and its seconds."""
    seen = SimpleNamespace()

    def recorded(name, function):
        def call(*args):
            answer = function(*args)
            setattr(seen, name, answer if name != COMPUTED[0] else list(answer))
            return getattr(seen, name)

        return call

    with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()) as out:
        for name in COMPUTED:
            patch.setattr(demo, name, recorded(name, getattr(demo, name)))
        # The processor's seconds, all threads added up: at least the wall clock's on a machine
        # that does nothing else, and the same on a busy one.
        start = time.process_time()
        demo.demo()
        seen.seconds = time.process_time() - start
    seen.text = out.getvalue()
    return seen


def test_it_takes_less_than_a_minute(run):
    assert run.seconds < 60


def test_it_fits_80_columns(run):
    assert max(map(len, run.text.splitlines())) <= 80


def test_it_says_what_a_miss_costs_and_what_follows(run):
    assert (
        "\n   predicting 'benign' when the truth is 'malignant' costs 100: flag above 1 %\n"
        in run.text
    )


def test_every_contender_judged_every_patient(run):
    outcomes = run.which_decision_costs_least
    assert len(outcomes) == 4
    for each in outcomes:
        # The data: 212 malignant, 357 benign (Wisconsin diagnostic breast cancer).
        assert (each.malignant, each.benign) == (212, 357)
        assert each.cost_per_patient == pytest.approx(
            (100 * each.missed + each.false_alarms) / 569, rel=1e-12
        )
        assert f"{each.name:<31}{each.cost_per_patient:>9.2f}" in run.text


def test_deciding_by_cost_beats_deciding_by_likeliest_class(run):
    default, balanced, _, ours = run.which_decision_costs_least
    assert ours.name == demo.OURS
    assert ours.cost_per_patient < 0.5 * min(default.cost_per_patient, balanced.cost_per_patient)
    assert ours.missed < min(default.missed, balanced.missed)


def test_the_cheapest_row_is_the_one_that_wins(run):
    least = min(run.which_decision_costs_least, key=lambda each: each.cost_per_patient)
    said = " ".join(run.text.split())
    assert f"{least.name} costs least: {least.cost_per_patient:.2f} per patient" in said


def test_dearer_misses_raise_malignant_recall():
    recalls = []
    for false_negative in (1, 100):
        costs = demo.tumour_costs(false_negative)
        ours = demo.contenders(costs)[demo.OURS]
        recalls.append(demo.outcome(demo.OURS, ours, costs).malignant_recall)
    assert recalls[0] < 0.97
    assert recalls[1] > 0.98


def judged(name, missed, false_alarms):
    return Outcome(name, (100 * missed + false_alarms) / 569, missed, 212, false_alarms, 357)


@pytest.mark.parametrize(
    ("outcomes", "said"),
    [
        (
            [judged("theirs", 1, 20), judged("ours", 3, 90)],
            "theirs costs least: 0.21 per patient, and ours most: 0.69.",
        ),
        (
            [judged("default", 9, 3), judged("theirs", 1, 120), judged("ours", 2, 20)],
            "A tie: theirs and ours cost 0.39 per patient, and default most: 1.59.",
        ),
        (
            [judged("default", 9, 3), judged("theirs", 2, 60), judged("ours", 2, 20)],
            "ours costs least: 0.39 per patient, and default most: 1.59. Too close to call: "
            "theirs, less than one missed tumour (0.18 per patient) behind: other folds or another "
            "grid can turn that round.",
        ),
    ],
)
def test_the_verdict_names_whoever_wins(outcomes, said):
    assert verdict(outcomes, 100) == said


def test_kappa_of_words_is_another_number(run):
    trap = run.what_words_do_to_kappa
    assert trap.as_numbers == pytest.approx(trap.words_in_order, rel=1e-12)
    assert trap.as_numbers > 0.75
    assert trap.as_words < 0.15
    assert f"{trap.as_numbers:.2f}  as numbers" in run.text
    assert f"{trap.as_words:.2f}  as words" in run.text


def test_kappa_agrees_with_scikit_learn_where_the_order_is_right(rng):
    _, y = load_anes96(return_X_y=True)
    guessed = np.clip(y + rng.integers(-1, 2, len(y)), 0, 6)
    ours = weighted_kappa_score(
        demo.PARTY_WORDS[y], demo.PARTY_WORDS[guessed], labels=demo.PARTY_WORDS
    )
    assert ours == pytest.approx(cohen_kappa_score(y, guessed, weights="quadratic"), rel=1e-12)


def test_words_without_an_order_are_refused_as_the_demo_says(run):
    assert "weighted_kappa_score refuses words" in run.text
    with pytest.raises(ValueError, match=r"labels=\["):
        weighted_kappa_score(demo.PARTY_WORDS, demo.PARTY_WORDS)


def test_smote_before_the_split_looks_perfect(run):
    # 0.651 inside and 0.998 before: measured with scikit-learn 1.9.1 and imbalanced-learn 0.14.2,
    # the sampler applied by hand in a loop over the folds. The third digit moves with versions.
    trap = run.what_smote_before_the_split_does
    assert trap.inside == pytest.approx(0.651, abs=0.03)
    assert trap.before == pytest.approx(0.998, abs=0.003)
    assert trap.prevalence == pytest.approx(0.039, abs=0.0005)
    assert f"{trap.before:.3f}  SMOTE before" in run.text
