"""Do the indices predict? The same question with SWE-bench's own boards beside the others.

Their licence allows no embedding, so the question is asked again where the file is at hand. Systems
stand in the place of models: the same model in several scaffolds counts several times.
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd

from saturation.discriminability.bdi import bdi, top_gap
from saturation.errors import InputError
from saturation.forecast import indices
from saturation.index import saturation_index

# Tasks of each board. The board of a single scaffold has those of `Verified` once more and was
# watched for five months.
N_TEST = {"Test": 2294, "Lite": 300, "Verified": 500, "Multimodal": 517}
LEADERS = 10


def results(path: Path) -> pd.DataFrame:
    """Every dated result of the boards.

    Parameters
    ----------
    path
        ``leaderboards.json`` of SWE-bench's site.

    Returns
    -------
    pandas.DataFrame
        ``benchmark, date, score``; scores are proportions.

    Raises
    ------
    InputError
        If a board of `N_TEST` is missing.
    """
    boards = {
        board["name"]: board["results"]
        for board in json.loads(path.read_text("utf-8"))["leaderboards"]
    }
    missing = sorted(set(N_TEST) - set(boards))
    if missing:
        raise InputError([f"{path}: there is no board '{name}'" for name in missing])
    table = pd.DataFrame(
        [
            {"benchmark": name, "date": result["date"], "score": result["resolved"] / 100}
            for name in N_TEST
            for result in boards[name]
        ]
    )
    return table.assign(date=pd.to_datetime(table["date"]))


def cases(table: pd.DataFrame, k: int, alpha: float, bins: int) -> pd.DataFrame:
    """Each board and month with its indices and the rise of the best score after it.

    Parameters
    ----------
    table
        Of :func:`results`.
    k, alpha
        Of the saturation index.
    bins
        Of the discriminability index.

    Returns
    -------
    pandas.DataFrame
        Columns of `schemas.CASES`. A month's indices are those of all results so
        far, since months have few; months count from the first with ten results to the last of all
        boards.
    """
    last = table["date"].max().to_period("M")
    monthly, index = [], []
    for name, n_test in N_TEST.items():
        ordered = table[table["benchmark"] == name].sort_values("date")
        begin = ordered["date"].iloc[LEADERS - 1].to_period("M")
        for month in pd.period_range(begin, last, freq="M"):
            so_far = ordered.loc[ordered["date"].dt.to_period("M") <= month, "score"].to_numpy()
            best = -np.sort(-so_far)
            key = {"leaderboard": "SWE-bench", "benchmark": name, "month": str(month)}
            counts, _ = np.histogram(so_far, bins, (0, 1))
            monthly.append(
                key
                | {
                    "max_score": best[0],
                    "top10_gap": top_gap(best, LEADERS),
                    "bdi": float(bdi(counts)),
                }
            )
            s_index = saturation_index(best[0], best[k - 1], n_test, alpha)
            index.append(key | {"scope": "so_far", "s_index": float(s_index)})
    return indices.board_cases(pd.DataFrame(monthly), pd.DataFrame(index))
