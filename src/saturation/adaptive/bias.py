"""Which items look mislabelled, how surely, and which negative slopes a shared bias explains.

An item that abler models answer rightly less often may have a wrong label. It may also ask for an
answer that some models prefer whatever is asked: then many items share it, it shows as a second
dimension of the responses, and the negative slopes lie on one side of it, where label errors lie
on either. Checkpoints and relatives are not independent respondents: errors are clustered by
family.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy
from scipy.sparse.linalg import svds
from scipy.special import expit

from saturation.adaptive.abilities import map_ability
from saturation.adaptive.fit import fit
from saturation.adaptive.model import MISSING, Floats, Responses
from saturation.adaptive.responses import Bank
from saturation.errors import InputError
from saturation.statistics.intervals import LEVEL, benjamini_hochberg, holm

# Share of the negative slopes on one side of the second dimension from which they are called
# shared: label errors lie there by halves.
SHARED = 0.8
FEWEST_NEGATIVE, FEWEST_FAMILIES, SUSPECTS_FEWEST_RESPONDENTS = 20, 3, 5
# Prior standard deviation of each coefficient, as of the signed slopes.
_WIDE = 5.0
_STEPS, _SMALLEST_STEP, _LARGEST_STEP = 50, 1e-8, 1.0
LABEL, BIAS = "label", "shared bias"


class Suspects(NamedTuple):
    """Items one by one, and the negative slopes together.

    Attributes
    ----------
    items
        One row an item: `clustered_se` of its signed slope; `p_value`, one-sided (is the slope
        below 0?) by Student's t with as many degrees of freedom as families less one, missing for
        items that are all right or all wrong and with fewer than three families; `p_holm` and
        `p_bh`, adjusted for the number of items; `reading`: of items whose `p_bh` is at most .05
        "shared bias" where negative slopes are shared and the item lies on their side, else
        "label"; empty for the others.
    one_side
        Share of the negative slopes on the fuller side of the second dimension; missing with
        fewer than twenty of them, or fewer than five respondents.
    others
        Share of the other items on that side.
    """

    items: pd.DataFrame
    one_side: float
    others: float

    @property
    def shared(self) -> bool:
        """Whether negative slopes are shared, as by a preferred answer."""
        return self.one_side >= SHARED


def judged(responses: Responses, ability: Floats, families: Sequence[str]) -> Suspects:
    """Judge each item's slope with errors clustered by family, and what negative slopes share."""
    design = np.column_stack([ability, np.ones_like(ability)])
    place = regressed(responses, design, _WIDE)
    slope, error = place[:, 0], clustered(responses, design, place, families)
    right = (responses == 1).sum(axis=0)
    varied = (right > 0) & (right < (responses != MISSING).sum(axis=0))
    degrees = len(set(families)) - 1
    p = np.full(len(slope), np.nan)
    if degrees + 1 >= FEWEST_FAMILIES:
        p[varied] = scipy.special.stdtr(degrees, slope[varied] / error[varied])
    table = pd.DataFrame({"clustered_se": error, "p_value": p, "p_holm": np.nan})
    table.loc[np.isfinite(p), "p_holm"] = holm(p[np.isfinite(p)])
    table["p_bh"] = benjamini_hochberg(p)
    negative = varied & (slope < 0)
    side, one_side, others = np.zeros(len(slope)), np.nan, np.nan
    if negative.sum() >= FEWEST_NEGATIVE and len(ability) >= SUSPECTS_FEWEST_RESPONDENTS:
        # An item's coefficient of the second dimension beside ability.
        second = _second_dimension(responses, design, place)
        side = regressed(responses, np.column_stack([design, second]), _WIDE)[:, 2]
        fuller = 1 if (side[negative] > 0).mean() >= 0.5 else -1
        side = side * fuller
        one_side, others = ((side[chosen] > 0).mean() for chosen in (negative, varied & ~negative))
    found = Suspects(table, float(one_side), float(others))
    below = table["p_bh"] <= LEVEL
    shared = below & (side > 0) & found.shared
    table["reading"] = np.select([shared, below], [BIAS, LABEL], default="")
    return found


def _second_dimension(responses: Responses, design: Floats, place: Floats) -> Floats:
    """What most respondents' answers share beyond ability: one standardised value a respondent.

    The leading direction of the residuals of each item's own regression on ability.
    """
    chance = np.clip(scipy.special.expit(design @ place.T), 1e-3, 1 - 1e-3)
    residual = (responses - chance) / np.sqrt(chance * (1 - chance))
    residual = np.where(responses == MISSING, 0.0, residual)
    # From a fixed start, so that every run gives the same bytes.
    leading = svds(residual, k=1, v0=np.ones(min(residual.shape)))[0][:, 0]
    leading = leading - design @ np.linalg.lstsq(design, leading, rcond=None)[0]
    return np.asarray(leading / leading.std())


def clustered(
    responses: Responses, design: Floats, place: Floats, families: Sequence[str]
) -> Floats:
    """Error, clustered by family, of the first coefficient of each item's logistic regression.

    It is not a number for fewer than two families.
    """
    chance = scipy.special.expit(design @ place.T)
    seen = responses != MISSING
    residual = np.where(seen, responses - chance, 0.0)
    inverse = np.linalg.inv(_curvature(design, np.where(seen, chance * (1 - chance), 0.0), _WIDE))
    clusters, _ = pd.factorize(np.asarray(families, dtype=object))
    groups = int(clusters.max()) + 1
    scores = np.zeros((groups, responses.shape[1], design.shape[1]))
    for column in range(design.shape[1]):
        np.add.at(scores[:, :, column], clusters, residual * design[:, column, None])
    meat = np.einsum("gji,gjk->jik", scores, scores)
    factor = groups / (groups - 1) if groups > 1 else np.nan
    variance = (inverse @ meat @ inverse)[:, 0, 0] * factor
    return np.asarray(np.sqrt(variance))


def regressed(responses: Responses, design: Floats, spread: float) -> Floats:
    """Coefficients of each item's logistic regression: items by covariates."""
    seen = responses != MISSING
    place = np.zeros((responses.shape[1], design.shape[1]))
    for _ in range(_STEPS):
        chance = scipy.special.expit(design @ place.T)
        residual = np.where(seen, responses - chance, 0.0)
        gradient = residual.T @ design - place / spread**2
        weight = np.where(seen, chance * (1 - chance), 0.0)
        step = np.linalg.solve(_curvature(design, weight, spread), gradient[:, :, None])[:, :, 0]
        longest = np.abs(step).max(axis=1, keepdims=True)
        place += step * (_LARGEST_STEP / np.maximum(longest, _LARGEST_STEP))
        if longest.max() < _SMALLEST_STEP:
            break
    return place


def _curvature(design: Floats, weight: Floats, spread: float) -> Floats:
    """Negative second derivatives of each item's log posterior."""
    squares = np.einsum("pj,pc,pd->jcd", weight, design, design, optimize=True)
    return np.asarray(squares + np.eye(design.shape[1]) / spread**2)


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
    """

    items: pd.DataFrame
    rounds: int
    families: list[str]


def differential(bank: Bank, families: Sequence[str], units: Sequence[str]) -> Differential:
    """Test every item for differences between families.

    Parameters
    ----------
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
