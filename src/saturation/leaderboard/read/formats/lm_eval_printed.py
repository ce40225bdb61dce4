"""The tables that lm-evaluation-harness prints: a row a task, filter and metric of a model."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from saturation.leaderboard.read import cells, rows
from saturation.leaderboard.read.cells import Value
from saturation.leaderboard.read.registry import Importer, Shape
from saturation.leaderboard.read.rows import Choice, Imported, Origin, Score
from saturation.leaderboard.read.sheets import Sheet

_FIRST = ("Tasks", "Task", "Groups")
# The harness's first line: hf (pretrained=NAME,...), gen_kwargs: ..., limit: 100.0, ...
_MODEL = re.compile(r"(?:pretrained|\bmodel|engine)=[\"']?([^\s,()\"']+)[^()\n]*")
_LIMIT = re.compile(r"\blimit: (\d+)(?:\.0)?\b")


class Line(NamedTuple):
    """A printed row."""

    model: str
    task: str
    metric: str
    filter: str
    is_part: bool  # of a group
    score: Any
    error: float | None
    row: int
    arrow: str  # towards the better scores


def _match_sheet(sheet: Sheet) -> bool:
    """Return whether a table is one that the harness prints."""
    return {"Metric", "Value"} <= set(sheet.columns) and sheet.columns[0] in _FIRST


def parse(sheets: Sequence[Sheet], choice: Choice, origin: Origin) -> Imported:
    """Read a score of each printed model; a group stands for its parts, unless they are asked."""
    lines = _lines(sheets, origin)
    chosen = _choose_line(lines, choice, origin)
    limit = _LIMIT.search(sheets[0].about)
    facts = rows.bounds_of(chosen.metric + chosen.arrow)
    scores = [
        Score(
            model=line.model,
            score=line.score,
            metric=line.metric,
            task=line.task,
            standard_error=line.error,
            n_items=_n_items(line, int(limit[1]) if limit else None),
            date=origin.date,
            row=line.row,
            **facts._asdict(),
        )
        for line in lines
        if line[1:4] == chosen[1:4]
    ]
    proposed = None
    if chosen.error and 0 < chosen.score < 1 and not all(score.n_items for score in scores):
        n = round(chosen.score * (1 - chosen.score) / chosen.error**2)
        proposed = n, f"the error of '{chosen.task}' is that of about {n:,} right or wrong items"
    others = (other for other in lines[lines.index(chosen) :] if other.task != chosen.task)
    if proposed and next((other.is_part and not chosen.is_part for other in others), False):
        proposed = None, f"'{chosen.task}' is a mean over parts, whose error does not tell it"
    return Imported(scores=scores, n_proposed=proposed)


def _choose_line(lines: Sequence[Line], choice: Choice, origin: Origin) -> Line:
    """Return the row of the wanted task, metric and filter."""
    tasks = [line.task for line in lines if choice.task or not line.is_part]
    task = rows.choose(choice, "task", tasks, origin)
    of_task = [line for line in lines if line.task == task]
    metrics = [line.metric for line in of_task]
    metric = rows.choose(choice, "metric", metrics, origin)
    filters = {line.filter: line for line in of_task if line.metric == metric}
    if len(filters) > 1:
        return filters[rows.choose(choice, "filter", filters, origin)]
    return next(iter(filters.values()))


def _lines(sheets: Sequence[Sheet], origin: Origin) -> list[Line]:
    """Return the printed rows, tasks before groups, and each task of a model once."""
    calls = [(_call(sheet), sheet) for sheet in filter(_match_sheet, sheets)]
    shared = set.intersection(*(set(call.split(",")) for call, _ in calls))
    lines: dict[tuple[str, ...], Line] = {}
    for call, sheet in sorted(calls, key=lambda pair: pair[1].columns[0] == "Groups"):
        model, task, is_part = _name_of_setup(call, shared, origin), "", False
        for number, row in zip(sheet.lines, sheet.rows):
            texts = dict(zip(sheet.columns, map(str, row)))
            if printed := texts[sheet.columns[0]].strip():
                is_part, task = printed.startswith("-"), printed.lstrip("- ").strip()
            line = _line(model, texts, task, is_part, number)
            if line:
                if lines.get(line[:4], line).score != line.score:
                    line = line._replace(task=f"{task} [{texts.get('n-shot')}-shot]")
                lines.setdefault(line[:4], line)
    return list(lines.values())


def _call(sheet: Sheet) -> str:
    """Return the arguments of the last model that is named above a table."""
    above = "\n".join(sheet.about.splitlines()[: min(sheet.lines, default=0)])
    calls = [call[0] for call in _MODEL.finditer(above)]
    return "".join(calls[-1:])


def _name_of_setup(call: str, shared: set[str], origin: Origin) -> str:
    """Return a model's name with the arguments that not all set-ups share."""
    if not (model := origin.model or "".join(_MODEL.findall(call))):
        why = "no line above the table names the model (pretrained=NAME)"
        raise rows.nameless(origin.file, why)
    differing = ", ".join(part for part in call.split(",")[1:] if part not in shared)
    return f"{model} [{differing}]" if differing else model


def _line(model: str, texts: dict[str, str], task: str, is_part: bool, number: int) -> Line | None:
    score = cells.value(texts["Value"])
    if not isinstance(score, Value) or not texts["Metric"]:
        return None
    error = cells.value(texts.get("Stderr", ""))
    return Line(
        model,
        task,
        texts["Metric"],
        texts.get("Filter", ""),
        is_part,
        score.number,
        error.number if isinstance(error, Value) else None,
        number,
        "".join(text for text in texts.values() if text in ("↑", "↓")),
    )


def _n_items(line: Line, limit: int | None) -> int | None:
    """Return the limit where the printed error agrees, else the n that the error leaves."""
    if line.error is None:
        return None
    if limit and 0 < line.score < 1:
        spread = line.score * (1 - line.score)
        errors = {round((spread / (limit - lost)) ** 0.5, 4) for lost in (0, 1) if limit > lost}
        if round(line.error, 4) in errors:
            return limit
    return rows.n_items(line.score, line.error)


def tasks(sheets: Sequence[Sheet], choice: Choice, origin: Origin) -> list[str]:
    """Return the tasks that are no part of a group, if they have the chosen metric."""
    lines = (line for line in _lines(sheets, origin) if not line.is_part)
    return list(dict.fromkeys(line.task for line in lines if choice.metric in (None, line.metric)))


FORMATS = (
    Importer(
        "lm_eval_printed",
        "lm-evaluation-harness's printed table",
        Shape.SHEETS,
        parse,
        accepts=lambda sheets: any(map(_match_sheet, sheets)),
        holds="the columns Tasks, Metric, Value",
        tasks=tasks,
    ),
)
