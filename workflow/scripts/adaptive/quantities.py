"""The study's headline numbers, over all collections that are run."""

import json
from pathlib import Path

import pandas as pd

from saturation.adaptive import paper_tables
from saturation.files.tables import logged, read_table, write_csv


def main(
    collections: list[Path],
    facts: dict[str, Path],
    stopping: dict[str, Path],
    partners: list[Path],
    claims: Path,
    output: dict[str, Path],
) -> None:
    rows = [read_table(path) for path in collections]
    rows += [_frontier(bank, path) for bank, path in facts.items()]
    rows += [_stopping(bank, path) for bank, path in stopping.items()]
    rows += [_partners(path) for path in partners]
    quantities = pd.concat(rows, ignore_index=True)
    write_csv(quantities, output["quantities"])
    published = read_table(claims, dtype={"published": str})
    write_csv(paper_tables.decidable(published, set(quantities["quantity"])), output["claims"])


def _frontier(bank: str, path: Path) -> pd.DataFrame:
    facts = json.loads(path.read_text())
    return pd.DataFrame(
        {"quantity": f"{bank}_{name}", "value": value} for name, value in sorted(facts.items())
    )


def _stopping(bank: str, path: Path) -> pd.DataFrame:
    table = read_table(path)
    needed = table["n_items"]
    return pd.DataFrame(
        [
            {
                "quantity": f"{bank}_stopping_items",
                "value": needed.median(),
                "lower": needed.min(),
                "upper": needed.max(),
                "note": "median, fewest and most items over respondents",
            },
            {
                "quantity": f"{bank}_difficulty_follows_ability",
                "value": table["ability"].corr(table["difficulty_given"], method="spearman"),
                "note": "Spearman, ability and median difficulty of the first 50 items given",
            },
        ]
    )


def _partners(path: Path) -> pd.DataFrame:
    best = read_table(path).groupby("bank")["spearman"].max()
    return pd.DataFrame(
        {"quantity": f"{bank}_best_partner_correlation", "value": value}
        for bank, value in best.items()
    )


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        banks = snakemake.params.banks
        main(
            [Path(path) for path in snakemake.input.collections],
            dict(zip(banks, map(Path, snakemake.input.frontier))),
            dict(zip(banks, map(Path, snakemake.input.stopping))),
            [Path(path) for path in snakemake.input.partners],
            Path(snakemake.input.claims),
            {name: Path(path) for name, path in snakemake.output.items()},
        )
