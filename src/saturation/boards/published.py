"""What the published benchmarks come to at the alpha that boards with item responses show."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation import index, seeds
from saturation.boards import schemas
from saturation.boards.alpha import GROUPS
from saturation.statistics import intervals
from saturation.statistics.top_gap import normal_range

Floats = NDArray[np.float64]

# Readings: the paper's alpha, the formula of independent items, what was measured with items drawn
# anew (alpha alike at all sizes, or the log ratio), and with groups of items drawn anew.
PAPER, INDEPENDENT, ALPHA, LOG_RATIO = "paper", "independent", "alpha", "log_ratio"
GRID = "grid"
GRID_ALPHA = tuple(float(step) for step in np.round(np.arange(0, 1.3001, 0.02), 2))


@dataclass(frozen=True)
class Settings:
    """How the published benchmarks are counted.

    Parameters
    ----------
    alpha, z, epsilon, saturated_from
        Of the plateau study, see :mod:`saturation.index`.
    level
        Confidence level.
    draws
        Draws of alpha.
    seed
        The config's seed.
    """

    alpha: float = index.ALPHA
    z: float = index.Z
    epsilon: float = index.EPSILON
    saturated_from: float = index.SATURATED_FROM
    level: float = intervals.LEVEL
    draws: int = 4000
    seed: int = 20251101


def published(
    benchmarks: pd.DataFrame, alpha: pd.DataFrame, pooled: pd.DataFrame, settings: Settings
) -> pd.DataFrame:
    """Benchmarks whose index is at the threshold, and whose gap lies within z errors.

    A measured alpha is drawn anew for each benchmark from its predictive distribution, around a
    pooled mean that is drawn once for all. Only what is not known of alpha enters; the noise of the
    scores does not.

    Parameters
    ----------
    benchmarks
        The plateau study's index table: ``n_test, s_1, s_k``.
    alpha, pooled
        Of :mod:`saturation.boards.alpha`.
    settings
        See :class:`Settings`.

    Returns
    -------
    pandas.DataFrame
        ``reading, alpha, n_benchmarks, n_saturated, saturated_lower, saturated_upper, n_similar,
        similar_lower, similar_upper``; numbers of benchmarks at a known alpha have no interval.
        Readings of groups of items are named ``groups BOARD``.
    """
    rows = [
        _row(PAPER, benchmarks, np.array([[settings.alpha]]), settings),
        _row(INDEPENDENT, benchmarks, np.array([[1.0]]), settings),
    ]
    for reading, middle, drawn in _readings(benchmarks, alpha, pooled, settings):
        rows.append(_row(reading, benchmarks, drawn, settings) | {"alpha": middle})
    rows += [_row(GRID, benchmarks, np.array([[value]]), settings) for value in GRID_ALPHA]
    return pd.DataFrame(rows)[list(schemas.PUBLISHED.columns)]


def _readings(
    benchmarks: pd.DataFrame, alpha: pd.DataFrame, pooled: pd.DataFrame, settings: Settings
) -> Iterator[tuple[str, float, Floats]]:
    """Readings with the middle of alpha and its draws, shape (draws, benchmarks)."""
    size = (settings.draws, len(benchmarks))
    logarithm = np.log(np.maximum(benchmarks["n_test"].to_numpy(float), 2))
    for reading in (ALPHA, LOG_RATIO):
        known = pooled[(pooled["what"] == reading) & (pooled["over"] == "all boards")].dropna(
            subset=["value"]
        )
        for row in known.to_dict("records"):
            rng = seeds.generator(settings.seed, "boards", "published", reading)
            drawn = _predicted(row, size, rng)
            if reading == LOG_RATIO:
                middle = float(np.median(1 + row["value"] / logarithm))
                yield reading, middle, 1 + drawn / logarithm
            else:
                yield reading, row["value"], drawn
    groups = alpha[(alpha["sample"] == GROUPS) & alpha["reason"].isna()]
    for row in groups.to_dict("records"):
        rng = seeds.generator(settings.seed, "boards", "published", row["board"])
        drawn = row["alpha"] + row["error"] * rng.standard_t(row["degrees"], (size[0], 1))
        yield f"{GROUPS} {row['board']}", row["alpha"], drawn


def _predicted(row: Mapping[Any, Any], size: tuple[int, int], rng: np.random.Generator) -> Floats:
    """Draws of new units' true values: one mean and one scale a draw, a deviation each.

    Each column follows the law of :meth:`saturation.statistics.random_effects.Pooled.prediction`.
    """
    degrees = row["predicted_degrees"]
    scale = np.sqrt(degrees / rng.chisquare(degrees, (size[0], 1)))
    deviation = np.hypot(row["between_groups"], row["between_units"])
    mean = row["error"] * rng.standard_normal((size[0], 1))
    drawn: Floats = row["value"] + scale * (mean + deviation * rng.standard_normal(size))
    return drawn


def _row(
    reading: str, benchmarks: pd.DataFrame, drawn: Floats, settings: Settings
) -> dict[str, Any]:
    s_1, s_k, n = (benchmarks[name].to_numpy(float) for name in ("s_1", "s_k", "n_test"))
    error = index.standard_error_of_difference(s_1, s_k, n, 0.0) * n ** (-drawn / 2)
    model = index.GapModel(s_1 - s_k, error + settings.epsilon, error)
    row = {"reading": reading, "alpha": float(np.median(drawn)), "n_benchmarks": len(benchmarks)}
    within = model.normalised_range() <= settings.z
    for name, met in (("saturated", model.index() >= settings.saturated_from), ("similar", within)):
        count = met.sum(axis=1)
        row[f"n_{name}"] = float(np.median(count))
        if len(drawn) > 1:
            low, high = intervals.percentile(count, settings.level)
            row |= {f"{name}_lower": float(low), f"{name}_upper": float(high)}
    return row


def equal_shares(k: int, z: float, saturated_from: float) -> tuple[float, float]:
    """How often k equal models would be saturated, and similar, if the errors were the true ones.

    Parameters
    ----------
    k, z, saturated_from
        See :mod:`saturation.index`.
    """
    # The error of a gap is that of one score times the root of two.
    widths = np.sqrt(2) * np.array([index.widest_gap(saturated_from), z])
    saturated, similar = normal_range(widths, k, k)
    return float(saturated), float(similar)
