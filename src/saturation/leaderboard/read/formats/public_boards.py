"""Item responses as the makers of public boards release them: Epoch AI, LiveBench, MMLU-Pro."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from saturation.errors import InputError
from saturation.leaderboard.read import rows as read_rows
from saturation.leaderboard.read.formats.plain import labelled
from saturation.leaderboard.read.registry import Importer, Records, Shape
from saturation.leaderboard.read.rows import SHARE, Choice, Imported, Origin, Response, choose

if TYPE_CHECKING:
    import pandas as pd


EPOCH = ("model", "sample_id", "score", "benchmark", "run_id")
LIVEBENCH = ("question_id", "task", "model", "score", "turn", "tstamp", "category")
MMLU_PRO = ("question_id", "category", "answer", "pred")
_OUTPUTS = re.compile(r"model_outputs_(?P<model>.+?)(_\d+shots?)?\.json")


def epoch(table: pd.DataFrame, choice: Choice, origin: Origin) -> Imported:
    """One benchmark of Epoch AI's runs; a score is the share right of a run's repetitions."""
    present = set(map(read_rows.text, table["benchmark"])) - {""}
    task = choose(choice, "task", present, origin, what="benchmarks")
    rows = table[table["benchmark"].astype(str) == task]
    keys = rows[["model", "sample_id", "run_id"]].set_axis(["model", "item", "run"], axis=1)
    responses = labelled(keys, read_rows.responses(rows["score"]), origin)
    return Imported(responses=responses, **SHARE._asdict())


def livebench(table: pd.DataFrame, choice: Choice, origin: Origin) -> Imported:
    """LiveBench's judgments: repeated judgments of a question are runs in the order of time."""
    import pandas as pd

    if choice.task:
        task = choose(choice, "task", set(map(read_rows.text, table["task"])) - {""}, origin)
        table = table[table["task"].astype(str) == task]
    time = read_rows.responses(table["tstamp"])
    judged = pd.DataFrame(
        {
            "model": table["model"],
            "item": table["question_id"],
            "day": pd.to_datetime(time.astype(float), unit="s").dt.strftime("%Y-%m-%d"),
        }
    ).loc[time.sort_values(kind="stable").index]
    run = judged.groupby(["model", "item"]).cumcount() + 1
    judged["run"] = run.astype(str)
    judged["date"] = judged.groupby(["model", "run"])["day"].transform("last")
    judged = judged.reindex(table.index)
    notes = []
    if repeats := int((run > 1).sum()):
        notes.append(f"{repeats} further judgments of a question count as repeated runs")
    responses = labelled(judged, read_rows.responses(table["score"]), origin)
    return Imported(responses=responses, notes=notes, **SHARE._asdict())


def mmlu_pro(records: Records, choice: Choice, origin: Origin) -> Imported:
    """Return a model's answers to MMLU-Pro; an answer without an option counts as wrong."""
    match = _OUTPUTS.search(origin.path.name.replace(".zip", ".json"))
    model = origin.model or (match and match["model"])
    if not model:
        why = "the file names no model, and its name is not model_outputs_MODEL_5shots.json"
        raise read_rows.nameless(origin.file, why)
    present, silent = set(), 0
    responses = []
    for number, record in records:
        present.add(str(record["category"]))
        if choice.task not in (None, record["category"]):
            continue
        if record["answer"] is None:
            raise InputError(
                f"{origin.file}, element {number}: the question has no answer to compare with; "
                "leave it out"
            )
        silent += record["pred"] is None
        responses.append(
            Response(
                model,
                str(record["question_id"]),
                float(record["pred"] == record["answer"]),
                row=number,
                choice=read_rows.option(record["pred"]),
            )
        )
    if choice.task is not None:
        choose(choice, "task", present, origin, what="categories")
    notes = [f"{silent} answers name no option and count as wrong"] if silent else []
    return Imported(responses=responses, notes=notes, **SHARE._asdict())


FORMATS = (
    Importer(
        "epoch_runs",
        "Epoch AI's runs",
        Shape.TABLE,
        epoch,
        keys=EPOCH,
        tasks=lambda table, _, origin: read_rows.list_tasks(table, "benchmark", origin),
    ),
    Importer(
        "livebench_judgments",
        "LiveBench's judgments",
        Shape.TABLE,
        livebench,
        keys=LIVEBENCH,
        tasks=lambda table, _, origin: read_rows.list_tasks(table, "task", origin),
    ),
    Importer(
        "mmlu_pro_outputs",
        "MMLU-Pro's model outputs",
        Shape.LIST,
        mmlu_pro,
        keys=MMLU_PRO,
        tasks=lambda records, *_: sorted({str(record["category"]) for _, record in records}),
    ),
)
