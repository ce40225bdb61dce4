"""How much of a change in the index is a change in who submits (discriminability, section 7.3)."""

import numpy as np
import pandas as pd

from saturation import seeds
from saturation.discriminability.bdi import (
    Counts,
    Draws,
    Resampling,
    bdi,
    bdi_corrected,
    pivotal_interval,
    rebin,
)
from saturation.discriminability.names import BOARD, FINE_BINS
from saturation.discriminability.summaries import histograms
from saturation.statistics import intervals

MEASURED = [
    "bdi_from",
    "bdi_to",
    "change",
    "change_lower",
    "change_upper",
    "corrected_change",
    "corrected_change_lower",
    "corrected_change_upper",
    "note",
]
Ends = Counts  # bins at both ends of a change, shape (members, 2)
FEWEST = 10  # as for a window: fewer members carry no index


def fixed_population(
    population: pd.DataFrame,
    changes: pd.DataFrame,
    resampling: Resampling,
) -> pd.DataFrame:
    """Change of the index among the models, or base families, present at both ends.

    Parameters
    ----------
    population
        ``leaderboard, benchmark, month, unit, name, bin``: one evaluation a name and window.
    changes
        Rows of :func:`saturation.discriminability.windows.changes`; each gives a pair of windows.
    resampling
        Bins, resamples and coverage as for the windows; the names are drawn together at both ends.

    Returns
    -------
    pandas.DataFrame
        One row a change and unit (``model`` or ``family``): ``members`` in both windows,
        ``bdi_from``, ``bdi_to``, ``change``, ``corrected_change`` with its interval,
        ``plain_change`` of everybody, and ``note`` where fewer than ten members are shared and
        nothing is computed.
    """
    rng = seeds.generator(resampling.seed, "discriminability", "population")
    wide = population.pivot(index=[*BOARD, "unit", "name"], columns="month", values="bin")
    groups = dict(list(wide.groupby(level=[*BOARD, "unit"])))
    rows = []
    for row in changes.to_dict("records"):
        for unit in ("model", "family"):
            names = groups.get((row["leaderboard"], row["benchmark"], unit))
            pair = _shared(names, row["from"], row["to"])
            rows.append(
                {
                    **{key: row[key] for key in (*BOARD, "comparison", "last_window")},
                    "from": row["from"],
                    "to": row["to"],
                    "unit": unit,
                    "members": len(pair),
                    "plain_change": row["change"],
                    **_paired_change(pair, resampling, rng),
                }
            )
    labels = [*BOARD, "comparison", "last_window", "from", "to", "unit", "members", "plain_change"]
    return pd.DataFrame(rows, columns=[*labels, *MEASURED])


def dynamic_bdi(bins_table: pd.DataFrame, bins: int) -> pd.DataFrame:
    """Index of all models seen so far, each counted once, beside that of the window alone.

    Parameters
    ----------
    bins_table
        ``leaderboard, benchmark, month, bin, count, so_far``.
    bins
        Bins of the index.

    Returns
    -------
    pandas.DataFrame
        ``leaderboard, benchmark, month, bdi, bdi_so_far, models_so_far``.
    """
    window, union = histograms(bins_table), histograms(bins_table, "so_far")
    table = pd.DataFrame(
        {
            "bdi": bdi(rebin(window.to_numpy(), bins)),
            "bdi_so_far": bdi(rebin(union.to_numpy(), bins)),
            "models_so_far": union.sum(axis=1),
        },
        index=window.index,
    )
    return table.reset_index()


def _shared(names: pd.DataFrame | None, start: str, end: str) -> Ends:
    """Bins at both ends of the names that are in both windows, shape (members, 2)."""
    if names is None or start == end or not {start, end} <= set(names.columns):
        return np.empty((0, 2), dtype=int)
    pair: Ends = names[[start, end]].dropna().to_numpy(int)
    return pair


def _paired_change(
    pair: Ends, resampling: Resampling, rng: np.random.Generator
) -> dict[str, float | str]:
    if len(pair) < FEWEST:
        return {"note": f"{len(pair)} members in both windows; at least {FEWEST} are needed"}
    bins, resamples, level = resampling.bins, resampling.resamples, resampling.level
    coarse = pair * bins // FINE_BINS
    joint = np.zeros((bins, bins), dtype=int)
    np.add.at(joint, (coarse[:, 0], coarse[:, 1]), 1)
    # Members are drawn with both of their scores: a multinomial over the joint histogram.
    drawn = rng.multinomial(len(pair), joint.ravel() / len(pair), size=resamples)
    resampled = _differences(drawn.reshape(resamples, bins, bins))
    plain = _differences(joint[None])
    change, corrected = float(plain.plain[0]), float(plain.corrected[0])
    bounds = intervals.percentile(resampled.plain, level)
    lower, upper = pivotal_interval(corrected, resampled.corrected, change, level)
    return {
        "bdi_from": float(bdi(joint.sum(axis=1))),
        "bdi_to": float(bdi(joint.sum(axis=0))),
        "change": change,
        "change_lower": bounds[0],
        "change_upper": bounds[1],
        "corrected_change": corrected,
        "corrected_change_lower": lower,
        "corrected_change_upper": upper,
        "note": "",
    }


def _differences(joint: Counts) -> Draws:
    """Index of the later minus that of the earlier window: (samples, B, B) to (samples,)."""
    before, after = joint.sum(axis=2), joint.sum(axis=1)
    return Draws(bdi(after) - bdi(before), bdi_corrected(after) - bdi_corrected(before))
