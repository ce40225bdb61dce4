"""A model of the config, and how long it is sampled."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from saturation.regression.priors import Priors


@dataclass(frozen=True)
class Effort:
    """How long to sample: draws kept and tuning steps of a chain, and the number of chains."""

    draws: int
    tune: int
    chains: int


@dataclass(frozen=True)
class Specification:
    """What makes a model.

    Attributes
    ----------
    rows
        ``benchmarks``: one row each; ``tags``: one for each pair of curation and issue tags.
    formula
        Right-hand side in the formula language of Bambi and formulae.
    """

    rows: str
    outcome: str
    likelihood: str
    priors: Priors
    formula: str

    @classmethod
    def of(cls, section: Mapping[str, Any]) -> "Specification":
        """The model of a section ``regression.models.NAME`` of the config."""
        return cls(**{**section, "priors": Priors(**section["priors"])})


def specifications(sections: Mapping[str, Mapping[str, Any]]) -> dict[str, Specification]:
    """The models of the config's section ``regression.models`` by name."""
    return {name: Specification.of(section) for name, section in sections.items()}
