"""``skmetrics-ext report | compare | threshold | demo``."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import click
from sklearn.exceptions import UndefinedMetricWarning

from skmetrics_ext import __version__
from skmetrics_ext._cli._compare import compared
from skmetrics_ext._cli._options import LEVEL, data_options, score_options
from skmetrics_ext._cli._read import BadDataError, opened
from skmetrics_ext._cli._report import report_of
from skmetrics_ext._cli._threshold import threshold_of
from skmetrics_ext._cli._waiting import waiting

__all__ = ["run"]

_REPORT_EXAMPLES = """

\b
Examples:
  skmetrics-ext report predictions.csv --truth y --score p --cost fn=100 --cost fp=1
  skmetrics-ext report answers.parquet --truth label --pred said --by hospital --html report.html
  cat stars.csv | skmetrics-ext report - --truth stars --pred said --order bad,fair,good
"""
_COMPARE_EXAMPLES = """

\b
Examples:
  skmetrics-ext compare answers.csv --truth y --pred old --pred new
"""
_THRESHOLD_EXAMPLES = """

\b
Examples:
  skmetrics-ext threshold predictions.csv --truth y --score p --cost fn=100 --cost fp=1
  skmetrics-ext threshold predictions.csv --truth y --score p --max-flagged 0.02
  skmetrics-ext threshold predictions.csv --truth y --score p --min-precision 0.9
"""


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="skmetrics-ext")
def _commands() -> None:
    """From a file of predictions to a decision you can defend.

    A file is CSV or Parquet, or - for the standard input; only the columns that are named are
    read.
    """


@_commands.command(epilog=_REPORT_EXAMPLES)
@data_options
@click.option("--pred", metavar="COL", help="The answers.")
@click.option("--score", metavar="COL", help="The scores of the positive class.")
@score_options
@click.option("--order", metavar="A,B,C", help="The classes from lowest to highest.")
@click.option("--by", metavar="COL", help="Subgroups.")
@click.option("--cluster", metavar="COL", help="What rows belong together, a patient say.")
@click.option("--threshold", type=float, help="From which score on the answer is positive today.")
@click.option("--bins", type=click.IntRange(1), help="Count scores in so many bins of [0, 1].")
@click.option("--level", type=LEVEL, default=0.95, show_default=True, help="Of the intervals.")
@click.option("--html", type=click.Path(dir_okay=False), help="Write a page of its own.")
@click.option("--json", type=click.Path(dir_okay=False), help="Write the receipt.")
def report(file: str, separator: str, decimal_comma: bool, **options: Any) -> None:
    """What happened, what it costs, how sure that is, and what to look at first."""
    if options["pred"] is None and options["score"] is None:
        raise click.UsageError("name the answers by --pred, the scores by --score, or both.")
    html, receipt = options.pop("html"), options.pop("json")
    with opened(file, separator=separator, decimal_comma=decimal_comma) as source:
        with waiting(f"counting {source.name} ..."):
            found = report_of(source, **options)
            text = str(found)
        click.echo(text)
        for path, write in ((html, found.to_html), (receipt, found.to_json)):
            if path is not None:
                with waiting(f"writing {path} ..."):
                    _write(path, write())
                click.echo(f"wrote {path}", err=True)


@_commands.command(epilog=_COMPARE_EXAMPLES)
@data_options
@click.option(
    "--pred",
    "preds",
    metavar="COL",
    multiple=True,
    required=True,
    help="The answers of one model; name two.",
)
@click.option("--positive", metavar="LABEL", help="The positive class.")
@click.option("--order", metavar="A,B,C", help="The classes from lowest to highest.")
@click.option("--level", type=LEVEL, default=0.95, show_default=True, help="Of the intervals.")
def compare(file: str, separator: str, decimal_comma: bool, **options: Any) -> None:
    """Two models on the same rows: every difference with its interval."""
    if len(options["preds"]) != 2:
        raise click.UsageError(f"--pred must be named twice; got {len(options['preds'])}.")
    with opened(file, separator=separator, decimal_comma=decimal_comma) as source:
        with waiting(f"counting {source.name} ..."):
            text = compared(source, **options)
        click.echo(text)


@_commands.command(epilog=_THRESHOLD_EXAMPLES)
@data_options
@click.option("--score", metavar="COL", required=True, help="The scores of the positive class.")
@score_options
@click.option("--max-flagged", type=LEVEL, help="At most this share of the rows is positive.")
@click.option("--min-precision", type=LEVEL, help="At least this share of the alarms is right.")
@click.option("--min-recall", type=LEVEL, help="At least this share of the positives is found.")
@click.option("--level", type=LEVEL, default=0.95, show_default=True, help="Of the interval.")
def threshold(file: str, separator: str, decimal_comma: bool, **options: Any) -> None:
    """The cheapest threshold, how sure it is, and what happens around it."""
    limits = [n for n in ("max_flagged", "min_precision", "min_recall") if options[n] is not None]
    if len(limits) > 1:
        raise click.UsageError(f"name one limit at most; got {', '.join(limits)}.")
    with opened(file, separator=separator, decimal_comma=decimal_comma) as source:
        with waiting(f"searching {source.name} ..."):
            text = threshold_of(source, **options)
        click.echo(text)


@_commands.command()
def demo() -> None:
    """The main job on real data, in under a minute."""
    from skmetrics_ext._demo import demo as show

    show()


def _write(path: str, text: str) -> None:
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise BadDataError(f"{path} cannot be written: {error.strerror}.") from None


def run(arguments: Sequence[str]) -> int:
    """Run one command: 0, 1 for bad data with one sentence on the standard error, 2 for usage."""
    if not arguments:
        click.echo(
            _commands.get_help(click.Context(_commands, info_name="skmetrics-ext")), err=True
        )
        return 2
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        # What is undefined is shown as such.
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        # These are for the programmer, not for whoever has a file.
        for kind in (DeprecationWarning, PendingDeprecationWarning, FutureWarning):
            warnings.simplefilter("ignore", kind)
        try:
            _commands.main(list(arguments), prog_name="skmetrics-ext", standalone_mode=False)
        except click.ClickException as error:
            error.show()
            return error.exit_code
        except click.Abort:
            return 130
        except (BadDataError, ValueError, TypeError, ImportError) as error:
            click.echo(f"skmetrics-ext: {_one_line(error)}", err=True)
            return 1
        except OSError as error:
            click.echo(f"skmetrics-ext: cannot read or write: {error.strerror}.", err=True)
            return 1
        except Exception as error:
            if type(error).__module__.split(".")[0] not in ("polars", "narwhals"):
                raise
            click.echo(f"skmetrics-ext: the file cannot be read: {_one_line(error)}", err=True)
            return 1
    for message in dict.fromkeys(str(warning.message) for warning in caught):
        click.echo(f"note: {message}", err=True)
    return 0


def _one_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines and type(error).__module__.startswith("polars") else " ".join(lines)
