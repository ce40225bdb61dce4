"""Write one benchmark's saturation card: JSON, page, Markdown, badge and one-line summary."""

import json
from pathlib import Path
from typing import Any

import pandas as pd

from saturation import seeds
from saturation.board.leaders import Settings as LeaderSettings
from saturation.discriminability.projection import Demands
from saturation.discriminability.retirement import Thresholds
from saturation.errors import InputError
from saturation.files.tables import logged, read_table, write_json, write_json_line, write_text
from saturation.own import card, card_pages, course, items
from saturation.statistics import standard_errors

UNBOUNDED = ("rating", "other")
TEXT = dict.fromkeys(("model", "item", "cluster", "run", "configuration", "date"), str)


def main(
    tables: dict[str, Path],
    templates: dict[str, Path],
    output: dict[str, Path],
    *,
    benchmark: str,
    declared: dict[str, Any],
    own: dict[str, Any],
    plateau: dict[str, Any],
    discriminability: dict[str, Any],
    seed: int,
) -> None:
    scores = read_table(tables["scores"], dtype=TEXT)
    responses = read_table(tables["responses"], dtype=TEXT)
    for name in ("run", "configuration", "cluster"):
        for frame in (scores, responses):
            if name in frame:
                frame[name] = frame[name].fillna("")
    settings = _settings(own, plateau, discriminability["retirement"]["bdi_decline"])
    family = declared["family"]
    result = card.assemble(
        benchmark, scores, responses, family, settings, seeds.generator(seed, "own", benchmark)
    )
    result |= {
        "observed_on": _observed_on(scores, declared, benchmark),
        "released": declared.get("released"),
        "synthetic": bool(declared.get("synthetic", False)),
        "history": _history(scores, benchmark, family, own, discriminability, seed),
    } | _items(responses, own["level"])
    if result["frontier"]:
        result |= card.judge(
            result["frontier"], result["history"], family not in UNBOUNDED, settings
        )
    record = json.loads(tables["record"].read_text(encoding="utf-8"))
    notes = _notes(record)
    write_json({**result, "import": record}, output["json"])
    text = {name: path.read_text(encoding="utf-8") for name, path in templates.items()}
    write_text(card_pages.card_html(result, notes, text["html"]), output["html"])
    write_text(card_pages.card_markdown(result, notes, text["markdown"]), output["markdown"])
    write_text(card_pages.badge(result, text["badge"]), output["badge"])
    write_json_line(card.summary_line(result), output["summary"])


def _settings(own: dict[str, Any], plateau: dict[str, Any], decline: float) -> card.Settings:
    return card.Settings(
        frontier=LeaderSettings(
            k=plateau["k"],
            alpha=plateau["alpha"],
            epsilon=plateau["epsilon"],
            edges=tuple(plateau["bin_edges"]),
            saturated_from=plateau["saturated_from"],
            level=own["level"],
            power=own["power"],
            compared=own["models_compared"],
            resamples=plateau["resamples"],
            k_grid=tuple(plateau["sensitivity"]["k"]),
            alpha_grid=tuple(plateau["sensitivity"]["alpha"][::5]),
        ),
        ceiling=plateau["ceiling"],
        weakening_from=own["weakening_from"],
        meaningful_difference=own["meaningful_difference"],
        resolvable_factor=own["resolvable_factor"],
        decline=decline,
    )


def _notes(record: dict[str, Any]) -> list[str]:
    """The importers' remarks; one that many files share is said once."""
    by_note: dict[str, list[str]] = {}
    for one in record["files"]:
        for note in one["notes"]:
            by_note.setdefault(note, []).append(one["file"])
    return [
        f"{names[0] if len(names) == 1 else f'{len(names)} files'}: {note}"
        for note, names in by_note.items()
    ]


def _observed_on(scores: pd.DataFrame, declared: dict[str, Any], benchmark: str) -> str:
    if declared.get("observed_on"):
        return str(declared["observed_on"])
    dates = scores["date"].dropna()
    if dates.empty:
        raise InputError(
            f"benchmark '{benchmark}': the files give no date, and a card needs one; "
            "declare it with the key 'observed_on'"
        )
    return str(dates.max())


def _history(
    scores: pd.DataFrame,
    benchmark: str,
    family: str,
    own: dict[str, Any],
    discriminability: dict[str, Any],
    seed: int,
) -> dict[str, Any]:
    if family in UNBOUNDED:
        return {"abstains": "the metric has no lowest and highest score"}
    settings = course.Settings(
        bins=discriminability["bins"],
        min_models=discriminability["min_models"],
        level=own["level"],
        resamples=discriminability["resamples"],
        demands=Demands(**discriminability["growth"]),
        thresholds=Thresholds(**discriminability["retirement"]),
    )
    rng = seeds.generator(seed, "own", benchmark, "history")
    return course.history(scores, benchmark, settings, rng)


def _items(responses: pd.DataFrame, level: float) -> dict[str, Any]:
    """What the item responses say; over runs and configurations the first answer of a model."""
    first = responses.drop_duplicates(["model", "item"])
    matrix, _ = standard_errors.item_matrix(first)
    return {
        "items": items.measurement(matrix, level),
        "consistency": items.consistency(responses),
    }


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            tables={
                name: Path(snakemake.input[name]) for name in ("scores", "responses", "record")
            },
            templates={name: Path(snakemake.input[name]) for name in ("html", "markdown", "badge")},
            output={name: Path(path) for name, path in snakemake.output.items()},
            benchmark=snakemake.wildcards.benchmark,
            **snakemake.params,
        )
