"""Full posterior of a small bank by NUTS, its diagnostics, and its agreement with the MAP fit."""

import numpy as np

from saturation import seeds
from saturation.adaptive import posterior, responses, schemas, synthetic
from saturation.files import stages
from saturation.files.tables import write_csv, write_json


def main(
    inputs: stages.Paths,
    output: stages.Paths,
    *,
    bank: str,
    seed: int,
    settings: dict[str, float],
) -> None:
    cells = stages.read(inputs["responses"], schemas.WIDE_RESPONSES)
    matrix = responses.from_wide(cells, str(inputs["responses"]), fewest=1).responses
    posterior.require_small(matrix, int(settings["largest_cells"]), str(inputs["responses"]))
    draws, divergences = posterior.sample(
        matrix,
        draws=int(settings["draws"]),
        tune=int(settings["tune"]),
        chains=int(settings["chains"]),
        seed=seeds.derive(seed, "adaptive", "posterior", bank),
    )
    summary = posterior.summary(draws)
    items = stages.read(inputs["item_table"], schemas.ITEMS)
    fitted = {
        "ability": stages.read(inputs["abilities"], schemas.ABILITIES)["ability"],
        "log_discrimination": np.log(items["discrimination"]),
        "difficulty": items["difficulty"],
    }
    write_csv(summary, output["posterior"])
    write_csv(synthetic.agreement(summary, fitted), output["agreement"])
    worst = posterior.diagnostics(summary, divergences)
    posterior.gate(worst, settings)
    write_json(worst, output["diagnostics"])


stages.run(main, globals())
