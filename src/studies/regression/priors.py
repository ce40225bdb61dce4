"""Define a model of the config: its priors, its specification, its sampling effort."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Priors:
    """Scales of the priors.

    - ``intercept``: standard deviation of the intercept's normal prior, around 0.
    - ``coefficient``: the same for every other coefficient; None makes all of them flat.
    - ``spread``: scale of the half-normal prior of the Beta precision or the Gaussian standard
      deviation.
    - ``nonzero``: how many coefficients are expected to matter: the prior of all but the intercept
      is then the regularised horseshoe, and ``coefficient`` the scale of its slab.
    """

    intercept: float
    coefficient: float | None
    spread: float
    nonzero: float | None = None

    def scales(self, columns: int) -> Array:
        """Prior standard deviation of each coefficient, the intercept first."""
        if self.coefficient is None or self.nonzero is not None:
            raise ValueError("only a normal prior has a scale for each coefficient")
        return np.array([self.intercept, *[self.coefficient] * (columns - 1)])

    def global_scale(self, rows: int, columns: int) -> float:
        """Scale of the horseshoe's global parameter.

        It leaves ``nonzero`` coefficients unshrunk on average (Piironen and Vehtari 2017, section
        3), with the standard deviation 2 that a yes-or-no observation of mean 1/2 has on the
        logit's scale.
        """
        if self.nonzero is None:
            raise ValueError("a prior without 'nonzero' is no horseshoe")
        return 2 * self.nonzero / ((columns - 1 - self.nonzero) * float(np.sqrt(rows)))


@dataclass(frozen=True)
class Specification:
    """Specification of a model: a section ``regression.models.NAME`` of the config.

    - ``rows``: ``benchmarks``: one row each; ``tags``: one for each pair of curation and issue
      tags.
    - ``formula``: right-hand side in the language of Bambi, as formulae reads it.
    """

    rows: str
    outcome: str
    likelihood: str
    priors: Priors
    formula: str

    @classmethod
    def parse(cls, section: Mapping[str, Any]) -> "Specification":
        """Read the model of a section of the config."""
        return cls(**{**section, "priors": Priors(**section["priors"])})


def specifications(sections: Mapping[str, Mapping[str, Any]]) -> dict[str, Specification]:
    """Read the models of the config's section ``regression.models`` by name."""
    return {name: Specification.parse(section) for name, section in sections.items()}


@dataclass(frozen=True)
class Effort:
    """Sampling effort: draws kept and tuning steps of a chain, and the number of chains."""

    draws: int
    tune: int
    chains: int


@dataclass(frozen=True)
class Gate:
    """Criteria that a posterior must meet before anything is computed (Vehtari et al. 2021).

    Largest R-hat, smallest bulk and tail effective sample size, most divergent transitions.
    """

    rhat: float
    ess: float
    divergences: int
