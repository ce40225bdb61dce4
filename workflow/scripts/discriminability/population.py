"""The index on a fixed population and on all models so far, beside the plain one."""

from pathlib import Path

from saturation import files, population, seeds
from saturation.summaries import FINE_BINS


def main(
    tables: dict[str, Path],
    bins: int,
    resamples: int,
    level: float,
    seed: int,
    outputs: dict[str, Path],
) -> None:
    fixed = population.fixed_population(
        files.read_table(tables["population"]),
        files.read_table(tables["changes"]),
        bins,
        resamples,
        level,
        seeds.generator(seed, "discriminability", "population"),
        FINE_BINS,
    )
    files.write_csv(fixed, outputs["fixed"])
    files.write_html(fixed, outputs["fixed_html"], "Change of the index on a fixed population")
    dynamic = population.dynamic_bdi(files.read_table(tables["bins"]), bins)
    files.write_csv(dynamic, outputs["dynamic"])


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
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
