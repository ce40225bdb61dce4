"""What the paper's author released: the monthly table and the logistic fits behind its tables.

They are output, not data: an equal number says that the paper prints what its code gave. The fits
are made again from the monthly table, with the start and the bounds of the released code.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd
import scipy

from saturation.discriminability.growth import RATE_BOUNDS, logistic
from saturation.discriminability.names import (
    BOARD,
    LATE_2023,
    LOST_MOST,
    NOISE_GAP,
    SATURATED,
    prefix,
)
from saturation.files.tables import records
from saturation.quantity import Quantity

EDGE = 5.0  # months that the midpoint may lie outside the observed ones, in the released code
DUE = {"cp": 0.90, "decline": 0.15}  # section 7.1, with NOISE_GAP


def refit(best: np.ndarray) -> dict[str, float]:
    """The logistic fit of the released code (``analysis.py``).

    Parameters
    ----------
    best
        Best score of each window, proportions, shape (windows,).

    Returns
    -------
    dict
        ``ceiling`` (a proportion), ``rate``, ``midpoint`` (windows since the first) and
        ``r_squared``.

    Notes
    -----
    Start (100, 1, half the windows); ceiling from one point below the best to 100, rate from 0.01
    to 10, midpoint at most five windows outside the observed ones. The paper prints the first two.
    """
    points = 100 * np.asarray(best, dtype=float)
    windows = np.arange(len(points))
    lower = [points.max() - 1, RATE_BOUNDS[0], -EDGE]
    upper = [100.0, RATE_BOUNDS[1], len(points) + EDGE]
    fitted, _ = scipy.optimize.curve_fit(
        logistic,
        windows,
        points,
        p0=[100.0, 1.0, len(points) // 2],
        bounds=(lower, upper),
        max_nfev=10_000,
    )
    residual = points - logistic(windows, *fitted)
    total = ((points - points.mean()) ** 2).sum()
    return {
        "ceiling": float(fitted[0]) / 100,
        "rate": float(fitted[1]),
        "midpoint": float(fitted[2]),
        "r_squared": float(1 - (residual**2).sum() / total),
    }


def quantities(monthly: pd.DataFrame, fits: pd.DataFrame) -> list[Quantity]:
    """The author's numbers under the study's names; ``__refit`` is the fit made again.

    Parameters
    ----------
    monthly, fits
        As :func:`monthly_from_source` and :func:`fits_from_source` give them.
    """
    of_fit = {prefix(row["leaderboard"], row["benchmark"]): row for row in records(fits)}
    rows = list(_of_study(monthly))
    for keys, rows_of_one in monthly.groupby(BOARD, sort=False):
        name = prefix(*keys)
        ordered = rows_of_one.sort_values("month")
        rows += [Quantity(f"{name}_{what}", value) for what, value in _of_benchmark(ordered)]
        made = refit(ordered["max_score"].to_numpy())
        highest = float(ordered["max_score"].max())
        for ending, fit in (("released", of_fit[name]), ("refit", made)):
            rows += [
                Quantity(f"{name}_{what}__{ending}", float(fit[what]))
                for what in ("ceiling", "rate", "midpoint", "r_squared")
            ]
            rows.append(Quantity(f"{name}_headroom__{ending}", float(fit["ceiling"]) - highest))
    return rows


def _of_study(monthly: pd.DataFrame) -> Iterator[Quantity]:
    """Numbers over all benchmarks."""
    ordered = monthly.sort_values("month")
    changes = ordered.groupby(BOARD)["bdi"].agg(lambda bdi: bdi.iloc[-1] - bdi.iloc[0])
    losses = -changes / ordered.groupby(BOARD)["bdi"].first()
    three = [losses["v1", name] for name in LOST_MOST]
    # Every benchmark of a leaderboard has the same evaluations.
    sizes = monthly.groupby(BOARD)["n_models"].sum().groupby(BOARD[0]).max()
    yield Quantity("evaluations", float(sizes.sum()), note="in windows of at least ten")
    yield Quantity("benchmarks", float(len(changes)))
    yield Quantity("v1_three_relative_loss_least", min(three))
    yield Quantity("v1_three_relative_loss_most", max(three))
    yield Quantity("bdi_lowest", float(monthly["bdi"].min()))
    yield Quantity("bdi_highest", float(monthly["bdi"].max()))
    for board, table in monthly.groupby(BOARD[0]):
        highest = table.groupby("benchmark")["max_score"].max()
        yield Quantity(f"{board}_evaluations", float(sizes[board]))
        yield Quantity(f"{board}_benchmarks", float(table["benchmark"].nunique()))
        yield Quantity(f"{board}_windows", float(table["month"].nunique()))
        yield Quantity(f"{board}_declines", float((changes[board] < 0).sum()))
        yield Quantity(f"{board}_cp_lowest", float(highest.min()))
        yield Quantity(f"{board}_cp_range", float(highest.max() - highest.min()))
        yield Quantity(f"{board}_gaps_below_share", float((table["top10_gap"] < NOISE_GAP).mean()))


def _of_benchmark(windows: pd.DataFrame) -> Iterator[tuple[str, float]]:
    """A benchmark's numbers; its windows in order."""
    best, bdi = windows["max_score"].to_numpy(), windows["bdi"].to_numpy()
    gaps = windows["top10_gap"].to_numpy()
    decline = 1 - bdi / np.maximum.accumulate(bdi)
    due = (best > DUE["cp"]) & (gaps < NOISE_GAP) & (decline > DUE["decline"])
    above = np.flatnonzero(np.maximum.accumulate(best) > SATURATED)
    early = windows["month"].to_numpy() <= LATE_2023
    yield "max_score", float(best.max())
    yield "cp", float(best.max())
    # As a table does that rounds what it has printed.
    yield "cp__of_printed_score", round(float(best.max()), 3)
    yield "max_score_first", float(best[0])
    yield "first_cp", float(best[0])
    yield "bdi_first", float(bdi[0])
    yield "bdi_last", float(bdi[-1])
    yield "first_to_last", float(bdi[-1] - bdi[0])
    yield "first_to_last__of_printed_values", round(round(bdi[-1], 3) - round(bdi[0], 3), 3)
    yield "first_to_last_relative_loss", float(1 - bdi[-1] / bdi[0])
    yield "loss", float(bdi[0] - bdi[-1])
    yield "top10_gap_first", float(gaps[0])
    yield "top10_gap_last", float(gaps[-1])
    yield "top10_gap_largest", float(gaps.max())
    yield "months_to_085", float(above[0]) if len(above) else float("inf")
    yield "windows_due", float(due.sum())
    yield "windows_due_by_late_2023", float((due & early).sum())
