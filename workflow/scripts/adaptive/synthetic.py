"""Draw the synthetic banks: responses with known truth, over the same synthetic respondents."""

from typing import Any

from saturation.adaptive import schemas, synthetic
from saturation.files import stages
from saturation.files.tables import write_csv


def main(
    inputs: stages.Paths,
    output: stages.Paths,
    *,
    seed: int,
    families: int,
    models_per_family: int,
    banks: dict[str, dict[str, Any]],
) -> None:
    distributions = stages.read(inputs["distribution"], schemas.DISTRIBUTION).set_index("bank")
    respondents = synthetic.respondents(families, models_per_family)
    write_csv(respondents, output["respondents"])
    tables = (output.each(name) for name in ("responses", "true_items", "true_abilities"))
    for (name, settings), *paths in zip(banks.items(), *tables):
        like = distributions.loc[settings["synthetic"]].to_dict()
        drawn = synthetic.bank(name, like, settings["n_items"], respondents, seed)
        for table, path in zip((drawn.bank.frame(), *drawn[1:]), paths):
            write_csv(table, path)


stages.run(main, globals())
