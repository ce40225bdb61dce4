"""The command `suite`."""

import dataclasses
from pathlib import Path

import pandas as pd

from saturation.commands.base import Options, as_json, default_config
from saturation.commands.benchmark import load_responses
from saturation.errors import InputError
from saturation.files.tables import load_table
from saturation.own.pages import line
from saturation.suite import report


def run(options: Options) -> str:
    """Describe the suite that files hold the scores of."""
    suite = report.describe(_table(options), options.before, default_config()["seed"])
    if options.json:
        return as_json({"suite": dataclasses.asdict(suite)})
    return "\n".join(
        part for label, sentence in report.text(suite) for part in line(label, sentence, most=8)
    )


def _table(options: Options) -> report.Table:
    """Read the scores, higher is better, and the families and dates that the options name."""
    tasks = _described(options.tasks, "task", ("family",))
    models = _described(options.models, "model", ("family", "released"))
    needs = "answers to items; a suite has scores of models on several tasks"
    responses, declared = load_responses(
        options, needs, family="bounded_mean", suite=list(tasks.index)
    )
    scores = responses.pivot_table("response", "model", "item")
    scores.index = scores.index.astype(str)
    # Responses are shares of the range; differences are printed as shares of its upper end.
    low, high = declared.get("score_range") or (0.0, 1.0)
    scores += (1 - scores) * low / high
    if len(models) and not scores.index.isin(models.index).any():
        raise InputError(f"{options.models}: no model of the scores, such as '{scores.index[0]}'")
    models = models.reindex(scores.index)
    labs = scores.index.to_series().str.split(r"/|__", regex=True).str[0]
    return report.Table(
        scores,
        tasks["family"].reindex(scores.columns).combine_first(scores.columns.to_series()),
        models["family"].combine_first(labs),
        models["released"],
    )


def _described(path: Path | None, key: str, columns: tuple[str, ...]) -> pd.DataFrame:
    """Read a table of models or tasks; without a file, it is empty."""
    if path is None:
        return pd.DataFrame(columns=list(columns), dtype="str")
    table = load_table(path, dtype=str)
    if key not in table:
        raise InputError(f"{path}: there is no column '{key}'; it has {', '.join(table.columns)}")
    if (repeated := table[key][table[key].duplicated()]).any():
        raise InputError(f"{path}: column {key}: '{repeated.iloc[0]}' stands twice; keep one row")
    return table.set_index(key).reindex(columns=list(columns))
