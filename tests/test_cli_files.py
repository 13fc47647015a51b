"""``skmetrics-ext`` on files and options as people have them: right numbers or one sentence."""

import os
import subprocess
import sys

import numpy as np
import polars as pl
import pytest

from skmetrics_ext.__main__ import main
from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.counts import ScoreCounts

RNG = np.random.default_rng(0)
Y = (RNG.random(60) < 0.3).astype(int)
P = np.round(1 / (1 + np.exp(-(RNG.normal(size=60) + 2 * Y - 1))), 3)
TRUTH = ("--truth", "y", "--score", "p")


@pytest.fixture
def said(capsys):
    def run(*arguments):
        code = main([str(a) for a in arguments])
        out = capsys.readouterr()
        assert "Traceback" not in out.err + out.out
        if code == 1:
            assert len(out.err.strip().splitlines()) == 1
        return code, " ".join(out.out.split()), out.err

    return run


@pytest.fixture
def written(tmp_path):
    """A CSV of the labels that a function makes of 0 and 1."""

    def write(label=str, head="y,p", more=""):
        path = tmp_path / "f.csv"
        lines = [f"{label(y)},{p}" for y, p in zip(Y.tolist(), P, strict=True)]
        path.write_bytes("\n".join([head, *lines, more]).encode())
        return path

    return write


@pytest.fixture
def table(tmp_path):
    frame = pl.DataFrame(
        {
            "y": Y,
            "p": P,
            "q": -P,
            "said": (P > 0.5).astype(int),
            "word": np.where(Y == 1, "ill", "well"),
            "yes": Y == 1,
            "amount": P + 0.01,
            "day": pl.Series(["2024-01-01"] * 30 + ["2024-02-01"] * 30).str.to_date(),
        }
    ).with_columns(
        money=pl.col("y").cast(pl.Decimal(10, 2)),
        kind=pl.col("word").cast(pl.Enum(["well", "ill"])),
        sort=pl.col("word").cast(pl.Categorical),
    )
    path = tmp_path / "f.parquet"
    frame.write_parquet(path)
    return path


# -- the threshold is that of the positive class, wherever it stands in the alphabet -------------


@pytest.mark.parametrize(
    ("truth", "score", "positive"),
    [
        ("word", "p", "ill"),
        ("word", "q", "well"),
        ("y", "q", "0"),
        ("y", "p", "1"),
        ("yes", "p", "true"),
        ("yes", "q", "false"),
        ("kind", "p", "ill"),
        ("sort", "p", "ill"),
        ("money", "p", "1"),
    ],
)
def test_threshold_of_the_named_class(truth, score, positive, table, said):
    options = ("--truth", truth, "--score", score, "--positive", positive, "--cost", "fn=20")
    code, out, _ = said("threshold", table, *options)
    assert code == 0
    is_positive = Y == 1 if positive in ("ill", "1", "true") else Y == 0
    scores = ScoreCounts.from_predictions(is_positive, P if score == "p" else -P)
    best = scores.best_cost(CostMatrix.binary(false_negative=20, pos_label=True))
    assert f"{best.value:.4g} per row." in out
    cut = float(out.split("Cheapest threshold: ")[1].split()[0])
    values = P if score == "p" else -P
    flagged = (values >= cut - 1e-6).astype(int)
    np.testing.assert_allclose(
        np.mean(20 * (is_positive & (flagged == 0)) + (~is_positive & (flagged == 1))), best.value
    )


# -- labels as they are written -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "positive", "shown"),
    [
        (lambda y: ["False", "True"][y], None, "True"),
        (lambda y: ["FALSE", "TRUE"][y], "TRUE", "True"),
        (lambda y: ["no", "yes"][y], "yes", "'yes'"),
        (lambda y: f"{y}.0", "1", "1.0"),
        (lambda y: str(9007199254740992 + y), "9007199254740993", "9007199254740993"),
        (lambda y: ['"a\nb"', "c"][1 - y], "a\nb", "'a\\nb'"),
    ],
)
def test_labels_of_two_classes(label, positive, shown, written, said):
    named = () if positive is None else ("--positive", positive)
    code, out, err = said("report", written(label), *TRUTH, *named, "--cost", "fn=3")
    assert (code, err) == (0, "")
    assert f"2 classes; {shown}" in out
    assert f"when the truth is {shown}" in out


def test_integers_longer_than_64_bits(written, said):
    path = written(lambda y: str(99999999999999999999998 + y))
    code, out, err = said("report", path, *TRUTH, "--positive", "99999999999999999999999")
    if code:  # Polars before 1.30 cannot read them
        assert "the file cannot be read: could not parse" in err
    else:
        assert "'99999999999999999999999' is the positive one" in out


def test_bools_are_named_in_the_sentences_of_costs(table, said):
    _, out, _ = said("report", table, "--truth", "yes", "--score", "p", "--cost", "fn=3")
    assert "predicting False when the truth is True costs 3" in out


@pytest.mark.parametrize("column", ["kind", "sort", "money", "day"])
def test_subgroups_of_any_type_are_written(column, table, said, tmp_path):
    receipt = tmp_path / "r.json"
    options = ("--truth", "y", "--pred", "said", "--by", column, "--json", receipt)
    code, out, _ = said("report", table, *options)
    assert code == 0
    assert receipt.exists()
    assert {"day": "2024-02-01", "money": "1.0"}.get(column, "ill") in out


def test_an_enum_brings_its_order_also_where_rows_are_dropped(tmp_path, said):
    words = pl.Series(["fair", "good", "bad"] * 9, dtype=pl.Enum(["bad", "fair", "good"]))
    path = tmp_path / "e.parquet"
    pl.DataFrame({"y": words, "a": words}).write_parquet(path)
    for missing in ("raise", "drop"):
        code, out, _ = said("report", path, "--truth", "y", "--pred", "a", "--missing", missing)
        assert code == 0
        assert "kappa, quadratic weights" in out


def test_types_are_those_of_all_rows(written, said):
    code, out, _ = said("report", written(head="y,p" + "\n0,0" * 12_000), *TRUTH)
    assert code == 0
    assert "12,060 rows" in out


# -- what cannot be counted is one sentence -------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "arguments", "message"),
    [
        ({"head": "y,p,y"}, (), "--truth y: "),
        ({"more": "0,NA"}, (), "--score p: the column holds no numbers (String), such as 'NA'"),
        ({"head": "y , p"}, (), "its columns are 'y ', ' p'"),
        ({}, ("--threshold", "nan"), "threshold must be a number"),
        ({}, ("--order", "0,,1"), "must name every class"),
        ({}, ("--weight", "w"), "--weight w: "),
        ({}, ("--separator", ";;"), "separator"),
        ({}, ("--cost-matrix", "."), "--cost-matrix .: there is no such file"),
    ],
)
def test_one_sentence(change, arguments, message, written, said):
    code, _, err = said("report", written(**change), *TRUTH, *arguments)
    assert code == 1
    assert message in err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"predicted,true,cost\nw\xe9ll,ill,2\n", "cannot be read"),
        (b"predicted,true,cost\n0,1\n", "line 2 must hold three cells"),
        (b"predicted,true,cost\n0,1,5,6\n", "line 2 must hold three cells"),
        (b'predicted,true,cost\n"' + b"x" * 200_000 + b'",1,3\n', "cannot be read"),
        (b"predicted,true,cost\n0,,3\n", "'' is no value"),
        (b"predicted;true;cost\n0;1;3\n", "its header must be"),
    ],
)
def test_bad_costs_are_one_sentence(content, message, written, said, tmp_path):
    costs = tmp_path / "costs.csv"
    costs.write_bytes(content)
    code, _, err = said("report", written(), *TRUTH, "--cost-matrix", costs)
    assert code == 1
    assert message in err


@pytest.mark.parametrize(
    "option", [("--by", "word"), ("--cost", "fn=3"), ("--cluster", "y"), ("--order", "1,2")]
)
def test_options_that_numbers_have_no_use_for(option, table, said):
    code, _, err = said("report", table, "--truth", "amount", "--pred", "p", *option)
    assert code == 1
    assert f"no use for {option[0]}." in err
    code, _, err = said("report", table, "--truth", "amount", "--score", "p")
    assert code == 1


def test_an_outcome_costs_one_amount(table, said):
    code, _, err = said("report", table, *TRUTH, "--cost", "fn=3", "--cost", "fn=9")
    assert code == 2
    assert "fn is named more than once" in err


def test_a_folder_is_no_file(said, tmp_path):
    code, _, err = said("report", tmp_path, *TRUTH)
    assert code == 1
    assert "is a folder" in err


def test_weighted_models_are_compared_without_mcnemar(table, said):
    options = ("--truth", "y", "--pred", "said", "--pred", "y", "--weight", "p")
    code, out, _ = said("compare", table, *options)
    assert code == 0
    assert "McNemar's test counts independent rows" in out


# -- pipes ----------------------------------------------------------------------------------------


def run(command, **options):
    return subprocess.run(["bash", "-c", command], capture_output=True, check=False, **options)


def test_pipes(written):
    tool = f"'{sys.executable}' -m skmetrics_ext report"
    path = written()
    options = "--truth y --score p"
    piped = run(f"{tool} <(cat '{path}') {options} | head -1")
    assert (piped.returncode, piped.stderr) == (0, b"")
    assert piped.stdout.startswith(b"Decision report")
    gone = run(f"{tool} '{path}' {options} | true")
    assert gone.stderr == b""
    closed = run(f"{tool} - {options} <&-")
    assert closed.returncode == 1
    assert closed.stderr == b"skmetrics-ext: the standard input is closed.\n"
    if os.path.exists("/dev/full"):
        full = run(f"{tool} '{path}' {options} > /dev/full")
        assert full.returncode == 1
        assert len(full.stderr.splitlines()) == 1
