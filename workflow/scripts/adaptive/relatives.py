"""Errors of a bank's items and abilities that reckon with families of models."""

import pandas as pd

from saturation.adaptive import responses, schemas
from saturation.adaptive.fit import fit
from saturation.adaptive.relatives import clustered
from saturation.files import stages
from saturation.files.schema import validate
from saturation.files.tables import write_csv


def main(inputs: stages.Paths, output: stages.Paths, **_wildcards: str) -> None:
    cells = stages.read(inputs["responses"], schemas.WIDE_RESPONSES)
    respondents = stages.read(inputs["respondents"], schemas.ANSWERED)
    bank = responses.from_wide(cells, str(inputs["responses"]), fewest=1)
    fitted = fit(bank.responses)
    found = clustered(bank.responses, fitted, respondents["family"].tolist())
    difficulty, ability = found.difficulty_reach(), found.ability_reach()
    items = pd.DataFrame(
        {
            "item": bank.items,
            "log_discrimination_se": found.log_discrimination_se,
            "difficulty": fitted.difficulty,
            "difficulty_se": found.difficulty_se,
            "lower": fitted.difficulty - difficulty,
            "upper": fitted.difficulty + difficulty,
        }
    )
    abilities = pd.DataFrame(
        {
            "respondent": bank.respondents,
            "ability": fitted.ability,
            "ability_se": found.ability_se,
            "lower": fitted.ability - ability,
            "upper": fitted.ability + ability,
        }
    )
    write_csv(
        validate(items, schemas.RELATIVES_ITEMS, str(output["item_table"])), output["item_table"]
    )
    write_csv(
        validate(abilities, schemas.RELATIVES_ABILITIES, str(output["abilities"])),
        output["abilities"],
    )


stages.run(main, globals())
