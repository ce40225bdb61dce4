"""Saturation index of each dataset against its mean consistency."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib.pyplot as plt

from saturation import figures, files, robustness_figures

PANELS = {
    "s_index": "S index of the plateau study\n(today's top models, whole test set)",
    "s_index_own": "S index from this study's scores\n(its top models on its examples)",
}


def main(saturation: Path, correlations: Path, output: Sequence[str]) -> None:
    table = files.read_table(saturation)
    found = files.read_table(correlations).set_index("index")
    table = table.sort_values("output_consistency", ascending=False)
    looks = robustness_figures.assigned(
        table["dataset"], list(zip(robustness_figures.COLOURS, robustness_figures.MARKERS))
    )
    made_up = bool(found["synthetic"].any())
    with figures.style():
        figure, panels = plt.subplots(1, 2, figsize=(9, 3.9), sharey=True)
        for axes, (name, label) in zip(panels, PANELS.items()):
            _panel(axes, table, name, looks)
            rho, p, n = found.loc[name, ["rho", "p", "n"]]
            axes.set(xlim=(0, 1.05), ylim=(0, 1.05), xlabel=label)
            known = f"rho = {rho:.2f}, exact p = {p:.2f}" if rho == rho else "too few"
            axes.set_title(f"{known} (n = {int(n)})")
        figure.legend(*panels[1].get_legend_handles_labels(), loc="outside right center")
        panels[0].set_ylabel("mean output consistency\n(interval over models)")
        text = f"robustness against saturation, {len(table)} datasets"
        figures.headline(figure, robustness_figures.title(text, made_up))
        unmatched = ", ".join(table.loc[table["s_index"].isna(), "dataset"]) or "none"
        text = (
            "Spearman's rank correlation; bars: intervals over models; not in the plateau study: "
            f"{unmatched}"
        )
        figures.footnote(figure, robustness_figures.source(text, made_up))
        files.write_figure(figure, output)


def _panel(axes, table, name, looks):  # noqa: ANN001, ANN202
    for row in table.dropna(subset=[name]).itertuples():
        y = row.output_consistency
        reach = [[y - row.output_consistency_lower], [row.output_consistency_upper - y]]
        colour, marker = looks[row.dataset]
        axes.errorbar(
            getattr(row, name), y, yerr=reach, fmt=marker, color=colour,
            capsize=2, label=row.dataset,
        )  # fmt: skip


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            Path(snakemake.input.saturation),
            Path(snakemake.input.correlations),
            list(snakemake.output),
        )
