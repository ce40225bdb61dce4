"""Headline numbers of what the paper's author released."""

from saturation.discriminability import schemas, study
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv
from saturation.quantity import frame


def main(inputs: Paths, output: Paths) -> None:
    monthly = stages.read(inputs["monthly"], schemas.AUTHOR_MONTHLY)
    fits = stages.read(inputs["fits"], schemas.AUTHOR_FITS)
    write_csv(frame(study.quantities(monthly, fits)), output["files"])


stages.run(main, globals())
