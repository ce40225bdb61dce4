"""Make series of dated best scores, and say why a series gives no forecast."""

import pandas as pd

from saturation.discriminability.schemas import TOP
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv
from saturation.forecast import series
from saturation.forecast.schemas import SCORES, SERIES


def main(inputs: Paths, output: Paths, *, as_of: str) -> None:
    boards, of_boards = series.of_boards(stages.read(inputs["boards"], TOP))
    table = pd.concat([stages.read(inputs["series"], SERIES), boards], ignore_index=True)
    given = pd.concat([stages.read(inputs["scores"], SCORES), of_boards], ignore_index=True)
    scores = series.dated(given, str(inputs["scores"]))
    described = series.described(table, scores, as_of)
    usable = described[described["reason"] == ""]
    write_csv(described, output["series"])
    write_csv(
        series.frontier(usable, scores[scores["series"].isin(usable["series"])]), output["frontier"]
    )


stages.run(main, globals())
