"""Plain tables of item responses: a response a row, a matrix, or counts of attempts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from saturation.errors import InputError, Key, NoResults, Unsettled, Violation, listed, refuse
from saturation.leaderboard.names import RATER
from saturation.leaderboard.read import columns
from saturation.leaderboard.read import rows as read_rows
from saturation.leaderboard.read.registry import Importer, Shape
from saturation.leaderboard.read.rows import SHARE, Choice, Imported, Origin, choose
from saturation.leaderboard.read.sheets import Sheet

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import ArrayLike, NDArray

RESPONSES_OPTIONAL = ("cluster", "run", "configuration", "date")
FIRST = ("model", "item")
# Share of rows with a run from which on a row without one is a sum.
MOST_NAMED = 0.9
# What the option that a model chose is called; `answer` may be the key instead.
CHOICES = ("choice", "chosen", "pred", "prediction", "predicted", "model_answer", "answer")
# What the response to an item is called elsewhere.
_OUTCOMES = ("correct", "passed", "resolved", "solved", "success")
CALLED = (
    *("score", "reward", "accuracy", "acc", "result"),
    *_OUTCOMES,
    *(f"is_{name}" for name in _OUTCOMES),
)


def long_responses(table: pd.DataFrame, choice: Choice, origin: Origin) -> Imported:
    """One response a row, with optional cluster, configuration, run or rater, date and task."""
    notes: list[str] = []
    named_response = (choice.columns or {}).get("response", "")
    title = named_response or ("" if "response" in table else "score")
    table = _with_response(table, choice, origin, notes)
    if present := set(read_rows.labels(table, "task").cat.categories) - {""}:
        task = choose(choice, "task", present, origin)
        table = _rows_of_task(table, task, notes)
    named = (read_rows.labels(table, "run") != "").to_numpy()
    if MOST_NAMED < named.mean() < 1 and set(table["model"]) == set(table["model"][named]):
        notes.append(f"{(~named).sum()} rows without a run are left out")
        table = table[named]
    values = read_rows.responses(table["response"])
    # Yes is right only where the user has named the column.
    unsure = "yes" if named_response else ""
    right = read_rows.word_of_right(table["response"].unique(), unsure)
    if values.dtype == object and right:
        grades = read_rows.labels(table, "response").astype(str).str.strip().str.lower()
        values = (grades == right).astype(float).where(grades != "")
        notes.append(f"an answer is right where it is graded '{right}', and wrong elsewhere")
    if "rater" in table and "run" not in table:
        table = _raters_as_runs(table, values, notes)
    if unanswered := int(values.isna().sum()):
        notes.append(_empty(unanswered))
    responses = labelled(table, values, origin)
    _require_one_answer(table, responses, choice, origin)
    if (column := _column_of_options(table, values)) is not None:
        responses["choice"] = read_rows.labels(table, column)
        notes.append(f"the column '{column}' is the option that the model chose")
    higher = columns.direction_of(title)
    is_open = higher is None and choice.higher_is_better is None
    if is_open and columns.words(title) & columns.FAULTS:
        sentence = f"{origin.file}: '{title}' may count what is bad; say which is better with "
        key = Key("higher_is_better")
        raise Unsettled([Violation(sentence, key)], {key.name: False})
    return Imported(responses=responses[values.notna()], higher_is_better=higher, notes=notes)


def _require_one_answer(
    table: pd.DataFrame, responses: pd.DataFrame, choice: Choice, origin: Origin
) -> None:
    """Ask whether a column of settings, of which a model answers an item once each, is compared."""
    keys = [*FIRST, *RESPONSES_OPTIONAL[1:]]
    if not responses.duplicated(keys).any():
        return
    for name in (
        n for n in map(str, table) if columns.words(n) & columns.SETTINGS and n != "model"
    ):
        texts = responses.assign(setting=table[name].astype(str))
        if not texts.duplicated([*keys, "setting"]).any():
            several = origin.model or len(set(table["model"])) > 1
            key = "configuration" if several else "model"
            question = (
                f"a model answers an item once for each {name}; if these are compared, say so"
            )
            raise read_rows.ask_for_columns(origin, choice, question, {key: name})


def _labels(table: pd.DataFrame) -> Sequence[str]:
    """Return the columns of what was predicted and is true; a result may be a prediction."""
    for name in map(str, table):
        is_truth = columns.words(name) & columns.EXPECTED and name not in CALLED
        if is_truth and "result" in table and read_rows.share_labels(table["result"], table[name]):
            return ["result", name]
    return columns.pair_of_labels(list(map(str, table)))


def _with_response(
    table: pd.DataFrame, choice: Choice, origin: Origin, notes: list[str]
) -> pd.DataFrame:
    """Return the table with a column `response`: named so, one that says it, or equal labels."""
    labels = _labels(table)
    stated = [n for n in map(str, table) if n.rpartition(".")[2].strip().lower() in CALLED]
    numeric = [n for n in stated if n not in labels[:1] and _holds_numbers(table[n])]
    if "response" in table:
        if _holds_numbers(table["response"]) or not (numeric or labels):
            return table
        table = table.rename(columns={"response": "choice"})  # what a model wrote
    if len(numeric) == 1:
        return table.assign(response=_shares(table, numeric[0], notes))
    predicted, expected = (
        read_rows.labels(table, name).astype(str).map(read_rows.parse_label)
        for name in labels or ("", "")
    )
    if numeric or not labels or not read_rows.share_labels(predicted, expected):
        raise _unanswered(table, labels, choice, origin)
    notes.append("an answer is right where '{}' equals '{}'".format(*labels))
    return table.assign(response=(predicted == expected).astype(float).where(predicted != ""))


def _shares(table: pd.DataFrame, name: str, notes: list[str]) -> pd.Series:
    """Return the numbers of a column, or the shares that counts are of totals beside them."""
    values, beside = read_rows.responses(table[name]), ""
    if "total" in table and values.dtype == float and values.max() > 1:
        values, beside = values / read_rows.responses(table["total"]), " as a share of 'total'"
    notes.append(f"the column '{name}' is the response{beside}")
    return values


def _holds_numbers(column: pd.Series) -> bool:
    return _hold_mostly_numbers(column.unique())


def _rows_of_task(table: pd.DataFrame, task: str, notes: list[str]) -> pd.DataFrame:
    of_rows = read_rows.labels(table, "task").astype(str)
    if nameless := int((of_rows == "").sum()):
        notes.append(f"{nameless} rows without a task are left out")
    return table[(of_rows == task).to_numpy()]


def _raters_as_runs(table: pd.DataFrame, values: pd.Series, notes: list[str]) -> pd.DataFrame:
    """Return the table with raters in the column of runs: their scores are averaged by item."""
    import pandas as pd

    from saturation.leaderboard import raters

    runs = RATER + table["rater"].astype(object).map(read_rows.text)
    rated = pd.DataFrame({name: table[name].astype(str) for name in FIRST})
    if values.dtype.kind == "f":
        notes.append(raters.remark(rated.assign(rater=runs, response=values).dropna()))
    return table.assign(run=runs)


def _column_of_options(table: pd.DataFrame, values: pd.Series) -> str | None:
    """Return the column of chosen options: short texts that are no key to the items.

    A key is the same for all models, also where some are right and others wrong.
    """
    import pandas as pd

    items = read_rows.labels(table, "item").cat.codes.to_numpy()
    for name in (name for name in CHOICES if name in table):
        texts = read_rows.labels(table, name)
        codes = pd.DataFrame({"text": texts.cat.codes.to_numpy(), "value": values.to_numpy()})
        several = codes.groupby(items).nunique().gt(1)
        is_key = several["value"].any() and not several.loc[several["value"], "text"].any()
        longest = max((len(str(text)) for text in texts.cat.categories), default=0)
        if not is_key and 0 < longest <= read_rows.LONGEST_OPTION:
            return name
    return None


def _empty(cells: int) -> str:
    return f"{cells} cells without a grade: items that a model did not answer"


def labelled(table: pd.DataFrame, values: pd.Series, origin: Origin) -> pd.DataFrame:
    """Return responses with the names that stand in the rows of their table."""
    import pandas as pd

    return pd.DataFrame(
        {name: read_rows.names(table, name, origin) for name in FIRST}
        | {"response": values}
        | {name: read_rows.labels(table, name) for name in RESPONSES_OPTIONAL}
        | {"row": table.index.to_numpy()}
    )


def _unanswered(
    table: pd.DataFrame, labels: Sequence[str], choice: Choice, origin: Origin
) -> InputError:
    """Return the question which column is the response, or the error that no column is."""
    further = table.drop(columns=[*FIRST, *RESPONSES_OPTIONAL], errors="ignore")
    numeric = [str(name) for name in further if name and _holds_numbers(further[name])]
    scores = list(filter(columns.names_score, numeric))
    if not (names := scores or numeric) or (labels and not scores):
        return NoResults([Violation(f"{origin.file}: ", read_rows.describe_unscored(labels))])
    answer = {"response": min(scores, key=len, default="NAME")}
    question = "columns 'model' and 'item' are there, 'response' is missing; say which it is of "
    error = read_rows.ask_for_columns(origin, choice, question + listed(names), answer)
    return error if scores else NoResults(error.violations)


def wide_responses(table: pd.DataFrame | Sheet, _choice: Choice, origin: Origin) -> Imported:
    """Models as rows (first column ``model``) or items as rows (first column ``item``).

    An empty cell is an item that the model did not answer.
    """
    import numpy as np
    import pandas as pd

    first, *across = map(str, table.columns)
    down, values = _matrix(table)
    names = read_rows.names(down, first, origin)
    codes = np.tile(names.cat.codes.to_numpy(), len(across))
    labels = {
        first: read_rows.categories(list(names.cat.categories), codes),
        "item" if first == "model" else "model": read_rows.categories(
            across, np.repeat(np.arange(len(across)), len(down))
        ),
    }
    long = pd.DataFrame(labels | {"response": values})
    for name in RESPONSES_OPTIONAL:
        long[name] = read_rows.labels(long, name)
    long["row"] = np.tile(down.index.to_numpy(), len(across))
    answered = long[long["response"].notna()]
    empty = len(long) - len(answered)
    return Imported(responses=answered, notes=[_empty(empty)] if empty else [])


def _matrix(table: pd.DataFrame | Sheet) -> tuple[pd.DataFrame, NDArray[Any]]:
    """Return the first column of a matrix, and the responses column by column."""
    import numpy as np
    import pandas as pd

    if not isinstance(table, Sheet):
        first, *across = table.columns
        return table[[first]], np.concatenate([read_rows.responses(table[name]) for name in across])
    cells = {cell for row in table.rows for cell in row[1:]}
    parsed = {cell: read_rows.response(cell) for cell in cells}
    is_numeric = not any(isinstance(value, str) for value in parsed.values())
    values = [[parsed[cell] for cell in row[1:]] for row in table.rows]
    down = pd.DataFrame({table.columns[0]: [row[0] for row in table.rows]}, index=table.lines)
    return down, np.array(values, float if is_numeric else object).T.ravel()


def only_right_and_wrong(table: pd.DataFrame | Sheet) -> bool:
    """Check that all cells outside the first column are 0, 1, empty, or no numbers at all.

    Models down and items across look like models down and tasks across; what tells them apart is
    that a model's score in a task is hardly ever 0 or 1. A table of items down needs no such test:
    its columns are models.
    """
    names = list(table.columns)
    if len(names) < 2 or names[0] not in FIRST or only_item_dates(table):
        return False
    if names[0] == "item":
        # One model's log has a column of its responses, and texts.
        called = {"response", *CALLED}.intersection(name.strip().lower() for name in names)
        return not called and all(map(_hold_mostly_numbers, _cells_by_column(table)[1:]))
    if "score" in names:
        return False
    return all(map(_right_and_wrong, _cells_by_column(table)[1:]))


def _cells_by_column(table: pd.DataFrame | Sheet) -> list[Iterable[object]]:
    """Return the different cells of each column."""
    if isinstance(table, Sheet):
        return list(map(set, zip(*table.rows)))
    return [table[name].unique() for name in table]


def _hold_mostly_numbers(cells: Iterable[object]) -> bool:
    values = [read_rows.response(cell) for cell in cells]
    return columns.are_most(lambda value: isinstance(value, float), values)


def _right_and_wrong(cells: Iterable[object]) -> bool:
    """Return whether the numbers among different cells are 0 and 1, and most are no text."""
    filled = [value for value in map(read_rows.response, cells) if value == value]
    numbers = [value for value in filled if not isinstance(value, str)]
    return len(filled) <= 2 * len(numbers) and set(numbers) <= {0, 1}


def item_dates(table: pd.DataFrame, _choice: Choice, origin: Origin) -> Imported:
    """Read the dates of writing or release of the items."""
    days = [read_rows.day(cell) for cell in table["date"]]
    refuse(
        f"{origin.file}, row {line}, item {item!r}: date {read_rows.text(cell)!r}; expected an ISO "
        "date such as 2026-01-31"
        for line, item, cell, day in zip(
            table.index, table["item"], table["date"], days, strict=True
        )
        if day is None
    )
    names = read_rows.names(table, "item", origin).astype(str)
    refuse(
        f"{origin.file}, row {line}: item {name!r} has a date twice; name each item once"
        for line, name in names[names.duplicated()].items()
    )
    return Imported(item_dates=dict(zip(names, map(str, days))))


def only_item_dates(table: pd.DataFrame | Sheet) -> bool:
    """Return whether a table has the columns item and date, and no other."""
    return sorted(map(str, table.columns)) == ["date", "item"]


# Plain tables of attempts: how often each model solved each item, read as pass@k.

REQUIRED = ("model", "item", "attempts", "correct")


def attempts(table: pd.DataFrame, choice: Choice, origin: Origin) -> Imported:
    """Items as counts of attempts and successes, turned into pass@k."""
    import numpy as np
    import pandas as pd

    k = choice.pass_k
    if k is None:
        raise InputError(Violation(f"{origin.file}: give the k of pass@k with ", Key("pass_k")))
    tried, right = (_counts(table[name]) for name in ("attempts", "correct"))
    lines = table.index.to_numpy()
    allowed = (tried >= k) & (right >= 0) & (right <= tried)
    refuse(
        f"{origin.file}, row {lines[place]}: {table['correct'].iloc[place]} of "
        f"{table['attempts'].iloc[place]} attempts; allowed: at least {k} attempts "
        "(pass_k), at most as many correct, whole numbers"
        for place in np.flatnonzero(~allowed)
    )
    values = pd.Series(pass_at_k(tried, right, k), table.index)
    return Imported(responses=labelled(table, values, origin), **SHARE._asdict())


def pass_at_k(attempts: ArrayLike, correct: ArrayLike, k: int) -> NDArray[np.float64]:
    """Unbiased estimate of each item's pass@k from c successes in n attempts.

    1 - C(n - c, k)/C(n, k), in logarithms so that large n do not overflow (Chen et al. 2021,
    equation 1).
    """
    import numpy as np
    from scipy.special import gammaln

    n, c = np.asarray(attempts, float), np.asarray(correct, float)
    failing = n - c
    enough = failing >= k
    safe = np.where(enough, failing, k)
    log_ratio = gammaln(safe + 1) - gammaln(safe - k + 1) - gammaln(n + 1) + gammaln(n - k + 1)
    return np.where(enough, 1 - np.exp(log_ratio), 1.0)


def _counts(column: pd.Series) -> NDArray[np.float64]:
    """Whole numbers; what is none becomes NaN, which no comparison allows."""
    import numpy as np
    import pandas as pd

    numbers = pd.to_numeric(column.astype(object), errors="coerce").to_numpy(float)
    return np.where(numbers % 1 == 0, numbers, np.nan)


FORMATS = (
    Importer(
        "long_responses",
        "item responses",
        Shape.TABLE,
        long_responses,
        keys=FIRST,
        holds=f"response, or one of {', '.join(CALLED)}",
        tasks=lambda table, _, origin: (
            read_rows.list_tasks(table, "task", origin) if "task" in table else []
        ),
    ),
    Importer(
        "wide_responses",
        "a matrix of item responses",
        Shape.TABLE,
        wide_responses,
        accepts=only_right_and_wrong,
        holds="a first column 'model' or 'item' and further ones, of 0, 1 or nothing if models are "
        "the rows",
        takes_sheets=True,
    ),
    Importer(
        "item_dates",
        "dates of items",
        Shape.TABLE,
        item_dates,
        keys=("item", "date"),
        accepts=only_item_dates,
        holds="no other column",
    ),
    Importer("attempts", "attempts", Shape.TABLE, attempts, keys=REQUIRED),
)
