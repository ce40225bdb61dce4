"""Make the embedded tables anew from their pinned sources and compare every cell."""

import json

from saturation.files import differences, formats
from saturation.files.differences import Pair
from saturation.files.stages import Paths, run
from saturation.files.tables import read_table, write_csv
from saturation.renewal import study


def main(inputs: Paths, output: Paths) -> None:
    sites = {file.stem: json.loads(file.read_text("utf-8")) for file in inputs.each("sites")}
    remade = study.sources(read_table(inputs["table"]), sites, read_table(inputs["judgments"]))
    names = {"answers": "answers", "dates": "items", "cutoffs": "models"}
    kept = {name: formats.read(path) if name == "answers" else read_table(path)
            for name, path in inputs.items() if name in names}  # fmt: skip
    pairs = [Pair(f"{names[name]}", table, remade[names[name]]) for name, table in kept.items()]
    write_csv(differences.verified(pairs), output["files"])


run(main, globals())
