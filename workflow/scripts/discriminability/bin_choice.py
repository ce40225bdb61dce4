"""The index under other numbers of bins: level, order and trends."""

from collections.abc import Sequence

from saturation.discriminability import bin_choice, schemas, summaries
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv


def main(inputs: Paths, output: Paths, *, sweep: Sequence[int], reference: int) -> None:
    counts = summaries.histograms(stages.read(inputs["bins"], schemas.INPUTS["bins"]))
    table, summary = bin_choice.bin_choice(counts, sweep, reference)
    write_csv(table, output["table"])
    write_csv(summary, output["summary"])


stages.run(main, globals())
