"""The study's headline numbers, over all collections that are run."""

import json

import pandas as pd

from saturation.adaptive import schemas, study
from saturation.files import stages
from saturation.files.tables import write_csv
from saturation.quantity import Quantity, frame


def main(inputs: stages.Paths, output: stages.Paths, *, banks: list[str]) -> None:
    collections = stages.read_each(inputs.each("collections"), schemas.QUANTITIES)
    numbers: list[Quantity] = []
    for bank, path in zip(banks, inputs.each("frontier")):
        numbers += study.of_frontier(bank, json.loads(path.read_text(encoding="utf-8")))
    for bank, path in zip(banks, inputs.each("stopping")):
        numbers += study.of_stopping(bank, stages.read(path, schemas.STOPPING))
    for path in inputs.each("partners"):
        numbers += study.of_partners(stages.read(path, schemas.PARTNERS))
    table = pd.concat([*collections, frame(numbers)], ignore_index=True)
    write_csv(table, output["quantities"])


stages.run(main, globals())
