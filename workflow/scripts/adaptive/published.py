"""Read one benchmark of the fluid benchmarking data set in its published layout."""

import json
from pathlib import Path

from saturation.adaptive import responses
from saturation.files.tables import logged, read_table, write_csv


def main(
    parameters: Path,
    results: list[Path],
    leaderboard: Path,
    output: dict[str, Path],
    *,
    benchmark: str,
) -> None:
    bank, people, known = responses.from_published(
        read_table(parameters),
        {path.stem: read_table(path) for path in results},
        str(parameters),
    )
    abilities = responses.leaderboard_abilities(
        json.loads(leaderboard.read_text(encoding="utf-8")), benchmark, str(leaderboard)
    )
    write_csv(bank.frame(), output["responses"])
    write_csv(people, output["respondents"])
    write_csv(known, output["known"])
    write_csv(abilities, output["abilities"])


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            Path(snakemake.input.parameters),
            [Path(path) for path in snakemake.input.results],
            Path(snakemake.input.leaderboard),
            {name: Path(path) for name, path in snakemake.output.items()},
            benchmark=snakemake.params.benchmark,
        )
