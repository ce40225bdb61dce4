"""Which benchmarks of a collection can serve as each other's partners in validity."""

from pathlib import Path

from saturation.adaptive import evaluation
from saturation.files.tables import logged, read_table, write_csv


def main(
    respondents: dict[str, Path], output: Path, *, least: float, named: dict[str, str]
) -> None:
    accuracy = {
        bank: read_table(path).set_index("respondent")["accuracy"]
        for bank, path in respondents.items()
    }
    write_csv(evaluation.partners(accuracy, least, named), output)


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            dict(zip(snakemake.params.banks, map(Path, snakemake.input.respondents))),
            Path(snakemake.output[0]),
            least=snakemake.params.least,
            named=snakemake.params.named,
        )
