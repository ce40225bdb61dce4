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
    made_up = bool(found["synthetic"].any())
    with figures.style():
        figure, panels = plt.subplots(1, 2, figsize=(9, 3.9), sharey=True)
        for axes, (name, label) in zip(panels, PANELS.items()):
            _panel(axes, table, name)
            rho, p, n = found.loc[name, ["rho", "p", "n"]]
            axes.set(xlim=(max(-0.05, table[name].min() - 0.1), 1.22), ylim=(0, 1.05), xlabel=label)
            known = f"rho = {rho:.2f}, exact p = {p:.2f}" if rho == rho else "too few"
            axes.set_title(f"{known} (n = {int(n)})")
        panels[0].set_ylabel("mean output consistency\n(interval over models)")
        text = f"robustness against saturation, {len(table)} datasets"
        robustness_figures.headline(figure, robustness_figures.title(text, made_up))
        unmatched = ", ".join(table.loc[table["s_index"].isna(), "dataset"]) or "none"
        text = (
            "Spearman's rank correlation; bars: intervals over models; not in the plateau study: "
            f"{unmatched}"
        )
        robustness_figures.footnote(figure, robustness_figures.source(text, made_up))
        files.write_figure(figure, output)


def _panel(axes, table, name):  # noqa: ANN001, ANN202
    known = table.dropna(subset=[name])
    y = known["output_consistency"]
    reach = [y - known["output_consistency_lower"], known["output_consistency_upper"] - y]
    axes.errorbar(known[name], y, yerr=reach, fmt="o", color=figures.PALETTE["blue"], capsize=2)
    for row in known.itertuples():
        axes.annotate(
            row.dataset,
            (getattr(row, name), row.output_consistency),
            xytext=(6, -10),
            textcoords="offset points",
            fontsize=8,
        )


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            Path(snakemake.input.saturation),
            Path(snakemake.input.correlations),
            list(snakemake.output),
        )
