"""Run the whole study of the boards: the workflow writes its tables, to the byte."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from saturation import index, seeds
from saturation.arrays import Floats
from saturation.files.tables import NamedTables, Row, round_as_csv
from saturation.statistics import intervals
from saturation.statistics.top_gap import normal_range
from studies.boards import alpha as measure
from studies.boards import noise, overview
from studies.boards.alpha import GROUPS, ITEMS, readings
from studies.boards.ranked import Ranked, Settings
from studies.quantity import Pick, Quantity, frame, list_numbers, picked

# Readings of alpha for the published benchmarks: the paper's, and what was measured with items
# resampled.
PAPER, ALPHA = "paper", "alpha"


def study(
    boards: Sequence[Ranked], benchmarks: pd.DataFrame, settings: Settings | None = None
) -> NamedTables:
    """Compute all tables; a table that another reads has the digits of its file.

    `benchmarks` is the plateau study's index table; settings are by default those of the config.

    Tables by the names of their files: ``alpha`` of each board, with items or groups of items as
    the sample; ``pooled``, alpha over all boards; ``published``, numbers of saturated published
    benchmarks, by reading of alpha; ``overview``, a row a board; ``models`` with their ranks;
    ``noise``, the error of the gap at the top, from items and from answers; ``readings``, how
    errors fall as tasks get longer; ``remarks``, what was left out of each board, in sentences;
    ``quantities``.
    """
    settings = settings or Settings()
    measured = measure.measured(boards, settings)
    pooled = round_as_csv(measure.pooled(measured, settings.level))
    tables = {
        "alpha": round_as_csv(measured),
        "pooled": pooled,
        "published": round_as_csv(published(benchmarks, pooled, settings)),
        **overview.overview(boards, settings),
        "noise": round_as_csv(noise.noise(boards, settings)),
        "readings": round_as_csv(readings(boards, settings)),
    }
    return tables | {"quantities": quantities(tables, settings)}


def published(benchmarks: pd.DataFrame, pooled: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Count benchmarks whose index is at the threshold, at the paper's alpha and the measured one.

    A measured alpha is drawn for each benchmark from its predictive distribution, around a pooled
    mean that is drawn once for all. Only the uncertainty of alpha enters, not the noise of the
    scores. The count at the paper's alpha has no interval.
    """
    rows = [
        _count_saturated(
            PAPER, settings.alpha, benchmarks, np.full((1, 1), settings.alpha), settings
        )
    ]
    for row in pooled.dropna(subset=["value"]).to_dict("records"):
        rng = seeds.generator(settings.seed, "boards", "published", ALPHA)
        drawn = _predicted(row, (settings.draws, len(benchmarks)), rng)
        rows.append(_count_saturated(ALPHA, row["value"], benchmarks, drawn, settings))
    return pd.DataFrame(rows)


def equal_shares(k: int, z: float, saturated_from: float) -> tuple[float, float]:
    """Return how often k equal models count as saturated, and as similar, with these errors."""
    # The error of a gap is that of one score times the root of two.
    widths = np.sqrt(2) * np.array([index.widest_gap(saturated_from), z])
    saturated, similar = normal_range(widths, k, k)
    return float(saturated), float(similar)


PICKS = [
    Pick("groups", "", "{board}_alpha__groups", ["alpha"], "{reason}"),
    Pick("published", "", "published_n_saturated__{reading}", ["n_saturated"]),
    Pick("readings", "", "{board}_growth_{word}", ["between_tasks", "exponent"]),
]


def quantities(tables: NamedTables, settings: Settings) -> pd.DataFrame:
    """Gather headline numbers: measured alpha, and its effect on the published benchmarks."""
    groups = tables["alpha"].query("sample == @GROUPS").fillna({"reason": ""})
    ends = {f"saturated_{end}": f"n_saturated_{end}" for end in ("lower", "upper")}
    named = {"groups": groups, "published": tables["published"].rename(columns=ends)}
    return frame(
        [
            *picked({**tables, **named}, PICKS),
            *_measured(tables["alpha"], settings.alpha),
            *_pooled(tables["pooled"]),
            *_equal(settings),
            *_against_items(round_as_csv(tables["overview"]), settings.saturated_from),
            *noise.quantities(tables["noise"]),
        ]
    )


def _predicted(row: Mapping[Any, Any], size: tuple[int, int], rng: np.random.Generator) -> Floats:
    """Draw new units' true values: a mean and a scale a draw, a deviation each.

    Each column follows the law of :meth:`studies.boards.pooling.Pooled.prediction`.
    """
    degrees = row["predicted_degrees"]
    scale = np.sqrt(degrees / rng.chisquare(degrees, (size[0], 1)))
    deviation = np.hypot(row["between_groups"], row["between_units"])
    mean = row["error"] * rng.standard_normal((size[0], 1))
    drawn: Floats = row["value"] + scale * (mean + deviation * rng.standard_normal(size))
    return drawn


def _count_saturated(
    reading: str, alpha: float, benchmarks: pd.DataFrame, drawn: Floats, settings: Settings
) -> Row:
    """Count saturated benchmarks at drawn alphas, shape (draws, benchmarks or 1)."""
    s_1, s_k, n = (benchmarks[name].to_numpy(float) for name in ("s_1", "s_k", "n_test"))
    error = index.standard_error_of_difference(s_1, s_k, n, 0.0) * n ** (-drawn / 2)
    model = index.GapModel(s_1 - s_k, error + index.EPSILON, error)
    count = (model.index() >= settings.saturated_from).sum(axis=1)
    several = len(drawn) > 1
    low, high = intervals.percentile(count, settings.level) if several else (np.nan, np.nan)
    return {
        "reading": reading,
        "alpha": alpha,
        "n_benchmarks": len(benchmarks),
        "n_saturated": np.median(count),
        "saturated_lower": low,
        "saturated_upper": high,
    }


def _measured(table: pd.DataFrame, paper: float) -> Iterator[Quantity]:
    measured = table[table["reason"].isna()]
    items, groups = (measured[measured["sample"] == kind] for kind in (ITEMS, GROUPS))
    yield from list_numbers(
        {
            "n_boards": (table["sample"] == ITEMS).sum(),
            "n_boards_measured": len(items),
            "n_boards_above_one": (items["lower"] > 1).sum(),
            "n_boards_groups": len(groups),
            "n_boards_groups_above_paper": (groups["lower"] > paper).sum(),
            "n_boards_groups_below_one": (groups["upper"] < 1).sum(),
        }
    )


def _pooled(table: pd.DataFrame) -> Iterator[Quantity]:
    row = table.iloc[0]
    yield Quantity("alpha_pooled", row["value"], row["lower"], row["upper"])
    yield Quantity(
        "alpha_predicted",
        row["value"],
        row["predicted_lower"],
        row["predicted_upper"],
        "interval for a new board",
    )


def _equal(settings: Settings) -> Iterator[Quantity]:
    shares = equal_shares(settings.k, settings.z, settings.saturated_from)
    note = f"{settings.k} equal models, true errors"
    for name, share in zip(("saturated", "similar"), shares):
        yield Quantity(f"equal_{name}_share", share, note=note)


def _against_items(table: pd.DataFrame, saturated_from: float) -> Iterator[Quantity]:
    """Count agreement of the index with the item test of first and k-th."""
    tied = table["kth_tied"].astype(bool)
    for name, marked in (
        ("saturated", table["s_index"] >= saturated_from),
        ("below", table["s_index"] < saturated_from),
    ):
        yield Quantity(f"index_{name}__tied", (marked & tied).sum())
        yield Quantity(f"index_{name}__separated", (marked & ~tied).sum())
