"""Read one benchmark of the fluid benchmarking data set in its published layout."""

import json
from pathlib import Path

from saturation import files, responses


def main(
    parameters: Path,
    results: list[Path],
    leaderboard: Path,
    output: dict[str, Path],
    *,
    benchmark: str,
) -> None:
    bank, people, known = responses.from_published(
        files.read_table(parameters),
        {path.stem: files.read_table(path) for path in results},
        str(parameters),
    )
    abilities = responses.leaderboard_abilities(
        json.loads(leaderboard.read_text(encoding="utf-8")), benchmark, str(leaderboard)
    )
    files.write_csv(bank.frame(), output["responses"])
    files.write_csv(people, output["respondents"])
    files.write_csv(known, output["known"])
    files.write_csv(abilities, output["abilities"])


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            Path(snakemake.input.parameters),
            [Path(path) for path in snakemake.input.results],
            Path(snakemake.input.leaderboard),
            {name: Path(path) for name, path in snakemake.output.items()},
            benchmark=snakemake.params.benchmark,
        )
