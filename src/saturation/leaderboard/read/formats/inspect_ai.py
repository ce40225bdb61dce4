"""Inspect: logs as ``.eval`` archives and as JSON."""

from collections.abc import Iterable, Mapping
from typing import Any

from saturation.errors import InputError
from saturation.leaderboard.read import rows
from saturation.leaderboard.read.open import INSPECT_HEADER, Archive
from saturation.leaderboard.read.registry import Content, Importer, Shape
from saturation.leaderboard.read.rows import Choice, Imported, Origin, Response, Score

# What Inspect's scorers write for correct, incorrect, partly correct and no answer.
LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
# Metrics of a log whose scores are proportions.
PROPORTIONS = ("accuracy", "mean")
HEADER, SUMMARIES = INSPECT_HEADER, "summaries.json"


def archive(log: Archive, choice: Choice, origin: Origin) -> Imported:
    """Return item responses out of an ``.eval`` log."""
    if SUMMARIES in log.names:
        samples = log.json(SUMMARIES)
    else:
        samples = [log.json(name) for name in log.names if name.startswith("samples/")]
    return _imported(log.json(HEADER), samples, choice, origin)


def document(content: Content, choice: Choice, origin: Origin) -> Imported:
    """Return item responses from a log, or the aggregate score of a log without samples.

    Epochs, which repeat a sample, become runs. Samples that have no score are left out, with a
    note.
    """
    return _imported(content, content.get("samples") or [], choice, origin)


def _imported(
    header: Content, samples: Iterable[Content], choice: Choice, origin: Origin
) -> Imported:
    evaluated = header["eval"]
    if choice.task is not None:
        rows.choose(choice, "task", [str(evaluated["task"])], origin)
    # A log that was written on after a retry lists a sample again: the last one counts.
    samples = list({(sample["id"], sample.get("epoch", 1)): sample for sample in samples}.values())
    scored = [sample for sample in samples if sample.get("scores")]
    if not scored:
        return _aggregate(header, choice, origin)
    scorers = {str(name) for sample in scored for name in sample["scores"]}
    scorer = rows.choose(choice, "metric", scorers, origin, what="scorers")
    model, date = origin.model or str(evaluated["model"]), _date(header, origin)
    repeated = len({sample.get("epoch", 1) for sample in scored}) > 1
    responses = [
        Response(
            model=model,
            item=str(sample["id"]),
            response=_value(sample["scores"][scorer]["value"], choice, origin),
            run=f"epoch {sample['epoch']}" if repeated else "",
            date=date,
            choice=rows.option(sample["scores"][scorer].get("answer")),
        )
        for sample in scored
        if _got_score(sample, scorer)
    ]
    notes = _notes(header, len(samples) - len(responses))
    log = Imported(responses=responses, notes=notes, status=str(header.get("status")))
    metrics = {name for score in _scores(header) for name in score["metrics"]}
    if metrics & set(PROPORTIONS) and all(row.response in (0, 0.5, 1) for row in responses):
        log.minimum, log.maximum = 0.0, 1.0
    log.higher_is_better = True if "accuracy" in metrics else None
    return log


def _aggregate(header: Content, choice: Choice, origin: Origin) -> Imported:
    """Return the log's own metric of its own scorer."""
    scores = _scores(header)
    if not scores:
        raise InputError(
            f"{origin.file}: the log (status '{header.get('status')}') holds no scores; run the "
            "evaluation to its end, or score it"
        )
    metrics = {
        f"{score['name']}/{metric}": (score, metric)
        for score in scores
        for metric in score["metrics"]
        if metric not in ("stderr", "std")
    }
    score, metric = metrics[rows.choose(choice, "metric", metrics, origin)]
    stated = score["metrics"].get("stderr") or {}
    results = header["results"]
    return Imported(
        scores=[
            Score(
                model=origin.model or str(header["eval"]["model"]),
                score=score["metrics"][metric]["value"],
                metric=metric,
                task=str(header["eval"]["task"]),
                standard_error=stated.get("value"),
                n_items=score.get("scored_samples") or results.get("completed_samples"),
                date=_date(header, origin),
                **(rows.SHARE if metric == "accuracy" else rows.UNKNOWN)._asdict(),
            )
        ],
        notes=_notes(header, 0),
    )


def _scores(header: Content) -> list[Content]:
    return list((header.get("results") or {}).get("scores") or [])


def _value(value: Any, choice: Choice, origin: Origin) -> Any:
    """Return a score as a number, where the score is a word or letter that scorers write."""
    if isinstance(value, Mapping):
        value = value[rows.choose(choice, "filter", value, origin, what="values")]
    if isinstance(value, bool):
        return float(value)
    return LETTERS.get(value, value) if isinstance(value, str) else value


def _got_score(sample: Content, scorer: str) -> bool:
    """Return whether a scorer gave a sample a value: NaN stands for a sample not scored."""
    value = sample["scores"].get(scorer, {}).get("value")
    return value is not None and value == value


def _notes(header: Content, left_out: int) -> list[str]:
    status = header.get("status")
    notes = [] if status == "success" else [f"the log's status is '{status}': it may lack samples"]
    return notes + ([f"{left_out} samples without a score were left out"] if left_out else [])


def _date(header: Content, origin: Origin) -> str | None:
    created = header["eval"].get("created")
    return origin.date or (None if created is None else str(created))


FORMATS = (
    Importer(
        "inspect_json",
        "Inspect log",
        Shape.DOCUMENT,
        document,
        keys=("version", "status", "eval"),
        accepts=lambda content: (
            isinstance(content["eval"], Mapping) and {"task", "model"} <= set(content["eval"])
        ),
        holds="task and model under 'eval'",
    ),
    Importer("inspect_eval", "Inspect .eval log", Shape.ARCHIVE, archive, keys=(HEADER,)),
)
