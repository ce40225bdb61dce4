"""The author's released monthly table and fits, with what the paper's numbers rest on."""

import json

from saturation.discriminability import sources
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import read_table, write_csv


def main(inputs: Paths, output: Paths) -> None:
    # The author's files have no schema: these two name what they cannot read.
    monthly, fits = inputs["monthly"], inputs["fits"]
    write_csv(sources.monthly_from_source(read_table(monthly), monthly.name), output["monthly"])
    released = json.loads(fits.read_text(encoding="utf-8"))
    write_csv(sources.fits_from_source(released, fits.name), output["fits"])


stages.run(main, globals())
