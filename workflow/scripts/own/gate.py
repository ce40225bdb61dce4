"""End with an error if a card has a verdict that the config names: for continuous integration."""

from pathlib import Path

from saturation.errors import InputError
from saturation.files.tables import logged, read_table, write_text


def main(cards: Path, fail_on: list[str], output: Path) -> None:
    table = read_table(cards)
    failing = table[table["verdict"].isin(fail_on)]
    if not failing.empty:
        raise InputError(
            [
                f"benchmark '{row.benchmark}': the verdict is {row.verdict} ({row.reason}), "
                "which own.fail_on names"
                for row in failing.itertuples()
            ]
        )
    write_text(f"{len(table)} cards pass; fails on: {', '.join(fail_on) or 'none'}\n", output)


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(Path(snakemake.input.cards), list(snakemake.params.fail_on), Path(snakemake.output[0]))
