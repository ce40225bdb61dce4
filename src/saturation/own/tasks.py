"""One entry of the config, a card for each task of its files: names derived, and checked."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from saturation.board.importers import reading
from saturation.board.importers.rows import Origin
from saturation.errors import InputError
from saturation.own.derived import hyphenated
from saturation.own.imports import choice_of

KEY = "each_task"


def each(
    benchmark: str, files: Sequence[Mapping[str, Any]], declared: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """A benchmark's entry for every task of its files, with the files that hold the task.

    Parameters
    ----------
    benchmark
        Name of the entry; those of its tasks are ``BENCHMARK-TASK``.
    files
        One mapping a file: ``path`` and what the file does not say.
    declared
        The entry.

    Returns
    -------
    dict
        Entries by name, in the order of the tasks' names.

    Raises
    ------
    InputError
        If a file cannot be read or holds no tasks, or two tasks would have one name.
    """
    choice = choice_of({**declared, "task": None})
    holding: dict[str, list[dict[str, Any]]] = {}
    for entry in files:
        tasks = reading.tasks(Origin(**{**entry, "path": Path(entry["path"])}), choice)
        if not tasks:
            raise InputError(
                f"{entry['path']}: the file holds no tasks to choose from; leave out the key "
                f"'{KEY}' of own.benchmarks.{benchmark}"
            )
        for task in tasks:
            holding.setdefault(task, []).append(dict(entry))
    common = {key: value for key, value in declared.items() if key != KEY}
    entries: dict[str, dict[str, Any]] = {}
    tasks_of: dict[str, str] = {}
    for task in sorted(holding):
        name = f"{benchmark}-{hyphenated(task).strip('-')}"
        other = tasks_of.setdefault(name.lower(), task)
        if other != task:
            raise InputError(
                f"config: own.benchmarks.{benchmark}: the tasks '{other}' and '{task}' would both "
                f"be called '{name}'; give each a benchmark of its own with the key 'task'"
            )
        entries[name] = {**common, "task": task, "files": holding[task]}
    return entries
