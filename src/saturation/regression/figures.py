"""Figures of the joint regression (Figures 5 and 6 of the plateau paper, and what they leave out).

Each function takes tables or draws and returns a figure; call it inside
``saturation.drawing.style.style()``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from saturation.drawing.style import PALETTE
from saturation.regression.design import Design
from saturation.regression.draws import Draws, array_stats, expected
from saturation.regression.refits import FOLDS
from saturation.regression.specification import Specification
from saturation.regression.summary import drawn_as_forest
from saturation.regression.validation import IN_SAMPLE, auroc, saturation_score

if TYPE_CHECKING:
    import xarray as xr

Array = NDArray[np.float64]

PAPER_R2 = 0.884
PAPER_AUROC = 0.98
SEEN, HELD_OUT = PALETTE["blue"], PALETTE["vermilion"]


@dataclass(frozen=True)
class Fitted:
    """What is known of each model, by its name.

    Attributes
    ----------
    coefficients, checks
        Tables of :func:`saturation.regression.validation.tables`.
    diagnostics
        Tables of :func:`saturation.regression.gate.diagnostics_table`.
    designs
        What the models were fitted to.
    posteriors
        Their posteriors.
    """

    coefficients: Mapping[str, pd.DataFrame]
    checks: Mapping[str, pd.DataFrame]
    diagnostics: Mapping[str, pd.DataFrame]
    designs: Mapping[str, Design]
    posteriors: "Mapping[str, xr.Dataset]"


def all_figures(
    specifications: Mapping[str, Specification],
    fitted: Fitted,
    fit: pd.DataFrame,
    permutations: pd.DataFrame,
    located: pd.DataFrame,
    saturated_from: float,
) -> dict[str, Figure]:
    """Every figure of the default run by name.

    The fit is drawn for the Beta models, or for all if there is none.

    Parameters
    ----------
    specifications
        By model, in the order of the figures.
    fitted
        What is known of each model.
    fit
        Fit tables of all models with a column ``model``.
    permutations, located
        Tables of :func:`saturation.regression.artefact.controls`.
    saturated_from
        Index from which a benchmark counts as saturated.
    """
    models = list(specifications)
    alike = [name for name in models if specifications[name].likelihood == "beta"] or models
    curve = fit[fit["model"].isin(alike)]
    forest_model = drawn_as_forest(models)
    gaps = [name for name in models if specifications[name].outcome == "log_gap"]
    rows = {name: len(fitted.designs[name].outcome) for name in models}
    worst = {
        name: str(table["parameter"].iloc[int(table["rhat"].argmax())])
        for name, table in fitted.diagnostics.items()
    }
    areas = {
        name: auroc(
            saturation_score(
                expected(
                    Draws.of(fitted.posteriors[name]),
                    fitted.designs[name].matrix,
                    specifications[name].likelihood,
                ),
                specifications[name].outcome,
            ),
            fitted.designs[name].saturated,
        )
        for name in alike
    }
    gap = fitted.coefficients[gaps[0]] if gaps else None
    return {
        "overfitting": overfitting(curve, saturated_from),
        "forest": forest(fitted.coefficients[forest_model], rows[forest_model], forest_model),
        "auroc": auroc_posterior(areas, curve, saturated_from),
        "artefact": artefact(permutations, located, gap, int(fit["rows"].min())),
        "sampling": diagnostics(fitted.posteriors, worst),
        "checks": checks(fitted.checks, rows),
    }


def overfitting(fit: pd.DataFrame, saturated_from: float) -> Figure:
    """R2 twice and AUROC against the number of columns, in sample and held out in folds.

    Each panel holds one measure on both sides.

    Parameters
    ----------
    fit
        Fit tables of models of one outcome: ``model, measure, value, lower, upper, data, rows,
        columns``.
    saturated_from
        Index from which a benchmark counts as saturated.
    """
    figure, panels = plt.subplots(1, 3, figsize=(10, 4.2), sharex=True)
    for axes, label, measure, paper in (
        (panels[0], "R² of the mean predictions", "r2_prediction", None),
        (panels[1], "Bayesian R² (realised residuals)", "r2_residual", PAPER_R2),
        (panels[2], f"AUROC of S ≥ {saturated_from:g}", "auroc", PAPER_AUROC),
    ):
        _curve(axes, _points(fit, measure, IN_SAMPLE), SEEN, "in sample", "o")
        held = _points(fit, measure, FOLDS)
        _curve(axes, held, HELD_OUT, "held out in folds", "s")
        if paper is not None:
            _paper(axes, paper)
        axes.set_xlabel("columns of the design")
        axes.set_ylabel(label)
        axes.margins(x=0.22)
    held = _points(fit, "r2_prediction", FOLDS)
    _names(panels[0], held)
    panels[0].axhline(0, color=PALETTE["grey"], linewidth=0.8)
    panels[0].set_ylim(bottom=max(-1.6, panels[0].get_ylim()[0]), top=1.05)
    panels[1].set_ylim(0, 1.05)
    panels[2].set_ylim(min(0.4, panels[2].get_ylim()[0]), 1.03)
    panels[2].axhline(0.5, color=PALETTE["grey"], linewidth=0.8)
    panels[2].legend(loc="upper left", bbox_to_anchor=(0, 0.9))
    figure.suptitle(
        f"Held out, R² of the predictions is at most {held['value'].max():.2f}; in sample it rises "
        "with the columns",
        x=0.01, ha="left", fontsize=10.5, fontweight="bold",
    )  # fmt: skip
    smallest, largest = int(fit["rows"].min()), int(fit["rows"].max())
    rows = f"{smallest}" if smallest == largest else f"{smallest} ({largest} where they repeat)"
    _remark(
        figure,
        f"rows: {rows}; bars: 95 % intervals; grey: no skill. A Bayesian R² cannot be negative: "
        "held out it measures spread, not skill",
    )
    return figure


def _paper(axes: Axes, value: float) -> None:
    axes.axhline(value, color=PALETTE["black"], linestyle="--", linewidth=1.1)
    axes.annotate(
        f"paper: {value}",
        (0.02, value),
        xycoords=("axes fraction", "data"),
        xytext=(0, 3),
        textcoords="offset points",
        fontsize=8,
    )


def forest(coefficients: pd.DataFrame, rows: int, model: str) -> Figure:
    """Posterior means with 50 % inside 95 % highest-density intervals (Figure 5).

    Parameters
    ----------
    coefficients
        Table of :func:`saturation.regression.validation.coefficients`.
    rows
        Rows that the model was fitted to.
    model
        Its name.
    """
    table = coefficients[coefficients["column"] != "Intercept"].iloc[::-1].reset_index(drop=True)
    figure, axes = plt.subplots(figsize=(7, 0.2 * len(table) + 1.3))
    colours = np.where(table["excludes_zero"], PALETTE["vermilion"], PALETTE["blue"])
    axes.hlines(table.index, table["lower_95"], table["upper_95"], color=colours, linewidth=1)
    axes.hlines(table.index, table["lower_50"], table["upper_50"], color=colours, linewidth=3.2)
    axes.scatter(table["mean"], table.index, color="white", edgecolor=colours, s=20, zorder=3)
    axes.axvline(0, color=PALETTE["black"], linewidth=0.9)
    axes.set_yticks(table.index, table["column"].str.replace("_", " "), fontsize=7.5)
    axes.set_ylim(-0.8, len(table) - 0.2)
    axes.grid(axis="y", visible=False)
    axes.set_xlabel("coefficient on the logit of S (numeric predictors per standard deviation)")
    clear = table.loc[table["excludes_zero"], "column"].str.replace("_", " ").tolist()[::-1]
    named = f"only {', '.join(clear)}" if 0 < len(clear) <= 4 else f"{len(clear)} of {len(table)}"
    axes.set_title(f"Clear of zero in '{model}': {named}")
    _remark(figure, f"n = {rows} rows; thick: 50 %, thin: 95 % highest-density interval")
    return figure


def auroc_posterior(draws: Mapping[str, Array], fit: pd.DataFrame, saturated_from: float) -> Figure:
    """Posterior of the AUROC in sample (Figure 6), with the median of the held-out one beside it.

    Parameters
    ----------
    draws
        AUROC of every draw, by model.
    fit
        Fit tables of these models: ``model, measure, median, data, rows``.
    saturated_from
        Index from which a benchmark counts as saturated.
    """
    held_out = _points(fit, "auroc", FOLDS).set_index("model")["median"]
    figure, axes = plt.subplots(figsize=(7, 3.6))
    for name, colour in zip(draws, PALETTE.values()):
        axes.hist(
            draws[name], bins=np.arange(0.4, 1.0051, 0.005).tolist(), density=True, color=colour,
            alpha=0.55,
            label=f"{name}: median {np.median(draws[name]):.2f}, held out {held_out[name]:.2f}",
        )  # fmt: skip
        axes.axvline(held_out[name], color=colour, linestyle=":", linewidth=1.8)
    axes.axvline(PAPER_AUROC, color=PALETTE["black"], linestyle="--", linewidth=1.1)
    axes.annotate(
        f"paper: {PAPER_AUROC}", (PAPER_AUROC, 0.96), xycoords=("data", "axes fraction"),
        xytext=(-4, 0), textcoords="offset points", ha="right", va="top", fontsize=8,
    )  # fmt: skip
    axes.set_xlim(0.4, 1.005)
    axes.set_xlabel(f"AUROC of S ≥ {saturated_from:g} (dotted: median held out in folds)")
    axes.set_ylabel("posterior density")
    axes.margins(y=0.35)
    axes.legend(loc="upper left", frameon=True, framealpha=1, edgecolor="white")
    axes.set_title("The posterior AUROC is measured on the rows that the model was fitted to")
    _remark(figure, f"n = {int(fit['rows'].min())} benchmarks")
    return figure


def artefact(
    permutations: pd.DataFrame, located: pd.DataFrame, gap: pd.DataFrame | None, rows: int
) -> Figure:
    """Real coefficients inside the nulls of the permutation controls, and on the raw gap.

    Parameters
    ----------
    permutations, located
        Tables of :mod:`saturation.regression.artefact`.
    gap
        Coefficients of the model of the raw gap, if there is one.
    rows
        Number of benchmarks.
    """
    figure, panels = plt.subplots(1, 2 if gap is None else 3, figsize=(10, 3.5))
    for axes, (control, predictor, label) in zip(
        panels,
        (
            ("n_test", "log_n", "log n, with n dealt out at random\nbefore S is computed"),
            ("age", "age", "age, with ages dealt out at random"),
        ),
    ):
        values = permutations.loc[permutations["control"] == control, predictor]
        place = located[(located["control"] == control) & (located["predictor"] == predictor)].iloc[
            0
        ]
        axes.hist(values, bins=24, color=PALETTE["grey"], alpha=0.75, label="permuted")
        axes.axvline(
            place["observed"],
            color=PALETTE["vermilion"],
            linewidth=2.2,
            label=f"real data: p = {place['p_two_sided']:.2f}",
        )
        axes.axvline(0, color=PALETTE["black"], linewidth=0.8)
        axes.set_xlabel(f"coefficient of {label}")
        axes.set_ylabel(f"refits (of {len(values)})")
        axes.margins(y=0.3)
        axes.legend(loc="upper left")
    if gap is not None:
        _gap(panels[2], gap)
    n_control = located[(located["control"] == "n_test") & (located["predictor"] == "log_n")]
    p = float(n_control["p_two_sided"].iloc[0])
    point = "inside" if p > 0.05 else "outside"
    figure.suptitle(
        f"The effect of test-set size lies {point} what the formula of S produces by itself",
        x=0.01, ha="left", fontsize=10.5, fontweight="bold",
    )  # fmt: skip
    _remark(figure, f"n = {rows} benchmarks")
    return figure


def diagnostics(posteriors: "Mapping[str, xr.Dataset]", worst: Mapping[str, str]) -> Figure:
    """Trace of each model's worst-mixing parameter, and its energy distributions.

    Parameters
    ----------
    posteriors
        By model.
    worst
        The parameter with the largest R-hat, by model.
    """
    figure, panels = plt.subplots(
        len(posteriors), 2, figsize=(9, 1.45 * len(posteriors) + 0.6), squeeze=False
    )
    for (trace, energy), (name, posterior) in zip(panels, posteriors.items()):
        parameter = worst[name]
        values = (
            posterior["spread"]
            if parameter == "spread"
            else posterior["coefficient"].sel(column=parameter)
        )
        for chain in values.to_numpy():
            trace.plot(chain, linewidth=0.35, alpha=0.8)
        trace.set_ylabel(f"{name}\n{_short(parameter)}", fontsize=7.5)
        total = posterior["energy"].to_numpy()
        change = np.diff(total, axis=1).ravel()
        bfmi = float(np.min(array_stats().bfmi(total)))
        centred = (total - total.mean()).ravel()
        edges = np.histogram_bin_edges(np.concatenate([centred, change]), 60)
        energy.hist(centred, edges, density=True, alpha=0.6, label="marginal")
        energy.hist(change, edges, density=True, alpha=0.6, label="transition")
        energy.set_yticks([])
        energy.annotate(
            f"smallest BFMI {bfmi:.2f}", (0.98, 0.9), xycoords="axes fraction", ha="right",
            va="top", fontsize=7.5,
        )  # fmt: skip
    chains, draws = next(iter(posteriors.values()))["energy"].shape
    panels[-1, 0].set_xlabel(f"draw ({chains} chains of {draws}, a colour each)")
    panels[-1, 1].set_xlabel("energy, centred")
    panels[0, 1].legend(loc="upper left")
    panels[0, 0].set_title("Worst-mixing parameter of each model")
    panels[0, 1].set_title("Energy: marginal and between draws")
    return figure


def checks(tables: Mapping[str, pd.DataFrame], rows: Mapping[str, int]) -> Figure:
    """Posterior predictive checks: observed statistics inside replicated intervals.

    Parameters
    ----------
    tables
        Tables of :func:`saturation.regression.validation.predictive_checks`, by model.
    rows
        Number of rows of each model.
    """
    statistics = list(next(iter(tables.values()))["statistic"])
    figure, panels = plt.subplots(1, len(statistics), figsize=(10, 0.32 * len(tables) + 1.6))
    names = list(tables)
    misses = 0
    for axes, statistic in zip(panels, statistics):
        for place, name in enumerate(reversed(names)):
            row = tables[name].set_index("statistic").loc[statistic]
            inside = row["lower"] <= row["observed"] <= row["upper"]
            misses += not inside
            axes.hlines(place, row["lower"], row["upper"], color=PALETTE["sky"], linewidth=4)
            colour = PALETTE["black"] if inside else PALETTE["vermilion"]
            axes.scatter(row["observed"], place, color=colour, zorder=3, s=22)
        labels = [f"{name} (n = {rows[name]})" for name in reversed(names)]
        axes.set_yticks(range(len(names)), labels if axes is panels[0] else [])
        axes.set_ylim(-0.6, len(names) - 0.4)
        axes.grid(axis="y", visible=False)
        axes.set_xlabel(f"{statistic} of the outcome", fontsize=8)
    total = len(names) * len(statistics)
    figure.suptitle(
        f"{total - misses} of {total} observed statistics lie in what the models would generate",
        x=0.01, ha="left", fontsize=10.5, fontweight="bold",
    )  # fmt: skip
    _remark(figure, "bar: 95 % of replicated data; dot: observed (red outside)")
    return figure


def calibration(ranks: pd.DataFrame, draws: int) -> Figure:
    """Simulation-based calibration: histogram of ranks of each parameter, which should be flat.

    Parameters
    ----------
    ranks
        ``simulation, parameter, rank``.
    draws
        Draws among which ranks were taken.
    """
    names = list(dict.fromkeys(ranks["parameter"]))
    columns = 6
    lines = -(-len(names) // columns)
    figure, panels = plt.subplots(lines, columns, figsize=(11, 1.5 * lines + 0.5), squeeze=False)
    simulations = ranks["simulation"].nunique()
    edges = np.linspace(-0.5, draws + 0.5, 11)
    for axes, name in zip(panels.flat, names):
        axes.hist(ranks.loc[ranks["parameter"] == name, "rank"], edges, color=PALETTE["blue"])
        axes.axhline(simulations / 10, color=PALETTE["black"], linewidth=0.9)
        axes.set_title(_short(name), fontsize=7.5)
        axes.set_xticks([])
    for axes in panels.flat[len(names) :]:
        axes.set_visible(False)
    figure.suptitle(
        f"Ranks of the true parameter among {draws} draws, {simulations} simulated data sets",
        x=0.01, ha="left", fontsize=10.5, fontweight="bold",
    )  # fmt: skip
    return figure


def _points(fit: pd.DataFrame, measure: str, data: str) -> pd.DataFrame:
    of_both = fit[(fit["measure"] == measure) & (fit["data"] == data)]
    return of_both.sort_values(["columns", "model"])


def _curve(axes: Axes, table: pd.DataFrame, colour: str, label: str, marker: str) -> None:
    away = np.abs(table[["lower", "upper"]].to_numpy().T - table["value"].to_numpy())
    axes.errorbar(
        table["columns"], table["value"], yerr=away, color=colour, marker=marker, label=label,
        elinewidth=1, capsize=2.5,
    )  # fmt: skip


def _names(axes: Axes, table: pd.DataFrame) -> None:
    """Model names beside their points, on the left where the next point is close."""
    columns = table["columns"].to_numpy()
    crowded = np.append(np.diff(columns) < 0.15 * np.ptp(columns), False)
    for row, left in zip(table.to_dict("records"), crowded):
        axes.annotate(
            row["model"], (row["columns"], row["value"]),
            xytext=(-6, 2) if left else (6, -11), textcoords="offset points",
            ha="right" if left else "left", fontsize=7.5, color="#444444",
        )  # fmt: skip


def _gap(axes: Axes, gap: pd.DataFrame) -> None:
    table = gap.set_index("column").loc[["age", "log_n"]]
    axes.hlines([1, 0], table["lower_95"], table["upper_95"], color=PALETTE["blue"], linewidth=1.2)
    axes.hlines([1, 0], table["lower_50"], table["upper_50"], color=PALETTE["blue"], linewidth=4)
    axes.scatter(table["mean"], [1, 0], color="white", edgecolor=PALETTE["blue"], zorder=3)
    axes.axvline(0, color=PALETTE["black"], linewidth=0.8)
    axes.set_yticks([1, 0], ["age", "log n"])
    axes.set_ylim(-0.6, 1.6)
    axes.set_xlabel("coefficient on the log of the raw\ntop-five gap, which does not contain n")


def _remark(figure: Figure, text: str) -> None:
    figure.supxlabel(text, x=0.01, ha="left", fontsize=7.5, color="#555555")


def _short(name: str, most: int = 24) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"
