"""The regression in one call, for a notebook or a test: from given posteriors to all its tables."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from saturation import seeds
from saturation.index import EPSILON, SATURATED_FROM
from saturation.regression import artefact, design, summary, validation
from saturation.regression.draws import Draws
from saturation.regression.refits import FOLDS
from saturation.regression.specification import Specification

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True)
class Settings:
    """What the regression is made of.

    Attributes
    ----------
    specifications
        By model, in the order of the tables.
    reference_model
        The one whose design the artefact controls take.
    missing
        Rule of each column with gaps, see :func:`saturation.regression.design.predictors`.
    saturated_from
        Index from which a benchmark counts as saturated.
    minimum_rows
        Fewer rows in a model's table are an error.
    bootstrap
        Resamples behind the intervals of the held-out measures.
    permutations
        Refits of each artefact control.
    seed
        The one seed of the config.
    """

    specifications: Mapping[str, Specification]
    reference_model: str
    missing: Mapping[str, str]
    saturated_from: float = SATURATED_FROM
    minimum_rows: int = 30
    bootstrap: int = 1000
    permutations: int = 200
    alpha: float = 0.5
    epsilon: float = EPSILON
    seed: int = 1


def designs(
    benchmarks: pd.DataFrame, index: pd.DataFrame, settings: Settings
) -> dict[str, design.Design]:
    """The design of every model: what a posterior is to be drawn of."""
    table = design.predictors(benchmarks, index, settings.missing, settings.saturated_from)
    return design.designs(table, settings.specifications, settings.minimum_rows)


def study(
    benchmarks: pd.DataFrame,
    index: pd.DataFrame,
    posteriors: "Mapping[str, xr.Dataset]",
    held_out: Mapping[str, Mapping[str, validation.HeldOut]],
    settings: Settings,
) -> dict[str, pd.DataFrame]:
    """Tables by name: of each model ``MODEL/NAME``, over all models ``NAME``.

    Parameters
    ----------
    posteriors
        Of every model, see :func:`saturation.regression.posterior.posteriors`.
    held_out
        Of every model, by a name of :data:`saturation.regression.validation.HELD_OUT`.
    settings
        The models and the effort.
    """
    built = designs(benchmarks, index, settings)
    by_model: dict[str, dict[str, pd.DataFrame]] = {}
    for name, specification in settings.specifications.items():
        by_model[name] = {"design": built[name].to_table()} | validation.tables(
            built[name],
            Draws.of(posteriors[name]),
            held_out[name],
            specification,
            saturated_from=settings.saturated_from,
            bootstrap=settings.bootstrap,
            seed=seeds.derive(settings.seed, "regression", "fit", name),
        )
    controls = artefact.controls(
        built[settings.reference_model],
        index,
        settings.specifications[settings.reference_model].priors,
        alpha=settings.alpha,
        epsilon=settings.epsilon,
        permutations=settings.permutations,
        seed=settings.seed,
    )
    validations, coefficients = (
        {name: tables[kind] for name, tables in by_model.items()}
        for kind in ("validation", "coefficients")
    )
    folds = {name: held[FOLDS].predictions for name, held in held_out.items()}
    return {
        **{f"{name}/{kind}": t for name, tables in by_model.items() for kind, t in tables.items()},
        **controls,
        **summary.tables(
            settings.specifications,
            validations,
            coefficients,
            folds,
            controls["located"],
            max(len(held[FOLDS].refits) for held in held_out.values()),
        ),
    }
