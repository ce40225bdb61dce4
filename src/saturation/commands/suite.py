"""The command `suite`."""

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

from saturation.commands.base import Command, Options, Parser, as_json, default_config
from saturation.commands.benchmark import add_declared, load_responses
from saturation.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from saturation.suite.report import Table


def _suite_options(parser: Parser) -> None:
    add = parser.add_argument
    add("files", nargs="+", type=Path, metavar="TABLE", help="scores of models on several tasks")
    add("--tasks", type=Path, metavar="FILE", help="table of the tasks to use, and of family")
    add(
        "--models",
        type=Path,
        metavar="FILE",
        help="table of model, and of family (default: what stands before / or __) and released",
    )
    add("--before", metavar="DATE", help="choose tasks on models released before this date")
    add("--yes", action="store_true", help="accept every proposal that an error would print")
    add_declared(parser)


def _run_suite(options: Options) -> str:
    from saturation.own.pages import line
    from saturation.suite import report

    suite = report.describe(_table(options), options.before, default_config()["seed"])
    if options.json:
        return as_json({"suite": dataclasses.asdict(suite)})
    return "\n".join(
        part for label, sentence in report.text(suite) for part in line(label, sentence, most=8)
    )


def _table(options: Options) -> "Table":
    """Read the scores, higher is better, and the families and dates that the options name."""
    from saturation.suite.report import Table

    tasks = _described(options.tasks, "task", ("family",))
    models = _described(options.models, "model", ("family", "released"))
    needs = "answers to items; a suite has scores of models on several tasks"
    responses, declared = load_responses(
        options, needs, family="bounded_mean", suite=list(tasks.index)
    )
    scores = responses.pivot_table("response", "model", "item", observed=True)
    scores.index = scores.index.astype(str)
    # Responses are shares of the range; differences are printed as shares of its upper end.
    low, high = declared.get("score_range") or (0.0, 1.0)
    scores += (1 - scores) * low / high
    if len(models) and not scores.index.isin(models.index).any():
        raise InputError(f"{options.models}: no model of the scores, such as '{scores.index[0]}'")
    models = models.reindex(scores.index)
    labs = scores.index.to_series().str.split(r"/|__", regex=True).str[0]
    return Table(
        scores,
        tasks["family"].reindex(scores.columns).combine_first(scores.columns.to_series()),
        models["family"].combine_first(labs),
        models["released"],
    )


def _described(path: Path | None, key: str, columns: tuple[str, ...]) -> "pd.DataFrame":
    """Read a table of models or tasks; without a file, it is empty."""
    import pandas as pd

    from saturation.files.tables import load_table

    if path is None:
        return pd.DataFrame(columns=list(columns), dtype="str")
    table = load_table(path, dtype=str)
    if key not in table:
        raise InputError(f"{path}: there is no column '{key}'; it has {', '.join(table.columns)}")
    if (repeated := table[key][table[key].duplicated()]).any():
        raise InputError(f"{path}: column {key}: '{repeated.iloc[0]}' stands twice; keep one row")
    return table.set_index(key).reindex(columns=list(columns))


SUITE = Command(
    "suite",
    "say which tasks of a suite separate models, and which to keep",
    _suite_options,
    _run_suite,
    """examples:
  saturation suite mteb.csv --models models.csv --tasks types.csv
  saturation suite scores.csv --before 2026-01-01 --json""",
)
