"""Which columns of a table may hold items and runs, where it is no leaderboard as it stands."""

from collections.abc import Sequence

import pandas as pd

# An item is answered by many models; a column of the row's own, such as a time, by one.
LEAST_SHARED = 0.5


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
