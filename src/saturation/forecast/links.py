"""Forms of growth: scales on which a benchmark's best score grows by equal steps.

Each maps the share of the usable range, up to a ceiling, to the whole line; a steady step a month
on it is the named curve.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit

Floats = NDArray[np.float64]

# Shares nearer to 0 or 1 than this are as good as there: 1 of 200 questions.
EDGE = 0.005


class Link(NamedTuple):
    """A form of growth with a ceiling.

    Parameters
    ----------
    form
        ``logistic``, ``gompertz`` or ``exponential`` (the failures shrink by a constant share):
        members kappa = -1, infinity and 1 of the general modified exponential (Harvey 1984).
    ceiling
        Share of the usable range that the curve approaches; label noise may hold it below 1.
    """

    form: str
    ceiling: float

    def steps(self, shares: ArrayLike) -> Floats:
        """Where shares lie on the scale of equal steps.

        Parameters
        ----------
        shares
            Shares of the usable range; beyond the ceiling they are as good as there.
        """
        part = np.clip(np.asarray(shares, float) / self.ceiling, EDGE, 1 - EDGE)
        if self.form == "logistic":
            place = logit(part)
        elif self.form == "gompertz":
            place = -np.log(-np.log(part))
        else:
            place = -np.log1p(-part)
        return np.asarray(place, float)

    def shares(self, steps: ArrayLike) -> Floats:
        """Shares of the usable range at these places; the inverse of :meth:`steps`.

        Parameters
        ----------
        steps
            Places on the scale.
        """
        place = np.asarray(steps, float)
        if self.form == "logistic":
            part = expit(place)
        elif self.form == "gompertz":
            part = np.exp(-np.exp(-place))
        else:
            part = -np.expm1(-place)
        return np.asarray(self.ceiling * part, float)


FORMS = ("logistic", "gompertz", "exponential")
CEILINGS = (1.0, 0.95)
LINKS = tuple(Link(form, ceiling) for form in FORMS for ceiling in CEILINGS)
# The scale of logits, for what is not forecast by a form of growth.
LOGISTIC = Link("logistic", 1.0)
