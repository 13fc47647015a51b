"""The options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

__all__ = ["COST", "LEVEL", "data_options", "score_options"]

Command = Callable[..., Any]


class _Cost(click.ParamType):
    """``fn=100``: what one outcome costs."""

    name = "OUTCOME=AMOUNT"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[str, float]:
        outcome, equals, amount = str(value).partition("=")
        if outcome not in ("fp", "fn", "tp", "tn") or not equals:
            self.fail(f"{value!r} is not fp=, fn=, tp= or tn= and an amount", param, ctx)
        try:
            return outcome, float(amount)
        except ValueError:
            self.fail(f"{amount!r} is no amount", param, ctx)


def _each_once(ctx: Any, param: Any, value: Any) -> Any:
    """Two amounts for one outcome: nobody knows which was meant."""
    outcomes = [outcome for outcome, _ in value]
    twice = sorted({outcome for outcome in outcomes if outcomes.count(outcome) > 1})
    if twice:
        raise click.BadParameter(f"{', '.join(twice)} is named more than once")
    return value


COST = _Cost()
LEVEL = click.FloatRange(0, 1, min_open=True, max_open=True)


def data_options(command: Command) -> Command:
    """Which file, which columns of it, and how it is written."""
    for option in (
        click.option("--decimal-comma", is_flag=True, help="CSV: 0,5 is a half."),
        click.option("--separator", default=",", show_default=True, help="CSV: between the cells."),
        click.option(
            "--missing",
            type=click.Choice(["raise", "drop"]),
            default="raise",
            show_default=True,
            help="Rows with missing values are an error, or left out and counted.",
        ),
        click.option("--weight", metavar="COL", help="Weights of the rows."),
        click.option("--truth", metavar="COL", required=True, help="True labels."),
        click.argument("file", metavar="FILE"),
    ):
        command = option(command)
    return command


def score_options(command: Command) -> Command:
    """Costs and the positive class."""
    for option in (
        click.option(
            "--cost-matrix",
            metavar="CSV",
            help="Costs with the header predicted,true,cost; for any number of classes.",
        ),
        click.option(
            "--cost",
            "costs",
            type=COST,
            multiple=True,
            callback=_each_once,
            help="What an outcome costs: fp=1, fn=100 (also tp=, tn=). May be repeated.",
        ),
        click.option("--positive", metavar="LABEL", help="The positive class."),
    ):
        command = option(command)
    return command
