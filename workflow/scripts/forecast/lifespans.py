"""How long benchmarks last, whether less long than before, and what the hypotheses say of it."""

import pandas as pd

from saturation import seeds
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv
from saturation.forecast import lifespans
from saturation.forecast.schemas import DESCRIBED, FRONTIER
from saturation.plateau.schemas import PREPARED_BENCHMARKS


def main(inputs: Paths, output: Paths, *, level: float, observed_on: str, seed: int) -> None:
    series = stages.read(inputs["series"], DESCRIBED)
    frontier = stages.read(inputs["frontier"], FRONTIER)
    usable = series[series["reason"].isna()]
    spans = lifespans.spans(usable, frontier)
    write_csv(spans, output["spans"])
    write_csv(lifespans.curves(spans, level), output["curves"])
    write_csv(lifespans.pace(spans, level), output["pace"])
    rng = seeds.generator(seed, "forecast", "lifespans")
    by_kind = lifespans.survival(spans, lifespans.REFERENCE_YEAR, level, rng)
    write_csv(by_kind, output["survival"])
    benchmarks = stages.read(inputs["benchmarks"], PREPARED_BENCHMARKS)
    write_csv(lifespans.hypotheses(spans, benchmarks), output["hypotheses"])
    courses = lifespans.courses(usable, frontier, pd.Timestamp(observed_on))
    write_csv(courses, output["courses"])
    write_csv(lifespans.later(courses, benchmarks, level, rng), output["later"])


stages.run(main, globals())
