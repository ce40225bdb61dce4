"""Sample the shared numbers of the model of records on every scale, beside their approximation."""

from collections.abc import Sequence

import pandas as pd

from saturation import seeds
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv
from saturation.forecast import backtest, models
from saturation.forecast.models import LINKS
from saturation.forecast.schemas import DESCRIBED, FRONTIER
from studies.forecast import full


def main(
    inputs: Paths, output: Paths, *, as_of: str, half_lives: Sequence[float], seed: int
) -> None:
    series = stages.read(inputs["series"], DESCRIBED)
    usable = series[series["reason"].isna()]
    frontier = stages.read(inputs["frontier"], FRONTIER)
    what = backtest.known(usable, frontier, pd.Timestamp(as_of))
    made = what.made().histories
    model = full.compiled(len(made))
    tables = []
    for link in LINKS:
        for half_life in half_lives:
            name = f"{link.form} {link.ceiling:g} {half_life:g}"
            found = models.evidence(made, link, half_life)
            table = full.check(model, found, full.Effort(), seeds.derive(seed, "forecast", name))
            tables.append(table.assign(scale=name))
    write_csv(pd.concat(tables), output["files"])


stages.run(main, globals())
