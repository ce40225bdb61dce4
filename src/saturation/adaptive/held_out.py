"""Errors of predictions for families that were left out, beside those that are stated.

A model's own errors hold for respondents that the model describes. Predictions for families that
the items were not fitted on show how much larger errors are, and with how many degrees of freedom
that is known: models of one family miss together.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import scipy

from saturation.adaptive.model import Floats

LEVEL = 0.95


class Excess(NamedTuple):
    """By how much errors exceed what is stated.

    Attributes
    ----------
    factor
        What stated errors are multiplied by; at least 1.
    degrees
        Degrees of freedom of its square.
    rms
        Root mean square of the errors, families weighing the same.
    """

    factor: float
    degrees: float
    rms: float

    def reach(self, error: Floats, level: float = LEVEL) -> Floats:
        """Half the width of intervals for a model of a new family.

        Parameters
        ----------
        error
            Stated standard errors.
        level
            Of the intervals.
        """
        quantile = scipy.special.stdtrit(self.degrees, 0.5 + level / 2)
        return np.asarray(quantile * self.factor * error)

    def least_rms(self, level: float = LEVEL) -> float:
        """Lower end of the interval of the root mean square."""
        return float(
            self.rms * np.sqrt(self.degrees / scipy.special.chdtri(self.degrees, 1 - level))
        )


def excess(missed: Sequence[Floats], stated: Sequence[Floats]) -> Excess:
    """Compare errors made with errors stated.

    Parameters
    ----------
    missed
        Predicted less true values of the models of each family, fitted without it.
    stated
        Their standard errors.

    Returns
    -------
    Excess
        The square of the factor is the mean, families weighing the same, of the squared errors in
        units of those stated. Its degrees of freedom are Satterthwaite's for normal errors whose
        correlation within a family is estimated by the products of its pairs: with a correlation
        of 1 as many as families, with none as many as models.
    """
    # Where all was asked nothing is stated, and nothing missed.
    scaled = [
        np.divide(one, error, out=np.zeros_like(one), where=error > 0)
        for one, error in zip(missed, stated, strict=True)
    ]
    square = float(np.mean([np.mean(each**2) for each in scaled]))
    pairs = [
        (each.sum() ** 2 - (each**2).sum()) / (len(each) * (len(each) - 1))
        for each in scaled
        if len(each) > 1
    ]
    shared = float(np.clip(np.mean(pairs) / square, 0.0, 1.0)) if pairs and square > 0 else 0.0
    counts = np.array([len(each) for each in scaled])
    variance = (2.0 * (1.0 / counts + (1.0 - 1.0 / counts) * shared**2)).sum() / len(counts) ** 2
    rms = float(np.sqrt(np.mean([np.mean(each**2) for each in missed])))
    return Excess(max(float(np.sqrt(square)), 1.0), float(2.0 / variance), rms)
