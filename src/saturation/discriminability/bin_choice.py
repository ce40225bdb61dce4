"""What the number of bins does to the discriminability index (discriminability paper, 4.1)."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
import pandas as pd

from saturation.discriminability.bdi import bdi, rebin
from saturation.discriminability.names import BOARD, KEYS


def bin_choice(
    counts: pd.DataFrame, sweep: Sequence[int], reference: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The index under every number of bins, and what the number does to it.

    Parameters
    ----------
    counts
        :func:`saturation.discriminability.summaries.histograms` of the windows.
    sweep
        Numbers of bins; the reference is taken in.
    reference
        Number of bins to compare with.

    Returns
    -------
    table : pandas.DataFrame
        :func:`bins_table`.
    summary : pandas.DataFrame
        :func:`bins_summary`.
    """
    table = bins_table(counts, sorted({*sweep, reference}))
    return table, bins_summary(table, reference)


def bins_table(counts: pd.DataFrame, sweep: Sequence[int]) -> pd.DataFrame:
    """The index of every window for each number of bins.

    Parameters
    ----------
    counts
        :func:`saturation.discriminability.summaries.histograms` of the windows.
    sweep
        Numbers of bins.

    Returns
    -------
    pandas.DataFrame
        ``leaderboard, benchmark, month, bins, bdi``.
    """
    parts = [
        pd.DataFrame({"bins": bins, "bdi": bdi(rebin(counts.to_numpy(), bins))}, counts.index)
        for bins in sweep
    ]
    return pd.concat(parts).reset_index().sort_values([*KEYS, "bins"], ignore_index=True)


def bins_summary(table: pd.DataFrame, reference: int) -> pd.DataFrame:
    """How level, order and trends of the index depend on the number of bins.

    Parameters
    ----------
    table
        :func:`bins_table`.
    reference
        Number of bins to compare with (the paper's 20).

    Returns
    -------
    pandas.DataFrame
        One row a number of bins: ``mean_shift``, ``min_shift``, ``max_shift`` over all windows;
        ``order_agreement`` (Kendall's tau-b over all windows), ``worst_month_agreement`` (the
        lowest tau-b among the benchmarks of one leaderboard and month),
        ``trend_agreement`` (share of benchmarks whose first-to-last change keeps its sign) and
        ``worst_trend_correlation`` (lowest Spearman correlation over the windows of a benchmark).
    """
    wide = table.pivot(index=KEYS, columns="bins", values="bdi")
    base = wide[reference]
    signs = _first_to_last_signs(wide)
    rows = []
    for bins in sorted(table["bins"].unique()):
        shift = wide[bins] - base
        by_month = _grouped_correlation(wide, bins, reference, ["leaderboard", "month"], "kendall")
        by_benchmark = _grouped_correlation(wide, bins, reference, BOARD, "spearman")
        rows.append(
            {
                "bins": bins,
                "windows": len(wide),
                "mean_shift": shift.mean(),
                "min_shift": shift.min(),
                "max_shift": shift.max(),
                "order_agreement": _correlation(wide[bins], base, "kendall"),
                "worst_month_agreement": by_month.min(),
                "trend_agreement": (signs[bins] == signs[reference]).mean(),
                "worst_trend_correlation": by_benchmark.min(),
            }
        )
    return pd.DataFrame(rows)


def _grouped_correlation(
    wide: pd.DataFrame, left: int, right: int, by: list[str], method: Literal["kendall", "spearman"]
) -> pd.Series:
    """Correlation of two numbers of bins within groups of at least three windows."""
    groups = [group for _, group in wide.groupby(level=by) if len(group) >= 3]
    if left == right or not groups:
        return pd.Series([1.0])
    return pd.Series([_correlation(group[left], group[right], method) for group in groups])


def _correlation(
    left: pd.Series, right: pd.Series, method: Literal["kendall", "spearman"]
) -> float:
    """Rank correlation; missing where one of the two does not vary."""
    varies = left.nunique() > 1 < right.nunique()
    return float(left.corr(right, method=method)) if varies else np.nan


def _first_to_last_signs(wide: pd.DataFrame) -> pd.DataFrame:
    groups = wide.groupby(level=BOARD)
    return (groups.last() - groups.first()).map(np.sign)
