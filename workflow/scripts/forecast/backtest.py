"""Make past forecasts again and score them; forecast from today on."""

from collections.abc import Sequence

import pandas as pd

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv
from saturation.forecast import backtest, outlook, summary
from saturation.forecast.schemas import DESCRIBED, FRONTIER


def main(
    inputs: Paths,
    output: Paths,
    *,
    as_of: str,
    origins: Sequence[str | int],
    settings: dict[str, object],
    level: float,
) -> None:
    series = stages.read(inputs["series"], DESCRIBED)
    frontier = stages.read(inputs["frontier"], FRONTIER)
    usable = series[series["reason"].isna()]
    how = backtest.Settings(**settings)
    forecasts, past = backtest.backtest(usable, frontier, backtest.origins(*origins), how)
    write_csv(forecasts, output["backtest"])
    write_csv(summary.summary(forecasts, level), output["summary"])
    for name, table in outlook.outlook(usable, frontier, past, pd.Timestamp(as_of), how).items():
        write_csv(table, output[name])


stages.run(main, globals())
