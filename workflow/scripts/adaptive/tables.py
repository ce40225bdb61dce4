"""Tables 1-3 over a collection's banks, and its headline numbers."""

from pathlib import Path

import pandas as pd

from saturation import seeds
from saturation.adaptive import evaluation, paper_tables
from saturation.files.tables import logged, read_table, write_csv, write_html, write_markdown

TITLES = {
    "table1": "Baselines beside adaptive tests of the same length",
    "table2": "Random items, random items with abilities, adaptive tests",
    "table3": "The same by benchmark",
}


def main(
    models: dict[str, Path],
    quality: dict[str, Path],
    output: dict[str, Path],
    *,
    collection: str,
    seed: int,
    synthetic: bool,
) -> None:
    everything = pd.concat(
        [read_table(path).assign(bank=bank) for bank, path in models.items()],
        ignore_index=True,
    )
    random = seeds.generator(seed, "adaptive", "tables", collection)
    compared = evaluation.comparable(everything)
    left_out = sorted(set(models) - set(compared["bank"]))
    if left_out:
        print(f"not averaged over, for want of a partner or of items: {', '.join(left_out)}")
    given = sorted(set(compared.loc[compared["method"] == "random", "n_items"])) or [0]
    summary = evaluation.summarise(compared, random)
    made = {
        "table1": paper_tables.baselines(summary, given[-1]),
        "table2": paper_tables.ablations(summary),
        "table3": paper_tables.by_bank(
            {bank: read_table(path) for bank, path in quality.items()}, given[len(given) // 2]
        ),
    }
    label = " (synthetic)" if synthetic else ""
    for name, table in made.items():
        table = table.assign(synthetic=True) if synthetic else table
        write_csv(table, output[f"{name}_csv"])
        write_markdown(table, output[f"{name}_md"], f"{TITLES[name]}: {collection}{label}")
        write_html(table, output[f"{name}_html"], f"{TITLES[name]}: {collection}{label}")
    write_csv(summary, output["summary"])
    write_csv(paper_tables.headline(collection, summary), output["quantities"])


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        given = dict(snakemake.params.items())
        banks = given.pop("banks")
        main(
            dict(zip(banks, map(Path, snakemake.input.models))),
            dict(zip(banks, map(Path, snakemake.input.quality))),
            {name: Path(path) for name, path in snakemake.output.items()},
            collection=snakemake.wildcards.collection,
            **given,
        )
