"""What every registered metric must keep when rows are counted: over `metric_cases`."""

import numpy as np
import pytest
from metric_cases import IDS, VARIANTS

from skmetrics_ext.counts import ConfusionCounts

each_variant = pytest.mark.parametrize(("name", "k", "average", "params"), VARIANTS, ids=IDS)


@pytest.fixture
def rows(rng):
    """A function of the number of classes: truths and answers with every cell filled."""

    def draw(k, n=300):
        y_true = rng.integers(0, k, n)
        y_pred = np.where(rng.random(n) < 0.6, y_true, rng.integers(0, k, n))
        return y_true, y_pred

    return draw


def values(counts, name, average, params):
    how = {} if average is None and name in NO_AVERAGE else {"average": average}
    found = counts.estimate(name, confidence_level=None, **how, **params)
    return np.array([float(e) for e in (found if isinstance(found, list) else [found])])


NO_AVERAGE = {name for name, k, average, _ in VARIANTS if average is None} - {
    name for name, k, average, _ in VARIANTS if average is not None
}


@each_variant
def test_the_order_of_the_rows_does_not_matter(rows, rng, name, k, average, params):
    y_true, y_pred = rows(k)
    order = rng.permutation(len(y_true))
    one = ConfusionCounts.from_predictions(y_true, y_pred)
    other = ConfusionCounts.from_predictions(y_true[order], y_pred[order])
    assert one == other
    np.testing.assert_array_equal(
        values(one, name, average, params), values(other, name, average, params)
    )


@each_variant
def test_whole_weights_are_repeated_rows(rows, rng, name, k, average, params):
    y_true, y_pred = rows(k)
    weights = rng.integers(0, 4, len(y_true))
    weighted = ConfusionCounts.from_predictions(y_true, y_pred, sample_weight=weights)
    repeated = ConfusionCounts.from_predictions(np.repeat(y_true, weights), y_pred.repeat(weights))
    np.testing.assert_array_equal(weighted.w, repeated.n)
    np.testing.assert_array_equal(
        values(weighted, name, average, params), values(repeated, name, average, params)
    )


@each_variant
def test_weight_zero_is_removal(rows, rng, name, k, average, params):
    y_true, y_pred = rows(k)
    weights = np.where(rng.random(len(y_true)) < 0.5, 0.0, rng.gamma(2, 1, len(y_true)))
    kept = weights > 0
    weighted = ConfusionCounts.from_predictions(y_true, y_pred, sample_weight=weights)
    removed = ConfusionCounts.from_predictions(
        y_true[kept], y_pred[kept], sample_weight=weights[kept]
    )
    np.testing.assert_allclose(
        values(weighted, name, average, params),
        values(removed, name, average, params),
        rtol=1e-12,
    )


@each_variant
def test_other_priors_are_other_weights_of_the_rows(rows, name, k, average, params):
    y_true, y_pred = rows(k)
    priors = np.array([0.7, 0.2, 0.1][:k]) / sum([0.7, 0.2, 0.1][:k])
    weights = (priors / np.bincount(y_true))[y_true]
    by_rows = ConfusionCounts.from_predictions(y_true, y_pred, sample_weight=weights)
    counts = ConfusionCounts.from_predictions(y_true, y_pred)
    for given in (priors, dict(enumerate(priors.tolist())), list(priors)):
        np.testing.assert_allclose(
            values(counts.at_priors(given), name, average, params),
            values(by_rows, name, average, params),
            rtol=1e-12,
        )


@each_variant
def test_subgroups_are_filtered_rows(rows, rng, name, k, average, params):
    y_true, y_pred = rows(k, 600)
    group = rng.choice(["east", "north", "west"], len(y_true))
    weights = rng.gamma(2, 1, len(y_true))
    counts = ConfusionCounts.from_predictions(y_true, y_pred, by=group, sample_weight=weights)
    assert counts.groups == ("east", "north", "west")
    alone = []
    for place in counts.groups:
        inside = group == place
        filtered = ConfusionCounts.from_predictions(
            y_true[inside], y_pred[inside], sample_weight=weights[inside], labels=range(k)
        )
        alone.append(values(filtered, name, average, params))
        np.testing.assert_allclose(
            values(counts[place], name, average, params), alone[-1], rtol=1e-12
        )
    np.testing.assert_allclose(
        values(counts, name, average, params), np.concatenate(alone), rtol=1e-12
    )


@each_variant
def test_halves_add_up(rows, name, k, average, params):
    y_true, y_pred = rows(k)
    halves = [
        ConfusionCounts.from_predictions(y_true[part], y_pred[part], labels=range(k))
        for part in (slice(100), slice(100, None))
    ]
    whole = ConfusionCounts.from_predictions(y_true, y_pred)
    assert halves[0] + halves[1] == whole
    np.testing.assert_array_equal(
        values(halves[0] + halves[1], name, average, params),
        values(whole, name, average, params),
    )


@each_variant
def test_estimates_show_the_counts_behind_a_proportion(rows, name, k, average, params):
    y_true, y_pred = rows(k)
    counts = ConfusionCounts.from_predictions(y_true, y_pred)
    how = {} if name in NO_AVERAGE else {"average": average}
    found = counts.estimate(name, confidence_level=None, **how, **params)
    for estimate in found if isinstance(found, list) else [found]:
        assert estimate.metric == name
        assert estimate.n == 300
        if estimate.numerator is not None:
            assert estimate.value == estimate.numerator / estimate.denominator
            assert estimate.numerator == int(estimate.numerator)
