"""Write one benchmark's saturation card: JSON, page, Markdown, badge and one-line summary."""

import json
from typing import Any

from saturation.board import schemas
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_json, write_json_line, write_text
from saturation.own import card_pages, export, outlook
from saturation.own.card import summary_line
from saturation.own.content import content
from saturation.own.settings import from_config


def main(
    inputs: Paths,
    output: Paths,
    *,
    benchmark: str,
    declared: dict[str, Any],
    cards: dict[str, Any],
    plateau: dict[str, Any],
    discriminability: dict[str, Any],
    seed: int,
) -> None:
    scores, responses = (
        stages.read(inputs[name], schema, dtype=schemas.text_columns(schema))
        for name, schema in (("scores", schemas.SCORES), ("responses", schemas.RESPONSES))
    )
    record = json.loads(inputs["record"].read_text(encoding="utf-8"))
    settings = from_config(cards, plateau, discriminability)
    card = content(benchmark, scores, responses, record, declared, settings)
    lessons = outlook.lessons(inputs["shared"], inputs["accuracy"])
    card["outlook"] = outlook.forecast(scores, card, settings.card.frontier, lessons, seed)
    write_json(card, output["json"])
    pages = ("html", "markdown", "badge")
    templates = {name: inputs[name].read_text(encoding="utf-8") for name in pages}
    for name, text in card_pages.card_pages(card, templates).items():
        write_text(text, output[name])
    write_json_line(summary_line(card), output["summary"])
    write_text(export.lines(card), output["export"])


stages.run(main, globals())
