"""Draw the synthetic banks: responses with known truth, over the same synthetic respondents."""

from pathlib import Path

import pandas as pd

from saturation import seeds
from saturation.adaptive import responses, synthetic
from saturation.adaptive.schemas import DISTRIBUTION
from saturation.files.checks import validate
from saturation.files.tables import logged, read_table, write_csv


def main(
    distribution: Path,
    folder: Path,
    respondents: Path,
    *,
    seed: int,
    families: int,
    models_per_family: int,
    banks: dict[str, dict[str, object]],
) -> None:
    fitted = validate(read_table(distribution), DISTRIBUTION, str(distribution))
    fitted = fitted.set_index("bank")
    table = synthetic.respondents(families, models_per_family)
    write_csv(table, respondents)
    shared = synthetic.trajectories(
        table, seeds.generator(seed, "adaptive", "synthetic", "trajectories")
    )
    for name, bank in banks.items():
        random = seeds.generator(seed, "adaptive", "synthetic", name)
        ability = synthetic.bank_abilities(shared, random)
        like = fitted.loc[str(bank["synthetic"])].to_dict()
        a, b = synthetic.item_parameters(int(str(bank["n_items"])), like, random)
        items = [f"{name}_{number}" for number in range(1, len(a) + 1)]
        drawn = responses.Bank(
            table["respondent"].tolist(), items, synthetic.draw(ability, a, b, random)
        )
        write_csv(drawn.frame(), folder / f"{name}.csv")
        truth = pd.DataFrame({"item": items, "discrimination": a, "difficulty": b})
        write_csv(truth.assign(synthetic=True), folder / f"{name}_true_items.csv")
        true = pd.DataFrame({"respondent": drawn.respondents, "ability": ability})
        write_csv(true.assign(synthetic=True), folder / f"{name}_true_abilities.csv")


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            Path(snakemake.input.distribution),
            Path(snakemake.output.respondents).parent,
            Path(snakemake.output.respondents),
            **snakemake.params,
        )
