"""Keep what all benchmarks taught, and how past forecasts did, for the cards of others."""

import pandas as pd

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv
from saturation.forecast import backtest, shared
from saturation.forecast.schemas import DESCRIBED, FRONTIER, SUMMARY, TOPS, WEIGHTS


def main(inputs: Paths, output: Paths, *, as_of: str) -> None:
    series = stages.read(inputs["series"], DESCRIBED)
    frontier = stages.read(inputs["frontier"], FRONTIER)
    weights = stages.read(inputs["weights"], WEIGHTS)
    what = backtest.known(series[series["reason"].isna()], frontier, pd.Timestamp(as_of))
    write_csv(shared.shared(what, weights[weights["origin"] == as_of]), output["shared"])
    summary = stages.read(inputs["summary"], SUMMARY)
    tops = stages.read(inputs["tops"], TOPS)
    write_csv(shared.accuracy(summary, tops), output["accuracy"])


stages.run(main, globals())
