"""The specifications evaluated, as observed and under every permutation, in chunks."""

from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation import seeds
from saturation.multiverse.choices import DESIGN_COLUMNS, OUTCOME_COLUMNS, Design, Outcome
from saturation.multiverse.data import Data, Variables, outcome_values, variables
from saturation.multiverse.tests import ROUNDING, dealt, partial_effects, permuted_orders
from saturation.statistics.ranks import ranks

Array = NDArray[np.float64]
Index = NDArray[np.int64]


def chunk_of(specifications: pd.DataFrame, chunks: int) -> Index:
    """Number of the chunk, from 0, of each specification.

    A design is never split: its specifications are evaluated in one matrix product, whose last
    bits depend on its shape. Results are the same, to the byte, for any number of chunks.

    Parameters
    ----------
    specifications
        The specifications, those of a design one after another.
    chunks
        Number of chunks.
    """
    keys = specifications[DESIGN_COLUMNS]
    starts = (keys != keys.shift()).any(axis=1).to_numpy()
    start = np.maximum.accumulate(np.where(starts, np.arange(len(keys)), 0))
    chunk: Index = start * chunks // len(keys)
    return chunk


def orders_of(data: Data, permutations: int, seed: int, size: str) -> Index:
    """The orders in which all specifications of a multiverse see the benchmarks.

    Parameters
    ----------
    data
        The benchmarks.
    permutations
        How many to draw.
    seed
        The config's seed.
    size
        ``reduced`` or ``full``.

    Returns
    -------
    numpy.ndarray
        Shape (1 + permutations, benchmarks); the first is the given order.
    """
    rng = seeds.generator(seed, "multiverse", "permutations", size)
    return permuted_orders(len(data), permutations, rng)


def evaluate(data: Data, specifications: pd.DataFrame, orders: Index) -> tuple[Array, Array]:
    """Effect and signed z of each specification, as observed and under each permutation.

    Parameters
    ----------
    data
        The benchmarks.
    specifications
        Rows of :func:`saturation.multiverse.specifications.specifications`, whole designs.
    orders
        Orders of all benchmarks, see :func:`orders_of`.

    Returns
    -------
    tuple of numpy.ndarray
        Both of shape (specifications, orders): partial correlation, and the z whose two-sided
        normal p-value is that of the specification's test.
    """
    effect = np.empty((len(specifications), len(orders)))
    z = np.empty_like(effect)
    outcomes = [
        Outcome(*values) for values in specifications[OUTCOME_COLUMNS].itertuples(index=False)
    ]
    values = outcome_values(data, outcomes)
    numbered = specifications.reset_index(drop=True)
    for key, rows_of_design in numbered.groupby(DESIGN_COLUMNS, sort=False):
        design, places = Design(*map(str, key)), rows_of_design.index.to_numpy()
        used = _variables(data, design)
        effect[places], z[places] = partial_effects(
            # In memory row by row: the last bits of a matrix product depend on the layout.
            np.ascontiguousarray(values[np.ix_(used.rows, places)]),
            _dealt(data, design, used.rows, orders),
            used.covariates,
            design.test,
        )
    return effect, z


def _variables(data: Data, design: Design) -> Variables:
    estimated = variables(data, design)
    if estimated is None:
        raise ValueError(f"{design} cannot be estimated")
    return estimated


def _dealt(data: Data, design: Design, rows: Index, orders: Index) -> Array:
    """The design's variable in the benchmarks in use, under each order, (orders, rows).

    It is dealt out over all benchmarks that have it, also those that the design leaves out. Ranks
    are dealt out as ranks among all of them, and ranked again among those in use.
    """
    whole = _variables(data, replace(design, excluded="nothing"))
    in_use = np.isin(whole.rows, rows)
    values = dealt(whole.variable, whole.covariates, whole.rows, orders)[:, in_use]
    if design.test != "rank":
        return values
    # Equal ranks are equal again but for rounding.
    ranked: Array = ranks(np.round(values / ROUNDING))
    return ranked
