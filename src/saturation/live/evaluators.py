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

from saturation.board.importers.rows import Choice
from saturation.errors import InputError
from saturation.live.answers import UNNAMED, answers

Answers = Mapping[str, bool | int | None]
Evaluator = Callable[[Sequence[str]], Answers]

# Seconds that a program may take to end once there is nothing more to ask.
_PATIENCE = 60
# Of what a tool said last, in the message when it fails.
_LINES_SHOWN = 5


def recorded(given: Mapping[str, int]) -> Evaluator:
    """Answers that are already there.

    Parameters
    ----------
    given
        0 or 1 by item; what is missing could not be evaluated.
    """
    return lambda items: {item: given.get(item) for item in items}


@contextmanager
def program(command: str) -> Iterator[Evaluator]:
    """A program that is sent one line a batch and answers with one.

    The line is ``{"items": ["a", "b"]}``, the answer ``{"answers": {"a": 1, "b": 0}}``; null says
    that an item could not be evaluated. The program's input is closed at the end.

    Parameters
    ----------
    command
        Its command line.

    Raises
    ------
    InputError
        If the program cannot be started, ends too early, or answers something else.
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

    Parameters
    ----------
    command
        Its command line without task, documents and output, such as ``lm_eval run --model hf
        --model_args pretrained=MODEL``.
    choice
        The task, and metric and filter where its samples have several.

    Returns
    -------
    Evaluator
        Items are named as the importer names them: ``TASK/DOC_ID``; ``DOC_ID`` alone is understood
        too.

    Raises
    ------
    InputError
        If no task is named, an item has no document's number, or the tool fails.
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
    """Inspect on the chosen samples.

    Parameters
    ----------
    command
        Its command line without samples and logs, such as ``inspect eval task.py --model MODEL``.
    choice
        The scorer as its metric, where a log has several.

    Returns
    -------
    Evaluator
        Items are the samples' identifiers.

    Raises
    ------
    InputError
        If an item cannot stand in a list of identifiers, or the tool fails.
    """

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
