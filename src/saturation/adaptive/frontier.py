"""What a benchmark still measures at the top: information, dead items, suspects, smallest set."""

import numpy as np
import pandas as pd

from saturation.adaptive.abilities import map_ability
from saturation.adaptive.fit import signed_slopes
from saturation.adaptive.model import MISSING, Floats, Responses, information, bank_information


def curve(grid: Floats, discrimination: Floats, difficulty: Floats) -> pd.DataFrame:
    """Test information and the standard error that it allows, over a grid of abilities."""
    info = bank_information(grid, discrimination, difficulty)
    return pd.DataFrame({"ability": grid, "information": info, "se": 1.0 / np.sqrt(info)})


def top_models(respondents: pd.DataFrame, ability: Floats, count: int) -> np.ndarray:
    """Rows of the best respondent of each of the best models, best first.

    Ties fall in the order of the table.
    """
    order = np.argsort(-ability, kind="stable")
    first = respondents["model"].iloc[order].drop_duplicates()
    return np.asarray(first.index[:count])


def items(responses: Responses, ability: Floats) -> pd.DataFrame:
    """Per item: cells, share right, whether it is all right or all wrong, and the signed slope.

    `suspicion_rank` orders items by how surely abler respondents do not answer them rightly more
    often (the slope's lower than nought by most standard errors first): a label error looks like
    this. Items that are all right or all wrong have no rank.
    """
    observed = responses != MISSING
    seen = observed.sum(axis=0)
    right = (responses == 1).sum(axis=0)
    slope, se = signed_slopes(responses, ability)
    table = pd.DataFrame(
        {
            "n": seen,
            "share_right": right / seen,
            "all_right": right == seen,
            "all_wrong": right == 0,
            "signed_slope": slope,
            "signed_slope_se": se,
        }
    )
    constant = table["all_right"] | table["all_wrong"]
    table["slope_z"] = (table["signed_slope"] / table["signed_slope_se"]).mask(constant)
    table["suspicion_rank"] = table["slope_z"].rank(method="first").astype("Int64")
    return table


def ranking_by_size(
    responses: Responses, discrimination: Floats, difficulty: Floats, top: Floats, most: int
) -> pd.DataFrame:
    """Whether the n items that inform most at the top keep the ranking of the top respondents.

    Parameters
    ----------
    responses
        Rows of the top respondents, best first by the whole bank.
    top
        Their abilities by the whole bank; items are taken by mean information there.
    most
        Largest n looked at.

    Returns
    -------
    pandas.DataFrame
        For each n: `kept`, the ranking is that of the whole bank; `smallest_gap`, the smallest
        ability gap between neighbours on these items (negative where they swap).
    """
    worth = information(top, discrimination, difficulty).mean(axis=0)
    order = np.argsort(-worth, kind="stable")[:most]
    rows = []
    for n in range(1, len(order) + 1):
        chosen = order[:n]
        ability, _ = map_ability(responses[:, chosen], discrimination[chosen], difficulty[chosen])
        gap = float((ability[:-1] - ability[1:]).min())
        rows.append({"n_items": n, "kept": gap > 0, "smallest_gap": gap})
    return pd.DataFrame(rows)


def smallest_set(sizes: pd.DataFrame) -> tuple[int | None, int | None]:
    """Smallest n that keeps the ranking, and smallest n from which every larger n keeps it too."""
    kept = sizes["kept"].to_numpy()
    if not kept.any():
        return None, None
    first = int(sizes["n_items"].iloc[int(kept.argmax())])
    if not kept[-1]:
        return first, None
    lost = np.flatnonzero(~kept)
    stable = 0 if len(lost) == 0 else int(lost[-1]) + 1
    return first, int(sizes["n_items"].iloc[stable])
