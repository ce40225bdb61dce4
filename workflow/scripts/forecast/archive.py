"""Keep this run's forecasts with their date, and score those kept before."""

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv
from saturation.forecast import archive
from saturation.forecast.schemas import ARCHIVE, BANDS, DESCRIBED, FRONTIER


def main(inputs: Paths, output: Paths, *, version: str) -> None:
    bands = stages.read(inputs["bands"], BANDS)
    content = [path.read_bytes() for path in inputs.each("sources")]
    write_csv(archive.archived(bands, content, version), output["archive"])
    kept = stages.read(inputs["kept"], ARCHIVE)
    series = stages.read(inputs["series"], DESCRIBED)
    frontier = stages.read(inputs["frontier"], FRONTIER)
    write_csv(archive.scored(kept, series, frontier), output["scored"])


stages.run(main, globals())
