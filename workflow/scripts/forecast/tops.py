"""Forecast again, at past origins, when the top of a benchmark becomes indistinguishable."""

from typing import Any

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv
from saturation.forecast import backtest, series, tops
from saturation.forecast.schemas import DESCRIBED, FRONTIER, SCORES, WEIGHTS


def main(
    inputs: Paths, output: Paths, *, first: str, settings: dict[str, Any], level: float
) -> None:
    described = stages.read(inputs["series"], DESCRIBED)
    scores = series.dated(stages.read(inputs["scores"], SCORES), str(inputs["scores"]))
    usable = tops.forecast_again(described, scores)
    entries = series.shares(usable, scores)
    weights = stages.read(inputs["weights"], WEIGHTS)
    frontier = stages.read(inputs["frontier"], FRONTIER)
    how = backtest.Settings(**settings)
    cases = tops.backtest(usable, frontier, entries, weights[weights["origin"] >= first], how)
    write_csv(cases, output["cases"])
    write_csv(tops.accuracy(cases, level), output["tops"])


stages.run(main, globals())
