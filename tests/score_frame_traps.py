"""What every engine must get right about scores: one class of tests, inherited as `frame_traps`.

A subclass has a fixture ``make``, which turns an Arrow table into the engine's own frame.
Everything is held against `from_predictions` on the rows that are complete.
"""

import math
from decimal import Decimal

import narwhals.stable.v2 as nw
import numpy as np
import pyarrow as pa
import pytest

from skmetrics_ext.counts import ScoreCounts

# The ends of bins, of the unit interval and of the real line, and what lies just beside them.
PROBABILITIES = [0.0, -0.0, 5e-324, 1e-300, 0.1, 0.25, 0.3, 0.5, 0.75, 1 - 2**-53, 1.0]
NUMBERS = [*PROBABILITIES, -math.inf, -1e300, -1.5, -5e-324, 1 + 2**-52, 1.5, 1e300, math.inf]
CUTS = [-1.5, 0.0, 0.25, 0.5, 1.0, 1.5]
HOWS = {
    "each score": {},
    "7 bins": {"bins": 7},
    "1 bin": {"bins": 1},
    "cuts": {"bins": CUTS},
    "no cut": {"bins": ()},
}


def rows(scores=PROBABILITIES, n=1500, seed=0):
    """Truth, score, subgroup and weight as plain lists; a third of the scores are special."""
    rng = np.random.default_rng(seed)
    ill = rng.random(n) < 0.3
    score = np.where(rng.random(n) < 1 / 3, rng.choice(scores, n), rng.beta(1 + ill, 2))
    return {
        "truth": np.where(ill, "ill", "well").tolist(),
        "score": score.tolist(),
        "site": [f"site {s}" for s in rng.integers(0, 3, n)],
        "weight": rng.exponential(size=n).tolist(),
    }


def expected(columns, *, by=None, sample_weight=None, **how):
    how.setdefault("pos_label", "ill")
    return ScoreCounts.from_predictions(
        columns["truth"],
        columns["score"],
        by=None if by is None else columns[by],
        sample_weight=None if sample_weight is None else columns[sample_weight],
        **how,
    )


def same(counts, other):
    """Scores and n exactly, sums to 1e-9 of themselves."""
    assert (counts.labels, counts.groups, counts.bins) == (other.labels, other.groups, other.bins)
    for ours, theirs in zip(counts.rankings, other.rankings, strict=True):
        for name in ("low", "high", "n"):
            np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))
        assert ours.n.dtype == np.int64
        np.testing.assert_allclose(ours.w, theirs.w, rtol=1e-9)
        np.testing.assert_allclose(ours.w2, theirs.w2, rtol=1e-9)


class ScoreFrameTraps:
    """Inherited once for each place where engines are installed."""

    @pytest.fixture
    def count(self, make):
        def count(columns, **how):
            table = columns if isinstance(columns, pa.Table) else pa.table(columns)
            how.setdefault("pos_label", "ill")
            return ScoreCounts.from_frame(make(table), y_true="truth", y_score="score", **how)

        return count

    # -- the same counts ----------------------------------------------------------------------

    @pytest.mark.parametrize("how", HOWS.values(), ids=HOWS)
    def test_probabilities(self, count, how):
        same(count(rows(), **how), expected(rows(), **how))

    @pytest.mark.parametrize("how", HOWS.values(), ids=HOWS)
    def test_weights_and_subgroups(self, count, how):
        how = {**how, "by": "site", "sample_weight": "weight"}
        same(count(rows(), **how), expected(rows(), **how))

    @pytest.mark.parametrize("how", [{}, {"bins": CUTS}], ids=["each score", "cuts"])
    def test_any_number_ranks_infinity_too(self, count, how):
        columns = rows(NUMBERS)
        same(count(columns, by="site", **how), expected(columns, by="site", **how))

    def test_many_cuts(self, count):
        cuts = np.linspace(-0.1, 1.1, 40).tolist()
        same(count(rows(), bins=cuts), expected(rows(), bins=cuts))

    @pytest.mark.parametrize("bins", [3, 40])
    @pytest.mark.parametrize("scores", [PROBABILITIES, NUMBERS], ids=["probabilities", "numbers"])
    def test_quantiles(self, count, scores, bins):
        """Cut where the intervals of the query allow; and then everything is exact."""
        columns = rows(scores)
        how = {"by": "site", "sample_weight": "weight"}
        counts = count(columns, bins=bins, strategy="quantile", **how)
        same(counts, expected(columns, bins=counts.bins, **how))
        exact = expected(columns, bins=bins, strategy="quantile").total()
        sizes, best = (c.total().rankings[0].n.sum(0) for c in (counts, exact))
        assert len(sizes) <= bins
        # Scores that are nothing to the logarithm share an interval, as 0 and 1e-300.
        assert sizes.max() <= best.max() + 4 * len(columns["score"]) / 3 / len(scores)

    def test_quantiles_of_rare_low_scores(self, count):
        rng = np.random.default_rng(1)
        score = (1e-9 * rng.lognormal(0, 3, 2000)).tolist()
        columns = {"truth": ["ill", "well"] * 1000, "score": score}
        (ranking,) = count(columns, bins=100, strategy="quantile").rankings
        assert ranking.n.shape == (2, 100)
        assert ranking.n.sum(0).max() <= 22
        # The same from the other end, where 1e-9 is many steps of a float.
        columns["score"] = [1 - s for s in score]
        (ranking,) = count(columns, bins=100, strategy="quantile").rankings
        assert ranking.n.sum(0).max() <= 25

    # -- what is missing ----------------------------------------------------------------------

    @pytest.mark.parametrize(
        "how",
        [{}, {"bins": 7}, {"bins": CUTS}, {"bins": ()}, {"bins": 5, "strategy": "quantile"}],
        ids=["each score", "7 bins", "cuts", "no cut", "quantiles"],
    )
    def test_missing_scores_have_no_bin(self, count, how):
        """Null and NaN: one engine's floor of NaN is a number, another's an error."""
        columns = rows(n=600)
        holes = {
            "score": {3: None, 40: math.nan, 41: None, 500: math.nan},
            "truth": {40: None, 77: None},
            "site": {78: None},
            "weight": {3: None, 79: math.inf, 80: math.nan, 81: -math.inf},
        }
        for name, places in holes.items():
            for place, hole in places.items():
                columns[name][place] = hole
        lacking = set().union(*holes.values())
        whole = {
            name: [v for k, v in enumerate(values) if k not in lacking]
            for name, values in columns.items()
        }
        how = {**how, "by": "site", "sample_weight": "weight"}
        counts = count(columns, missing="drop", **how)
        assert counts.dropped == len(lacking) == 9
        assert "9 rows dropped" in repr(counts)
        if "strategy" in how:
            how = {"by": "site", "sample_weight": "weight", "bins": counts.bins}
        same(counts, expected(whole, **how))
        said = (
            r"^9 rows have a missing value .*: by \('site'\) 1, y_true \('truth'\) 2, y_score "
            r"\('score'\) 4, sample_weight \('weight'\) 4\. .*missing='drop'"
        )
        with pytest.raises(ValueError, match=said):
            count(columns, **how)

    def test_rows_that_are_left_out_are_not_the_least_of_a_bin(self, count):
        columns = {
            "truth": ["ill", "well", "ill", "well"],
            "score": [0.1, 0.2, 0.3, 0.4],
            "weight": [math.inf, 1.0, 1.0, math.nan],
        }
        (ranking,) = count(columns, bins=1, sample_weight="weight", missing="drop").rankings
        assert (ranking.low.tolist(), ranking.high.tolist()) == ([0.2], [0.3])

    # -- scores -------------------------------------------------------------------------------

    @pytest.mark.parametrize("bins", [None, 4, [0.5], ()])
    @pytest.mark.parametrize(
        ("dtype", "values"),
        [
            (pa.float32(), [0.1, 0.2, 0.7, None]),
            (pa.int8(), [0, 1, 1, None]),
            (pa.int64(), [0, 0, 1, None]),
            (pa.bool_(), [True, False, True]),  # gaps would make them objects of any kind
            (pa.decimal128(20, 2), [Decimal("0.25"), Decimal("0.75"), Decimal(1), None]),
        ],
        ids=str,
    )
    def test_scores_of_every_number_type(self, count, dtype, values, bins):
        truth = ["ill", "well", "ill", "ill"][: len(values)]
        table = pa.table({"truth": truth, "score": pa.array(values, type=dtype)})
        as_stored = [float(v.as_py()) for v in table["score"][:3]]
        columns = {"truth": ["ill", "well", "ill"], "score": as_stored}
        counts = count(table, bins=bins, missing="drop")
        assert counts.dropped == len(values) - 3
        same(counts, expected(columns, bins=bins))

    def test_scores_outside_of_equal_bins_are_an_error_with_their_number(self, count):
        columns = {
            "truth": ["ill", "well"] * 4,
            "score": [0.0, 1.0, 1.5, -math.inf, math.inf, -0.25, math.nan, None],
        }
        said = r"^bins need scores between 0 and 1; 4 of 6 are outside, such as .*strategy='quant"
        with pytest.raises(ValueError, match=said):
            count(columns, bins=10, missing="drop")
        with pytest.raises(ValueError, match=r"^2 rows have a missing value .*\('score'\) 2"):
            count(columns, bins=10)
        for outside in (1.5, -0.25):
            columns = {"truth": ["ill", "well"], "score": [0.5, outside]}
            with pytest.raises(ValueError, match=f"1 of 2 are outside, such as {outside}\\."):
                count(columns, bins=10)

    # -- classes ------------------------------------------------------------------------------

    @pytest.mark.parametrize(
        ("truth", "pos_label", "labels"),
        [
            ([0, 1, 1, 0], None, (0, 1)),
            ([-1, 1, 1, -1], None, (-1, 1)),
            ([False, True, True, False], None, (False, True)),
            ([0, 1, 1, 0], 0, (1, 0)),
            ([0, 0, 0, 0], None, (0, 1)),
            (["a", "b", "b", "a"], "a", ("b", "a")),
            (["a", "a", "a", "a"], "b", ("a", "b")),
        ],
    )
    def test_the_positive_class(self, count, truth, pos_label, labels):
        columns = {"truth": truth, "score": [0.1, 0.2, 0.3, 0.4]}
        for bins in (None, 2):
            counts = count(columns, pos_label=pos_label, bins=bins)
            same(counts, expected(columns, pos_label=pos_label, bins=bins))
            assert counts.labels == labels
            assert [type(v) for v in counts.labels] == [type(truth[0])] * 2

    @pytest.mark.parametrize(
        ("columns", "how", "said"),
        [
            ({"truth": ["a", "b", "c"]}, {"pos_label": "a"}, "y_true must have two classes"),
            ({"truth": ["a", "b", "b"]}, {"pos_label": None}, "pos_label must name the positive"),
            ({"truth": [0.5, 0.25, 1.0]}, {"pos_label": 1}, "y_true must hold class labels, but"),
            ({"score": ["x", "y", "z"]}, {}, "y_score must hold numbers; column 'score' holds"),
            ({"weight": [1.0, -1.0, 1.0]}, {"sample_weight": "weight"}, "must not be negative"),
            ({}, {"by": "region"}, "by='region' is no column of the frame"),
            ({}, {"missing": "keep"}, "missing must be 'raise' or 'drop'; got 'keep'"),
            ({}, {"bins": 0}, "bins must be a whole number, 1 or more"),
            ({}, {"bins": 5, "strategy": "wide"}, "strategy must be one of"),
        ],
    )
    def test_bad_input_is_refused(self, count, columns, how, said):
        columns = {"truth": ["ill", "well", "ill"], "score": [0.1, 0.2, 0.3], **columns}
        with pytest.raises(ValueError, match=said):
            count(columns, **how)

    # -- what comes back ----------------------------------------------------------------------

    @pytest.fixture
    def seen(self, monkeypatch):
        """How many rows each collected query brought back."""
        heights = []
        plain = nw.LazyFrame.collect

        def collect(frame, *args, **kwargs):
            result = plain(frame, *args, **kwargs)
            heights.append(len(result))
            return result

        monkeypatch.setattr(nw.LazyFrame, "collect", collect)
        return heights

    def test_no_more_cells_come_back_than_are_allowed(self, count, seen):
        columns = {"truth": ["ill", "well"] * 500, "score": np.linspace(0, 1, 1000).tolist()}
        said = (
            r"more than max_cells=40 combinations of y_true \('truth'\), y_score \('score'\) came "
            r"back\. Count the scores in bins instead of one by one: bins=1000\."
        )
        with pytest.raises(ValueError, match=said):
            count(columns, max_cells=40)
        assert seen == [41]
        # The score 1 comes back by itself, and joins the last bin here.
        (ranking,) = count(columns, bins=19, max_cells=40).rankings
        assert seen[1:] == [39]
        assert ranking.n.shape == (2, 19)
        with pytest.raises(ValueError, match=r"max_cells=9 .*Ask for fewer bins\. Is there an ide"):
            count(columns, bins=[k / 10 for k in range(1, 10)], max_cells=9)
        with pytest.raises(ValueError, match=r"max_cells=9 .*or cut at scores of your own"):
            count(columns, bins=5, strategy="quantile", max_cells=9)

    def test_one_query_brings_back_the_bins_alone(self, count, seen):
        counts = count(rows(), bins=10, by="site", sample_weight="weight")
        assert len(seen) == 1
        assert seen[0] <= 3 * 2 * 11
        assert counts.total().rankings[0].n.sum() == 1500

    def test_no_rows(self, count):
        empty = {"truth": pa.array([], pa.string()), "score": pa.array([], pa.float64())}
        for bins in (None, 10):
            with pytest.raises(ValueError, match="frame has no rows"):
                count(empty, bins=bins)
