"""Make past forecasts again and score them; forecast from today on."""

from typing import Any

import pandas as pd

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv
from saturation.forecast import backtest, outlook, peer, summary
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
    days = backtest.origins(**origins)
    forecasts, past = backtest.backtest(usable, frontier, days, how)
    weights = backtest.weights_by_origin(past, [*days, pd.Timestamp(as_of)], how.half_lives)
    write_csv(weights, output["weights"])
    write_csv(forecasts, output["backtest"])
    write_csv(summary.summary(forecasts, level), output["summary"])
    after = peer.after(usable, frontier, past, pd.Timestamp(cutoff), how)
    write_csv(after, output["after"])
    write_csv(peer.compared(after, level), output["peer"])
    for name, table in outlook.outlook(usable, frontier, past, pd.Timestamp(as_of), how).items():
        write_csv(table, output[name])


stages.run(main, globals())
