"""Judge items that look mislabelled, and negative slopes that a shared bias explains.

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

from saturation.adaptive.model import MISSING, Responses
from saturation.arrays import Floats
from saturation.statistics.intervals import ALPHA, benjamini_hochberg, holm

# Share of the negative slopes on one side of the second dimension from which they are called
# shared: label errors lie there by halves.
SHARED = 0.8
FEWEST_NEGATIVE, FEWEST_FAMILIES, SUSPECTS_FEWEST_RESPONDENTS = 20, 3, 5
# Prior standard deviation of each coefficient, as of the signed slopes.
_WIDE = 5.0
_STEPS, _SMALLEST_STEP, _LARGEST_STEP = 50, 1e-8, 1.0
LABEL, BIAS = "label", "shared bias"


class Suspects(NamedTuple):
    """Items alone, and the negative slopes together.

    Attributes
    ----------
    items
        One row an item: `p_value`, one-sided (is the slope below 0?) by errors clustered by family
        and Student's t with as many degrees of freedom as families less one, missing for items
        that are all right or all wrong and with fewer than three families; `p_holm` and
        `p_bh`, adjusted for the number of items; `reading`: of items whose `p_bh` is at most .05
        "shared bias" where negative slopes are shared and the item lies on their side, else
        "label"; empty for the others.
    one_side
        Share of the negative slopes on the fuller side of the second dimension; missing with
        fewer than twenty of them, or fewer than five respondents.
    """

    items: pd.DataFrame
    one_side: float

    @property
    def shared(self) -> bool:
        """Check whether negative slopes are shared, as by a preferred answer."""
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
    table = pd.DataFrame({"p_value": p, "p_holm": np.nan})
    table.loc[np.isfinite(p), "p_holm"] = holm(p[np.isfinite(p)])
    table["p_bh"] = benjamini_hochberg(p)
    negative = varied & (slope < 0)
    side, one_side = np.zeros(len(slope)), np.nan
    if negative.sum() >= FEWEST_NEGATIVE and len(ability) >= SUSPECTS_FEWEST_RESPONDENTS:
        # An item's coefficient of the second dimension beside ability.
        second = _second_dimension(responses, design, place)
        side = regressed(responses, np.column_stack([design, second]), _WIDE)[:, 2]
        fuller = 1 if (side[negative] > 0).mean() >= 0.5 else -1
        side = side * fuller
        one_side = (side[negative] > 0).mean()
    suspects = Suspects(table, float(one_side))
    below = table["p_bh"] <= ALPHA
    shared = below & (side > 0) & suspects.shared
    table["reading"] = np.select([shared, below], [BIAS, LABEL], default="")
    return suspects


def _second_dimension(responses: Responses, design: Floats, place: Floats) -> Floats:
    """Compute the answers' second dimension: a standardised value a respondent.

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
