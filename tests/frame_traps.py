"""What every engine must get right: one class of tests, inherited where the engines are.

A subclass has a fixture ``make``, which turns an Arrow table into the engine's own frame.
Everything is held against `from_predictions` on the rows that are complete, or against sums
that can be said in advance.
"""

import math
from decimal import Decimal

import narwhals.stable.v2 as nw
import numpy as np
import pyarrow as pa
import pytest

from skmetrics_ext.counts import ConfusionCounts, PairedCounts

CLASSES = ["benign", "malignant", "unclear"]


def rows(n=3000, seed=0):
    """Truth, two answers, subgroup, cluster, weight and amount as plain lists."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(3, n, p=[0.7, 0.2, 0.1])

    def answer(right):
        return np.where(rng.random(n) < right, truth, rng.integers(0, 3, n))

    def words(codes):
        return [CLASSES[c] for c in codes]

    return {
        "truth": words(truth),
        "answer": words(answer(0.8)),
        "other": words(answer(0.6)),
        "site": [f"site {s}" for s in rng.integers(0, 4, n)],
        "patient": rng.integers(0, 200, n).tolist(),
        "weight": rng.exponential(size=n).tolist(),
        "amount": rng.normal(50, 20, size=n).tolist(),
    }


def with_holes(columns):
    """The same rows, some of them with something missing, and which ones are complete."""
    columns = {name: list(values) for name, values in columns.items()}
    n = len(columns["truth"])
    holes = {
        "truth": {3, 40, 41},
        "answer": {3, 77},  # row 3 lacks both, and is one row all the same
        "site": {40, 500, 501},
        "weight": {3, 900, 901, 902, 903},
    }
    for name, places in holes.items():
        for place in places:
            columns[name][place] = None
    columns["weight"][901], columns["weight"][902] = math.nan, math.inf
    columns["weight"][903] = -math.inf
    lacking = set().union(*holes.values())
    return columns, [k not in lacking for k in range(n)]


def complete(columns, kept):
    return {
        name: [v for v, k in zip(values, kept, strict=True) if k]
        for name, values in columns.items()
    }


def same(counts, expected):
    """n exactly, sums to 1e-9 of themselves."""
    np.testing.assert_array_equal(counts.n, expected.n)
    assert counts.n.dtype == np.int64
    np.testing.assert_allclose(counts.w, expected.w, rtol=1e-9)
    np.testing.assert_allclose(counts.w2, expected.w2, rtol=1e-9)
    assert counts.labels.tolist() == expected.labels.tolist()
    assert counts.labels.dtype == expected.labels.dtype
    assert getattr(counts, "groups", None) == getattr(expected, "groups", None)


class FrameTraps:
    """Inherited once for each place where engines are installed."""

    @pytest.fixture
    def count(self, make):
        def count(columns, **how):
            table = columns if isinstance(columns, pa.Table) else pa.table(columns)
            return ConfusionCounts.from_frame(make(table), y_true="truth", y_pred="answer", **how)

        return count

    # -- the same counts ----------------------------------------------------------------------

    def test_rows(self, count):
        columns = rows()
        expected = ConfusionCounts.from_predictions(columns["truth"], columns["answer"])
        counts = count(columns)
        same(counts, expected)
        assert counts.dropped == 0
        assert counts == expected

    def test_weights_and_subgroups(self, count):
        columns = rows()
        same(
            count(columns, sample_weight="weight", by="site"),
            ConfusionCounts.from_predictions(
                columns["truth"],
                columns["answer"],
                sample_weight=columns["weight"],
                by=columns["site"],
            ),
        )

    def test_rows_with_something_missing_are_dropped_once_each(self, count):
        columns, kept = with_holes(rows())
        counts = count(columns, sample_weight="weight", by="site", missing="drop")
        whole = complete(columns, kept)
        same(
            counts,
            ConfusionCounts.from_predictions(
                whole["truth"],
                whole["answer"],
                sample_weight=whole["weight"],
                by=whole["site"],
            ),
        )
        assert counts.dropped == kept.count(False) == 10
        assert "10 rows with missing values dropped" in repr(counts)

    def test_rows_with_something_missing_are_an_error(self, count):
        columns, _ = with_holes(rows())
        said = (
            r"^10 rows have a missing value .*: by \('site'\) 3, y_true \('truth'\) 3, y_pred "
            r"\('answer'\) 2, sample_weight \('weight'\) 5\. .*missing='drop'"
        )
        with pytest.raises(ValueError, match=said):
            count(columns, sample_weight="weight", by="site")

    def test_missing_without_weights(self, count):
        columns, kept = with_holes(rows(1200))
        del columns["weight"]
        counts = count(columns, missing="drop")
        lacking = {3, 40, 41, 77}
        whole = complete(columns, [k not in lacking for k in range(len(kept))])
        same(counts, ConfusionCounts.from_predictions(whole["truth"], whole["answer"]))
        assert counts.dropped == 4

    def test_clusters(self, count):
        columns, kept = with_holes(rows())
        counts = count(
            columns, sample_weight="weight", by="site", clusters="patient", missing="drop"
        )
        whole = complete(columns, kept)
        expected = ConfusionCounts.from_predictions(
            whole["truth"],
            whole["answer"],
            sample_weight=whole["weight"],
            by=whole["site"],
            clusters=whole["patient"],
        )
        same(counts, expected)
        assert counts.clusters.names == tuple(sorted(set(whole["patient"])))
        for ours, theirs in zip(
            counts.estimate("accuracy"), expected.estimate("accuracy"), strict=True
        ):
            assert [ours.value, ours.low, ours.high, ours.se] == pytest.approx(
                [theirs.value, theirs.low, theirs.high, theirs.se], rel=1e-9
            )

    @pytest.mark.parametrize("weight", [None, "weight"])
    def test_amounts(self, count, weight):
        columns = rows()
        columns["amount"][5], columns["amount"][6] = None, math.inf
        counts = count(columns, sample_weight=weight, cost="amount", missing="drop")
        assert counts.dropped == 2
        expected = np.zeros((3, 3))
        n = np.zeros((3, 3))
        for k, (truth, answer) in enumerate(zip(columns["truth"], columns["answer"], strict=True)):
            if k in (5, 6):
                continue
            cell = CLASSES.index(truth), CLASSES.index(answer)
            times = 1 if weight is None else columns["weight"][k]
            expected[cell] += columns["amount"][k] * times
            n[cell] += 1
        np.testing.assert_allclose(counts.amount, expected, rtol=1e-9)
        np.testing.assert_array_equal(counts.n, n)
        with pytest.raises(ValueError, match=r"2 rows have .*: .*cost \('amount'\) 2"):
            count(columns, sample_weight=weight, cost="amount")

    def test_two_models(self, make):
        columns, kept = with_holes(rows())
        columns["other"][2000] = None
        kept[2000] = False
        kept[500] = kept[501] = True  # they lack the site only
        paired = PairedCounts.from_frame(
            make(pa.table(columns)),
            y_true="truth",
            y_pred_a="answer",
            y_pred_b="other",
            sample_weight="weight",
            clusters="patient",
            missing="drop",
        )
        whole = complete(columns, kept)
        expected = PairedCounts.from_predictions(
            whole["truth"],
            whole["answer"],
            whole["other"],
            sample_weight=whole["weight"],
            clusters=whole["patient"],
        )
        same(paired, expected)
        assert paired.dropped == paired.a.dropped == kept.count(False)
        ours, theirs = paired.difference("accuracy"), expected.difference("accuracy")
        assert [ours.value, ours.low, ours.high] == pytest.approx(
            [theirs.value, theirs.low, theirs.high], rel=1e-9
        )

    def test_the_order_of_the_rows_is_nothing(self, count):
        columns = rows(500)
        columns["weight"] = [round(16 * w) / 16 for w in columns["weight"]]  # exact sums
        backwards = {name: values[::-1] for name, values in columns.items()}
        how = {"sample_weight": "weight", "by": "site", "clusters": "patient"}
        one, two = count(columns, **how), count(backwards, **how)
        assert one == two
        assert one.groups == ("site 0", "site 1", "site 2", "site 3")
        for name in ("cluster", "cell", "w"):
            np.testing.assert_array_equal(getattr(one.clusters, name), getattr(two.clusters, name))

    # -- sums ---------------------------------------------------------------------------------

    @pytest.mark.parametrize(
        ("dtype", "weights", "total", "squares"),
        [
            (pa.int32(), [2_000_000_000] * 4, 8e9, 1.6e19),  # beyond int32, and int64 squared
            (pa.int8(), [100] * 4, 400, 40_000),
            (pa.float32(), [2.0**24, 1, 1, 1], 2.0**24 + 3, 2.0**48 + 3),
            (pa.decimal128(20, 2), [Decimal("0.25")] * 4, 1, 0.25),
            (pa.bool_(), [True, False, True, True], 3, 3),
            (pa.int64(), [2**40] * 4, 2.0**42, 2.0**82),
        ],
        ids=str,
    )
    def test_weights_are_summed_as_float64(self, count, dtype, weights, total, squares):
        table = pa.table(
            {
                "truth": ["b", "b", "b", "b"],
                "answer": ["a", "a", "a", "a"],
                "weight": pa.array(weights, type=dtype),
            }
        )
        counts = count(table, sample_weight="weight")
        assert counts.w[1, 0] == total
        assert counts.w2[1, 0] == squares
        assert counts.n.tolist() == [[0, 0], [4, 0]]
        assert counts.w.dtype == counts.w2.dtype == np.float64

    def test_whole_weights_that_are_missing(self, count):
        table = pa.table(
            {
                "truth": ["b", "a", "b"],
                "answer": ["a", "a", "a"],
                "weight": pa.array([3, 4, None], type=pa.int32()),
            }
        )
        counts = count(table, sample_weight="weight", missing="drop")
        assert counts.w.tolist() == [[4, 0], [3, 0]]
        assert counts.dropped == 1
        with pytest.raises(ValueError, match=r"1 row has a missing value .*\('weight'\) 1"):
            count(table, sample_weight="weight")

    @pytest.mark.parametrize(
        ("weights", "said"),
        [
            ([1.0, -0.5, 2.0], "not be negative; the lowest weight is -0.5"),
            ([0.0, 0.0, 0.0], "not be zero for every row"),
            ([1.0, 1e200, 2.0], "of a size that can be squared"),
            ([1e-200, 1e-200, 1e-200], "of a size that can be squared"),
        ],
    )
    def test_weights_that_are_none(self, count, weights, said):
        columns = {"truth": ["b", "a", "b"], "answer": ["a", "a", "a"], "weight": weights}
        with pytest.raises(ValueError, match=said):
            count(columns, sample_weight="weight")

    # -- keys ---------------------------------------------------------------------------------

    def test_a_missing_subgroup_is_missing_whatever_it_is(self, count):
        table = pa.table(
            {
                "truth": ["b", "a", "b", "b"],
                "answer": ["a", "a", "a", "b"],
                "site": pa.array([1.5, None, math.nan, 0.5], type=pa.float64()),
            }
        )
        counts = count(table, by="site", missing="drop")
        assert counts.groups == (0.5, 1.5)
        assert counts.dropped == 2
        with pytest.raises(ValueError, match=r"2 rows have .*: by \('site'\) 2"):
            count(table, by="site")

    @pytest.mark.parametrize(
        ("dtype", "values", "kind"),
        [
            (pa.int64(), [1, 0, None, 1, 1], "i"),
            (pa.int8(), [1, 0, None, 1, 1], "i"),
            (pa.bool_(), [True, False, None, True, True], "b"),
        ],
        ids=str,
    )
    def test_whole_numbers_and_bools_stay_what_they_are(self, make, count, dtype, values, kind):
        table = pa.table({"truth": pa.array(values, dtype), "answer": pa.array(values, dtype)})
        counts = count(table, missing="drop", by="truth")
        assert counts.dropped == 1
        assert counts.groups == (0, 1)
        assert counts.n.tolist() == [[[1, 0], [0, 0]], [[0, 0], [0, 3]]]
        if nw.from_native(make(table)).collect_schema()["truth"].is_float():
            kind = "f"  # pandas' numpy types have no whole numbers with gaps
        assert counts.labels.dtype.kind == kind
        assert float(counts.total().estimate("recall", confidence_level=None)) == 1

    def test_decimals_are_numbers(self, make, count):
        decimals = pa.array([Decimal("1.00"), None, Decimal("0.00")], pa.decimal128(20, 2))
        table = pa.table({"truth": decimals, "answer": decimals})
        counts = count(table, by="truth", missing="drop")
        assert counts.n.tolist() == [[[1, 0], [0, 0]], [[0, 0], [0, 1]]]
        # In pandas' numpy types they are objects, and stay what they are.
        if nw.from_native(make(table)).collect_schema()["truth"] != nw.Object:
            assert counts.labels.dtype == np.float64
            assert [type(group) for group in counts.groups] == [float, float]

    def test_whole_floats_are_labels(self, count):
        counts = count({"truth": [0.0, 1.0, 1.0], "answer": [0.0, 0.0, 1.0]})
        assert counts.n.tolist() == [[1, 0], [1, 1]]

    @pytest.mark.parametrize("truth", [[1, 0, 1], [True, False, True]])
    def test_words_against_numbers_are_an_error(self, count, truth):
        with pytest.raises(ValueError, match="y_true and y_pred must hold labels of the same type"):
            count({"truth": truth, "answer": ["1", "0", "1"]})

    def test_labels_cover_the_data(self, count):
        columns = {"truth": ["b", "a", "b"], "answer": ["a", "a", "refer"]}
        counts = count(columns, labels=["c", "b", "a"], actions=["refer"])
        assert counts.n.tolist() == [[0, 0, 0, 0], [0, 0, 1, 1], [0, 0, 1, 0]]
        assert counts.actions.tolist() == ["c", "b", "a", "refer"]
        with pytest.raises(ValueError, match=r"y_pred holds labels that are not among .*'refer'"):
            count(columns, labels=["b", "a"])

    # -- what comes back ----------------------------------------------------------------------

    @pytest.mark.parametrize("max_cells", [3, 1_000_000])
    def test_scores_are_no_labels(self, count, max_cells):
        columns = {"truth": [0, 1, 1, 0, 1], "answer": [0.1, 0.8, 0.7, 0.4, 0.5]}
        with pytest.raises(ValueError, match="y_pred must hold class labels, but it is continuous"):
            count(columns, max_cells=max_cells)

    def test_no_more_cells_come_back_than_are_allowed(self, count, seen):
        columns = rows(1000)
        with pytest.raises(
            ValueError,
            match=r"more than max_cells=20 combinations of y_true \('truth'\), y_pred \('answer'\),"
            r" clusters \('patient'\) came back\. Clusters come back one by one",
        ):
            count(columns, clusters="patient", max_cells=20)
        assert seen == [21]
        assert count(columns, max_cells=9).n.sum() == 1000
        with pytest.raises(ValueError, match=r"max_cells=8 .*Are scores or identifiers among them"):
            count(columns, max_cells=8)

    def test_one_query_brings_back_the_cells_alone(self, count, seen):
        columns = rows()
        count(columns, sample_weight="weight", by="site", cost="amount")
        assert seen == [4 * 9]

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

    def test_no_rows(self, count):
        empty = {
            "truth": pa.array([], pa.string()),
            "answer": pa.array([], pa.string()),
            "weight": pa.array([], pa.float64()),
        }
        for weight in (None, "weight"):
            with pytest.raises(ValueError, match="frame has no rows"):
                count(empty, sample_weight=weight)

    def test_no_row_is_complete(self, count):
        columns = {"truth": ["a", None], "answer": pa.array([None, None], pa.string())}
        with pytest.raises(ValueError, match=r"every row has a missing value \(2 rows\)"):
            count(columns, missing="drop")

    def test_a_column_that_is_not_there(self, count):
        columns = {"truth": ["a", "b"], "answer": ["a", "b"]}
        with pytest.raises(
            ValueError,
            match=r"by='sight' is no column of the frame; its columns are \['truth', 'answer'\]",
        ):
            count(columns, by="sight")

    def test_columns_of_the_wrong_type(self, count):
        columns = {
            "truth": ["a", "b"],
            "answer": ["a", "b"],
            "weight": ["1", "2"],
            "votes": pa.array([["a", "b"], ["b"]], pa.list_(pa.string())),
        }
        with pytest.raises(ValueError, match="sample_weight must hold numbers; column 'weight'"):
            count(columns, sample_weight="weight")
        with pytest.raises(ValueError, match="must hold one plain value per row"):
            count(columns, by="votes")

    def test_names_of_our_own_do_not_clash(self, make):
        columns = {
            "n": ["a", "b", "b"],
            "key_0": ["a", "a", "b"],
            "w": [2.0, 3.0, 4.0],
            "rows": ["x", "x", "y"],
        }
        counts = ConfusionCounts.from_frame(
            make(pa.table(columns)), y_true="n", y_pred="key_0", sample_weight="w", by="rows"
        )
        assert counts.w.tolist() == [[[2, 0], [3, 0]], [[0, 0], [0, 4]]]
