"""How long benchmarks last, whether less long than before, and what the hypotheses say of it."""

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv
from saturation.forecast import lifespans
from saturation.forecast.schemas import DESCRIBED, FRONTIER
from saturation.plateau.schemas import PREPARED_BENCHMARKS


def main(inputs: Paths, output: Paths, *, level: float) -> None:
    series = stages.read(inputs["series"], DESCRIBED)
    frontier = stages.read(inputs["frontier"], FRONTIER)
    spans = lifespans.spans(series[series["reason"].isna()], frontier)
    write_csv(spans, output["spans"])
    write_csv(lifespans.curves(spans, level), output["curves"])
    write_csv(lifespans.pace(spans, level), output["pace"])
    benchmarks = stages.read(inputs["benchmarks"], PREPARED_BENCHMARKS)
    write_csv(lifespans.hypotheses(spans, benchmarks), output["hypotheses"])


stages.run(main, globals())
