"""All cards in one table, one row a benchmark."""

import json

from saturation.files.tables import write_csv
from saturation.own.cards import table
from studies.files import stages
from studies.files.stages import Paths


def main(inputs: Paths, output: Paths) -> None:
    lines = [path.read_text(encoding="utf-8") for path in inputs.each("summaries")]
    cards = table([json.loads(line) for line in lines])
    write_csv(cards, output["csv"])


stages.run(main, globals())
