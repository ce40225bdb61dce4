"""Whether the model should be believed of a bank, fast enough to ask before each use.

One test of the residuals (:func:`saturation.adaptive.misfit.statistics`) against few banks that the
model draws, with the floor of guessing that it is used with; the whole comparison, with each item
and respondent, is :func:`saturation.adaptive.misfit.misfit`.
"""

import itertools
from collections.abc import Sequence

import numpy as np
import pandas as pd

from saturation import seeds
from saturation.adaptive import misfit
from saturation.adaptive.coordinates import Slopes
from saturation.adaptive.fit import fit
from saturation.adaptive.floor import MOST_ITEMS, looked_at
from saturation.adaptive.model import Responses
from saturation.errors import InputError
from saturation.statistics.permutation import p_value

# The fewest with which a statistic can be above all at 5 %.
REPLICATES = 19
# Banks drawn, where the model cannot be fitted to all.
MOST_DRAWN = 38
LEVEL = 0.05


def doubt(
    responses: Responses,
    models: Sequence[str],
    name: str,
    slopes: Slopes = "positive",
    floor: float = 0.0,
) -> str:
    """What speaks against the model, in a sentence; empty where nothing does.

    Parameters
    ----------
    responses
        Respondents by items, which the model can be fitted to.
    models
        The model, or the family, of each respondent: whose rows may depend on each other.
    name
        The bank's name, from which the random stream derives: it says the same of it every time.
    slopes
        The sign that slopes may have.
    floor
        Chance of a right answer by guessing that the model is used with, as
        :func:`saturation.adaptive.floor.believed` finds it.

    Returns
    -------
    str
        The statistics are standardised by all banks, the given one among them; the largest of them
        is compared with the largest of each replicate, which takes their number into account
        (Westfall and Young 1993). Where the model cannot be fitted to half of the banks that it
        draws, the sentence says that it cannot be judged.
    """
    random = seeds.generator(0, "adaptive", "doubt", name)
    responses = looked_at(responses, MOST_ITEMS, random)
    try:
        fitted = fit(responses, slopes, floor)
        found = [misfit.statistics(responses, fitted, models)]
        replicates = misfit.replicated(responses, fitted, slopes, MOST_DRAWN, random)
        found += [
            misfit.statistics(cells, again, models)
            for cells, again in itertools.islice(replicates, REPLICATES)
        ]
    except InputError as error:
        return f"whether the item response model fits cannot be said: {error}"
    if len(found) <= REPLICATES:
        return (
            "whether the item response model fits cannot be said: it can be fitted to "
            f"{len(found) - 1} of {MOST_DRAWN} banks that it draws itself"
        )
    return misfit.sentence(misfit.against(too_large(pd.DataFrame(found))))


def too_large(found: pd.DataFrame) -> list[str]:
    """The statistics that speak against the model: none, or all that are above every replicate's.

    Parameters
    ----------
    found
        Statistics by bank: the given one in the first row, then its replicates.
    """
    known = found.dropna(axis=1)
    spread = known.std().replace(0.0, np.inf)
    largest = ((known - known.mean()) / spread).max(axis=1).to_numpy(float)
    if p_value(largest[0], largest[1:]) > LEVEL:
        return []
    return [str(name) for name in known if known[name].iloc[0] > known[name].iloc[1:].max()]
