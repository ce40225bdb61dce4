"""The specifications evaluated, as observed and under every permutation."""

import numpy as np
import pandas as pd
import scipy

from saturation.arrays import Floats, Integers
from studies.correlation import ranks
from studies.multiverse.specifications import (
    DESIGN_COLUMNS,
    OUTCOME_COLUMNS,
    Data,
    Design,
    Outcome,
    Variables,
    outcome_values,
    variables,
)
from studies.plateau.resampling import orders

# Relative size below which what is left of a variable is rounding.
ROUNDING = 1e-9
# In place of nothing left unexplained: far below any rounding error, and its inverse is finite.
UNEXPLAINED = 1e-300


def permuted_orders(n: int, permutations: int, rng: np.random.Generator) -> Integers:
    """Draw orders in which all specifications of a multiverse see the n benchmarks.

    Shape (1 + permutations, n); the first is the given order.
    """
    return np.vstack([np.arange(n), orders(n, permutations, rng)])


def permuted(variable: Floats, covariates: Floats, supported: Integers, orders: Integers) -> Floats:
    """Permute the tested variable by each order, given the covariates.

    What the covariates explain of the variable stays with its benchmark; the rest, its residual,
    goes to the benchmark that the order names. This happens once for all benchmarks that have the
    variable, whatever a specification leaves out: the same order then moves the same values in
    every set of benchmarks, which keeps the dependence of the specifications.

    Shape (orders, s); the given order gives the variable itself.
    """
    basis = np.linalg.qr(covariates)[0]
    explained = basis @ (basis.T @ variable)
    return explained + (variable - explained)[_first_returns(orders, supported)]


def _first_returns(orders: Integers, supported: Integers) -> Integers:
    """Orders of all benchmarks as orders of some of them, numbered from 0.

    Each benchmark takes from the one that the order names; if that is not among them, from the one
    that the order names for it, and so on. The result is a random order if the given one is, and
    two sets of benchmarks agree wherever the order stays within both.
    """
    n = orders.shape[1]
    inside = np.isin(np.arange(n), supported)
    supported_orders = orders[:, supported]
    while not inside[supported_orders].all():
        rows, columns = np.nonzero(~inside[supported_orders])
        supported_orders[rows, columns] = orders[rows, supported_orders[rows, columns]]
    numbers = np.cumsum(inside) - 1
    return numbers[supported_orders]


def partial_effects(
    outcomes: Floats, variables: Floats, covariates: Floats, test: str
) -> tuple[Floats, Floats]:
    """Compute partial correlations and z of a design's outcomes, for each variable.

    Shape (outcomes, orders) each: the partial correlation, and the signed z whose two-sided
    normal p-value is the test's.
    """
    if test == "rank":
        outcomes = ranks(outcomes, axis=0)
    basis = np.linalg.qr(covariates)[0]
    directions = variables - (variables @ basis) @ basis.T
    length = np.linalg.norm(directions, axis=1, keepdims=True)
    says = length > ROUNDING * np.linalg.norm(variables, axis=1, keepdims=True)
    directions = np.where(says, directions / np.where(says, length, 1.0), 0.0)
    residuals = outcomes - basis @ (basis.T @ outcomes)
    along = directions @ residuals
    effect = np.clip((along / np.linalg.norm(residuals, axis=0)).T, -1, 1)
    # None is none on every processor, and has no sign.
    effect = effect.round(10) + 0.0
    freedom = len(outcomes) - basis.shape[1] - 1
    if test == "permutation":
        return effect, _signed_z(effect, _permutation_p(effect))
    if test == "robust":
        t = _robust_t(residuals, directions, basis, along).T
    else:
        t = effect * np.sqrt(freedom / np.maximum(1 - effect**2, UNEXPLAINED))
    return effect, _signed_z(t, 2 * scipy.special.stdtr(freedom, -np.abs(t)))


def _robust_t(residuals: Floats, directions: Floats, basis: Floats, along: Floats) -> Floats:
    """Coefficient over its HC3 error (MacKinnon and White 1985), (orders, outcomes).

    A benchmark that the design fits whatever its outcome (leverage 1) says nothing of the error:
    the others do.
    """
    left_free = 1 - (basis**2).sum(axis=1) - directions**2
    fitted = left_free < ROUNDING
    weight = np.where(fitted, 0.0, directions / np.where(fitted, 1.0, left_free)) ** 2
    residuals_left = residuals - directions[:, :, None] * along[:, None, :]
    error = np.sqrt(np.einsum("bn,bno->bo", weight, residuals_left**2))
    return np.where(error > 0, along / np.where(error > 0, error, 1.0), 0.0)


def _permutation_p(effect: Floats) -> Floats:
    """Return the share of all orders, the observed order included, with at least the effect."""
    size = np.abs(effect).round(10)
    share: Floats = ranks(-size, ties="max") / size.shape[1]
    return share


def _signed_z(sign: Floats, p_value: Floats) -> Floats:
    z: Floats = -np.sign(sign) * scipy.special.ndtri(np.maximum(p_value, np.finfo(float).tiny) / 2)
    return z


def evaluate(data: Data, specifications: pd.DataFrame, orders: Integers) -> tuple[Floats, Floats]:
    """Effect and signed z of each specification, as observed and under each permutation.

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
            _permuted(data, design, used.rows, orders),
            used.covariates,
            design.test,
        )
    return effect, z


def _variables(data: Data, design: Design) -> Variables:
    estimated = variables(data, design)
    if estimated is None:
        raise ValueError(f"{design} cannot be estimated")
    return estimated


def _permuted(data: Data, design: Design, rows: Integers, orders: Integers) -> Floats:
    """Permute the design's variable in the benchmarks in use by each order, (orders, rows).

    It is permuted over all benchmarks that have it, also those that the design leaves out. Ranks
    are permuted as ranks among all of them, and ranked again among those in use.
    """
    whole = _variables(data, design._replace(excluded="nothing"))
    in_use = np.isin(whole.rows, rows)
    values = permuted(whole.variable, whole.covariates, whole.rows, orders)[:, in_use]
    if design.test != "rank":
        return values
    # Equal ranks are equal again but for rounding.
    return ranks(np.round(values / ROUNDING))
