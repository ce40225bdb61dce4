"""The command `suite`."""

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

from saturation.commands.base import Command, Options, Parser, as_json, default_config
from saturation.commands.benchmark import add_declared, load_responses
from saturation.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from saturation.suite.report import Table


def _suite_options(parser: Parser) -> None:
    add = parser.add_argument
    add("files", nargs="+", type=Path, metavar="TABLE", help="scores of models on several tasks")
    add("--tasks", type=Path, metavar="FILE", help="table of task and family (default: each alone)")
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
    import pandas as pd

    from saturation.suite.report import Table

    scores = _scores(options)
    names = pd.Series(scores.index.astype(str), scores.index)
    models = _described(options.models, "model", scores.index, ("family", "released"))
    tasks = _described(options.tasks, "task", scores.columns, ("family",))
    labs = names.str.split(r"/|__", regex=True).str[0]
    return Table(
        scores,
        tasks["family"].combine_first(pd.Series(scores.columns, scores.columns)),
        models["family"].combine_first(labs),
        models["released"],
    )


def _scores(options: Options) -> "pd.DataFrame":
    """Read a table of models by tasks."""
    options.task = "average"
    needs = "one score a model; a suite has a column a task"
    responses, declared = load_responses(options, needs, family="bounded_mean")
    scores = responses.pivot_table("response", "model", "item", observed=True)
    # Responses are shares of the range; differences are printed as shares of its upper end.
    low, high = declared.get("score_range") or (0.0, 1.0)
    return scores + (1 - scores) * low / high


def _described(
    path: Path | None, key: str, names: "pd.Index[Any]", columns: tuple[str, ...]
) -> "pd.DataFrame":
    """Read what a table says of the names; all missing without a table."""
    import pandas as pd

    from saturation.files.tables import load_table

    if path is None:
        return pd.DataFrame(index=names, columns=list(columns), dtype="str")
    table = load_table(path, dtype=str)
    if key not in table:
        raise InputError(f"{path}: there is no column '{key}'; it has {', '.join(table.columns)}")
    if (repeated := table[key][table[key].duplicated()]).any():
        raise InputError(f"{path}: column {key}: '{repeated.iloc[0]}' stands twice; keep one row")
    return table.set_index(key).reindex(names).reindex(columns=list(columns))


SUITE = Command(
    "suite",
    "say which tasks of a suite separate models, and which to keep",
    _suite_options,
    _run_suite,
    """examples:
  saturation suite mteb.csv --models models.csv --tasks types.csv
  saturation suite scores.csv --before 2026-01-01 --json""",
)
