"""All metrics of every window with their intervals, and the changes over time."""

from saturation.discriminability import bdi, schemas, windows
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv, write_html


def main(
    inputs: Paths,
    output: Paths,
    *,
    bins: int,
    resamples: int,
    level: float,
    min_last_models: int,
    seed: int,
) -> None:
    formed = {name: stages.read(inputs[name], schemas.INPUTS[name]) for name in inputs}
    monthly, changes = windows.measured(
        formed["windows"],
        formed["bins"],
        formed["top"],
        formed["submitters"],
        bdi.Resampling(bins, resamples, level, seed),
        min_last_models,
    )
    write_csv(monthly, output["monthly"])
    write_html(monthly, output["monthly_html"], "Monthly metrics")
    write_csv(changes, output["changes"])
    write_html(changes, output["changes_html"], "Change of the index and its significance")


stages.run(main, globals())
