"""Define a model of the config: its priors, its specification, its sampling effort."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from saturation.arrays import Floats


@dataclass(frozen=True)
class Priors:
    """Scales of the priors.

    - ``intercept``: standard deviation of the intercept's normal prior, around 0.
    - ``coefficient``: the same for every other coefficient.
    - ``spread``: scale of the half-normal prior of the Beta precision or the Gaussian standard
      deviation.
    """

    intercept: float
    coefficient: float
    spread: float

    def scales(self, columns: int) -> Floats:
        """Prior standard deviation of each coefficient, the intercept first."""
        return np.array([self.intercept, *[self.coefficient] * (columns - 1)])


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
