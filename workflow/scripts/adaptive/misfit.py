"""Whether the model fits a bank: compare it with banks that its fitted model draws."""

from saturation.adaptive import misfit, responses, schemas
from saturation.adaptive.model import Slopes
from saturation.files import stages
from saturation.files.schema import validate
from saturation.files.tables import write_csv, write_html

CHECKED = {
    "misfit": schemas.MISFIT,
    "misfit_items": schemas.MISFIT_ITEMS,
    "misfit_respondents": schemas.MISFIT_RESPONDENTS,
    "floors": schemas.FLOORS,
}


def main(
    inputs: stages.Paths,
    output: stages.Paths,
    *,
    bank: str,
    seed: int,
    replicates: int,
    slopes: Slopes,
) -> None:
    cells = stages.read(inputs["responses"], schemas.WIDE_RESPONSES)
    respondents = stages.read(inputs["respondents"], schemas.ANSWERED)
    found = misfit.misfit(
        responses.from_wide(cells, str(inputs["responses"]), fewest=1),
        respondents["model"].tolist(),
        slopes,
        replicates,
        seed,
        bank,
    )
    for name, table in found._asdict().items():
        write_csv(validate(table, CHECKED[name], str(output[name])), output[name])
    title = f"{bank}: {misfit.verdict(found.misfit, found.floors)}"
    write_html(found.misfit, output["page"], title)


stages.run(main, globals())
