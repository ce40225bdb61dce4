"""All metrics of every window with bootstrap intervals, and the changes over time."""

from pathlib import Path

from saturation import discriminability, files, seeds, summaries


def main(
    tables: dict[str, Path],
    bins: int,
    resamples: int,
    level: float,
    min_last_models: int,
    seed: int,
    outputs: dict[str, Path],
) -> None:
    windows = files.read_table(tables["windows"])
    top = files.read_table(tables["top"])
    top = top[top["scope"] == "window"]
    counts = summaries.histograms(files.read_table(tables["bins"]))
    scores = {key: group.to_numpy() for key, group in top.groupby(summaries.KEYS)["score"]}
    draws, gap_draws = {}, {}
    for key, fine in counts.iterrows():
        coarse = discriminability.rebin(fine.to_numpy(), bins)
        rng = seeds.generator(seed, "discriminability", "monthly", *key)
        draws[key] = discriminability.resample_bdi(coarse, resamples, rng)
        gap_draws[key] = discriminability.resample_top_gaps(
            scores[key], fine.to_numpy(), resamples, rng
        )
    monthly = discriminability.monthly_table(windows, counts, top, draws, gap_draws, bins, level)
    changes = discriminability.changes(monthly, draws, min_last_models, level)
    files.write_csv(monthly, outputs["monthly"])
    files.write_html(monthly, outputs["monthly_html"], "Monthly metrics")
    files.write_csv(changes, outputs["changes"])
    files.write_html(changes, outputs["changes_html"], "Change of the index and its significance")


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            tables={name: Path(snakemake.input[name]) for name in ("windows", "top", "bins")},
            bins=snakemake.params.bins,
            resamples=snakemake.params.resamples,
            level=snakemake.params.level,
            min_last_models=snakemake.params.min_last_models,
            seed=snakemake.params.seed,
            outputs={name: Path(path) for name, path in snakemake.output.items()},
        )
