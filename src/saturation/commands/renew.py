"""The command `renew`."""

from pathlib import Path
from typing import Any

from saturation.commands.base import Command, Options, Parser
from saturation.commands.benchmark import add_choices


def _renew_options(parser: Parser) -> None:
    add = parser.add_argument
    add("old", type=Path, metavar="OLD", help="answers to the old version: a file or a folder")
    add("new", type=Path, metavar="NEW", help="answers to the new version")
    add(
        "--models",
        type=Path,
        metavar="FILE",
        help="table of model and lab (default: by names), and of date, for a forecast",
    )
    add_choices(parser)


def _renew(options: Options) -> str:
    from saturation.own import outlook
    from saturation.own.study import shipped_context
    from saturation.renewal import page

    context = shipped_context()

    def forecast(dated: Any) -> float | str:
        return outlook.best_in_a_year(dated, context.lessons)

    return page.run(options, forecast)


RENEW = Command(
    "renew",
    "say what old scores mean on a new version",
    _renew_options,
    _renew,
    """example:
  saturation renew livecodebench_*.csv --models labs.csv""",
)
