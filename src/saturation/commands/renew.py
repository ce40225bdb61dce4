"""The command `renew`."""

from pathlib import Path
from typing import Any

from saturation.commands.base import Command, Options, Parser
from saturation.commands.benchmark import add_choices, read_lessons


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


def _renewed(options: Options) -> str:
    from saturation.own import outlook
    from saturation.renewal import page

    def ahead(dated: Any) -> float | str:
        return outlook.best_in_a_year(dated, read_lessons())

    return page.run(options, ahead)


RENEW = Command(
    "renew",
    "say what old scores mean on a new version",
    _renew_options,
    _renewed,
    """example:
  saturation renew livecodebench_2024.csv livecodebench_2025.csv --models labs.csv""",
)
