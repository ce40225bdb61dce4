"""Make past forecasts again and score them; forecast from today on."""

from typing import Any

import pandas as pd

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv
from saturation.forecast import backtest, outlook, scoring, tops
from saturation.forecast.schemas import DESCRIBED, FRONTIER


def main(
    inputs: Paths,
    output: Paths,
    *,
    as_of: str,
    origins: dict[str, Any],
    cutoff: str,
    settings: dict[str, Any],
    level: float,
) -> None:
    series = stages.read(inputs["series"], DESCRIBED)
    frontier = stages.read(inputs["frontier"], FRONTIER)
    usable = series[series["reason"].isna()]
    how = backtest.Settings(**settings)
    days, today = backtest.origins(**origins), pd.Timestamp(as_of)
    forecasts, past = backtest.backtest(usable, frontier, days, how)
    weights = backtest.weights_by_origin(past, [*days, today], how.half_lives)
    write_csv(weights, output["weights"])
    write_csv(forecasts, output["backtest"])
    write_csv(scoring.summary(forecasts, level), output["summary"])
    then = backtest.weights_by_origin(past, [pd.Timestamp(cutoff)], how.half_lives)
    after = tops.after(usable, frontier, then, pd.Timestamp(cutoff), how)
    write_csv(after, output["after"])
    write_csv(tops.compared(after, level), output["peer"])
    now = weights[weights["origin"] == as_of]
    for name, table in outlook.outlook(usable, frontier, now, today, how).items():
        write_csv(table, output[name])


stages.run(main, globals())
