"""Check a bank's responses and respondents; write them in one layout."""

from pathlib import Path

from saturation.adaptive import responses
from saturation.files.tables import logged, read_table, write_csv

READERS = {"wide": responses.from_wide, "long": responses.from_long}


def main(
    table: Path,
    respondents: Path | None,
    output: Path,
    output_respondents: Path,
    *,
    layout: str,
    fewest: int,
) -> None:
    bank = READERS[layout](read_table(table), str(table), fewest)
    if respondents is None:
        people = responses.own_respondents(bank)
    else:
        given = read_table(respondents)
        people = responses.check_respondents(given, bank, str(respondents))
    write_csv(bank.frame(), output)
    write_csv(people.assign(accuracy=bank.accuracy()), output_respondents)


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        given = snakemake.input.get("respondents")
        main(
            Path(snakemake.input.table),
            Path(given) if given else None,
            Path(snakemake.output.responses),
            Path(snakemake.output.respondents),
            **snakemake.params,
        )
