"""Measure what a benchmark tells at the top: information, dead items, smallest set."""

from typing import Any

import numpy as np
import pandas as pd

from saturation.adaptive import model
from saturation.adaptive.abilities import map_ability
from saturation.adaptive.fit import fit
from saturation.adaptive.misfit import items
from saturation.adaptive.model import Responses, information
from saturation.adaptive.responses import Bank
from saturation.arrays import Floats, Integers

# Largest set whose ranking is looked at.
MOST_ITEMS = 1000


def frontier(
    bank: Bank, respondents: pd.DataFrame, items: pd.DataFrame, ability: Floats, count: int
) -> dict[str, Any]:
    """Table `sizes`, the ranking of the top by the size of the item set, and facts `frontier`."""
    a, b = items["discrimination"].to_numpy(float), items["difficulty"].to_numpy(float)
    best = top_models(respondents, ability, count)
    precision = information(ability[best], a, b).sum(axis=1)
    sizes = ranking_by_size(bank.responses[best], a, b, ability[best], MOST_ITEMS)
    facts = {
        "n_items": len(items),
        "items_all_right": int(items["all_right"].sum()),
        "items_all_wrong": int(items["all_wrong"].sum()),
        "negative_slope_share": (items["signed_slope"].round(9) < 0).mean(),
        "se_at_top": 1.0 / np.sqrt(precision.min()),
        "smallest_gap_at_top": -np.diff(ability[best]).max(),
        "smallest_set_stable": smallest_set(sizes),
    }
    return {"sizes": sizes, "frontier": facts}


def top_models(respondents: pd.DataFrame, ability: Floats, count: int) -> Integers:
    """Rows of the best respondent of each of the best models, best first.

    Ties fall in the order of the table.
    """
    order = np.argsort(-ability, kind="stable")
    first = respondents["model"].iloc[order].drop_duplicates()
    return np.asarray(first.index[:count])


def ranking_by_size(
    responses: Responses, discrimination: Floats, difficulty: Floats, top: Floats, most: int
) -> pd.DataFrame:
    """Check whether the n most informative items at the top keep the ranking of the top.

    Returns
    -------
    pandas.DataFrame
        For each n: `kept`, the ranking is that of the whole bank.
    """
    worth = information(top, discrimination, difficulty).mean(axis=0)
    order = np.argsort(-worth, kind="stable")[:most]
    rows = []
    for n in range(1, len(order) + 1):
        largest = order[:n]
        ability, _ = map_ability(
            responses[:, largest], discrimination[largest], difficulty[largest]
        )
        rows.append({"n_items": n, "kept": (ability[:-1] > ability[1:]).all()})
    return pd.DataFrame(rows)


def smallest_set(sizes: pd.DataFrame) -> int | None:
    """Return the smallest n from which every n keeps the ranking."""
    lost = np.flatnonzero(~sizes["kept"])
    stable = lost[-1] + 1 if len(lost) else 0
    return int(sizes["n_items"].iloc[stable]) if stable < len(sizes) else None


def estimates(bank: Bank) -> dict[str, Any]:
    """Fit the model to a bank.

    Tables `item_parameters`; `items`, the same with standard errors and what
    :func:`saturation.adaptive.misfit.items` says; `abilities` with their errors; and facts `fit`:
    rounds, prior, and the number of missing cells.
    """
    fitted = fit(bank.responses)
    parameters = pd.DataFrame(
        {
            "item": bank.items,
            "discrimination": fitted.discrimination,
            "difficulty": fitted.difficulty,
        }
    )
    details = parameters.assign(
        discrimination_se=fitted.discrimination_se, difficulty_se=fitted.difficulty_se
    )
    judged = items(bank.responses, fitted.ability)
    abilities = pd.DataFrame(
        {
            "respondent": bank.respondents,
            "accuracy": bank.accuracy(),
            "ability": fitted.ability,
            "ability_se": fitted.ability_se,
        }
    )
    facts = {
        "rounds": fitted.rounds,
        "prior": fitted.prior,
        "missing_cells": int((bank.responses == model.MISSING).sum()),
    }
    return {
        "item_parameters": parameters,
        "items": pd.concat([details, judged], axis=1),
        "abilities": abilities,
        "fit": facts,
    }
