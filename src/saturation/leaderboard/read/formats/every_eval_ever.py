"""Every Eval Ever: aggregate JSON and ``_samples.jsonl`` (schemas 0.2 and 0.3)."""

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from saturation.errors import InputError
from saturation.leaderboard.read import rows
from saturation.leaderboard.read.registry import Content, Importer, Records, Shape
from saturation.leaderboard.read.rows import Choice, Imported, Origin, Response, Score

UNDERSTOOD = ("0.2", "0.3")
_VERSION = re.compile(r"(?:instance_level_eval_)?v?(\d+\.\d+)")


def aggregate(content: Content, choice: Choice, origin: Origin) -> Imported:
    """Read a score from an aggregate file: the chosen result of several, or the overall result."""
    release = version(content, origin.file)
    results = content["evaluation_results"]
    name = _result_name(results, choice, origin)
    of_name = [result for result in results if result["evaluation_name"] == name]
    configs = [result["metric_config"] for result in of_name]
    metrics = [str(c.get("metric_id") or c.get("metric_name") or name) for c in configs]
    metric = rows.choose(choice, "metric", metrics, origin)
    result = of_name[metrics.index(metric)]
    config, details = result["metric_config"], result["score_details"]
    _require_range(config, origin.file)
    uncertainty = details.get("uncertainty") or {}
    lower_is_better = config.get("lower_is_better")
    score = Score(
        model=origin.model or str(content["model_info"]["id"]),
        score=details["score"],
        metric=metric,
        task=name,
        standard_error=_standard_error(uncertainty, origin.file),
        n_items=uncertainty.get("num_samples"),
        date=origin.date or _date(result.get("evaluation_timestamp"), content),
        minimum=_finite_or_none(config.get("min_score")),
        maximum=_finite_or_none(config.get("max_score")),
        higher_is_better=None if lower_is_better is None else not lower_is_better,
    )
    return Imported(scores=[score], version=release)


def aggregates(numbered: Records, choice: Choice, origin: Origin) -> Imported:
    """Return a score from each line of a file of aggregates."""
    lines = Imported()
    for number, content in numbered:
        line = replace(origin, path=origin.path.with_name(f"{origin.path.name}, line {number}"))
        imported = aggregate(content, choice, line)
        lines.scores += [score._replace(row=number) for score in imported.scores]
        lines.version = imported.version
    return lines


def samples(numbered: Records, choice: Choice, origin: Origin) -> Imported:
    """Return item responses out of an instance-level file; a repeated sample's last line counts."""
    latest: dict[tuple[str, str, str], tuple[int, Any]] = {}
    names: dict[str, None] = {}
    release = ""
    n_lines, binary = 0, True
    for number, sample in numbered:
        release = version(sample, f"{origin.file}, line {number}")
        name = str(sample["evaluation_name"])
        names.setdefault(name)
        task = choice.task
        if task is not None and name != task:
            continue
        evaluation = sample["evaluation"]
        n_lines += 1
        binary &= evaluation.get("is_correct") is not None and evaluation["score"] in (0, 1)
        model = origin.model or str(sample["model_id"])
        latest[model, name, str(sample["sample_id"])] = (number, evaluation["score"])
    rows.choose(choice, "task", names, origin, what="evaluations")
    responses = [
        Response(model, item, score, row=number)
        for (model, _, item), (number, score) in latest.items()
    ]
    imported = Imported(responses=responses, version=release)
    if binary:
        imported = replace(imported, **rows.SHARE._asdict())
    if n_lines > len(latest):
        imported.notes.append(f"{n_lines - len(latest)} repeated lines: the last one was taken")
    return imported


def version(content: Content, file: str) -> str:
    """Return schema version as ``major.minor``."""
    stated = str(content.get("schema_version", ""))
    match = _VERSION.match(stated)
    if match is None or match[1] not in UNDERSTOOD:
        raise InputError(
            f"{file}: schema version '{stated}' of Every Eval Ever is not understood; "
            f"understood: {', '.join(UNDERSTOOD)}"
        )
    return match[1]


def _result_name(results: list[Content], choice: Choice, origin: Origin) -> str:
    """Name the wanted result; without a choice the only result, or the overall result."""
    names = sorted({str(result["evaluation_name"]) for result in results})
    overall = [name for name in names if re.split(r"[./ _-]", name.lower())[-1] == "overall"]
    if choice.task is None and len(overall) == 1:
        return overall[0]
    return rows.choose(choice, "task", names, origin, what="evaluations")


def _require_range(config: Content, file: str) -> None:
    low, high = (config.get(name) for name in ("min_score", "max_score"))
    if low is None or high is None or float(low) < float(high):
        return
    raise InputError(
        f"{file}: min_score {low} is not below max_score {high}; correct the metric's range"
    )


def _standard_error(uncertainty: Content, file: str) -> float | None:
    """Return the stated standard error, else the error from deviation and n or an interval."""
    error = uncertainty.get("standard_error")
    if isinstance(error, Mapping):
        error = error.get("value")
    interval = uncertainty.get("confidence_interval") or {}
    level = interval.get("confidence_level")
    if level is not None and not 0 < float(level) < 1:
        raise InputError(
            f"{file}: confidence_level {level}; expected a share between 0 and 1, such as 0.95"
        )
    return rows.standard_error(
        error=rows.float_of(error),
        deviation=rows.float_of(uncertainty.get("standard_deviation")),
        n=rows.float_of(uncertainty.get("num_samples")),
        interval=(float(interval["lower"]), float(interval["upper"])) if level else None,
        level=level,
    )


def _finite_or_none(value: Any) -> float | None:
    """Return a finite number; infinities may come as the words that JSON has none for."""
    number = rows.float_of(value)
    return number if number is not None and math.isfinite(number) else None


def _date(stamp: Any, content: Content) -> str | None:
    """Return date of the evaluation, else of its retrieval; Unix seconds or ISO, as text."""
    for value in (stamp, content.get("evaluation_timestamp"), content.get("retrieved_timestamp")):
        if value in (None, ""):
            continue
        try:
            return rows.utc_date(float(value))
        except ValueError:
            return str(value)
    return None


FORMATS = (
    Importer(
        "every_eval_ever",
        "Every Eval Ever aggregate",
        Shape.DOCUMENT,
        aggregate,
        keys=("evaluation_results",),
        tasks=lambda content, *_: sorted(
            {str(result["evaluation_name"]) for result in content["evaluation_results"]}
        ),
    ),
    Importer(
        "every_eval_ever_lines",
        "Every Eval Ever aggregates",
        Shape.LINES,
        aggregates,
        keys=("evaluation_results",),
    ),
    Importer(
        "every_eval_ever_samples",
        "Every Eval Ever samples",
        Shape.LINES,
        samples,
        keys=("sample_id", "evaluation", "schema_version"),
    ),
)
