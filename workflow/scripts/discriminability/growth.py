"""Logistic growth of the best score: the paper's fits, the honest one, and its backtest."""

from collections.abc import Mapping
from typing import Any

from saturation.discriminability import projection, schemas
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv, write_html


def main(inputs: Paths, output: Paths, *, demands: Mapping[str, Any], level: float) -> None:
    monthly = stages.read(inputs["monthly"], schemas.RESULTS["monthly"])
    fits, backtests = projection.growth_table(monthly, projection.Demands(**demands), level)
    write_csv(fits, output["fits"])
    write_html(fits, output["fits_html"], "Logistic growth of the best score")
    write_csv(backtests, output["backtests"])


stages.run(main, globals())
