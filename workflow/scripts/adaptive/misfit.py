"""Whether the model fits a bank: compare it with banks that its fitted model draws."""

from saturation.adaptive import misfit, responses
from saturation.adaptive.model import Slopes
from saturation.files import stages
from saturation.files.tables import write_csv, write_html


def main(
    inputs: stages.Paths,
    output: stages.Paths,
    *,
    bank: str,
    seed: int,
    replicates: int,
    slopes: Slopes,
    fewest: int,
) -> None:
    taken = responses.taken(inputs["responses"], inputs["respondents"], fewest)
    found = misfit.misfit(
        taken.bank,
        taken.respondents["model"].tolist(),
        slopes,
        replicates,
        seed,
        bank,
    )
    for name, table in found._asdict().items():
        write_csv(table, output[name])
    title = f"{bank}: {misfit.verdict(found.misfit, found.floors)}"
    write_html(found.misfit, output["page"], title)


stages.run(main, globals())
