"""What the columns of a table may be, where it is no leaderboard as it stands."""

import re
from collections.abc import Sequence

import pandas as pd

# An item is answered by many models; a column of the row's own, such as a time, by one.
LEAST_SHARED = 0.5
# Words that people write over columns of these kinds, in English and a few more languages.
_MODELS = re.compile(r"model|system|submission|user|respondent|method|^name$", re.IGNORECASE)
_SCORES = re.compile(
    r"score|acc|genauigkeit|average|mean|result|exact|\bf1\b|\bem\b|%|resolved", re.IGNORECASE
)
_ITEMS = re.compile(r"item|question|example|sample|instance|prompt", re.IGNORECASE)
_DATES = re.compile(r"\bdat(e|um)\b", re.IGNORECASE)
# Columns that say where a row stands or whose it is, and nothing that is measured.
_BESIDE = re.compile(r"^$|^#|rank|^rang$|place|org|provider|licen|type", re.IGNORECASE)


def renamed(names: Sequence[str], file: str) -> list[str]:
    """How a table's own columns could be called, judged by their names alone.

    Parameters
    ----------
    names
        The columns, in the file's order.
    file
        Its name, for the sentences.

    Returns
    -------
    list of str
        A sentence for each way in which the table may be meant; none for a single column.
    """
    useful = [name for name in names if not _BESIDE.search(name)]
    if len(useful) < 2:
        return []
    say = f"{file}: if its rows are"
    if _ITEMS.search(names[0]):
        return [
            f"{say} items and the further columns models, give the key 'columns': item={names[0]}"
        ]
    model = _first(_MODELS, useful, useful[0])
    dates = [name for name in useful if _DATES.search(name)]
    others = [name for name in useful if name != model and name not in dates]
    if not others:
        return []
    columns = [f"model={model}", f"score={_first(_SCORES, others, others[0])}"]
    columns += [f"date={name}" for name in dates[:1]]
    said = [f"{say} models with a score each, give the key 'columns': {', '.join(columns)}"]
    if model == names[0] and len(names) > 2:
        said.append(
            f"{say} models and the further columns items or tasks, give the key 'columns': "
            f"model={model}"
        )
    return said


def _first(pattern: re.Pattern[str], names: Sequence[str], default: str) -> str:
    return next((name for name in names if pattern.search(name)), default)


def item_columns(table: pd.DataFrame, others: Sequence[str]) -> dict[str, str]:
    """The file's columns for item and, if a model repeats items, for task and run; else nothing.

    The item is the column whose values most models share and that leaves the fewest rows of a
    model alike; the run one that tells these apart.

    Parameters
    ----------
    table
        With a column ``model``.
    others
        Columns that no leaderboard has.
    """
    models = table["model"].nunique()
    if len(table) == models or models < 2:
        return {}
    sharing = {
        name: table.groupby(name, observed=True)["model"].nunique().mean() / models
        for name in others
    }
    distinct = {
        name: len(table[["model", name]].drop_duplicates())
        for name in others
        if sharing[name] >= LEAST_SHARED
    }
    item = max(distinct, key=lambda name: distinct[name], default=None)
    if item is None or distinct[item] < 2 * models:
        return {}
    if distinct[item] == len(table):
        return {"item": item}
    left = [name for name in others if name != item]
    telling = [name for name in left if not table.duplicated(["model", item, name]).any()]
    return {"item": item, "run": telling[0]} if telling else {"item": item}
