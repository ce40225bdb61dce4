"""Import what evaluation tools wrote about one benchmark into the two tidy tables."""

from pathlib import Path
from typing import Any

from saturation.board import schemas
from saturation.board.importers import reading, tidy
from saturation.board.importers.rows import Choice, Imported, Origin
from saturation.files import checks
from saturation.files.tables import logged, write_csv, write_json

# Families whose direction needs no declaration.
HIGHER = ("accuracy", "pass_at_k", "rating")


def main(
    paths: list[dict[str, Any]], benchmark: str, declared: dict[str, Any], output: dict[str, Path]
) -> None:
    choice = Choice(
        task=declared.get("task"),
        metric=declared.get("metric"),
        filter=declared.get("filter"),
        pass_k=declared.get("pass_k"),
        interval_level=declared.get("interval_level", 0.95),
    )
    imported = [(entry["path"], reading.read(Path(entry["path"]), choice, _origin(entry)))
                for entry in paths]  # fmt: skip
    unit = _unit(declared)
    scores = tidy.scores(benchmark, imported, unit)
    responses = tidy.responses(benchmark, imported, unit)
    tidy.require_errors(scores, responses)
    synthetic = bool(declared.get("synthetic", False))
    for name, frame, schema in (
        ("scores", scores, schemas.SCORES),
        ("responses", responses, schemas.RESPONSES),
    ):
        table = frame.assign(synthetic=synthetic)
        if not table.empty:
            table = checks.validate(table, schema, f"{benchmark}: {name}")
        write_csv(table, output[name])
    write_json(_record(imported, scores, responses), output["record"])


def _origin(entry: dict[str, Any]) -> Origin:
    return Origin(
        file=entry["path"],
        model=entry.get("model"),
        task=entry.get("task"),
        configuration=entry.get("configuration", ""),
        date=entry.get("date"),
    )


def _unit(declared: dict[str, Any]) -> tidy.Unit:
    minimum, maximum = declared.get("score_range") or (None, None)
    higher = declared.get("higher_is_better")
    if higher is None and declared["family"] in HIGHER:
        higher = True
    return tidy.Unit(
        minimum=minimum,
        maximum=maximum,
        higher_is_better=higher,
        bounded=declared["family"] not in ("rating", "other"),
        n_items=declared.get("n_items"),
    )


def _record(imported: list[tuple[str, Imported]], scores: Any, responses: Any) -> dict[str, Any]:
    """What was read and how, for the card's notes."""
    return {
        "files": [
            {
                "file": file,
                "format": one.format,
                "scores": len(one.scores),
                "responses": len(one.responses),
                "notes": one.notes,
            }
            for file, one in imported
        ],
        "scores": len(scores),
        "responses": len(responses),
    }


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            paths=snakemake.params.paths,
            benchmark=snakemake.wildcards.benchmark,
            declared=snakemake.params.declared,
            output={name: Path(path) for name, path in snakemake.output.items()},
        )
