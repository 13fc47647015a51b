"""``skmetrics-ext``: exit codes, one clear sentence for a mistake, and the numbers of the API."""

import json
import subprocess
import sys

import numpy as np
import polars as pl
import pytest

from skmetrics_ext import __version__
from skmetrics_ext.__main__ import main
from skmetrics_ext.costs import CostMatrix
from skmetrics_ext.counts import PairedCounts
from skmetrics_ext.decision import ExactThresholdClassifierCV
from skmetrics_ext.report import DecisionReport


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    y = (rng.random(400) < 0.15).astype(int)
    p = 1 / (1 + np.exp(-(rng.normal(size=400) + 2 * y - 2.0)))
    return pl.DataFrame(
        {
            "y": y,
            "p": p,
            "said": (p > 0.5).astype(int),
            "other": (p > 0.3).astype(int),
            "word": np.where(y == 1, "ill", "well"),
            "stars": np.where(p > 0.5, "good", np.where(p > 0.2, "fair", "bad")),
            "true_stars": np.where(p > 0.45, "good", np.where(p > 0.25, "fair", "bad")),
            "g": np.where(np.arange(400) % 3 == 0, "a", "b"),
            "w": np.arange(400) % 4 + 1,
            "amount": np.round(p * 100, 2) + 0.5,
        }
    )


@pytest.fixture(scope="module")
def file(table, tmp_path_factory):
    path = tmp_path_factory.mktemp("cli") / "predictions.csv"
    table.write_csv(path)
    return str(path)


@pytest.fixture
def said(capsys):
    """Run a command: its exit code, what it printed, what it complained of."""

    def run(*arguments):
        code = main([str(a) for a in arguments])
        out = capsys.readouterr()
        return code, out.out, out.err

    return run


REPORT = ("--truth", "y", "--score", "p", "--cost", "fn=20", "--cost", "fp=1")


def test_report_says_what_the_api_says(file, table, said, tmp_path):
    html, receipt = tmp_path / "r.html", tmp_path / "r.json"
    code, out, err = said("report", file, *REPORT, "--by", "g", "--html", html, "--json", receipt)
    assert code == 0
    expected = DecisionReport.from_predictions(
        table["y"],
        None,
        table["p"],
        by=table["g"],
        cost_matrix=CostMatrix.binary(false_negative=20, false_positive=1),
        title=f"Decision report: {file}",
    )
    assert out == f"{expected}\n"
    assert f"wrote {html}" in err
    assert "<h1>Decision report" in html.read_text(encoding="utf-8")
    assert repr(DecisionReport.from_json(receipt.read_text(encoding="utf-8"))) == repr(expected)


def test_report_of_words_and_an_order(file, said):
    code, out, _ = said(
        "report", file, "--truth", "true_stars", "--pred", "stars", "--order", "bad,fair,good"
    )
    assert code == 0
    assert "kappa, quadratic weights" in out
    code, out, _ = said("report", file, "--truth", "word", "--score", "p", "--positive", "ill")
    assert code == 0
    assert "'ill' is the positive one" in out


def test_report_of_numbers(file, said):
    code, out, _ = said("report", file, "--truth", "amount", "--pred", "p")
    assert code == 0
    assert "root mean squared error" in out


def test_weights_clusters_and_drops(table, said, tmp_path):
    holes = table.with_columns(
        y=pl.when(pl.int_range(pl.len()) < 7).then(None).otherwise(pl.col("y"))
    )
    path = tmp_path / "holes.parquet"
    holes.write_parquet(path)
    code, _, err = said("report", path, "--truth", "y", "--pred", "said")
    assert code == 1
    assert "7 missing values" in err
    code, out, _ = said(
        "report", path, "--truth", "y", "--pred", "said", "--missing", "drop", "--weight", "w"
    )
    assert code == 0
    assert "7 rows with missing values were left out" in out
    code, out, _ = said("report", path, "--truth", "said", "--pred", "other", "--cluster", "w")
    assert code == 0
    assert "Intervals take rows as independent" not in out


def test_costs_from_a_file(file, said, tmp_path):
    costs = tmp_path / "costs.csv"
    costs.write_text("predicted,true,cost\nwell,ill,20\nill,well,1\n", encoding="utf-8")
    code, out, _ = said(
        "report",
        file,
        "--truth",
        "word",
        "--score",
        "p",
        "--positive",
        "ill",
        "--cost-matrix",
        costs,
    )
    assert code == 0
    assert "predicting 'well' when the truth is 'ill' costs 20" in out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b,c\n", "its header must be predicted,true,cost; got a,b,c"),
        ("predicted,true,cost\nwell,ill,x\n", "the cost in line 2 is no number: 'x'"),
        ("predicted,true,cost\nwell,ill,1\nwell,ill,2\n", "line 3 names ('well', 'ill') again"),
        ("predicted,true,cost\nwell,ill,1\n", "--cost-matrix"),
    ],
)
def test_bad_cost_files(text, message, file, said, tmp_path):
    costs = tmp_path / "costs.csv"
    costs.write_text(text, encoding="utf-8")
    code, _, err = said(
        "report",
        file,
        "--truth",
        "word",
        "--score",
        "p",
        "--positive",
        "ill",
        "--cost-matrix",
        costs,
    )
    assert code == 1
    assert message in err


def test_compare(file, table, said):
    code, out, _ = said("compare", file, "--truth", "y", "--pred", "said", "--pred", "other")
    both = PairedCounts.from_predictions(table["y"], table["said"], table["other"])
    assert code == 0
    for expected in (both.difference("recall"), both.difference("accuracy"), both.mcnemar()):
        assert str(expected) in out


def test_threshold(file, table, said):
    code, out, _ = said("threshold", file, *REPORT)
    assert code == 0
    from skmetrics_ext._cli._threshold import _AsGiven
    from skmetrics_ext.metrics import cost_scorer

    X, y = table["p"].to_numpy()[:, None], table["y"].to_numpy()
    search = ExactThresholdClassifierCV(
        _AsGiven().fit(X, y),
        scoring=cost_scorer(CostMatrix.binary(false_negative=20, false_positive=1)),
        cv="prefit",
        refit=False,
    ).fit(X, y)
    assert f"Cheapest threshold: {search.best_threshold_:.4g} [" in out
    assert "score >= threshold says 1" in out


@pytest.mark.parametrize(
    ("limit", "rule"),
    [
        (("--max-flagged", "0.05"), "predicted_positive_rate <= 0.05"),
        (("--min-precision", "0.8"), "precision >= 0.8"),
        (("--min-recall", "0.9"), "recall >= 0.9"),
    ],
)
def test_threshold_with_a_limit(limit, rule, file, said):
    code, out, _ = said("threshold", file, "--truth", "y", "--score", "p", *limit)
    assert code == 0
    assert f"Cheapest threshold with {rule}" in out


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_large_files_are_counted_by_polars(ending, table, said, tmp_path, monkeypatch):
    monkeypatch.setattr("skmetrics_ext._cli._read._MOST_ROWS", 10)
    monkeypatch.setattr("skmetrics_ext._cli._read._MOST_BYTES", 10)
    path = tmp_path / f"large.{ending}"
    table.write_csv(path) if ending == "csv" else table.write_parquet(path)
    monkeypatch.setattr("skmetrics_ext._cli._read.Source.rows", None)  # nobody may read rows
    code, out, _ = said("report", path, *REPORT)
    assert code == 0
    assert "in-sample, optimistic" in out
    assert "1000 equal bins" in out
    code, out, _ = said("threshold", path, *REPORT)
    assert code == 0
    assert "because of the bins" in out


# -- files as they come -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "options"),
    [
        (b"\xef\xbb\xbfy,p\n0,0.1\n1,0.9\n0,0.2\n1,0.6\n", ()),
        (b"y;p\n0;0,1\n1;0,9\n0;0,2\n1;0,6\n", ("--separator", ";", "--decimal-comma")),
        (b'y,p,note\n0,0.1,"two\nlines"\n1,0.9,"a,b"\n0,0.2,\n1,0.6,x\n', ()),
        (b"y,p\r\n0,0.1\r\n1,0.9\r\n0,0.2\r\n1,0.6\r\n", ()),
    ],
    ids=["byte order mark", "semicolons and decimal commas", "quoted newlines", "carriage returns"],
)
def test_csv_in_the_wild(content, options, said, tmp_path):
    path = tmp_path / "wild.csv"
    path.write_bytes(content)
    code, out, err = said("report", path, "--truth", "y", "--score", "p", *options)
    assert (code, err) == (0, "")
    assert "area under the ROC curve  1.000" in out


@pytest.mark.parametrize(
    ("content", "arguments", "message"),
    [
        (b"", ("--truth", "y", "--pred", "p"), "is empty"),
        (b"y,p\n", ("--truth", "y", "--pred", "p"), "empty"),
        (b"y,p\n0,1\n", ("--truth", "z", "--pred", "p"), "its columns are y, p"),
        (b"y,p\n0,1\n", ("--truth", "y", "--pred", "q"), "--pred q: "),
        (b"y,p\n0,0.5\n1,2.5\n", ("--truth", "y", "--score", "p", "--cost", "fn=5"), "[0, 1]"),
        (b"y,p\na,0.5\nb,0.7\n", ("--truth", "y", "--score", "p"), "--positive: the labels"),
        (
            b"y,p\na,0.5\nb,0.7\n",
            ("--truth", "y", "--score", "p", "--positive", "c"),
            "its labels are 'a', 'b'",
        ),
        (
            b"y,p\n0,0.5\n1,0.7\n",
            ("--truth", "y", "--score", "p", "--positive", "yes"),
            "'yes' is no value of the column 'y'",
        ),
        (b"y,p\na,x\nb,y\nc,x\n", ("--truth", "y", "--pred", "p", "--cost", "fn=5"), "two classes"),
        (b"y,p\na,b\nb,b\nc,a\n", ("--truth", "y", "--pred", "p", "--order", "a,b"), "not among"),
        (b"y,p\n1,2,3\n\x00\xff\xfe,\n", ("--truth", "y", "--pred", "p"), "skmetrics-ext: "),
    ],
)
def test_bad_data_is_one_sentence_and_no_traceback(content, arguments, message, said, tmp_path):
    path = tmp_path / "bad.csv"
    path.write_bytes(content)
    code, out, err = said("report", path, *arguments)
    assert code == 1
    assert message in err
    assert len(err.strip().splitlines()) == 1
    assert "Traceback" not in err + out


def test_all_one_class(said, tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("y,p\n" + "0,0.1\n" * 20, encoding="utf-8")
    code, out, _ = said("report", path, "--truth", "y", "--score", "p")
    assert code == 0
    assert "All rows are 0" in out


def test_scores_outside_rank_only(said, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("y,s\n0,-3\n1,5\n0,1\n1,2\n", encoding="utf-8")
    code, out, _ = said("report", path, "--truth", "y", "--score", "s")
    assert code == 0
    assert "they rank, and say nothing of costs" in " ".join(out.split())


def test_the_standard_input(table):
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "skmetrics_ext",
            "compare",
            "-",
            "--truth",
            "y",
            "--pred",
            "said",
            "--pred",
            "other",
        ],
        input=table.write_csv().encode(),
        capture_output=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert b"the standard input" in run.stdout


# -- usage --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Usage"),
        (["bogus"], "No such command"),
        (["report"], "Missing argument"),
        (["report", "f.csv", "--truth", "y"], "name the answers by --pred"),
        (["report", "f.csv", "--truth", "y", "--pred", "p", "--cost", "x=1"], "is not fp=, fn="),
        (["report", "f.csv", "--truth", "y", "--pred", "p", "--cost", "fn=a"], "is no amount"),
        (["report", "f.csv", "--truth", "y", "--pred", "p", "--level", "2"], "--level"),
        (["compare", "f.csv", "--truth", "y", "--pred", "a"], "--pred must be named twice"),
        (
            [
                "threshold",
                "f",
                "--truth",
                "y",
                "--score",
                "p",
                "--min-recall",
                "0.5",
                "--max-flagged",
                "0.1",
            ],
            "name one limit at most",
        ),
    ],
)
def test_bad_usage_exits_with_two(arguments, message, said):
    code, _, err = said(*arguments)
    assert code == 2
    assert message in err


@pytest.mark.parametrize("command", ["report", "compare", "threshold"])
def test_help_has_examples(command, said):
    code, out, _ = said(command, "--help")
    assert code == 0
    assert "Examples:" in out
    assert f"skmetrics-ext {command} " in out


def test_version(said):
    assert said("--version")[1] == f"skmetrics-ext, version {__version__}\n"


def test_without_the_extra_only_the_demo_works(said, monkeypatch):
    monkeypatch.setattr("skmetrics_ext.__main__.find_spec", lambda name: None)
    code, _, err = said("report", "x.csv")
    assert code == 1
    assert "skmetrics-ext[cli]" in err
    called = []
    monkeypatch.setattr("skmetrics_ext._demo.demo", lambda: called.append(True))
    assert said("demo")[0] == 0
    assert called == [True]


def test_demo_is_a_command(said, monkeypatch):
    monkeypatch.setattr("skmetrics_ext._demo.demo", lambda: print("shown"))
    assert said("demo")[:2] == (0, "shown\n")


def test_receipts_are_json(file, said, tmp_path):
    path = tmp_path / "r.json"
    said("report", file, "--truth", "y", "--pred", "said", "--json", path)
    assert json.loads(path.read_text(encoding="utf-8"))["numbers"]


def test_a_path_that_cannot_be_written(file, said, tmp_path):
    path = tmp_path / "none" / "r.json"
    code, _, err = said("report", file, "--truth", "y", "--pred", "said", "--json", path)
    assert code == 1
    assert "cannot be written" in err
