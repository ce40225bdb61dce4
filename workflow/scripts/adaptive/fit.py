"""Fit the item response model to a bank; write items, abilities and the fit's facts."""

from saturation.adaptive import responses, schemas
from saturation.adaptive.frontier import estimates
from saturation.adaptive.model import Slopes
from saturation.files import stages
from saturation.files.tables import write_csv, write_json


def main(inputs: stages.Paths, output: stages.Paths, *, slopes: Slopes, **_wildcards: str) -> None:
    cells = stages.read(inputs["responses"], schemas.WIDE_RESPONSES)
    fitted = estimates(responses.from_wide(cells, str(inputs["responses"]), fewest=1), slopes)
    write_csv(fitted.item_parameters, output["parameters"])
    write_csv(fitted.items, output["item_table"])
    write_csv(fitted.abilities, output["abilities"])
    write_json(fitted.facts, output["facts"])


stages.run(main, globals())
