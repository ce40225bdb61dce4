"""All metrics of every window with bootstrap intervals, and the changes over time."""

from pathlib import Path

from saturation import seeds
from saturation.discriminability import bdi, summaries
from saturation.files.tables import logged, read_table, write_csv, write_html


def main(
    tables: dict[str, Path],
    bins: int,
    resamples: int,
    level: float,
    min_last_models: int,
    seed: int,
    outputs: dict[str, Path],
) -> None:
    windows = read_table(tables["windows"])
    top = read_table(tables["top"])
    top = top[top["scope"] == "window"]
    counts = summaries.histograms(read_table(tables["bins"]))
    scores = {key: group.to_numpy() for key, group in top.groupby(summaries.KEYS)["score"]}
    draws, gap_draws = {}, {}
    for key, fine in counts.iterrows():
        coarse = bdi.rebin(fine.to_numpy(), bins)
        rng = seeds.generator(seed, "discriminability", "monthly", *key)
        draws[key] = bdi.resample_bdi(coarse, resamples, rng)
        gap_draws[key] = bdi.resample_top_gaps(scores[key], fine.to_numpy(), resamples, rng)
    monthly = bdi.monthly_table(windows, counts, top, draws, gap_draws, bins, level)
    changes = bdi.changes(monthly, draws, min_last_models, level)
    write_csv(monthly, outputs["monthly"])
    write_html(monthly, outputs["monthly_html"], "Monthly metrics")
    write_csv(changes, outputs["changes"])
    write_html(changes, outputs["changes_html"], "Change of the index and its significance")


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            tables={name: Path(snakemake.input[name]) for name in ("windows", "top", "bins")},
            bins=snakemake.params.bins,
            resamples=snakemake.params.resamples,
            level=snakemake.params.level,
            min_last_models=snakemake.params.min_last_models,
            seed=snakemake.params.seed,
            outputs={name: Path(path) for name, path in snakemake.output.items()},
        )
