"""Held-out predictions: every benchmark by a posterior that has not seen it.

All rows of a benchmark leave together. A refit that fails its gate is drawn again with more draws;
only one that fails with the most stops the run.
"""

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation import seeds
from saturation.regression import gate, validation
from saturation.regression.design import Design
from saturation.regression.draws import Draws, Predicted, predicted
from saturation.regression.sampler import Drawn
from saturation.regression.specification import Effort, Specification

if TYPE_CHECKING:
    import xarray as xr

FOLDS, SINGLY = validation.HELD_OUT


def fold_of_rows(
    benchmark: NDArray[np.str_], scheme: str, folds: int, seed: int
) -> NDArray[np.int64]:
    """Number of the fold with which each row leaves, shape (n,)."""
    names, place = np.unique(benchmark, return_inverse=True)
    dealt = np.arange(len(names))
    if scheme == FOLDS:
        rng = seeds.generator(seed, "regression", "folds")
        dealt = rng.permutation(len(names)) % folds
    numbers: NDArray[np.int64] = dealt[place]
    return numbers


def of_models(
    designs: Mapping[str, Design],
    specifications: Mapping[str, Specification],
    scheme: str,
    draw: Drawn,
    *,
    refits: Mapping[str, Any],
    divergences: int,
    seed: int,
) -> dict[str, validation.HeldOut]:
    """Held-out predictions of every model."""
    return {
        name: held_out(
            designs[name],
            specification,
            fold_of_rows(designs[name].benchmark, scheme, refits["folds"], seed),
            draw,
            effort=Effort(refits["draws"], refits["tune"], refits["chains"]),
            limits=gate.Gate(refits["rhat"], refits["ess"], divergences),
            seed=seeds.derive(seed, "regression", "refits", name, scheme),
        )
        for name, specification in specifications.items()
    }


def held_out(
    design: Design,
    specification: Specification,
    fold: NDArray[np.int64],
    draw: Drawn,
    *,
    effort: Effort,
    limits: gate.Gate,
    seed: int,
) -> validation.HeldOut:
    """Every row predicted by the posterior of the other folds."""
    drawn = effort.draws * effort.chains
    said = Predicted(*(np.empty((drawn, len(fold))) for _ in range(4)))
    rows = []
    for number in np.unique(fold):
        out = fold == number
        refit = functools.partial(
            draw, design.without(out), specification, seed=seeds.derive(seed, int(number))
        )
        posterior, measured = gate.passed(refit, effort, limits, f"refit without fold {number}")
        part = predicted(
            Draws.of(posterior).every(posterior.sizes["draw"] // effort.draws),
            design.matrix[out],
            design.outcome[out],
            specification.likelihood,
            seeds.generator(seed, int(number), "replicated"),
        )
        for name, values in vars(part).items():
            getattr(said, name)[:, out] = values
        left = {"fold": int(number), "benchmarks": len(np.unique(design.benchmark[out]))}
        rows.append(left | _shown(posterior, measured))
    return validation.HeldOut(
        validation.predictions(said, design),
        validation.of_draws(said, design, specification.outcome),
        pd.DataFrame(rows),
    )


def _shown(posterior: "xr.Dataset", measured: "xr.Dataset") -> dict[str, float]:
    return {
        "draws": posterior.sizes["draw"],
        "rhat": float(measured["rhat"].max()),
        "ess": float(min(measured["ess_bulk"].min(), measured["ess_tail"].min())),
        "divergences": measured.attrs["divergences"],
    }
