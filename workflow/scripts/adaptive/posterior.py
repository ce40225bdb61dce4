"""Full posterior of a small bank by NUTS, its diagnostics, and its agreement with the MAP fit."""

import numpy as np

from saturation import seeds
from saturation.adaptive import posterior, responses, schemas, synthetic
from saturation.files import stages
from saturation.files.tables import write_csv, write_json, write_netcdf


def main(
    inputs: stages.Paths,
    output: stages.Paths,
    *,
    bank: str,
    seed: int,
    settings: dict[str, float],
    fewest: int,
) -> None:
    taken = responses.taken(inputs["responses"], inputs["respondents"], fewest)
    matrix = taken.bank.responses
    posterior.require_small(matrix, int(settings["largest_cells"]), str(inputs["responses"]))
    drawn = posterior.sample(
        matrix,
        draws=int(settings["draws"]),
        tune=int(settings["tune"]),
        chains=int(settings["chains"]),
        seed=seeds.derive(seed, "adaptive", "posterior", bank),
    )
    write_netcdf(drawn, output["draws"])
    summary = posterior.summary(drawn["posterior"].to_dataset())
    items = stages.read(inputs["item_table"], schemas.ITEMS)
    fitted = {
        "ability": stages.read(inputs["abilities"], schemas.ABILITIES)["ability"],
        "log_discrimination": np.log(items["discrimination"]),
        "difficulty": items["difficulty"],
    }
    write_csv(summary, output["posterior"])
    write_csv(synthetic.agreement(summary, fitted), output["agreement"])
    worst = posterior.diagnostics(summary, drawn)
    posterior.gate(worst, settings)
    write_json(worst, output["diagnostics"])


stages.run(main, globals())
