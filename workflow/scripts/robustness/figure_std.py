"""How each model's examples spread in score, a panel a dataset: Figures C.1 to C.6 in one."""

from collections.abc import Sequence
from math import ceil
from pathlib import Path

import matplotlib.pyplot as plt

from saturation import figures, files, robustness_figures

COLUMNS = 3


def main(std: Path, output: Sequence[str]) -> None:
    table = files.read_table(std)
    made_up = bool(table["synthetic"].any())
    used = table.groupby("std_class")["n_examples"].sum()
    if used.get("constant", 0) == 0:
        table = table[table["std_class"] != "constant"]
    right = table[table["std_class"] == "always_right"]
    shares = right.groupby("dataset")["share"].mean().sort_values(ascending=False)
    datasets = shares.index
    models = sorted(table["model"].unique(), key=str.lower)
    rows = ceil(len(datasets) / COLUMNS)
    height = 1.3 + rows * (0.9 + 0.22 * len(models))
    with figures.style():
        figure, grid = plt.subplots(
            rows, COLUMNS, figsize=(10.5, height), squeeze=False, sharey=True
        )
        for axes in grid.flat[len(datasets) :]:
            axes.set_visible(False)
        for axes, dataset in zip(grid.flat, datasets):
            image = _panel(axes, table[table["dataset"] == dataset], models, dataset)
        figure.colorbar(image, ax=grid, label="share of examples", fraction=0.02)
        headline = (
            f"always right under every configuration: from {shares.iloc[0]:.0%} of the examples "
            f"({shares.index[0]}) to {shares.iloc[-1]:.0%} ({shares.index[-1]})"
        )
        figures.headline(figure, robustness_figures.title(headline, made_up))
        n = table.groupby(["model", "dataset"])["n_examples"].sum().min()
        text = (
            "columns: always right | standard deviation of an example's scores over its "
            f"configurations, by its bin's end | always wrong; {n:,} or more examples a row"
        )
        figures.footnote(figure, robustness_figures.source(text, made_up))
        files.write_figure(figure, output)


def _panel(axes, table, models, dataset):  # noqa: ANN001, ANN202
    wide = table.pivot(index="model", columns="order", values="share").reindex(models)
    names = table.drop_duplicates("order").sort_values("order")["std_class"]
    labels = [_label(name) for name in names]
    image = axes.imshow(wide.to_numpy(), cmap="Blues", vmin=0, vmax=1, aspect="auto")
    for row, model in enumerate(models):
        for column, share in enumerate(wide.loc[model]):
            if share == share:
                colour = "white" if share > 0.5 else "#333333"
                text = f"{share:.2f}".lstrip("0") if share < 1 else "1"
                axes.text(column, row, text, ha="center", va="center", fontsize=6.5, color=colour)
    axes.set_xticks(range(len(labels)), labels)
    axes.set_yticks(range(len(models)), models)
    axes.grid(visible=False)
    axes.set_title(dataset)
    return image


def _label(name: str) -> str:
    short = {"always_right": "right", "always_wrong": "wrong", "constant": "same"}
    return short.get(name) or "≤" + name.split(",")[1].strip(" ]")


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(Path(snakemake.input.std), list(snakemake.output))
