"""Draw the figures of the plateau study, each as PNG, PDF and SVG."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from saturation.drawing import style
from saturation.files import stages
from saturation.files.tables import logged, write_figures
from saturation.plateau import figures, groupings, trends
from saturation.plateau.schemas import BY_INPUT_NAME


def main(
    tables: Mapping[str, Path],
    output: Sequence[str],
    *,
    k: int,
    alpha: float,
    saturated_from: float,
) -> None:
    read = {name: stages.read(path, BY_INPUT_NAME[name]) for name, path in tables.items()}
    benchmarks, index = read["benchmarks"], read["index"]
    names = benchmarks.set_index("benchmark_id")["name"]
    data = benchmarks.merge(index.drop(columns="n_test"), on="benchmark_id", validate="1:1")
    groups, rates = panels(data, read["groups"], read["bins"])
    citations = trends.citation_bin(data["citations"])
    trend = {(row["trend"], row["reading"]): row for _, row in read["trends"].iterrows()}
    age, cited = trend["age", "spearman_recorded"], trend["citations", "raw"]
    with style.style():
        drawn = {
            "figure1_overview": figures.overview(index, names),
            "figure2_hypotheses": figures.hypotheses(data, groups, rates, saturated_from),
            "figure3_age": figures.age_bins(data, read["bins"], age),
            "figure4_citations": figures.citation_bins(data, read["bins"], citations, cited),
            "sensitivity": figures.sensitivity(read["grid"], k, alpha, len(data)),
            "intervals": figures.intervals(read["intervals"], names, saturated_from),
            "permuted_n": figures.permuted_n(read["permuted_n"], len(data)),
        }
        write_figures(drawn, output)


def panels(
    data: pd.DataFrame, groups: pd.DataFrame, bins: pd.DataFrame
) -> tuple[dict[str, pd.Series], pd.DataFrame]:
    """The groups and rates that Figure 2 shows: H3 as in the authors' script, H5 by age bin."""
    shown = {
        "h1": "primary",
        "h2": "primary",
        "h3": "human_and_automatic",
        "h4": "primary",
        "h6": "primary",
    }
    labels = {
        one.hypothesis: one.groups
        for one in groupings.comparisons(data)
        if shown.get(one.hypothesis) == one.grouping
    }
    labels["h5"] = trends.age_bin(data[trends.RECORDED_AGE]).set_axis(data["benchmark_id"])
    chosen = groups[groups["grouping"] == groups["hypothesis"].map(shown)]
    ages = bins[bins["binned_by"] == trends.RECORDED_AGE].rename(columns={"bin": "group"})
    rates = pd.concat([chosen, ages.assign(hypothesis="h5")], ignore_index=True)
    return labels, rates


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        tables = {
            name: Path(path) for name, path in snakemake.input.items() if name not in ("code",)
        }
        main(
            tables,
            snakemake.output,
            k=snakemake.params.k,
            alpha=snakemake.params.alpha,
            saturated_from=snakemake.params.saturated_from,
        )
