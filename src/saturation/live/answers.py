"""Right and wrong answers out of files, in any format that the importers read."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from saturation.adaptive import responses
from saturation.adaptive.embedded import embedded
from saturation.adaptive.fit import FEWEST_RESPONDENTS
from saturation.adaptive.model import MISSING
from saturation.adaptive.responses import Bank
from saturation.board.importers import reading, tabular
from saturation.board.importers.rows import Choice, Origin
from saturation.errors import InputError, shortened

# In whose place a model stands that no file names.
UNNAMED = "model"


def answers(paths: Sequence[Path], model: str | None, choice: Choice) -> dict[str, dict[str, int]]:
    """Answers by model and item.

    Parameters
    ----------
    paths
        Files that the importers read: tables, logs of lm-evaluation-harness, of Inspect and others.
    model
        What the answers belong to, where a file does not say it.
    choice
        What to take out of files that hold more than one thing.

    Raises
    ------
    InputError
        If a file cannot be read or holds no items' answers, an answer is neither 0 nor 1, or a
        model's answer to an item stands twice.
    """
    found: dict[str, dict[str, int]] = {}
    wrong: list[str] = []
    for path in paths:
        rows = _rows(path, model, choice)
        right = pd.to_numeric(rows["response"].astype(object), errors="coerce").to_numpy(float)
        for number, (name, item) in enumerate(zip(rows["model"], rows["item"], strict=True)):
            row = rows["row"].iloc[number]
            where = str(path) if pd.isna(row) else f"{path}, row {int(row)}"
            given = found.setdefault(str(name), {})
            if right[number] not in (0.0, 1.0):
                wrong.append(
                    f"{where}: item '{item}' has the answer '{rows['response'].iloc[number]}'; "
                    "expected 0 (wrong) or 1 (right)"
                )
            elif str(item) in given:
                wrong.append(
                    f"{where}: item '{item}' of model '{name}' stands a second time; each may "
                    "stand only once"
                )
            else:
                given[str(item)] = int(right[number])
    if wrong:
        raise InputError(shortened(wrong))
    return found


def _rows(path: Path, model: str | None, choice: Choice) -> pd.DataFrame:
    imported = reading.read(Origin(path, model=model), choice)
    rows = pd.DataFrame(imported.responses)
    if rows.empty:
        raise InputError(
            f"{path}: no answers to single items; give the file that has them (of "
            "lm-evaluation-harness: samples_*.jsonl, from --log_samples)"
        )
    return rows


def bank(
    source: Sequence[str], respondents: Path | None, choice: Choice
) -> tuple[str, Bank, list[str]]:
    """A bank and the family of each of its respondents.

    Parameters
    ----------
    source
        The name of an embedded board, or files with the answers of the models.
    respondents
        Table of the models of these files, as `docs/adaptive.md` says; None takes each for a
        family of its own.
    choice
        What to take out of files that hold more than one thing.

    Returns
    -------
    tuple
        Name, bank, and one family a respondent.

    Raises
    ------
    InputError
        If there is neither such a board nor such a file, or they make no bank.
    """
    if len(source) == 1 and not Path(source[0]).exists():
        if Path(source[0]).suffix:
            raise InputError(f"{source[0]}: the file does not exist")
        board = embedded(source[0])
        return source[0], board.bank, board.respondents["family"].tolist()
    paths = [Path(path) for path in source]
    given = _filled(answers(paths, None, choice), paths[0].name)
    people = responses.own_respondents(given)
    if respondents is not None:
        people = responses.check_respondents(_table(respondents), given, str(respondents))
    return paths[0].stem, given, people["family"].tolist()


def _table(path: Path) -> pd.DataFrame:
    """A table that may be written in every way in which tables of answers may."""
    given = tabular.read_parquet(path) if path.suffix == ".parquet" else tabular.read_csv(path)
    return given.astype(object).replace("", None).reset_index(drop=True)


def _filled(given: dict[str, dict[str, int]], file: str) -> Bank:
    """The matrix of the answers; what is not there is missing."""
    items = list(dict.fromkeys(item for row in given.values() for item in row))
    number = {item: place for place, item in enumerate(items)}
    cells = np.full((len(given), len(items)), MISSING, dtype=np.int8)
    for row, own in enumerate(given.values()):
        cells[row, [number[item] for item in own]] = list(own.values())
    return responses.checked(Bank(list(given), items, cells), file, FEWEST_RESPONDENTS)


def choice_of(options: Any) -> Choice:
    """What the options `--task`, `--metric`, `--filter` and `--columns` choose.

    Parameters
    ----------
    options
        The parsed command line.
    """
    columns = dict(options.columns) if options.columns else None
    return Choice(task=options.task, metric=options.metric, filter=options.filter, columns=columns)
