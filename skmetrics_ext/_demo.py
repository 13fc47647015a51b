"""``skmetrics-ext demo``: the main job on real data, and two traps beside it.

What is computed is apart from what is printed: the functions named after a question return the
numbers, those named ``print_...`` show them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import fill

import numpy as np
from imblearn.over_sampling import SMOTE
from sklearn.base import BaseEstimator
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import cohen_kappa_score
from sklearn.model_selection import (
    GridSearchCV,
    StratifiedKFold,
    TunedThresholdClassifierCV,
    cross_val_predict,
    cross_val_score,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from skmetrics_ext import __version__
from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.counts import ConfusionCounts
from skmetrics_ext.datasets import load_anes96
from skmetrics_ext.decision import CostThresholdClassifier
from skmetrics_ext.imbalance import ResampledClassifier
from skmetrics_ext.metrics import cost_scorer, weighted_kappa_score

OURS = "CostThresholdClassifier (ours)"
# C of the logistic regression, a decade at a time, two either side of scikit-learn's default.
STRENGTHS = [0.01, 0.1, 1, 10, 100]
PARTY_WORDS = np.array(
    [
        "strong Democrat",
        "weak Democrat",
        "independent leaning Democrat",
        "independent",
        "independent leaning Republican",
        "weak Republican",
        "strong Republican",
    ]
)


def folds() -> StratifiedKFold:
    """The same five folds for everything here."""
    return StratifiedKFold(5, shuffle=True, random_state=0)


# --- the main job: which decision costs least? ---


@dataclass(frozen=True)
class Outcome:
    """What a way to decide came to, each patient judged once, by a model that never saw them."""

    name: str
    cost_per_patient: float
    missed: int
    malignant: int
    false_alarms: int
    benign: int

    @property
    def malignant_recall(self) -> float:
        return 1 - self.missed / self.malignant


def tumours() -> tuple[np.ndarray, np.ndarray]:
    """scikit-learn's breast cancer data, with the classes by name: there, 0 is malignant."""
    data = load_breast_cancer()
    return data.data, data.target_names[data.target].astype(str)


def tumour_costs(false_negative: float = 100) -> CostMatrix:
    """What a missed malignant tumour costs beside a false alarm, which costs 1."""
    return CostMatrix.binary(
        false_negative=false_negative,
        false_positive=1,
        pos_label="malignant",
        neg_label="benign",
    )


def contenders(costs: CostMatrix) -> dict[str, BaseEstimator]:
    """Four ways to decide; the Pipeline, the grid and the search by cost are the same."""

    def search(estimator: BaseEstimator, prefix: str = "") -> GridSearchCV:
        grid = {f"{prefix}logisticregression__C": STRENGTHS}
        return GridSearchCV(estimator, grid, scoring=cost_scorer(costs), cv=folds())

    pipeline = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    balanced = make_pipeline(
        StandardScaler(), LogisticRegression(max_iter=1000, class_weight="balanced")
    )
    tuned = TunedThresholdClassifierCV(pipeline, scoring=cost_scorer(costs))
    ours = CostThresholdClassifier(pipeline, cost_matrix=costs)
    return {
        "predict at 50 % (the default)": search(pipeline),
        'class_weight="balanced"': search(balanced),
        "TunedThresholdClassifierCV": search(tuned, "estimator__"),
        OURS: search(ours, "estimator__"),
    }


def outcome(name: str, estimator: BaseEstimator, costs: CostMatrix) -> Outcome:
    """Judge every patient by a model fitted on the other folds, and count."""
    X, y = tumours()
    # On fits this small, the linear algebra's threads wait for each other: 20 times slower on a
    # busy machine. (threadpoolctl is there wherever scikit-learn is.)
    with threadpool_limits(1):
        answers = cross_val_predict(estimator, X, y, cv=folds())
    counts = ConfusionCounts.from_predictions(y, answers, labels=["benign", "malignant"])
    (_, false_alarms), (missed, _) = counts.n.tolist()
    benign, malignant = counts.n.sum(axis=1).tolist()
    return Outcome(name, costs.mean_cost(counts), missed, malignant, false_alarms, benign)


def which_decision_costs_least(costs: CostMatrix) -> Iterator[Outcome]:
    """The outcome of each contender, on the same folds, as they come."""
    for name, estimator in contenders(costs).items():
        yield outcome(name, estimator, costs)


def verdict(outcomes: Sequence[Outcome], cost_of_a_miss: float) -> str:
    """Say which contender costs least, whoever it is, and which are too close to call."""
    ranked = sorted(outcomes, key=lambda each: each.cost_per_patient)
    least = ranked[0].cost_per_patient
    first = [each.name for each in ranked if np.isclose(each.cost_per_patient, least)]
    said = (
        f"{first[0]} costs least: {least:.2f} per patient"
        if len(first) == 1
        else f"A tie: {' and '.join(first)} cost {least:.2f} per patient"
    )
    said += f", and {ranked[-1].name} most: {ranked[-1].cost_per_patient:.2f}."
    one_miss = cost_of_a_miss / (ranked[0].malignant + ranked[0].benign)
    close = [each.name for each in ranked[len(first) :] if each.cost_per_patient < least + one_miss]
    if close:
        said += (
            f" Too close to call: {' and '.join(close)}, less than one missed tumour "
            f"({one_miss:.2f} per patient) behind: other folds or another grid can turn that round."
        )
    return said


# --- trap 1: an order that nobody asked for ---


@dataclass(frozen=True)
class KappaTrap:
    """Quadratic kappa of the same answers, by how the classes were written."""

    as_numbers: float
    as_words: float
    words_in_order: float


def what_words_do_to_kappa() -> KappaTrap:
    """Party identification, seven steps from left to right, guessed from eight answers."""
    X, y = load_anes96(return_X_y=True)
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    guessed = cross_val_predict(model, X, y, cv=folds())
    true_words, guessed_words = PARTY_WORDS[y.astype(int)], PARTY_WORDS[guessed.astype(int)]
    return KappaTrap(
        as_numbers=weighted_kappa_score(y, guessed),
        as_words=float(cohen_kappa_score(true_words, guessed_words, weights="quadratic")),
        words_in_order=weighted_kappa_score(true_words, guessed_words, labels=PARTY_WORDS),
    )


# --- trap 2: rows made up before the split ---


@dataclass(frozen=True)
class LeakageTrap:
    """Average precision over five folds, by where SMOTE was applied."""

    before: float
    inside: float
    prevalence: float


def what_smote_before_the_split_does() -> LeakageTrap:
    """The same forest and the same SMOTE, before the split and inside each training fold."""
    X, y = make_classification(
        n_samples=5000,
        n_features=10,
        n_informative=5,
        weights=[0.966],
        flip_y=0.01,
        random_state=0,
    )
    forest, smote = RandomForestClassifier(n_jobs=2, random_state=0), SMOTE(random_state=0)

    def average_precision(estimator: BaseEstimator, X: np.ndarray, y: np.ndarray) -> float:
        scores = cross_val_score(estimator, X, y, cv=folds(), scoring="average_precision")
        return float(scores.mean())

    return LeakageTrap(
        before=average_precision(forest, *smote.fit_resample(X, y)),
        # Nothing to correct: average precision asks for the ranking alone.
        inside=average_precision(
            ResampledClassifier(forest, sampler=smote, correction="none"), X, y
        ),
        prevalence=float(y.mean()),
    )


# --- printing ---


def say(text: str) -> None:
    """Print a paragraph that fits 80 columns."""
    print(fill(text, 78, initial_indent="   ", subsequent_indent="   "), end="\n\n")


def print_decisions(costs: CostMatrix) -> None:
    _, y = tumours()
    malignant, benign = int((y == "malignant").sum()), int((y == "benign").sum())
    print("1. Which decision costs least?\n")
    say(
        f"{malignant + benign} tumours, {malignant} of them malignant (scikit-learn's breast "
        "cancer data, where 0 is malignant). A missed malignant tumour costs 100, a false alarm 1."
    )
    dearest, *_ = str(costs).splitlines()
    say(f"{dearest}: flag above {100 * costs.threshold:.0f} %")
    print(f"   {'':<31}{'cost per':>9}{'missed':>15}{'false alarms':>17}")
    print(f"   {'':<31}{'patient':>9}{f'of {malignant}':>15}{f'of {benign}':>17}", flush=True)
    outcomes = []
    for each in which_decision_costs_least(costs):
        outcomes.append(each)
        numbers = f"{each.cost_per_patient:>9.2f}{each.missed:>15}{each.false_alarms:>17}"
        print(f"   {each.name:<31}{numbers}", flush=True)
    print()
    cost_of_a_miss = float(costs.to_array(["benign", "malignant"])[0, 1])
    say(verdict(outcomes, cost_of_a_miss))
    say(
        "Same Pipeline (scaler, logistic regression), same GridSearchCV by cost_scorer, same five "
        "outer folds; each patient is judged by a model that never saw them."
    )


def print_kappa(trap: KappaTrap) -> None:
    print("2. A trap: the same answers, as words and as numbers\n")
    say(
        "944 voters, from strong Democrat (0) to strong Republican (6), guessed by a model. "
        "Quadratic kappa of the very same guesses:"
    )
    print(f"   {trap.as_numbers:5.2f}  as numbers")
    print(f"   {trap.as_words:5.2f}  as words, in the order of the alphabet (cohen_kappa_score)")
    print(f"   {trap.words_in_order:5.2f}  as words, with labels=[...] in the right order\n")
    say("Without an order, weighted_kappa_score refuses words, and shows what to write.")


def print_leakage(trap: LeakageTrap) -> None:
    print("3. A trap: rows made up before the split\n")
    say(
        f"5000 rows, {100 * trap.prevalence:.1f} % of them positive; a random forest with SMOTE, "
        "five folds. Average precision:"
    )
    print(f"   {trap.before:5.3f}  SMOTE before the split: what it made of test rows is learnt")
    print(f"   {trap.inside:5.3f}  SMOTE inside each training fold (ResampledClassifier)\n")
    say("The second is what new rows will give. Inside ResampledClassifier it cannot leak.")


def demo() -> None:
    """Run the main job and the two traps, and print them as they come."""
    print(f"skmetrics_ext {__version__}: from a classifier to the decision that costs least\n")
    print_decisions(tumour_costs())
    print_kappa(what_words_do_to_kappa())
    print_leakage(what_smote_before_the_split_does())
