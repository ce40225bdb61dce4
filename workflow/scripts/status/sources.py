"""Make the embedded table of reported scores from its pinned source."""

from saturation.files.tables import load_table, write_csv
from studies.files import stages
from studies.files.stages import Paths
from studies.status.sources import reported
from studies.status.study import FACTS


def main(inputs: Paths, output: Paths) -> None:
    facts = stages.read(inputs["facts"], FACTS)
    write_csv(reported(load_table(inputs["snapshot"]), facts), output["reported"])


stages.run(main, globals())
