"""Write the dashboard: light pages that hold their data, copies of the tables, and what draws."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import vl_convert

from saturation.files.tables import write_text
from saturation.own.cards import decode_card
from studies.dashboard import page, rows
from studies.dashboard.rows import Behind
from studies.files import stages
from studies.files.stages import Paths
from studies.ledger.schemas import CLAIMS, QUANTITIES


def main(inputs: Paths, output: Paths, *, settings: Mapping[str, Any]) -> None:
    shown = {
        name: inputs[name] for name in rows.BY_INPUT_NAME if name in inputs and inputs.each(name)
    }
    tables = {
        name: stages.read(path, rows.BY_INPUT_NAME[name], **rows.READ_AS.get(name, {}))
        for name, path in shown.items()
    }
    texts = [path.read_text(encoding="utf-8") for path in inputs.each("cards")]
    cards = [decode_card(json.loads(text)) for text in texts]
    templates = {
        path.name.removesuffix(".html.j2"): path.read_text(encoding="utf-8")
        for path in inputs.each("templates")
    }
    folder = output["entry"].parent
    for part in output.each("folders"):  # one may stay empty
        part.mkdir(parents=True, exist_ok=True)
    for path, text in page.pages(tables, cards, behind(inputs), templates, settings):
        write_text(text, folder / path)
    # The stub makes the snippet required, which is not.
    write_text(vl_convert.javascript_bundle(), folder / page.BUNDLE)  # type: ignore[call-arg]
    if "preview" in inputs:
        shutil.copyfile(inputs["preview"], folder / page.PREVIEW)
    copies = {rows.copy(name): path for name, path in shown.items()} | {
        rows.table(path.as_posix()): path
        for name in ("quantities", "claims")
        for path in inputs.each(name)
    }
    for name, table in copies.items():
        write_text(table.read_text(encoding="utf-8"), folder / "data" / f"{name}.csv")


def behind(inputs: Paths) -> Behind:
    """Tables, code and sources that the evidence points to."""

    def read(name: str, schema: Any) -> dict[str, Any]:
        return {
            path.as_posix(): stages.read(path, schema, **rows.READ_AS.get(name, {}))
            for path in inputs.each(name)
        }

    makers: list[Path] = inputs.each("makers")
    return Behind(
        {**read("quantities", QUANTITIES), **read("claims", CLAIMS)},
        {path.as_posix(): path.read_text(encoding="utf-8") for path in makers},
        stages.read(inputs["sources"], rows.SOURCES),
    )


stages.run(main, globals())
