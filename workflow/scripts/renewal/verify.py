"""Make the embedded tables anew from their pinned sources and compare every cell."""

import json

from saturation.files import formats
from saturation.files.tables import load_table, write_csv
from studies.files import differences
from studies.files.differences import Pair
from studies.files.stages import Paths, run
from studies.renewal import study


def main(inputs: Paths, output: Paths) -> None:
    sites = {file.stem: json.loads(file.read_text("utf-8")) for file in inputs.each("sites")}
    remade = study.sources(load_table(inputs["table"]), sites, load_table(inputs["judgments"]))
    pairs = [
        Pair("answers", formats.read(inputs["answers"]), remade["answers"]),
        Pair("items", load_table(inputs["dates"]), remade["items"]),
        Pair("models", load_table(inputs["cutoffs"]), remade["models"]),
    ]
    write_csv(differences.verified(pairs), output["files"])


run(main, globals())
