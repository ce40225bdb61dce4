"""Ask whether the indices predict how far the best score rises."""

from typing import Any

import pandas as pd

from saturation.discriminability.schemas import RESULTS
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv
from saturation.forecast import backtest, indices
from saturation.forecast.names import NLP
from saturation.forecast.schemas import DESCRIBED, FRONTIER


def main(inputs: Paths, output: Paths, *, origins: dict[str, Any], level: float) -> None:
    series = stages.read(inputs["series"], DESCRIBED)
    usable = series[
        series["reason"].isna() & series["released"].notna() & (series["source"] != NLP)
    ]
    # None where the discriminability study ran on another board or on other windows.
    boards = [
        indices.board_cases(
            stages.read(monthly, RESULTS["monthly"]),
            stages.read(index, RESULTS["index_over_time"]),
        )
        for monthly, index in zip(inputs.each("monthly"), inputs.each("index"), strict=True)
    ]
    frontier = stages.read(inputs["frontier"], FRONTIER)
    histories = indices.history_cases(usable, frontier, backtest.origins(**origins))
    cases = pd.concat([*boards, histories], ignore_index=True)
    write_csv(cases, output["cases"])
    write_csv(indices.prediction(cases, level), output["prediction"])


stages.run(main, globals())
