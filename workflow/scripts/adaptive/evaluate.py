"""Evaluate every respondent by every method, with its family left out of the item fit."""

from pathlib import Path

import numpy as np
import pandas as pd

from saturation import seeds
from saturation.adaptive import administration, evaluation, fit, responses
from saturation.adaptive.schemas import ADMINISTRATIONS
from saturation.files.checks import validate
from saturation.files.tables import logged, read_table, write_csv

# Draws of random subsets whose scores are kept, for the figure of training curves.
DRAWS_KEPT = 5
# Items of each test whose median difficulty says whether the test adapts.
FIRST_ITEMS = 50


def main(
    tables: dict[str, Path],
    partners: dict[str, Path],
    output: dict[str, Path],
    *,
    bank: str,
    seed: int,
    sizes: list[int],
    draws: int,
    slopes: fit.Slopes,
) -> None:
    loaded = responses.from_wide(
        read_table(tables["responses"]), str(tables["responses"]), fewest=1
    )
    people = read_table(tables["respondents"])
    whole = read_table(tables["abilities"])["ability"].to_numpy()
    item_parameters = read_table(tables.get("known", tables["item_parameters"]))
    if "known" in tables:
        whose = read_table(tables["known_abilities"])["ability"].to_numpy()
        parts = [evaluation.known_fold(len(people), item_parameters, whose)]
    else:
        parts = evaluation.folds(loaded.responses, people["family"].tolist(), whole, slopes)
    done = evaluation.evaluate(
        loaded.responses,
        parts,
        evaluation.Settings(sizes, draws),
        seeds.generator(seed, "adaptive", "evaluate", bank),
    )
    listed = read_table(tables["partners"])
    serving = listed[(listed["bank"] == bank) & listed["serves"]]["partner"]
    others = {
        name: read_table(partners[name])
        .set_index("respondent")["accuracy"]
        .reindex(people["respondent"])
        .to_numpy()
        for name in serving
    }
    models = evaluation.by_model(done, people, others)
    summary = evaluation.summarise(models, seeds.generator(seed, "adaptive", "intervals", bank))
    tests = administrations(done.administrations, loaded)
    write_csv(
        validate(tests, ADMINISTRATIONS, str(output["administrations"])), output["administrations"]
    )
    write_csv(models, output["models"])
    write_csv(summary, output["quality"])
    write_csv(curves(done, people), output["scores"])
    given = done.administrations.items[:, :FIRST_ITEMS]
    difficulty = item_parameters["difficulty"].to_numpy()
    write_csv(
        pd.DataFrame(
            {
                "respondent": loaded.respondents,
                "ability": whole,
                "difficulty_given": np.median(difficulty[given], axis=1),
                "n_items": done.stopped,
                "reached_limit": done.stopped >= done.administrations.lengths,
            }
        ),
        output["stopping"],
    )


def administrations(tests: administration.Administrations, bank: responses.Bank) -> pd.DataFrame:
    persons, steps = tests.items.shape
    table = pd.DataFrame(
        {
            "respondent": np.repeat(bank.respondents, steps),
            "step": np.tile(np.arange(1, steps + 1), persons),
            "item": np.asarray(bank.items)[tests.items.ravel()],
            "ability": tests.ability.ravel(),
            "se": tests.se.ravel(),
        }
    )
    return table[tests.items.ravel() != administration.NO_ITEM].reset_index(drop=True)


def curves(done: evaluation.Evaluated, people: pd.DataFrame) -> pd.DataFrame:
    named = people[["respondent", "model", "checkpoint"]]
    kept = [
        named.assign(method=method, n_items=size, draw=draw, score=score)
        for (method, size, draw), score in done.scores.items()
        if draw < DRAWS_KEPT
    ]
    return pd.concat(kept, ignore_index=True)


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        names = ["responses", "respondents", "abilities", "item_parameters", "partners"]
        names += [name for name in ("known", "known_abilities") if snakemake.input.get(name)]
        main(
            {name: Path(snakemake.input[name]) for name in names},
            dict(zip(snakemake.params.partner_names, map(Path, snakemake.input.partner_tables))),
            {name: Path(path) for name, path in snakemake.output.items()},
            bank=snakemake.wildcards.bank,
            seed=snakemake.params.seed,
            sizes=snakemake.params.sizes,
            draws=snakemake.params.draws,
            slopes=snakemake.params.slopes,
        )
