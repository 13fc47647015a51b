"""Whatever holds labels is read alike: the same table, the same errors."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from skmetrics_ext._labels import group_column
from skmetrics_ext.counts import ConfusionCounts
from skmetrics_ext.metrics import negative_predictive_value_score

try:
    import pyarrow as pa
except ImportError:  # pyarrow asks for a newer numpy than the oldest that is allowed here
    pa = None

TRUTH, ANSWER = [0, 1, 1, 0, 1, 1, 0], [0, 1, 0, 0, 1, 1, 1]
TABLE = [[2, 1], [1, 3]]
WORDS = {0: "maybe", 1: "sure"}

NUMBERS = {
    "list": list,
    "tuple": tuple,
    "list of numpy numbers": lambda y: [np.int16(v) for v in y],
    "whole floats": lambda y: np.array(y, dtype=float),
    "list of whole floats": lambda y: [float(v) for v in y],
    "float32": lambda y: np.array(y, dtype=np.float32),
    "bool": lambda y: np.array(y, dtype=bool),
    "list of bools": lambda y: [bool(v) for v in y],
    "object": lambda y: np.array(y, dtype=object),
    "column": lambda y: np.array(y)[:, None],
    "strided": lambda y: np.repeat(y, 2)[::2],
    "pandas": pd.Series,
    "pandas, another index": lambda y: pd.Series(y, index=range(100, 100 + len(y))),
    "pandas Index": pd.Index,
    "pandas Int64": lambda y: pd.Series(y, dtype="Int64"),
    "pandas Int64 array": lambda y: pd.array(y, dtype="Int64"),
    "pandas Float64": lambda y: pd.Series(y, dtype="Float64"),
    "pandas boolean": lambda y: pd.Series([bool(v) for v in y], dtype="boolean"),
    "pandas bool": lambda y: pd.Series(y).astype(bool),
    "pandas object": lambda y: pd.Series(y, dtype=object),
    "pandas Categorical": lambda y: pd.Series(pd.Categorical(y)),
    "bare pandas Categorical": lambda y: pd.Categorical(y),
    "pandas frame of one column": lambda y: pd.DataFrame({"y": y}),
    "polars": pl.Series,
    "polars UInt8": lambda y: pl.Series(y, dtype=pl.UInt8),
    "polars Boolean": lambda y: pl.Series([bool(v) for v in y]),
    "polars Float64": lambda y: pl.Series(y, dtype=pl.Float64),
    **{
        name: lambda y, name=name: np.array(y, dtype=name)
        for name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
    },
}
STRINGS = {
    "list": list,
    "numpy U": np.array,
    "numpy object": lambda y: np.array(y, dtype=object),
    "list of numpy strings": lambda y: list(np.array(y)),
    "pandas": pd.Series,
    "pandas object": lambda y: pd.Series(y, dtype=object),
    "pandas string": lambda y: pd.Series(y, dtype="string"),
    "pandas string array": lambda y: pd.array(y, dtype="string"),
    "pandas Index": pd.Index,
    "pandas Categorical": lambda y: pd.Series(y, dtype="category"),
    "bare pandas Categorical": lambda y: pd.Categorical(y, categories=["sure", "maybe", "never"]),
    "pandas ordered": lambda y: pd.Categorical(y, categories=["maybe", "sure"], ordered=True),
    "polars String": pl.Series,
    "polars Categorical": lambda y: pl.Series(y, dtype=pl.Categorical),
    "polars Enum": lambda y: pl.Series(y, dtype=pl.Enum(["maybe", "sure"])),
}
if pa is not None:
    NUMBERS |= {
        "pyarrow": pa.array,
        "pyarrow chunked": lambda y: pa.chunked_array([y[:3], y[3:]]),
        "pyarrow bool": lambda y: pa.array([bool(v) for v in y]),
        "pandas pyarrow": lambda y: pd.Series(y, dtype="int64[pyarrow]"),
    }
    STRINGS |= {
        "pyarrow": pa.array,
        "pyarrow chunked": lambda y: pa.chunked_array([y[:3], y[3:]]),
        "pyarrow dictionary": lambda y: pa.array(y).dictionary_encode(),
        "pyarrow dictionaries that differ": lambda y: pa.chunked_array(
            [pa.array(y[:1]).dictionary_encode(), pa.array(y[1:]).dictionary_encode()]
        ),
        "pyarrow large_string": lambda y: pa.array(y, type=pa.large_string()),
        "pandas pyarrow": lambda y: pd.Series(y, dtype="string[pyarrow]"),
    }


@pytest.mark.parametrize("kind", NUMBERS)
def test_numbers_of_any_kind(kind):
    counts = ConfusionCounts.from_predictions(NUMBERS[kind](TRUTH), NUMBERS[kind](ANSWER))
    assert counts.n.tolist() == TABLE
    assert counts.labels.tolist() == [0, 1]
    assert counts.ordered
    # Against another kind: 1, 1.0 and True are one class.
    mixed = ConfusionCounts.from_predictions(NUMBERS[kind](TRUTH), ANSWER)
    assert mixed.n.tolist() == TABLE


@pytest.mark.parametrize("kind", STRINGS)
def test_words_of_any_kind(kind):
    truth, answer = ([WORDS[v] for v in y] for y in (TRUTH, ANSWER))
    counts = ConfusionCounts.from_predictions(STRINGS[kind](truth), STRINGS[kind](answer))
    assert counts.n.tolist() == TABLE
    assert counts.labels.tolist() == ["maybe", "sure"]
    assert counts.ordered == (kind in ("pandas ordered", "polars Enum"))
    assert {type(label) for label in counts.labels.tolist()} == {str}
    mixed = ConfusionCounts.from_predictions(truth, STRINGS[kind](answer))
    assert mixed.n.tolist() == TABLE
    named = ConfusionCounts.from_predictions(
        STRINGS[kind](truth), STRINGS[kind](answer), labels=["sure", "maybe"]
    )
    assert named.n.tolist() == [[3, 1], [1, 2]]


ORDERED = {
    "pandas ordered Categorical": lambda y, levels: pd.Categorical(
        y, categories=levels, ordered=True
    ),
    "pandas Series of it": lambda y, levels: pd.Series(
        pd.Categorical(y, categories=levels, ordered=True)
    ),
    "polars Enum": lambda y, levels: pl.Series(y, dtype=pl.Enum(levels)),
}
if pa is not None:

    def _dictionary(y, levels):
        codes = pa.array([levels.index(v) for v in y])
        return pa.DictionaryArray.from_arrays(codes, pa.array(levels), ordered=True)

    ORDERED["pyarrow ordered dictionary"] = _dictionary
    ORDERED["pyarrow chunks of it"] = lambda y, levels: pa.chunked_array([_dictionary(y, levels)])


@pytest.mark.parametrize("kind", ORDERED)
def test_an_ordered_dtype_brings_all_its_classes_in_their_order(kind):
    levels = ["low", "medium", "high", "extreme"]
    truth = ORDERED[kind](["high", "low", "low"], levels)
    counts = ConfusionCounts.from_predictions(truth, ORDERED[kind](["high", "low", "high"], levels))
    assert counts.labels.tolist() == levels
    assert counts.ordered
    assert counts.n[0].tolist() == [1, 0, 1, 0]
    # One ordered column is enough; the other may be plain words.
    counts = ConfusionCounts.from_predictions(truth, np.array(["high", "low", "high"]))
    assert counts.labels.tolist() == levels
    # What is named explicitly comes first.
    counts = ConfusionCounts.from_predictions(truth, truth, labels=["high", "low"])
    assert counts.labels.tolist() == ["high", "low"]
    other = ORDERED[kind](["high", "low", "low"], levels[::-1])
    with pytest.raises(ValueError, match=r"ordered differently: \['low', .*'extreme', 'high'"):
        ConfusionCounts.from_predictions(truth, other)


def test_a_polars_categorical_has_no_order_of_its_own():
    """Its categories stand in the order of appearance, and the process shares them."""
    pl.Series(["high", "unrelated", "low", "medium"], dtype=pl.Categorical)
    y = pl.Series(["high", "low", "medium", "low"], dtype=pl.Categorical)
    counts = ConfusionCounts.from_predictions(y, y)
    assert counts.labels.tolist() == ["high", "low", "medium"]
    assert not counts.ordered


def test_an_ordered_categorical_of_intervals():
    ages = pd.cut(pd.Series([5, 20, 70, 40]), [0, 18, 65, 99])
    counts = ConfusionCounts.from_predictions(ages, ages)
    assert counts.ordered
    assert counts.n.tolist() == [[1, 0, 0], [0, 2, 0], [0, 0, 1]]
    assert float(counts.estimate("weighted_kappa")) == 1.0


@pytest.mark.parametrize(
    "values",
    [
        [-5, 10**12],
        [0, 2**40],
        [-(2**63), 2**63 - 1],
        [7, 2**63 + 1],
        [2**63 + 1, 2**63 + 2],
        [-1, 2**63 + 1],
        [1, 10**30],
    ],
)
def test_wide_integers_stay_exact(values):
    y = [values[0], values[1], values[1]]
    for column in (y, np.array(y, dtype=object)):
        counts = ConfusionCounts.from_predictions(column, [values[0], values[0], values[1]])
        assert counts.labels.tolist() == values
        assert counts.n.tolist() == [[1, 0], [1, 1]]


def test_a_range_of_integers_beside_one_far_away(rng):
    values = np.array([-3, 0, 1, 2, 5000, 10**9])
    truth, answer = rng.choice(values, 500), rng.choice(values, 500)
    counts = ConfusionCounts.from_predictions(truth, answer)
    assert counts.labels.tolist() == values.tolist()
    brute = [[int(((truth == a) & (answer == b)).sum()) for b in values] for a in values]
    assert counts.n.tolist() == brute


def test_gaps_between_numbers_are_no_classes():
    counts = ConfusionCounts.from_predictions([0, 1, 5], [0, 5, 5])
    assert counts.labels.tolist() == [0, 1, 5]
    named = ConfusionCounts.from_predictions([0, 1, 5], [0, 5, 5], labels=range(6))
    assert named.n.shape == (6, 6)
    assert named.n[1].tolist() == [0, 0, 0, 0, 0, 1]


@pytest.mark.parametrize("as_words", [False, True])
def test_two_hundred_classes(rng, as_words):
    truth = rng.integers(0, 200, 20_000)
    answer = np.where(rng.random(20_000) < 0.7, truth, rng.integers(0, 200, 20_000))
    brute = np.zeros((200, 200), dtype=int)
    np.add.at(brute, (truth, answer), 1)
    if as_words:
        names = np.array([f"class {k:03d}" for k in range(200)])
        truth, answer = names[truth], names[answer]
    counts = ConfusionCounts.from_predictions(truth, answer)
    np.testing.assert_array_equal(counts.n, brute)
    value = negative_predictive_value_score(truth, answer, average="macro")
    negative = brute.sum() - brute.sum(0)
    true_negative = negative - brute.sum(1) + np.diag(brute)
    assert value == pytest.approx(np.mean(true_negative / negative), rel=1e-12)


def test_words_that_only_turn_up_late():
    """The head of a long array does not know all classes."""
    y = np.repeat(["b", "a", "ccc"], [6000, 6000, 3])
    counts = ConfusionCounts.from_predictions(y, y[::-1].copy())
    assert counts.labels.tolist() == ["a", "b", "ccc"]
    assert counts.n.tolist() == [[3, 5997, 0], [5997, 0, 3], [0, 3, 0]]


MISSING = {
    "list with None": ["a", None, "a"],
    "list with nan": ["a", float("nan"), "a"],
    "numbers with None": [1, None, 0],
    "numbers with nan": [1, float("nan"), 0],
    "numpy nan": np.array([1, np.nan, 0]),
    "object nan": np.array(["a", np.nan, "a"], dtype=object),
    "pandas NA": [1, pd.NA, 0],
    "pandas NaT": [1, pd.NaT, 0],
    "pandas Int64": pd.Series([1, None, 0], dtype="Int64"),
    "pandas boolean": pd.Series([True, None, False], dtype="boolean"),
    "pandas string": pd.Series(["a", None, "a"], dtype="string"),
    "pandas object": pd.Series(["a", None, "a"], dtype=object),
    "pandas Categorical": pd.Series(["a", None, "a"], dtype="category"),
    "bare Categorical": pd.Categorical(["a", None, "a"]),
    "pandas float": pd.Series([1, np.nan, 0]),
    "polars": pl.Series([1, None, 0]),
    "polars nan": pl.Series([1.0, float("nan"), 0.0]),
    "polars String": pl.Series(["a", None, "a"]),
    "polars Enum": pl.Series(["a", None, "a"], dtype=pl.Enum(["a"])),
    "polars Categorical": pl.Series(["a", None, "a"], dtype=pl.Categorical),
}
if pa is not None:
    MISSING["pyarrow"] = pa.array([1, None, 0])
    MISSING["pyarrow chunked"] = pa.chunked_array([["a", None], ["a"]])
    MISSING["pyarrow dictionary"] = pa.array(["a", None, "a"]).dictionary_encode()


@pytest.mark.parametrize("kind", MISSING)
def test_missing_labels_are_counted_in_the_error(kind):
    with pytest.raises(ValueError, match=r"y_true has 1 missing value \(NaN or None\)"):
        ConfusionCounts.from_predictions(MISSING[kind], ["a", "a", "a"])
    with pytest.raises(ValueError, match=r"y_pred has 1 missing value \(NaN or None\)"):
        ConfusionCounts.from_predictions(["a", "a", "a"], MISSING[kind])


def test_several_missing_labels():
    with pytest.raises(ValueError, match="y_true has 2 missing values"):
        ConfusionCounts.from_predictions(["a", None, np.nan], ["a", "a", "a"])


@pytest.mark.parametrize(
    ("y", "error", "message"),
    [
        ([], ValueError, "y is empty"),
        (np.array([]), ValueError, "y is empty"),
        (pd.Series([], dtype=object), ValueError, "y is empty"),
        (pl.Series([], dtype=pl.String), ValueError, "y is empty"),
        ([0.5, 1.0], ValueError, "y must hold class labels, but it is continuous: it holds 0.5"),
        (np.array([1.0, np.inf]), ValueError, "continuous: it holds inf"),
        (np.r_[np.ones(9000), 0.25], ValueError, "continuous: it holds 0.25"),
        (pl.Series([0.1]), ValueError, "continuous: it holds 0.1"),
        (np.eye(2), ValueError, r"one-dimensional.*multilabel.*shape \(2, 2\)"),
        ([[0, 1], [1, 0]], ValueError, r"one-dimensional.*multilabel.*first row is \[0, 1\]"),
        ([[0, 1], [1]], ValueError, "one-dimensional"),
        (pd.DataFrame({"a": [1], "b": [2]}), ValueError, r"one-dimensional.*shape \(1, 2\)"),
        (np.array(3), ValueError, r"one-dimensional.*shape \(\)"),
        (3, ValueError, "y must be a one-dimensional array of labels; got 3"),
        ("yes", ValueError, "y must be a one-dimensional array of labels; got 'yes'"),
        (None, ValueError, "y must be a one-dimensional array of labels; got None"),
        ({"a": 1}, ValueError, "y must be a one-dimensional array of labels; got {'a': 1}"),
        (["a", 1], ValueError, "y mixes words and other labels: it holds 'a' as well as 1"),
        (np.array(["a", 1], dtype=object), ValueError, "holds 'a' as well as 1"),
        (pd.Series(["a", 1]), ValueError, "holds 'a' as well as 1"),
        ([b"a", b"b"], TypeError, "y holds bytes; decode"),
        (np.array([b"a"]), TypeError, "y holds bytes; decode"),
        (np.array([1j]), ValueError, "y holds complex numbers"),
    ],
)
def test_columns_that_are_no_labels(y, error, message):
    with pytest.raises(error, match=message):
        group_column(y, name="y")


def test_a_key_may_hold_anything_but_nothing():
    column = group_column([0.5, "a", (1, 2), 0.5], name="by", key=True)
    assert column.values[column.codes - column.offset].tolist() == [0.5, "a", (1, 2), 0.5]
    days = np.array(["2024-01-01", "2024-01-02", "2024-01-01"], dtype="datetime64[D]")
    assert group_column(days, name="by", key=True).seen().sum() == 2
    with pytest.raises(ValueError, match="by has 1 missing value"):
        group_column(np.array(["2024-01-01", "NaT"], dtype="datetime64[D]"), name="by", key=True)
