"""Evaluate every respondent by every method, with its family left out of the item fit."""

from typing import Any

from saturation.adaptive import evaluation, responses, schemas
from saturation.adaptive.evaluation import accuracies, serving
from saturation.files import stages
from saturation.files.schema import validate
from saturation.files.tables import write_csv


def main(
    inputs: stages.Paths,
    output: stages.Paths,
    *,
    bank: str,
    seed: int,
    settings: dict[str, Any],
    partners: list[str],
) -> None:
    cells = stages.read(inputs["responses"], schemas.WIDE_RESPONSES)
    respondents = stages.read(inputs["respondents"], schemas.ANSWERED)
    judges = serving(stages.read(inputs["partners"], schemas.PARTNERS), bank)
    tables = dict(zip(partners, inputs.each("partner_tables")))
    answered = {name: stages.read(tables[name], schemas.ANSWERED) for name in judges}
    abilities = stages.read(inputs["abilities"], schemas.ABILITIES)
    evaluated = evaluation.tables(
        bank,
        responses.from_wide(cells, str(inputs["responses"]), fewest=1),
        respondents,
        evaluation.Calibration(
            stages.read(inputs["item_parameters"], schemas.ITEM_PARAMETERS),
            abilities["ability"].to_numpy(),
        ),
        from_elsewhere(inputs),
        accuracies(respondents, answered, judges),
        evaluation.Settings(**settings),
        seed,
    )
    validate(evaluated.administrations, schemas.ADMINISTRATIONS, str(output["administrations"]))
    for name, table in evaluated._asdict().items():
        write_csv(table, output[name])


def from_elsewhere(inputs: stages.Paths) -> evaluation.Calibration | None:
    """Item parameters that are published, where the bank has them."""
    if not inputs.each("known"):
        return None
    abilities = stages.read(inputs["known_abilities"], schemas.LEADERBOARD_ABILITIES)
    return evaluation.Calibration(
        stages.read(inputs["known"], schemas.ITEM_PARAMETERS), abilities["ability"].to_numpy()
    )


stages.run(main, globals())
