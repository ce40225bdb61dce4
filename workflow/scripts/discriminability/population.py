"""The index on a fixed population and on all models so far, beside the plain one."""

from pathlib import Path

from saturation import seeds
from saturation.discriminability import population
from saturation.discriminability.summaries import FINE_BINS
from saturation.files.tables import logged, read_table, write_csv, write_html


def main(
    tables: dict[str, Path],
    bins: int,
    resamples: int,
    level: float,
    seed: int,
    outputs: dict[str, Path],
) -> None:
    fixed = population.fixed_population(
        read_table(tables["population"]),
        read_table(tables["changes"]),
        bins,
        resamples,
        level,
        seeds.generator(seed, "discriminability", "population"),
        FINE_BINS,
    )
    write_csv(fixed, outputs["fixed"])
    write_html(fixed, outputs["fixed_html"], "Change of the index on a fixed population")
    dynamic = population.dynamic_bdi(read_table(tables["bins"]), bins)
    write_csv(dynamic, outputs["dynamic"])


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            tables={
                name: Path(snakemake.input[name]) for name in ("population", "changes", "bins")
            },
            bins=snakemake.params.bins,
            resamples=snakemake.params.resamples,
            level=snakemake.params.level,
            seed=snakemake.params.seed,
            outputs={name: Path(path) for name, path in snakemake.output.items()},
        )
