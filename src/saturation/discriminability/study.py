"""The whole study as one function, for notebooks and tests, and its parts for the workflow."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from saturation.discriminability import (
    bdi,
    bin_choice,
    index_over_time,
    inputs,
    paper_tables,
    population,
    projection,
    quantities,
    retirement,
    summaries,
    windows,
)
from saturation.discriminability.leaderboards import DROPPED


@dataclass(frozen=True)
class Settings:
    """Settings of the study, as the config's section has them.

    Parameters
    ----------
    inputs
        Which windows are formed.
    resampling
        Bins, resamples, coverage of intervals, and the seed.
    min_last_models
        Fewest models of a large last window.
    bins_sweep
        Other numbers of bins to compare with.
    demands
        When a projection is made.
    retirement
        Limits of the retirement test.
    k, alpha
        Of the saturation index over time.
    """

    inputs: inputs.Settings
    resampling: bdi.Resampling
    min_last_models: int
    bins_sweep: Sequence[int]
    demands: projection.Demands
    retirement: retirement.Thresholds
    k: int
    alpha: float

    @classmethod
    def of(cls, config: Mapping[str, Any], seed: int) -> "Settings":
        """Settings from the config's section ``discriminability``.

        Parameters
        ----------
        config
            The section.
        seed
            The config's ``seed``.
        """
        return cls(
            inputs=inputs.Settings(
                config["window"], config["rolling_months"], config["min_models"]
            ),
            resampling=bdi.Resampling(config["bins"], config["resamples"], config["level"], seed),
            min_last_models=config["min_last_models"],
            bins_sweep=config["bins_sweep"],
            demands=projection.Demands(**config["growth"]),
            retirement=retirement.Thresholds(**config["retirement"]),
            k=config["index"]["k"],
            alpha=config["index"]["alpha"],
        )


def study(
    summary: Mapping[str, pd.DataFrame],
    benchmarks: pd.DataFrame,
    settings: Settings,
    dropped: pd.DataFrame | None = None,
) -> dict[str, pd.DataFrame]:
    """All tables of the study.

    Parameters
    ----------
    summary
        ``bins, top, moments, population, submitters`` of
        :func:`saturation.discriminability.summaries.summarise`.
    benchmarks
        ``benchmark, kind, n_test``.
    settings
        See :class:`Settings`.
    dropped
        Rows that were left out of the summary; none by default.

    Returns
    -------
    dict
        The tables by the names of their files below ``results/discriminability/``, without
        suffix. Numbers are not rounded, as those of a stage are that reads an earlier one's file.
    """
    left_out = pd.DataFrame(columns=DROPPED) if dropped is None else dropped
    formed = inputs.inputs(summary, benchmarks, left_out, settings.inputs, "benchmarks")
    left = formed.pop("dropped")
    monthly, changes = measured(formed, settings)
    tables = {"dropped": left, "monthly": monthly, "changes": changes}
    tables |= derived(formed | {"benchmarks": benchmarks}, monthly, changes, settings)
    boards = enumerate(paper_tables.leaderboards(tables["monthly"]), start=1)
    return {
        **{f"inputs/{name}": table for name, table in formed.items()},
        **tables,
        **{
            f"tables/table_{number}": paper_tables.status(tables, board) for number, board in boards
        },
        "quantities": quantities.quantities(tables),
    }


def measured(
    formed: Mapping[str, pd.DataFrame], settings: Settings
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The metrics of every window, and their changes over time.

    Parameters
    ----------
    formed
        Tables of :func:`saturation.discriminability.inputs.inputs`.
    settings
        See :class:`Settings`.
    """
    return windows.measured(
        formed["windows"],
        formed["bins"],
        formed["top"],
        formed["submitters"],
        settings.resampling,
        settings.min_last_models,
    )


def derived(
    formed: Mapping[str, pd.DataFrame],
    monthly: pd.DataFrame,
    changes: pd.DataFrame,
    settings: Settings,
) -> dict[str, pd.DataFrame]:
    """What follows from the metrics of the windows, by the names of the results.

    Parameters
    ----------
    formed, settings
        As for :func:`measured`.
    monthly, changes
        Of :func:`measured`.
    """
    resampling, benchmarks = settings.resampling, formed["benchmarks"]
    counts = summaries.histograms(formed["bins"])
    sweep, sweep_summary = bin_choice.bin_choice(counts, settings.bins_sweep, resampling.bins)
    growth, backtests = projection.growth_table(monthly, settings.demands, resampling.level)
    judged = retirement.retirement_table(monthly, settings.retirement)
    index = index_over_time.index_over_time(formed["top"], benchmarks, settings.k, settings.alpha)
    paces = index_over_time.pace(monthly, benchmarks)
    return {
        "bin_choice": sweep,
        "bin_choice_summary": sweep_summary,
        "growth": growth,
        "backtests": backtests,
        "population": population.fixed_population(
            formed["population"], changes, resampling.bins, resampling.level
        ),
        "dynamic": population.dynamic_bdi(formed["bins"], resampling.bins),
        "retirement": judged,
        "first_due": retirement.first_due(judged),
        "index_over_time": index,
        "agreement": index_over_time.agreement(monthly, index),
        "pace": paces,
        "kinds": index_over_time.kinds(paces),
    }
