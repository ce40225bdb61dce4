"""Every Eval Ever: aggregate JSON and ``_samples.jsonl`` (schemas 0.2 and 0.3)."""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from saturation.board.importers.choosing import choose
from saturation.board.importers.rows import Choice, Imported, Origin, Response, Score
from saturation.errors import InputError

Content = Mapping[str, Any]

UNDERSTOOD = ("0.2", "0.3")
_VERSION = re.compile(r"(?:instance_level_eval_)?v?(\d+\.\d+)")


def aggregate(content: Content, choice: Choice, origin: Origin) -> Imported:
    """One score out of an aggregate file: of several results the overall one, or the chosen one.

    Raises
    ------
    InputError
        For a schema version that is not understood, several results without an overall one, or a
        result without its required parts.
    """
    release = version(content, origin.file)
    found = content["evaluation_results"]
    name = _result_name(found, origin.task or choice.task, origin.file)
    named = [result for result in found if result["evaluation_name"] == name]
    metrics = [_metric_name(result) for result in named]
    metric = choose(choice.metric, metrics, "metrics", "metric", origin.file)
    result = named[metrics.index(metric)]
    config, details = result["metric_config"], result["score_details"]
    uncertainty = details.get("uncertainty") or {}
    lower_is_better = config.get("lower_is_better")
    score = Score(
        model=origin.model or str(content["model_info"]["id"]),
        score=_number(details["score"]),
        metric=metric,
        task=name,
        standard_error=_standard_error(uncertainty),
        n_items=uncertainty.get("num_samples"),
        configuration=origin.configuration,
        date=origin.date or _date(result.get("evaluation_timestamp"), content),
        minimum=_finite_or_none(config.get("min_score")),
        maximum=_finite_or_none(config.get("max_score")),
        higher_is_better=None if lower_is_better is None else not lower_is_better,
    )
    return Imported("every_eval_ever", scores=[score], version=release)


def samples(
    numbered: Iterable[tuple[int, Content]], choice: Choice, origin: Origin, release: str
) -> Imported:
    """Item responses out of an instance-level file; a repeated sample's last line counts."""
    latest: dict[tuple[str, str, str], tuple[int, Any]] = {}
    names: dict[str, None] = {}
    read, binary = 0, True
    for number, sample in numbered:
        if version(sample, f"{origin.file}, line {number}") != release:
            raise InputError(
                f"{origin.file}, line {number}: schema version {sample['schema_version']} in a "
                f"file that begins with {release}; convert all lines to one version"
            )
        name = str(sample["evaluation_name"])
        names.setdefault(name)
        wanted = origin.task or choice.task
        if wanted is not None and name != wanted:
            continue
        judged = sample["evaluation"]
        read += 1
        binary &= judged.get("is_correct") is not None and judged["score"] in (0, 1)
        model = origin.model or str(sample["model_id"])
        latest[model, name, str(sample["sample_id"])] = (number, judged["score"])
    choose(origin.task or choice.task, names, "evaluations", "task", origin.file)
    responses = [
        Response(model, item, _number(score), configuration=origin.configuration, row=number)
        for (model, _, item), (number, score) in latest.items()
    ]
    imported = Imported("every_eval_ever_samples", responses=responses, version=release)
    if binary:
        imported.minimum, imported.maximum, imported.higher_is_better = 0.0, 1.0, True
    if read > len(latest):
        imported.notes.append(f"{read - len(latest)} repeated lines: the last one was taken")
    return imported


def version(content: Content, file: str) -> str:
    """Schema version as ``major.minor``.

    Raises
    ------
    InputError
        If it is not one of `UNDERSTOOD`.
    """
    given = str(content.get("schema_version", ""))
    match = _VERSION.match(given)
    if match is None or match[1] not in UNDERSTOOD:
        raise InputError(
            f"{file}: schema version '{given}' of Every Eval Ever is not understood; "
            f"understood: {', '.join(UNDERSTOOD)}"
        )
    return match[1]


def _result_name(found: list[Content], wanted: str | None, file: str) -> str:
    """The wanted result; without a wish the only one, or the one that stands for all the others."""
    names = sorted({str(result["evaluation_name"]) for result in found})
    overall = [name for name in names if re.split(r"[./ _-]", name.lower())[-1] == "overall"]
    if wanted is None and len(overall) == 1:
        return overall[0]
    return choose(wanted, names, "evaluations", "task", file)


def _metric_name(result: Content) -> str:
    config = result["metric_config"]
    return str(config.get("metric_id") or config.get("metric_name") or result["evaluation_name"])


def _standard_error(uncertainty: Content) -> float | None:
    """The stated standard error, else the deviation of the samples over the root of their number.

    A confidence interval is used only with its level.
    """
    from scipy.stats import norm

    stated = uncertainty.get("standard_error")
    if isinstance(stated, Mapping):
        stated = stated.get("value")
    if stated is not None:
        return _number(stated)
    deviation, n = uncertainty.get("standard_deviation"), uncertainty.get("num_samples")
    if deviation is not None and n:
        return _number(deviation) / float(n) ** 0.5
    interval = uncertainty.get("confidence_interval") or {}
    if interval.get("confidence_level"):
        width = _number(interval["upper"]) - _number(interval["lower"])
        return width / (2 * float(norm.ppf(0.5 + interval["confidence_level"] / 2)))
    return None


def _number(value: Any) -> float:
    """Infinities may come as the strings that JSON itself has no word for."""
    return float(value)


def _finite_or_none(value: Any) -> float | None:
    number = None if value is None else _number(value)
    return None if number is None or abs(number) == float("inf") else number


def _date(stamp: Any, content: Content) -> str | None:
    """Date of the evaluation, else of its retrieval; Unix seconds or ISO, as text."""
    for value in (stamp, content.get("evaluation_timestamp"), content.get("retrieved_timestamp")):
        if value in (None, ""):
            continue
        try:
            return datetime.fromtimestamp(float(value), UTC).date().isoformat()
        except ValueError:
            return str(value)[:10]
    return None
