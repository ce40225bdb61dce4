"""Evaluators of a batch of items: a program that reads and writes lines, or a known tool.

An evaluator takes names of items and gives back 1, 0 or None (not evaluated) for each. Inspect
evaluates by itself and asks a session what comes next.
"""

import contextlib
import importlib
import importlib.metadata
import json
import runpy
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from saturation.adaptive import responses
from saturation.adaptive.fit import FEWEST_RESPONDENTS
from saturation.adaptive.model import MISSING
from saturation.adaptive.responses import Bank, embedded
from saturation.adaptive.session import Session
from saturation.adaptive.short_form import samples
from saturation.errors import InputError, refuse
from saturation.leaderboard.read import registry, tables
from saturation.leaderboard.read.formats import inspect_ai, lm_eval
from saturation.leaderboard.read.rows import Choice, Imported, Origin, Response

# In whose place a model stands that no file names.
UNNAMED = "model"


def answers(paths: Sequence[Path], model: str | None, choice: Choice) -> dict[str, dict[str, int]]:
    """Answers by model and item."""
    rows = pd.concat([_rows(path, model, choice) for path in paths], ignore_index=True)
    right = pd.to_numeric(rows["response"].astype(object), errors="coerce")
    violations = [
        f"{row.where}: item '{row.item}' has the answer '{row.response}'; expected 0 (wrong) or 1 "
        "(right)"
        for row in rows[~right.isin([0, 1])].itertuples()
    ]
    violations += [
        f"{row.where}: item '{row.item}' of model '{row.model}' stands a second time; each may "
        "stand only once"
        for row in rows[rows.duplicated(["model", "item"])].itertuples()
    ]
    refuse(violations)
    rows["right"] = right.astype(int)
    return {
        str(name): dict(zip(part["item"], part["right"].tolist()))
        for name, part in rows.groupby("model", sort=False)
    }


def _rows(path: Path, model: str | None, choice: Choice) -> pd.DataFrame:
    """Read a file's answers, and where each stands."""
    rows = pd.DataFrame(registry.load(Origin(path, model=model), choice).responses)
    if rows.empty:
        raise InputError(
            f"{path}: no answers to single items; give the file that has them (of "
            "lm-evaluation-harness: samples_*.jsonl, from --log_samples)"
        )
    rows["where"] = [
        str(path) if pd.isna(row) else f"{path}, row {int(row)}" for row in rows["row"]
    ]
    return rows.astype({"model": str, "item": str})


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
    graded = answers(paths, None, choice)
    # Absent answers are missing.
    cells = pd.DataFrame.from_dict(graded, orient="index").loc[list(graded)].fillna(MISSING)
    item_bank = Bank(list(graded), list(cells.columns), cells.to_numpy(np.int8))
    item_bank = responses.checked(item_bank, paths[0].name, FEWEST_RESPONDENTS)
    people = responses.list_respondents(item_bank)
    if respondents is not None:
        table = tables.load_frame(respondents).astype(object).replace("", None)
        table = table.reset_index(drop=True)
        people = responses.check_respondents(table, item_bank, str(respondents))
    return paths[0].stem, item_bank, people["family"].tolist()


def choice_of(options: Any) -> Choice:
    """Collect the options that choose among several contents of files."""
    return Choice.select(vars(options))


Answers = Mapping[str, bool | int | None]
Evaluator = Callable[[Sequence[str]], Answers]
# What is called when a batch has been answered.
After = Callable[[Session], None]

# Seconds that a program may take to end once there is nothing more to ask.
_PATIENCE = 60
ALL = Choice()
_INSPECT = "inspect_ai>=0.3.285"


def recorded(given: Mapping[str, int]) -> Evaluator:
    """Answers that are already there."""
    return lambda items: {item: given.get(item) for item in items}


@contextmanager
def program(command: str) -> Iterator[Evaluator]:
    """Start a program that reads a line a batch and answers with a line.

    The line is ``{"items": ["a", "b"]}``, the answer ``{"answers": {"a": 1, "b": 0}}``; null says
    that an item could not be evaluated. The program's input is closed at the end; a program that
    goes on is terminated.
    """
    try:
        running = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
    except (OSError, ValueError, IndexError) as error:
        raise InputError(f"the program '{command}' cannot be started: {error}") from None
    stdin, stdout = running.stdin, running.stdout
    assert stdin is not None
    assert stdout is not None

    def evaluate(items: Sequence[str]) -> Answers:
        # Of a program that has ended, the silence is what is reported.
        with suppress(BrokenPipeError):
            stdin.write(json.dumps({"items": list(items)}) + "\n")
            stdin.flush()
        line = stdout.readline()
        if not line:
            raise InputError(
                f"the program '{command}' ended (code {running.wait(_PATIENCE)}) without an answer "
                f"to {len(items)} items"
            )
        return _answer(line, command)

    try:
        yield evaluate
    except BaseException:
        # A program whose answer is refused may never end by itself.
        running.kill()
        raise
    finally:
        with suppress(BrokenPipeError):
            stdin.close()
        try:
            running.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()
        stdout.close()


def _answer(line: str, command: str) -> dict[str, Any]:
    with suppress(ValueError, LookupError, TypeError):
        replies = json.loads(line)["answers"]
        if isinstance(replies, dict):
            return replies
    raise InputError(
        f"the program '{command}' wrote {line.strip()[:200]!r}; expected one line such as "
        '{"answers": {"ITEM": 1, "OTHER": 0}}'
    )


def harness(command: str, choice: Choice) -> Evaluator:
    """lm-evaluation-harness in this process: its model is loaded once.

    Items are named as the importer names them, ``TASK/DOC_ID`` of any number of tasks, or
    ``DOC_ID`` alone. Options of the command are arguments of ``lm_eval.simple_evaluate``.
    """
    _, settings = _settings(command, "lm_eval", {})
    tool = _package("lm_eval", "simple_evaluate", "lm_eval>=0.4.9")
    folder = settings.pop("include_path", None)
    manager = importlib.import_module("lm_eval.tasks").TaskManager(include_path=folder)
    how = {name: settings.pop(name, None) for name in ("batch_size", "max_batch_size", "device")}
    kind, arguments = settings.pop("model", "hf"), str(settings.pop("model_args", ""))
    misspelt = sorted(set(settings) - set(signature(tool.simple_evaluate).parameters))
    refuse([f"--run: lm_eval.simple_evaluate has no '{name}'; leave it out" for name in misspelt])
    model_class = importlib.import_module("lm_eval.api.registry").get_model(kind)
    model = model_class.create_from_arg_string(arguments, how)
    settings |= {"model": model, "task_manager": manager, "bootstrap_iters": 0, "log_samples": True}

    def evaluate(items: Sequence[str]) -> Answers:
        item_of_key = {item if "/" in item else f"{choice.task}/{item}": item for item in items}
        documents = _documents(item_of_key, choice.task)
        results = tool.simple_evaluate(**{**settings, "tasks": [*documents], "samples": documents})
        logs = (
            lm_eval.samples(enumerate(lines, 1), choice, Origin(Path(task), UNNAMED, task))
            for task, lines in results["samples"].items()
        )
        return {item_of_key[item]: right for log in logs for item, right in _grade(log).items()}

    return evaluate


def _grade(found: Imported) -> dict[str, Any]:
    rows = pd.DataFrame(found.responses, columns=Response._fields)
    return dict(zip(rows["item"].tolist(), rows["response"].tolist()))


def _documents(named: Mapping[str, str], task: str | None) -> dict[str, list[int]]:
    """Numbers of the documents that items are, by task."""
    wrong = [
        f"item '{item}': lm-evaluation-harness numbers the documents of its tasks; name the bank's "
        "items 'TASK/0', 'TASK/1' ... as in its samples, or 0, 1 ... and give --task TASK"
        for name, item in named.items()
        if samples([name]) is None or (name != item and task is None)
    ]
    refuse(wrong)
    return samples([*named]) or {}


def adaptive_task(
    task: Any, session: Session, choice: Choice = ALL, after: After | None = None
) -> Any:
    """Build an Inspect task that runs the samples which a session asks for, batch by batch.

    Inspect asks the session in its own process (``inspect_ai.SampleSource``), so that several such
    tasks can run at once: ``inspect_ai.eval([one, other], model=MODEL, max_tasks=2)``.

    Parameters
    ----------
    task
        An ``inspect_ai.Task``, whose samples are identified by the items' names. Its dataset is
        replaced.
    choice
        Which scorer (`metric`) and which of its values (`filter`) says what is right.
    after
        Called when a batch has been answered, for instance to save the session.

    Raises
    ------
    InputError
        If Inspect is not installed, or the task lacks items of the bank.
    """
    tool = _package("inspect_ai", "SampleSource", _INSPECT)
    there = {}
    for number, sample in enumerate(task.dataset, 1):
        # As Inspect numbers samples without an identifier.
        sample.id = number if sample.id is None else sample.id
        there[str(sample.id)] = sample
    lacking = [item for item in session.names if item not in there]
    if lacking:
        raise InputError(
            f"Inspect: {len(lacking):,} of the bank's {len(session.names):,} items are no samples "
            f"of the task, such as '{lacking[0]}'; items are named by the samples' identifiers, "
            f"such as '{next(iter(there), None)}'"
        )

    async def following() -> list[Any] | None:
        if after is not None:
            after(session)
        return [there[item] for item in session.next_items()] or None

    async def completed(sample: Any) -> None:
        session.answer(str(sample.id), _right(sample, choice))

    async def abandoned(sample: Any, _: int) -> None:
        session.answer(str(sample.id), None)

    source = tool.SampleSource.from_samples(
        [], next_samples=following, sample_complete=completed, sample_abandoned=abandoned
    )
    return tool.task_with(task, dataset=source, epochs=1)


def _right(sample: Any, choice: Choice) -> Any:
    """Check whether a sample is right, as the importer of logs does; None without a score."""
    scores = {name: {"value": score.value} for name, score in (sample.scores or {}).items()}
    if not scores:
        return None
    log = {
        "status": "success",
        "eval": {"task": choice.task, "model": UNNAMED},
        "samples": [{"id": sample.id, "scores": scores}],
    }
    return _grade(inspect_ai.document(log, choice, Origin(Path("Inspect")))).get(str(sample.id))


def inspect(command: str, choice: Choice) -> Callable[[Session, After], None]:
    """Inspect in this process, on the samples which a session asks for.

    The command names a task as ``inspect eval`` does: ``FILE.py``, ``FILE.py@TASK`` or
    ``PACKAGE/TASK``. Its options are arguments of ``inspect_ai.eval``.
    """
    names, settings = _settings(command, "inspect eval", {"T": "task_args", "M": "model_args"})
    if len(names) != 1:
        raise InputError(f"--run: {len(names)} tasks; name one, such as FILE.py@TASK")
    tool = _package("inspect_ai", "SampleSource", _INSPECT)
    task = _task(tool, names[0], settings.pop("task_args", {}))

    def evaluate(session: Session, after: After) -> None:
        asking = adaptive_task(task, session, choice, after)
        for log in tool.eval(asking, **{"display": "none", **settings}):
            if log.status != "success":
                cause = log.error.message if log.error else "no error is logged"
                raise InputError(f"Inspect ended with status '{log.status}': {cause}")

    return evaluate


def _task(tool: Any, name: str, arguments: Mapping[str, Any]) -> Any:
    """Load a task by the name that Inspect's command line takes."""
    file, _, function = name.partition("@")
    path = Path(file)
    with contextlib.chdir(path.parent if path.is_file() else "."):
        if Path(path.name).is_file():
            sys.path.insert(0, str(Path.cwd()))
            tasks = [task.name for task in tool.list_tasks(path.name, root_dir=Path.cwd())]
            names = runpy.run_path(path.name)
        else:
            package, _, function = name.partition("/")
            points = importlib.metadata.entry_points(group="inspect_ai", name=package)
            names = {key: part for point in points for key, part in vars(point.load()).items()}
            tasks = [function] if function in names else []
        if function not in tasks and (function or len(tasks) != 1):
            raise InputError(
                f"--run: '{name}' is not the name of one task (there: {', '.join(tasks)}); "
                "expected FILE.py@TASK or PACKAGE/TASK"
            )
        return names[function or tasks[0]](**arguments)


def _settings(
    command: str, tool: str, groups: Mapping[str, str]
) -> tuple[list[str], dict[str, Any]]:
    """Words of a tool's command line, and its options as arguments: `--log-dir` as `log_dir`.

    Options of a group, such as `-T name=value`, are gathered in a dictionary.
    """
    if not command.startswith(f"{tool} "):
        raise InputError(
            f"--run: '{command}'; expected '{tool} ...', which is run in this process. A program "
            "of your own runs by --through lines"
        )
    words = shlex.split(command.removeprefix(tool))
    plain = []
    settings_by_name: dict[str, Any] = {}
    while words:
        word = words.pop(0)
        if not word.startswith("-"):
            plain.append(word)
            continue
        name, stated, value = word.lstrip("-").partition("=")
        if not stated:
            value = words.pop(0) if words and not words[0].startswith("--") else "true"
        part = settings_by_name
        if name in groups:
            part = settings_by_name.setdefault(groups[name], {})
            name, _, value = value.partition("=")
        part[name.replace("-", "_")] = value
        with suppress(ValueError):
            part[name.replace("-", "_")] = json.loads(value)
    return plain, settings_by_name


def _package(name: str, part: str, source: str) -> Any:
    """Import an optional tool that users install beside this package."""
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        raise InputError(f"{error}: install it beside saturation: pip install '{source}'") from None
    if not hasattr(module, part):
        raise InputError(f"{name} is too old to have {part}: pip install --upgrade '{source}'")
    return module
