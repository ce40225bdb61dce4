"""Differential item functioning: items that some families find easier than others of their ability.

An item's answers are regressed on ability, and Rao's score test says whether families differ at the
same ability: the logistic form of Mantel and Haenszel's (uniform differences; Swaminathan and
Rogers 1990). With few models a family it keeps its level better than the likelihood ratio. The
ability that families are matched on is estimated without the items that differ, anew until these
are the same (purification, Candell and Drasgow 1988).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy
from scipy.special import expit

from saturation.adaptive.abilities import map_ability
from saturation.adaptive.fit import fit
from saturation.adaptive.model import MISSING, Floats, Responses
from saturation.adaptive.responses import Bank
from saturation.adaptive.suspects import regressed
from saturation.errors import InputError
from saturation.statistics.intervals import benjamini_hochberg

LEVEL = 0.05
# Of a family, below which it is not compared.
FEWEST_RESPONDENTS = 5
MOST_ROUNDS = 10
# So wide a prior leaves the likelihood alone, but for groups that are all right or all wrong.
_FLAT = 30.0


class Differential(NamedTuple):
    """Items that families find easier or harder at the same ability.

    Attributes
    ----------
    items
        Rows `item, statistic, degrees, p_value, p_adjusted, differs, easiest, hardest, spread`:
        Rao's statistic, its p-value adjusted for the number of items by Benjamini and Hochberg; the
        families that find the item easiest and hardest, and how many logits lie between them (one
        step from no difference, which holds large ones in). Items that all models answer alike have
        no p-value.
    rounds
        Rounds of purification; :data:`MOST_ROUNDS` if the items that differ did not settle.
    families
        The families compared.
    """

    items: pd.DataFrame
    rounds: int
    families: list[str]


def differential(bank: Bank, families: Sequence[str], units: Sequence[str]) -> Differential:
    """Test every item for differences between families.

    Parameters
    ----------
    bank
        The responses.
    families
        The family of each respondent; families of fewer than five units are not compared.
    units
        What is independent of each other: the model of each respondent. Of a model with several
        respondents (checkpoints) the last is taken.

    Raises
    ------
    InputError
        If fewer than two families can be compared, or the model cannot be fitted.
    """
    last = ~pd.Series(list(units)).duplicated(keep="last").to_numpy()
    names = np.asarray(families, dtype=object)[last]
    counts = pd.Series(names).value_counts()
    compared = [name for name in dict.fromkeys(names) if counts[name] >= FEWEST_RESPONDENTS]
    if len(compared) < 2:
        raise InputError(
            f"differential item functioning: {len(compared)} families have at least "
            f"{FEWEST_RESPONDENTS} models; two are needed"
        )
    fitted = fit(bank.responses)
    rows = np.flatnonzero(last)[np.isin(names, compared)]
    cells = bank.responses[rows]
    groups = np.column_stack(
        [names[np.isin(names, compared)] == name for name in compared[1:]]
    ).astype(float)
    differs = np.zeros(len(bank.items), dtype=bool)
    turn, settled = 0, False
    while not settled and turn < MOST_ROUNDS:
        turn += 1
        matched = np.where(differs, MISSING, cells).astype(np.int8)
        ability = map_ability(matched, fitted.discrimination, fitted.difficulty)[0]
        table = _tests(cells, ability, groups, compared)
        again = table["differs"].to_numpy(bool)
        # Without any item left there is nothing to match on.
        settled = bool((again == differs).all() or again.all())
        differs = again
    table.insert(0, "item", bank.items)
    return Differential(table, turn, compared)


def _tests(
    cells: Responses, ability: Floats, groups: Floats, compared: Sequence[str]
) -> pd.DataFrame:
    """Score tests of all items, on one ability."""
    plain = np.column_stack([np.ones_like(ability), ability])
    chance = expit(plain @ regressed(cells, plain, _FLAT).T)
    seen = cells != MISSING
    weight = np.where(seen, chance * (1.0 - chance), 0.0)
    score = np.where(seen, cells - chance, 0.0).T @ groups

    def crossed(first: Floats, second: Floats) -> Floats:
        """Weighted products of covariates, item by item."""
        return np.asarray(
            np.einsum("pj,pc,pd->jcd", weight, first, second, optimize=True), dtype=float
        )

    across = crossed(plain, groups)
    within = crossed(plain, plain) + np.eye(2) / _FLAT**2
    left = crossed(groups, groups) - np.swapaxes(across, 1, 2) @ np.linalg.solve(within, across)
    # A family whose answers a steep item foretells for certain has nothing left to say.
    shift = np.einsum("jcd,jd->jc", np.linalg.pinv(left, hermitian=True), score)
    statistic = (shift * score).sum(axis=1)
    right = (cells == 1).sum(axis=0)
    varied = (right > 0) & (right < seen.sum(axis=0))
    degrees = groups.shape[1]
    p = np.where(varied, scipy.special.chdtrc(degrees, statistic), np.nan)
    adjusted = benjamini_hochberg(p)
    shifts = np.column_stack([np.zeros(len(shift)), shift])
    order = np.asarray(compared, dtype=object)
    return pd.DataFrame(
        {
            "statistic": np.where(varied, statistic, np.nan),
            "degrees": degrees,
            "p_value": p,
            "p_adjusted": adjusted,
            "differs": adjusted <= LEVEL,
            "easiest": order[shifts.argmax(axis=1)],
            "hardest": order[shifts.argmin(axis=1)],
            "spread": np.ptp(shifts, axis=1),
        }
    )
