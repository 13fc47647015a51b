"""A regressor whose prediction is cut into ordered classes."""

import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from scipy import sparse
from sklearn.base import BaseEstimator, RegressorMixin, clone, is_classifier
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingRegressor, VotingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.metrics import make_scorer
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
)
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.metrics import expected_cost_loss, weighted_kappa_score
from skmetrics_ext.ordinal import RegressionCutClassifier, encode_order, optimal_cuts

SIZES = ["small", "medium", "large"]
COSTS = np.array([[0, 2, 9], [1, 0, 4], [3, 1, 0]])


@pytest.fixture
def rows(rng):
    X = rng.normal(size=(240, 3))
    return X, np.digitize(X[:, 0] + rng.normal(size=240), [0.3, 1.2])


class Spy(RegressorMixin, BaseEstimator):
    """Predicts the first column; remembers what every fit was given."""

    seen = []

    def __init__(self, predicts=None):
        self.predicts = predicts

    def fit(self, X, y, sample_weight=None, note=None):
        self.n_features_in_ = X.shape[1]
        Spy.seen.append({"y": y, "sample_weight": sample_weight, "note": note})
        return self

    def predict(self, X):
        return X[:, 0] if self.predicts is None else self.predicts(X)


@pytest.fixture(autouse=True)
def _forget():
    Spy.seen = []


# ---------------------------------------------------------------------------------------------
# the cuts


@pytest.mark.parametrize(
    "criterion", ["quadratic_kappa", "linear_kappa", "absolute", "squared", COSTS]
)
@pytest.mark.parametrize("weighted", [False, True])
def test_cuts_are_the_best_on_out_of_fold_predictions(rows, rng, criterion, weighted):
    X, y = rows
    weights = rng.integers(0, 4, len(y)) if weighted else None
    classifier = RegressionCutClassifier(LinearRegression(), criterion=criterion, cv=4)
    classifier.fit(X, y, sample_weight=weights)
    latent = np.empty(len(y))
    for train, test in StratifiedKFold(4).split(X, y):
        w = None if weights is None else weights[train]
        latent[test] = LinearRegression().fit(X[train], y[train], w).predict(X[test])
    cuts, value = optimal_cuts(y, latent, criterion=criterion, sample_weight=weights)
    np.testing.assert_array_equal(classifier.cuts_, cuts)
    assert classifier.cut_value_ == value

    on_all = LinearRegression().fit(X, y, weights)
    np.testing.assert_array_equal(classifier.predict_latent(X), on_all.predict(X))
    places = (on_all.predict(X)[:, None] >= cuts).sum(1)
    np.testing.assert_array_equal(classifier.predict(X), places)


def test_the_value_is_the_metric_of_the_out_of_fold_answers(rows):
    X, y = rows
    latent = cross_val_predict(Ridge(), X, y, cv=KFold(3))
    for criterion, metric in (
        ("linear_kappa", lambda a: weighted_kappa_score(y, a, weights="linear")),
        (COSTS, lambda a: expected_cost_loss(y, a, cost_matrix=COSTS)),
    ):
        classifier = RegressionCutClassifier(Ridge(), criterion=criterion, cv=KFold(3)).fit(X, y)
        answers = np.searchsorted(classifier.cuts_, latent, side="right")
        assert classifier.cut_value_ == pytest.approx(metric(answers), abs=1e-12)


def test_rounding_is_to_the_nearest_rank_and_stays_on_the_scale():
    X = np.array([[-3.0], [0.49], [0.5], [1.49], [1.5], [7.0]])
    classifier = RegressionCutClassifier(Spy(), criterion="round", class_order=[10, 20, 70])
    classifier.fit(X, [10, 20, 70, 10, 20, 70])
    assert classifier.predict(X).tolist() == [10, 10, 20, 20, 70, 70]
    assert classifier.cuts_.tolist() == [0.5, 1.5]
    assert classifier.cut_value_ is None
    assert len(Spy.seen) == 1  # no folds


def test_kappa_finds_the_class_that_rounding_never_answers(rng):
    X = rng.normal(size=(2000, 1))
    y = np.digitize(X[:, 0] + rng.normal(size=2000), [0, 1, 2])
    kappa = {}
    for criterion in ("round", "quadratic_kappa"):
        classifier = RegressionCutClassifier(Ridge(), criterion=criterion).fit(X[:1000], y[:1000])
        kappa[criterion] = weighted_kappa_score(y[1000:], classifier.predict(X[1000:]))
    assert kappa["quadratic_kappa"] > kappa["round"] + 0.05


@pytest.mark.parametrize("labels", [[0, 1, 5], [-1.0, 2.0, 3.0], [3, 30, 300]])
def test_the_regressor_learns_ranks_whatever_the_numbers(rows, labels):
    X, y = rows
    plain = RegressionCutClassifier(Ridge()).fit(X, y)
    labels = np.array(labels)
    other = RegressionCutClassifier(Ridge()).fit(X, labels[y])
    np.testing.assert_array_equal(other.cuts_, plain.cuts_)
    np.testing.assert_array_equal(other.predict(X), labels[plain.predict(X)])
    assert other.predict(X).dtype == labels.dtype
    assert other.classes_.tolist() == other.class_order_.tolist() == labels.tolist()


@pytest.mark.parametrize(
    ("make", "order"),
    [
        (lambda words: words, SIZES),
        (lambda words: np.array(words, dtype=object), SIZES),
        (lambda words: pd.Series(pd.Categorical(words, SIZES, ordered=True)), None),
        (lambda words: pl.Series(words, dtype=pl.Enum(SIZES)), None),
    ],
    ids=["list", "object", "pandas", "polars"],
)
def test_words_in_an_order(rows, make, order):
    X, y = rows
    y[0] = 0
    words = [SIZES[k] for k in y]
    plain = RegressionCutClassifier(Ridge()).fit(X, y)
    classifier = RegressionCutClassifier(Ridge(), class_order=order).fit(X, make(words))
    np.testing.assert_array_equal(classifier.cuts_, plain.cuts_)
    assert classifier.predict(X).tolist() == [SIZES[k] for k in plain.predict(X)]
    assert classifier.classes_.tolist() == sorted(SIZES)
    assert classifier.class_order_.tolist() == SIZES


def test_three_words_without_an_order_warn_at_the_line_that_fits(rows):
    X, y = rows
    words = np.array(SIZES)[y]
    with pytest.warns(UserWarning, match="alphabetical order") as caught:
        classifier = RegressionCutClassifier(Ridge()).fit(X, words)
    assert caught[0].filename == __file__
    assert classifier.class_order_.tolist() == sorted(SIZES)


def test_bools_and_two_words(rows):
    X, y = rows
    classifier = RegressionCutClassifier(Ridge()).fit(X, y > 0)
    assert classifier.predict(X).dtype == bool
    assert classifier.cuts_.shape == (1,)
    assert set(RegressionCutClassifier(Ridge()).fit(X, np.where(y > 0, "b", "a")).predict(X)) == {
        "a",
        "b",
    }


def test_a_declared_class_without_rows_keeps_its_place_on_the_scale():
    X = np.array([[0.0], [0.1], [2.9], [3.0]] * 3)
    y = ["a", "a", "d", "d"] * 3
    classifier = RegressionCutClassifier(Spy(), cv=2, class_order=list("abcd")).fit(X, y)
    assert np.unique(Spy.seen[0]["y"]).tolist() == [0, 3]
    assert classifier.classes_.tolist() == ["a", "d"]
    assert classifier.class_order_.tolist() == list("abcd")
    assert classifier.cuts_.tolist() == [1.5, 1.5, 1.5]
    rounding = clone(classifier).set_params(criterion="round").fit(X, y)
    assert rounding.predict(np.array([[1.2], [2.2]])).tolist() == ["b", "c"]


def test_a_cost_matrix_by_label(rows):
    X, y = rows
    words = np.array(SIZES)[y]
    by_rank = RegressionCutClassifier(Ridge(), criterion=COSTS, class_order=SIZES).fit(X, words)
    order = [2, 0, 1]
    matrix = CostMatrix(COSTS[np.ix_(order, order)], labels=np.array(SIZES)[order])
    by_label = RegressionCutClassifier(Ridge(), criterion=matrix, class_order=SIZES).fit(X, words)
    np.testing.assert_array_equal(by_label.cuts_, by_rank.cuts_)
    plain = RegressionCutClassifier(Ridge(), criterion=COSTS).fit(X, y)
    np.testing.assert_array_equal(by_rank.cuts_, plain.cuts_)
    # A fold may lack a class that has costs.
    matrix = CostMatrix(COSTS, labels=[0, 1, 2])
    some = RegressionCutClassifier(Ridge(), criterion=matrix).fit(X[y < 2], y[y < 2])
    two = RegressionCutClassifier(Ridge(), criterion=COSTS[:2, :2]).fit(X[y < 2], y[y < 2])
    np.testing.assert_array_equal(some.cuts_, two.cuts_)


# ---------------------------------------------------------------------------------------------
# folds


def test_no_row_is_predicted_by_what_learnt_it():
    X = np.arange(40.0)[:, None]
    y = np.tile([0, 1], 20)  # nothing to learn: one neighbour knows each row it has seen

    classifier = RegressionCutClassifier(KNeighborsRegressor(1), cv=4).fit(X, y)
    assert classifier.cut_value_ < 0.5
    assert classifier.regressor_.n_samples_fit_ == 40


def test_an_iterable_and_a_splitter_give_the_same(rows):
    X, y = rows
    folds = KFold(4, shuffle=True, random_state=0)
    by_splitter = RegressionCutClassifier(Ridge(), cv=folds).fit(X, y)
    by_iterable = RegressionCutClassifier(Ridge(), cv=list(folds.split(X))).fit(X, y)
    masks = [(train, np.isin(np.arange(len(y)), test)) for train, test in folds.split(X)]
    by_masks = RegressionCutClassifier(Ridge(), cv=masks).fit(X, y)
    for other in (by_iterable, by_masks):
        np.testing.assert_array_equal(other.cuts_, by_splitter.cuts_)
    assert RegressionCutClassifier(Ridge(), cv=LeaveOneOut()).fit(X, y).cut_value_ > 0.3
    default = RegressionCutClassifier(Ridge()).fit(X, y)
    np.testing.assert_array_equal(
        RegressionCutClassifier(Ridge(), cv=None).fit(X, y).cuts_, default.cuts_
    )


@pytest.mark.parametrize(
    ("cv", "times"),
    [
        (ShuffleSplit(3, random_state=0), r"[023]"),
        (RepeatedKFold(n_splits=3, n_repeats=2), "2"),
        ([(np.arange(120), np.arange(120, 240))], "0"),
    ],
)
def test_each_row_is_held_out_once(rows, cv, times):
    with pytest.raises(ValueError, match=rf"cv must hold out each row once.*{times} times by cv="):
        RegressionCutClassifier(Ridge(), cv=cv).fit(*rows)


def test_a_class_of_fewer_rows_than_folds(rows):
    X, y = rows
    y = np.where(np.arange(len(y)) == 7, 3, y)
    with pytest.warns(UserWarning, match="least populated class in y has only 1 member"):
        classifier = RegressionCutClassifier(Ridge()).fit(X, y)
    assert classifier.class_order_.tolist() == [0, 1, 2, 3]
    assert np.isfinite(classifier.cut_value_)


def test_more_folds_than_rows_of_any_class():
    X, y = np.arange(12.0)[:, None], np.repeat([0, 1, 2], 4)
    message = "cv=5 stratified folds need a class of at least 5 rows; the largest has 4"
    for cv in (5, None, np.int64(5)):
        with pytest.raises(ValueError, match=message):
            RegressionCutClassifier(Ridge(), cv=cv).fit(X, y)
    assert RegressionCutClassifier(Ridge(), cv=KFold(5, shuffle=True, random_state=0)).fit(X, y)


def test_a_frozen_regressor_is_used_as_it_is_and_in_its_own_unit(rows):
    X, y = rows
    known = Ridge().fit(X[:120], 100 - 1000 * (2.0 - y[:120]))
    classifier = RegressionCutClassifier(FrozenEstimator(known)).fit(X[120:], y[120:])
    cuts, value = optimal_cuts(y[120:], known.predict(X[120:]))
    np.testing.assert_array_equal(classifier.cuts_, cuts)
    assert classifier.cut_value_ == value
    np.testing.assert_array_equal(classifier.predict_latent(X), known.predict(X))


# ---------------------------------------------------------------------------------------------
# as a scikit-learn estimator


def test_what_it_offers(rows):
    classifier = RegressionCutClassifier(Ridge())
    assert is_classifier(classifier)
    for name in ("predict_proba", "decision_function"):
        assert not hasattr(classifier, name)
    for method in (classifier.predict, classifier.predict_latent):
        with pytest.raises(NotFittedError):
            method(rows[0])
    assert not hasattr(classifier, "n_features_in_")
    assert repr(RegressionCutClassifier(Ridge(alpha=2), criterion="round", cv=3)) == (
        "RegressionCutClassifier(criterion='round', cv=3, regressor=Ridge(alpha=2))"
    )


def test_clone_and_pickle(rows):
    X, y = rows
    costs = CostMatrix.ordinal([0, 1, 2])
    classifier = RegressionCutClassifier(Ridge(), criterion=costs).fit(X, y)
    again = pickle.loads(pickle.dumps(classifier))
    np.testing.assert_array_equal(again.predict(X), classifier.predict(X))
    fresh = clone(classifier)
    assert not hasattr(fresh, "cuts_")
    np.testing.assert_array_equal(fresh.fit(X, y).cuts_, classifier.cuts_)
    assert not hasattr(classifier.regressor, "coef_")


def test_grid_search(rows):
    X, y = rows
    grid = {"regressor__ridge__alpha": [1.0, 1000.0], "criterion": ["round", "quadratic_kappa"]}
    inner = make_pipeline(StandardScaler(), Ridge())
    search = GridSearchCV(
        RegressionCutClassifier(inner), grid, scoring=make_scorer(weighted_kappa_score), cv=3
    ).fit(X, y)
    assert len(set(search.cv_results_["mean_test_score"])) == 4
    assert search.cv_results_["mean_test_score"].min() > 0.3
    np.testing.assert_array_equal(search.predict(X), search.best_estimator_.fit(X, y).predict(X))
    scores = cross_val_score(
        RegressionCutClassifier(inner, class_order=SIZES),
        X,
        np.array(SIZES)[y],
        scoring=make_scorer(weighted_kappa_score, labels=SIZES),
    )
    assert (scores > 0.2).all()


def test_frames_keep_their_names(rows):
    X, y = rows
    frame = pd.DataFrame(X, columns=["a", "b", "c"], index=np.arange(len(y)) + 1000)
    frame["kind"] = np.where(X[:, 1] > 0, "x", "y")
    columns = make_column_transformer((OneHotEncoder(), ["kind"]), remainder="passthrough")
    classifier = RegressionCutClassifier(make_pipeline(columns, Ridge()))
    classifier.fit(frame, pd.Series(y, index=frame.index))
    assert classifier.n_features_in_ == 4
    assert classifier.feature_names_in_.tolist() == ["a", "b", "c", "kind"]
    assert classifier.predict(frame).shape == y.shape
    polars = RegressionCutClassifier(Ridge()).fit(pl.DataFrame(X), y)
    np.testing.assert_array_equal(
        polars.predict(pl.DataFrame(X)), RegressionCutClassifier(Ridge()).fit(X, y).predict(X)
    )


def test_sparse_and_missing_features_pass_through(rows):
    X, y = rows
    dense = RegressionCutClassifier(Ridge(solver="lsqr", tol=1e-10)).fit(X, y)
    thin = clone(dense).fit(sparse.csr_array(X), y)
    np.testing.assert_allclose(thin.cuts_, dense.cuts_, rtol=1e-6)
    X = np.where(X > 2, np.nan, X)
    trees = RegressionCutClassifier(HistGradientBoostingRegressor(max_iter=5)).fit(X, y)
    assert trees.predict(X).shape == y.shape


def test_a_prediction_in_one_column(rows):
    X, y = rows
    column = RegressionCutClassifier(Spy(lambda X: X[:, :1])).fit(X, y)
    np.testing.assert_array_equal(column.cuts_, RegressionCutClassifier(Spy()).fit(X, y).cuts_)
    assert column.predict_latent(X).shape == y.shape


def test_inside_what_passes_codes(rows):
    X, y = rows
    words = np.array(SIZES)[y]
    inner = RegressionCutClassifier(Ridge(), class_order=SIZES)
    with pytest.raises(ValueError, match="look like codes"):
        VotingClassifier([("cut", inner)]).fit(X, words)
    ranks = encode_order(words, SIZES)
    voting = VotingClassifier([("cut", RegressionCutClassifier(Ridge()))]).fit(X, ranks)
    np.testing.assert_array_equal(
        voting.predict(X), encode_order(inner.fit(X, words).predict(X), SIZES)
    )


# ---------------------------------------------------------------------------------------------
# metadata


def test_without_routing_weights_and_the_rest_reach_every_fit(rows):
    X, y = rows
    weights, note = np.arange(len(y)) % 4, np.arange(len(y))
    folds = KFold(3)
    RegressionCutClassifier(Spy(), cv=folds).fit(X, y, sample_weight=weights, note=note)
    assert len(Spy.seen) == 4
    for fit, (train, _) in zip(Spy.seen, [*folds.split(X), (np.arange(len(y)), None)], strict=True):
        np.testing.assert_array_equal(fit["y"], y[train])
        np.testing.assert_array_equal(fit["sample_weight"], weights[train])
        np.testing.assert_array_equal(fit["note"], note[train])


def test_without_routing_groups_go_to_the_splitter(rows):
    X, y = rows
    groups = np.arange(len(y)) % 6
    classifier = RegressionCutClassifier(Ridge(), cv=GroupKFold(3)).fit(X, y, groups=groups)
    by_hand = RegressionCutClassifier(Ridge(), cv=list(GroupKFold(3).split(X, y, groups))).fit(X, y)
    np.testing.assert_array_equal(classifier.cuts_, by_hand.cuts_)


def test_without_routing_weights_pass_a_pipeline(rows):
    X, y = rows
    weights = np.arange(len(y)) % 4
    piped = RegressionCutClassifier(make_pipeline(StandardScaler(), Spy()), cv=3)
    piped.fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(Spy.seen[-1]["sample_weight"], weights)
    with pytest.raises(ValueError, match="sample_weight cannot be used: no step"):
        RegressionCutClassifier(make_pipeline(KNeighborsRegressor())).fit(X, y, weights)


@pytest.mark.parametrize("asked", [True, False])
def test_with_routing_the_regressor_says_what_it_wants(rows, asked):
    X, y = rows
    weights, groups = np.arange(len(y)) % 4, np.arange(len(y)) % 6
    with sklearn.config_context(enable_metadata_routing=True):
        spy = Spy().set_fit_request(sample_weight=asked, note=False)
        classifier = RegressionCutClassifier(spy, cv=GroupKFold(3))
        classifier.fit(X, y, sample_weight=weights, groups=groups)
        assert classifier.get_metadata_routing().consumes("fit", ["sample_weight", "groups"]) == {
            "sample_weight",
            "groups",
        }
    assert len(Spy.seen) == 4
    assert all((fit["sample_weight"] is not None) == asked for fit in Spy.seen)
    # The rows are counted by their weights all the same.
    expected = optimal_cuts(y, X[:, 0], sample_weight=weights)
    np.testing.assert_array_equal(classifier.cuts_, expected.cuts)
    assert classifier.cut_value_ == expected.value


def test_with_routing_an_alias_and_what_nobody_wants(rows):
    X, y = rows
    with sklearn.config_context(enable_metadata_routing=True):
        spy = Spy().set_fit_request(note="remark")
        RegressionCutClassifier(spy, cv=2).fit(X, y, remark=y)
        np.testing.assert_array_equal(Spy.seen[-1]["note"], y)
        with pytest.raises(TypeError, match="other"):
            RegressionCutClassifier(spy, cv=2).fit(X, y, other=y)
        with pytest.raises(ValueError, match=r"sample_weight.*not explicitly set as requested"):
            RegressionCutClassifier(Spy(), cv=2).fit(X, y, sample_weight=np.ones(len(y)))


# ---------------------------------------------------------------------------------------------
# mistakes


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"criterion": "kappa"}, "criterion must be 'round', 'absolute'.*; got 'kappa'"),
        ({"criterion": None}, "criterion must be 'round'.*; got None"),
        ({"criterion": lambda X: X}, "one cost matrix for all rows; got <function"),
        ({"criterion": np.eye(2)}, "criterion must be a cost matrix for these classes.*3 classes"),
        (
            {"criterion": CostMatrix(1 - np.eye(3), [0, 1, 2]).with_action(-1, cost=0.3)},
            "criterion must price the classes only",
        ),
        ({"cv": "prefit"}, r"cv must be a number of folds.*'prefit'.*FrozenEstimator\(regressor\)"),
        ({"cv": 1}, "cv must be a number of folds, 2 or more.*got 1"),
        ({"cv": 0.2}, "cv must be a number of folds.*got 0.2"),
        ({"class_order": [0, 1]}, r"class_order=\[0, 1\] does not name: \[2\]"),
        ({"class_order": [0, 1, 2, 2]}, "class_order must name each class once"),
        ({"regressor": "ridge"}, "regressor must have fit and predict; got 'ridge'"),
        ({"regressor": StandardScaler()}, "regressor must have fit and predict; got Standard"),
        ({"regressor": LogisticRegression()}, "regressor must predict a number.*got the classif"),
        ({"regressor": Spy(lambda X: X)}, r"regressor must predict one number per row.*, 3\)"),
        ({"regressor": Spy(lambda X: X[:, 0] * np.nan)}, "48 of 48 predictions of Spy.* are NaN"),
        ({"regressor": Spy(lambda X: X[:, 0] / 0)}, "finite numbers; 240 of 240 out-of-fold"),
    ],
)
def test_mistakes_in_parameters(rows, parameters, message):
    with np.errstate(divide="ignore"), pytest.raises(ValueError, match=message):
        RegressionCutClassifier(**{"regressor": Ridge(), **parameters}).fit(*rows)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "requires y to be passed, but the target y is None"),
        (lambda y: y + 0.5, "continuous"),
        (lambda y: y * 0, "at least two classes; got one class only: 0"),
        (lambda y: y[:-1], "inconsistent numbers of samples"),
        (lambda y: np.where(y > 1, np.nan, y), "y has .* missing values"),
        (lambda y: np.column_stack([y, y]), "y should be a 1d array"),
    ],
)
def test_mistakes_in_the_target(rows, y, message):
    X, right = rows
    with pytest.raises(ValueError, match=message):
        RegressionCutClassifier(Ridge()).fit(X, y if y is None else y(right))


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (lambda y: -1.0 * y, "sample_weight must not be negative"),
        (lambda y: y[:-1], "sample_weight must have one weight per row"),
        (lambda y: y == 1, "y, in the rows that count.*got one class only: 1"),
    ],
)
def test_mistakes_in_weights(rows, weights, message):
    X, y = rows
    with pytest.raises(ValueError, match=message):
        RegressionCutClassifier(Ridge()).fit(X, y, sample_weight=weights(y))


def test_nothing_is_fitted_before_all_is_checked(rows):
    X, y = rows
    for parameters in ({"criterion": "kappa"}, {"cv": ShuffleSplit(2)}, {"class_order": [0, 1]}):
        with pytest.raises(ValueError, match=r"must|does not name"):
            RegressionCutClassifier(Spy(), **parameters).fit(X, y)
    assert not Spy.seen


def test_nan_at_predict_is_no_class(rows):
    X, y = rows
    classifier = RegressionCutClassifier(Spy()).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert classifier.predict(np.array([[np.inf, 0, 0]])).tolist() == [2]
    with pytest.raises(ValueError, match="1 of 2 predictions"):
        classifier.predict(np.array([[np.nan, 0, 0], [0, 0, 0]]))
