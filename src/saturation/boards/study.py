"""The whole study of the boards in one call, for a notebook and for tests."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pandas as pd

from saturation.boards import alpha as measure
from saturation.boards import overview, published, quantities
from saturation.boards.ranked import Ranked


@dataclass(frozen=True)
class Settings:
    """How the study is made.

    Parameters
    ----------
    alpha, boards, benchmarks
        Settings of its parts.
    """

    alpha: measure.Settings = field(default_factory=measure.Settings)
    boards: overview.Settings = field(default_factory=overview.Settings)
    benchmarks: published.Settings = field(default_factory=published.Settings)


def study(
    boards: Sequence[Ranked], benchmarks: pd.DataFrame, settings: Settings | None = None
) -> dict[str, pd.DataFrame]:
    """All tables of the study by name.

    Parameters
    ----------
    boards
        Of :func:`saturation.boards.ranked.ranked`.
    benchmarks
        The plateau study's index table.
    settings
        By default those of the config.

    Returns
    -------
    dict of pandas.DataFrame
        ``alpha, pairs, pooled, published, overview, models, course, subsets, remarks, quantities``;
        columns as in :mod:`saturation.boards.schemas`.
    """
    chosen = settings or Settings()
    measured = measure.measured(boards, chosen.alpha)
    pooled = measure.pooled(measured, chosen.alpha.level)
    tables = {
        "alpha": measured,
        "pairs": measure.pairs(boards, chosen.alpha),
        "pooled": pooled,
        "published": published.published(benchmarks, measured, pooled, chosen.benchmarks),
        **overview.overview(boards, measured, chosen.boards),
    }
    plateau = chosen.benchmarks
    tables["quantities"] = quantities.quantities(
        tables, chosen.alpha.k, plateau.alpha, plateau.z, plateau.saturated_from
    )
    return tables
