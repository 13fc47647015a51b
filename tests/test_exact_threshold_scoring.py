"""What scoring may be, how it reads, and what is refused."""

import numpy as np
import pytest
from imblearn.metrics import geometric_mean_score
from metric_cases import REPLACES
from sklearn import metrics as sk
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import get_scorer, make_scorer
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from threshold_cases import Probability, prefit

from skmetrics_ext import metrics as own
from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.decision import ExactThresholdClassifierCV
from skmetrics_ext.metrics import cost_scorer, get_metric_scorer

RNG = np.random.default_rng(0)
Y = (np.arange(60) % 3 == 0).astype(int)
SCORES = np.clip(RNG.normal(0.35 + 0.25 * Y, 0.2), 0, 1).round(2)
WORDS = np.array(["well", "ill"])[Y]
X = RNG.normal(size=(60, 2))
BINARY = CostMatrix.binary(false_negative=7, false_positive=2)


def by_hand(scorer, y=Y, scores=SCORES):
    """The best that the scorer itself says of all cuts, called as scorers are."""
    inside = Probability().fit(X, y)

    class At:
        classes_ = inside.classes_

        def __init__(self, threshold):
            self.threshold = threshold

        def predict(self, rows):
            return self.classes_[(np.asarray(rows)[:, 0] >= self.threshold).astype(int)]

        def fit(self, X, y):
            return self

        def __sklearn_tags__(self):
            return inside.__sklearn_tags__()

    cuts = [*np.unique(scores), np.inf]
    return max(v for cut in cuts if (v := scorer(At(cut), scores[:, None], y)) == v)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
# What scikit-learn 1.6 says of its ratios.
@pytest.mark.filterwarnings("ignore:(positive|negative)_likelihood_ratio|no samples predicted")
@pytest.mark.parametrize(
    "scoring",
    [
        "accuracy",
        "balanced_accuracy",
        "f1",
        "f1_macro",
        "f1_micro",
        "f1_weighted",
        "precision_macro",
        "recall",
        "jaccard",
        "jaccard_weighted",
        "matthews_corrcoef",
        "positive_likelihood_ratio",
        "neg_negative_likelihood_ratio",
        make_scorer(sk.fbeta_score, beta=2),
        make_scorer(sk.fbeta_score, beta=0.5, pos_label=0),
        make_scorer(sk.f1_score, average="macro", zero_division=1),
        make_scorer(sk.precision_score, zero_division=1.0, pos_label=1),
        make_scorer(sk.recall_score, greater_is_better=False),
        make_scorer(sk.accuracy_score, normalize=True),
        make_scorer(sk.zero_one_loss, greater_is_better=False),
        make_scorer(sk.balanced_accuracy_score, adjusted=True),
        make_scorer(sk.cohen_kappa_score),
        make_scorer(sk.cohen_kappa_score, weights="linear", labels=[1, 0]),
        make_scorer(own.weighted_kappa_score),
        make_scorer(own.negative_predictive_value_score),
        make_scorer(own.one_off_accuracy_score, tolerance=0),
        make_scorer(own.classwise_mean_absolute_error, greater_is_better=False, average="max"),
        make_scorer(own.expected_cost_loss, greater_is_better=False, cost_matrix=BINARY),
        make_scorer(own.cost_savings_score, cost_matrix=[[0, 3], [1, 0]]),
        get_metric_scorer("fbeta", beta=2, pos_label=0),
        get_metric_scorer("expected_cost", cost_matrix=BINARY),
        get_metric_scorer("expected_cost", cost_matrix=[[0, 9], [1, 0]]),
        get_metric_scorer("expected_cost", cost_matrix=[[0, 9], [1, 0]], labels=[1, 0]),
        get_metric_scorer("cost_savings", cost_matrix=[[0, 9], [1, -20]], labels=[1, 0]),
        get_metric_scorer("weighted_kappa", weights=[[0, 1], [3, 0]], labels=[1, 0]),
        get_metric_scorer("geometric_mean", average="macro"),
        get_metric_scorer("precision", zero_division=1),
        get_metric_scorer("positive_likelihood_ratio", replace_undefined_by=1.5),
        cost_scorer(BINARY),
    ],
    ids=repr,
)
def test_the_best_of_what_the_scorer_itself_answers(scoring):
    scorer = get_scorer(scoring) if isinstance(scoring, str) else scoring
    named = scorer._kwargs.get("pos_label")
    costs = scorer._kwargs.get("cost_matrix")
    inverted = named == 0 or (costs is not None and scorer._kwargs.get("labels") == [1, 0])
    # Where 0 is positive, `by_hand` cuts on the other class: the same answers but for ties.
    found = prefit(SCORES, Y, scoring=scoring)
    assert found.pos_label_ == (0 if inverted else 1)
    assert found.best_score_ == pytest.approx(by_hand(scorer), rel=1e-12, abs=1e-12)
    reached = scorer(found, SCORES[:, None], Y)
    assert reached == pytest.approx(found.best_score_, rel=1e-12, abs=1e-12)


def test_the_ratios_of_scikit_learn_by_name_are_registered_names():
    """A ratio without false alarms is undefined, and nothing stands for it."""
    name = "positive_likelihood_ratio"
    scores, y = [0.9, 0.8, 0.2, 0.1], [1, 0, 1, 0]  # undefined, 1, 2, 1
    assert prefit(scores, y, scoring=name).best_score_ == 2.0
    replaced = get_metric_scorer(name, replace_undefined_by=5.0)
    assert prefit(scores, y, scoring=replaced).best_score_ == 5.0


def test_the_ratios_of_scikit_learn_where_they_are_undefined():
    """Since 1.7 its two scorers answer 1.0 there, before that NaN."""
    found = prefit(SCORES, Y, scoring="neg_negative_likelihood_ratio", store_cv_results=True)
    everyone = found.cv_results_["scores"][-1]
    assert everyone == -1.0 if REPLACES else np.isnan(everyone)


@pytest.mark.parametrize(
    ("scoring", "params", "positive"),
    [
        (get_metric_scorer("f1", pos_label="ill"), {}, "ill"),
        (make_scorer(sk.f1_score, pos_label="ill"), {}, "ill"),
        (make_scorer(sk.f1_score), {"pos_label": "ill"}, "ill"),
        ("f1", {"pos_label": "ill"}, "ill"),
        ("accuracy", {}, "well"),
        ("youden", {}, "well"),
        ("f1_macro", {}, "well"),
        ("youden", {"constraint": (get_metric_scorer("recall", pos_label="ill"), ">=", 0)}, "ill"),
        (
            get_metric_scorer(
                "expected_cost",
                cost_matrix=CostMatrix.binary(false_negative=5, pos_label="ill", neg_label="well"),
            ),
            {"constraint": ("recall", ">=", 0.1)},
            "ill",
        ),
        (
            get_metric_scorer(
                "expected_cost", cost_matrix=[[0, 5], [1, 0]], labels=["well", "ill"]
            ),
            {},
            "ill",
        ),
    ],
)
def test_where_the_positive_class_comes_from(scoring, params, positive):
    found = prefit(SCORES, WORDS, scoring=scoring, **params)
    assert found.pos_label_ == positive


def test_what_a_scorer_names_is_kept_where_it_is_the_default_too():
    """Of 1 and 2 no class is plainly positive; pos_label=1 is the default of scikit-learn."""
    scorer = make_scorer(sk.f1_score, pos_label=1)
    assert prefit(SCORES, Y + 1, scoring=scorer).pos_label_ == 1


def test_costs_are_by_name_whatever_is_positive():
    cost = CostMatrix.binary(false_negative=9, pos_label="ill", neg_label="well")
    scorer = get_metric_scorer("expected_cost", cost_matrix=cost)
    # The score of Probability is that of "well", the last of the two.
    one, other = (prefit(SCORES, WORDS, scoring=scorer, pos_label=p) for p in ("ill", "well"))
    assert one.best_score_ == pytest.approx(other.best_score_, abs=1e-12)
    assert one.best_threshold_ == pytest.approx(1 - other.best_threshold_, abs=1e-9)
    exact = own.expected_cost_loss(WORDS, one.predict(SCORES[:, None]), cost_matrix=cost)
    assert one.best_score_ == pytest.approx(-exact, abs=1e-12)


def test_in_the_breast_cancer_data_0_is_malignant():
    X, y = load_breast_cancer(return_X_y=True)
    cost = CostMatrix.binary(false_negative=100, false_positive=1, pos_label=0)
    scorer = get_metric_scorer("expected_cost", cost_matrix=cost)
    found = ExactThresholdClassifierCV(GaussianNB(), scoring=scorer, cv=3).fit(X, y)
    assert found.pos_label_ == 0
    at_half = own.expected_cost_loss(y, GaussianNB().fit(X, y).predict(X), cost_matrix=cost)
    assert -found.best_score_ < at_half
    assert found.best_threshold_ < 0.5


# ---------------------------------------------------------------------------------------------
# refused


def accuracy_score(y_true, y_pred):
    """Not scikit-learn's, though it has its name."""
    return 0.0


@pytest.mark.parametrize(
    ("scoring", "message"),
    [
        ("roc_auc", "'roc_auc' has no value per threshold.*get_metric_scorer.*fbeta_score"),
        ("average_precision", "has no value per threshold"),
        ("neg_brier_score", "has no value per threshold"),
        ("neg_log_loss", "has no value per threshold"),
        ("top_k_accuracy", "has no value per threshold"),
        ("r2", "not known as a function of counts"),
        ("f1_samples", "other than expected"),
        ("speed", r"'speed' is no name of a metric. Accepted are.*'balanced_accuracy'"),
        ({"f1": "f1"}, "more than one metric"),
        (["f1", "recall"], "more than one metric"),
        (sk.f1_score, "is a function, of which make_scorer makes a scorer"),
        (own.expected_cost_loss, "is a function, of which make_scorer makes a scorer"),
        (lambda estimator, X, y: 0.0, "is not known as a function of counts"),
        (None, "is not known as a function of counts"),
        (3, "is not known as a function of counts"),
        (make_scorer(accuracy_score), "not known as a function of counts"),
        (make_scorer(geometric_mean_score), "not known as a function of counts"),
        (make_scorer(sk.roc_auc_score, response_method="predict_proba"), "no value per threshold"),
        (make_scorer(sk.f1_score, response_method="predict_proba"), "no value per threshold"),
        (make_scorer(sk.accuracy_score, normalize=False), r"has \['normalize'\] other than"),
        (make_scorer(sk.f1_score, labels=[0]), r"has \['labels'\] other than"),
        (make_scorer(sk.f1_score, average=None), "average"),
        (make_scorer(sk.fbeta_score), r"lacks \['beta'\]"),
        (cost_scorer(lambda X: np.zeros((len(X), 2, 2))), "costs that differ from row to row"),
        (
            get_metric_scorer("expected_cost", cost_matrix=lambda X: np.zeros((len(X), 2, 2))),
            "costs that differ from row to row.*CostThresholdClassifier",
        ),
        (
            get_metric_scorer("expected_cost", cost_matrix=BINARY.with_action(-1, cost=1)),
            r"costs for \[-1\], and a threshold has two answers.*CostThresholdClassifier",
        ),
        (
            get_metric_scorer("accuracy", labels=[0, 1, 2]),
            r"labels must be the two classes \[0, 1\]; got \[0, 1, 2\]",
        ),
        (get_metric_scorer("expected_cost", cost_matrix=np.eye(3)), "cost_matrix"),
        (get_metric_scorer("f1", average="most"), "average='most'"),
        (get_metric_scorer("fbeta", beta=-1), "beta must be"),
    ],
)
def test_scoring_that_is_refused(scoring, message):
    with pytest.raises(ValueError, match=message):
        prefit(SCORES, Y, scoring=scoring)


@pytest.mark.parametrize(
    "constraint",
    [
        "precision",
        ("precision", 0.9),
        ("precision", ">", 0.9),
        ("precision", ">=", "0.9"),
        ("precision", ">=", True),
        ("precision", ">=", np.nan),
        {"precision": 0.9},
        [("precision", ">=", 0.9)],
    ],
)
def test_constraint_that_is_no_triple(constraint):
    with pytest.raises(
        ValueError, match=r"constraint must be \(metric, '>=' or '<=', number\).*got"
    ):
        prefit(SCORES, Y, constraint=constraint)


@pytest.mark.parametrize(
    "metric", ["roc_auc", "speed", "neg_negative_likelihood_ratio", make_scorer(sk.f1_score), None]
)
def test_constraint_on_what_is_not_registered(metric):
    with pytest.raises(ValueError, match=r"constraint must be.*where the metric is one of"):
        prefit(SCORES, Y, constraint=(metric, ">=", 0.5))


@pytest.mark.parametrize(
    ("y", "params", "message"),
    [
        (WORDS, {"scoring": "f1"}, r"pos_label must name the positive class.*'ill', 'well'"),
        (Y + 1, {"scoring": "f1"}, r"pos_label must name the positive class.*\[1, 2\]"),
        (WORDS, {"constraint": ("recall", ">=", 0.5)}, "pos_label must name the positive class"),
        (WORDS, {"pos_label": "sick"}, r"pos_label='sick' is not a class.*\['ill', 'well'\]"),
        (WORDS, {"pos_label": 1}, "pos_label=1 is not a class"),
        (Y, {"pos_label": "1"}, "pos_label='1' is not a class"),
        (
            WORDS,
            {"pos_label": "ill", "scoring": get_metric_scorer("f1", pos_label="well")},
            "pos_label must be the same wherever it is named; got 'ill', and pos_label='well' in",
        ),
        (
            WORDS,
            {"scoring": get_metric_scorer("expected_cost", cost_matrix=[[0, 5], [1, 0]])},
            "labels=",
        ),
    ],
)
def test_positive_class_that_is_unknown_fails_in_fit(y, params, message):
    for classifier in (
        ExactThresholdClassifierCV(GaussianNB(), **params),
        ExactThresholdClassifierCV(GaussianNB().fit(X, y), cv="prefit", refit=False, **params),
    ):
        with pytest.raises(ValueError, match=message):
            classifier.fit(X, y)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (np.zeros(60), "at least two classes; got one class only"),
        (np.arange(60) % 3, "Only binary classification is supported.*there are 3"),
        (RNG.random(60), "continuous"),
        (None, "ExactThresholdClassifierCV requires y to be passed, but the target y is None"),
        (np.where(Y == 1, np.nan, 0), "y has 20 missing values"),
        (np.stack([Y, Y], 1), "one-dimensional"),
        (Y[:-1], "inconsistent numbers of samples"),
    ],
)
def test_bad_targets(y, message):
    with pytest.raises(ValueError, match=message):
        ExactThresholdClassifierCV(GaussianNB()).fit(X, y)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"cv": 0.0}, "cv as a float must be the share held out, between 0 and 1; got 0.0"),
        ({"cv": 1.5}, "cv as a float must be the share held out"),
        ({"cv": "folds"}, "Expected"),
        ({"cv": "prefit", "refit": True}, "refit must be False with cv='prefit'"),
        ({"refit": False}, "refit must be True where cv has several splits.*5 splits"),
        ({"refit": "no"}, "refit must be True or False; got 'no'"),
        ({"response_method": "predict"}, "response_method must be one of"),
        ({"response_method": ["predict_proba"]}, "response_method must be one of"),
        ({"response_method": "decision_function"}, "estimator must have decision_function"),
        ({"estimator": LinearRegression()}, "estimator must have predict_proba or decision_func"),
        ({"cv": KFold(3), "scoring": "speed"}, "no name of a metric"),
    ],
)
def test_bad_parameters(params, message):
    with pytest.raises(ValueError, match=message):
        ExactThresholdClassifierCV(**{"estimator": GaussianNB(), **params}).fit(X, Y)


def test_an_estimator_that_is_a_class():
    with pytest.raises(TypeError, match="instance of scikit-learn estimator instead of a class"):
        ExactThresholdClassifierCV(GaussianNB).fit(X, Y)


def test_prefit_needs_a_fitted_estimator_and_takes_no_fit_parameters():
    with pytest.raises(NotFittedError, match="When cv='prefit', `estimator` must be fitted"):
        ExactThresholdClassifierCV(GaussianNB(), cv="prefit", refit=False).fit(X, Y)
    fitted = ExactThresholdClassifierCV(GaussianNB().fit(X, Y), cv="prefit", refit=False)
    with pytest.raises(ValueError, match=r"nothing is fitted; got the fit parameters \['groups'\]"):
        fitted.fit(X, Y, groups=Y)
    with pytest.raises(ValueError, match="labels must cover the data"):
        fitted.fit(X, Y + 1)
    with pytest.raises(ValueError, match="y, in the rows that count, must hold at least two class"):
        fitted.fit(X, np.zeros(60, dtype=int))
    three = GaussianNB().fit(X, np.arange(60) % 3)
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        ExactThresholdClassifierCV(three, cv="prefit", refit=False).fit(X, Y)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (-np.ones(60), "sample_weight must not be negative"),
        (np.ones(59), "sample_weight must have one weight per row"),
        (np.where(Y == 1, 0.0, 1.0), "rows that count, must hold at least two classes"),
        (np.full(60, np.nan), "sample_weight must be finite"),
    ],
)
def test_bad_weights(weight, message):
    with pytest.raises(ValueError, match=message):
        ExactThresholdClassifierCV(GaussianNB()).fit(X, Y, sample_weight=weight)


def test_held_out_rows_of_one_class():
    order = np.argsort(Y, kind="stable")
    splits = [(np.arange(20, 60), np.arange(20))]
    with pytest.raises(ValueError, match="The held-out rows must hold at least two classes"):
        ExactThresholdClassifierCV(GaussianNB(), cv=splits).fit(X[order], Y[order])


@pytest.mark.parametrize("place", ["fit", "predict"])
def test_scores_that_are_missing(place):
    class Broken(Probability):
        def predict_proba(self, X):
            p = super().predict_proba(X)
            p[:2] = np.nan
            return p

    if place == "fit":
        with pytest.raises(ValueError, match="scores that are NaN in 2 of 60 rows"):
            prefit(SCORES, Y, estimator=Broken())
    else:
        found = prefit(SCORES, Y)
        found.estimator_ = Broken().fit(X, Y)
        with pytest.raises(ValueError, match="scores that are NaN in 2 of 5 rows"):
            found.predict(SCORES[:5, None])


def test_probabilities_of_another_shape():
    class Flat(Probability):
        def predict_proba(self, X):
            return np.asarray(X)[:, 0]

    with pytest.raises(ValueError, match=r"a probability for each class, shape \(60, 2\)"):
        prefit(SCORES, Y, estimator=Flat())


def test_a_classifier_that_turns_out_to_know_more_classes():
    class Fixed(Probability):
        def fit(self, X, y):
            self.classes_ = np.arange(3)
            return self

        def predict_proba(self, X):
            return np.full((len(X), 3), 1 / 3)

    with pytest.raises(ValueError, match=r"Only binary classification is.*there are 3"):
        ExactThresholdClassifierCV(Fixed(), cv=2).fit(X, Y)


def test_not_fitted():
    classifier = ExactThresholdClassifierCV(LogisticRegression())
    for method in ("predict", "predict_proba", "predict_log_proba"):
        with pytest.raises(NotFittedError):
            getattr(classifier, method)(X)
