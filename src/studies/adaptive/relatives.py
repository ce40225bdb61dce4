"""Errors of items and abilities where respondents are relatives: a jackknife over families.

The fit takes respondents for independent. Checkpoints and models of one family share what they make
of single items; leaving out one family after the other shows how much the estimates hang on each.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy

from saturation.adaptive.evaluation import check_families, folds
from saturation.adaptive.fit import Fit, fit
from saturation.adaptive.model import Floats, Responses
from saturation.adaptive.responses import Bank
from saturation.adaptive.subsets import Items
from saturation.statistics.intervals import CONFIDENCE


class Clustered(NamedTuple):
    """Standard errors that reckon with relatives.

    Attributes
    ----------
    log_discrimination_se, difficulty_se
        One value an item, never below those of the fit.
    ability_se
        One value a respondent: on known items, and what the items' errors add.
    degrees, ability_degrees
        Of freedom: families less one for items; for abilities more, because the part on known items
        is known well (Satterthwaite).
    """

    log_discrimination_se: Floats
    difficulty_se: Floats
    ability_se: Floats
    degrees: int
    ability_degrees: Floats

    def difficulty_reach(self, level: float = CONFIDENCE) -> Floats:
        """Half the width of the difficulties' intervals."""
        return np.asarray(
            float(scipy.special.stdtrit(self.degrees, 0.5 + level / 2)) * self.difficulty_se
        )

    def ability_reach(self, level: float = CONFIDENCE) -> Floats:
        """Half the width of the abilities' intervals."""
        return np.asarray(
            scipy.special.stdtrit(self.ability_degrees, 0.5 + level / 2) * self.ability_se
        )


class Tables(NamedTuple):
    """Errors and 95 % intervals that reckon with families: rows are items, and respondents."""

    items: pd.DataFrame
    abilities: pd.DataFrame


def tables(bank: Bank, families: Sequence[str]) -> Tables:
    """Fit a bank and estimate its errors by a jackknife over families."""
    fitted = fit(bank.responses)
    found = clustered(bank.responses, fitted, families)
    difficulty, ability = found.difficulty_reach(), found.ability_reach()
    items = {
        "item": bank.items,
        "log_discrimination_se": found.log_discrimination_se,
        "difficulty": fitted.difficulty,
        "difficulty_se": found.difficulty_se,
        "lower": fitted.difficulty - difficulty,
        "upper": fitted.difficulty + difficulty,
    }
    abilities = {
        "respondent": bank.respondents,
        "ability": fitted.ability,
        "ability_se": found.ability_se,
        "lower": fitted.ability - ability,
        "upper": fitted.ability + ability,
    }
    return Tables(pd.DataFrame(items), pd.DataFrame(abilities))


def clustered(responses: Responses, fitted: Fit, families: Sequence[str]) -> Clustered:
    """Jackknife errors of a fit with positive slopes."""
    check_families(families)
    parts = folds(responses, families, fitted.ability, "positive", fitted.floor)
    slopes = _jackknife(np.log([fold.items.discrimination for fold in parts]))
    difficulties = _jackknife(np.array([fold.items.difficulty for fold in parts]))
    moved = np.array([fold.items.ability(responses)[0] for fold in parts])
    known = Items.of(fitted).ability(responses)[1]
    carried = _jackknife(moved)
    total = np.hypot(known, carried)
    degrees = len(parts) - 1
    return Clustered(
        np.maximum(slopes, fitted.discrimination_se / fitted.discrimination),
        np.maximum(difficulties, fitted.difficulty_se),
        total,
        degrees,
        degrees * (total / carried) ** 4,
    )


def _jackknife(left_out: Floats) -> Floats:
    """Standard errors from estimates that leave out one group each, groups by values."""
    count = len(left_out)
    return np.asarray(np.sqrt((count - 1) * left_out.var(axis=0)))
