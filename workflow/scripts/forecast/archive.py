"""Keep this run's forecasts and what all benchmarks taught; score the forecasts kept before."""

import pandas as pd

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv
from saturation.forecast import backtest, outlook, sources
from saturation.forecast.schemas import ARCHIVE, BANDS, DESCRIBED, FRONTIER, SUMMARY, TOPS, WEIGHTS


def main(inputs: Paths, output: Paths, *, as_of: str, version: str) -> None:
    bands = stages.read(inputs["bands"], BANDS)
    content = [path.read_bytes() for path in inputs.each("sources")]
    write_csv(sources.archived(bands, content, version), output["archive"])
    series = stages.read(inputs["series"], DESCRIBED)
    frontier = stages.read(inputs["frontier"], FRONTIER)
    kept = stages.read(inputs["kept"], ARCHIVE)
    write_csv(sources.scored(kept, series, frontier), output["scored"])
    weights = stages.read(inputs["weights"], WEIGHTS)
    what = backtest.known(series[series["reason"].isna()], frontier, pd.Timestamp(as_of))
    write_csv(outlook.shared(what, weights[weights["origin"] == as_of]), output["shared"])
    summary, tops = stages.read(inputs["summary"], SUMMARY), stages.read(inputs["tops"], TOPS)
    write_csv(outlook.accuracy(summary, tops), output["accuracy"])


stages.run(main, globals())
