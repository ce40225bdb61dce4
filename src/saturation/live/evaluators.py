"""Who evaluates the items of a batch: a program that reads and writes lines, or a known tool.

Each evaluator takes names of items and gives back 1, 0 or None (not evaluated) for each.
"""

import json
import shlex
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from saturation.adaptive import responses
from saturation.adaptive.fit import FEWEST_RESPONDENTS
from saturation.adaptive.frontier import embedded
from saturation.adaptive.model import MISSING
from saturation.adaptive.responses import Bank
from saturation.errors import InputError, refuse
from saturation.leaderboard.read import registry, tables
from saturation.leaderboard.read.rows import Choice, Origin

# In whose place a model stands that no file names.
UNNAMED = "model"


def answers(paths: Sequence[Path], model: str | None, choice: Choice) -> dict[str, dict[str, int]]:
    """Answers by model and item."""
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
    refuse(wrong)
    return found


def _rows(path: Path, model: str | None, choice: Choice) -> pd.DataFrame:
    imported = registry.read(Origin(path, model=model), choice)
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
    """Name of a bank, the bank, and the family of each of its respondents."""
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
    given = tables.read_parquet(path) if path.suffix == ".parquet" else tables.frame_of_csv(path)
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
    """What the options `--task`, `--metric`, `--filter` and `--columns` choose."""
    columns = dict(options.columns) if options.columns else None
    return Choice(task=options.task, metric=options.metric, filter=options.filter, columns=columns)


Answers = Mapping[str, bool | int | None]
Evaluator = Callable[[Sequence[str]], Answers]

# Seconds that a program may take to end once there is nothing more to ask.
_PATIENCE = 60
# Of what a tool said last, in the message when it fails.
_LINES_SHOWN = 5


def recorded(given: Mapping[str, int]) -> Evaluator:
    """Answers that are already there."""
    return lambda items: {item: given.get(item) for item in items}


@contextmanager
def program(command: str) -> Iterator[Evaluator]:
    """A program that is sent one line a batch and answers with one.

    The line is ``{"items": ["a", "b"]}``, the answer ``{"answers": {"a": 1, "b": 0}}``; null says
    that an item could not be evaluated. The program's input is closed at the end.
    """
    try:
        running = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
    except (OSError, ValueError, IndexError) as error:
        raise InputError(f"the program '{command}' cannot be started: {error}") from None

    def evaluate(items: Sequence[str]) -> Answers:
        assert running.stdin is not None
        assert running.stdout is not None
        # Of a program that has ended, the silence is what is reported.
        with suppress(BrokenPipeError):
            running.stdin.write(json.dumps({"items": list(items)}) + "\n")
            running.stdin.flush()
        line = running.stdout.readline()
        if not line:
            raise InputError(
                f"the program '{command}' ended (code {running.wait(_PATIENCE)}) without an answer "
                f"to {len(items)} items"
            )
        return _answer(line, command)

    try:
        yield evaluate
    finally:
        _ended(running)


def _ended(running: "subprocess.Popen[str]") -> None:
    """Close the program's input and wait for it; one that goes on is ended."""
    assert running.stdin is not None
    assert running.stdout is not None
    with suppress(BrokenPipeError):
        running.stdin.close()
    try:
        running.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        running.kill()
        running.wait()
    running.stdout.close()


def _answer(line: str, command: str) -> dict[str, Any]:
    with suppress(ValueError, LookupError, TypeError):
        given = json.loads(line)["answers"]
        if isinstance(given, dict):
            return given
    raise InputError(
        f"the program '{command}' wrote {line.strip()[:200]!r}; expected one line such as "
        '{"answers": {"ITEM": 1, "OTHER": 0}}'
    )


def harness(command: str, choice: Choice) -> Evaluator:
    """lm-evaluation-harness on the chosen documents of one task.

    Items are named as the importer names them, ``TASK/DOC_ID``, or ``DOC_ID`` alone.
    """
    if choice.task is None:
        raise InputError("--task is missing: the task of lm-evaluation-harness to evaluate")
    task = choice.task

    def evaluate(items: Sequence[str]) -> Answers:
        documents = {_document(item, task): item for item in items}
        with tempfile.TemporaryDirectory() as folder:
            _run(
                [
                    *shlex.split(command),
                    *("--tasks", task, "--samples", json.dumps({task: sorted(documents)})),
                    *("--log_samples", "--output_path", folder),
                ]
            )
            found = _read(folder, "samples_*.jsonl", choice)
        return {documents[_document(item, task)]: right for item, right in found.items()}

    return evaluate


def _document(item: str, task: str) -> int:
    """The number of the document that an item is."""
    number = item.removeprefix(f"{task}/")
    if not number.isdecimal():
        raise InputError(
            f"item '{item}': lm-evaluation-harness numbers its documents; name the bank's items "
            f"'{task}/0', '{task}/1' ... as in its samples"
        )
    return int(number)


def inspect(command: str, choice: Choice) -> Evaluator:
    """Inspect on the chosen samples, whose identifiers are the items' names."""

    def evaluate(items: Sequence[str]) -> Answers:
        wrong = [item for item in items if "," in item]
        if wrong:
            raise InputError(
                f"item '{wrong[0]}': Inspect takes identifiers in a list with commas; rename it"
            )
        with tempfile.TemporaryDirectory() as folder:
            _run(
                [
                    *shlex.split(command),
                    *("--sample-id", ",".join(items), "--log-dir", folder),
                    *("--log-format", "json", "--display", "none"),
                ]
            )
            return _read(folder, "*.json", choice)

    return evaluate


def _run(words: Sequence[str]) -> None:
    """Run a tool to its end; what it said last is in the message if it fails."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    except (OSError, ValueError) as error:
        raise InputError(f"'{words[0]}' cannot be started: {error}") from None
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()[-_LINES_SHOWN:]
        raise InputError(
            [f"'{shlex.join(words)}' failed (code {done.returncode}); it said:", *said]
        )


def _read(folder: str, pattern: str, choice: Choice) -> dict[str, int]:
    """The answers in the logs that a tool wrote."""
    logs = sorted(Path(folder).rglob(pattern))
    if not logs:
        raise InputError("the tool ended without a log; run its command by hand to see why")
    found = answers(logs, UNNAMED, choice)
    return {item: right for own in found.values() for item, right in own.items()}
