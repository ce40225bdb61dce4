"""Whether the model fits a bank: compare it with banks that its fitted model draws."""

from saturation.files.tables import write_csv
from studies.adaptive import banks, misfit
from studies.files import stages


def main(
    inputs: stages.Paths,
    output: stages.Paths,
    *,
    bank: str,
    seed: int,
    replicates: int,
    fewest: int,
) -> None:
    taken = banks.load(inputs["responses"], inputs["respondents"], fewest)
    tables = misfit.misfit(
        taken.bank,
        taken.respondents["model"].tolist(),
        replicates,
        seed,
        bank,
    )
    for name, table in tables.items():
        write_csv(table, output[name])


stages.run(main, globals())
