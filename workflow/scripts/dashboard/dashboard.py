"""Write the dashboard: one page that holds its data, its plots and the code that draws them."""

import json
from collections.abc import Mapping
from typing import Any

import vl_convert

from saturation.dashboard import schemas
from saturation.dashboard.page import page
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_text


def main(inputs: Paths, output: Paths, *, settings: Mapping[str, Any]) -> None:
    tables = {
        name: stages.read(inputs[name], schema)
        for name, schema in schemas.BY_INPUT_NAME.items()
        if name in inputs and inputs.each(name)
    }
    cards = [json.loads(path.read_text(encoding="utf-8")) for path in inputs.each("cards")]
    templates = {name: inputs[name].read_text(encoding="utf-8") for name in ("html", "css", "js")}
    # The stub makes the snippet required, which is not.
    bundle = vl_convert.javascript_bundle()  # type: ignore[call-arg]
    write_text(page(tables, cards, templates, bundle, settings), output["files"])


stages.run(main, globals())
