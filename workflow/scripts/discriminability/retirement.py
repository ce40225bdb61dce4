"""The three-criteria retirement test in every window."""

from collections.abc import Mapping

from saturation.discriminability import retirement, schemas
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv, write_html


def main(inputs: Paths, output: Paths, *, thresholds: Mapping[str, float]) -> None:
    monthly = stages.read(inputs["monthly"], schemas.RESULTS["monthly"])
    table = retirement.retirement_table(monthly, retirement.Thresholds(**thresholds))
    first = retirement.first_due(table)
    write_csv(table, output["table"])
    write_csv(first, output["first"])
    write_html(
        first, output["first_html"], "First window in which each retirement criterion is met"
    )


stages.run(main, globals())
