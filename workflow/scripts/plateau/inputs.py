"""Check the two input tables and write them in one unit."""

from pathlib import Path
from typing import Any

from saturation.files.tables import logged, read_table, write_csv
from saturation.plateau import inputs


def main(benchmarks: Path, top_scores: Path, output: dict[str, Path], **options: Any) -> None:
    prepared = inputs.prepare(
        read_table(benchmarks),
        read_table(top_scores),
        files=(str(benchmarks), str(top_scores)),
        **options,
    )
    write_csv(prepared[0], output["benchmarks"])
    write_csv(prepared[1], output["top_scores"])


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            Path(snakemake.input.benchmarks),
            Path(snakemake.input.top_scores),
            output={name: Path(path) for name, path in snakemake.output.items()},
            score_scale=snakemake.params.score_scale,
            observed_on=snakemake.params.observed_on,
            at_least=snakemake.params.at_least,
            exclude_flags=snakemake.params.exclude_flags,
        )
