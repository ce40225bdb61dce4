"""Exact refits of a model without the benchmarks whose importance sampling cannot be trusted.

One program is compiled, and only if there is anything to refit. A refit that fails its gate is
drawn again with more draws; only one that fails with the most stops the run.
"""

import functools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
import xarray as xr

from saturation import seeds
from saturation.errors import InputError
from saturation.regression import gate
from saturation.regression.design import Design
from saturation.regression.draws import Draws
from saturation.regression.sampler import Sampler
from saturation.regression.specification import Effort, Specification
from saturation.regression.validation import held_out

COLUMNS = ["benchmark_id", "prediction", "elpd", "draws", "rhat", "ess", "divergences"]
# Factors of the configured draws that are tried in turn.
LONGER = (1, 2, 4)


def left_out(loo: pd.DataFrame, pareto_k: float, chunk: int, chunks: int) -> list[str]:
    """The benchmarks that a chunk refits: every so manieth of those above the limit.

    Parameters
    ----------
    loo
        Table of :func:`saturation.regression.validation.leave_one_out`.
    pareto_k
        Pareto k above which a prediction is not to be trusted.
    chunk, chunks
        Number of the chunk, from 0, and of all of them.
    """
    return [str(name) for name in loo.loc[loo["pareto_k"] > pareto_k, "benchmark_id"]][
        chunk::chunks
    ]


def refits(
    design: Design,
    specification: Specification,
    benchmarks: Sequence[str],
    sampler: Callable[[], Sampler],
    *,
    effort: Effort,
    limits: gate.Gate,
    seed: int,
) -> pd.DataFrame:
    """Each benchmark predicted by a posterior that has not seen it.

    Parameters
    ----------
    design
        The whole design.
    specification
        The model.
    benchmarks
        Benchmarks to leave out, one at a time.
    sampler
        Makes the sampler; called once, and only if there is a benchmark.
    effort
        Draws, tuning steps and chains of a refit.
    limits
        What its posterior must show.
    seed
        Each refit's seed derives from it and the benchmark.

    Returns
    -------
    pandas.DataFrame
        ``benchmark_id, prediction, elpd, draws, rhat, ess, divergences``.

    Raises
    ------
    InputError
        If a refit fails its gate with the most draws.
    """
    rows: list[dict[str, Any]] = []
    if benchmarks:
        compiled = sampler()
        for benchmark in benchmarks:
            without = design.benchmark == benchmark
            draw = functools.partial(
                compiled.draw,
                design.without(without),
                specification.priors,
                seed=seeds.derive(seed, benchmark),
            )
            posterior, measured = _passed(draw, effort, limits, f"refit without {benchmark}")
            prediction = held_out(Draws.of(posterior), design, specification.likelihood, without)
            rows.append({"benchmark_id": benchmark} | prediction | _shown(posterior, measured))
    return pd.DataFrame(rows, columns=COLUMNS)


def _passed(
    draw: Callable[[Effort], xr.Dataset], effort: Effort, limits: gate.Gate, name: str
) -> tuple[xr.Dataset, xr.Dataset]:
    """The first posterior that passes the gate, with its diagnostics."""
    failed: list[str] = []
    for factor in LONGER:
        posterior = draw(replace(effort, draws=factor * effort.draws))
        measured = gate.diagnostics(posterior)
        failed = gate.failures(measured, limits, name)
        if not failed:
            return posterior, measured
    raise InputError(failed)


def _shown(posterior: xr.Dataset, measured: xr.Dataset) -> dict[str, float]:
    return {
        "draws": posterior.sizes["draw"],
        "rhat": float(measured["rhat"].max()),
        "ess": float(min(measured["ess_bulk"].min(), measured["ess_tail"].min())),
        "divergences": measured.attrs["divergences"],
    }
