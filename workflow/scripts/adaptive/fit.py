"""Fit the item response model to a bank; write items, abilities and the fit's facts."""

from pathlib import Path

import pandas as pd

from saturation.adaptive import fit as item_fit
from saturation.adaptive import frontier, model, responses
from saturation.adaptive.abilities import eap_ability
from saturation.files.tables import logged, read_table, write_csv, write_json


def main(table: Path, output: dict[str, Path], *, slopes: item_fit.Slopes) -> None:
    bank = responses.from_wide(read_table(table), str(table), fewest=1)
    fit = item_fit.fit(bank.responses, slopes)
    mean, spread = eap_ability(bank.responses, fit.discrimination, fit.difficulty)
    parameters = pd.DataFrame(
        {
            "item": bank.items,
            "discrimination": fit.discrimination,
            "difficulty": fit.difficulty,
        }
    )
    details = parameters.assign(
        discrimination_se=fit.discrimination_se, difficulty_se=fit.difficulty_se
    )
    judged = frontier.items(bank.responses, fit.ability)
    abilities = pd.DataFrame(
        {
            "respondent": bank.respondents,
            "accuracy": bank.accuracy(),
            "ability": fit.ability,
            "ability_se": fit.ability_se,
            "ability_eap": mean,
            "ability_eap_sd": spread,
        }
    )
    cells = model.log_likelihood(bank.responses, fit.ability, fit.discrimination, fit.difficulty)
    seen = int((bank.responses != model.MISSING).sum())
    facts = {
        "slopes": slopes,
        "rounds": fit.rounds,
        "converged": fit.converged,
        "prior": fit.prior,
        "log_likelihood_per_response": cells.sum() / seen,
        "n_respondents": len(bank.respondents),
        "n_items": len(bank.items),
        "missing_cells": int(bank.responses.size - seen),
        "items_all_right": int(judged["all_right"].sum()),
        "items_all_wrong": int(judged["all_wrong"].sum()),
        "respondents_all_right_or_wrong": int(abilities["accuracy"].isin([0, 1]).sum()),
        "negative_raw_slopes": float((judged["signed_slope"] < 0).mean()),
    }
    write_csv(parameters, output["parameters"])
    write_csv(pd.concat([details, judged], axis=1), output["item_table"])
    write_csv(abilities, output["abilities"])
    write_json(facts, output["facts"])


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            Path(snakemake.input.responses),
            {name: Path(path) for name, path in snakemake.output.items()},
            **snakemake.params,
        )
